import { count, text, type Call } from './command.ts';
import { printRows } from './table.ts';

/** `stet log`: the audit trail in words. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [id] = call.arguments;
  const [space, agent] = [text(call, 'space'), text(call, 'agent')];
  const [since, until] = [text(call, 'since'), text(call, 'until')];
  await io.withApp(async (app) => {
    const entries = await app.log({
      limit: count(call, 'last', 50),
      ...(id === undefined ? {} : { id }),
      ...(space === undefined ? {} : { space }),
      ...(agent === undefined ? {} : { agent }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    });
    printRows(
      io,
      [{ title: 'Time', yields: 2 }, { title: 'Who', yields: 1 }, { title: 'What' }, { title: '', flexible: 'cut' }],
      entries.map(({ time, author, operation, what, items }) => {
        const ids = items.length === 0 || what.includes(items[0] ?? '') ? '' : `  (${items.join(', ')})`;
        return [time.slice(0, 16), author, operation, `${what}${ids}`];
      }),
    );
    if (entries.length === 0) io.print('Nothing happened that matches.');
    io.printJson(entries);
  });
}
