import type { Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

/** `stet mv`: an item, with what it replaced, to another space. */
export async function run({ io, arguments: [id = '', to = ''] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const { space, moved, commit } = await app.moveItem(id, to);
    for (const each of moved) io.print(`${each.from} → ${each.to}`);
    if (moved.length === 0) io.print(`It is in ${space ?? 'personal'} already.`);
    if (moved.length > 1) io.note('What it replaced went along: it would be current again where it was.');
    noteCommit(io, commit);
    io.printJson({ id, space, moved, commit: commitJson(commit) });
  });
}
