// Puts the result of a merge into the working tree, and takes it back. Invariants: a file that somebody has changed, staged or
// made is never overwritten nor removed; what is written is durable; doing it again, or half of it again, changes nothing.
import fs from 'node:fs';
import { join } from 'node:path';
import { readBlobs } from './bulk-read.ts';
import type { MergeResult } from './commit-writer.ts';
import { parseCommit } from './commit-object.ts';
import type { FileSystem } from './file-system.ts';
import { findEntry, isIntentToAdd, readEntry, type GitIndex } from './git-index.ts';
import { makeObject } from './git-object.ts';
import type { CleanFile } from './index-file.ts';
import {
  foldersOf,
  LINK,
  lookAt,
  readLink,
  removeMergedFile,
  SUBMODULE,
  writeMergedFile,
  type Place,
} from './merged-file.ts';
import type { ObjectStore } from './object-store.ts';
import type { MergeObstacle } from './repository.ts';
import type { RepositorySettings } from './repository-settings.ts';
import { TreeReader, type TreeFile } from './tree-store.ts';
import { WorkingFiles } from './working-file.ts';

export interface WorkingMergeParts {
  readonly fs: FileSystem;
  readonly root: string;
  readonly store: ObjectStore;
  readonly clean: CleanFile;
  readonly settings: RepositorySettings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What is to be done, by ids of blobs that are in the store. */
export interface WorkingMergePlan extends Pick<MergeResult, 'head' | 'files'> {
  /** Paths that leave the history, while their files stay where they are. */
  readonly historyOnly: ReadonlySet<string>;
}

/** A file that the merge would have to overwrite or remove, and may not. */
export type Obstacle = MergeObstacle;

/** An obstacle that came up while files were written. */
export class ObstacleError extends Error {
  readonly obstacle: Obstacle;
  constructor(obstacle: Obstacle) {
    super(`${obstacle.path}: ${obstacle.why}`);
    this.name = 'ObstacleError';
    this.obstacle = obstacle;
  }
}

/** So many files at once: each waits for the disk. */
const PARALLEL = 16;

export class WorkingMerge {
  readonly #parts: WorkingMergeParts;
  readonly #plan: WorkingMergePlan;
  readonly #before = new Map<string, TreeFile | null>();

  private constructor(parts: WorkingMergeParts, plan: WorkingMergePlan) {
    this.#parts = parts;
    this.#plan = plan;
  }

  static async open(parts: WorkingMergeParts, plan: WorkingMergePlan): Promise<WorkingMerge> {
    const merge = new WorkingMerge(parts, plan);
    const { store } = parts;
    const tree = plan.head === null ? null : parseCommit(await store.read(plan.head, 'commit')).tree;
    const reader = new TreeReader(store);
    for (const path of plan.files.keys()) merge.#before.set(path, await reader.find(tree, path));
    return merge;
  }

  /** What forbids the merge now; none means that it can be done. */
  async findObstacles(index: GitIndex): Promise<readonly Obstacle[]> {
    const obstacles: Obstacle[] = [];
    const look = this.#looker();
    for (const [path, after] of this.#plan.files) {
      const before = this.#before.get(path) ?? null;
      const staged = readStaged(index, path);
      if (!isSame(staged, before) && !isSame(staged, after)) obstacles.push({ path, why: 'staged' });
      else if (!this.#plan.historyOnly.has(path)) {
        const why = await this.#findObstacle(path, before, after, look);
        if (why !== null) obstacles.push({ path, why });
      }
    }
    return obstacles;
  }

  /**
   * Writes and removes what differs. The caller has found no obstacle, or leaves what has one. Throws
   * {@link ObstacleError} when there is one now: then a part is done, to be taken back.
   */
  async apply(skip: ReadonlySet<string> = new Set()): Promise<void> {
    const wanted = [...this.#plan.files].filter(([path]) => !skip.has(path) && !this.#plan.historyOnly.has(path));
    await this.#put(new Map(wanted), async (path) => {
      const [before, after] = [this.#before.get(path) ?? null, this.#plan.files.get(path) ?? null];
      const why = await this.#findObstacle(path, before, after, this.#looker());
      if (why !== null) throw new ObstacleError({ path, why });
    });
  }

  /** Puts back what HEAD has, where the file is still as `apply` left it. `head`: the files of HEAD as it is now. */
  async takeBack(head: (path: string) => Promise<TreeFile | null>): Promise<void> {
    const back = new Map<string, TreeFile | null>();
    const look = this.#looker();
    for (const [path, after] of this.#plan.files) {
      if (this.#plan.historyOnly.has(path)) continue;
      const wanted = await head(path);
      const found = await look(path);
      if (!isSame(found === 'other' ? null : found, after) || found === 'other' || isSame(wanted, after)) continue;
      back.set(path, wanted);
    }
    await this.#put(back, () => Promise.resolve());
  }

  async #findObstacle(
    path: string,
    before: TreeFile | null,
    after: TreeFile | null,
    look: Look,
  ): Promise<Obstacle['why'] | null> {
    const found = await look(path);
    if (found === 'other') return 'in the way';
    if (found === null) {
      if (before !== null && after !== null && before.mode !== SUBMODULE) return 'deleted';
      return after !== null && (this.#isBelowFile(path) || this.#isFolderInUse(path)) ? 'in the way' : null;
    }
    if (isSameContent(found, before) || isSameContent(found, after)) return null;
    return before === null ? 'in the way' : 'edited';
  }

  /** Where a folder must be is a file or a link, and it does not go. */
  #isBelowFile(path: string): boolean {
    return foldersOf(path).some((folder) => {
      const there = lookAt(join(this.#parts.root, folder));
      return there !== null && !there.isDirectory() && this.#plan.files.get(folder) !== null;
    });
  }

  /** A folder is where the file is to be, and something stays in it. */
  #isFolderInUse(path: string): boolean {
    const folder = join(this.#parts.root, path);
    if (lookAt(folder)?.isDirectory() !== true) return false;
    const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
    return names.some((entry) => {
      const inside = join(entry.parentPath, entry.name)
        .slice(this.#parts.root.length + 1)
        .replaceAll('\\', '/');
      return !entry.isDirectory() && this.#plan.files.get(inside) !== null;
    });
  }

  /** What git would record at a path now; `other` for what is no file, or lies beyond a link. */
  #looker(): Look {
    const { fs: files, root, clean, settings } = this.#parts;
    const working = new WorkingFiles(files, root, settings.ignoresCase());
    return async (path) => {
      const file = await working.read(path);
      if (file.kind === 'gone') return null;
      if (file.kind === 'file') {
        const id = makeObject('blob', await clean(path, file.bytes)).id;
        return { mode: file.executable ? '100755' : '100644', id };
      }
      const target = readLink(join(root, path));
      return target === null ? 'other' : { mode: LINK, id: makeObject('blob', target).id };
    };
  }

  /** `check` throws where somebody was faster. */
  async #put(wanted: ReadonlyMap<string, TreeFile | null>, check: (path: string) => Promise<void>): Promise<void> {
    const { root, settings } = this.#parts;
    const writes = [...wanted].flatMap(([path, file]) => (file === null ? [] : [{ path, file }]));
    for (const { path } of writes) settings.checkPath(path);
    const removals = [...wanted].flatMap(([path, file]) => (file === null ? [path] : []));
    const folders = new Set<string>();
    const place: Place = { fs: this.#parts.fs, root, settings, touched: (folder) => folders.add(folder) };
    const isInTheWay = this.#findsCollisions(writes.map(({ path }) => path));
    const remove = async (path: string) => {
      await check(path);
      await removeMergedFile(place, path);
    };
    for (const path of removals.filter(isInTheWay)) await remove(path);
    const blobs = await readBlobs(
      this.#parts,
      writes.flatMap(({ file }) => (file.mode === SUBMODULE ? [] : [file.id])),
    );
    await inParallel(writes, async ({ path, file }) => {
      await check(path);
      await writeMergedFile(place, path, file.mode, blobs.get(file.id));
    });
    for (const path of removals.filter((each) => !isInTheWay(each))) await remove(path);
    const synced = [...folders].filter((folder) => fs.existsSync(join(root, folder)));
    await inParallel(synced, (folder) => this.#parts.fs.syncFolder(join(root, folder)));
  }

  /** Whether a path must go before these can come: the same name for the file system, or a folder of one of them. */
  #findsCollisions(written: readonly string[]): (path: string) => boolean {
    const fold = (path: string) => (this.#parts.settings.ignoresCase() ? path.normalize('NFC').toLowerCase() : path);
    const taken = new Set(written.flatMap((path) => [fold(path), ...foldersOf(fold(path))]));
    const files = new Set(written.map(fold));
    return (path) => taken.has(fold(path)) || foldersOf(fold(path)).some((folder) => files.has(folder));
  }
}

type Look = (path: string) => Promise<TreeFile | 'other' | null>;

function readStaged(index: GitIndex, path: string): TreeFile | null {
  const at = findEntry(index, Buffer.from(path, 'utf8'));
  if (at < 0 || isIntentToAdd(index, at)) return null;
  const entry = readEntry(index, at);
  return { mode: entry.mode.toString(8), id: entry.id };
}

function isSame(a: TreeFile | null, b: TreeFile | null): boolean {
  return a === null || b === null ? a === b : a.id === b.id && (a.mode === b.mode || isSameKind(a, b));
}

/** The executable bit alone is no reason to keep a file: on some systems there is none. */
function isSameContent(a: TreeFile, b: TreeFile | null): boolean {
  return b !== null && a.id === b.id && isSameKind(a, b);
}

function isSameKind(a: TreeFile, b: TreeFile): boolean {
  return a.mode.slice(0, 3) === b.mode.slice(0, 3);
}

/** Ends when nothing runs any more, also when it fails: what is taken back must not be written meanwhile. */
async function inParallel<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = all.values();
  let hasFailed = false;
  const worker = async () => {
    for (const each of waiting) {
      if (hasFailed) return;
      try {
        await work(each);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: PARALLEL }, worker));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
