import { resolve } from 'node:path';
import { text, type Call } from './command.ts';
import { withProgress } from './progress.ts';

/** `stet import markdown`: one note an item, one commit; a second run imports nothing again. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [folder = '.'] = call.arguments;
  const space = text(call, 'space');
  await io.withApp(async (app) => {
    const summary = await withProgress(io, 'Importing', (onProgress) =>
      app.importNotes({ folder: resolve(folder), ...(space === undefined ? {} : { space }), onProgress }),
    );
    const { imported, unchanged, skipped, commit } = summary;
    io.print(`Imported ${imported} notes, ${unchanged} known already, ${skipped.length} skipped.`);
    for (const { path, reason } of skipped) io.print(`  ${path}: ${reason}`);
    if (commit?.status === 'pending') io.note(`Commit pending: ${commit.reason}`);
    io.printJson({
      imported,
      unchanged,
      skipped,
      commit: commit === null || commit.status === 'pending' ? null : commit.commit,
    });
  });
}
