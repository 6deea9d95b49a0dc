// Clearing up after a process that died while it held the write lock, or a machine that lost power.
// Invariant: only under `write.lock`, where every temporary file and every lock that stet signed is nobody's any more.
import { join } from 'node:path';
import { discard } from './atomic-file.ts';
import { errnoOf, orMissing, type FileSystem } from './file-system.ts';
import { ITEM_FOLDERS, RECORD_FOLDERS } from './memory-files.ts';
import type { ProcessLock } from './process-lock.ts';
import type { Head, Refs } from './refs.ts';

export interface RecoveryParts {
  readonly fs: FileSystem;
  readonly root: string;
  readonly gitFolder: string;
  readonly lock: ProcessLock;
  readonly refs: Refs;
}

const TEMPORARY = /^\.stet-[0-9a-f]{12}\.tmp/;

/** Removes the locks that block git, and the unfinished files. */
export async function clearUp(parts: RecoveryParts, head: Head, indexLockPath: string): Promise<void> {
  const { fs, root, gitFolder, lock, refs } = parts;
  const locks = head.kind === 'branch' ? refs.lockPaths(head.ref) : [join(gitFolder, 'HEAD.lock')];
  for (const path of [indexLockPath, ...locks]) await lock.removeIfLeftBehind(path);
  await lock.sweep();
  await sweepFolder(fs, join(gitFolder, 'stet'), false);
  await sweepWorkingTree(fs, root);
}

/** Removes the unfinished files beside the memory's own. */
export async function sweepWorkingTree(fs: FileSystem, root: string): Promise<void> {
  await sweepFolder(fs, root, false);
  for (const folder of [...ITEM_FOLDERS, ...RECORD_FOLDERS]) await sweepFolder(fs, join(root, folder), true);
}

/** Writes a branch file that is empty or garbled anew, from its log, so that git can read it too. */
export async function restoreBranch({ lock, refs }: RecoveryParts, head: Head, deadline: number): Promise<void> {
  if (head.kind !== 'branch' || !head.recovered || head.commit === null) return;
  const taken: string[] = [];
  try {
    for (const path of refs.lockPaths(head.ref)) {
      if (!(await lock.claim(path, deadline)).ok) return;
      taken.push(path);
    }
    await refs.makeBranchFolder(head.ref);
    await refs.writeBranch(head.ref, head.commit);
  } finally {
    for (const path of taken) await lock.free(path);
  }
}

async function sweepFolder(fs: FileSystem, folder: string, deep: boolean): Promise<void> {
  for (const entry of (await readIfPossible(fs, folder)) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isFile() && TEMPORARY.test(entry.name)) await discard(fs, path);
    else if (deep && entry.isDirectory() && entry.name !== '.git') await sweepFolder(fs, path, true);
  }
}

async function readIfPossible(fs: FileSystem, folder: string) {
  try {
    return await orMissing(fs.readFolder(folder));
  } catch (error) {
    // A folder that cannot be read keeps its rubbish; that must not stop a write.
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
