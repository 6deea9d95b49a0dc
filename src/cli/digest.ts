import type { Item } from '../memory/item.ts';
import { text, type Call } from './command.ts';
import { itemJson } from './print-item.ts';
import { printProse } from './prose.ts';

/** `stet digest`: one Markdown page, made to be read by a person. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const space = text(call, 'space');
  await io.withApp(async (app) => {
    const digest = await app.digest(space === undefined ? {} : { space });
    io.print(`# What is remembered on ${digest.time.slice(0, 10)}`);
    for (const section of digest.spaces) {
      io.print();
      io.print(`## ${section.space ?? 'Personal'}`);
      for (const { kind, items } of section.kinds) {
        io.print();
        io.print(`### ${HEADINGS[kind]}`);
        io.print();
        for (const item of items) printProse(io, `- ${line(item)}`, 2);
      }
    }
    if (digest.items === 0) {
      io.print();
      io.print('Nothing yet.');
    }
    io.printJson({
      time: digest.time,
      spaces: digest.spaces.map((section) => ({
        space: section.space,
        items: section.kinds.flatMap(({ items }) => items.map((item) => itemJson(item))),
      })),
    });
  });
}

const HEADINGS = {
  instruction: 'Instructions',
  fact: 'Facts',
  preference: 'Preferences',
  vocabulary: 'Vocabulary',
  pointer: 'Pointers',
  outcome: 'Outcomes',
  decision: 'Decisions',
  plan: 'Plans',
} as const;

/** The statement, what dates it, and the id to ask for the rest by. */
function line(item: Item): string {
  const isWhole = item.text === item.statement;
  const facts = [
    item.created.slice(0, 10),
    item.asOf === undefined ? '' : `as of ${item.asOf}`,
    item.until === undefined ? '' : `until ${item.until}`,
    item.target ?? '',
    item.id,
  ].filter((each) => each !== '');
  return `${item.statement}${isWhole ? '' : ' […]'} (${facts.join(', ')})`;
}
