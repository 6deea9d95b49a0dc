import { describeRefusal } from '../memory/refusal.ts';
import { neutralise } from '../memory/untrusted-text.ts';
import type { Call } from './command.ts';
import { itemJson, printItem } from './print-item.ts';

/** `stet show`: one item whole, with its path and its chain; exit code 1 when there is none. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const [id = ''] = call.arguments;
  return io.withApp(async (app) => {
    const session = await app.userSession({ item: id });
    const found = await app.read(session, id);
    const listed = await app.locate(id);
    if (found.status === 'refused' || listed === null) {
      io.note(`stet: there is no item ${id}. Run \`stet list --all\` to see the ids.`);
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
