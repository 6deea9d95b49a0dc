// An item that was moved by hand, and not committed yet: whatever operation commits it commits the move as a whole.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';

const BEFORE = 'spaces/acme/renamed.md';

interface Moved {
  readonly memory: InProcessMemory;
  readonly id: string;
  /** Where HEAD has it. */
  readonly from: string;
}

/** `command`: with `mv` nothing is staged, with `git mv` the move is. */
async function moveByHand({ memory, from }: Moved, command: 'mv' | 'git mv'): Promise<void> {
  const text = memory.read(from);
  if (command === 'git mv') memory.git('mv', from, BEFORE);
  await memory.edit(from, null);
  await memory.edit(BEFORE, text);
}

async function settle(memory: InProcessMemory, id: string, review: 'unseen' | null): Promise<void> {
  if (review === null) return;
  const path = (await memory.app.locate(id))?.path ?? '';
  await memory.edit(path, memory.read(path).replace('kind: fact', `kind: fact\nreview: ${review}`));
  memory.git('commit', '-q', '-a', '-m', 'Mark it');
}

const OPERATIONS: ReadonlyArray<[string, 'unseen' | null, (moved: Moved) => Promise<unknown>]> = [
  [
    'edit',
    null,
    async ({ memory, id }) => {
      const before = await memory.app.editableFile(id);
      return memory.app.saveEdit(before, Buffer.from(memory.read(before.path).replace('nine', 'ten')));
    },
  ],
  ['tag', null, ({ memory, id }) => memory.app.tagItem(id, ['daily'], [])],
  ['mv', null, ({ memory, id }) => memory.app.moveItem(id, 'globex')],
  ['forget', null, async ({ memory, id }) => memory.app.forget(await memory.app.userSession({ item: id }), id)],
  ['restore', null, ({ memory, id }) => memory.app.restore(id, 'HEAD')],
  ['review accept', 'unseen', ({ memory, id }) => memory.app.settleReview(id, 'accept')],
  ['review reject', 'unseen', ({ memory, id }) => memory.app.settleReview(id, 'reject')],
  ['space rename', null, ({ memory }) => memory.app.renameSpace('acme', 'acme-corp')],
];

describe.each(['mv', 'git mv'] as const)('after `%s`', (command) => {
  it.each(OPERATIONS)('`stet %s` commits the old path too', async (_, review, operate) => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    await memory.space('globex');
    const session = await memory.app.userSession({ space: 'acme' });
    const stored = await memory.app.remember(session, { text: 'Standups are at nine.' });
    if (stored.status !== 'stored') throw new Error(stored.status);
    await memory.idle();
    const { id } = stored.item;
    await settle(memory, id, review);
    const moved = { memory, id, from: stored.path };
    await moveByHand(moved, command);
    expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toContain(stored.path);
    await operate(moved);

    const atHead = memory.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
    expect(atHead).not.toContain(stored.path);
    expect(atHead.filter((path) => /^(?:personal|spaces)\/.*\.md$/.test(path))).toEqual(memory.items());
    expect(memory.git('status', '--porcelain')).toBe('');
    expect((await memory.app.status()).quarantined).toEqual([]);
    expect(await memory.app.list({ outdated: true })).toHaveLength(memory.items().length);
  });

  it('an agent that asks to forget an instruction commits the old path too', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    const user = await memory.app.userSession({ space: 'acme' });
    const stored = await memory.app.remember(user, { text: 'Answer in German.', kind: 'instruction' });
    if (stored.status !== 'stored') throw new Error(stored.status);
    await memory.app.changeSetting('instructions.review', 'on');
    await memory.idle();
    await moveByHand({ memory, id: stored.item.id, from: stored.path }, command);
    const asked = await memory.app.forget(await memory.session('acme'), stored.item.id);
    expect(asked.status).toBe('waiting');
    expect(memory.git('ls-files', stored.path)).toBe('');
    expect(memory.git('status', '--porcelain')).toBe('');
  });
});

it('leaves the old path to the next commit where a file is there again', async () => {
  await using memory = await InProcessMemory.make();
  await memory.space('acme');
  const session = await memory.app.userSession({ space: 'acme' });
  const stored = await memory.app.remember(session, { text: 'Standups are at nine.' });
  if (stored.status !== 'stored') throw new Error(stored.status);
  await memory.idle();
  await moveByHand({ memory, id: stored.item.id, from: stored.path }, 'mv');
  await memory.app.status();
  writeFileSync(memory.path(stored.path), 'Somebody wrote another note here.\n');
  await memory.app.tagItem(stored.item.id, ['daily'], []);
  expect(memory.read(stored.path)).toBe('Somebody wrote another note here.\n');
});
