import { existingFolder, type Call } from './command.ts';

export async function run({ io, arguments: [folder = '.'] }: Call): Promise<void> {
  await io.withApp(async (app) => {
    const found = await app.where(existingFolder('FOLDER', folder));
    io.print(found.space ?? 'personal only');
    io.print(found.rule);
    for (const warning of found.warnings) io.note(`Warning: ${warning}`);
    io.printJson(found);
  });
}
