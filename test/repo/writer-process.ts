// A process that remembers, one item after another: `writer-process <memory> <name> <count> [<calls>]`. For each item it
// prints `ack <path>` when stet has acknowledged it. Every tenth rewrites a file of its own. Without <calls> every
// fifteenth takes one away; with <calls> the process kills itself when it makes so many calls to the file system.
import { openRepository } from '../../src/repo/open-repository.ts';
import { mortalFileSystem } from './mortal-file-system.ts';

const [root = '', name = '', count = '', calls] = process.argv.slice(2);
const author = { name, email: `${name}@agents.stet` };

const repository = await openRepository(root, {
  lockWaitMs: 120_000,
  foreignLockWaitMs: 2_000,
  ...(calls !== undefined && { fs: mortalFileSystem(Number(calls)) }),
});

for (let round = 0; round < Number(count); round++) {
  const path = `spaces/acme/${name}/item-${round}.md`;
  const gone = calls === undefined && round % 15 === 14 ? `spaces/acme/${name}/item-${round - 1}.md` : null;
  const rewritten = round % 10 === 9 ? `spaces/acme/${name}/item-0.md` : null;
  await repository.exclusive(async (transaction) => {
    await transaction.writeFile(path, Buffer.from(`${name} says ${round}\n`));
    if (gone !== null) await transaction.removeFile(gone);
    if (rewritten !== null) await transaction.writeFile(rewritten, Buffer.from(`${name} says 0, and ${round}\n`));
    const paths = [path, gone, rewritten].filter((each) => each !== null);
    await transaction.commit(paths, { subject: `remember: ${path}`, trailers: [['Stet-Agent', name]], author });
  });
  if (gone !== null) process.stdout.write(`gone ${gone}\n`);
  process.stdout.write(`ack ${path}\n`);
}
await repository.close();
