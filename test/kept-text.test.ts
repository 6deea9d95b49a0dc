// What somebody typed into a file, and no commit has yet, is not lost when an operation takes the file away or writes over it.
import { expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';

async function edited(memory: InProcessMemory): Promise<{ id: string; path: string; commit: string }> {
  const session = await memory.app.userSession({ space: 'personal' });
  const stored = await memory.app.remember(session, { text: 'Tea is at four.' });
  if (stored.status !== 'stored') throw new Error(stored.status);
  const commit = memory.git('rev-parse', 'HEAD').trim();
  await memory.edit(stored.path, `${memory.read(stored.path)}\nWith milk, in the garden.\n`);
  return { id: stored.item.id, path: stored.path, commit };
}

async function forget({ app }: InProcessMemory, id: string) {
  return app.forget(await app.userSession({ item: id }), id);
}

it('a forgotten item comes back by undo with what was typed last', async () => {
  await using memory = await InProcessMemory.make();
  const { id, path } = await edited(memory);
  const text = memory.read(path);
  expect(await forget(memory, id)).toMatchObject({ status: 'forgotten', isKept: true });
  await memory.app.undo();
  expect(memory.read(path)).toBe(text);
  expect(memory.git('status', '--porcelain')).toBe('');
});

it('a forgotten item is not said to be in the history where it cannot be put there', async () => {
  await using memory = await InProcessMemory.make();
  const { id } = await edited(memory);
  memory.git('checkout', '-q', '--detach');
  const client = await memory.connect({ name: 'codex' });
  const answer = await client.call('forget', { id });
  expect(answer.text).toContain('was in no commit, and is gone');
  expect(memory.git('log', '-p', '--all')).not.toContain('in the garden');
});

it('an item is put back as it stood without losing what was typed since', async () => {
  await using memory = await InProcessMemory.make();
  const { id, path, commit } = await edited(memory);
  await memory.app.restore(id, commit);
  expect(memory.read(path)).not.toContain('in the garden');
  expect(memory.git('log', '-p')).toContain('+With milk, in the garden.');
});

it('an item is not put back over what cannot be committed', async () => {
  await using memory = await InProcessMemory.make();
  const { id, path, commit } = await edited(memory);
  const text = memory.read(path);
  memory.git('checkout', '-q', '--detach');
  await expect(memory.app.restore(id, commit)).rejects.toThrow('has text that no commit has');
  expect(memory.read(path)).toBe(text);
});
