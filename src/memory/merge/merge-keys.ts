// What becomes of one key of the frontmatter that both sides changed. Invariants: the sides are interchangeable; what
// would put an item in force, let it last longer or show it to others than one side wanted is never decided here.
import type { FrontmatterValue } from '../frontmatter-yaml.ts';
import { lesser, mergeSets } from './three-way.ts';

/** The values of one key; `empty` where it is absent. */
export interface KeyValues {
  readonly base: FrontmatterValue;
  readonly ours: FrontmatterValue;
  readonly theirs: FrontmatterValue;
}

export type KeyDecision =
  | { readonly take: 'ours' | 'theirs' }
  /** A new value, made of both. */
  | { readonly write: string | readonly string[] }
  | { readonly take: 'neither'; readonly reason: string };

type KeyRule = (key: string, values: KeyValues) => KeyDecision;

/** The rule of a key that both sides changed, to values that differ. */
export function decideKey(key: string, values: KeyValues): KeyDecision {
  return (RULES.get(key) ?? mergeForeign)(key, values);
}

/** Shape and content, not the way it is written. */
export function sameValue(a: FrontmatterValue, b: FrontmatterValue): boolean {
  if (a.shape === 'text' && b.shape === 'text') return a.text === b.text;
  if (a.shape === 'list' && b.shape === 'list') return JSON.stringify(a.texts) === JSON.stringify(b.texts);
  return a.shape === 'empty' && b.shape === 'empty';
}

const disagree: KeyRule = (key) => ({ take: 'neither', reason: `both sides changed \`${key}\`` });

/** Tags, links: what either side added counts, what either took out does not. */
const mergeAsSets: KeyRule = (key, values) => {
  const [base, ours, theirs] = [values.base, values.ours, values.theirs].map((value) => readList(key, value));
  if (!base || !ours || !theirs) return disagree(key, values);
  return { write: oneOrList(mergeSets(base, ours, theirs)) };
};

/** Both sides adopted the file: it was made before the first of them did. */
const takeEarlier: KeyRule = (_, { ours, theirs }) => {
  if (ours.shape !== 'text' || theirs.shape !== 'text') return takePresent(ours);
  const [here, there] = [Date.parse(ours.text), Date.parse(theirs.text)];
  if (here === there || Number.isNaN(here) || Number.isNaN(there)) return takeLesser(ours.text, theirs.text);
  return { take: here < there ? 'ours' : 'theirs' };
};

/** `hand` says only that nobody else is known. */
const takeKnownSource: KeyRule = (_, { ours, theirs }) => {
  if (ours.shape !== 'text' || theirs.shape !== 'text') return takePresent(ours);
  if (ours.text === 'hand' || theirs.text === 'hand') return { take: ours.text === 'hand' ? 'theirs' : 'ours' };
  return takeLesser(ours.text, theirs.text);
};

/** What one side holds back stays held back until the user has settled it. */
const takeStricterReview: KeyRule = (_, { ours, theirs }) => {
  const rank = (value: FrontmatterValue) =>
    value.shape === 'text' ? ['unseen', 'waiting'].indexOf(value.text.trim()) : -1;
  return { take: rank(ours) >= rank(theirs) ? 'ours' : 'theirs' };
};

const takeRequest: KeyRule = (_, { ours, theirs }) =>
  ours.shape === 'text' && theirs.shape === 'text' ? takeLesser(ours.text, theirs.text) : takePresent(ours);

/** Keys of the user: two dates (many editors stamp each save) come to the later, lists are sets, a change beats a removal. */
const mergeForeign: KeyRule = (key, values) => {
  const { ours, theirs } = values;
  if (ours.shape === 'empty' || theirs.shape === 'empty') return takePresent(ours);
  if (ours.shape === 'list' && theirs.shape === 'list') return mergeAsSets(key, values);
  if (ours.shape !== 'text' || theirs.shape !== 'text') return disagree(key, values);
  const [here, there] = [readDate(ours.text), readDate(theirs.text)];
  if (here === null || there === null) return disagree(key, values);
  return here === there ? takeLesser(ours.text, theirs.text) : { take: here > there ? 'ours' : 'theirs' };
};

const RULES: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ['id', disagree],
  ['kind', disagree],
  ['space', disagree],
  ['source', takeKnownSource],
  ['created', takeEarlier],
  ['supersedes', mergeAsSets],
  ['conflicts_with', mergeAsSets],
  ['tags', mergeAsSets],
  ['until', disagree],
  ['as_of', disagree],
  ['target', disagree],
  ['origin', disagree],
  ['review', takeStricterReview],
  ['forget_requested_by', takeRequest],
]);

function takePresent(ours: FrontmatterValue): KeyDecision {
  return { take: ours.shape === 'empty' ? 'theirs' : 'ours' };
}

function takeLesser(ours: string, theirs: string): KeyDecision {
  return { take: lesser(ours, theirs) === ours ? 'ours' : 'theirs' };
}

/** The entries of a list key, as `readItemKeys` understands them; null for what is neither text nor list. */
function readList(key: string, value: FrontmatterValue): readonly string[] | null {
  if (value.shape === 'empty') return [];
  if (value.shape === 'list') return value.texts;
  if (value.shape !== 'text') return null;
  const texts = key === 'tags' ? value.text.split(',') : [value.text];
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** One text stands alone, unless reading would split it at its commas. */
function oneOrList(texts: readonly string[]): string | readonly string[] {
  const [first] = texts;
  return texts.length === 1 && first !== undefined && !first.includes(',') ? first : texts;
}

/** Milliseconds of a day or moment as editors write them: `2026-09-15`, `2026-09-15T10:31`, `2026-09-15 10:31:04Z`. */
function readDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text.trim()))
    return null;
  // A moment without a zone is the machine's; taken as UTC, so that every machine decides alike.
  const moment = text.trim().replace(' ', 'T');
  const at = Date.parse(/T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(moment) || !moment.includes('T') ? moment : `${moment}Z`);
  return Number.isNaN(at) ? null : at;
}
