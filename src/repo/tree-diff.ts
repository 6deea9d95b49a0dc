// What differs between two trees. Folders that are the same are not entered, so the cost follows the change.

import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import { FOLDER_MODE, fromByteString, parseTree, type TreeEntry } from './tree.ts';
import type { TreeFile } from './tree-store.ts';

export interface TreeDifference {
  readonly path: string;
  readonly before: TreeFile | null;
  readonly after: TreeFile | null;
}

/** Files that one of the trees has and the other has not, or has otherwise; sorted by path. Null is an empty tree. */
export async function diffTrees(
  store: ObjectStore,
  before: ObjectId | null,
  after: ObjectId | null,
): Promise<readonly TreeDifference[]> {
  const differences: TreeDifference[] = [];
  await compare(store, before, after, '', differences);
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function compare(
  store: ObjectStore,
  before: ObjectId | null,
  after: ObjectId | null,
  prefix: string,
  differences: TreeDifference[],
): Promise<void> {
  if (before === after) return;
  const [old, young] = [await entriesOf(store, before), await entriesOf(store, after)];
  for (const name of new Set([...old.keys(), ...young.keys()])) {
    const [was, is] = [old.get(name), young.get(name)];
    if (was?.id === is?.id && was?.mode === is?.mode) continue;
    const path = prefix + fromByteString(name);
    const [fileBefore, fileAfter] = [asFile(was), asFile(is)];
    if (fileBefore !== null || fileAfter !== null) differences.push({ path, before: fileBefore, after: fileAfter });
    const [folderBefore, folderAfter] = [asFolder(was), asFolder(is)];
    await compare(store, folderBefore, folderAfter, `${path}/`, differences);
  }
}

async function entriesOf(store: ObjectStore, tree: ObjectId | null): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = tree === null ? [] : parseTree(await store.read(tree, 'tree'));
  return new Map(entries.map((entry) => [entry.name, entry]));
}

function asFile(entry: TreeEntry | undefined): TreeFile | null {
  return entry === undefined || entry.mode === FOLDER_MODE ? null : { mode: entry.mode, id: entry.id };
}

function asFolder(entry: TreeEntry | undefined): ObjectId | null {
  return entry?.mode === FOLDER_MODE ? entry.id : null;
}
