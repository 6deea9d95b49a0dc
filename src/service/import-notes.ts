// Brings a folder of ordinary notes along: one note an item, in one commit. A note keeps every byte that it has; what
// stet needs is added in front. Idempotent: an id comes from the note's path and body, so a second run finds it again.

import { basename } from 'node:path';
import { adoptItemFile, parseItemFile } from '../memory/item-file.ts';
import { newItemPath } from '../memory/item-path.ts';
import type { Item, Problem, Space } from '../memory/item.ts';
import { StetError } from '../memory/failure.ts';
import { findSecrets } from '../memory/secrets.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { resolveFolder } from '../repo/project-folder.ts';
import { readItemFile, scanWorkingTree, type SkipReason } from '../repo/working-tree.ts';
import { subjectLine } from './commit-message.ts';
import { knownSpace } from './list-items.ts';
import type { Memory } from './memory.ts';
import type { ImportSummary } from './results.ts';

export interface ImportRequest {
  /** Absolute path of the notes. */
  readonly folder: string;
  /** A space's name, or `personal`; personal when it is not given. */
  readonly space?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The source that imported notes carry where they name none of their own. */
const SOURCE = 'import';

interface PreparedNote {
  readonly item: Item;
  readonly path: string;
  readonly bytes: Uint8Array;
}

type Prepared = { ok: true; note: PreparedNote } | { ok: false; reason: string };

/** Throws `bad-argument` for a folder that is not there, `file-system` for one that cannot be read. */
export async function importNotes(memory: Memory, request: ImportRequest): Promise<ImportSummary> {
  const root = resolveFolder(request.folder);
  if (root === null) {
    throw new StetError({
      code: 'bad-argument',
      argument: 'FOLDER',
      reason: `there is no folder ${request.folder}`,
      hint: 'Name the folder that holds the notes.',
    });
  }
  await memory.refresh();
  const space = request.space === undefined ? null : knownSpace(memory, request.space);
  const found = scanWorkingTree(root, ['.']);
  const skipped: Array<{ path: string; reason: string }> = [
    ...found.skipped.map(({ path, reason }) => ({ path: inside(path), reason: explainSkip(reason) })),
    ...found.unreadable.map(({ path, errno }) => ({ path: inside(path), reason: `cannot be read (${errno})` })),
  ];
  const paths = [...found.files.keys()].sort();
  const notes: PreparedNote[] = [];
  const texts = new Map<string, string>();
  let unchanged = 0;
  for (const [done, path] of paths.entries()) {
    request.onProgress?.(done, paths.length);
    const prepared = await prepare(root, inside(path), space);
    if (!prepared.ok) {
      skipped.push({ path: inside(path), reason: prepared.reason });
      continue;
    }
    const { item } = prepared.note;
    const twin = texts.get(item.text) ?? identicalIn(memory, item);
    if (memory.table.get(item.id)) unchanged += 1;
    else if (memory.table.tombstone(item.id)) skipped.push({ path: inside(path), reason: 'it was forgotten before' });
    else if (twin !== undefined) skipped.push({ path: inside(path), reason: `it says the same as ${twin}` });
    else {
      texts.set(item.text, inside(path));
      notes.push(prepared.note);
    }
  }
  const commit = notes.length === 0 ? null : await store(memory, notes, basename(root), space);
  request.onProgress?.(paths.length, paths.length);
  skipped.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { imported: notes.length, unchanged, skipped, commit };
}

async function store(
  memory: Memory,
  notes: readonly PreparedNote[],
  from: string,
  space: Space,
): Promise<ImportSummary['commit']> {
  return memory.repository.exclusive(async (transaction) => {
    for (const note of notes) await transaction.writeFile(note.path, note.bytes);
    const paths = notes.map(({ path }) => path);
    const commit = await transaction.commit(paths, {
      subject: subjectLine('import', `${notes.length} notes from ${from}`),
      trailers: [
        ['Stet-Agent', 'user'],
        ['Stet-Space', space ?? spaceKeyOf(null)],
      ],
      author: null,
    });
    await memory.take(paths);
    return commit;
  });
}

/** The item that a note becomes. It is read as if it stood in its space under the path that it had in its folder. */
async function prepare(root: string, path: string, space: Space): Promise<Prepared> {
  const read = readItemFile(root, path);
  switch (read.status) {
    case 'gone':
      return { ok: false, reason: 'it vanished while it was imported' };
    case 'unreadable':
      return { ok: false, reason: `it cannot be read (${read.errno})` };
    case 'not-a-regular-file':
      return { ok: false, reason: explainSkip(read.type) };
    case 'too-large':
      return { ok: false, reason: 'it is larger than 1 MB' };
    case 'read':
      break;
  }
  const modified = new Date(Number(read.stamp.modifiedNs / 1_000_000n));
  const folder = space === null ? 'personal' : `spaces/${space}`;
  // In a memory README.md is for people; in a folder of notes it is a note like any other.
  const stands = `${folder}/${path.replace(/(^|\/)README\.md$/i, '$1README.note.md')}`;
  const secrets = await findSecrets(read.bytes.toString('utf8'));
  const [secret] = secrets;
  if (secret) return { ok: false, reason: `line ${secret.line} looks like a secret (${secret.rule})` };
  const adopted = adoptItemFile({ path: stands, bytes: read.bytes, now: modified, source: SOURCE, imported: true });
  if (!adopted.ok) return { ok: false, reason: explainProblems(adopted.problems) };
  const bytes = adopted.value;
  const parsed = parseItemFile({ path: stands, bytes, modified });
  if (!parsed.ok) return { ok: false, reason: explainProblems(parsed.problems) };
  const { item, title } = parsed.value;
  const name = title ?? item.statement;
  return {
    ok: true,
    note: { item, path: newItemPath({ ...item, created: modified.toISOString(), statement: name }), bytes },
  };
}

function identicalIn(memory: Memory, item: Item): string | undefined {
  return memory.table.withText(item.text).find((id) => {
    const other = memory.table.get(id)?.file.item;
    return other !== undefined && spaceKeyOf(other.space) === spaceKeyOf(item.space) && other.id !== item.id;
  });
}

function inside(path: string): string {
  return path.replace(/^\.\//, '');
}

function explainProblems(problems: readonly Problem[]): string {
  const [first] = problems;
  return first === undefined ? 'it cannot be used' : `line ${first.line}: ${first.message}`;
}

function explainSkip(reason: SkipReason): string {
  switch (reason) {
    case 'symbolic-link':
      return 'it is a symbolic link';
    case 'folder':
      return 'it is a folder named like a note';
    case 'special-file':
      return 'it is no regular file';
    case 'nested-repository':
      return 'it is a git repository of its own';
    case 'name-not-utf8':
      return 'its name is not UTF-8';
  }
}
