// Which files of the three sides are one item. Invariant: an item is followed by its id, wherever its file went.
import type { Spaces } from '../spaces-file.ts';
import { readItemVersions, type ItemVersion } from './item-versions.ts';
import { isRegular, type FileVersion, type MemoryVersions } from './memory-versions.ts';

export interface Entity {
  readonly base: ItemVersion | null;
  readonly ours: ItemVersion | null;
  readonly theirs: ItemVersion | null;
}

/** The items that differ, in an order that does not depend on the side. */
export function pairItems(versions: MemoryVersions, spaces: Spaces): readonly Entity[] {
  const sides = [versions.base, versions.ours, versions.theirs];
  // A link in the place of an item is no version of it: the whole path is left to the merge of other files.
  const isLink = (path: string): boolean => sides.some((files) => !isRegular(files.get(path) ?? REGULAR));
  const filesOf = (files: ReadonlyMap<string, FileVersion>) => new Map([...files].filter(([path]) => !isLink(path)));
  const base = readItemVersions(filesOf(versions.base), new Map(), spaces);
  const byPath = new Map(base.map((file) => [file.path, file]));
  const [b, o, t] = [
    keysOf(base, byPath),
    keysOf(readItemVersions(filesOf(versions.ours), byPath, spaces), byPath),
    keysOf(readItemVersions(filesOf(versions.theirs), byPath, spaces), byPath),
  ];
  return [...new Set([...b.keys(), ...o.keys(), ...t.keys()])].sort().map((key) => ({
    base: b.get(key) ?? null,
    ours: o.get(key) ?? null,
    theirs: t.get(key) ?? null,
  }));
}

const REGULAR = { mode: '100644' } as const;

/**
 * The files of one side by what identifies them. A second file with one id (a copy) is known by id and path, so that it is
 * the same copy on both sides; a broken file by its path.
 */
function keysOf(
  files: readonly ItemVersion[],
  base: ReadonlyMap<string, ItemVersion>,
): ReadonlyMap<string, ItemVersion> {
  const byId = new Map<string | null, ItemVersion[]>();
  for (const file of files) byId.set(file.id, [...(byId.get(file.id) ?? []), file]);
  const keyed = new Map<string, ItemVersion>();
  for (const [id, same] of byId) {
    const [first, ...copies] = id === null ? [undefined, ...same] : same.toSorted(compareOriginals(base));
    if (id !== null && first !== undefined) keyed.set(id, first);
    for (const copy of copies) if (copy !== undefined) keyed.set(`${id ?? ''}#${copy.path}`, copy);
  }
  return keyed;
}

/** The file that was the item before comes first, then as the item table chooses: the older, then the first by path. */
function compareOriginals(base: ReadonlyMap<string, ItemVersion>) {
  const isOriginal = ({ path, id }: ItemVersion): boolean => base.get(path)?.id === id;
  const created = ({ item }: ItemVersion): string => item?.created ?? '\uffff';
  return (a: ItemVersion, b: ItemVersion): number => {
    if (isOriginal(a) !== isOriginal(b)) return isOriginal(a) ? -1 : 1;
    if (created(a) !== created(b)) return created(a) < created(b) ? -1 : 1;
    return a.path < b.path ? -1 : 1;
  };
}
