import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWord, type ImportedLines } from '../app.ts';
import { StetError } from '../memory/failure.ts';
import { flag, type Call } from './command.ts';
import { counted } from './counted.ts';
import { INTERRUPTED, untilInterrupted } from './interruption.ts';
import type { Io } from './io.ts';
import { commitJson, noteCommit } from './print-commit.ts';
import { withProgress } from './progress.ts';

/** `stet import jsonl`: idempotent; what is taken otherwise is skipped and named. Exit code 1 when a history was not taken. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const file = resolve(call.arguments[0] ?? '');
  const isThere = existsSync(file);
  if (!isThere || statSync(file).isDirectory()) {
    throw new StetError({
      code: 'bad-argument',
      argument: 'FILE',
      reason: isThere ? `${file} is a folder` : `there is no file ${file}`,
      hint: 'Make one with `stet export > memory.jsonl`.',
    });
  }
  const noSecrets = flag(call, 'confirmNoSecrets');
  const { value, interrupted } = await untilInterrupted('Nothing was imported.', (signal) =>
    io.withApp((app) =>
      withProgress(io, 'Importing', (onProgress) => app.importLines({ file, noSecrets, onProgress, signal })),
    ),
  );
  const { imported, unchanged, skipped, commit, history } = value;
  printHistory(io, file, history);
  io.print(`Imported ${counted(imported, 'file')}, ${unchanged} here already, ${skipped.length} skipped.`);
  for (const { path, reason } of skipped) io.print(`  ${path}: ${reason}`);
  noteCommit(io, commit);
  io.printJson({
    imported,
    unchanged,
    skipped,
    commit: commitJson(commit),
    history:
      history?.status === 'taken'
        ? { status: 'taken', commits: history.commits, merges: history.merges, same_ids: history.hasSameIds }
        : history,
  });
  if (interrupted) return INTERRUPTED;
  return history?.status === 'left' ? 1 : 0;
}

function printHistory(io: Io, file: string, history: ImportedLines['history']): void {
  if (history === null) return;
  const commits = counted(history.commits, 'commit');
  switch (history.status) {
    case 'taken': {
      const { merges, hasSameIds } = history;
      io.print(`Imported a history of ${commits}, ${hasSameIds ? 'with the ids that they had' : 'with new ids'}.`);
      if (merges > 0) {
        io.print(
          `Among them: ${counted(merges, 'merge')}, kept with one parent: an export tells nothing of what was merged.`,
        );
      }
      return;
    }
    case 'same':
      io.print(`The history of ${commits} is here already.`);
      return;
    case 'left':
      io.complain(
        `The history of the export (${commits}) was not taken: ${history.why}. It goes into a new memory: \`stet init FOLDER\`, then \`stet import jsonl ${shellWord(file)} --memory FOLDER\`.`,
      );
  }
}
