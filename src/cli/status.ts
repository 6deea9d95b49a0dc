import type { ServerReport } from '../app.ts';
import type { Call } from './command.ts';
import { printProse } from './prose.ts';

/** `stet status`: what the memory holds, what waits, and every file that is delivered to nobody, with the reason. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  await io.withApp(async (app) => {
    const report = await app.status();
    printProse(io, `Memory       ${report.root}`, 13);
    printProse(io, `HEAD         ${report.head ?? 'no commit yet'}`, 13);
    printProse(io, `Items        ${report.items}${report.forgotten > 0 ? ` (${report.forgotten} forgotten)` : ''}`, 13);
    for (const { space, items } of report.spaces) printProse(io, `  ${space ?? 'personal'}: ${items}`, 2);
    const { vectors } = report;
    printProse(
      io,
      vectors.model === null
        ? `Vectors      none: ${vectors.problem ?? 'words only, by setting'}`
        : `Vectors      ${vectors.ready} ready, ${vectors.waiting} waiting (${vectors.model})${vectors.problem === null ? '' : `: ${vectors.problem}`}`,
      13,
    );
    if (vectors.answering !== null) printProse(io, `             until then ${vectors.answering} answers`, 2);
    for (const server of report.servers) printProse(io, `Followed by  ${describeServer(server)}`, 13);
    if (report.sync !== null) {
      const { remote, ahead, behind, syncedAt, problem } = report.sync;
      const last = syncedAt === null ? 'never synced' : `last synced ${syncedAt}`;
      printProse(
        io,
        `Remote       ${remote}: ${ahead === null ? '' : `${ahead} ahead, ${behind} behind, `}${last}`,
        13,
      );
      if (problem !== null) printProse(io, `  ${problem}`, 2);
    }
    if (report.uncommitted.length > 0) io.print('Uncommitted, recallable all the same:');
    for (const { path, state, why } of report.uncommitted) printProse(io, `  ${state}  ${path}: ${why}`, 2);
    if (report.waiting.length > 0) io.print('Commits that wait for git:');
    for (const { subject, reason } of report.waiting) printProse(io, `  ${subject} (${reason})`, 2);
    if (report.quarantined.length > 0) io.print('Quarantined, delivered to nobody:');
    for (const { path, problems } of report.quarantined) {
      for (const { line, message } of problems) printProse(io, `  ${path}:${line}: ${message}`, 2);
    }
    if (report.unreadable.length > 0) io.print('Unreadable just now; what they held stays in force:');
    for (const { path, errno } of report.unreadable) printProse(io, `  ${path} (${errno})`, 2);
    for (const warning of report.warnings) io.note(`Warning: ${warning}`);
    io.printJson(report);
  });
}

function describeServer({ pid, state, reason, watchedFolders, lookedAt, problem }: ServerReport): string {
  const how = state === 'watching' ? `watching ${watchedFolders} folders` : `${state}: ${reason ?? 'just begun'}`;
  return `server ${pid}, ${how}; what had changed by ${lookedAt} is taken in${problem === null ? '' : ` (${problem})`}`;
}
