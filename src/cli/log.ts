import { neutralise } from '../memory/untrusted-text.ts';
import { text, type Call } from './command.ts';

/** `stet log`: the audit trail in words. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [id] = call.arguments;
  const [space, agent] = [text(call, 'space'), text(call, 'agent')];
  const [since, until] = [text(call, 'since'), text(call, 'until')];
  await io.withApp(async (app) => {
    const entries = await app.log({
      limit: Number.parseInt(text(call, 'last') ?? '50', 10) || 50,
      ...(id === undefined ? {} : { id }),
      ...(space === undefined ? {} : { space }),
      ...(agent === undefined ? {} : { agent }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    });
    for (const { time, author, operation, what, items } of entries) {
      const ids = items.length === 0 || what.includes(items[0] ?? '') ? '' : `  (${items.join(', ')})`;
      io.print(neutralise(`${time.slice(0, 16)}  ${author}  ${operation === '' ? '' : `${operation}  `}${what}${ids}`));
    }
    if (entries.length === 0) io.print('Nothing happened that matches.');
    io.printJson(entries);
  });
}
