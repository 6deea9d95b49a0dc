import type { Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

export async function run({ io }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const { undone, paths, commit } = await app.undo();
    io.print(`Undone: ${undone.subject}`);
    for (const path of paths) io.print(`  ${path}`);
    noteCommit(io, commit);
    io.printJson({ undone, paths, commit: commitJson(commit) });
  });
}
