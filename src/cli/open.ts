import { spawn } from 'node:child_process';
import { StetError } from '../memory/failure.ts';
import { flag, type Call } from './command.ts';
import { openerFor } from './external-program.ts';

/** `stet open`: shows an item's file, a space's folder or the memory on the desktop, or says where it is. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const path = await io.withApp((app) => app.placeOnDisk(call.arguments[0]));
  if (!flag(call, 'print')) await openOnDesktop(path);
  io.print(path);
  io.printJson({ path });
}

function openOnDesktop(path: string): Promise<void> {
  const { command, args } = openerFor(path, process.platform);
  return new Promise((resolve, reject) => {
    const opener = spawn(command, args, { stdio: 'ignore', detached: true });
    opener.on('error', () =>
      reject(
        new StetError({
          code: 'not-possible',
          subject: 'open',
          reason: `there is no ${command} here that could open ${path}`,
          hint: 'Open it yourself, or use `stet open --print` in scripts.',
        }),
      ),
    );
    opener.on('spawn', () => {
      opener.unref();
      resolve();
    });
  });
}
