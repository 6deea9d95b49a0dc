// Two files with one id, of which one is not used: the user says whether it is an item of its own, or goes. Invariant: what
// goes is in a commit, byte for byte; the other file is not touched.

import { StetError } from '../memory/failure.ts';
import { idInPath } from '../memory/item-path.ts';
import type { Item } from '../memory/item.ts';
import { findSecrets } from '../memory/secrets.ts';
import type { CommitOutcome, Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { subjectLine } from './commit-message.ts';
import { givenPath } from './given-path.ts';
import { userCommit, withKeys } from './item-edit.ts';
import type { Memory } from './memory.ts';

export type Verdict = 'accept' | 'reject';

export interface Settled {
  /** The id, path or word that the verdict was given for. */
  readonly id: string;
  readonly verdict: Verdict;
  /** Null where no file changed. */
  readonly commit: CommitOutcome | null;
}

/**
 * Throws `not-possible` for a path whose id no other file has, for one to accept that holds a secret, and for one to take
 * away that no commit has as it is.
 */
export async function settleContested(memory: Memory, given: string, verdict: Verdict): Promise<Settled> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const path = givenPath(memory.repository.root, given);
    const entry = memory.table.at(path);
    const item = entry?.kind === 'item' ? entry.file.item : null;
    const isQuarantined = memory.table.quarantined().some((each) => each.path === path);
    if (item === null || !isQuarantined || memory.table.isForgotten(item.id)) {
      throw new StetError({
        code: 'not-possible',
        subject: given,
        reason: 'no file waits for you at this path because of its id',
        hint: 'Run `stet review` to see what does.',
      });
    }
    const { paths, commit } = await (verdict === 'accept'
      ? makeOwnItem(memory, transaction, path, item)
      : takeAway(memory, transaction, path, item));
    await memory.take(paths);
    return { id: given, verdict, commit };
  });
}

interface Changed {
  readonly paths: readonly string[];
  readonly commit: CommitOutcome;
}

/** A name that carries the old id gets the new one. */
async function makeOwnItem(memory: Memory, transaction: Transaction, path: string, item: Item): Promise<Changed> {
  let id = memory.newId();
  while (memory.table.isTaken(id)) id = memory.newId();
  const target = idInPath(path) === item.id ? path.replace(`.${item.id}.md`, `.${id}.md`) : path;
  const bytes = await withKeys(memory, path, { id });
  await refuseSecret(memory, path, bytes);
  await transaction.writeFile(target, bytes);
  if (target !== path) await transaction.removeFile(path);
  const paths = [...new Set([target, path])];
  const message = userCommit(subjectLine('review', `accept ${path} as ${id}`), [{ ...item, id }], id);
  return { paths, commit: await transaction.commit(paths, message) };
}

/** A copy that nobody committed was never searched. `bytes`: what would be written, which may have more lines than the file. */
async function refuseSecret({ repository }: Memory, path: string, bytes: Uint8Array): Promise<void> {
  const [found] = await findSecrets(new TextDecoder().decode(bytes));
  if (found === undefined) return;
  const read = readItemFile(repository.root, path);
  const [inFile] = read.status === 'read' ? await findSecrets(read.bytes.toString('utf8')) : [];
  const secret = inFile ?? found;
  throw new StetError({
    code: 'not-possible',
    subject: path,
    reason: `line ${secret.line} looks like a secret (${secret.rule})`,
    hint: 'Take it out, and accept again. Nothing was changed.',
  });
}

async function takeAway(memory: Memory, transaction: Transaction, path: string, item: Item): Promise<Changed> {
  const { repository } = memory;
  const changed = (await repository.status()).some((each) => each.path === path);
  if (changed || readItemFile(repository.root, path).status !== 'read') {
    throw new StetError({
      code: 'not-possible',
      subject: path,
      reason: 'it is not committed as it is now, so its text would be lost',
      hint: 'Delete it by hand if that is meant.',
    });
  }
  await transaction.removeFile(path);
  const message = userCommit(subjectLine('review', `reject ${path}`), [item], item.id);
  return { paths: [path], commit: await transaction.commit([path], message) };
}
