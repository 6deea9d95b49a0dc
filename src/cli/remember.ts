import { describeRefusal } from '../memory/refusal.ts';
import { flag, list, text, type Call } from './command.ts';
import { itemJson, printItem } from './print-item.ts';

/** `stet remember`: exit code 1 when nothing was stored. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  return io.withApp(async (app) => {
    const space = text(call, 'space');
    const supersedes = list(call, 'supersedes');
    const session = await app.userSession({ space, item: supersedes[0] });
    const optional = {
      kind: text(call, 'kind'),
      until: text(call, 'until'),
      asOf: text(call, 'asOf'),
      target: text(call, 'target'),
    };
    const result = await app.remember(session, {
      text: call.arguments.join(' '),
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
      ...(space === undefined ? {} : { space }),
      supersedes,
      tags: list(call, 'tag'),
      keepBoth: flag(call, 'keepBoth'),
    });
    switch (result.status) {
      case 'stored': {
        io.print(`Saved ${result.path}`);
        if (result.commit.status === 'pending') io.note(`Commit pending: ${result.commit.reason}`);
        for (const warning of result.warnings) io.note(`Warning: ${warning}`);
        if (result.similar.length > 0) io.print('Similar, and still current:');
        for (const item of result.similar) printItem(io, item);
        io.printJson({
          status: result.status,
          id: result.item.id,
          path: result.path,
          commit: result.commit.status === 'pending' ? null : result.commit.commit,
          similar: result.similar.map((item) => itemJson(item)),
          warnings: result.warnings,
        });
        return 0;
      }
      case 'identical':
      case 'near-identical': {
        io.print(
          result.status === 'identical'
            ? `Already known as ${result.item.id}; nothing needed saving.`
            : `Nothing was saved: ${result.item.id} says nearly the same. Use --supersedes ${result.item.id} to replace it, or --keep-both.`,
        );
        printItem(io, result.item);
        io.printJson({
          status: result.status,
          id: result.item.id,
          path: null,
          commit: null,
          similar: [itemJson(result.item)],
          warnings: [],
        });
        return result.status === 'identical' ? 0 : 1;
      }
      case 'refused': {
        const message = describeRefusal(result.refusal);
        io.note(`stet: ${message}`);
        io.printJson({ status: 'refused', id: null, path: null, commit: null, similar: [], warnings: [message] });
        return 1;
      }
    }
  });
}
