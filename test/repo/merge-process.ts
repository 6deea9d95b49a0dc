// A process that merges, and kills itself: `merge-process <memory> <files as JSON> <calls>`. Prints `merged` if it lived.
import { openRepository } from '../../src/repo/open-repository.ts';
import { mortalFileSystem } from './mortal-file-system.ts';

const [root = '', files = '[]', calls = '0'] = process.argv.slice(2);
const repository = await openRepository(root, { lingerMs: 0, fs: mortalFileSystem(Number(calls)) });
const head = await repository.head();
const outcome = await repository.exclusive((transaction) =>
  transaction.merge({
    head,
    files: new Map(
      (JSON.parse(files) as Array<[string, string | null]>).map(([path, text]) => [
        path,
        text === null ? null : { mode: '100644', blob: null, bytes: Buffer.from(text) },
      ]),
    ),
    historyOnly: new Set(['machine.yaml']),
    result: { parents: head === null ? [] : [head] },
    message: { subject: 'sync: merge', trailers: [], author: null },
  }),
);
process.stdout.write(`${outcome.status}\n`);
await repository.close();
