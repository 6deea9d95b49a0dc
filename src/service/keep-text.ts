// Commits a file as it lies on the disk before an operation takes it away or writes over it: what was said to be in the history
// is. Invariant: nothing that looks like a secret is committed.

import { USER } from '../memory/remember.ts';
import { findSecrets } from '../memory/secrets.ts';
import type { Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import type { Memory } from './memory.ts';

/** Says whether HEAD has the text of an item's file then: not while git is busy, nor of what git ignores, nor of a secret. */
export async function keepText(memory: Memory, transaction: Transaction, id: string, path: string): Promise<boolean> {
  const { repository } = memory;
  const read = readItemFile(repository.root, path);
  if (read.status !== 'read') return read.status === 'gone';
  const { bytes } = read;
  const head = await repository.readHead(path);
  const moved = Array.from(memory.table.missing()).filter(({ lastGood }) => lastGood.id === id);
  for (const known of [head, ...(await Promise.all(moved.map((each) => repository.readHead(each.path))))]) {
    if (known !== null && bytes.equals(known)) return true;
  }
  const isSecret = (await findSecrets(bytes.toString('utf8'))).length > 0;
  if (isSecret || (await repository.obstacle()) !== null) return false;
  const message = {
    subject: subjectLine(head === null ? 'add' : 'edit', path),
    trailers: [
      ['Stet-Agent', USER],
      ['Stet-Item', id],
    ] as const,
    author: null,
  };
  const outcome = await commitItems(memory, transaction, { ids: [id], paths: [path], message });
  return outcome.status !== 'pending';
}
