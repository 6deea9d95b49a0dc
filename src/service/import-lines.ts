// `stet import jsonl`: takes an export in, byte for byte: with its history into a new memory, else its items and tombstones.
// Invariant: an export with a line that cannot be used changes nothing.

import { readFile } from 'node:fs/promises';
import { parseItemFile } from '../memory/item-file.ts';
import type { OnProgress } from '../memory/progress.ts';
import { findSecrets } from '../memory/secrets.ts';
import { parseTombstone, tombstonedId } from '../memory/tombstone.ts';
import { orFileFailure } from '../repo/file-failure.ts';
import type { CommitOutcome, Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { subjectLine } from './commit-message.ts';
import { parseExport, type ExportedFile } from './export-line.ts';
import { judgeHistory, takeHistory, type ImportedHistory } from './import-history.ts';
import type { Memory } from './memory.ts';

export interface ImportLinesRequest {
  /** Absolute path of the export. */
  readonly file: string;
  /** What looks like a secret in an export with history is none: the user says so. */
  readonly noSecrets?: boolean;
  /** Counts the steps of taking a history: each commit is one when it is searched, and one when it is written. */
  readonly onProgress?: OnProgress;
  /** Stops the taking of a history with an `AbortError`; nothing was imported then. */
  readonly signal?: AbortSignal;
}

/** What became of the files of the present state. */
export interface ImportedFiles {
  readonly imported: number;
  /** Files that are here already, byte for byte. */
  readonly unchanged: number;
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

export interface ImportedLines extends ImportedFiles {
  readonly commit: CommitOutcome | null;
  /** Null where the export has no history. */
  readonly history: ImportedHistory | null;
}

/**
 * An export with history comes whole, settings and every commit, into a memory that has nothing yet. Of any other export, and
 * into any other memory, come the items and tombstones, at the paths that they had, in one commit; what is taken otherwise is
 * skipped and reported; nothing is removed. Throws `bad-file` for a line that is none, and for a secret in what would come with
 * its history, and `file-system` where the export cannot be read.
 */
export async function importLines(memory: Memory, request: ImportLinesRequest): Promise<ImportedLines> {
  const { file } = request;
  const parsed = parseExport(file, await orFileFailure('read', file, () => readFile(file)));
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const { commits, files } = parsed;
    const verdict = await judgeHistory(memory, commits);
    if (verdict === 'none') return { ...(await takeFiles(memory, transaction, files)), history: null };
    if (verdict === 'new' || verdict === 'same') return takeHistory(memory, transaction, parsed, verdict, request);
    const history = { status: 'left' as const, commits: commits.length, why: verdict.left };
    return { ...(await takeFiles(memory, transaction, files)), history };
  });
}

/** Settings stay this memory's own. */
async function takeFiles(
  memory: Memory,
  transaction: Transaction,
  files: readonly ExportedFile[],
): Promise<Omit<ImportedLines, 'history'>> {
  const skipped: Array<{ path: string; reason: string }> = [];
  const paths: string[] = [];
  let unchanged = 0;
  for (const { type, path, bytes } of files) {
    if (type === 'config' || bytes === null) continue;
    const here = readItemFile(memory.repository.root, path);
    if (here.status === 'read' && here.bytes.equals(bytes)) {
      unchanged += 1;
      continue;
    }
    const reason = here.status === 'gone' ? await whyNot(memory, path, bytes) : 'another file is at this path';
    if (reason === null) {
      await transaction.writeFile(path, bytes);
      paths.push(path);
    } else skipped.push({ path, reason });
  }
  const message = {
    subject: subjectLine('import', `${paths.length} files of an export`),
    trailers: [['Stet-Agent', 'user']] as const,
    author: null,
  };
  const commit = paths.length === 0 ? null : await transaction.commit(paths, message);
  await memory.take(paths);
  return { imported: paths.length, unchanged, skipped, commit };
}

async function whyNot(memory: Memory, path: string, bytes: Buffer): Promise<string | null> {
  const forgotten = tombstonedId(path);
  if (forgotten !== null) {
    const parsed = parseTombstone({ path, bytes });
    if (!parsed.ok) return parsed.problems[0]?.message ?? 'it cannot be used';
    return memory.table.get(forgotten) ? `the item ${forgotten} is here and not forgotten` : null;
  }
  const parsed = parseItemFile({ path, bytes, modified: memory.now() });
  if (!parsed.ok) return parsed.problems[0]?.message ?? 'it cannot be used';
  const { id } = parsed.value.item;
  if (memory.table.tombstone(id)) return `the item ${id} was forgotten here`;
  if (memory.table.get(id)) return `the item ${id} is here already, in ${memory.table.get(id)?.path ?? ''}`;
  const [secret] = await findSecrets(bytes.toString('utf8'));
  return secret === undefined ? null : `line ${secret.line} looks like a secret (${secret.rule})`;
}
