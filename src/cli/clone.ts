import { cloneMemory } from '../app.ts';
import type { Call } from './command.ts';
import { counted } from './counted.ts';
import { ownCommand } from './own-command.ts';

/** `stet clone`: a second machine in one command. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [url = '', folder] = call.arguments;
  io.note(`Fetching ${url} …`);
  const request = { url, from: process.cwd(), folder: folder ?? io.memory, ownCommand: ownCommand() };
  const cloned = await cloneMemory(request);
  const items = await io.withApp(async (app) => (await app.status()).items, { memory: cloned.root });
  io.print(`Cloned ${counted(items, 'item')} into ${cloned.root}.`);
  io.print('Next: `stet space add NAME --folder PROJECT` for the projects of this machine, and `stet setup`.');
  io.printJson({ ...cloned, items });
}
