import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../src/repo/open-repository.ts';
import { AGENT, gitIn, says, temporaryRepository, TEST_ENV, type TemporaryRepository } from './temporary-repository.ts';

/** The same repository, by a process that finds no git program. */
function openWithoutGit(memory: TemporaryRepository) {
  return openRepository(memory.root, {
    surroundings: { env: { ...TEST_ENV, PATH: '' }, home: memory.root },
    lingerMs: 0,
  });
}

/** Some commits of a file, with a merge, a deletion and a return. */
async function makeHistory(memory: TemporaryRepository): Promise<void> {
  await memory.remember('personal/a.md', 'one\n');
  await memory.remember('personal/b.md', 'other\n');
  memory.git('checkout', '--quiet', '-b', 'side');
  memory.write('personal/a.md', 'one\ntwo\n');
  memory.git('commit', '--quiet', '-am', 'side: two');
  memory.git('checkout', '--quiet', 'main');
  await memory.remember('personal/c.md', 'main moves\n');
  memory.git('merge', '--quiet', '--no-edit', 'side');
  memory.git('checkout', '--quiet', '-b', 'other-side');
  memory.write('personal/a.md', 'one\ntwo\nthree\n');
  memory.git('commit', '--quiet', '-am', 'other side: three');
  memory.git('checkout', '--quiet', 'main');
  memory.write('personal/a.md', 'one\ntwo\n3\n');
  memory.git('commit', '--quiet', '-am', 'main: 3');
  expect(() => memory.git('merge', '--quiet', 'other-side')).toThrow(/./);
  memory.write('personal/a.md', 'one\ntwo\nthree or 3\n');
  memory.git('commit', '--quiet', '-am', 'both');
  await memory.repository.exclusive(async (transaction) => {
    await transaction.removeFile('personal/a.md');
    return transaction.commit(['personal/a.md'], says('forget: a'));
  });
  await memory.remember('personal/a.md', 'back\n');
}

describe('the history of a file', () => {
  test('is told by git with author, date, words and trailers', async () => {
    await using memory = await temporaryRepository({ now: () => new Date('2026-09-15T10:31:04Z') });
    await memory.remember('personal/a.md', 'one\n');
    const { commit } = (await memory.remember('personal/a.md', 'two\n')) as { commit: string };
    const [newest, ...older] = await memory.repository.log('personal/a.md');
    expect(newest).toEqual({
      commit,
      author: AGENT,
      at: new Date('2026-09-15T10:31:04Z'),
      subject: 'remember: personal/a.md',
      trailers: [['Stet-Agent', 'claude-code']],
      path: 'personal/a.md',
    });
    expect(older).toHaveLength(1);
  });

  test('is the same without git installed', async () => {
    await using memory = await temporaryRepository();
    await makeHistory(memory);
    const other = await openWithoutGit(memory);
    for (const path of ['personal/a.md', 'personal/b.md', 'personal/never.md']) {
      expect(await other.log(path)).toEqual(await memory.repository.log(path));
    }
    expect((await other.log('personal/a.md')).map(({ subject, path }) => [subject, path])).toEqual([
      ['remember: personal/a.md', 'personal/a.md'],
      ['forget: a', null],
      ['both', 'personal/a.md'],
      ['main: 3', 'personal/a.md'],
      ['other side: three', 'personal/a.md'],
      ['side: two', 'personal/a.md'],
      ['remember: personal/a.md', 'personal/a.md'],
    ]);
  });

  test('follows a file that moved, also where its text changed, and never another that is just like it', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/tea.k3v9q2m7.md', 'the same words\n'.repeat(5));
    await memory.remember('personal/mate.h7wq2c9d.md', 'the same words\n'.repeat(5));
    await memory.remember('personal/another.md', 'another\n');
    await memory.repository.exclusive(async (transaction) => {
      await transaction.removeFile('personal/another.md');
      await transaction.removeFile('personal/tea.k3v9q2m7.md');
      await transaction.writeFile('spaces/acme/tea.k3v9q2m7.md', Buffer.from('quite another text\n'));
      const paths = ['personal/another.md', 'personal/tea.k3v9q2m7.md', 'spaces/acme/tea.k3v9q2m7.md'];
      return transaction.commit(paths, says('edit: tea'));
    });
    const other = await openWithoutGit(memory);
    for (const repository of [memory.repository, other]) {
      const pathsOf = async (path: string) => (await repository.log(path)).map((entry) => entry.path);
      expect(await pathsOf('spaces/acme/tea.k3v9q2m7.md')).toEqual([
        'spaces/acme/tea.k3v9q2m7.md',
        'personal/tea.k3v9q2m7.md',
      ]);
      expect(await pathsOf('personal/tea.k3v9q2m7.md')).toEqual([null, 'personal/tea.k3v9q2m7.md']);
      expect(await pathsOf('personal/mate.h7wq2c9d.md')).toEqual(['personal/mate.h7wq2c9d.md']);
    }
  });

  test('takes a path for a path, whatever characters it has', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/[ab]*.md', 'odd\n');
    await memory.remember('personal/a.md', 'plain\n');
    await memory.remember('personal/:(top)x.md', 'odd\n');
    expect(await memory.repository.log('personal/[ab]*.md')).toHaveLength(1);
    expect(await memory.repository.log('personal/:(top)x.md')).toHaveLength(1);
  });

  test('is empty before the first commit', async () => {
    await using memory = await temporaryRepository();
    expect(await memory.repository.log('personal/a.md')).toEqual([]);
  });
});

describe('a commit', () => {
  test('shows its files as they were, packed or not, without git', async () => {
    await using memory = await temporaryRepository();
    const first = (await memory.remember('personal/a.md', 'one\n')) as { commit: string };
    for (let round = 0; round < 30; round++)
      await memory.remember('personal/a.md', `${'same line\n'.repeat(200)}${round}\n`);
    const other = await openWithoutGit(memory);
    const check = async () => {
      expect(await other.readAt(first.commit, 'personal/a.md')).toEqual(Buffer.from('one\n'));
      expect(Buffer.from((await other.readHead('personal/a.md')) ?? []).toString()).toMatch(/\n29\n$/);
      expect(await other.readAt(first.commit, 'personal/none.md')).toBeNull();
      expect(await other.readAt(first.commit, 'personal')).toBeNull();
      expect(await other.listAt(first.commit)).toEqual(['personal/a.md']);
    };
    await check();
    memory.git('gc', '--quiet', '--prune=now');
    expect(readdirSync(join(memory.root, '.git/objects')).sort()).toEqual(['info', 'pack']);
    await check();
    await memory.remember('personal/b.md', 'after the gc\n');
    memory.git('repack', '-a', '-d', '--quiet');
    await check();
    memory.checkHealth();
  });

  test('of which there is none is an error that says so', async () => {
    await using memory = await temporaryRepository();
    await expect(memory.repository.readAt('1'.repeat(40), 'personal/a.md')).rejects.toThrow(/no such commit/);
  });

  test('is found by date on the line of first parents', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    await using memory = await temporaryRepository({ now: () => now });
    const commits: string[] = [];
    for (const day of ['2026-01-01', '2026-02-01', '2026-03-01']) {
      now = new Date(`${day}T12:00:00Z`);
      commits.push(((await memory.remember('personal/a.md', `${day}\n`)) as { commit: string }).commit);
    }
    const at = (date: string) => memory.repository.firstParentAt(new Date(date));
    expect(await at('2026-01-01T11:59:59Z')).toBeNull();
    expect(await at('2026-01-01T12:00:00Z')).toBe(commits[0]);
    expect(await at('2026-02-15T00:00:00Z')).toBe(commits[1]);
    expect(await at('2027-01-01T00:00:00Z')).toBe(commits[2]);
  });
});

test('a shallow clone is written to, and its history ends where the clone ends', async () => {
  await using origin = await temporaryRepository();
  for (let round = 0; round < 3; round++) await origin.remember('personal/a.md', `${round}\n`);
  await using memory = await temporaryRepository({
    prepare: (root) => void gitIn(root)('clone', '--quiet', '--depth', '1', `file://${origin.root}`, '.'),
  });
  expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({ status: 'committed' });
  memory.checkHealth();
  const other = await openWithoutGit(memory);
  expect(await other.log('personal/a.md')).toEqual(await memory.repository.log('personal/a.md'));
  expect(await memory.repository.firstParentAt(new Date(0))).toBeNull();
});

test('objects that were broken on the disk are not taken for present, and are written anew', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  const blob = memory.git('rev-parse', 'HEAD:personal/a.md');
  const file = join(memory.root, '.git/objects', blob.slice(0, 2), blob.slice(2));
  for (const broken of ['', 'garbage']) {
    chmodSync(file, 0o644);
    writeFileSync(file, broken);
    await memory.remember(`personal/copy-${broken.length}.md`, 'a\n');
    expect(memory.git('cat-file', 'blob', blob)).toBe('a');
  }
  memory.checkHealth();
});
