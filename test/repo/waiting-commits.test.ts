// While git is busy an item is written at once, and its commit is made later, in its own words, by whichever process.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openRepository } from '../../src/repo/open-repository.ts';
import { says, temporaryRepository, TEST_ENV, type TemporaryRepository } from './temporary-repository.ts';

interface Case {
  readonly name: string;
  readonly begin: (memory: TemporaryRepository) => void;
  readonly reason: RegExp;
  readonly end: (memory: TemporaryRepository) => void;
}

/** Two branches that disagree about `notes.txt`; `main` is checked out. */
function diverge({ git, write }: TemporaryRepository): void {
  write('notes.txt', 'base\n');
  git('add', 'notes.txt');
  git('commit', '--quiet', '-m', 'base');
  git('checkout', '--quiet', '-b', 'theirs');
  write('notes.txt', 'theirs\n');
  git('commit', '--quiet', '-am', 'theirs');
  git('checkout', '--quiet', 'main');
  write('notes.txt', 'ours\n');
  git('commit', '--quiet', '-am', 'ours');
}

function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // git exits with 1 on a conflict, which is what is wanted here.
  }
}

const CASES: readonly Case[] = [
  {
    name: 'a merge',
    begin: ({ git }) => attempt(() => git('merge', 'theirs')),
    reason: /a merge is in progress/,
    end: ({ git }) => git('merge', '--abort'),
  },
  {
    name: 'a rebase',
    begin: ({ git }) => attempt(() => git('rebase', 'theirs')),
    reason: /a rebase is in progress/,
    end: ({ git }) => git('rebase', '--abort'),
  },
  {
    name: 'a rebase by patches',
    begin: ({ git }) => attempt(() => git('rebase', '--apply', 'theirs')),
    reason: /a rebase or `git am` is in progress/,
    end: ({ git }) => git('rebase', '--abort'),
  },
  {
    name: 'a cherry-pick',
    begin: ({ git }) => attempt(() => git('cherry-pick', 'theirs')),
    reason: /a cherry-pick is in progress/,
    end: ({ git }) => git('cherry-pick', '--abort'),
  },
  {
    name: 'a revert',
    begin: ({ git }) => attempt(() => git('revert', '--no-edit', 'theirs')),
    reason: /a revert is in progress/,
    end: ({ git }) => git('revert', '--abort'),
  },
  {
    name: 'a bisect',
    begin({ git }) {
      git('bisect', 'start');
    },
    reason: /a bisect is in progress/,
    end: ({ git }) => git('bisect', 'reset'),
  },
  {
    name: 'a detached HEAD',
    begin: ({ git }) => git('checkout', '--quiet', '--detach'),
    reason: /HEAD is detached/,
    end: ({ git }) => git('checkout', '--quiet', 'main'),
  },
  {
    name: 'a conflict that outlived its operation',
    begin({ git, root }) {
      attempt(() => git('merge', 'theirs'));
      rmSync(join(root, '.git/MERGE_HEAD'));
    },
    reason: /notes\.txt has a conflict/,
    end: ({ git }) => git('add', 'notes.txt'),
  },
  {
    name: 'a lock that git holds',
    begin: ({ root }) => writeFileSync(join(root, '.git/index.lock'), ''),
    reason: /git holds .*index\.lock.*remove that file/,
    end: ({ root }) => rmSync(join(root, '.git/index.lock')),
  },
  {
    name: 'a lock on the branch',
    begin: ({ root }) => writeFileSync(join(root, '.git/refs/heads/main.lock'), ''),
    reason: /git holds .*main\.lock.*remove that file/,
    end: ({ root }) => rmSync(join(root, '.git/refs/heads/main.lock')),
  },
];

describe('in the middle of', () => {
  test.each(CASES)('$name the item is written and its commit waits', async ({ begin, reason, end }) => {
    await using memory = await temporaryRepository({ foreignLockWaitMs: 50 });
    await memory.remember('personal/a.md', 'a\n');
    diverge(memory);
    begin(memory);
    const head = await memory.repository.head();
    const outcome = await memory.remember('personal/b.md', 'b\n');
    expect(outcome).toMatchObject({ status: 'pending', reason: expect.stringMatching(reason) });
    expect(memory.read('personal/b.md')).toBe('b\n');
    expect(await memory.repository.head()).toBe(head);
    expect(await memory.repository.pending()).toMatchObject([
      { paths: ['personal/b.md'], reason: expect.stringMatching(reason) },
    ]);
    expect(await memory.repository.commitPending()).toMatchObject({
      committed: 0,
      stillPending: [{ paths: ['personal/b.md'] }],
    });
    end(memory);
    expect(await memory.repository.commitPending()).toEqual({ committed: 1, stillPending: [] });
    expect(memory.git('log', '-1', '--format=%an|%s|%(trailers:only)').trim()).toBe(
      'claude-code|remember: personal/b.md|Stet-Agent: claude-code',
    );
    expect(memory.git('show', '--format=', '--name-only', 'HEAD')).toBe('personal/b.md');
    memory.checkHealth();
  });
});

describe('commits that wait', () => {
  test('are made by another process, and before anything newer', async () => {
    await using memory = await temporaryRepository({ foreignLockWaitMs: 20 });
    await memory.remember('personal/a.md', 'a\n');
    writeFileSync(join(memory.root, '.git/index.lock'), '');
    await memory.remember('personal/b.md', 'b\n');
    await memory.remember('personal/c.md', 'c\n');
    await memory.repository.close();
    rmSync(join(memory.root, '.git/index.lock'));
    const other = await openRepository(memory.root, {
      surroundings: { env: TEST_ENV, home: memory.root },
      lingerMs: 0,
    });
    await other.exclusive(async (transaction) => {
      await transaction.writeFile('personal/d.md', Buffer.from('d\n'));
      return transaction.commit(['personal/d.md'], says('remember: d'));
    });
    expect(memory.git('log', '--format=%s')).toBe(
      'remember: d\nremember: personal/c.md\nremember: personal/b.md\nremember: personal/a.md',
    );
    expect(existsSync(join(memory.root, '.git/stet/pending.json'))).toBe(false);
  });

  test('vanish when a later change made them pointless', async () => {
    await using memory = await temporaryRepository({ foreignLockWaitMs: 20 });
    await memory.remember('personal/a.md', 'a\n');
    writeFileSync(join(memory.root, '.git/index.lock'), '');
    await memory.remember('personal/b.md', 'b\n');
    await memory.repository.exclusive(async (transaction) => {
      await transaction.removeFile('personal/b.md');
      return transaction.commit(['personal/b.md'], says('forget: b'));
    });
    rmSync(join(memory.root, '.git/index.lock'));
    expect(await memory.repository.commitPending()).toEqual({ committed: 0, stillPending: [] });
    expect(memory.git('log', '--format=%s')).toBe('remember: personal/a.md');
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  test('that can never be made do not stand in the way of others', async () => {
    await using memory = await temporaryRepository({ foreignLockWaitMs: 20 });
    await memory.remember('personal/a.md', 'a\n');
    writeFileSync(join(memory.root, '.git/index.lock'), '');
    await memory.remember('personal/b.md', 'b\n');
    rmSync(join(memory.root, '.git/index.lock'));
    memory.write('.gitattributes', 'b.md filter=git-crypt\n');
    expect(await memory.repository.commitPending()).toEqual({ committed: 0, stillPending: [] });
    expect(await memory.remember('personal/c.md', 'c\n')).toMatchObject({ status: 'committed' });
    expect(memory.git('status', '--porcelain', 'personal')).toBe('?? personal/b.md');
  });

  test('a commit that is refused is not tried again by the next', async () => {
    await using memory = await temporaryRepository();
    memory.write('.gitattributes', 'b.md filter=git-crypt\n');
    memory.write('personal/b.md', 'b\n');
    const refused = memory.repository.exclusive((transaction) =>
      transaction.commit(['personal/b.md'], says('edit: b')),
    );
    await expect(refused).rejects.toMatchObject({ failure: { code: 'unsupported-repository' } });
    expect(await memory.repository.commitPending()).toEqual({ committed: 0, stillPending: [] });
    expect(await memory.remember('personal/c.md', 'c\n')).toMatchObject({ status: 'committed' });
  });

  test('survive a list that a crash tore', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    writeFileSync(join(memory.root, '.git/stet/pending.json'), '[{"paths": ["personal/x.md"], "mess');
    expect(await memory.repository.pending()).toEqual([]);
    expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({ status: 'committed' });
  });

  test('are not made twice when the list outlived the commit', async () => {
    await using memory = await temporaryRepository({ foreignLockWaitMs: 20 });
    await memory.remember('personal/a.md', 'a\n');
    writeFileSync(join(memory.root, '.git/index.lock'), '');
    await memory.remember('personal/b.md', 'b\n');
    const list = readFileSync(join(memory.root, '.git/stet/pending.json'));
    rmSync(join(memory.root, '.git/index.lock'));
    await memory.repository.commitPending();
    writeFileSync(join(memory.root, '.git/stet/pending.json'), list);
    expect(await memory.repository.commitPending()).toEqual({ committed: 0, stillPending: [] });
    expect(memory.git('rev-list', '--count', 'HEAD')).toBe('2');
  });
});

test('a foreign lock that goes away in time only delays the commit', async () => {
  await using memory = await temporaryRepository({ foreignLockWaitMs: 10_000 });
  await memory.remember('personal/a.md', 'a\n');
  const lock = join(memory.root, '.git/index.lock');
  writeFileSync(lock, '');
  const blob = execFileSync('git', ['hash-object', '--stdin'], { input: 'b\n', encoding: 'utf8' }).trim();
  const remembering = memory.remember('personal/b.md', 'b\n');
  // The commit's objects are there before it asks for the lock.
  const object = join(memory.root, '.git/objects', blob.slice(0, 2), blob.slice(2));
  await vi.waitUntil(() => existsSync(object), { timeout: 20_000, interval: 1 });
  expect(readFileSync(lock, 'utf8')).toBe('');
  rmSync(lock);
  expect(await remembering).toMatchObject({ status: 'committed' });
});
