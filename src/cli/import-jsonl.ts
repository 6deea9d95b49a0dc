import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

/** `stet import jsonl`: idempotent; what is taken otherwise is skipped and named. */
export async function run({ io, arguments: [given = ''] }: Call): Promise<void> {
  const file = resolve(given);
  if (!existsSync(file)) {
    throw new StetError({
      code: 'bad-argument',
      argument: 'FILE',
      reason: `there is no file ${file}`,
      hint: 'Make one with `stet export > memory.jsonl`.',
    });
  }
  await io.withApp(async (app) => {
    const { imported, unchanged, skipped, commit } = await app.importLines(file);
    io.print(`Imported ${imported} files, ${unchanged} were here already, ${skipped.length} skipped.`);
    for (const { path, reason } of skipped) io.print(`  ${path}: ${reason}`);
    noteCommit(io, commit);
    io.printJson({ imported, unchanged, skipped, commit: commitJson(commit) });
  });
}
