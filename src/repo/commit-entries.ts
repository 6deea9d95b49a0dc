// What a commit puts into git's index. Invariant: an entry has the stat data of a file only if the file is what the commit has.
import type { IndexEntry } from './git-index.ts';
import type { GitObject } from './git-object.ts';
import type { TreeFile } from './tree-store.ts';
import type { WorkingFile } from './working-file.ts';

/** A file of the working tree, and what git would keep of it. */
export interface CleanedFile {
  readonly file: WorkingFile;
  readonly blob: GitObject | null;
}

/** Null takes an entry out. `fileAt`: the file at a path; undefined where its stat data are not to be used. */
export function makeIndexEntries(
  plan: {
    readonly changes: ReadonlyMap<string, TreeFile | null>;
    readonly unstaged: ReadonlySet<string>;
  },
  fileAt: (path: string) => CleanedFile | undefined,
): Map<string, IndexEntry | null> {
  const entries = new Map([...plan.changes].map(([path, file]) => [path, toIndexEntry(file, fileAt(path))] as const));
  for (const path of plan.unstaged) entries.set(path, null);
  return entries;
}

/** A recorded blob that is not what lies on disk gets empty stat data: git compares the content itself. */
function toIndexEntry(file: TreeFile | null, cleaned: CleanedFile | undefined): IndexEntry | null {
  if (file === null) return null;
  const stat = cleaned?.file.kind === 'file' && cleaned.blob?.id === file.id ? cleaned.file.stat : NO_STAT;
  return { mode: Number.parseInt(file.mode, 8), id: file.id, stat };
}

const NO_STAT: IndexEntry['stat'] = {
  ctimeSeconds: 0,
  ctimeNanoseconds: 0,
  mtimeSeconds: 0,
  mtimeNanoseconds: 0,
  device: 0,
  inode: 0,
  uid: 0,
  gid: 0,
  size: 0,
};
