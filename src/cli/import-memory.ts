import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import type { ImportFormat, ImportPlan } from '../app.ts';
import { StetError } from '../memory/failure.ts';
import { flag, text, type Call, type Run } from './command.ts';
import { INTERRUPTED, untilInterrupted } from './interruption.ts';
import { itemJson, printItem } from './print-item.ts';
import { withProgress } from './progress.ts';

/** `stet import FORMAT`: one commit; a second run imports nothing again. Rules are stored only after the user agreed. */
export function importCommand(format: ImportFormat): { readonly run: Run } {
  return {
    run: async (call) => {
      const { value, interrupted } = await untilInterrupted('Nothing was imported.', (signal) =>
        runImport(call, format, signal),
      );
      return interrupted ? INTERRUPTED : value;
    },
  };
}

async function runImport(call: Call, format: ImportFormat, signal: AbortSignal): Promise<number> {
  const { io } = call;
  const dryRun = flag(call, 'dryRun');
  if (format === 'rules' && !dryRun && !flag(call, 'yes') && !canAsk(call)) {
    throw new StetError({
      code: 'bad-argument',
      argument: 'import rules',
      reason: 'instructions are stored only when you agree, and there is no terminal to ask at',
      hint: 'Look at them with --dry-run, then pass --yes.',
    });
  }
  const fromStdin = format === 'list' && call.arguments[0] === '-';
  const given = format === 'rules' && call.arguments.length === 0 ? ['.'] : call.arguments;
  const space = text(call, 'space');
  const kind = text(call, 'kind');
  const source = text(call, 'source');
  const handed = fromStdin ? await readAll(addAbortSignal(signal, process.stdin)) : undefined;
  return io.withApp(async (app) => {
    const summary = await withProgress(io, 'Importing', (onProgress, stop) =>
      app.importFrom({
        format,
        paths: fromStdin ? [] : given.map((path) => resolve(path)),
        ...(handed === undefined ? {} : { text: handed }),
        ...(space === undefined ? {} : { space }),
        ...(kind === undefined ? {} : { kind }),
        ...(source === undefined ? {} : { source }),
        confirm: async (plan) => {
          stop();
          if (dryRun) return false;
          return format !== 'rules' || flag(call, 'yes') || ask(call, plan, signal);
        },
        onProgress,
        signal,
      }),
    );
    const { imported, unchanged, skipped, commit, items } = summary;
    if (dryRun) for (const { item, from } of items) printItem(io, item, `  [${from}]`);
    const count = dryRun ? `Would import ${items.length}` : `Imported ${imported}`;
    io.print(`${count}, ${unchanged} known already, ${skipped.length} skipped.`);
    for (const { path, reason } of skipped) io.print(`  ${path}: ${reason}`);
    if (items.length + unchanged + skipped.length === 0) io.note('Nothing was found that could be imported.');
    if (commit?.status === 'pending') io.note(`Commit pending: ${commit.reason}`);
    io.printJson({
      imported,
      unchanged,
      skipped,
      commit: commit === null || commit.status === 'pending' ? null : commit.commit,
      ...(dryRun ? { dry_run: true, items: items.map(({ item, from }) => ({ ...itemJson(item), from })) } : {}),
    });
    return !dryRun && items.length > 0 && imported === 0 ? 1 : 0;
  });
}

function canAsk({ io }: Call): boolean {
  return !io.json && process.stdin.isTTY && process.stderr.isTTY;
}

/** Instructions are in force for every agent in their space, so the user sees each of them first. */
async function ask({ io }: Call, { items }: ImportPlan, signal: AbortSignal): Promise<boolean> {
  for (const { item, from } of items) printItem(io, item, `  [${from}]`);
  const spaces = [...new Set(items.map(({ item }) => item.space ?? 'every space'))].join(', ');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // It takes Ctrl-C for itself while it reads.
  terminal.once('SIGINT', () => process.emit('SIGINT'));
  try {
    const answer = await terminal.question(
      `Store these ${items.length}? Every recall in ${spaces} will carry the instructions among them. [y/N] `,
      { signal },
    );
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
