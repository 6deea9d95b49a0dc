// Commits what an operation has changed of items. Invariant: an item that somebody has moved by hand, and nobody committed,
// leaves its old path in the same commit, or HEAD would hold two files of one id.

import type { CommitMessage, CommitOutcome, Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import type { Memory } from './memory.ts';

export interface ItemCommit {
  /** The items that it is about. */
  readonly ids: readonly string[];
  /** The files that were written or removed. */
  readonly paths: Iterable<string>;
  readonly message: CommitMessage;
}

/** Commits the files as they are now, and takes them in. */
export async function commitItems(
  memory: Memory,
  transaction: Transaction,
  { ids, paths, message }: ItemCommit,
): Promise<CommitOutcome> {
  const all = new Set(paths);
  for (const { path, lastGood } of memory.table.missing()) {
    if (!ids.includes(lastGood.id)) continue;
    if (readItemFile(memory.repository.root, path).status !== 'gone') continue;
    // The move is one change: also where its first half alone is staged (`git mv`).
    await transaction.removeFile(path);
    all.add(path);
  }
  const outcome = await transaction.commit([...all], message);
  await memory.take(all);
  return outcome;
}
