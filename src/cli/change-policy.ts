import type { Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

/** `stet allow` and `stet deny`: one rule, one commit. */
export async function changePolicy({ io, arguments: given }: Call, effect: 'allow' | 'deny'): Promise<void> {
  const [agent = '', space = '*'] = given;
  await io.withApp(async (app) => {
    const change = await app.changePolicy(agent, space, effect);
    const who = change.agent === '*' ? 'every agent' : change.agent;
    const where = change.space === '*' ? 'every named space' : change.space;
    const verb = effect === 'allow' ? 'may see' : 'may not see';
    io.print(`${who} ${verb} ${where}${change.commit === null ? ' (as before)' : ''}.`);
    for (const warning of change.warnings) io.note(`Warning: ${warning}`);
    noteCommit(io, change.commit);
    io.printJson({ ...change, commit: commitJson(change.commit) });
  });
}
