import { normaliseAgent } from '../memory/agent-name.ts';
import { neutralise } from '../memory/untrusted-text.ts';
import { count, text, type Call } from './command.ts';

/** `stet deliveries`: newest first. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const last = count(call, 'last', 20);
  const agent = text(call, 'agent');
  await io.withApp(async (app) => {
    const wanted = app
      .listDeliveries()
      .filter((each) => agent === undefined || each.agent === normaliseAgent(agent))
      .slice(-last)
      .toReversed();
    for (const { number, time, agent: who, space, question, facts, instructions } of wanted) {
      const counts = `${facts.length} facts, ${instructions.length} instructions`.replace(/\b1 (\w+)s\b/g, '1 $1');
      io.print(neutralise(`${number}  ${time.slice(0, 16)}  ${who}  ${space ?? 'personal'}  ${counts}  ${question}`));
    }
    if (wanted.length === 0) io.print('Nothing was delivered yet.');
    io.printJson(wanted);
  });
}
