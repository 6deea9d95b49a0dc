import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRepository } from '../../src/repo/create-repository.ts';
import { gitIn, temporaryFolder, temporaryRepository } from './temporary-repository.ts';

test('git finds a new repository empty, whole and on the unborn branch main', async () => {
  await using memory = await temporaryRepository();
  expect(memory.git('status', '--porcelain=v2', '--branch')).toBe('# branch.oid (initial)\n# branch.head main');
  expect(memory.git('fsck', '--strict')).toBe('');
});

test('a new repository is configured as git init would configure it', async () => {
  await using memory = await temporaryRepository();
  const other = temporaryFolder();
  try {
    gitIn(other)('init', '--quiet', '--initial-branch=main');
    const settings = (root: string) => gitIn(root)('config', '--local', '--list').split('\n').sort();
    expect(settings(memory.root)).toEqual(settings(other));
    expect(readFileSync(join(memory.root, '.git/HEAD'))).toEqual(readFileSync(join(other, '.git/HEAD')));
  } finally {
    rmSync(other, { recursive: true });
  }
});

test('an existing repository is left alone', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await expect(createRepository(memory.root)).rejects.toMatchObject({ failure: { code: 'bad-argument' } });
  expect(memory.git('log', '--format=%s')).toBe('remember: personal/a.md');
});

test('a repository whose making a crash cut short is completed', async () => {
  await using memory = await temporaryRepository();
  rmSync(join(memory.root, '.git/HEAD'));
  rmSync(join(memory.root, '.git/refs'), { recursive: true });
  await createRepository(memory.root);
  expect(existsSync(join(memory.root, '.git/refs/heads'))).toBe(true);
  memory.checkHealth();
});
