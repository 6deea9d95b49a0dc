import { neutralise } from '../memory/untrusted-text.ts';
import type { Call } from './command.ts';

/** `stet diff`: a unified diff of one item's file. */
export async function run({ io, arguments: [id = '', range] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const diff = await app.diff(id, range);
    io.print(diff.patch === '' ? 'No difference.' : neutralise(diff.patch, 'many-lines'));
    io.printJson(diff);
  });
}
