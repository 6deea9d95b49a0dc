import { flag, type Call } from './command.ts';
import { counted } from './counted.ts';
import { INTERRUPTED, untilInterrupted } from './interruption.ts';
import { withProgress } from './progress.ts';

/** `stet purge`: a dry run unless `--yes`; exit code 1 when the text is still found somewhere. */
export async function run(call: Call): Promise<number> {
  const { io, arguments: ids } = call;
  const dryRun = !flag(call, 'yes');
  return io.withApp(async (app) => {
    const { value: plan, interrupted } = await untilInterrupted('Nothing was purged.', (signal) =>
      withProgress(io, 'Purging', (onProgress) => app.purge({ ids, dryRun, signal, onProgress })),
    );
    const [remove, rewrite] = dryRun ? ['Would remove', 'rewrite'] : ['Removed', 'rewrote'];
    const versions = `${counted(plan.versions, 'version')} of ${counted(plan.paths.length, 'file')}`;
    io.print(`${remove} ${versions}, and ${rewrite} ${counted(plan.commits, 'commit')}:`);
    for (const path of plan.paths) io.print(`  ${path}`);
    if (plan.deliveries > 0)
      io.print(
        `The text ${dryRun ? 'is' : 'was'} quoted in ${counted(plan.deliveries, 'delivered question')}${dryRun ? '' : ', now emptied'}.`,
      );
    if (dryRun) {
      io.print('Nothing was changed. Run it again with --yes; a backup bundle is written to your home folder first.');
    } else {
      io.print(`The backup ${plan.bundle ?? ''} still holds the text: delete it when you are sure.`);
      if (plan.push !== null) {
        io.print('The remote keeps the text until you replace its history, in the folder of the memory:');
        io.print(`  ${plan.push}`);
      }
      io.print('Other clones keep it until they follow (`stet sync --follow`) and git prunes what they had.');
      io.print('Backups of the folder, editors, servers that are running, and what agents were told keep it too.');
    }
    for (const place of plan.left) io.note(`Warning: ${place} still holds the text: something else quotes it.`);
    io.printJson({ ...plan, dryRun });
    if (interrupted) io.note('It was too late to stop: this was done to its end.');
    return interrupted ? INTERRUPTED : plan.left.length > 0 ? 1 : 0;
  });
}
