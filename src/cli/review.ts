import type { ReviewCase } from '../app.ts';
import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';
import type { Io } from './io.ts';
import { commitJson, noteCommit } from './print-commit.ts';
import { itemJson, printItem } from './print-item.ts';
import { printProse } from './prose.ts';

/** `stet review`: lists what waits, each with the command that settles it; with a verdict, settles one. */
export async function run({ io, arguments: [verdict, id] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    if (verdict === undefined) {
      const cases = await app.listReview();
      for (const each of cases) printCase(io, each);
      if (cases.length === 0) io.print('Nothing waits for you.');
      io.printJson(cases.map((each) => caseJson(each)));
      return;
    }
    if ((verdict !== 'accept' && verdict !== 'reject') || id === undefined) {
      throw new StetError({
        code: 'bad-argument',
        argument: 'review',
        reason: 'it takes `accept` or `reject` with an id or a path, or nothing to list what waits',
        hint: 'Nothing was changed.',
      });
    }
    const settled = await app.settleReview(id, verdict);
    io.print(`${verdict === 'accept' ? 'Accepted' : 'Rejected'} ${id}.`);
    noteCommit(io, settled.commit);
    io.printJson({ ...settled, commit: commitJson(settled.commit) });
  });
}

function printCase(io: Io, each: ReviewCase): void {
  switch (each.kind) {
    case 'waiting':
      printProse(io, `Not in force until you accept it (stet review accept|reject ${each.item.id}):`);
      printItem(io, each.item);
      return;
    case 'unseen':
      printProse(io, `Stored as personal from inside a project (stet review accept|reject ${each.item.id}):`);
      printItem(io, each.item);
      return;
    case 'forget-requested':
      printProse(io, `${each.by} asks to forget this (stet review accept|reject ${each.item.id}):`);
      printItem(io, each.item);
      return;
    case 'contradiction': {
      const [first, ...others] = each.items;
      const command = `stet remember "…" --supersedes ${each.items.map(({ id }) => id).join(' ')}`;
      printProse(io, `These contradict each other since two machines changed the same (${command}):`);
      for (const item of first === undefined ? [] : [first, ...others]) printItem(io, item);
      return;
    }
    case 'cycle':
      printProse(
        io,
        `These supersede each other in a circle, so none of their links counts (stet remember "…" --supersedes ${each.ids.join(' ')}): ${each.ids.join(', ')}.`,
      );
      return;
    case 'quarantined':
      printProse(io, `${each.path}:${each.line}${each.command === null ? '' : ` (${each.command})`}: ${each.message}`);
      return;
    case 'sync-stopped':
      printProse(io, `Syncing has stopped. ${each.problem}`);
      return;
    case 'sync-decided':
      printProse(io, 'Syncs have decided (stet review accept sync, when you have seen it):');
      for (const decision of each.decisions) printProse(io, `  ${decision}`);
      return;
  }
}

function caseJson(each: ReviewCase): unknown {
  switch (each.kind) {
    case 'waiting':
    case 'unseen':
    case 'forget-requested':
      return { ...each, item: itemJson(each.item) };
    case 'contradiction':
      return { ...each, items: each.items.map((item) => itemJson(item)) };
    case 'cycle':
    case 'quarantined':
    case 'sync-stopped':
    case 'sync-decided':
      return each;
  }
}
