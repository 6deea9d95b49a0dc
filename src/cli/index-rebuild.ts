import type { Call } from './command.ts';
import { withProgress } from './progress.ts';

/** `stet index rebuild`: throws the derived index away but for the vectors, reads every file, and waits for the vectors that are new. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  await io.withApp(
    async (app) => {
      const { items, vectors, problem } = await withProgress(io, 'Embedding', (onProgress) =>
        app.rebuildIndex(onProgress),
      );
      io.print(`Indexed ${items} items, ${vectors} with vectors.`);
      if (problem !== null) io.note(`Warning: ${problem}`);
      io.printJson({ items, vectors, problem });
    },
    { discardIndex: true },
  );
}
