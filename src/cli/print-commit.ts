// How the outcome of a commit is told: only one that waits is worth a word.

import type { CommitOutcome } from '../app.ts';
import type { Io } from './io.ts';

export function noteCommit(io: Io, commit: CommitOutcome | null): void {
  if (commit?.status === 'pending') io.note(`Commit pending: ${commit.reason}`);
}

/** The full commit id; null while it waits or where none was needed. */
export function commitJson(commit: CommitOutcome | null): string | null {
  return commit === null || commit.status === 'pending' ? null : commit.commit;
}
