// `stet doctor --fix` moves a file to the space that its frontmatter names, and leaves alone whatever else is wrong with one.
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';

const SECRET = ['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_');

async function makeSpaces(): Promise<InProcessMemory> {
  const memory = await InProcessMemory.make();
  await memory.space('acme');
  await memory.space('globex');
  return memory;
}

async function keep(memory: InProcessMemory, text: string, supersedes?: string): Promise<{ id: string; path: string }> {
  const session = await memory.app.userSession({ space: 'acme' });
  const stored = await memory.app.remember(session, { text, ...(supersedes ? { supersedes: [supersedes] } : {}) });
  if (stored.status !== 'stored') throw new Error(stored.status);
  return { id: stored.item.id, path: stored.path };
}

it('moves a file whose key names another space, in a commit of its own', async () => {
  await using memory = await makeSpaces();
  const { id, path } = await keep(memory, 'Globex signs users in with Clerk.');
  await memory.edit(path, memory.read(path).replace('space: acme', 'space: globex'));
  const [found] = await memory.app.diagnose({ history: false });
  const target = path.replace('spaces/acme/', 'spaces/globex/');
  expect(found?.fix).toContain(`\`stet doctor --fix\` moves it to ${target}.`);
  const text = memory.read(path);
  const { moved, commit } = await memory.app.followFrontmatter();
  expect(moved).toEqual([{ id, from: path, to: target }]);
  expect(commit?.status).toBe('committed');
  expect(memory.items()).toEqual([target]);
  expect(memory.read(target)).toBe(text);
  expect(memory.git('status', '--porcelain')).toBe('');
  expect(memory.git('log', '-1', '--format=%s')).toContain(`move: ${id} to the space that it names`);
  expect((await memory.app.list({ space: 'globex', outdated: false })).map(({ item }) => item.id)).toEqual([id]);
  expect((await memory.app.status()).quarantined).toEqual([]);
  expect((await memory.app.followFrontmatter()).moved).toEqual([]);
});

it('takes a file back that was dragged to the folder of another space', async () => {
  await using memory = await makeSpaces();
  const { id, path } = await keep(memory, 'Acme signs users in with Auth0.');
  const dragged = path.replace('spaces/acme/', 'spaces/globex/');
  mkdirSync(dirname(memory.path(dragged)), { recursive: true });
  renameSync(memory.path(path), memory.path(dragged));
  await memory.edit(dragged, memory.read(dragged));
  const head = memory.git('rev-parse', 'HEAD');
  expect((await memory.app.followFrontmatter()).moved).toEqual([{ id, from: dragged, to: path }]);
  expect(memory.items()).toEqual([path]);
  expect(memory.git('status', '--porcelain')).toBe('');
  expect(memory.git('rev-parse', 'HEAD')).toBe(head);
});

it('takes along what the item replaced, which would be current again where it was', async () => {
  await using memory = await makeSpaces();
  const old = await keep(memory, 'Users sign in with Okta.');
  const { path } = await keep(memory, 'Users sign in with Clerk.', old.id);
  await memory.edit(path, memory.read(path).replace('space: acme', 'space: globex'));
  expect((await memory.app.followFrontmatter()).moved).toHaveLength(2);
  expect(await memory.app.list({ space: 'acme', outdated: false })).toEqual([]);
  expect((await memory.app.list({ space: 'globex', outdated: true })).map(({ item }) => item.text).toSorted()).toEqual([
    'Users sign in with Clerk.',
    'Users sign in with Okta.',
  ]);
  expect(await memory.app.list({ space: 'globex', outdated: false })).toHaveLength(1);
});

it('adds the keys that a file made by hand lacks', async () => {
  await using memory = await makeSpaces();
  await memory.edit('personal/note.md', '---\nspace: acme\n---\nTea is at four.\n');
  const { moved } = await memory.app.followFrontmatter();
  expect(moved).toMatchObject([{ from: 'personal/note.md', to: 'spaces/acme/note.md' }]);
  expect(memory.read('spaces/acme/note.md')).toMatch(/^---\nspace: acme\n(?:id|source|created): /);
});

it.each([
  ['names a space that there is not', 'personal/a.md', '---\nspace: initech\n---\nTea is at four.\n'],
  ['has another problem too', 'personal/a.md', '---\nspace: acme\nkind: rumour\n---\nTea is at four.\n'],
  ['names no space, in a folder that can be none', 'spaces/con/a.md', '---\nkind: fact\n---\nTea is at four.\n'],
  ['seems to hold a secret', 'personal/a.md', `---\nspace: acme\n---\nThe token is ${SECRET}\n`],
])('leaves a file where it is that %s', async (_, path, text) => {
  await using memory = await makeSpaces();
  await memory.edit(path, text);
  expect((await memory.app.status()).quarantined).toHaveLength(1);
  expect(await memory.app.followFrontmatter()).toEqual({ moved: [], commit: null });
  expect(memory.read(path)).toBe(text);
});

it('leaves a file where it is whose id another one has, was forgotten, or was replaced', async () => {
  await using memory = await makeSpaces();
  const taken = await keep(memory, 'Tea is at four.');
  await memory.edit('spaces/globex/a.md', memory.read(taken.path));
  const gone = await keep(memory, 'Tea is at five.', taken.id);
  const text = memory.read(gone.path);
  await memory.app.forget(await memory.app.userSession({ space: 'acme' }), gone.id);
  await memory.edit('spaces/globex/b.md', text);
  const replaced = await keep(memory, 'Standups are at nine.');
  await keep(memory, 'Standups are at ten.', replaced.id);
  await memory.edit(replaced.path, memory.read(replaced.path).replace('space: acme', 'space: globex'));
  expect((await memory.app.status()).quarantined).toHaveLength(3);
  expect((await memory.app.followFrontmatter()).moved).toEqual([]);
});
