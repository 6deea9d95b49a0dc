// For some milliseconds after a commit stet keeps git's index lock, so that a `git commit` that has just read the old
// index stops instead of writing it back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { bundle } from './bundle.ts';
import { temporaryRepository, TEST_ENV } from './temporary-repository.ts';

test('git finds the index locked right after a commit, and free soon after, by itself', async () => {
  await using memory = await temporaryRepository({ lingerMs: 300 });
  await memory.remember('personal/a.md', 'a\n');
  memory.write('notes.txt', 'mine\n');
  expect(() => memory.git('add', 'notes.txt')).toThrow(/index\.lock/);
  expect(memory.git('status', '--porcelain')).toBe('?? notes.txt');
  await vi.waitUntil(() => !existsSync(join(memory.root, '.git/index.lock')), { timeout: 20_000, interval: 5 });
  expect(existsSync(join(memory.root, '.git/stet/write.lock'))).toBe(false);
  memory.git('add', 'notes.txt');
});

test('the next write of the same process does not wait for it', async () => {
  await using memory = await temporaryRepository({ lingerMs: 600_000 });
  for (const name of ['a', 'b', 'c']) {
    expect(await memory.remember(`personal/${name}.md`, `${name}\n`)).toMatchObject({ status: 'committed' });
  }
  await memory.repository.close();
  expect(existsSync(join(memory.root, '.git/index.lock'))).toBe(false);
  memory.checkHealth();
});

test('a process that ends meanwhile takes its locks with it', async () => {
  await using memory = await temporaryRepository();
  using writer = await bundle(new URL('exiting-process.ts', import.meta.url));
  const child = spawn(process.execPath, [writer.path, memory.root], { env: TEST_ENV, stdio: 'inherit' });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(readdirSync(join(memory.root, '.git/stet')).sort()).toEqual(['clock', 'intent.json', 'journal']);
  expect(existsSync(join(memory.root, '.git/index.lock'))).toBe(false);
  expect(memory.git('log', '--format=%s')).toBe('remember: a');
});
