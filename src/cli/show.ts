import { describeRefusal } from '../memory/refusal.ts';
import { neutralise } from '../memory/untrusted-text.ts';
import { policiesOf, text, type Call } from './command.ts';
import { itemJson, printItem } from './print-item.ts';

/** `stet show`: one item whole, with its path and its chain; exit code 1 when there is none. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const [id = ''] = call.arguments;
  const moment = text(call, 'at');
  if (moment !== undefined) return showPast(call, id, moment);
  return io.withApp(async (app) => {
    const session = await app.userSession({ item: id });
    const found = await app.read(session, id);
    const listed = await app.locate(id);
    if (found.status === 'refused' || listed === null) {
      io.complain(`stet: there is no item ${id}. Run \`stet list --all\` to see the ids.`);
      io.printJson(null);
      if (found.status === 'refused' && found.refusal.code !== 'unknown-id') io.note(describeRefusal(found.refusal));
      return 1;
    }
    printItem(io, found.item, found.outdated === null ? '' : `  [${found.outdated}]`);
    io.print(`${listed.path}${listed.uncommitted ? ' (uncommitted)' : ''}`);
    io.print();
    io.print(neutralise(found.item.text, 'many-lines'));
    if (found.chain.length > 0) io.print();
    for (const step of found.chain) {
      io.print(step.relation === 'supersedes' ? 'replaced' : 'replaced by');
      printItem(io, step.item);
    }
    io.printJson({
      ...itemJson(found.item),
      path: listed.path,
      outdated: found.outdated,
      uncommitted: listed.uncommitted,
      chain: found.chain.map((step) => ({ relation: step.relation, ...itemJson(step.item) })),
    });
    return 0;
  });
}

/** As it stood then, with the chain of then. */
async function showPast(call: Call, id: string, moment: string): Promise<number> {
  const { io } = call;
  return io.withApp(async (app) => {
    const past = await app.at(moment, policiesOf(call));
    try {
      const found = await past.read(await past.userSession({ item: id }), id);
      if (found.status === 'refused') {
        io.complain(`stet: there was no item ${id} at ${moment}. Run \`stet log ${id}\` to see when it was there.`);
        io.printJson(null);
        return 1;
      }
      printItem(io, found.item, found.outdated === null ? '' : `  [${found.outdated}]`);
      io.print();
      io.print(neutralise(found.item.text, 'many-lines'));
      io.printJson({
        ...itemJson(found.item),
        at: past.time.toISOString(),
        outdated: found.outdated,
        chain: found.chain.map((step) => ({ relation: step.relation, ...itemJson(step.item) })),
      });
      return 0;
    } finally {
      await past.close();
    }
  });
}
