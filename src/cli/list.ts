import { flag, text, type Call } from './command.ts';
import { itemJson, printItem } from './print-item.ts';

/** `stet list`: current items, or all with `--all`, newest first. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  await io.withApp(async (app) => {
    const space = text(call, 'space');
    const kind = text(call, 'kind');
    const items = await app.list({
      ...(space === undefined ? {} : { space }),
      ...(kind === undefined ? {} : { kind }),
      outdated: flag(call, 'all'),
    });
    for (const { item, outdated, uncommitted } of items) {
      const remarks = [outdated, uncommitted ? 'uncommitted' : null].filter((remark) => remark !== null);
      printItem(io, item, remarks.length === 0 ? '' : `  [${remarks.join(', ')}]`);
    }
    if (items.length === 0) io.print('Nothing here yet. `stet remember "…"` stores a statement.');
    io.printJson(
      items.map(({ item, path, outdated, uncommitted }) => ({ ...itemJson(item), path, outdated, uncommitted })),
    );
  });
}
