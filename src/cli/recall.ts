import { flag, text, type Call } from './command.ts';
import { itemJson, printItem } from './print-item.ts';

/** The folder that decides where `--space` does not. */
const here = () => [{ source: 'working directory', folders: [process.cwd()] }] as const;

/** `stet recall`: what the user, or with `--as` an agent, gets for a question. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  await io.withApp(async (app) => {
    const agent = text(call, 'as');
    const space = text(call, 'space');
    const session =
      agent === undefined
        ? await app.userSession({ space })
        : await app.session({
            client: agent,
            named: space === undefined ? null : { by: '--space', space },
            folders: here(),
          });
    const result = await app.recall(session, { question: call.arguments.join(' '), trace: flag(call, 'trace') });
    for (const warning of session.warnings) io.note(`Warning: ${warning}`);
    for (const note of result.answer.notes) io.note(`Note: ${note}`);
    if (result.instructions.length > 0) io.print('Standing instructions:');
    for (const item of result.instructions) printItem(io, item);
    if (result.instructions.length > 0 && result.facts.length > 0) io.print('Facts:');
    for (const fact of result.facts) printItem(io, fact.item, `  (${fact.score.toFixed(2)})`);
    if (result.facts.length === 0) io.print('No stored fact answers this.');
    io.printJson({
      agent: result.agent,
      space: result.space,
      instructions: result.instructions.map((item) => itemJson(item)),
      facts: result.facts.map((fact) => itemJson(fact.item, fact.score)),
    });
  });
}
