import type { ExplainedItem, Explanation, Since } from '../app.ts';
import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';
import type { Io } from './io.ts';
import { printProse } from './prose.ts';

/** `stet why [N]`: on the user's screen only; nothing of this goes over MCP. */
export async function run({ io, arguments: [given] }: Call): Promise<void> {
  const number = given === undefined ? null : Number(given);
  if (number !== null && !Number.isSafeInteger(number)) {
    throw new StetError({
      code: 'bad-argument',
      argument: 'NUMBER',
      reason: `"${given ?? ''}" is not a number`,
      hint: 'Run `stet deliveries` to see them.',
    });
  }
  await io.withApp(async (app) => {
    const explained = await app.why(number);
    print(io, explained);
    io.printJson(explained);
  });
}

function print(
  io: Io,
  { delivery, instructions, facts, vocabulary, leftOut, elsewhere, policyChange, quarantined }: Explanation,
): void {
  io.print(`Delivery ${delivery.number}, ${delivery.time}`);
  printProse(io, `${delivery.agent} asked: ${delivery.question}`);
  printProse(io, `Space: ${delivery.space ?? 'personal only'}. ${delivery.rule}`);
  if (!delivery.spaceAllowed && delivery.space !== null)
    printProse(io, `Policy kept ${delivery.agent} out of ${delivery.space}.`);
  if (delivery.wordsOnly !== null) printProse(io, `Words only: ${delivery.wordsOnly}`);
  printGroup(io, 'Vocabulary that put the question in other words also', vocabulary);
  printGroup(io, 'Instructions that went in', instructions);
  printGroup(io, 'Facts that went in', facts);
  if (leftOut.length > 0) io.print('\nStayed out:');
  for (const each of leftOut) {
    const after =
      each.since.change === 'none' || each.since.change === each.reason ? '' : `; ${sinceWords(each.since)}`;
    const line = `  ${each.id}  ${each.score.toFixed(2)}  ${leftOutWords(each)} (bar ${delivery.bar.toFixed(2)})${after}`;
    printProse(io, line, 2);
  }
  if (delivery.more > 0) io.print(`  and ${delivery.more} more with a lower score`);
  if (elsewhere.length > 0) io.print('\nOther spaces that would have answered, asked now:');
  for (const { space, items, more } of elsewhere) {
    for (const { id, score, statement } of items)
      printProse(io, `  ${space}  ${id}  ${score.toFixed(2)}  ${statement}`, 2);
    if (more > 0) io.print(`  ${space}  and ${more} more`);
  }
  if (quarantined.length > 0) {
    io.print();
    printProse(io, `Quarantined there now: ${quarantined.join(', ')}`, 2);
  }
  if (policyChange !== null) {
    io.print();
    printProse(io, `Policies have changed since: ${policyChange}`, 2);
  }
}

function printGroup(io: Io, title: string, items: readonly ExplainedItem[]): void {
  if (items.length === 0) return;
  io.print(`\n${title}:`);
  for (const { id, score, before, commit, since } of items) {
    const at = commit === null ? 'uncommitted then' : `as of ${commit.slice(0, 8)}`;
    const text = before ?? (since.change === 'forgotten' ? '(forgotten)' : '(its text of then is in no commit)');
    const line = `  ${id}  ${score === null ? '' : `${score.toFixed(2)}  `}${text}  [${at}; ${sinceWords(since)}]`;
    printProse(io, line, 2);
  }
}

function leftOutWords(each: Explanation['leftOut'][number]): string {
  switch (each.reason) {
    case 'superseded':
      return `superseded by ${each.by.join(', ')}`;
    case 'expired':
      return `expired on ${each.until}`;
    case 'waiting':
      return 'waiting for your review';
    case 'below-the-bar':
      return 'below the bar';
    case 'over-the-limit':
      return 'over the limit';
  }
}

function sinceWords(since: Since): string {
  switch (since.change) {
    case 'none':
      return 'unchanged since';
    case 'edited':
      return 'edited since';
    case 'superseded':
      return `superseded since by ${since.by.join(', ')}`;
    case 'expired':
      return `expired since, on ${since.until}`;
    case 'waiting':
      return 'waiting for your review';
    case 'forgotten':
      return 'forgotten since';
    case 'moved':
      return `moved since to ${since.space ?? 'personal'}`;
    case 'gone':
      return 'gone since';
  }
}
