// Replaces files that are the user's own and may be open in an editor. Invariants: a file that has changed since it was
// read is left alone; what a program writes into a file that it had opened before the replacement is not lost.
//
// The second needs a second name for the old file: such a program goes on writing to it, and nobody else could see that.
import { dirname, join } from 'node:path';
import { discard, temporaryName } from './atomic-file.ts';
import { errnoOf, orMissing, type FileStat, type FileSystem } from './file-system.ts';
import type { FileStamp } from './working-tree.ts';

/** What a program wrote into a file that had been replaced. */
export interface LateWrite {
  readonly path: string;
  /** The whole file, as that program sees it. */
  readonly bytes: Buffer;
  /** What the replacement had put in its place. */
  readonly replacedBy: Uint8Array;
}

interface FormerFile {
  readonly path: string;
  /** Its second name, absolute. */
  readonly aside: string;
  readonly keptUntil: number;
  replacedBy: Uint8Array;
  look: Look;
}

type Look = Pick<FileStamp, 'size' | 'modifiedNs' | 'inode'>;

/** Whoever has not written for so long has closed the file. */
const KEEP_MS = 120_000;

/** So many at once were not made by an editor. */
const MAX_KEPT = 100;

export class FileReplacer {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #folder: string;
  readonly #unsynced = new Set<string>();
  #former: FormerFile[] = [];

  constructor(fs: FileSystem, root: string) {
    this.#fs = fs;
    this.#root = root;
    this.#folder = join(root, '.git', 'stet');
  }

  /** Whether some replaced file is still looked after. */
  get isWatching(): boolean {
    return this.#former.length > 0;
  }

  /** Writes a whole file where it is still as `seen`; false where it is not. Durable after `sync`. */
  async replace(path: string, bytes: Uint8Array, seen: FileStamp): Promise<boolean> {
    const absolute = join(this.#root, path);
    const folder = dirname(absolute);
    const temporary = join(folder, temporaryName());
    const before = await orMissing(this.#fs.lstat(absolute));
    if (before === null || !isSame(seen, lookOf(before))) return false;
    const mode = Number(before.mode) & 0o777;
    await this.#fs.createFile(temporary, bytes, { mode, sync: true });
    const aside = await this.#keepAside(absolute);
    try {
      await this.#fs.setMode(temporary, mode);
      // Nothing may come between this look and the rename but the two calls themselves.
      const now = await orMissing(this.#fs.lstat(absolute));
      if (now === null || !isSame(seen, lookOf(now))) {
        await this.#discardAll(temporary, aside);
        return false;
      }
      await this.#fs.rename(temporary, absolute);
    } catch (error) {
      await this.#discardAll(temporary, aside);
      throw error;
    }
    for (const former of this.#former) if (former.path === path) former.replacedBy = bytes;
    if (aside !== null) {
      const keptUntil = performance.now() + KEEP_MS;
      this.#former.push({ path, aside, keptUntil, replacedBy: bytes, look: seen });
    }
    this.#unsynced.add(folder);
    return true;
  }

  /** Makes durable what was replaced. */
  async sync(): Promise<void> {
    const folders = [...this.#unsynced];
    this.#unsynced.clear();
    await Promise.all(folders.map((folder) => this.#fs.syncFolder(folder)));
  }

  /** What was written late since the last call, where `isQuiet` holds of the time of the last write (in ms since 1970). */
  async lateWrites(isQuiet: (modifiedMs: number) => boolean): Promise<readonly LateWrite[]> {
    const late: LateWrite[] = [];
    const kept: FormerFile[] = [];
    for (const former of this.#former) {
      const stat = await orMissing(this.#fs.lstat(former.aside));
      const hasChanged = stat !== null && !isSame(former.look, lookOf(stat));
      if (hasChanged && isQuiet(Number(stat.mtimeNs / 1_000_000n))) {
        former.look = lookOf(stat);
        const bytes = await this.#fs.readFile(former.aside);
        late.push({ path: former.path, bytes, replacedBy: former.replacedBy });
      }
      if (stat !== null && (hasChanged || performance.now() < former.keptUntil)) kept.push(former);
      else await discard(this.#fs, former.aside);
    }
    this.#former = kept;
    return late;
  }

  /** Lets go of the old files. */
  async close(): Promise<void> {
    for (const { aside } of this.#former.splice(0)) await discard(this.#fs, aside);
  }

  async #discardAll(...paths: ReadonlyArray<string | null>): Promise<void> {
    for (const path of paths) if (path !== null) await discard(this.#fs, path);
  }

  async #keepAside(absolute: string): Promise<string | null> {
    if (this.#former.length >= MAX_KEPT) return null;
    const aside = join(this.#folder, temporaryName());
    try {
      await this.#fs.link(absolute, aside);
      return aside;
    } catch (error) {
      // No links on this file system: then only the look just before the rename protects the file.
      if (errnoOf(error) === null) throw error;
      return null;
    }
  }
}

function lookOf(stat: FileStat): Look {
  return { size: Number(stat.size), modifiedNs: stat.mtimeNs, inode: stat.ino };
}

/** Without the time of the last change of the inode: giving the file a second name moves that. */
function isSame(a: Look, b: Look): boolean {
  return a.size === b.size && a.modifiedNs === b.modifiedNs && a.inode === b.inode;
}
