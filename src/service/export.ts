// `stet export`: every file of the memory that git would keep, as JSON lines or a plain folder, byte for byte. One line a file;
// with history, one line a version before them, and one for each that is gone and not committed.

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { placeOf } from '../memory/item-path.ts';
import { isLocalFile, SETTING_FILES } from '../memory/merge/memory-versions.ts';
import { tombstonedId } from '../memory/tombstone.ts';
import { printZonedTime } from '../memory/zoned-time.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { encodeContent, type ExportLine } from './export-line.ts';
import type { Memory } from './memory.ts';

/**
 * Lines of the present state, and before them, oldest first, of every version, where history is wanted; after them then
 * what the last commit has and the disk has not.
 */
export async function* exportLines(memory: Memory, history: boolean): AsyncIterable<ExportLine> {
  await memory.refresh();
  if (history) yield* exportHistory(memory);
  const present = new Set<string>();
  for (const { path, bytes } of presentFiles(memory)) {
    present.add(path);
    const content = encodeContent(bytes);
    const entry = memory.table.at(path);
    if (entry?.kind === 'item') yield { type: 'item', path, id: entry.file.item.id, ...content };
    else if (placeOf(path) !== null) yield { type: 'item', path, id: '', ...content };
    else yield { type: tombstonedId(path) === null ? 'config' : 'tombstone', path, ...content };
  }
  if (history) yield* exportDeletions(memory, present);
}

/** Copies the files of the present state into a new or empty folder; returns how many. */
export async function exportFolder(memory: Memory, folder: string): Promise<number> {
  await memory.refresh();
  let count = 0;
  for (const { path, bytes } of presentFiles(memory)) {
    const target = join(folder, path);
    if (existsSync(target)) {
      throw new StetError({
        code: 'bad-argument',
        argument: folder,
        reason: `${path} is there already`,
        hint: 'Name a new or an empty folder.',
      });
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
    count += 1;
  }
  return count;
}

function* presentFiles(memory: Memory): Iterable<{ path: string; bytes: Buffer }> {
  const paths = Array.from(memory.table.entries(), ({ path }) => path).sort();
  for (const path of [...SETTING_FILES, ...paths]) {
    const read = readItemFile(memory.repository.root, path);
    if (read.status === 'read') yield { path, bytes: read.bytes };
  }
}

/** Files that HEAD has and the disk has not, of those that have a line when they are there. */
async function* exportDeletions({ repository }: Memory, present: ReadonlySet<string>): AsyncIterable<ExportLine> {
  for (const { path, state } of await repository.status()) {
    // What is gone since its line was printed was there when the export was made.
    if (state !== 'deleted' || present.has(path)) continue;
    if (placeOf(path) !== null) yield { type: 'item', path, id: '', content: null };
    else if (tombstonedId(path) !== null) yield { type: 'tombstone', path, content: null };
    else if (SETTING_FILES.some((name) => name === path)) yield { type: 'config', path, content: null };
  }
}

async function* exportHistory({ repository }: Memory): AsyncIterable<ExportLine> {
  const entries = [];
  for await (const entry of repository.commits()) entries.push(entry);
  for (const { commit, subject, isMerge } of entries.toReversed()) {
    const { author, authored, committer, committed, message } = await repository.readCommit(commit);
    const line = {
      type: 'version' as const,
      commit,
      time: printZonedTime(committed),
      authored: printZonedTime(authored),
      author: author.name,
      author_email: author.email,
      committer: committer.name,
      committer_email: committer.email,
      subject,
      message,
      ...(isMerge && { merge: true as const }),
    };
    const changes = (await repository.changesIn(commit)).filter(({ path }) => !isLocalFile(path));
    if (changes.length === 0) yield { ...line, path: null, content: null };
    for (const { path, after, executable } of changes) {
      const content = after === null ? { content: null } : encodeContent(Buffer.from(after));
      yield { ...line, path, ...content, ...(executable && { executable }) };
    }
  }
}
