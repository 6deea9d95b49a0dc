// Two files with one id, of which one is not used: the user says whether it is an item of its own, or goes. Invariant: what
// goes is in a commit, byte for byte; the other file is not touched.

import { StetError } from '../memory/failure.ts';
import { idInPath } from '../memory/item-path.ts';
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

/** Throws `not-possible` for a path whose id no other file has, and for one to take away that no commit has as it is. */
export async function settleContested(memory: Memory, given: string, verdict: Verdict): Promise<Settled> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const path = givenPath(memory.repository.root, given);
    const entry = memory.table.at(path);
    const id = entry?.kind === 'item' ? entry.file.item.id : null;
    const isQuarantined = memory.table.quarantined().some((each) => each.path === path);
    if (id === null || !isQuarantined || memory.table.isForgotten(id)) {
      throw new StetError({
        code: 'not-possible',
        subject: given,
        reason: 'no file waits for you at this path because of its id',
        hint: 'Run `stet review` to see what does.',
      });
    }
    const { paths, commit } = await (verdict === 'accept'
      ? makeOwnItem(memory, transaction, path, id)
      : takeAway(memory, transaction, path, id));
    await memory.take(paths);
    return { id: given, verdict, commit };
  });
}

interface Changed {
  readonly paths: readonly string[];
  readonly commit: CommitOutcome;
}

/** A name that carries the old id gets the new one. */
async function makeOwnItem(memory: Memory, transaction: Transaction, path: string, old: string): Promise<Changed> {
  let id = memory.newId();
  while (memory.table.isTaken(id)) id = memory.newId();
  const target = idInPath(path) === old ? path.replace(`.${old}.md`, `.${id}.md`) : path;
  await transaction.writeFile(target, await withKeys(memory, path, { id }));
  if (target !== path) await transaction.removeFile(path);
  const paths = [...new Set([target, path])];
  const message = userCommit(subjectLine('review', `accept ${path} as ${id}`), [], id);
  return { paths, commit: await transaction.commit(paths, message) };
}

async function takeAway(memory: Memory, transaction: Transaction, path: string, id: string): Promise<Changed> {
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
  const message = userCommit(subjectLine('review', `reject ${path}`), [], id);
  return { paths: [path], commit: await transaction.commit([path], message) };
}
