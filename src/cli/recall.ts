import type { App } from '../app.ts';
import { flag, policiesOf, text, type Call } from './command.ts';
import { itemJson, printAnswer } from './print-item.ts';
import { spokenText } from './standard-input.ts';

/** The folder that decides where `--space` does not. */
const here = () => [{ source: 'working directory', folders: [process.cwd()] }] as const;

/** `stet recall`: what the user, or with `--as` an agent, gets for a question; with `--at`, as the memory stood then. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const question = await spokenText(call);
  await io.withApp(async (app) => {
    const moment = text(call, 'at');
    if (moment === undefined) {
      const trace = flag(call, 'trace');
      return answer(call, app, question, (session, request) =>
        trace ? app.recallTraced(session, request) : app.recall(session, request),
      );
    }
    const past = await app.at(moment, policiesOf(call));
    try {
      io.note(`As of ${past.time.toISOString()}:`);
      return await answer(call, past, question, (session, request) => past.recall(session, request));
    } finally {
      await past.close();
    }
  });
}

async function answer(
  call: Call,
  app: Pick<App, 'session' | 'userSession'>,
  question: string,
  recall: App['recall'],
): Promise<void> {
  const { io } = call;
  const agent = text(call, 'as');
  const space = text(call, 'space');
  const named = space === undefined ? null : ({ by: '--space', space } as const);
  const session =
    agent === undefined
      ? await app.userSession({ space })
      : await app.session({ client: agent, named, folders: here() });
  const result = await recall(session, { question });
  for (const note of result.answer.notes) io.note(`Note: ${note}`);
  if (result.instructions.length > 0) io.print('Standing instructions:');
  if (result.instructions.length > 0) {
    printAnswer(
      io,
      result.instructions.map((item) => ({ item, score: null, remark: '' })),
    );
  }
  if (result.instructions.length > 0 && result.facts.length > 0) io.print('Facts:');
  const contradicts = new Map(result.answer.facts.map((fact) => [fact.item.id, fact.contradicts]));
  const facts = result.facts.map(({ item, score }) => {
    const rivals = contradicts.get(item.id) ?? [];
    const remark = rivals.length === 0 ? '' : `  contradicts ${rivals.join(', ')}: see \`stet review\``;
    return { item, score, remark };
  });
  if (facts.length > 0) printAnswer(io, facts);
  else io.print('No stored fact answers this.');
  io.printJson({
    agent: result.agent,
    space: result.space,
    instructions: result.instructions.map((item) => itemJson(item)),
    facts: result.facts.map((fact) => itemJson(fact.item, fact.score)),
  });
}
