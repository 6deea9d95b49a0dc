// What waits for the user: instructions and personal items that an agent wrote, forgettings of instructions, items that
// contradict each other, quarantined files. Each with the one command that settles it.

import { StetError } from '../memory/failure.ts';
import type { Item } from '../memory/item.ts';
import { isId } from '../memory/id.ts';
import { PERSONAL_KEY } from '../memory/space-key.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import { refuseUncommittedSecrets } from './file-secrets.ts';
import { forget } from './forget.ts';
import { userCommit, withKeys } from './item-edit.ts';
import type { Memory } from './memory.ts';
import { userSession } from './sessions.ts';
import { settlingCommand } from './settling-command.ts';
import { settleContested, type Settled, type Verdict } from './settle-contested.ts';

export type ReviewCase =
  /** An agent's item that is not in force until the user accepts it. */
  | { kind: 'waiting'; item: Item; path: string }
  /** An agent's personal item written from inside a space, in force, to be seen once. */
  | { kind: 'unseen'; item: Item; path: string }
  /** An agent asked to forget an instruction. */
  | { kind: 'forget-requested'; item: Item; path: string; by: string }
  /** Current items that replace the same one. */
  | { kind: 'contradiction'; items: readonly Item[] }
  /** Items whose supersession links go in a circle and count for nothing. */
  | { kind: 'cycle'; ids: readonly string[] }
  /** `command`: what settles it, or shows it where only a person does; null where nothing can be read there. */
  | { kind: 'quarantined'; path: string; line: number; message: string; command: string | null }
  /** Syncing has stopped, and why. */
  | { kind: 'sync-stopped'; problem: string }
  /** What syncs decided, each in words, to be seen once. */
  | { kind: 'sync-decided'; decisions: readonly string[] };

/** Stands for an id: what syncs decided. */
const SYNC = 'sync';

export async function listReview(memory: Memory): Promise<readonly ReviewCase[]> {
  await memory.refresh();
  const cases: ReviewCase[] = [];
  for (const { path, file } of memory.table.all()) {
    const { item } = file;
    if (item.review !== undefined) cases.push({ kind: item.review, item, path });
    if (item.forgetRequestedBy !== undefined) {
      cases.push({ kind: 'forget-requested', item, path, by: item.forgetRequestedBy });
    }
  }
  const groups = new Map<string, readonly Item[]>();
  const cyclic = new Set<string>();
  for (const key of new Set([PERSONAL_KEY, ...memory.table.spaceKeys()])) {
    const view = memory.viewOf(key === PERSONAL_KEY ? [key] : [PERSONAL_KEY, key]);
    // One that was superseded since is settled.
    for (const id of view.cyclic) if (view.current(id)) cyclic.add(id);
    for (const item of view.items()) {
      if (view.outdated(item) !== null) continue;
      const rivals = view.contradicting(item);
      if (rivals.length === 0) continue;
      const group = [item, ...rivals].sort((a, b) => (a.id < b.id ? -1 : 1));
      groups.set(group.map(({ id }) => id).join(' '), group);
    }
  }
  for (const items of groups.values()) cases.push({ kind: 'contradiction', items });
  if (cyclic.size > 0) cases.push({ kind: 'cycle', ids: [...cyclic].sort() });
  for (const { path, problems } of memory.table.quarantined()) {
    const command = await settlingCommand(memory, path);
    for (const { line, message } of problems) cases.push({ kind: 'quarantined', path, line, message, command });
  }
  const { problem, isStopped, decisions } = await memory.repository.sync.state.read();
  if (isStopped && problem !== null) cases.push({ kind: 'sync-stopped', problem });
  if (decisions.length > 0) cases.push({ kind: 'sync-decided', decisions });
  return cases;
}

/**
 * Accepts or rejects what waits at one item. A waiting item comes into force or is forgotten; an unseen one is marked as
 * seen or forgotten; a requested forgetting is carried out or dropped; what syncs decided is accepted with the id `sync`;
 * a file whose id another file has, given by its path, becomes an item of its own or goes. Throws `not-possible` where
 * nothing waits.
 */
export async function settleReview(memory: Memory, id: string, verdict: Verdict): Promise<Settled> {
  await memory.refresh();
  if (id === SYNC) return settleDecisions(memory, verdict);
  if (!isId(id)) return settleContested(memory, id, verdict);
  const located = memory.table.get(id);
  const item = located?.file.item;
  if (!located || !item || (item.review === undefined && item.forgetRequestedBy === undefined)) {
    throw new StetError({
      code: 'not-possible',
      subject: id,
      reason: 'nothing waits for you at this item',
      hint: 'Run `stet review` to see what does.',
    });
  }
  const forgets = item.forgetRequestedBy === undefined ? verdict === 'reject' : verdict === 'accept';
  if (forgets) {
    const outcome = await forget(memory, await userSession(memory, { item: id }), id);
    if (outcome.status === 'refused')
      throw new StetError({ code: 'not-possible', subject: id, reason: 'it is gone', hint: 'Nothing was changed.' });
    return { id, verdict, commit: outcome.commit };
  }
  const commit = await memory.repository.exclusive(async (transaction) => {
    const { path } = located;
    await refuseUncommittedSecrets(memory, [path]);
    await transaction.writeFile(path, await withKeys(memory, path, { review: null, forget_requested_by: null }));
    const message = userCommit(subjectLine('review', `${verdict} ${id}`), [item], id);
    return commitItems(memory, transaction, { ids: [id], paths: [path], message });
  });
  return { id, verdict, commit };
}

/** A merge cannot be rejected as a whole: each decision says what undoes it. */
async function settleDecisions({ repository: { sync } }: Memory, verdict: Verdict): Promise<Settled> {
  const state = await sync.state.read();
  if (verdict === 'reject' || state.decisions.length === 0) {
    throw new StetError({
      code: 'not-possible',
      subject: SYNC,
      reason: verdict === 'reject' ? 'a merge is not taken back as a whole' : 'no sync has decided anything new',
      hint: 'Run `stet review`: each decision says what undoes it.',
    });
  }
  await sync.state.write({ ...state, decisions: [] });
  return { id: SYNC, verdict, commit: null };
}
