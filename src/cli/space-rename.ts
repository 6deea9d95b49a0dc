import type { Call } from './command.ts';
import { counted } from './counted.ts';
import { commitJson, noteCommit } from './print-commit.ts';

export async function run({ io, arguments: [from = '', to = ''] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const { name, items, commit } = await app.renameSpace(from, to);
    io.print(`The space is called ${name} now; ${counted(items, 'item')} moved. ${from} stays an alias.`);
    noteCommit(io, commit);
    io.printJson({ name, alias: from, items, commit: commitJson(commit) });
  });
}
