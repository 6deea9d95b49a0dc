// The index as a file: read once while it does not change, replaced whole under `index.lock`.
// Invariant: the new file claims no later time than when the files that it describes were looked at; otherwise a change
// made in between could pass for old (git compares the two by the second).
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { discard, temporaryName } from './atomic-file.ts';
import { orMissing, type FileStat, type FileSystem } from './file-system.ts';
import { EMPTY_INDEX, entryPathBytes, readEntry, readIndex, readWholeIndex } from './git-index.ts';
import type { GitIndex, IndexEntry, IndexProblem } from './git-index.ts';
import { patchIndex, racyEntries } from './index-patch.ts';
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

/** So many racy entries are compared with their files; of more, all are left to git's next look. */
const MAX_COMPARED = 64;

export class IndexFile {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #folder: string;
  readonly #path: string;
  readonly #clean: CleanFile;
  #ticks = 0;
  #loaded: (LoadedIndex & { readonly problem: IndexProblem | null }) | null = null;

  /** `clean` turns a working file's bytes into what git stores. */
  constructor(fs: FileSystem, root: string, gitFolder: string, clean: CleanFile) {
    this.#fs = fs;
    this.#root = root;
    this.#folder = gitFolder;
    this.#path = join(gitFolder, 'index');
    this.#clean = clean;
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

  /** A durable file with the changed index, for {@link publish}. */
  async prepare({ index, stat }: LoadedIndex, changes: ReadonlyMap<string, IndexEntry | null>): Promise<PreparedIndex> {
    const temporary = join(this.#folder, 'stet', temporaryName());
    const modified = await this.#readFileSystemTime();
    const smudge =
      stat === null ? new Set<number>() : await this.#findChanged(index, Number(stat.mtimeNs / 1_000_000_000n));
    const bytes = patchIndex(index, { changes, smudge });
    await this.#fs.createFile(temporary, bytes, { mode: 0o666, sync: true });
    return { temporary, bytes, modified };
  }

  /** Puts a prepared file in the place of the index; durable after {@link sync}. Only under `index.lock`. */
  async publish({ temporary, bytes, modified }: PreparedIndex): Promise<void> {
    try {
      await this.#fs.setModified(temporary, modified);
      await this.#fs.rename(temporary, this.#path);
    } catch (error) {
      await discard(this.#fs, temporary);
      throw error;
    }
    const { index, problem } = readWholeIndex(bytes);
    this.#loaded = { index, stat: await this.#fs.lstat(this.#path), problem };
  }

  sync(): Promise<void> {
    return this.#fs.syncFolder(this.#folder);
  }

  /** Seconds. The file system's own clock, which may be another machine's, is read from a file written for that. */
  async #readFileSystemTime(): Promise<number> {
    const marker = join(this.#folder, 'stet', 'clock');
    this.#ticks = (this.#ticks + 1) % 10;
    await this.#fs.overwriteFile(marker, Buffer.from(String(this.#ticks)));
    return Number((await this.#fs.lstat(marker)).mtimeNs / 1000n) / 1e6;
  }

  async #findChanged(index: GitIndex, indexSeconds: number): Promise<Set<number>> {
    const racy = racyEntries(index, indexSeconds);
    if (racy.length > MAX_COMPARED) return new Set(racy);
    const changed = new Set<number>();
    for (const at of racy) if (!(await this.#holdsStill(index, at))) changed.add(at);
    return changed;
  }

  /** Whether an entry's file is as the entry says, by content. One whose stat data differ needs no smudge. */
  async #holdsStill(index: GitIndex, at: number): Promise<boolean> {
    const path = entryPathBytes(index, at).toString('utf8');
    const entry = readEntry(index, at);
    const stat = await orMissing(this.#fs.lstat(join(this.#root, path)));
    if (stat === null || !stat.isFile() || toEntryStat(stat).size !== entry.stat.size) return true;
    const bytes = await orMissing(this.#fs.readFile(join(this.#root, path)));
    if (bytes === null) return true;
    return blobId(await this.#clean(path, bytes)) === entry.id;
  }
}

/** What git would store of a working file's bytes. */
export type CleanFile = (path: string, bytes: Buffer) => Promise<Buffer> | Buffer;

function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function damagedIndex(path: string, what: string): StetError {
  return new StetError({
    code: 'damaged-repository',
    what: `${path} is broken: ${what}`,
    remedy: 'Move that file away and run `git reset` in the memory: git makes it anew from the last commit.',
  });
}
