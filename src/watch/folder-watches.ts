// The system's watches on the folders of a memory. Invariant: a folder is watched before it is listed, so whatever
// appears in it is either in the list or told by an event.
import type { Dirent } from 'node:fs';
import { watch } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isEntered, isReported, pathIn } from './watched-area.ts';
import type { WatchedArea } from './watched-area.ts';

/** What the system says of a folder. `name` is relative to it, `/` between parts; null when events were dropped. */
export interface FolderEvent {
  readonly folder: string;
  /** `rename`: an entry appeared or vanished; `change`: its bytes or attributes changed. */
  readonly type: 'rename' | 'change';
  readonly name: string | null;
}

export interface FolderListener {
  readonly onEvent: (type: 'rename' | 'change', name: string | null) => void;
  readonly onError: (error: NodeJS.ErrnoException) => void;
}

/** Watches one folder; throws an error with the system's `code`. The test's way to be the system. */
export type OpenFolder = (path: string, recursive: boolean, listener: FolderListener) => { close(): void };

/** Never keeps the process alive. */
export const openFolder: OpenFolder = (path, recursive, { onEvent, onError }) => {
  const handle = watch(path, { persistent: false, recursive, encoding: 'utf8' }, (type, name) => onEvent(type, name));
  handle.on('error', onError);
  return handle;
};

/** The system gives no watch for a folder that is there. */
export class WatchRefused extends Error {
  readonly errno: string;
  constructor(errno: string, options?: ErrorOptions) {
    super(`no watch to be had: ${errno}`, options);
    this.name = 'WatchRefused';
    this.errno = errno;
  }
}

interface WatchedFolder {
  /** Null where a watch further up tells of this folder too, and where none was allowed. */
  readonly handle: { close(): void } | null;
  /** The folder may not be read. */
  readonly isForbidden: boolean;
  /** Device and inode: which folder this is, whatever its name. (No birth time: some systems make one up.) */
  readonly identity: string;
  /** When an entry last appeared or vanished, by the file system's clock. */
  modifiedNs: bigint;
  /** When that was last looked at, and when an event last came, by `performance.now()`. */
  auditedAt: number;
  eventAt: number;
}

/** What an audit found. */
export interface Audit {
  /** A watched folder is gone or another one by now: events were missed. */
  readonly replaced: boolean;
  /** Folders whose entries changed without an event so far. */
  readonly silent: readonly string[];
  /** Folders whose entries changed and whose events came: proof that they do. */
  readonly heard: number;
}

export interface FolderWatchesOptions {
  readonly root: string;
  readonly area: WatchedArea;
  /** One watch tells of a whole tree (macOS, Windows); else every folder has its own. */
  readonly recursive: boolean;
  readonly open: OpenFolder;
  readonly onEvent: (event: FolderEvent) => void;
  readonly onError: (folder: string, error: NodeJS.ErrnoException) => void;
}

export class FolderWatches {
  readonly #options: FolderWatchesOptions;
  readonly #folders = new Map<string, WatchedFolder>();

  constructor(options: FolderWatchesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#folders.size;
  }

  has(folder: string): boolean {
    return this.#folders.has(folder);
  }

  /** Whether a folder is watched, and the one at its path is still the same. */
  async isAlive(folder: string): Promise<boolean> {
    const now = await this.#identify(folder);
    const watched = this.#folders.get(folder);
    return now !== null && watched !== undefined && !watched.isForbidden && now.identity === watched.identity;
  }

  /** Notes that events of a folder do arrive. */
  touch(folder: string): void {
    const watched = this.#folders.get(folder);
    if (watched) watched.eventAt = performance.now();
  }

  /**
   * Watches a folder and all below, replacing watches on them, and returns the reported files that it found there.
   * A folder that vanishes meanwhile is left out: its parent's watch tells. Throws {@link WatchRefused}.
   */
  async add(top: string, signal: AbortSignal): Promise<readonly string[]> {
    const { area } = this.#options;
    const files: string[] = [];
    const waiting = [top];
    for (let folder = waiting.pop(); folder !== undefined && !signal.aborted; folder = waiting.pop()) {
      for (const entry of await this.#watchAndList(folder)) {
        const path = pathIn(folder, entry.name);
        if (entry.isDirectory()) {
          if (isEntered(area, path)) waiting.push(path);
        } else if (isReported(area, path)) files.push(path);
      }
    }
    return files;
  }

  /** Stops watching a folder and all below. */
  drop(top: string): void {
    for (const [folder, { handle }] of this.#folders) {
      if (top !== '' && folder !== top && !folder.startsWith(`${top}/`)) continue;
      handle?.close();
      this.#folders.delete(folder);
    }
  }

  /** Compares every folder with what events told of it since the last audit. */
  async audit(): Promise<Audit> {
    let replaced = false;
    let heard = 0;
    const silent: string[] = [];
    for (const [folder, watched] of this.#folders) {
      const auditedAt = performance.now();
      const now = await this.#identify(folder);
      if (now === null || now.identity !== watched.identity) {
        replaced = true;
        continue;
      }
      if (now.modifiedNs !== watched.modifiedNs) {
        if (watched.eventAt < watched.auditedAt) silent.push(folder);
        else heard += 1;
        watched.modifiedNs = now.modifiedNs;
      }
      watched.auditedAt = auditedAt;
    }
    return { replaced, silent, heard };
  }

  /** Whether an event has come for a folder since then, by `performance.now()`. */
  heardSince(folder: string, since: number): boolean {
    return (this.#folders.get(folder)?.eventAt ?? Number.NEGATIVE_INFINITY) >= since;
  }

  async #watchAndList(folder: string): Promise<readonly Dirent[]> {
    const path = join(this.#options.root, folder);
    this.#folders.get(folder)?.handle?.close();
    this.#folders.delete(folder);
    let handle: { close(): void } | null = null;
    let isForbidden = false;
    try {
      handle = this.#open(folder, path);
    } catch (error) {
      const errno = errnoOf(error);
      if (isGone(errno)) return [];
      // A folder that may not be read is a matter for its owner; the rest goes on. Its parent tells when that changes.
      if (folder === '' || !isDenial(errno)) throw new WatchRefused(errno, { cause: error });
      isForbidden = true;
    }
    const auditedAt = performance.now();
    const identity = await this.#identify(folder);
    if (identity === null) {
      handle?.close();
      return [];
    }
    this.#folders.set(folder, { handle, isForbidden, ...identity, auditedAt, eventAt: Number.NEGATIVE_INFINITY });
    try {
      return await readdir(path, { withFileTypes: true });
    } catch (error) {
      const errno = errnoOf(error);
      if (isGone(errno) || isDenial(errno)) return [];
      throw new WatchRefused(errno, { cause: error });
    }
  }

  async #identify(folder: string): Promise<Pick<WatchedFolder, 'identity' | 'modifiedNs'> | null> {
    const path = join(this.#options.root, folder);
    try {
      // The memory itself may be reached through a link; what is in it is never followed out of it.
      const look = await (folder === '' ? stat : lstat)(path, { bigint: true });
      if (!look.isDirectory()) return null;
      return { identity: `${look.dev}:${look.ino}`, modifiedNs: look.mtimeNs };
    } catch {
      return null;
    }
  }

  #open(folder: string, path: string): { close(): void } | null {
    const { recursive, open, onEvent, onError } = this.#options;
    if (recursive && folder.includes('/')) return null;
    return open(path, recursive && folder !== '', {
      onEvent: (type, name) =>
        onEvent({ folder, type, name: sep === '\\' ? (name?.replaceAll(sep, '/') ?? null) : name }),
      onError: (error) => onError(folder, error),
    });
  }
}

export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

function isGone(errno: string): boolean {
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}

function isDenial(errno: string): boolean {
  return errno === 'EACCES' || errno === 'EPERM';
}
