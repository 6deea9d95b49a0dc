// What a `git commit` in a terminal undid because it had read the index a moment too early: entries that a commit of
// stet's held and HEAD no longer has, and such as it took away and HEAD has again. Invariant: what the user took out of the
// branch (`git reset`, `git revert`, an amended commit) or deleted from the disk stays out, and what is on the disk stays in.
import { parseCommit } from './commit-object.ts';
import type { CommitRecord } from './change-journal.ts';
import type { CommitRequest } from './commit-writer.ts';
import { makeObject, type ObjectId } from './git-object.ts';
import { splitMessage } from './history.ts';
import type { CleanFile } from './index-file.ts';
import type { FileSystem } from './file-system.ts';
import type { ObjectStore } from './object-store.ts';
import { findInTree, TreeReader } from './tree-store.ts';
import { WorkingFiles } from './working-file.ts';

export interface ReconcileParts {
  readonly fs: FileSystem;
  readonly root: string;
  readonly store: ObjectStore;
  readonly clean: CleanFile;
}

/** Only so many of the last commits are looked at: the race is one of milliseconds. */
const RECORDS = 200;
const MAX_WALK = 2_000;

export class Reconciler {
  readonly #parts: ReconcileParts;
  #settled: ObjectId | null = null;

  constructor(parts: ReconcileParts) {
    this.#parts = parts;
  }

  /** HEAD is a commit of stet's own, or nothing is missing from it. */
  settle(head: ObjectId): void {
    this.#settled = head;
  }

  /** The commits to make again, each with the words of its first making. `records`: stet's commits, oldest first. */
  async findDropped(head: ObjectId, records: () => Promise<readonly CommitRecord[]>): Promise<CommitRequest[]> {
    if (head === this.#settled) return [];
    const recent = (await records()).slice(-RECORDS);
    if (recent.at(-1)?.commit === head) return [];
    const suspects = await findSuspects(this.#parts, head, recent);
    if (suspects.length === 0) return [];
    const { store } = this.#parts;
    const ancestors = await walkBack(store, head, new Set(suspects.map(({ commit }) => commit)));
    const requests: CommitRequest[] = [];
    for (const [commit, dropped] of groupByCommit(suspects.filter(({ commit }) => ancestors.has(commit)))) {
      requests.push(await makeRequest(store, commit, dropped));
    }
    return requests;
  }
}

interface Suspect {
  readonly commit: ObjectId;
  readonly path: string;
  /** What stet's commit put there; null where it removed. */
  readonly blob: ObjectId | null;
  /** The file on disk is another by now: its edit is not part of what is made again. */
  readonly isEdited: boolean;
}

async function findSuspects(
  parts: ReconcileParts,
  head: ObjectId,
  records: readonly CommitRecord[],
): Promise<Suspect[]> {
  const { store, fs, root, clean } = parts;
  const latest = new Map<string, { commit: ObjectId; blob: ObjectId | null }>();
  for (const { commit, files } of records) {
    for (const [path, blob] of Object.entries(files)) latest.set(path, { commit, blob });
  }
  const { tree } = parseCommit(await store.read(head, 'commit'));
  const reader = new TreeReader(store);
  const working = new WorkingFiles(fs, root, true);
  const suspects: Suspect[] = [];
  for (const [path, { commit, blob }] of latest) {
    const now = (await reader.find(tree, path))?.id ?? null;
    if (now === blob) continue;
    const file = await working.read(path);
    if (file.kind !== (blob === null ? 'gone' : 'file')) continue;
    if (blob === null && !(await isWhole(working, commit, latest))) continue;
    const isEdited = file.kind === 'file' && makeObject('blob', await clean(path, file.bytes)).id !== blob;
    // An old version that came back is the race only if it is exactly what stet's commit had replaced.
    if (now !== null && (isEdited || now !== (await blobBefore(store, commit, path)))) continue;
    suspects.push({ commit, path, blob, isEdited });
  }
  return suspects;
}

/**
 * Whether all that a commit of stet's wrote is there still, but for what a later one took away. Where some of it is gone, the
 * user has turned the commit back: without its tombstone, what it took away may be deleted, but is not forgotten.
 */
async function isWhole(
  working: WorkingFiles,
  commit: ObjectId,
  latest: ReadonlyMap<string, { readonly commit: ObjectId; readonly blob: ObjectId | null }>,
): Promise<boolean> {
  for (const [path, last] of latest) {
    if (last.commit !== commit || last.blob === null) continue;
    if ((await working.read(path)).kind === 'gone') return false;
  }
  return true;
}

async function blobBefore(store: ObjectStore, commit: ObjectId, path: string): Promise<ObjectId | null> {
  const object = await store.find(commit);
  const parent = object?.type === 'commit' ? parseCommit(object.bytes).parents[0] : undefined;
  if (parent === undefined) return null;
  const { tree } = parseCommit(await store.read(parent, 'commit'));
  return (await findInTree(store, tree, path))?.id ?? null;
}

/** Those of `wanted` that HEAD descends from. */
async function walkBack(store: ObjectStore, head: ObjectId, wanted: ReadonlySet<ObjectId>): Promise<Set<ObjectId>> {
  const found = new Set<ObjectId>();
  const seen = new Set([head]);
  for (const id of seen) {
    if (wanted.has(id)) found.add(id);
    if (found.size === wanted.size || seen.size > MAX_WALK) break;
    const object = await store.find(id);
    if (object?.type === 'commit') for (const parent of parseCommit(object.bytes).parents) seen.add(parent);
  }
  return found;
}

function groupByCommit(suspects: readonly Suspect[]): Map<ObjectId, Suspect[]> {
  const groups = new Map<ObjectId, Suspect[]>();
  for (const suspect of suspects) groups.set(suspect.commit, [...(groups.get(suspect.commit) ?? []), suspect]);
  return groups;
}

async function makeRequest(store: ObjectStore, commit: ObjectId, dropped: readonly Suspect[]): Promise<CommitRequest> {
  const { message, author } = parseCommit(await store.read(commit, 'commit'));
  const { subject, trailers } = splitMessage(message);
  const paths = dropped.map(({ path }) => path);
  return {
    paths,
    written: new Set(paths),
    recorded: new Map(dropped.flatMap(({ path, blob, isEdited }) => (isEdited && blob !== null ? [[path, blob]] : []))),
    message: { subject, trailers: [...trailers, ['Stet-Again', commit]], author },
  };
}
