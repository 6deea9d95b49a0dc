import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';
import { commitJson, noteCommit } from './print-commit.ts';
import { printProse } from './prose.ts';

/** `stet config [name [value]]`. */
export async function run({ io, arguments: [name, value] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    if (name !== undefined && value !== undefined) {
      const commit = await app.changeSetting(name, value);
      io.print(`${name} is ${value}.`);
      noteCommit(io, commit);
      io.printJson({ name, value, commit: commitJson(commit) });
      return;
    }
    const settings = (await app.listSettings()).filter((each) => name === undefined || each.name === name);
    if (settings.length === 0) {
      throw new StetError({
        code: 'bad-argument',
        argument: name ?? 'NAME',
        reason: 'there is no such setting',
        hint: 'Run `stet config` to see all of them.',
      });
    }
    for (const each of settings) {
      printProse(io, `${each.name} = ${each.value}${each.set ? '' : ' (default)'}  ${each.summary}`, 2);
    }
    io.printJson(settings);
  });
}
