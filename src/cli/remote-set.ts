import { flag, type Call } from './command.ts';

/** `stet remote set`: looks what is there before anything is configured. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [url = ''] = call.arguments;
  await io.withApp(async (app) => {
    const join = flag(call, 'join');
    const report = await app.setRemote({ url, folder: process.cwd(), join });
    io.print(`This memory syncs with ${report.url} (branch ${report.branch}), which holds ${report.holds}.`);
    for (const warning of report.warnings) io.note(`Warning: ${warning}`);
    io.print(
      `Next: \`stet sync${report.holds === 'another memory' ? ' --join' : ''}\`. Servers sync by themselves from then on.`,
    );
    io.printJson(report);
  });
}
