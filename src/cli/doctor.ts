import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App, Finding, SettledMissing } from '../app.ts';
import { flag, type Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';
import { printProse } from './prose.ts';

/** `stet doctor`: what is wrong, why it matters, what to do; exit code 1 while a problem is left. Options settle some of it. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  return io.withApp(async (app) => {
    const fixes = flag(call, 'fix');
    // First: a file that was dragged to the wrong folder would else be brought back where it was missing as well.
    const followed = fixes ? await app.followFrontmatter() : null;
    for (const { from, to } of followed?.moved ?? []) io.note(`Moved ${from} → ${to}`);
    noteCommit(io, followed?.commit ?? null);
    const settled = await settle(app, call);
    for (const path of settled?.paths ?? []) {
      io.note(`${settled?.decision === 'restored' ? 'Brought back' : 'Forgotten:'} ${path}`);
    }
    noteCommit(io, settled?.commit ?? null);
    const named = fixes ? await app.followNames() : null;
    noteCommit(io, named?.commit ?? null);
    const fixed = fixes ? [...(named?.done ?? []), ...(await app.closeMemory())] : [];
    for (const each of fixed) io.note(each);
    const findings = [...(await app.diagnose({ history: flag(call, 'history') })), ...(await findInClients(call))];
    for (const { level, area, finding, why, fix } of findings) {
      printProse(io, `${area}${level === 'advice' ? ' (advice)' : ''}: ${finding}`, 2);
      printProse(io, `  ${why}`);
      printProse(io, `  → ${fix}`, 2);
    }
    const { servers } = await app.status();
    for (const { pid, state } of servers) io.print(`A server is running: process ${pid}, ${state}.`);
    const isWell = findings.every(({ level }) => level === 'advice');
    if (isWell) io.print(findings.length === 0 ? 'All is well.' : 'Nothing is wrong.');
    io.printJson({
      findings,
      servers,
      fixed,
      moved: followed?.moved ?? [],
      settled: settled && { ...settled, commit: commitJson(settled.commit) },
    });
    return isWell ? 0 : 1;
  });
}

async function settle(app: App, call: Call): Promise<SettledMissing | null> {
  if (flag(call, 'forgetMissing')) return app.forgetMissing();
  return flag(call, 'fix') ? app.restoreMissing() : null;
}

/** Clients that are installed and do not have this installation's server, as `stet setup` would find. */
async function findInClients({ io }: Call): Promise<readonly Finding[]> {
  const { isTemporaryInstall, setup } = await import('../app-without-memory.ts');
  const entry = fileURLToPath(new URL('main.js', import.meta.url));
  // Run by npx: what clients start is another installation, if any.
  if (isTemporaryInstall(entry)) return [];
  const { servers } = await setup({
    clients: [],
    mode: 'add',
    scope: { type: 'user' },
    space: null,
    instructions: false,
    dryRun: true,
    entry,
    memory: io.memory === join(homedir(), 'stet') ? null : io.memory,
  });
  return servers.flatMap(({ client, title, change }): Finding[] => {
    switch (change.status) {
      case 'added':
        return [finding('advice', `${title} is installed and not connected.`, `\`stet setup ${client}\`.`)];
      case 'updated':
        return [
          finding('problem', `${title} starts another stet or memory than this one.`, `\`stet setup ${client}\`.`),
        ];
      case 'failed':
        return [finding('problem', `${title}: ${change.reason}`, `Correct it, then \`stet setup ${client}\`.`)];
      case 'unchanged':
      case 'removed':
      case 'absent':
      case 'unsupported':
        return [];
    }
  });
}

function finding(level: Finding['level'], what: string, fix: string): Finding {
  return { level, area: 'clients', finding: what, why: 'Its agent remembers and recalls nothing here.', fix };
}
