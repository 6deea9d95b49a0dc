// Merges two versions of an item's file: frontmatter by key, body by line. Invariants: no marker is ever written; what
// comes out is an item if both versions are, and holds every line that either side wrote; where that cannot be, both
// versions are kept apart; ours and theirs are interchangeable.
import { Buffer } from 'node:buffer';

import { decodeText } from '../file-text.ts';
import { editFrontmatter, readFrontmatter } from '../frontmatter.ts';
import { parseItemFile } from '../item-file.ts';
import { placeOf } from '../item-path.ts';
import { PERSONAL_KEY } from '../space-key.ts';
import { withoutLoneCr } from '../text-lines.ts';
import { putTogether, takeApart } from './frontmatter-pieces.ts';
import { mergeFrontmatter } from './merge-frontmatter.ts';
import { sameValue } from './merge-keys.ts';
import { levelTexts, mergeLevelText } from './merge-text.ts';

export interface ItemFileVersions {
  /** The last version that both sides had; null where each made the file. */
  readonly base: Uint8Array | null;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
  /** Where the merged file goes. */
  readonly path: string;
}

export type ItemFileMerge =
  | { readonly outcome: 'merged'; readonly bytes: Uint8Array }
  | {
      readonly outcome: 'both';
      /** The version that stays the item; the same one whichever side is ours. */
      readonly first: Uint8Array;
      readonly second: Uint8Array;
      /** What could not be merged, as clauses: "both sides changed `until`". */
      readonly reasons: readonly string[];
    };

export function mergeItemFiles(versions: ItemFileVersions): ItemFileMerge {
  const { base, ours, theirs, path } = versions;
  if (sameBytes(ours, theirs) || (base !== null && sameBytes(base, theirs))) return { outcome: 'merged', bytes: ours };
  if (base !== null && sameBytes(base, ours)) return { outcome: 'merged', bytes: theirs };
  const merged = mergeTexts(versions);
  const areItems = [ours, theirs].map((bytes) => isItem(path, bytes));
  if (typeof merged === 'string') {
    const bytes = Buffer.from(merged, 'utf8');
    if (isItem(path, bytes) || areItems.includes(false)) return { outcome: 'merged', bytes };
  }
  const reasons = Array.isArray(merged) ? merged : [NO_ITEM];
  // A version that is no item cannot stand for the item.
  const oursFirst = areItems[0] === areItems[1] ? Buffer.compare(ours, theirs) < 0 : areItems[0] === true;
  return oursFirst
    ? { outcome: 'both', first: ours, second: theirs, reasons }
    : { outcome: 'both', first: theirs, second: ours, reasons };
}

export const SAME_LINES = 'both sides changed the same lines';
const NO_ITEM = 'put together the two versions are no item';
const NO_TEXT = 'one version cannot be read as text';
const NO_KEYS = 'the frontmatter has a form that cannot be taken apart by lines';

/** The merged text, or why there is none. */
function mergeTexts({ base, ours, theirs, path }: ItemFileVersions): string | readonly string[] {
  const texts = [base ?? ours, ours, theirs].flatMap((bytes) => {
    const text = decodeText(bytes);
    return text.ok ? [withoutLoneCr(text.value)] : [];
  });
  const [b, o, t] = texts;
  if (b === undefined || o === undefined || t === undefined) return [NO_TEXT];
  const level = levelTexts(base === null ? null : b, o, t);
  const before = level.base === null ? null : takeApart(level.base);
  const [here, there] = [takeApart(level.ours), takeApart(level.theirs)];
  if (here === 'entangled' || there === 'entangled' || before === 'entangled') return [NO_KEYS];
  if (here === 'broken' || there === 'broken' || before === 'broken') {
    // Nothing is known of the keys, so the lines decide.
    const whole = mergeLevelText(level.base, level.ours, level.theirs);
    return whole === null ? [NO_KEYS] : level.restore(whole);
  }
  const space = placeOf(path)?.space ?? PERSONAL_KEY;
  const keys = mergeFrontmatter(before, here, there, space);
  const body = mergeLevelText(before?.body ?? null, here.body, there.body);
  const reasons = [...keys.reasons, ...(body === null ? [SAME_LINES] : [])];
  if (!keys.ok || body === null) return reasons;
  const text = putTogether({ ...keys.pieces, body });
  const edited =
    Object.keys(keys.writes).length === 0 ? { ok: true as const, value: text } : editFrontmatter(text, keys.writes);
  if (!edited.ok || !holdsKeys(edited.value, keys)) return [NO_KEYS];
  return level.restore(edited.value);
}

/** Whether the merged text reads as what was decided: pieces of two files may mean something else together. */
function holdsKeys(
  text: string,
  { pieces, writes }: Extract<ReturnType<typeof mergeFrontmatter>, { ok: true }>,
): boolean {
  const read = readFrontmatter(text);
  if (!read.ok) return false;
  const { keys } = read.value;
  const isWritten = (key: string): boolean => Object.hasOwn(writes, key);
  return (
    pieces.keys.every(({ key, value }) => isWritten(key) || sameShape(keys.get(key)?.value, value)) &&
    [...keys.keys()].every((key) => pieces.keys.some((piece) => piece.key === key))
  );
}

function sameShape(a: Parameters<typeof sameValue>[0] | undefined, b: Parameters<typeof sameValue>[0]): boolean {
  return a !== undefined && (a.shape === 'other' ? b.shape === 'other' : sameValue(a, b));
}

function isItem(path: string, bytes: Uint8Array): boolean {
  return parseItemFile({ path, bytes, modified: new Date(0) }).ok;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}
