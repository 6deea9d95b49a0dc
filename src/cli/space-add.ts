import { resolve } from 'node:path';
import { text, type Call } from './command.ts';

/** `stet space add`: the remote goes into spaces.yaml (every machine), the folder into machine.yaml (this one). */
export async function run(call: Call): Promise<void> {
  const { io } = call;
  const [name = ''] = call.arguments;
  const folder = text(call, 'folder');
  const remote = text(call, 'remote');
  await io.withApp(async (app) => {
    const added = await app.addSpace({
      name,
      ...(folder === undefined ? {} : { folder: resolve(folder) }),
      ...(remote === undefined ? {} : { remote }),
    });
    io.print(added.created ? `Added the space ${added.name}.` : `The space ${added.name} was there already.`);
    if (folder !== undefined) io.print(`Sessions in ${resolve(folder)} work in it, on this machine.`);
    if (remote !== undefined) io.print(`Sessions in a clone of ${remote} work in it, on every machine.`);
    io.printJson({
      name: added.name,
      created: added.created,
      folder: folder === undefined ? null : resolve(folder),
      remote: remote ?? null,
    });
  });
}
