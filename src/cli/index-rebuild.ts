import type { Call } from './command.ts';
import { counted } from './counted.ts';
import { INTERRUPTED, untilInterrupted } from './interruption.ts';
import { withProgress } from './progress.ts';

/** `stet index rebuild`: throws the derived index away but for the vectors, reads every file, and waits for the vectors that are new. */
export async function run(call: Call): Promise<number> {
  const { io } = call;
  return io.withApp(
    async (app) => {
      const { value, interrupted } = await untilInterrupted('The next command makes the index.', (signal) =>
        withProgress(io, 'Embedding', (onProgress) => app.rebuildIndex(onProgress, signal)),
      );
      const { items, vectors, problem } = value;
      io.print(`Indexed ${counted(items, 'item')}, ${vectors} with vectors.`);
      if (problem !== null) io.note(`Warning: ${problem}`);
      io.printJson({ items, vectors, problem });
      return interrupted ? INTERRUPTED : 0;
    },
    { discardIndex: true },
  );
}
