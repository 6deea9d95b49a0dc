import { once } from 'node:events';
import { describeOutcome, type App, type SyncReport } from '../app.ts';
import { StetError } from '../memory/failure.ts';
import { flag, type Call } from './command.ts';
import { counted } from './counted.ts';
import { INTERRUPTED, untilInterrupted } from './interruption.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';

const LEFT = '`stet sync` goes on where it was.';

/** `stet sync`: exit code 1 when it takes a person; waiting (offline, busy) is no error. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const request = {
    dryRun: flag(call, 'dryRun'),
    follow: flag(call, 'follow'),
    join: flag(call, 'join'),
    noSecrets: flag(call, 'confirmNoSecrets'),
    patient: true,
  };
  if (flag(call, 'watch')) {
    const { value: last, interrupted } = await untilInterrupted(LEFT, (signal) => watch(io, request, signal));
    io.printJson(last);
    if (interrupted) throw new StetError({ code: 'interrupted', left: LEFT });
    return last.outcome.status === 'stopped' ? 1 : 0;
  }
  const { value: report, interrupted } = await untilInterrupted(LEFT, (signal) =>
    io.withApp((app) => withProgress(io, 'Syncing', (onProgress) => app.sync({ ...request, signal, onProgress }))),
  );
  printReport(io, report);
  io.printJson(report);
  if (interrupted) return INTERRUPTED;
  return report.outcome.status === 'stopped' ? 1 : 0;
}

/** Syncs until Ctrl-C or whoever started it ends it; says what changed, and nothing else twice. Returns the last report. */
async function watch(io: Io, request: Parameters<App['sync']>[0], signal: AbortSignal): Promise<SyncReport> {
  let last: SyncReport | null = null;
  const tell = (report: SyncReport): void => {
    const isNews = last === null || describeOutcome(last.outcome) !== describeOutcome(report.outcome);
    if (isNews || report.received + report.sent + report.decisions.length > 0) printReport(io, report);
    last = report;
  };
  const stopped = Promise.race([once(signal, 'abort'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  io.note(`Syncing ${io.memory} until you stop it (Ctrl-C).`);
  return io.withApp(
    async (app) => {
      const report = await app.sync({ ...request, signal });
      tell(report);
      await keepingAlive(stopped);
      return last ?? report;
    },
    { watch: true, onSync: tell },
  );
}

/** A signal alone does not keep the process. */
async function keepingAlive(work: Promise<unknown>): Promise<void> {
  const timer = setInterval(() => undefined, 2 ** 30);
  await work;
  clearInterval(timer);
}

function printReport(io: Io, report: SyncReport): void {
  const { received, sent, outcome } = report;
  const isPlan = outcome.status === 'planned';
  if (received + sent > 0) {
    const [receive, send] = isPlan ? ['Would receive', 'send'] : ['Received', 'sent'];
    io.print(`${receive} ${counted(received, 'commit')}, ${send} ${counted(sent, 'commit')}.`);
  }
  for (const decision of report.decisions) io.print(decision);
  io.print(describeOutcome(outcome));
  for (const { path, why } of report.left) io.note(`Not synced: ${path}: ${why}.`);
}
