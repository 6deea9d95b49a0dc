// Folders of files as git sees them: look-ups in a commit's tree, and new trees made by changing paths of an old one.
// Invariant: every path that is not named keeps its entry, whatever it is (links, submodules, executables).
import { makeObject, type GitObject, type ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import {
  findTreeEntry,
  FOLDER_MODE,
  fromByteString,
  parseTree,
  printTree,
  toByteString,
  type TreeEntry,
} from './tree.ts';

/** A file of a tree. */
export interface TreeFile {
  readonly mode: string;
  readonly id: ObjectId;
}

export interface PatchedTree {
  /** The root. */
  readonly id: ObjectId;
  /** The trees that are new, the root among them. */
  readonly objects: readonly GitObject[];
}

/** The file, link or submodule at a path of a tree; null when there is none, or a folder. */
export function findInTree(store: ObjectStore, root: ObjectId | null, path: string): Promise<TreeFile | null> {
  return find(root, path, async (tree, name) => findTreeEntry(await store.read(tree, 'tree'), name));
}

/** Many look-ups in trees, each parsed once: for one piece of work, as it keeps what it has parsed. */
export class TreeReader {
  readonly #store: ObjectStore;
  readonly #parsed = new Map<ObjectId, ReadonlyMap<string, TreeEntry>>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** As {@link findInTree}. */
  find(root: ObjectId | null, path: string): Promise<TreeFile | null> {
    return find(root, path, async (tree, name) => (await this.#entriesOf(tree)).get(name) ?? null);
  }

  async #entriesOf(tree: ObjectId): Promise<ReadonlyMap<string, TreeEntry>> {
    const known = this.#parsed.get(tree);
    if (known !== undefined) return known;
    const entries = new Map(parseTree(await this.#store.read(tree, 'tree')).map((entry) => [entry.name, entry]));
    this.#parsed.set(tree, entries);
    return entries;
  }
}

async function find(
  root: ObjectId | null,
  path: string,
  look: (tree: ObjectId, name: string) => Promise<TreeEntry | null>,
): Promise<TreeFile | null> {
  const parts = toByteString(path).split('/');
  let tree = root;
  for (const [depth, part] of parts.entries()) {
    const entry = tree === null ? null : await look(tree, part);
    if (entry === null) return null;
    const isFolder = entry.mode === FOLDER_MODE;
    if (depth === parts.length - 1) return isFolder ? null : { mode: entry.mode, id: entry.id };
    tree = isFolder ? entry.id : null;
  }
  return null;
}

/** Every file below the root, by path. */
export async function listTree(store: ObjectStore, root: ObjectId | null): Promise<Map<string, TreeFile>> {
  const files = new Map<string, TreeFile>();
  if (root !== null) await collect(store, root, '', files);
  return files;
}

async function collect(store: ObjectStore, tree: ObjectId, prefix: string, files: Map<string, TreeFile>) {
  for (const { mode, name, id } of parseTree(await store.read(tree, 'tree'))) {
    const path = prefix + fromByteString(name);
    if (mode === FOLDER_MODE) await collect(store, id, `${path}/`, files);
    else files.set(path, { mode, id });
  }
}

/** The tree that differs from `root` in exactly these paths; null removes. Nothing is written. */
export async function patchTree(
  store: Pick<ObjectStore, 'read'>,
  root: ObjectId | null,
  changes: ReadonlyMap<string, TreeFile | null>,
): Promise<PatchedTree> {
  const byParts = [...changes].map(([path, file]) => ({ parts: toByteString(path).split('/'), file }));
  const objects: GitObject[] = [];
  const id = await patchFolder(store, root, byParts, objects);
  if (id !== null) return { id, objects };
  const empty = makeObject('tree', Buffer.alloc(0));
  return { id: empty.id, objects: [...objects, empty] };
}

interface Change {
  readonly parts: readonly string[];
  readonly file: TreeFile | null;
}

/** The new id of a folder, or null when nothing is left in it: git knows no empty folders. */
async function patchFolder(
  store: Pick<ObjectStore, 'read'>,
  tree: ObjectId | null,
  changes: readonly Change[],
  objects: GitObject[],
): Promise<ObjectId | null> {
  const before = tree === null ? [] : parseTree(await store.read(tree, 'tree'));
  const entries = new Map(before.map((entry) => [entry.name, entry]));
  const deeper = new Map<string, Change[]>();
  for (const { parts, file } of changes) {
    const [name = '', ...rest] = parts;
    if (rest.length > 0) {
      const below = deeper.get(name) ?? [];
      below.push({ parts: rest, file });
      deeper.set(name, below);
    } else if (file === null) removeFileEntry(entries, name);
    else entries.set(name, { mode: file.mode, name, id: file.id });
  }
  for (const [name, below] of deeper) {
    const old = entries.get(name);
    const isFolder = old?.mode === FOLDER_MODE;
    // Removing what lies below a file changes nothing; the file stays.
    if (old !== undefined && !isFolder && below.every(({ file }) => file === null)) continue;
    const id = await patchFolder(store, isFolder ? old.id : null, below, objects);
    if (id === null) entries.delete(name);
    else entries.set(name, { mode: FOLDER_MODE, name, id });
  }
  if (entries.size === 0) return null;
  return keepOrMake(tree, [...entries.values()], objects);
}

function removeFileEntry(entries: Map<string, TreeEntry>, name: string): void {
  if (entries.get(name)?.mode !== FOLDER_MODE) entries.delete(name);
}

function keepOrMake(tree: ObjectId | null, entries: readonly TreeEntry[], objects: GitObject[]): ObjectId {
  const object = makeObject('tree', printTree(entries));
  if (object.id !== tree) objects.push(object);
  return object.id;
}
