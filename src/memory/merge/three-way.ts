// The one question that every merge asks first: which side changed this since the common ancestor?

/** `both`: changed on both sides, and not to the same. */
export type Change = 'neither' | 'ours' | 'theirs' | 'both';

/** Sides that came to the same count as `ours`: taking either is right. */
export function whoChanged<T>(base: T, ours: T, theirs: T, same: (a: T, b: T) => boolean = Object.is): Change {
  if (same(base, ours)) return same(base, theirs) ? 'neither' : 'theirs';
  if (same(base, theirs) || same(ours, theirs)) return 'ours';
  return 'both';
}

/** The value that the sides agree on; where both changed it, `settle` decides. */
export function threeWay<T>(base: T, ours: T, theirs: T, settle: (ours: T, theirs: T) => T): T {
  const change = whoChanged(base, ours, theirs);
  if (change === 'both') return settle(ours, theirs);
  return change === 'theirs' ? theirs : ours;
}

/** The same one of two texts whichever comes first, where nothing else tells them apart. */
export function lesser(a: string, b: string): string {
  return a < b ? a : b;
}

/**
 * A set changed on two sides: what either added is in it, what either removed is not. Kept entries come in the order
 * of the base, new ones sorted behind, so that both sides get the same list.
 */
export function mergeSets(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const [before, here, there] = [new Set(base), new Set(ours), new Set(theirs)];
  const kept = [...before].filter((entry) => here.has(entry) && there.has(entry));
  const added = [...new Set([...here, ...there])].filter((entry) => !before.has(entry));
  return [...kept, ...added.sort()];
}
