import { resolve } from 'node:path';
import { initMemory } from '../app-without-memory.ts';
import type { Call } from './command.ts';
import { ownCommand } from './own-command.ts';

/** `stet init`: makes a memory, or completes an existing one on this machine. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [folder] = call.arguments;
  const result = await initMemory(folder === undefined ? io.memory : resolve(folder), ownCommand());
  switch (result.status) {
    case 'created':
      io.print(`Made a memory in ${result.root}.`);
      io.print('Next: `stet space add NAME --folder PROJECT`, and `stet setup` to connect your agents.');
      io.printJson({ status: result.status, memory: result.root, commit: result.commit, completed: [] });
      return;
    case 'completed':
      io.print(
        result.completed.length === 0
          ? `${result.root} is a memory already, and complete on this machine.`
          : `${result.root} is a memory already. Completed on this machine: ${result.completed.join(', ')}.`,
      );
      io.printJson({ status: result.status, memory: result.root, commit: null, completed: result.completed });
      return;
  }
}
