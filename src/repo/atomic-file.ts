// Whole files or none: a reader, a crash or a full disk never shows half of one.
// Invariant: when a function here throws, the old file is intact; what returns survives a power cut, once the folder is
// fsynced where the caller owes that.
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { errnoError, errnoOf, isMissing, orMissing, type FileSystem } from './file-system.ts';

/** A name that no editor, scan or git ignores by accident: hidden, and of fixed length so that it always fits. */
export function temporaryName(): string {
  return `.stet-${randomBytes(6).toString('hex')}.tmp`;
}

/**
 * Writes a whole file: temporary file in the same folder, fsync, rename, folder fsync. A file that is there keeps its
 * permissions. The folder must exist.
 */
export async function replaceFile(fs: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  await placeFile(fs, path, bytes);
  await fs.syncFolder(dirname(path));
}

/** The same but for the folder fsync, which the caller owes: until then a power cut may bring the old file back. */
export async function placeFile(fs: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, temporaryName());
  const before = await orMissing(fs.lstat(path));
  const mode = before?.isFile() === true ? Number(before.mode) & 0o777 : null;
  await fs.createFile(temporary, bytes, { mode: mode ?? 0o666, sync: true });
  try {
    // The process's umask may have taken away what the old file allowed.
    if (mode !== null) await fs.setMode(temporary, mode);
    await fs.rename(temporary, path);
  } catch (error) {
    await discard(fs, temporary);
    throw error;
  }
}

/** Removes a file, and says whether there was one. The caller owes the folder fsync. */
export async function removeFile(fs: FileSystem, path: string): Promise<boolean> {
  try {
    await fs.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Makes the folders of `path` that are missing below `root`, durably. Throws `ENOTDIR` when one of them is a file or a
 * symbolic link: git records nothing beyond a link, and a link may lead out of the memory.
 */
export async function makeFolders(fs: FileSystem, root: string, path: string): Promise<void> {
  let folder = root;
  for (const part of path.split('/').slice(0, -1)) {
    const parent = folder;
    folder = join(folder, part);
    const there = await orMissing(fs.lstat(folder));
    if (there?.isDirectory() === true) continue;
    if (there !== null) throw errnoError('ENOTDIR', 'mkdir', folder);
    try {
      await fs.makeFolder(folder);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    await fs.syncFolder(parent);
  }
}

/** Best effort: what stays behind is hidden, harmless and swept later. */
export async function discard(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch {
    // The error that led here is the one to report.
  }
}
