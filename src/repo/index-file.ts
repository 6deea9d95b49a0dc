// The index as a file: read once while it does not change, replaced whole under `index.lock`.
// Invariant: the new file claims no later time than when the files that it describes were looked at; otherwise a change
// made in between could pass for old (git compares the two by the second).
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { temporaryName } from './atomic-file.ts';
import { orMissing, type FileStat, type FileSystem } from './file-system.ts';
import { EMPTY_INDEX, entryPathBytes, readEntry, readIndex, readWholeIndex } from './git-index.ts';
import type { EntryStat, GitIndex, IndexEntry, IndexProblem } from './git-index.ts';
import { makeObject, type ObjectId } from './git-object.ts';
import { patchIndex, racyEntries } from './index-patch.ts';
import { MirrorNote } from './mirror-note.ts';
import { sameState, toEntryStat } from './working-file.ts';

export interface LoadedIndex {
  readonly index: GitIndex;
  /** Null when there is no file. */
  readonly stat: FileStat | null;
}

/** An index that is written but not yet in its place. */
export interface PreparedIndex {
  readonly temporary: string;
  readonly bytes: Buffer;
  /** The time that the file will claim, in seconds. */
  readonly modified: number;
}

/** So many racy entries are compared by content; the rest is left to git's next look. */
const MAX_COMPARED = 64;

const SECOND_NS = 1_000_000_000n;
/** A change so close to another could bear the same stamp: the clock of file systems ticks every 4 or 10 ms. */
export const TICK_NS = 20_000_000n;

export class IndexFile {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #folder: string;
  readonly #path: string;
  readonly #clean: CleanFile;
  readonly #note: MirrorNote;
  #ticks = 0;
  #mirrored: { index: GitIndex; tree: ObjectId } | null = null;
  #loaded: (LoadedIndex & { readonly problem: IndexProblem | null }) | null = null;

  /** `clean` turns a working file's bytes into what git stores. */
  constructor(fs: FileSystem, root: string, gitFolder: string, clean: CleanFile) {
    this.#fs = fs;
    this.#root = root;
    this.#folder = gitFolder;
    this.#path = join(gitFolder, 'index');
    this.#clean = clean;
    this.#note = new MirrorNote(fs, gitFolder);
  }

  get lockPath(): string {
    return `${this.#path}.lock`;
  }

  /** The index as it is now, or why it cannot be written. Throws `damaged-repository` for a broken file. */
  async load(): Promise<{ ok: true; loaded: LoadedIndex } | { ok: false; problem: IndexProblem }> {
    const loaded = await this.peek();
    const problem = loaded.problem;
    return problem === null ? { ok: true, loaded } : { ok: false, problem };
  }

  /** The index as it is now, to be read only. One of a format that stet does not read has no entries. */
  async peek(): Promise<LoadedIndex & { readonly problem: IndexProblem | null }> {
    const stat = await orMissing(this.#fs.lstat(this.#path));
    if (stat === null) return { index: EMPTY_INDEX, stat: null, problem: null };
    const known = this.#loaded;
    if (known !== null && known.stat !== null && sameState(known.stat, stat)) return known;
    const bytes = await orMissing(this.#fs.readFile(this.#path));
    if (bytes === null) return this.peek();
    const read = readIndex(bytes);
    if (read.damage !== null) throw damagedIndex(this.#path, read.damage);
    this.#loaded = { index: read.index, stat, problem: read.problem };
    return this.#loaded;
  }

  /** Whether the entries of this index are known to be the files of this tree, all of them and no others. */
  async mirrors(index: GitIndex, tree: ObjectId | null): Promise<boolean> {
    if (this.#mirrored?.index === index && this.#mirrored.tree === tree) return true;
    if (tree === null || !(await this.#note.says(index, tree))) return false;
    this.#mirrored = { index, tree };
    return true;
  }

  /** They have been found to be: what saves the next look, here and in other processes, and after a commit of ours stays true. */
  async noteMirror(index: GitIndex, tree: ObjectId): Promise<void> {
    if (await this.mirrors(index, tree)) return;
    this.#mirrored = { index, tree };
    await this.#note.write(index, tree);
  }

  /** A durable file with the changed index, for {@link publish}. `lookedAt`: see {@link readClock}. */
  async prepare(
    { index, stat }: LoadedIndex,
    changes: ReadonlyMap<string, IndexEntry | null>,
    lookedAt: number,
  ): Promise<PreparedIndex> {
    const temporary = join(this.#folder, 'stet', temporaryName());
    const smudge = stat === null ? new Set<number>() : await this.#findChanged(index, stat.mtimeNs);
    const bytes = patchIndex(index, { changes, smudge });
    await this.#fs.createFile(temporary, bytes, { mode: 0o666, sync: true });
    return { temporary, bytes, modified: lookedAt };
  }

  /**
   * Puts a prepared file in the place of the index; durable after {@link sync}. Only under `index.lock`. `mirrored`: the
   * tree that its entries are known to be. What fails leaves the prepared file to the caller.
   */
  async publish({ temporary, bytes, modified }: PreparedIndex, mirrored: ObjectId | null = null): Promise<void> {
    await this.#fs.setModified(temporary, modified);
    await this.#fs.rename(temporary, this.#path);
    const { index, problem } = readWholeIndex(bytes);
    this.#loaded = { index, stat: await this.#fs.lstat(this.#path), problem };
    if (mirrored !== null) await this.noteMirror(index, mirrored);
  }

  sync(): Promise<void> {
    return this.#fs.syncFolder(this.#folder);
  }

  /**
   * The time by the file system's own clock, which may be another machine's, in seconds. It is read before the files that
   * a commit describes are looked at, for that is what the new index may claim.
   */
  async readClock(): Promise<number> {
    const marker = join(this.#folder, 'stet', 'clock');
    this.#ticks = (this.#ticks + 1) % 10;
    await this.#fs.overwriteFile(marker, Buffer.from(String(this.#ticks)));
    return Number((await this.#fs.lstat(marker)).mtimeNs / 1000n) / 1e6;
  }

  /**
   * The racy entries whose files are not surely what the entries say. By the nanosecond a change shows, but for one in the
   * very tick of the clock in which the entry's state was made; so the youngest are compared by content, and the others,
   * which after an import may be thousands, by their stat data.
   */
  async #findChanged(index: GitIndex, indexModified: bigint): Promise<Set<number>> {
    const changed = new Set<number>();
    let compared = 0;
    for (const at of racyEntries(index, Number(indexModified / SECOND_NS))) {
      const { id, stat } = readEntry(index, at);
      const path = entryPathBytes(index, at).toString('utf8');
      const now = await orMissing(this.#fs.lstat(join(this.#root, path)));
      // What differs in size shows to git without our help.
      if (now?.isFile() !== true || toEntryStat(now).size !== stat.size) continue;
      const isOld = now.ctimeNs + TICK_NS < indexModified && stat.mtimeNanoseconds !== 0;
      if (isOld && hasSameTimes(toEntryStat(now), stat)) continue;
      if (compared++ >= MAX_COMPARED || !(await this.#holds(path, id))) changed.add(at);
    }
    return changed;
  }

  async #holds(path: string, id: ObjectId): Promise<boolean> {
    const bytes = await orMissing(this.#fs.readFile(join(this.#root, path)));
    return bytes === null || makeObject('blob', await this.#clean(path, bytes)).id === id;
  }
}

/** What git would store of a working file's bytes. */
export type CleanFile = (path: string, bytes: Buffer) => Promise<Buffer> | Buffer;

function hasSameTimes(a: EntryStat, b: EntryStat): boolean {
  return (
    a.mtimeSeconds === b.mtimeSeconds &&
    a.mtimeNanoseconds === b.mtimeNanoseconds &&
    a.ctimeSeconds === b.ctimeSeconds &&
    a.ctimeNanoseconds === b.ctimeNanoseconds &&
    a.inode === b.inode
  );
}

function damagedIndex(path: string, what: string): StetError {
  return new StetError({
    code: 'damaged-repository',
    what: `${path} is broken: ${what}`,
    remedy: 'Move that file away and run `git reset` in the memory: git makes it anew from the last commit.',
  });
}
