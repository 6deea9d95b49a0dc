import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMemory, setup, type FileChange, type SetupReport } from '../app-without-memory.ts';
import { flag, text, type Call } from './command.ts';

/** `stet setup`: exit code 1 when a client could not be set up, or when there was none to set up. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  const remove = flag(call, 'remove');
  const dryRun = flag(call, 'dryRun');
  const report = await setup({
    clients: call.arguments,
    mode: remove ? 'remove' : 'add',
    scope: flag(call, 'project') ? { type: 'project', folder: process.cwd() } : { type: 'user' },
    space: await knownSpace(call),
    instructions: flag(call, 'instructions'),
    dryRun,
    entry: fileURLToPath(new URL('main.js', import.meta.url)),
    // Clients do not pass on STET_HOME, so a memory elsewhere has to stand in the entry.
    memory: io.memory === join(homedir(), 'stet') ? null : io.memory,
  });
  for (const { title, change, notes } of report.servers) {
    printChange(call, title, change, dryRun);
    for (const note of notes) io.note(`Note: ${note}`);
  }
  for (const { clients, change } of report.instructions) {
    printChange(call, `Instructions (${clients.join(', ')})`, change, dryRun);
  }
  if (report.withoutInstructions.length > 0) {
    io.note(
      `Note: ${report.withoutInstructions.join(', ')}: instructions are kept in the app's settings, not in a file.`,
    );
  }
  const done = report.servers.length + report.instructions.length > 0;
  if (!done) io.complain('stet: no client was found on this machine. Name one: `stet setup claude-code`.');
  const changed = report.servers.some(({ change }) => change.status === 'added' || change.status === 'updated');
  if (changed && !dryRun) io.print('Restart a client that is running, and it has the tools of your memory.');
  if (done && !remove && !isMemory(io.memory)) {
    io.note(
      `Note: there is no memory in ${io.memory} yet, and no agent can use what is not there: \`stet init\` makes it.`,
    );
  }
  io.printJson(reportJson(report, dryRun));
  return done && !hasFailed(report) ? 0 : 1;
}

/** The present name of the space; throws `bad-argument` for one that does not exist, which a server would refuse. */
async function knownSpace(call: Call): Promise<string | null> {
  const space = text(call, 'space');
  if (space === undefined) return null;
  return call.io.withApp(async (app) => (await app.userSession({ space })).space);
}

function printChange({ io }: Call, title: string, change: FileChange, dryRun: boolean): void {
  switch (change.status) {
    case 'failed':
    case 'unsupported':
      io.complain(`${title}: ${change.reason}`);
      return;
    case 'added':
    case 'updated':
    case 'unchanged':
    case 'removed':
    case 'absent':
      io.print(`${title}: ${describe(change.status, dryRun)} ${change.file}`);
  }
  if (change.remark !== null) io.note(`Note: ${change.remark}`);
  for (const command of change.commands) io.print(`  $ ${command.map(quote).join(' ')}`);
  if (change.commands.length === 0) for (const line of change.diff) io.print(`  ${line}`);
  if (change.backup !== null) io.print(`  the file as it was: ${change.backup}`);
}

function describe(status: 'added' | 'updated' | 'unchanged' | 'removed' | 'absent', dryRun: boolean): string {
  const words = {
    added: ['would be added to', 'added to'],
    updated: ['would be updated in', 'updated in'],
    removed: ['would be removed from', 'removed from'],
    unchanged: ['is as it should be in', 'is as it should be in'],
    absent: ['is not in', 'is not in'],
  } as const;
  return words[status][dryRun ? 0 : 1];
}

/** As a POSIX shell would take it; on Windows as a hint. */
function quote(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function hasFailed({ servers, instructions }: SetupReport): boolean {
  return [...servers, ...instructions].some(({ change }) => change.status === 'failed');
}

function reportJson(report: SetupReport, dryRun: boolean): unknown {
  return {
    dry_run: dryRun,
    clients: report.servers.map(({ client, installed, change, notes }) => ({
      client,
      installed,
      ...changeJson(change),
      notes,
    })),
    instructions: report.instructions.map(({ clients, change }) => ({ clients, ...changeJson(change) })),
  };
}

function changeJson(change: FileChange): Readonly<Record<string, unknown>> {
  const { status, file } = change;
  return 'reason' in change
    ? { status, file, commands: [], backup: null, diff: [], reason: change.reason }
    : {
        status,
        file,
        commands: change.commands,
        backup: change.backup,
        diff: change.diff,
        reason: change.remark,
      };
}
