import type { Call } from './command.ts';

export async function run({ io, arguments: [given = ''] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const { name } = await app.removeSpace(given);
    io.print(`Removed the space ${name}.`);
    io.printJson({ name });
  });
}
