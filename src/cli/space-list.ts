import type { App } from '../app.ts';
import { neutralise } from '../memory/untrusted-text.ts';
import type { Call } from './command.ts';
import { counted } from './counted.ts';
import type { Io } from './io.ts';
import { printTable } from './table.ts';

type SpaceReport = Awaited<ReturnType<App['listSpaces']>>[number];

export async function run({ io }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const spaces = await app.listSpaces();
    if (io.width === null) {
      for (const space of spaces) printSpace(io, space);
    } else if (spaces.length > 0) {
      printTable(
        io,
        [
          { title: 'Space' },
          { title: 'Items', align: 'right' },
          { title: 'Was', yields: 1 },
          { title: 'Folders and remotes', flexible: 'wrap' },
        ],
        spaces.map(({ name, aliases, remotes, folders, items }) => [
          name,
          String(items),
          aliases.join(', '),
          [...folders, ...remotes].join('  '),
        ]),
      );
    }
    if (spaces.length === 0) io.print('No spaces yet. `stet space add NAME --folder PROJECT` makes one.');
    io.printJson(spaces);
  });
}

function printSpace(io: Io, { name, aliases, remotes, folders, items }: SpaceReport): void {
  io.print(`${name}  ${counted(items, 'item')}`);
  if (aliases.length > 0) io.print(`  was: ${aliases.join(', ')}`);
  for (const remote of remotes) io.print(neutralise(`  remote: ${remote}`));
  for (const folder of folders) io.print(neutralise(`  folder: ${folder}`));
}
