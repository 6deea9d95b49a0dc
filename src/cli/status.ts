import type { ServerReport } from '../app.ts';
import type { Call } from './command.ts';

/** `stet status`: what the memory holds, what waits, and every file that is delivered to nobody, with the reason. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  await io.withApp(async (app) => {
    const report = await app.status();
    io.print(`Memory       ${report.root}`);
    io.print(`HEAD         ${report.head ?? 'no commit yet'}`);
    io.print(`Items        ${report.items}${report.forgotten > 0 ? ` (${report.forgotten} forgotten)` : ''}`);
    for (const { space, items } of report.spaces) io.print(`  ${space ?? 'personal'}: ${items}`);
    const { vectors } = report;
    io.print(
      vectors.model === null
        ? `Vectors      none: ${vectors.problem ?? 'words only, by setting'}`
        : `Vectors      ${vectors.ready} ready, ${vectors.waiting} waiting (${vectors.model})${vectors.problem === null ? '' : `: ${vectors.problem}`}`,
    );
    if (vectors.answering !== null) io.print(`             until then ${vectors.answering} answers`);
    for (const server of report.servers) io.print(`Followed by  ${describeServer(server)}`);
    if (report.sync !== null) {
      const { remote, ahead, behind, syncedAt, problem } = report.sync;
      const last = syncedAt === null ? 'never synced' : `last synced ${syncedAt}`;
      io.print(`Remote       ${remote}: ${ahead === null ? '' : `${ahead} ahead, ${behind} behind, `}${last}`);
      if (problem !== null) io.print(`  ${problem}`);
    }
    if (report.uncommitted.length > 0) io.print('Uncommitted, recallable all the same:');
    for (const { path, state, why } of report.uncommitted) io.print(`  ${state}  ${path}: ${why}`);
    if (report.waiting.length > 0) io.print('Commits that wait for git:');
    for (const { subject, reason } of report.waiting) io.print(`  ${subject} (${reason})`);
    if (report.quarantined.length > 0) io.print('Quarantined, delivered to nobody:');
    for (const { path, problems } of report.quarantined) {
      for (const { line, message } of problems) io.print(`  ${path}:${line}: ${message}`);
    }
    if (report.unreadable.length > 0) io.print('Unreadable just now; what they held stays in force:');
    for (const { path, errno } of report.unreadable) io.print(`  ${path} (${errno})`);
    for (const warning of report.warnings) io.note(`Warning: ${warning}`);
    io.printJson(report);
  });
}

function describeServer({ pid, state, reason, watchedFolders, lookedAt, problem }: ServerReport): string {
  const how = state === 'watching' ? `watching ${watchedFolders} folders` : `${state}: ${reason ?? 'just begun'}`;
  return `server ${pid}, ${how}; what had changed by ${lookedAt} is taken in${problem === null ? '' : ` (${problem})`}`;
}
