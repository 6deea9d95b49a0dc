// `forget`: the file goes, a tombstone without text stays, and what the item superseded does not come back. Invariant: it is
// said to be in the history only where it is.

import { describeOutdated } from './outdated.ts';
import { editFrontmatter } from '../memory/frontmatter.ts';
import { lastGoodOf } from '../memory/item-table.ts';
import { USER } from '../memory/remember.ts';
import { mayWrite, type Session } from '../memory/session.ts';
import { PERSONAL_KEY } from '../memory/space-key.ts';
import { printTombstone, tombstonePath } from '../memory/tombstone.ts';
import type { Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { authorOf, subjectLine } from './commit-message.ts';
import { keepText } from './keep-text.ts';
import type { Memory } from './memory.ts';
import type { Reading } from './reading.ts';
import type { ForgetResult, ReadResult } from './results.ts';

/** `keepsText`: what no commit has of it is committed first, as far as it can be; not where it is to be purged. */
export async function forget(
  memory: Memory,
  session: Session,
  given: string,
  { keepsText = true }: { readonly keepsText?: boolean } = {},
): Promise<ForgetResult> {
  const id = given.trim();
  if (!mayWrite(session)) return { status: 'refused', refusal: { code: 'no-writable-space' } };
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const view = memory.view(session);
    const item = view.item(id);
    const path = view.path(id);
    if (!item || path === undefined) return { status: 'refused', refusal: { code: 'unknown-id', id } };
    const byAgent = session.agent !== USER;
    if (byAgent && item.kind === 'instruction' && memory.config.review.instructions) {
      return requestForget(memory, transaction, session, { id, path });
    }
    const isKept = keepsText && (await keepText(memory, transaction, id, path));
    const tombstone = tombstonePath(id);
    const forgotten = memory
      .now()
      .toISOString()
      .replace(/\.\d{3}Z$/, 'Z');
    const text = printTombstone({ ...lastGoodOf(item), forgotten, by: session.source });
    // The tombstone first: a crash between the two leaves a quarantined file, never an item that comes back.
    await transaction.writeFile(tombstone, new TextEncoder().encode(text));
    await transaction.removeFile(path);
    const message = {
      subject: subjectLine('forget', id),
      trailers: [
        ['Stet-Agent', session.agent],
        ['Stet-Space', item.space ?? PERSONAL_KEY],
        ['Stet-Item', id],
      ] as const,
      author: authorOf(session),
    };
    const commit = await commitItems(memory, transaction, { ids: [id], paths: [path, tombstone], message });
    return { status: 'forgotten', id, commit, isKept };
  });
}

/** With `instructions.review` on, the request is written into the item, and the item stays in force. */
async function requestForget(
  memory: Memory,
  transaction: Transaction,
  session: Session,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<ForgetResult> {
  const read = readItemFile(memory.repository.root, path);
  const text = read.status === 'read' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes) : null;
  const edited = text === null ? null : editFrontmatter(text, { forget_requested_by: session.source });
  if (edited?.ok !== true) return { status: 'refused', refusal: { code: 'unknown-id', id } };
  await transaction.writeFile(path, new TextEncoder().encode(edited.value));
  const message = {
    subject: subjectLine('review', `${session.agent} asks to forget ${id}`),
    trailers: [
      ['Stet-Agent', session.agent],
      ['Stet-Item', id],
    ] as const,
    author: authorOf(session),
  };
  const commit = await commitItems(memory, transaction, { ids: [id], paths: [path], message });
  return { status: 'waiting', id, commit };
}

/** `read`: one visible item whole, with the visible part of its chain, oldest first. */
export async function read(memory: Reading, session: Session, given: string): Promise<ReadResult> {
  const id = given.trim();
  await memory.refresh();
  const view = memory.view(session);
  const item = view.item(id);
  if (!item) return { status: 'refused', refusal: { code: 'unknown-id', id } };
  return { status: 'found', item, outdated: describeOutdated(view.outdated(item)), chain: view.chain(item) };
}
