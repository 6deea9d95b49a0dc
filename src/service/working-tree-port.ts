// How the service reads the files of a memory, as a port, so that tests can make any reading fail. Invariant: what
// cannot be read is never told as gone, the memory's own folder included.

import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { tombstonedId } from '../memory/tombstone.ts';
import { errnoOf } from '../repo/file-system.ts';
import {
  isItemName,
  readItemFile,
  scanFilesInTurns,
  type ReadFileResult,
  type UnreadablePath,
  type WorkingTreeScan,
} from '../repo/working-tree.ts';

export interface WorkingTree {
  /** Why nothing can be said of any file: the memory was moved or unmounted. Null while it is there. */
  whyAbsent(): UnreadablePath | null;
  scanItems(folders: readonly string[]): Promise<WorkingTreeScan>;
  scanTombstones(): Promise<WorkingTreeScan>;
  /** One file; never through a link, nor from a repository in the memory. */
  read(path: string): ReadFileResult;
  /**
   * When something last changed at a path where nothing is now, in ms since 1970: the change of the nearest folder that
   * is there. An upper bound, for other files change folders too.
   */
  vanishedAtMs(path: string): number;
}

export function diskTree(root: string): WorkingTree {
  return {
    whyAbsent: () => {
      try {
        // A folder without it is not this memory: an empty mount point, or what somebody made in its place.
        lstatSync(join(root, '.git'));
        return null;
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === null) throw error;
        return { path: root, errno };
      }
    },
    scanItems: (folders) => scanFilesInTurns(root, folders, [], isItemName),
    scanTombstones: () => scanFilesInTurns(root, ['forgotten'], [], (path) => tombstonedId(path) !== null),
    read: (path) => readBelowFolders(root, path),
    vanishedAtMs: (path) => {
      for (let folder = dirname(path); ; folder = dirname(folder)) {
        const stat = lstatSync(join(root, folder), { throwIfNoEntry: false });
        if (stat || folder === '.') return stat?.ctimeMs ?? Date.now();
      }
    },
  };
}

/** A file counts only where a scan would find it: not behind a link, and not in another repository. */
function readBelowFolders(root: string, path: string): ReadFileResult {
  const folders = path.split('/').slice(0, -1);
  try {
    for (let depth = 1; depth <= folders.length; depth++) {
      const folder = join(root, ...folders.slice(0, depth));
      if (lstatSync(folder).isSymbolicLink()) return { status: 'not-a-regular-file', type: 'symbolic-link' };
      if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false })) {
        return { status: 'not-a-regular-file', type: 'nested-repository' };
      }
    }
  } catch {
    // What stands in the way of a folder stands in the way of the file: reading it tells which error that is.
  }
  return readItemFile(root, path);
}
