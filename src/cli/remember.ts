import type { RememberResult } from '../app.ts';
import { describeRefusal } from '../memory/refusal.ts';
import { flag, list, text, type Call } from './command.ts';
import { itemJson, printItem } from './print-item.ts';
import { spokenText } from './standard-input.ts';

/** `stet remember`: exit code 1 when nothing was stored. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const statement = await spokenText(call);
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
      text: statement,
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
        const [known, ...notDone] = describeKnown(result);
        for (const line of [known, ...notDone]) io.print(line);
        printItem(io, result.item);
        io.printJson({
          status: result.status,
          id: result.item.id,
          path: null,
          commit: null,
          similar: [itemJson(result.item)],
          warnings: notDone,
        });
        return result.status === 'identical' && notDone.length === 0 ? 0 : 1;
      }
      case 'refused': {
        const message = describeRefusal(result.refusal);
        io.complain(`stet: ${message}`);
        if (result.refusal.code === 'no-writable-space') for (const warning of session.warnings) io.note(warning);
        io.printJson({ status: 'refused', id: null, path: null, commit: null, similar: [], warnings: [message] });
        return 1;
      }
    }
  });
}

/** What is known already, and then what of the command was not done. */
function describeKnown(
  result: Extract<RememberResult, { status: 'identical' | 'near-identical' }>,
): readonly [string, ...string[]] {
  const { id } = result.item;
  if (result.status === 'near-identical') {
    const ids = [id, ...result.replaces].join(' ');
    return [`Nothing was saved: ${id} says nearly the same. Use --supersedes ${ids} to replace it, or --keep-both.`];
  }
  const { differs, stillCurrent } = result;
  if (differs.length + stillCurrent.length === 0) return [`Already known as ${id}; nothing needed saving.`];
  return [
    `Already known as ${id}; nothing was saved.`,
    ...(differs.length === 0 ? [] : [`Its ${differs.join(', ')} differs: use --supersedes ${id} if yours holds now.`]),
    ...(stillCurrent.length === 0
      ? []
      : [`Still current, to be forgotten if ${id} replaces it: ${stillCurrent.join(', ')}.`]),
  ];
}
