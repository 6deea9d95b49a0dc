// `stet export` and `stet import jsonl`: every file of the memory that git would keep, as JSON lines or a plain folder,
// and back, byte for byte. One line a file; with history, one line a version before them.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { parseItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import { findSecrets } from '../memory/secrets.ts';
import { parseTombstone, tombstonedId } from '../memory/tombstone.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { subjectLine } from './commit-message.ts';
import type { Memory } from './memory.ts';

/** One line of an export. `content` is the whole file: UTF-8, or base64 where it is none. */
export type ExportLine =
  | { type: 'item'; path: string; id: string; content: string; encoding?: 'base64' }
  | { type: 'tombstone' | 'config'; path: string; content: string; encoding?: 'base64' }
  | {
      type: 'version';
      commit: string;
      time: string;
      author: string;
      subject: string;
      path: string;
      /** Null where the commit removed the file. */
      content: string | null;
      encoding?: 'base64';
    };

const CONFIG = ['spaces.yaml', 'policies.yaml', 'stet.yaml'] as const;

export interface ImportedLines {
  readonly imported: number;
  /** Files that are here already, byte for byte. */
  readonly unchanged: number;
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
  readonly commit: CommitOutcome | null;
}

/** Lines of the present state, and before them, oldest first, of every version, where history is wanted. */
export async function* exportLines(memory: Memory, history: boolean): AsyncIterable<ExportLine> {
  await memory.refresh();
  if (history) yield* exportHistory(memory);
  const paths = Array.from(memory.table.entries(), ({ path }) => path).sort();
  for (const path of [...CONFIG, ...paths]) {
    const read = readItemFile(memory.repository.root, path);
    if (read.status !== 'read') continue;
    const content = encode(read.bytes);
    const entry = memory.table.at(path);
    if (entry?.kind === 'item') yield { type: 'item', path, id: entry.file.item.id, ...content };
    else if (placeOf(path) !== null) yield { type: 'item', path, id: '', ...content };
    else yield { type: tombstonedId(path) === null ? 'config' : 'tombstone', path, ...content };
  }
}

/** Copies the files of the present state into a new or empty folder; returns how many. */
export async function exportFolder(memory: Memory, folder: string): Promise<number> {
  let count = 0;
  for await (const line of exportLines(memory, false)) {
    const target = join(folder, line.path);
    if (existsSync(target)) {
      throw new StetError({
        code: 'bad-argument',
        argument: folder,
        reason: `${line.path} is there already`,
        hint: 'Name a new or an empty folder.',
      });
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, decode(line));
    count += 1;
  }
  return count;
}

/**
 * Takes the items and tombstones of an export in, at the paths that they had, in one commit. A path or an id that is
 * taken otherwise is skipped and reported; settings are this memory's own. Throws `bad-file` for a line that is none.
 */
export async function importLines(memory: Memory, file: string): Promise<ImportedLines> {
  const lines = parseLines(file, await readFile(file, 'utf8'));
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const skipped: Array<{ path: string; reason: string }> = [];
    const paths: string[] = [];
    let unchanged = 0;
    for (const line of lines) {
      if (line.type === 'version' || line.type === 'config') continue;
      if (placeOf(line.path) === null && tombstonedId(line.path) === null) {
        skipped.push({ path: line.path, reason: 'it is no path of an item or a tombstone' });
        continue;
      }
      const bytes = decode(line);
      const here = readItemFile(memory.repository.root, line.path);
      if (here.status === 'read' && Buffer.compare(here.bytes, bytes) === 0) {
        unchanged += 1;
        continue;
      }
      const reason = await whyNot(memory, line, bytes, here.status !== 'gone');
      if (reason === null) {
        await transaction.writeFile(line.path, bytes);
        paths.push(line.path);
      } else skipped.push({ path: line.path, reason });
    }
    const commit =
      paths.length === 0
        ? null
        : await transaction.commit(paths, {
            subject: subjectLine('import', `${paths.length} files of an export`),
            trailers: [['Stet-Agent', 'user']],
            author: null,
          });
    await memory.take(paths);
    return { imported: paths.length, unchanged, skipped, commit };
  });
}

async function whyNot(memory: Memory, line: ExportLine, bytes: Buffer, taken: boolean): Promise<string | null> {
  if (taken) return 'another file is at this path';
  const forgotten = tombstonedId(line.path);
  if (forgotten !== null) {
    const parsed = parseTombstone({ path: line.path, bytes });
    if (!parsed.ok) return parsed.problems[0]?.message ?? 'it cannot be used';
    return memory.table.get(forgotten) ? `the item ${forgotten} is here and not forgotten` : null;
  }
  const parsed = parseItemFile({ path: line.path, bytes, modified: memory.now() });
  if (!parsed.ok) return parsed.problems[0]?.message ?? 'it cannot be used';
  const { id } = parsed.value.item;
  if (memory.table.tombstone(id)) return `the item ${id} was forgotten here`;
  if (memory.table.get(id)) return `the item ${id} is here already, in ${memory.table.get(id)?.path ?? ''}`;
  const [secret] = await findSecrets(bytes.toString('utf8'));
  return secret === undefined ? null : `line ${secret.line} looks like a secret (${secret.rule})`;
}

async function* exportHistory(memory: Memory): AsyncIterable<ExportLine> {
  const commits = [];
  for await (const entry of memory.repository.commits()) commits.push(entry);
  for (const { commit, at, author, subject } of commits.toReversed()) {
    for (const { path, after } of await memory.repository.changesIn(commit)) {
      const content = after === null ? { content: null } : encode(Buffer.from(after));
      yield { type: 'version', commit, time: at.toISOString(), author: author.name, subject, path, ...content };
    }
  }
}

function parseLines(file: string, text: string): readonly ExportLine[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      const value = JSON.parse(line) as Partial<ExportLine>;
      if (typeof value.type === 'string' && typeof value.path === 'string') return [value as ExportLine];
    } catch {
      // Told below, with the line.
    }
    throw new StetError({
      code: 'bad-file',
      path: file,
      line: index + 1,
      reason: 'this is no line of an export',
      hint: 'Export again with `stet export`. Nothing was imported.',
    });
  });
}

function encode(bytes: Buffer): { content: string; encoding?: 'base64' } {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes)
    ? { content: text }
    : { content: bytes.toString('base64'), encoding: 'base64' };
}

function decode(line: ExportLine): Buffer {
  return Buffer.from(line.content ?? '', line.encoding === 'base64' ? 'base64' : 'utf8');
}
