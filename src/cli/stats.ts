import type { Call } from './command.ts';
import { counted } from './counted.ts';
import { printProse } from './prose.ts';
import { printTable } from './table.ts';

/** `stet stats`: counts only. */
export async function run({ io }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const stats = await app.stats();
    const { total, deliveries } = stats;
    printProse(io, `${counted(total.current, 'current item')} with ${counted(stats.words, 'word')}`);
    printProse(io, `${total.outdated} outdated, ${stats.forgotten} forgotten, ${stats.quarantined} in quarantine`);
    const sections = [
      ['Space', stats.spaces.map(({ space, ...count }) => ({ name: space ?? 'personal', ...count }))],
      ['Kind', stats.kinds.map(({ kind, ...count }) => ({ name: kind, ...count }))],
      ['Source', stats.sources.map(({ source, ...count }) => ({ name: source, ...count }))],
      ['Month', stats.months.map(({ month, ...count }) => ({ name: month, ...count }))],
    ] as const;
    for (const [title, rows] of sections) {
      if (rows.length === 0) continue;
      io.print();
      printTable(
        io,
        [
          { title, flexible: 'cut' },
          { title: 'Current', align: 'right' },
          { title: 'Outdated', align: 'right' },
        ],
        rows.map(({ name, current, outdated }) => [name, String(current), String(outdated)]),
      );
    }
    io.print();
    printProse(
      io,
      `${counted(deliveries.total, 'recall')}, ${deliveries.last30Days} in the last 30 days, ${deliveries.empty} without a fact`,
    );
    for (const { agent, recalls } of deliveries.agents) printProse(io, `  ${agent}: ${recalls}`, 2);
    io.printJson({
      ...stats,
      deliveries: {
        total: deliveries.total,
        last_30_days: deliveries.last30Days,
        empty: deliveries.empty,
        agents: deliveries.agents,
      },
    });
  });
}
