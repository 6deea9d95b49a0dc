import { normaliseAgent } from '../memory/agent-name.ts';
import { count, text, type Call } from './command.ts';
import { printRows } from './table.ts';

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
    printRows(
      io,
      [
        { title: 'No.', align: 'right' },
        { title: 'Time', yields: 3 },
        { title: 'Agent', yields: 2 },
        { title: 'Space', yields: 4 },
        { title: 'Given', yields: 1 },
        { title: 'Question', flexible: 'cut' },
      ],
      wanted.map(({ number, time, agent: who, space: where, question, facts, instructions }) => [
        String(number),
        time.slice(0, 16),
        who,
        where ?? 'personal',
        `${facts.length} facts, ${instructions.length} instructions`.replace(/\b1 (\w+)s\b/g, '1 $1'),
        question,
      ]),
    );
    if (wanted.length === 0) io.print('Nothing was delivered yet.');
    io.printJson(wanted);
  });
}
