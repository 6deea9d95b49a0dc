// A `git commit` in a terminal that read the index a moment before stet wrote it drops stet's entry. What it dropped is
// committed again; what the user took out stays out.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '../../src/repo/open-repository.ts';
import { says, temporaryRepository, TEST_ENV, type TemporaryRepository } from './temporary-repository.ts';

/** A user's commit from an index as it was before stet's last one. */
async function commitOverStaleIndex(memory: TemporaryRepository, remember: () => Promise<unknown>): Promise<void> {
  const index = join(memory.root, '.git/index');
  copyFileSync(index, `${index}.stale`);
  await remember();
  copyFileSync(`${index}.stale`, index);
  memory.write('notes.txt', 'mine\n');
  memory.git('add', 'notes.txt');
  memory.git('commit', '--quiet', '-m', 'mine');
}

async function forget(memory: TemporaryRepository, path: string): Promise<void> {
  await memory.repository.exclusive(async (transaction) => {
    await transaction.removeFile(path);
    return transaction.commit([path], says(`forget: ${path}`));
  });
}

function opened(memory: TemporaryRepository) {
  return openRepository(memory.root, { surroundings: { env: TEST_ENV, home: memory.root }, lingerMs: 0 });
}

test('a file that a concurrent commit dropped from HEAD is committed again, in its own words', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await commitOverStaleIndex(memory, () => memory.remember('personal/b.md', 'b\n'));
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('notes.txt\npersonal/a.md');
  // By any process: what was committed is in the journal.
  const other = await opened(memory);
  expect(await other.commitPending()).toMatchObject({ committed: 1 });
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('notes.txt\npersonal/a.md\npersonal/b.md');
  expect(memory.git('log', '-1', '--format=%an|%s|%(trailers:key=Stet-Agent,valueonly)').trim()).toBe(
    'claude-code|remember: personal/b.md|claude-code',
  );
  expect(memory.git('status', '--porcelain')).toBe('');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
  memory.checkHealth();
});

test('it happens with the next commit too', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await commitOverStaleIndex(memory, () => memory.remember('personal/b.md', 'b\n'));
  await memory.remember('personal/c.md', 'c\n');
  expect(memory.git('log', '--format=%s')).toBe(
    ['c', 'b'].map((name) => `remember: personal/${name}.md\n`).join('') +
      'mine\nremember: personal/b.md\nremember: personal/a.md',
  );
});

test('a new version that a concurrent commit turned back is committed again', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'old\n');
  await commitOverStaleIndex(memory, () => memory.remember('personal/a.md', 'new\n'));
  expect(memory.git('show', 'HEAD:personal/a.md')).toBe('old');
  await memory.repository.commitPending();
  expect(memory.git('show', 'HEAD:personal/a.md')).toBe('new');
});

test('a file that a concurrent commit brought back after stet had taken it away is taken away again', async () => {
  await using memory = await temporaryRepository();
  for (const name of ['a', 'b']) await memory.remember(`personal/${name}.md`, `${name}\n`);
  await commitOverStaleIndex(memory, () => forget(memory, 'personal/b.md'));
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('notes.txt\npersonal/a.md\npersonal/b.md');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 1 });
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('notes.txt\npersonal/a.md');
  expect(memory.git('log', '-1', '--format=%an|%s')).toBe('claude-code|forget: personal/b.md');
  expect(memory.git('status', '--porcelain')).toBe('');
  memory.checkHealth();
});

/** As stet forgets: the item goes, and its tombstone comes, in one commit. */
async function bury(memory: TemporaryRepository, path: string, tombstone: string): Promise<void> {
  await memory.repository.exclusive(async (transaction) => {
    await transaction.writeFile(tombstone, Buffer.from('id: b\n'));
    await transaction.removeFile(path);
    return transaction.commit([path, tombstone], says(`forget: ${path}`));
  });
}

test('a removal with what it wrote is made again, also where stet has taken that away since', async () => {
  await using memory = await temporaryRepository();
  for (const name of ['a', 'b', 'c']) await memory.remember(`personal/${name}.md`, `${name}\n`);
  // Deleted by hand, which is of no other commit's concern.
  rmSync(join(memory.root, 'personal/c.md'));
  await commitOverStaleIndex(memory, async () => {
    await bury(memory, 'personal/b.md', 'forgotten/b.yaml');
    await forget(memory, 'forgotten/b.yaml');
  });
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 1 });
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('notes.txt\npersonal/a.md\npersonal/c.md');
  await commitOverStaleIndex(memory, () => bury(memory, 'personal/a.md', 'forgotten/a.yaml'));
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('notes.txt\npersonal/a.md\npersonal/c.md');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 1 });
  expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('forgotten/a.yaml\nnotes.txt\npersonal/c.md');
});

test('what the user brought back with its tombstone gone, and then deleted, is not forgotten again', async () => {
  await using memory = await temporaryRepository();
  for (const name of ['a', 'b']) await memory.remember(`personal/${name}.md`, `${name}\n`);
  await bury(memory, 'personal/b.md', 'forgotten/b.yaml');
  memory.git('revert', '--no-edit', 'HEAD');
  rmSync(join(memory.root, 'personal/b.md'));
  await memory.remember('personal/c.md', 'c\n');
  expect(memory.git('log', '-2', '--format=%s')).toBe('remember: personal/c.md\nRevert "forget: personal/b.md"');
  expect(memory.git('status', '--porcelain')).toBe(' D personal/b.md');
});

test('what the user brought back stays', async () => {
  await using memory = await temporaryRepository();
  for (const name of ['a', 'b']) await memory.remember(`personal/${name}.md`, `${name}\n`);
  await forget(memory, 'personal/b.md');
  memory.git('checkout', '--quiet', 'HEAD~1', '--', 'personal/b.md');
  memory.git('commit', '--quiet', '-m', 'b again');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
  expect(memory.read('personal/b.md')).toBe('b\n');
});

test('a dropped file that was edited since comes back as it was committed, and the edit stays an edit', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await commitOverStaleIndex(memory, () => memory.remember('personal/b.md', 'b\n'));
  memory.write('personal/b.md', 'edited\n');
  await memory.repository.commitPending();
  expect(memory.git('show', 'HEAD:personal/b.md')).toBe('b');
  expect(memory.git('status', '--porcelain')).toBe(' M personal/b.md');
  expect(memory.git('diff', '--name-only')).toBe('personal/b.md');
});

test('what the user deleted stays deleted', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await memory.remember('personal/b.md', 'b\n');
  memory.git('rm', '--quiet', 'personal/b.md');
  memory.git('commit', '--quiet', '-m', 'no b');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
});

test('what the user took out with git reset, or by amending, stays out', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await memory.remember('personal/b.md', 'b\n');
  memory.git('reset', '--quiet', 'HEAD~1');
  memory.write('notes.txt', 'mine\n');
  memory.git('add', 'notes.txt');
  memory.git('commit', '--quiet', '-m', 'mine');
  expect(memory.git('status', '--porcelain')).toBe('?? personal/b.md');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
  await memory.remember('personal/c.md', 'c\n');
  memory.git('rm', '--quiet', '--cached', 'personal/c.md');
  memory.git('commit', '--quiet', '--amend', '-m', 'without c', '--allow-empty');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
  expect(memory.git('status', '--porcelain')).toBe('?? personal/b.md\n?? personal/c.md');
});

test('what the user changed on purpose is not turned back', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'one\n');
  await memory.remember('personal/a.md', 'two\n');
  memory.write('personal/a.md', 'three\n');
  memory.git('commit', '--quiet', '-am', 'three');
  memory.write('personal/a.md', 'two\n');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
  memory.write('personal/a.md', 'one\n');
  memory.git('commit', '--quiet', '-am', 'one again');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
});

test('what stet itself forgot since stays forgotten', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await memory.remember('personal/b.md', 'b\n');
  await forget(memory, 'personal/b.md');
  memory.write('notes.txt', 'mine\n');
  memory.git('add', 'notes.txt');
  memory.git('commit', '--quiet', '-m', 'mine');
  memory.write('personal/b.md', 'b\n');
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
});

test('without the journal nothing is made again', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  await commitOverStaleIndex(memory, () => memory.remember('personal/b.md', 'b\n'));
  rmSync(join(memory.root, '.git/stet/journal'));
  expect(await memory.repository.commitPending()).toMatchObject({ committed: 0 });
});
