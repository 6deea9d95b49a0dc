// One file of a merge on the disk, of any kind that git knows. Invariants: whole or not at all; nothing is written through a
// link; a folder goes only when it is empty.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders, placeFile, removeFile, temporaryName } from './atomic-file.ts';
import { errnoOf, isMissing, orMissing, type FileSystem } from './file-system.ts';
import type { RepositorySettings } from './repository-settings.ts';

export const LINK = '120000';
export const SUBMODULE = '160000';

export interface Place {
  readonly fs: FileSystem;
  readonly root: string;
  readonly settings: RepositorySettings;
  /** Told of each folder whose names changed, relative: the caller makes them durable. */
  readonly touched: (folder: string) => void;
}

/** `bytes`: the content, or for a link its target; nothing for another repository. The caller has looked what is there. */
export async function writeMergedFile(
  place: Place,
  path: string,
  mode: string,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const absolute = join(place.root, path);
  await makeFolders(place.fs, place.root, path);
  place.touched(parentOf(path));
  if (mode === SUBMODULE) {
    // As `git checkout` leaves it: git fills it when it is asked to.
    fs.mkdirSync(absolute, { recursive: true });
    return;
  }
  if (bytes === undefined) throw new Error(`the content of ${path} is not there`);
  const there = lookAt(absolute);
  if (there?.isDirectory() === true) removeEmptyFolders(absolute);
  if (mode === LINK && place.settings.config().isOn('core.symlinks', true)) {
    placeLink(absolute, Buffer.from(bytes).toString('utf8'));
    return;
  }
  if (there?.isSymbolicLink() === true) await removeFile(place.fs, absolute);
  await placeFile(place.fs, absolute, bytes);
  if (place.settings.trustsFileMode()) await setExecutable(place.fs, absolute, mode === '100755');
}

/** The file, and the folders that it leaves empty; the top ones stay. */
export async function removeMergedFile(place: Place, path: string): Promise<void> {
  const absolute = join(place.root, path);
  const there = await orMissing(place.fs.lstat(absolute));
  if (there !== null && !there.isDirectory()) await removeFile(place.fs, absolute);
  place.touched(parentOf(path));
  for (const folder of foldersOf(path).slice(1).toReversed()) {
    try {
      fs.rmdirSync(join(place.root, folder));
      place.touched(parentOf(folder));
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      // Not empty: others are in it, or it is not there.
      return;
    }
  }
}

/** The target of a link, as git stores it; null for what is none. */
export function readLink(path: string): Buffer | null {
  try {
    return fs.readlinkSync(path, { encoding: 'buffer' });
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
}

/** What is at a path, links not followed; null for nothing, also where a file is above. */
export function lookAt(path: string): fs.Stats | null {
  try {
    return fs.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** `a/b/c.md` → `a`, `a/b`. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

function placeLink(path: string, target: string): void {
  const temporary = join(dirname(path), temporaryName());
  fs.symlinkSync(target, temporary);
  try {
    fs.renameSync(temporary, path);
  } catch (error) {
    fs.unlinkSync(temporary);
    throw error;
  }
}

async function setExecutable(files: FileSystem, path: string, wanted: boolean): Promise<void> {
  const mode = Number((await files.lstat(path)).mode) & 0o777;
  // Whoever may read it may run it, as git does.
  const next = wanted ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
  if (next !== mode) await files.setMode(path, next);
}

function removeEmptyFolders(folder: string): void {
  for (const name of fs.readdirSync(folder)) removeEmptyFolders(join(folder, name));
  fs.rmdirSync(folder);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
