// Operations that rewrite an item's file commit with it what somebody has typed into it, so that is searched first.
import { expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';

const SECRET = ['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_');

const OPERATIONS: ReadonlyArray<readonly [string, (memory: InProcessMemory, id: string) => Promise<unknown>]> = [
  ['renaming its space', ({ app }) => app.renameSpace('acme', 'apex')],
  ['moving it', ({ app }, id) => app.moveItem(id, 'globex')],
  ['tagging it', ({ app }, id) => app.tagItem(id, ['login'], [])],
  ['accepting it', ({ app }, id) => app.settleReview(id, 'accept')],
];

it.each(OPERATIONS)('%s commits no secret that was typed into its file, and changes nothing', async (_, operate) => {
  await using memory = await InProcessMemory.make();
  await memory.space('acme');
  await memory.space('globex');
  const session = await memory.app.userSession({ space: 'acme' });
  const stored = await memory.app.remember(session, { text: 'Acme signs users in with Auth0.' });
  if (stored.status !== 'stored') throw new Error(stored.status);
  const text = memory.read(stored.path).replace('space: acme', 'space: acme\nreview: unseen');
  await memory.edit(stored.path, `${text}The token is ${SECRET}.\n`);
  const before = [memory.git('rev-parse', 'HEAD'), memory.git('status', '--porcelain')];
  await expect(operate(memory, stored.item.id)).rejects.toMatchObject({
    failure: { code: 'not-possible', subject: stored.path, hint: expect.stringContaining('Take it out') as string },
  });
  expect([memory.git('rev-parse', 'HEAD'), memory.git('status', '--porcelain')]).toEqual(before);

  await memory.edit(stored.path, text);
  await operate(memory, stored.item.id);
  expect(memory.git('status', '--porcelain')).toBe('');
  expect(memory.git('log', '-p', '--all')).not.toContain(SECRET);
});
