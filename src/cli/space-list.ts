import type { Call } from './command.ts';

export async function run({ io }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const spaces = await app.listSpaces();
    for (const { name, aliases, remotes, folders, items } of spaces) {
      io.print(`${name}  ${items} ${items === 1 ? 'item' : 'items'}`);
      if (aliases.length > 0) io.print(`  was: ${aliases.join(', ')}`);
      for (const remote of remotes) io.print(`  remote: ${remote}`);
      for (const folder of folders) io.print(`  folder: ${folder}`);
    }
    if (spaces.length === 0) io.print('No spaces yet. `stet space add NAME --folder PROJECT` makes one.');
    io.printJson(spaces);
  });
}
