// What the merges of the memory's own YAML files have in common: three texts, and an order of attempts. First the sides that
// changed nothing, then the lines, whose result counts only if it says what was decided; then a rewriting of one side.
import { mergeText } from './merge-text.ts';
import { lesser, whoChanged } from './three-way.ts';

/** The text of a file on each side; null where there is none. */
export interface TextVersions {
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** The version where one side alone changed, or both to the same; `undefined` where both changed. */
export function takeOneSide({ base, ours, theirs }: TextVersions): string | null | undefined {
  const change = whoChanged(base, ours, theirs);
  if (change === 'both') return undefined;
  return change === 'theirs' ? theirs : ours;
}

/**
 * One text of both sides that says `wanted`, with the comments of both where the lines merge, else rewritten from one
 * side. The sides are interchangeable.
 */
export function writeMerged(
  { base, ours, theirs }: { readonly base: string | null; readonly ours: string; readonly theirs: string },
  says: (text: string) => boolean,
  rewrite: (text: string) => string,
): string {
  const merged = mergeText(base, ours, theirs);
  return merged !== null && says(merged) ? merged : rewrite(lesser(ours, theirs));
}
