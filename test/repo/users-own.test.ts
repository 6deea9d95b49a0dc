// What belongs to the user: hooks, signing, other files, the environment. stet runs, asks and touches nothing of it.
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeObject } from '../../src/repo/git-object.ts';
import { openRepository } from '../../src/repo/open-repository.ts';
import { gitIn, says, temporaryFolder, temporaryRepository, TEST_ENV } from './temporary-repository.ts';

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'reference-transaction',
  'pre-auto-gc',
  'post-index-change',
];

function addHooks(root: string): () => boolean {
  const trace = join(root, '.git/hook-ran');
  for (const hook of HOOKS) {
    const path = join(root, '.git/hooks', hook);
    writeFileSync(path, `#!/bin/sh\necho ${hook} >> '${trace}'\nexit 1\n`);
    chmodSync(path, 0o755);
  }
  return () => existsSync(trace);
}

test('no hook runs, and none can stop a commit', async () => {
  await using memory = await temporaryRepository();
  const hasRun = addHooks(memory.root);
  memory.write('notes.txt', 'mine\n');
  memory.git('add', 'notes.txt');
  expect(() => memory.git('commit', '--quiet', '-m', 'mine')).toThrow(/./);
  expect(hasRun()).toBe(true);
  rmSync(join(memory.root, '.git/hook-ran'));
  expect(await memory.remember('personal/a.md', 'a\n')).toMatchObject({ status: 'committed' });
  expect(await memory.repository.log('personal/a.md')).toHaveLength(1);
  expect(hasRun()).toBe(false);
});

test('nothing is signed, so nothing is asked, whatever commit.gpgSign says', async () => {
  await using memory = await temporaryRepository();
  memory.git('config', 'commit.gpgSign', 'true');
  memory.git('config', 'gpg.program', '/bin/false');
  memory.git('config', 'log.showSignature', 'true');
  expect(await memory.remember('personal/a.md', 'a\n')).toMatchObject({ status: 'committed' });
  expect(memory.git('cat-file', 'commit', 'HEAD')).not.toContain('gpgsig');
  expect(await memory.repository.log('personal/a.md')).toHaveLength(1);
});

test('other files of the repository are neither status nor change', async () => {
  await using memory = await temporaryRepository();
  memory.write('notes.txt', 'tracked\n');
  memory.git('add', 'notes.txt');
  memory.git('commit', '--quiet', '-m', 'notes');
  memory.write('notes.txt', 'changed\n');
  memory.write('personal/picture.png', 'new\n');
  memory.write('spaces/acme/.obsidian/workspace.json', '{}\n');
  memory.write('deliveries/1.json', '{}\n');
  expect(await memory.repository.status()).toEqual([]);
  await memory.remember('personal/a.md', 'a\n');
  expect(memory.git('status', '--porcelain', '--untracked-files=all')).toBe(
    ' M notes.txt\n?? deliveries/1.json\n?? personal/picture.png\n?? spaces/acme/.obsidian/workspace.json',
  );
});

test('variables that point git elsewhere do not lead stet there', async () => {
  await using memory = await temporaryRepository();
  await using other = await temporaryRepository();
  const misleading = {
    ...TEST_ENV,
    GIT_DIR: join(other.root, '.git'),
    GIT_WORK_TREE: other.root,
    GIT_INDEX_FILE: join(other.root, '.git/index'),
    GIT_OBJECT_DIRECTORY: join(other.root, '.git/objects'),
  };
  const repository = await openRepository(memory.root, {
    surroundings: { env: misleading, home: memory.root },
    lingerMs: 0,
  });
  await repository.exclusive(async (transaction) => {
    await transaction.writeFile('personal/a.md', Buffer.from('a\n'));
    return transaction.commit(['personal/a.md'], says('remember: a'));
  });
  expect(await repository.log('personal/a.md')).toHaveLength(1);
  expect(memory.git('log', '--format=%s')).toBe('remember: a');
  expect(existsSync(join(other.root, '.git/index'))).toBe(false);
});

test('loose objects are packed in the background once git would do so, and no hook runs', async () => {
  await using memory = await temporaryRepository();
  const hasRun = addHooks(memory.root);
  memory.git('config', 'gc.auto', '1');
  // git counts the objects whose names begin with 17, and takes them for one part in 256.
  for (let number = 0, found = 0; found < 2; number++) {
    const content = `${number}\n`;
    if (!makeObject('blob', Buffer.from(content)).id.startsWith('17')) continue;
    await memory.remember(`personal/${number}.md`, content);
    found++;
  }
  const packs = join(memory.root, '.git/objects/pack');
  await vi.waitUntil(() => readdirSync(packs).some((name) => name.endsWith('.pack')), { timeout: 30_000 });
  await vi.waitUntil(() => !existsSync(join(memory.root, '.git/gc.pid')), { timeout: 30_000 });
  expect(hasRun()).toBe(false);
  expect(await memory.remember('personal/after.md', 'after\n')).toMatchObject({ status: 'committed' });
  memory.checkHealth();
});

test('a repository that the user made with git init, branch and commits of their own is written to as well', async () => {
  await using memory = await temporaryRepository({
    prepare(root) {
      const git = gitIn(root);
      git('init', '--quiet', '--initial-branch=trunk/mine');
      writeFileSync(join(root, 'notes.txt'), 'mine\n');
      git('add', '-A');
      git('commit', '--quiet', '-m', 'mine');
      git('pack-refs', '--all');
      git('gc', '--quiet');
    },
  });
  expect(await memory.remember('personal/a.md', 'a\n')).toMatchObject({ status: 'committed' });
  expect(memory.git('log', '--format=%s', 'trunk/mine')).toBe('remember: personal/a.md\nmine');
  expect(memory.git('status', '--porcelain')).toBe('');
  memory.checkHealth();
});

test('everything works where git is not installed, and git finds it in order later', async () => {
  const env = { ...TEST_ENV, PATH: temporaryFolder() };
  try {
    await using memory = await temporaryRepository({ surroundings: { env, home: '/nowhere' } });
    await memory.remember('personal/a.md', 'a\n');
    await memory.remember('spaces/acme/b.md', 'b\n');
    memory.write('personal/a.md', 'edited\n');
    expect(await memory.repository.status()).toEqual([{ path: 'personal/a.md', state: 'modified' }]);
    await memory.repository.exclusive((transaction) => transaction.commit(['personal/a.md'], says('edit: a', null)));
    expect((await memory.repository.log('personal/a.md')).map(({ subject }) => subject)).toEqual([
      'edit: a',
      'remember: personal/a.md',
    ]);
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(memory.git('log', '--format=%s')).toBe('edit: a\nremember: spaces/acme/b.md\nremember: personal/a.md');
    memory.checkHealth();
  } finally {
    rmSync(env.PATH, { recursive: true });
  }
});
