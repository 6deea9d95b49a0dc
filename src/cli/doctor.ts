import type { App, SettledMissing } from '../app.ts';
import { flag, type Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

/** `stet doctor`: what is wrong and what to do; exit code 1 while something is. Options settle what is missing. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  return io.withApp(async (app) => {
    const settled = await settle(app, call);
    for (const path of settled?.paths ?? []) {
      io.note(`${settled?.decision === 'restored' ? 'Brought back' : 'Forgotten:'} ${path}`);
    }
    noteCommit(io, settled?.commit ?? null);
    const findings = await app.diagnose();
    for (const finding of findings) io.print(finding);
    if (findings.length === 0) io.print('All is well.');
    io.printJson({ findings, settled: settled && { ...settled, commit: commitJson(settled.commit) } });
    return findings.length === 0 ? 0 : 1;
  });
}

async function settle(app: App, call: Call): Promise<SettledMissing | null> {
  if (flag(call, 'forgetMissing')) return app.forgetMissing();
  return flag(call, 'fix') ? app.restoreMissing() : null;
}
