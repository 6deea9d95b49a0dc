// What the user has begun with git and not ended. While it lasts stet writes files but commits nothing: a commit in the
// middle of a merge would take its place.
import { join } from 'node:path';
import { orMissing, type FileSystem } from './file-system.ts';

/** Files and folders by which git remembers an operation (gitrepository-layout, wt-status.c). */
const MARKS: ReadonlyArray<readonly [mark: string, words: string]> = [
  ['MERGE_HEAD', 'a merge is in progress'],
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase or `git am` is in progress'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
  ['sequencer', 'a series of cherry-picks or reverts is in progress'],
  ['BISECT_LOG', 'a bisect is in progress'],
];

/** In words, or null when nothing is under way. */
export async function findOperationInProgress(fs: FileSystem, gitFolder: string): Promise<string | null> {
  for (const [mark, words] of MARKS) {
    if ((await orMissing(fs.lstat(join(gitFolder, mark)))) !== null) return words;
  }
  return null;
}
