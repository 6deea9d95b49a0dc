// What the user does with git between the moment in which stet has written its objects and the one in which it locks.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFileSystem, type FileSystem } from '../../src/repo/file-system.ts';
import { says, temporaryRepository } from './temporary-repository.ts';

/** Something happens just before stet takes `index.lock`, once. */
function disturbed(): { fs: FileSystem; before: (happens: () => void) => void } {
  let next: (() => void) | null = null;
  const fs: FileSystem = {
    ...nodeFileSystem,
    async link(from, to) {
      const happens = to.endsWith('index.lock') ? next : null;
      if (happens !== null) {
        next = null;
        happens();
      }
      await nodeFileSystem.link(from, to);
    },
  };
  return { fs, before: (happens) => void (next = happens) };
}

test('a commit that the user makes meanwhile is built upon', async () => {
  const { fs, before } = disturbed();
  await using memory = await temporaryRepository({ fs });
  await memory.remember('personal/a.md', 'a\n');
  before(() => {
    memory.write('notes.txt', 'mine\n');
    memory.git('add', 'notes.txt');
    memory.git('commit', '--quiet', '-m', 'mine');
  });
  expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({ status: 'committed' });
  expect(memory.git('log', '--format=%s')).toBe('remember: personal/b.md\nmine\nremember: personal/a.md');
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('notes.txt\npersonal/a.md\npersonal/b.md');
  expect(memory.git('status', '--porcelain')).toBe('');
  memory.checkHealth();
});

test('a branch that the user switches to meanwhile gets the commit', async () => {
  const { fs, before } = disturbed();
  await using memory = await temporaryRepository({ fs });
  await memory.remember('personal/a.md', 'a\n');
  before(() => memory.git('checkout', '--quiet', '-b', 'other'));
  expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({ status: 'committed' });
  expect(memory.git('log', '--format=%s', 'main')).toBe('remember: personal/a.md');
  expect(memory.git('log', '-1', '--format=%s', 'other')).toBe('remember: personal/b.md');
});

test('a merge that the user begins meanwhile puts the commit off', async () => {
  const { fs, before } = disturbed();
  await using memory = await temporaryRepository({ fs });
  await memory.remember('personal/a.md', 'a\n');
  before(() => writeFileSync(join(memory.root, '.git/MERGE_HEAD'), `${memory.git('rev-parse', 'HEAD')}\n`));
  expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({
    status: 'pending',
    reason: expect.stringContaining('a merge'),
  });
});

test('what the user stages meanwhile stays out of the commit', async () => {
  const { fs, before } = disturbed();
  await using memory = await temporaryRepository({ fs });
  await memory.remember('personal/a.md', 'a\n');
  memory.write('personal/mine.md', 'mine\n');
  memory.write('personal/edited.md', 'edited\n');
  before(() => memory.git('add', 'personal/mine.md'));
  await memory.repository.exclusive((transaction) =>
    transaction.commit(['personal/mine.md', 'personal/edited.md'], says('edit: two', null)),
  );
  expect(memory.git('show', '--format=', '--name-only', 'HEAD')).toBe('personal/edited.md');
  expect(memory.git('status', '--porcelain')).toBe('A  personal/mine.md');
});

test('an edit that is made between the look at a file and the writing of the index is younger than the index', async () => {
  const { fs, before } = disturbed();
  await using memory = await temporaryRepository({ fs });
  await memory.remember('personal/a.md', 'agent\n');
  const modified = (path: string): bigint => statSync(join(memory.root, path), { bigint: true }).mtimeNs;
  before(() => {
    memory.write('personal/b.md', 'human\n');
    // The clock of the file system ticks before the index is written.
    do memory.write('tick', '');
    while (modified('tick') <= modified('personal/b.md'));
  });
  await memory.remember('personal/b.md', 'agent\n');
  expect(modified('.git/index')).toBeLessThan(modified('personal/b.md'));
  expect(memory.git('status', '--porcelain', 'personal')).toBe(' M personal/b.md');
});
