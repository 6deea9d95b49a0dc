import { flag, text, type Call } from './command.ts';
import { itemJson, printItemTable } from './print-item.ts';
import { printRows } from './table.ts';

/** `stet list`: current items, or all with `--all`, newest first. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  await io.withApp(async (app) => {
    if (flag(call, 'forgotten')) {
      const forgotten = await app.listForgotten();
      printRows(
        io,
        [{ title: 'Id' }, { title: 'Date' }, { title: 'Space', yields: 1 }, { title: 'By', flexible: 'cut' }],
        forgotten.map(({ id, forgotten: at, by, space }) => [
          id,
          at.slice(0, 10),
          space ?? 'personal',
          `forgotten by ${by}`,
        ]),
      );
      if (forgotten.length === 0) io.print('Nothing was forgotten.');
      io.printJson(forgotten);
      return;
    }
    const space = text(call, 'space');
    const kind = text(call, 'kind');
    const items = await app.list({
      ...(space === undefined ? {} : { space }),
      ...(kind === undefined ? {} : { kind }),
      outdated: flag(call, 'all'),
    });
    printItemTable(
      io,
      items.map(({ item, outdated, uncommitted }) => ({
        item,
        remarks: [outdated, uncommitted ? 'uncommitted' : null].filter((remark) => remark !== null),
      })),
    );
    if (items.length === 0) io.print('Nothing here yet. `stet remember "…"` stores a statement.');
    io.printJson(
      items.map(({ item, path, outdated, uncommitted }) => ({ ...itemJson(item), path, outdated, uncommitted })),
    );
  });
}
