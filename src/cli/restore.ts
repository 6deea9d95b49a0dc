import { text, type Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

/** `stet restore`: a forgotten item, or with `--at` any item as it stood then. */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [id = ''] = call.arguments;
  await io.withApp(async (app) => {
    const restored = await app.restore(id, text(call, 'at') ?? null);
    io.print(`Restored ${restored.path}`);
    noteCommit(io, restored.commit);
    io.printJson({ ...restored, commit: commitJson(restored.commit) });
  });
}
