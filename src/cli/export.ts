import { resolve } from 'node:path';
import { flag, text, type Call } from './command.ts';
import { counted } from './counted.ts';
import { jsonText } from './json-text.ts';

/** `stet export`: JSON lines on stdout, whatever `--json` says; or a folder. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const folder = text(call, 'folder');
  await io.withApp(async (app) => {
    if (folder !== undefined) {
      const files = await app.exportFolder(resolve(folder));
      io.print(`Copied ${counted(files, 'file')} to ${resolve(folder)}.`);
      io.printJson({ files, folder: resolve(folder) });
      return;
    }
    for await (const line of app.exportLines(flag(call, 'history'))) {
      process.stdout.write(`${jsonText(line)}\n`);
    }
  });
}
