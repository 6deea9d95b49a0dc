import type { Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

export async function run({ io, arguments: [id = ''] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const restored = await app.restore(id);
    io.print(`Restored ${restored.path}`);
    noteCommit(io, restored.commit);
    io.printJson({ ...restored, commit: commitJson(restored.commit) });
  });
}
