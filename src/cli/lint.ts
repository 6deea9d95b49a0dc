import { text, type Call } from './command.ts';
import { counted } from './counted.ts';
import { printProse } from './prose.ts';

/** `stet lint`: exit code 1 when something was found. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const space = text(call, 'space');
  return io.withApp(async (app) => {
    const { items, findings, notJudged } = await app.lint(space === undefined ? {} : { space });
    let last = '';
    for (const { item, rule, finding, advice } of findings) {
      if (item.id !== last) printProse(io, `${item.id}  ${item.space ?? 'personal'}  ${item.statement}`, 2);
      last = item.id;
      printProse(io, `  ${rule}: ${finding} ${advice}`, 2);
    }
    if (findings.length === 0) io.print(`Nothing to say about ${counted(items, 'item')}.`);
    if (notJudged !== null) io.note(`Note: ${notJudged}`);
    io.printJson({
      items,
      findings: findings.map(({ item, path, rule, finding, advice }) => ({
        id: item.id,
        space: item.space,
        path,
        rule,
        finding,
        advice,
      })),
      not_judged: notJudged,
    });
    return findings.length === 0 ? 0 : 1;
  });
}
