// Merges the keys of three versions of a file. Invariants: a key that one side left alone is as the other has it, byte for
// byte, comments included; the sides are interchangeable.
import type { FrontmatterChanges } from '../frontmatter.ts';
import type { FrontmatterValue } from '../frontmatter-yaml.ts';
import { sameSpaceName } from '../space-name.ts';
import type { KeyPiece, TextPieces } from './frontmatter-pieces.ts';
import { decideKey, sameValue } from './merge-keys.ts';
import { mergeLevelText } from './merge-text.ts';
import { lesser, threeWay, whoChanged } from './three-way.ts';

export type FrontmatterMerge =
  | {
      readonly ok: true;
      /** The merged frontmatter; its body is to be put in. */
      readonly pieces: Omit<TextPieces, 'body'>;
      /** Keys whose values are made of both sides: to be written over those of the pieces. */
      readonly writes: FrontmatterChanges;
      readonly reasons: readonly [];
    }
  | { readonly ok: false; readonly reasons: readonly string[] };

/**
 * `space`: what the key of that name must say where the sides disagree about it (the folder decides). A side that lost
 * its whole frontmatter, which editors with an old buffer do, counts as having left it alone.
 */
export function mergeFrontmatter(
  base: TextPieces | null,
  ours: TextPieces,
  theirs: TextPieces,
  space: string,
): FrontmatterMerge {
  const [o, t] = [ours, theirs].map((side) => (side.open === '' && base !== null ? { ...base, body: '' } : side)) as [
    TextPieces,
    TextPieces,
  ];
  const reasons: string[] = [];
  const writes = new Map<string, string | readonly string[] | null>();
  const kept = new Map<string, KeyPiece>();
  const order = orderOf(base, o, t);
  for (const key of order) {
    const versions = { base: find(base, key), ours: find(o, key), theirs: find(t, key) };
    const decided = mergeKey(key, versions, space);
    if (decided.reason !== undefined) reasons.push(decided.reason);
    if (decided.piece !== null) kept.set(key, { ...decided.piece, lead: mergeLeads(versions, decided.piece) });
    if (decided.write !== undefined) writes.set(key, decided.write);
  }
  if (reasons.length > 0) return { ok: false, reasons };
  const hasBlock = o.open !== '' || t.open !== '';
  const frame = hasBlock && o.open === '' ? t : !hasBlock || t.open === '' ? o : lesserFrame(o, t);
  return {
    ok: true,
    pieces: {
      open: frame.open,
      keys: order.flatMap((key) => kept.get(key) ?? []),
      tail: mergeComments(base?.tail ?? '', o.tail, t.tail),
      close: frame.close,
    },
    writes: Object.fromEntries(writes),
    reasons: [],
  };
}

interface KeyVersions {
  readonly base: KeyPiece | undefined;
  readonly ours: KeyPiece | undefined;
  readonly theirs: KeyPiece | undefined;
}

interface DecidedKey {
  /** Where the lines come from; null where the key goes. */
  readonly piece: KeyPiece | null;
  readonly write?: string | readonly string[] | null;
  readonly reason?: string;
}

const ABSENT: FrontmatterValue = { shape: 'empty' };

function mergeKey(key: string, { base, ours, theirs }: KeyVersions, space: string): DecidedKey {
  const values = { base: valueOf(base), ours: valueOf(ours), theirs: valueOf(theirs) };
  switch (whoChanged(base, ours, theirs, samePiece)) {
    case 'neither':
    case 'ours':
      return { piece: samePiece(ours, theirs) ? lesserPiece(base, ours, theirs) : (ours ?? null) };
    case 'theirs':
      return { piece: theirs ?? null };
    case 'both': {
      if (key === 'space') return settleSpace(values, { ours, theirs }, space);
      const decision = decideKey(key, values);
      if ('write' in decision) {
        const piece = lesserPiece(undefined, ours, theirs);
        const isNothing = typeof decision.write !== 'string' && decision.write.length === 0;
        return { piece, write: isNothing ? null : decision.write };
      }
      if (decision.take === 'neither') return mergeKeyLines(key, { base, ours, theirs }, decision.reason);
      return { piece: (decision.take === 'ours' ? ours : theirs) ?? null };
    }
  }
}

/** A mapping or another form of the user's own may still merge line by line. */
function mergeKeyLines(key: string, { base, ours, theirs }: KeyVersions, reason: string): DecidedKey {
  const isOther = [base, ours, theirs].every((piece) => piece?.value.shape === 'other');
  const text = isOther ? mergeLevelText(base?.text ?? '', ours?.text ?? '', theirs?.text ?? '') : null;
  if (text === null || ours === undefined) return { piece: null, reason };
  return { piece: { ...ours, key, text } };
}

function settleSpace(
  values: { readonly ours: FrontmatterValue; readonly theirs: FrontmatterValue },
  pieces: { readonly ours: KeyPiece | undefined; readonly theirs: KeyPiece | undefined },
  space: string,
): DecidedKey {
  const says = (value: FrontmatterValue) => value.shape === 'text' && sameSpaceName(value.text.trim(), space);
  if (says(values.ours)) return { piece: pieces.ours ?? null };
  if (says(values.theirs)) return { piece: pieces.theirs ?? null };
  // A missing key means the folder's.
  if (values.ours.shape === 'empty' || values.theirs.shape === 'empty') return { piece: null };
  return { piece: null, reason: 'both sides changed `space`' };
}

function find(pieces: TextPieces | null, key: string): KeyPiece | undefined {
  return pieces?.keys.find((piece) => piece.key === key);
}

function valueOf(piece: KeyPiece | undefined): FrontmatterValue {
  return piece?.value ?? ABSENT;
}

/** Whether two versions of a key say the same, be it in other words: quotes, blanks and comments aside. */
function samePiece(a: KeyPiece | undefined, b: KeyPiece | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.value.shape === 'other' || b.value.shape === 'other') return a.text === b.text;
  return sameValue(a.value, b.value);
}

/** Of versions that say the same: the one that somebody rewrote, else either. */
function lesserPiece(
  base: KeyPiece | undefined,
  ours: KeyPiece | undefined,
  theirs: KeyPiece | undefined,
): KeyPiece | null {
  if (ours === undefined || theirs === undefined) return ours ?? theirs ?? null;
  const text = threeWay(base?.text ?? '', ours.text, theirs.text, lesser);
  return text === ours.text ? ours : theirs;
}

function mergeLeads({ base, ours, theirs }: KeyVersions, piece: KeyPiece): string {
  if (ours === undefined || theirs === undefined) return piece.lead;
  return mergeComments(base?.lead ?? '', ours.lead, theirs.lead);
}

/** Comments mean nothing to stet: where both sides wrote some, both stay. */
function mergeComments(base: string, ours: string, theirs: string): string {
  const merged = mergeLevelText(base, ours, theirs);
  if (merged !== null) return merged;
  const first = lesser(ours, theirs);
  return first + (first === ours ? theirs : ours);
}

/** The opening and closing lines may carry blanks; whose, does not matter. */
function lesserFrame(ours: TextPieces, theirs: TextPieces): TextPieces {
  return lesser(ours.open + ours.close, theirs.open + theirs.close) === ours.open + ours.close ? ours : theirs;
}

/** The keys of both sides: in the order of the side that changed it, the other's additions behind what they followed. */
function orderOf(base: TextPieces | null, ours: TextPieces, theirs: TextPieces): readonly string[] {
  const [b, o, t] = [base?.keys ?? [], ours.keys, theirs.keys].map((keys) => keys.map(({ key }) => key)) as [
    string[],
    string[],
    string[],
  ];
  const known = (keys: readonly string[]) =>
    keys.filter((key) => b.includes(key) && o.includes(key) && t.includes(key));
  const asText = (keys: readonly string[]) => keys.join('\n');
  const change = whoChanged(asText(known(b)), asText(known(o)), asText(known(t)));
  const oursLeads =
    change === 'neither' || change === 'both' ? lesser(asText(o), asText(t)) === asText(o) : change === 'ours';
  const order = oursLeads ? [...o] : [...t];
  let before: string | undefined;
  for (const key of oursLeads ? t : o) {
    if (!order.includes(key)) order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
    before = key;
  }
  return order;
}
