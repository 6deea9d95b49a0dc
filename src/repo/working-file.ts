// One file of the working tree as git would record it: mode, stat data, bytes.
// Invariant: the stat data are of before the bytes were read, and the file did not change meanwhile.
import { join } from 'node:path';
import { errnoError, orMissing, type FileStat, type FileSystem } from './file-system.ts';
import type { EntryStat } from './git-index.ts';
import { composeName } from './memory-path.ts';

export type WorkingFile =
  | { kind: 'file'; executable: boolean; stat: EntryStat; bytes: Buffer }
  /** Nothing, or a folder, where git would see a deletion. */
  | { kind: 'gone' }
  /** A link, FIFO or socket: nothing that stet records or removes. */
  | { kind: 'other' };

const TRIES = 5;

/** Reads files for one piece of work: what it has found out about folders it takes for granted until its end. */
export class WorkingFiles {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #ignoresCase: boolean;
  readonly #folders = new Map<string, Promise<'folder' | 'other' | 'gone'>>();
  readonly #names = new Map<string, Promise<ReadonlySet<string>>>();

  /** `ignoresCase`: the file system takes `A.md` for `a.md` (`core.ignoreCase`), so that a look must compare names. */
  constructor(fs: FileSystem, root: string, ignoresCase: boolean) {
    this.#fs = fs;
    this.#root = root;
    this.#ignoresCase = ignoresCase;
  }

  /** Throws `EBUSY` for a file that changes under every reading, and what the system says when it cannot be read. */
  async read(path: string): Promise<WorkingFile> {
    const folder = await this.#lookAtFolder(parentOf(path));
    if (folder !== 'folder') return { kind: folder };
    const absolute = join(this.#root, path);
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await orMissing(this.#fs.lstat(absolute));
      if (before === null || before.isDirectory() || !(await this.#isNamed(path))) return { kind: 'gone' };
      if (!before.isFile()) return { kind: 'other' };
      const bytes = await orMissing(this.#fs.readFile(absolute));
      const after = bytes === null ? null : await orMissing(this.#fs.lstat(absolute));
      if (bytes === null || after === null || !sameState(before, after)) continue;
      return { kind: 'file', executable: (before.mode & 0o100n) !== 0n, stat: toEntryStat(before), bytes };
    }
    throw errnoError('EBUSY', 'read', absolute);
  }

  /** git records nothing beyond a symbolic link, and neither does stet: what lies there is not the memory's. */
  #lookAtFolder(folder: string): Promise<'folder' | 'other' | 'gone'> {
    if (folder === '') return Promise.resolve('folder');
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const look = this.#lookAtFolderAnew(folder);
    this.#folders.set(folder, look);
    return look;
  }

  async #lookAtFolderAnew(folder: string): Promise<'folder' | 'other' | 'gone'> {
    const above = await this.#lookAtFolder(parentOf(folder));
    if (above !== 'folder') return above;
    const stat = await orMissing(this.#fs.lstat(join(this.#root, folder)));
    if (stat === null || !(await this.#isNamed(folder))) return 'gone';
    if (stat.isDirectory()) return 'folder';
    return stat.isFile() ? 'gone' : 'other';
  }

  /** Whether the last part of the path is how its folder spells it. */
  async #isNamed(path: string): Promise<boolean> {
    if (!this.#ignoresCase) return true;
    const folder = parentOf(path);
    const names = this.#names.get(folder) ?? this.#listNames(folder);
    this.#names.set(folder, names);
    return (await names).has(path.slice(folder === '' ? 0 : folder.length + 1));
  }

  async #listNames(folder: string): Promise<ReadonlySet<string>> {
    const entries = (await orMissing(this.#fs.readFolder(join(this.#root, folder)))) ?? [];
    return new Set(entries.map((entry) => composeName(entry.name)));
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function sameState(a: FileStat, b: FileStat): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/** As git keeps it: seconds, nanoseconds and everything else cut to 32 bits. */
export function toEntryStat(stat: FileStat): EntryStat {
  return {
    ctimeSeconds: low32(stat.ctimeNs / 1_000_000_000n),
    ctimeNanoseconds: low32(stat.ctimeNs % 1_000_000_000n),
    mtimeSeconds: low32(stat.mtimeNs / 1_000_000_000n),
    mtimeNanoseconds: low32(stat.mtimeNs % 1_000_000_000n),
    device: low32(stat.dev),
    inode: low32(stat.ino),
    uid: low32(stat.uid),
    gid: low32(stat.gid),
    size: low32(stat.size),
  };
}

function low32(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}
