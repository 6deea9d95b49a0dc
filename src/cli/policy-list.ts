import type { Call } from './command.ts';
import { printRows } from './table.ts';

export async function run({ io }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const { rules, closed, warnings } = await app.listPolicies();
    printRows(
      io,
      [{ title: 'Rule' }, { title: 'Agent' }, { title: 'Space', flexible: 'wrap' }, { title: 'Where', yields: 1 }],
      rules.map(({ agent, space, effect, line }) => [effect, agent, space, `(line ${line})`]),
    );
    if (closed) io.print('policies.yaml cannot be read: everything but personal is denied.');
    else if (rules.length === 0) io.print('No rules: every agent may see every space that its folder belongs to.');
    for (const warning of warnings) io.note(`Warning: ${warning}`);
    io.printJson({ rules, closed, warnings });
  });
}
