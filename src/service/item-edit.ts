// Changes that the person at the command line makes to one item's file: its keys, or all of it. Invariants: a change is
// made to the bytes that it was judged by, or not at all; what is written is an item that is delivered.

import { whyTooMuch } from '../memory/argument-limits.ts';
import { StetError } from '../memory/failure.ts';
import { editFrontmatter, type FrontmatterChanges } from '../memory/frontmatter.ts';
import { adoptItemFile, parseItemFile, type ItemFile } from '../memory/item-file.ts';
import { isId } from '../memory/id.ts';
import { idInPath, placeOf } from '../memory/item-path.ts';
import type { Item, Problem } from '../memory/item.ts';
import { USER } from '../memory/remember.ts';
import { findSecrets } from '../memory/secrets.ts';
import { PERSONAL_KEY } from '../memory/space-key.ts';
import type { CommitMessage, CommitOutcome } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import { refuseUncommittedSecrets } from './file-secrets.ts';
import { givenPath, shellWord } from './given-path.ts';
import type { Memory } from './memory.ts';

/** An item's file as it stands, usable or not. */
export interface EditableFile {
  /** Null where a broken file tells none. */
  readonly id: string | null;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Why it is delivered to nobody, when it is. */
  readonly problems: readonly Problem[];
}

export type SavedEdit =
  | { status: 'saved'; id: string; path: string; commit: CommitOutcome }
  | { status: 'unchanged'; path: string }
  /** The text is no item: nothing was written. */
  | { status: 'invalid'; path: string; problems: readonly Problem[] }
  /** Somebody else changed the file since it was read: nothing was written. */
  | { status: 'overtaken'; path: string };

export interface TaggedItem {
  readonly id: string;
  readonly path: string;
  readonly tags: readonly string[];
  /** Null when nothing was to be changed. */
  readonly commit: CommitOutcome | null;
}

/** What is known of an item's file; nothing of it is read. */
type FoundFile = Omit<EditableFile, 'bytes'>;

/** The same as it stands. Throws `not-possible` where it is no file that an editor could be given, too. */
export async function editableFile(memory: Memory, given: string): Promise<EditableFile> {
  await memory.refresh();
  const found = findFile(memory, given);
  return { ...found, bytes: readBytes(memory, found.path) };
}

/** The file of an id or at a path, quarantined ones too, whatever is there. Throws `not-possible` when there is none. */
export function findFile(memory: Memory, given: string): FoundFile {
  const { table } = memory;
  if (!isId(given)) return fileAt(memory, given);
  const broken = table.quarantined().find(({ path }) => idInPath(path) === given);
  const path = table.get(given)?.path ?? broken?.path;
  if (path === undefined) throw unknownItem(given);
  return { id: given, path, problems: table.get(given) ? [] : (broken?.problems ?? []) };
}

function fileAt(memory: Memory, given: string): FoundFile {
  const { table, repository } = memory;
  const path = givenPath(repository.root, given);
  const entry = table.at(path);
  if (placeOf(path) === null || (entry?.kind !== 'item' && entry?.kind !== 'bad')) {
    throw new StetError({
      code: 'not-possible',
      subject: given,
      reason: 'there is no item of this id, and no file of an item at this path',
      hint: 'Run `stet list --all` to see the ids, and `stet review` for the files that cannot be used.',
    });
  }
  const problems = table.quarantined().find((each) => each.path === path)?.problems ?? [];
  const id = entry.kind === 'item' ? entry.file.item.id : (entry.lastGood?.id ?? null);
  return { id, path, problems };
}

/** Writes a whole file in place of the one that was read, and commits it. */
export async function saveEdit(memory: Memory, before: EditableFile, bytes: Uint8Array): Promise<SavedEdit> {
  const { path } = before;
  if (Buffer.compare(bytes, before.bytes) === 0) return { status: 'unchanged', path };
  const judged = await judgeEdit(memory, before, bytes);
  if (!judged.ok) return { status: 'invalid', path, problems: judged.problems };
  const { wanted, item } = judged;
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const now = readItemFile(memory.repository.root, path);
    if (now.status !== 'read' || Buffer.compare(now.bytes, before.bytes) !== 0) return { status: 'overtaken', path };
    await transaction.writeFile(path, wanted);
    const message = userCommit(subjectLine('edit', item.statement), [item], item.id);
    const commit = await commitItems(memory, transaction, { ids: [item.id], paths: [path], message });
    return { status: 'saved', id: item.id, path, commit };
  });
}

/** Adds and removes tags; one that is there already, or is not, makes no difference. */
export async function tagItem(
  memory: Memory,
  id: string,
  add: readonly string[],
  remove: readonly string[],
): Promise<TaggedItem> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const located = memory.table.get(id);
    if (!located) throw unknownItem(id);
    const { path, file } = located;
    const { item } = file;
    const tags = [...new Set([...item.tags.filter((tag) => !remove.includes(tag)), ...add])];
    if (tags.join('\n') === item.tags.join('\n')) return { id, path, tags, commit: null };
    const added = add.filter((tag) => !item.tags.includes(tag));
    const tooMuch = whyTooMuch({ tags: added, otherTags: tags.length - added.length });
    if (tooMuch !== null) throw new StetError({ code: 'bad-argument', argument: id, ...tooMuch });
    const [only = ''] = tags;
    await refuseUncommittedSecrets(memory, [path]);
    const written = tags.length === 0 ? null : tags.length === 1 && !only.includes(',') ? only : tags;
    await transaction.writeFile(path, await withKeys(memory, path, { tags: written }));
    const what = [...add.map((tag) => `+${tag}`), ...remove.map((tag) => `-${tag}`)].join(' ');
    const message = userCommit(subjectLine('edit', `${id} ${what}`), [item], id);
    const commit = await commitItems(memory, transaction, { ids: [id], paths: [path], message });
    return { id, path, tags, commit };
  });
}

/** The bytes of an item's file with these keys changed, and every key that adoption would add. */
export async function withKeys(memory: Memory, path: string, changes: FrontmatterChanges): Promise<Uint8Array> {
  const adopted = adoptItemFile({ path, bytes: readBytes(memory, path), ...(await identity(memory, path)) });
  if (!adopted.ok) throw unusable(path, adopted.problems);
  const edited = editFrontmatter(new TextDecoder('utf-8', { ignoreBOM: true }).decode(adopted.value), changes);
  if (!edited.ok) throw unusable(path, edited.problems);
  return new TextEncoder().encode(edited.value);
}

export function userCommit(subject: string, items: readonly Item[], id: string): CommitMessage {
  const [first] = items;
  return {
    subject,
    trailers: [
      ['Stet-Agent', USER],
      ['Stet-Space', first?.space ?? PERSONAL_KEY],
      ...(items.length === 0 ? [id] : items.map((item) => item.id)).map((each) => ['Stet-Item', each] as const),
    ],
    author: null,
  };
}

export function unknownItem(id: string): StetError {
  return new StetError({
    code: 'not-possible',
    subject: id,
    reason: 'there is no such item',
    hint: 'Run `stet list --all` to see the ids.',
  });
}

/** Whether a text can take the place of the file: an item, the same one, without a secret. */
async function judgeEdit(
  memory: Memory,
  { id, path }: EditableFile,
  bytes: Uint8Array,
): Promise<{ ok: true; wanted: Uint8Array; item: Item } | { ok: false; problems: readonly Problem[] }> {
  const adopted = adoptItemFile({ path, bytes, ...(await identity(memory, path)) });
  if (!adopted.ok) return adopted;
  const parsed = parseItemFile({ path, bytes: adopted.value, modified: memory.now() });
  if (!parsed.ok) return parsed;
  const { item }: ItemFile = parsed.value;
  if (id !== null && item.id !== id) {
    return invalid(`The id was ${id} and is ${item.id} now: an item keeps its id. Copy the file to make another item.`);
  }
  if (id === null && memory.table.isForgotten(item.id)) {
    return invalid(`The id ${item.id} is that of a forgotten item: remove the line, and the file gets one of its own.`);
  }
  const other = memory.table.pathsOf(item.id).find((each) => each !== path);
  if (id === null && other !== undefined) {
    return invalid(`The id ${item.id} is that of ${other}: remove the line, and the file gets one of its own.`);
  }
  const secrets = await findSecrets(new TextDecoder().decode(adopted.value));
  const [secret] = secrets;
  if (secret) {
    return invalid(`This looks like a secret (${secret.rule}): say where it is kept instead.`, secret.line);
  }
  return { ok: true, wanted: adopted.value, item };
}

function invalid(message: string, line = 1): { ok: false; problems: readonly Problem[] } {
  return { ok: false, problems: [{ line, message }] };
}

/** What adoption needs to know of a file whose keys are missing. */
async function identity(memory: Memory, path: string): Promise<{ now: Date; headItem?: Item }> {
  const good = await memory.readLastGood(path);
  return { now: memory.now(), ...(good?.kind === 'item' ? { headItem: good.file.item } : {}) };
}

function readBytes(memory: Memory, path: string): Uint8Array {
  const read = readItemFile(memory.repository.root, path);
  if (read.status === 'read') return read.bytes;
  if (read.status === 'not-a-regular-file' || read.status === 'too-large') {
    throw new StetError({
      code: 'not-possible',
      subject: path,
      reason: read.status === 'too-large' ? 'it is larger than 1 MB' : 'it is no ordinary file',
      hint: `\`stet open ${shellWord(path)}\` shows it on the desktop.`,
    });
  }
  const errno = read.status === 'unreadable' ? read.errno : 'ENOENT';
  throw new StetError({ code: 'file-system', operation: 'read', path, errno });
}

function unusable(path: string, problems: readonly Problem[]): StetError {
  const [problem] = problems;
  return new StetError({
    code: 'bad-file',
    path,
    line: problem?.line ?? 1,
    reason: (problem?.message ?? 'it cannot be edited').replace(/\.$/, ''),
    hint: 'Nothing was changed; correct the file by hand.',
  });
}
