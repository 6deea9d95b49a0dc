import { randomBytes } from 'node:crypto';
import { printRecall } from '../memory/answer.ts';
import { existingFolder, policiesOf, text, type Call } from './command.ts';
import { itemJson } from './print-item.ts';

/** `stet preview`: what an agent would read, to the byte, and then what it would not. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const folder = existingFolder('--in', text(call, 'in') ?? '.');
  const moment = text(call, 'at');
  await io.withApp(async (app) => {
    const past = moment === undefined ? null : await app.at(moment, policiesOf(call));
    const source = past ?? app;
    try {
      const session = await source.session({
        client: text(call, 'as'),
        named: null,
        folders: [{ source: '--project', folders: [folder] }],
      });
      const { result, rewordedBy, leftOut, more } = await source.preview(session, call.arguments.join(' '));
      const answer = printRecall(result.answer, randomBytes(4).toString('hex'));
      io.print(answer);
      io.note(`\n${session.agent} in ${session.space ?? 'no space'}: ${session.rule}`);
      if (!session.spaceAllowed && session.space !== null)
        io.note(`Policy keeps ${session.agent} out of ${session.space}.`);
      if (rewordedBy.length > 0) io.note(`asked in other words also, by the vocabulary of ${rewordedBy.join(', ')}`);
      for (const each of leftOut) io.note(`stays out: ${each.id}  ${each.score.toFixed(2)}  ${each.reason}`);
      if (more > 0) io.note(`stay out: ${more} more with a lower score`);
      io.printJson({
        agent: session.agent,
        space: session.space,
        rule: session.rule,
        text: answer,
        instructions: result.instructions.map((item) => itemJson(item)),
        facts: result.facts.map(({ item, score }) => itemJson(item, score)),
        rewordedBy,
        leftOut,
        more,
      });
    } finally {
      await past?.close();
    }
  });
}
