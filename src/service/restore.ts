// Bringing back: `restore` a forgotten item, `undo` the last operation. Both by a new commit; history is never changed.

import { StetError } from '../memory/failure.ts';
import { idInPath, placeOf } from '../memory/item-path.ts';
import { parseItemFile } from '../memory/item-file.ts';
import { findSecrets } from '../memory/secrets.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { tombstonedId, tombstonePath } from '../memory/tombstone.ts';
import type { CommitEntry, CommitOutcome, FileChange, Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import { versionAt } from './history.ts';
import { keepText } from './keep-text.ts';
import type { Memory } from './memory.ts';

export interface Restored {
  readonly id: string;
  readonly path: string;
  readonly commit: CommitOutcome;
}

export interface Undone {
  /** The operation that was undone: its commit and subject. */
  readonly undone: { readonly commit: string; readonly subject: string };
  readonly paths: readonly string[];
  readonly commit: CommitOutcome;
}

/**
 * Brings an item back as it was: a forgotten one as it stood last, or as its file says where that is there again, or any
 * one as it stood at a moment. Throws `not-possible` if it cannot.
 */
export async function restoreItem(memory: Memory, id: string, moment: string | null): Promise<Restored> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const present = memory.table.get(id)?.path;
    const forgotten = memory.table.tombstone(id) !== undefined;
    if (moment === null && !forgotten) {
      throw badId(id, present === undefined ? 'no item of that id was forgotten here' : 'it is not forgotten');
    }
    // The file that somebody has brought back already is what is meant: nothing is written over it.
    const isBack = moment === null ? await fileThatIsBack(memory, id) : null;
    const version =
      isBack ?? (moment === null ? await lastVersion(memory, id) : await versionAt(memory, id, moment, '--at'));
    if (version === null) throw badId(id, 'its text is not in this history (it was purged, or never committed)');
    // An item that moved to another space since goes back: its file of then, in the folder of now, would be quarantined.
    const stays = present !== undefined && sameSpace(present, version.path);
    const path = stays ? present : version.path;
    if (!stays && isBack === null) refuseIfTaken(memory, path);
    if (present !== undefined) await refuseToLose(memory, transaction, id, present);
    const paths = [path];
    await transaction.writeFile(path, version.bytes);
    if (present !== undefined && !stays) {
      await transaction.removeFile(present);
      paths.push(present);
    }
    if (forgotten) {
      await transaction.removeFile(tombstonePath(id));
      paths.push(tombstonePath(id));
    }
    const message = {
      subject: subjectLine('restore', moment === null ? id : `${id} as of ${moment}`),
      trailers: [['Stet-Item', id]] as const,
      author: null,
    };
    return { id, path, commit: await commitItems(memory, transaction, { ids: [id], paths, message }) };
  });
}

/** What somebody has typed into the file, and no commit has. */
async function refuseToLose(memory: Memory, transaction: Transaction, id: string, path: string): Promise<void> {
  if (await keepText(memory, transaction, id, path)) return;
  throw new StetError({
    code: 'not-possible',
    subject: 'restore',
    reason: `${path} has text that no commit has`,
    hint: 'Run `stet status` to see why, commit or undo that, and restore again. Nothing was changed.',
  });
}

function sameSpace(a: string, b: string): boolean {
  return spaceKeyOf(placeOf(a)?.space ?? null) === spaceKeyOf(placeOf(b)?.space ?? null);
}

/** The file of a forgotten item, which nobody is given while the tombstone stands; null where there is none. */
async function fileThatIsBack(memory: Memory, id: string): Promise<{ path: string; bytes: Uint8Array } | null> {
  const [path] = memory.table.pathsOf(id);
  const read = path === undefined ? null : readItemFile(memory.repository.root, path);
  if (path === undefined || read?.status !== 'read') return null;
  const [secret] = await findSecrets(read.bytes.toString('utf8'));
  if (secret) {
    throw new StetError({
      code: 'not-possible',
      subject: 'restore',
      reason: `line ${secret.line} of ${path} looks like a secret (${secret.rule})`,
      hint: 'Take it out, and restore again. Nothing was changed.',
    });
  }
  return { path, bytes: read.bytes };
}

function refuseIfTaken(memory: Memory, path: string): void {
  if (readItemFile(memory.repository.root, path).status === 'gone') return;
  throw new StetError({
    code: 'not-possible',
    subject: 'restore',
    reason: `another file is at ${path} now`,
    hint: 'Move or rename that file, and restore again. Nothing was changed.',
  });
}

/**
 * Undoes the newest operation of stet that changed something, whoever asked for it. Commits that a person made with git
 * are left alone. Throws `not-possible` where a file of it changed since, where it would bring back the file of an item
 * that was forgotten or moved since, where a merge came after it, and while the commit of a newer one waits for git.
 */
export async function undoLast(memory: Memory): Promise<Undone> {
  await memory.repository.commitPending();
  return memory.repository.exclusive(async (transaction) => {
    await refuseIfWaiting(memory);
    await memory.refresh();
    const last = await lastOperation(memory);
    if (last === null) {
      throw new StetError({
        code: 'not-possible',
        subject: 'undo',
        reason: 'there is nothing to undo',
        hint: 'See `git log` for what happened.',
      });
    }
    const { entry, changes } = last;
    for (const { path, after } of changes) refuseIfChanged(memory, path, after, entry);
    for (const { path, before } of changes) if (before !== null) refuseIfElsewhere(memory, path, before, changes);
    for (const { path, before } of changes) {
      if (before === null) await transaction.removeFile(path);
      else await transaction.writeFile(path, before);
    }
    const paths = changes.map(({ path }) => path);
    const commit = await transaction.commit(paths, {
      subject: subjectLine('undo', entry.subject),
      trailers: [['Stet-Undo', entry.commit], ...entry.trailers.filter(([name]) => name === 'Stet-Item')],
      author: null,
    });
    await memory.take(paths);
    return { undone: { commit: entry.commit, subject: entry.subject }, paths, commit };
  });
}

/** What the user means by the last operation is one that no commit has yet: an older one must not be taken for it. */
async function refuseIfWaiting(memory: Memory): Promise<void> {
  const last = (await memory.repository.pending()).at(-1);
  if (last === undefined) return;
  throw new StetError({
    code: 'not-possible',
    subject: 'undo',
    reason: `the last operation ("${last.message.subject}") has no commit yet: ${last.reason}`,
    hint: 'Settle that, and undo again. Nothing was changed.',
  });
}

/** The newest commit of stet's on HEAD's line that is no undo, no merge of a sync, nor undone already, and changed something. */
async function lastOperation(memory: Memory): Promise<{ entry: CommitEntry; changes: readonly FileChange[] } | null> {
  const undone = new Set<string>();
  for await (const entry of memory.repository.commits()) {
    const undoes = entry.trailers.find(([name]) => name === 'Stet-Undo')?.[1];
    if (undoes !== undefined) {
      undone.add(undoes);
      continue;
    }
    const isSync = entry.trailers.some(([name]) => name === 'Stet-Sync');
    if (isSync || undone.has(entry.commit) || entry.parent === null) continue;
    if (entry.isMerge) throw unmergeable(entry);
    if (!entry.trailers.some(([name]) => name.startsWith('Stet-'))) continue;
    const changes = await memory.repository.changesIn(entry.commit);
    if (changes.length > 0) return { entry, changes };
  }
  return null;
}

/** What came in by it may be newer than any operation below it, and a merge has no one state before it. */
function unmergeable({ commit, subject }: CommitEntry): StetError {
  return new StetError({
    code: 'not-possible',
    subject: 'undo',
    reason: `the last change is a merge (${commit.slice(0, 8)}, "${subject}"), which cannot be undone as one operation`,
    hint: `Run \`stet log\` to see what it brought; single items are taken back with \`stet forget ID\` or \`stet restore ID\`. Nothing was changed.`,
  });
}

function refuseIfChanged(memory: Memory, path: string, expected: Uint8Array | null, entry: CommitEntry): void {
  const now = readItemFile(memory.repository.root, path);
  const same =
    expected === null ? now.status === 'gone' : now.status === 'read' && now.bytes.equals(Buffer.from(expected));
  if (same) return;
  throw new StetError({
    code: 'not-possible',
    subject: 'undo',
    reason: `${path} has changed since "${entry.subject}"`,
    hint: 'Undo what came later first, or edit the file.',
  });
}

/**
 * A file must not come back whose item went elsewhere since: it would be delivered to nobody, and counted as broken where
 * nobody sees the reason.
 */
function refuseIfElsewhere(memory: Memory, path: string, before: Uint8Array, changes: readonly FileChange[]): void {
  const id = placeOf(path) === null ? null : idOf(path, before);
  if (id === null) return;
  const goes = (other: string): boolean => changes.some((change) => change.path === other && change.before === null);
  const present = memory.table.get(id)?.path;
  if (memory.table.isForgotten(id) && !goes(tombstonePath(id))) {
    throw new StetError({
      code: 'not-possible',
      subject: 'undo',
      reason: `the item ${id} of ${path} was forgotten`,
      hint: `Run \`stet restore ${id}\` to bring it back. Nothing was changed.`,
    });
  }
  if (present !== undefined && present !== path && !goes(present)) {
    throw new StetError({
      code: 'not-possible',
      subject: 'undo',
      reason: `the item ${id} of ${path} is in ${present} now`,
      hint: 'Move that file back by hand. Nothing was changed.',
    });
  }
}

/** The file of a forgotten item as it was before the commit that removed it. */
async function lastVersion(memory: Memory, id: string): Promise<{ path: string; bytes: Uint8Array } | null> {
  for (const { commit } of await memory.repository.log(tombstonePath(id))) {
    const removed = await findRemoved(memory, id, commit);
    if (removed !== null) return removed;
  }
  // Deleted by a commit of git's: a merge has buried it later.
  for await (const { commit } of memory.repository.commits()) {
    const removed = await findRemoved(memory, id, commit);
    if (removed !== null) return removed;
  }
  return null;
}

async function findRemoved(
  memory: Memory,
  id: string,
  commit: string,
): Promise<{ path: string; bytes: Uint8Array } | null> {
  for (const { path, before, after } of await memory.repository.changesIn(commit)) {
    if (after !== null || before === null || placeOf(path) === null || tombstonedId(path) !== null) continue;
    if (idInPath(path) === id || idOf(path, before) === id) return { path, bytes: before };
  }
  return null;
}

function idOf(path: string, bytes: Uint8Array): string | null {
  const parsed = parseItemFile({ path, bytes, modified: new Date(0) });
  return parsed.ok ? parsed.value.item.id : null;
}

function badId(id: string, reason: string): StetError {
  return new StetError({
    code: 'not-possible',
    subject: id,
    reason,
    hint: 'Run `stet list --forgotten` to see what can be restored.',
  });
}
