// Merges lists of lines, after Khanna, Kunal and Pierce, "A Formal Investigation of Diff3" (FSTTCS 2007), by node-diff3.
// Invariants: a line that either side wrote is in the result, or there is no result; the sides are interchangeable; the
// work is bounded, whatever the lines.
import { diff3MergeRegions } from 'node-diff3';

/** Beyond so many steps of comparing the texts are not merged: about half a second. */
const MAX_STEPS = 50_000_000;

/** The merged lines, or null where both sides changed the same or neighbouring lines in different ways. */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | null {
  const regions = findRegions(base, ours, theirs);
  if (regions === null) return null;
  const merged: string[] = [];
  for (const region of regions) {
    if (region.settled === null) return null;
    for (const line of region.settled) merged.push(line);
  }
  return merged;
}

/** A stretch of lines: settled, or as each side has it. */
export type LineRegion =
  | { readonly settled: readonly string[] }
  | {
      readonly settled: null;
      readonly base: readonly string[];
      readonly ours: readonly string[];
      readonly theirs: readonly string[];
    };

/** The texts in stretches, in order; null where they are too much to compare. */
export function findRegions(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly LineRegion[] | null {
  const sides = [base, ours, theirs];
  const head = countCommon(sides, (lines, at) => lines[at]);
  const rest = sides.map((lines) => lines.slice(head));
  const tail = countCommon(rest, (lines, at) => lines[lines.length - 1 - at]);
  const [b = [], o = [], t = []] = rest.map((lines) => lines.slice(0, lines.length - tail));
  if (countSteps(b, o) + countSteps(b, t) > MAX_STEPS) return null;
  const middle = diff3MergeRegions(o, b, t).map((region): LineRegion => {
    if (region.stable) return { settled: region.bufferContent };
    const { aContent, oContent, bContent } = region;
    const isSame = aContent.length === bContent.length && aContent.every((line, at) => line === bContent[at]);
    return isSame ? { settled: aContent } : { settled: null, base: oContent, ours: aContent, theirs: bContent };
  });
  return [{ settled: base.slice(0, head) }, ...middle, { settled: base.slice(base.length - tail) }];
}

function countCommon(
  sides: ReadonlyArray<readonly string[]>,
  at: (lines: readonly string[], index: number) => string | undefined,
): number {
  const shortest = Math.min(...sides.map((lines) => lines.length));
  const [first = []] = sides;
  for (let index = 0; index < shortest; index++) {
    const line = at(first, index);
    if (sides.some((lines) => at(lines, index) !== line)) return index;
  }
  return shortest;
}

/** What the algorithm of Hunt and McIlroy does at most: a step for each pair of equal lines, and one for each candidate. */
function countSteps(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of b) counts.set(line, (counts.get(line) ?? 0) + 1);
  const pairs = a.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
  return pairs + a.length * Math.min(a.length, b.length);
}
