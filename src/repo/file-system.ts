// The few file-system calls that the repository makes, as a port, so that tests can make any of them fail.
// Invariant: nothing here follows a symbolic link at the end of a path when it creates, and nothing blocks on a FIFO.
import fs from 'node:fs';
import { constants, type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';

export type FileStat = BigIntStats;

export interface FileSystem {
  /** The bytes of a regular file. Rejects with the errno of the system; `EISDIR`/`ENXIO` for what is no file. */
  readFile(path: string): Promise<Buffer>;
  /** Makes a new file (`EEXIST` if there is one), with these bytes; fsynced when `sync`. */
  createFile(path: string, bytes: Uint8Array, options: { mode: number; sync: boolean }): Promise<void>;
  /**
   * Makes a file hold these bytes, in place: neither atomic nor durable, for notes that a crash may tear. Costs no change
   * to the folder once the file is there.
   */
  overwriteFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Adds bytes at the end in one write, making the file if needed. Not durable before `syncFile`. */
  appendFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Replaces `to` atomically. On Windows it waits for readers of `to` to close it. */
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; `EEXIST` if the name is taken. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes one folder; `EEXIST` if there is something. */
  makeFolder(path: string): Promise<void>;
  lstat(path: string): Promise<FileStat>;
  readFolder(path: string): Promise<fs.Dirent[]>;
  /** Sets the time of last change; seconds since 1970. */
  setModified(path: string, seconds: number): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** Makes the content of a file durable. */
  syncFile(path: string): Promise<void>;
  /** Makes the names in a folder durable; does nothing where the system has no such call (Windows). */
  syncFolder(path: string): Promise<void>;
}

const fsync = promisify(fs.fsync);
const WINDOWS = process.platform === 'win32';

/** Opening a FIFO without O_NONBLOCK waits for a writer, with the whole process if the call is synchronous. */
export const OPEN_FOR_READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Node's file system. Cheap calls are synchronous on purpose: through the thread pool each costs some 20 times more
 * (70 of them make a commit), and only the fsyncs take long enough to be worth waiting for beside other work.
 */
export const nodeFileSystem: FileSystem = {
  async readFile(path) {
    const handle = fs.openSync(path, OPEN_FOR_READING);
    try {
      if (!fs.fstatSync(handle).isFile()) throw errnoError('EISDIR', 'read', path);
      return fs.readFileSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  },
  async createFile(path, bytes, { mode, sync }) {
    const handle = fs.openSync(path, 'wx', mode);
    await writeAndClose(handle, bytes, sync, () => fs.unlinkSync(path));
  },
  async overwriteFile(path, bytes) {
    const handle = fs.openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
    try {
      fs.writeSync(handle, bytes, 0, bytes.length, 0);
      fs.ftruncateSync(handle, bytes.length);
    } finally {
      fs.closeSync(handle);
    }
  },
  async appendFile(path, bytes) {
    const handle = fs.openSync(path, 'a', 0o666);
    await writeAndClose(handle, bytes, false, () => undefined);
  },
  rename: (from, to) => whenReadersAreGone(() => fs.renameSync(from, to)),
  async link(from, to) {
    fs.linkSync(from, to);
  },
  unlink: (path) => whenReadersAreGone(() => fs.unlinkSync(path)),
  async makeFolder(path) {
    fs.mkdirSync(path);
  },
  async lstat(path) {
    return fs.lstatSync(path, { bigint: true });
  },
  async readFolder(path) {
    return fs.readdirSync(path, { withFileTypes: true });
  },
  async setModified(path, seconds) {
    fs.utimesSync(path, seconds, seconds);
  },
  async setMode(path, mode) {
    fs.chmodSync(path, mode);
  },
  syncFile: (path) => syncPath(path, 'r+'),
  async syncFolder(path) {
    if (!WINDOWS) await syncPath(path, 'r');
  },
};

async function syncPath(path: string, flags: string): Promise<void> {
  const handle = fs.openSync(path, flags);
  try {
    await fsync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

async function writeAndClose(handle: number, bytes: Uint8Array, sync: boolean, undo: () => void): Promise<void> {
  try {
    let written = 0;
    while (written < bytes.length) written += fs.writeSync(handle, bytes, written);
    if (sync) await fsync(handle);
  } catch (error) {
    fs.closeSync(handle);
    undo();
    throw error;
  }
  fs.closeSync(handle);
}

/** Windows refuses to replace or remove a file that someone has open: virus scanners and indexers do, for moments. */
async function whenReadersAreGone(attempt: () => void): Promise<void> {
  const deadline = Date.now() + 2_000;
  for (;;) {
    try {
      attempt();
      return;
    } catch (error) {
      const inUse = WINDOWS && ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '');
      if (!inUse || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** The errno (`ENOENT`, …) of a failed system call, or null for any other error. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && /^E[A-Z0-9_]+$/.test(error.code) ? error.code : null;
}

/** What the system would throw for `errno`. */
export function errnoError(errno: string, syscall: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${errno}: ${syscall} '${path}'`), { code: errno, syscall, path });
}

/** Nothing is there: neither the file nor perhaps its folder. */
export function isMissing(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}

/** The value of `reading`, or null when there is nothing at its path. Any other failure is thrown. */
export async function orMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
