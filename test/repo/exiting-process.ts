// A process that commits once and exits at once, with its locks still lingering: `exiting-process <memory>`.
import { openRepository } from '../../src/repo/open-repository.ts';

const repository = await openRepository(process.argv[2] ?? '', { lingerMs: 600_000 });
await repository.exclusive(async (transaction) => {
  await transaction.writeFile('personal/a.md', Buffer.from('a\n'));
  return transaction.commit(['personal/a.md'], { subject: 'remember: a', trailers: [], author: null });
});
