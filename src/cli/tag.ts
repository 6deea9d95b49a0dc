import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';

/** `stet tag`: adds and removes tags, and says which there are. */
export async function run({ io, arguments: [id = '', ...changes] }: Call): Promise<void> {
  const [add, remove]: [string[], string[]] = [[], []];
  for (const change of changes) {
    const name = change.slice(1).normalize('NFC').trim();
    if (!/^[+-]/.test(change) || change.startsWith('--') || name === '') {
      throw new StetError({
        code: 'bad-argument',
        argument: change,
        reason: 'a tag is added by +NAME and removed by -NAME',
        hint: 'Nothing was changed.',
      });
    }
    (change.startsWith('+') ? add : remove).push(name);
  }
  await io.withApp(async (app) => {
    const { path, tags, commit } = await app.tagItem(id, add, remove);
    io.print(tags.length === 0 ? 'No tags.' : tags.join(', '));
    noteCommit(io, commit);
    io.printJson({ id, path, tags, commit: commitJson(commit) });
  });
}
