import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENT, says, temporaryRepository, TEST_ENV } from './temporary-repository.ts';

describe('a commit of stet', () => {
  test('holds exactly its paths, in the words given, and leaves nothing to commit', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/old.md', 'old\n');
    memory.write('personal/other.md', 'not named\n');
    const outcome = await memory.remember('spaces/acme/2026-09/a.k3v9q2m7.md', 'Acme signs in.\n');
    const head = memory.git('rev-parse', 'HEAD');
    expect(outcome).toEqual({ status: 'committed', commit: head });
    expect(memory.git('show', '--format=%an <%ae>|%cn <%ce>|%s|%(trailers:only)', '--name-status', 'HEAD')).toBe(
      'claude-code <claude-code@agents.stet>|Ada <ada@example.org>|remember: spaces/acme/2026-09/a.k3v9q2m7.md|Stet-Agent: claude-code\n\n\nA\tspaces/acme/2026-09/a.k3v9q2m7.md',
    );
    expect(memory.git('status', '--porcelain', '--untracked-files=all')).toBe('?? personal/other.md');
    memory.checkHealth();
  });

  test('has HEAD as its parent, and the reflogs of HEAD and branch tell of it', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    await memory.remember('personal/b.md', 'b\n');
    expect(memory.git('rev-list', '--count', 'HEAD')).toBe('2');
    const log = 'commit: remember: personal/b.md\ncommit (initial): remember: personal/a.md';
    expect(memory.git('reflog', '--format=%gs', 'HEAD')).toBe(log);
    expect(memory.git('reflog', '--format=%gs', 'main')).toBe(log);
  });

  test('of a hand edit has the user as author', async () => {
    await using memory = await temporaryRepository();
    memory.write('personal/a.md', 'by hand\n');
    await memory.repository.exclusive((transaction) => transaction.commit(['personal/a.md'], says('edit: a', null)));
    expect(memory.git('log', '--format=%an|%cn')).toBe('Ada|Ada');
  });

  test('records deletions, and is not made when HEAD says it all already', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/deep/a.md', 'a\n');
    const first = await memory.remember('personal/b.md', 'b\n');
    const again = await memory.remember('personal/b.md', 'b\n');
    expect(again).toEqual({ status: 'unchanged', commit: first.status === 'committed' ? first.commit : '' });
    const gone = await memory.repository.exclusive(async (transaction) => {
      await transaction.removeFile('personal/deep/a.md');
      await transaction.removeFile('personal/deep/never.md');
      return transaction.commit(['personal/deep/a.md', 'personal/deep/never.md'], says('forget: a'));
    });
    expect(gone.status).toBe('committed');
    expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('personal/b.md');
    expect(memory.git('ls-files')).toBe('personal/b.md');
    memory.checkHealth();
  });

  test('before the first one there is nothing at HEAD, and nothing to remove from it', async () => {
    await using memory = await temporaryRepository();
    expect(await memory.repository.head()).toBeNull();
    expect(await memory.repository.readHead('personal/a.md')).toBeNull();
    const outcome = await memory.repository.exclusive((transaction) =>
      transaction.commit(['personal/a.md'], says('forget: a')),
    );
    expect(outcome).toEqual({ status: 'unchanged', commit: null });
  });

  test('replaces a file by a folder of the same name and back', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a', 'file\n');
    await memory.repository.exclusive(async (transaction) => {
      await transaction.removeFile('personal/a');
      await transaction.writeFile('personal/a/b.md', Buffer.from('below\n'));
      return transaction.commit(['personal/a', 'personal/a/b.md'], says('edit: folder'));
    });
    expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD')).toBe('personal/a/b.md');
    rmSync(join(memory.root, 'personal/a'), { recursive: true });
    await memory.remember('personal/a', 'file again\n');
    expect(memory.git('ls-files')).toBe('personal/a');
    expect(memory.git('status', '--porcelain')).toBe('');
    memory.checkHealth();
  });

  test('keeps links, executables and submodules of others as they are', async () => {
    await using memory = await temporaryRepository();
    memory.write('tools/run.sh', '#!/bin/sh\n');
    chmodSync(join(memory.root, 'tools/run.sh'), 0o755);
    symlinkSync('run.sh', join(memory.root, 'tools/link'));
    memory.git('add', '-A');
    memory.git('commit', '--quiet', '-m', 'tools');
    memory.git('update-index', '--add', '--cacheinfo', `160000,${memory.git('rev-parse', 'HEAD')},tools/sub`);
    mkdirSync(join(memory.root, 'tools/sub'));
    memory.git('commit', '--quiet', '-m', 'submodule');
    const before = memory.git('ls-tree', '-r', 'HEAD', 'tools');
    await memory.remember('personal/a.md', 'a\n');
    await memory.repository.exclusive((transaction) =>
      transaction.commit(['tools/link', 'tools/sub'], says('edit: none', null)),
    );
    expect(memory.git('ls-tree', '-r', 'HEAD', 'tools')).toBe(before);
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  test('records the executable bit as git does', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    chmodSync(join(memory.root, 'personal/a.md'), 0o755);
    const commit = () =>
      memory.repository.exclusive((transaction) => transaction.commit(['personal/a.md'], says('edit: mode', null)));
    expect(await commit()).toMatchObject({ status: 'committed' });
    expect(memory.git('ls-tree', 'HEAD', 'personal/a.md')).toMatch(/^100755 /);
    memory.git('config', 'core.fileMode', 'false');
    chmodSync(join(memory.root, 'personal/a.md'), 0o644);
    expect(await commit()).toMatchObject({ status: 'unchanged' });
  });

  test('takes names with quotes, blanks, emoji, newlines and leading dashes', async () => {
    await using memory = await temporaryRepository();
    const names = [
      '-dash',
      'a "b"',
      "it's",
      'emoji 🧠',
      'new\nline',
      'back\\slash',
      'tab\t',
      'é',
      'e\u0301',
      'n'.repeat(250),
    ];
    const paths = names.map((name) => `personal/${name}.md`);
    await memory.repository.exclusive(async (transaction) => {
      for (const path of paths) await transaction.writeFile(path, Buffer.from(`${path}\n`));
      return transaction.commit(paths, says('remember: names'));
    });
    expect(memory.git('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0').filter(Boolean).sort()).toEqual(
      paths.sort(),
    );
    expect(memory.git('status', '--porcelain')).toBe('');
    memory.checkHealth();
  });

  test('passes fsck whatever a client calls itself or an item holds', async () => {
    await using memory = await temporaryRepository();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        async (name, email, text) => {
          const path = `personal/${round++}.md`;
          await memory.repository.exclusive(async (transaction) => {
            await transaction.writeFile(path, Buffer.from(text));
            return transaction.commit([path], {
              subject: `remember: ${text}`,
              trailers: [['Stet-Agent', `${name}\nStet-Item: forged`]],
              author: { name, email },
            });
          });
        },
      ),
      {
        numRuns: 40,
        examples: [
          ['<>\n.,;:', '<', '\0'],
          ['', '', ''],
          ['a\r\nb', 'a b@c', '\u2028'],
        ],
      },
    );
    memory.checkHealth();
    expect(memory.git('log', '--format=%(trailers:key=Stet-Item)').replaceAll('\n', '')).toBe('');
  });

  test.each([
    '../x.md',
    '/x.md',
    'a//b.md',
    'a/./b.md',
    '.git/config',
    'a/.GIT/x',
    'git~1/x',
    '',
    'a\0b',
    '.g\u200cit/x',
  ])('refuses the path %j, which leads out of the memory or into .git', async (path) => {
    await using memory = await temporaryRepository();
    const writing = memory.repository.exclusive((transaction) => transaction.writeFile(path, Buffer.from('x')));
    await expect(writing).rejects.toMatchObject({ failure: { code: 'bad-argument' } });
  });

  test('is not led out of the memory by a link in place of a folder', async () => {
    await using memory = await temporaryRepository();
    await using outside = await temporaryRepository();
    symlinkSync(outside.root, join(memory.root, 'personal'));
    await expect(memory.remember('personal/a.md', 'a\n')).rejects.toMatchObject({
      failure: { code: 'file-system', errno: 'ENOTDIR' },
    });
    expect(outside.git('status', '--porcelain')).toBe('');
  });

  test('keeps the permissions of a file that it rewrites', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    for (const mode of [0o600, 0o666]) {
      chmodSync(join(memory.root, 'personal/a.md'), mode);
      await memory.remember('personal/a.md', `${mode}\n`);
      expect(statSync(join(memory.root, 'personal/a.md')).mode & 0o777).toBe(mode);
    }
  });
});

describe('what the user staged', () => {
  test('stays staged and out of the commit', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    memory.write('notes.txt', 'mine\n');
    memory.write('personal/mine.md', 'mine\n');
    memory.git('add', 'notes.txt', 'personal/mine.md');
    memory.git('rm', '--quiet', '--cached', 'personal/a.md');
    await memory.remember('personal/b.md', 'b\n');
    expect(memory.git('show', '--format=', '--name-status', 'HEAD')).toBe('A\tpersonal/b.md');
    expect(memory.git('diff', '--cached', '--name-status')).toBe('A\tnotes.txt\nD\tpersonal/a.md\nA\tpersonal/mine.md');
  });

  test('is not committed as a hand edit either', async () => {
    await using memory = await temporaryRepository();
    memory.write('personal/mine.md', 'half\n');
    memory.git('add', 'personal/mine.md');
    memory.write('personal/mine.md', 'half, and more\n');
    const outcome = await memory.repository.exclusive((transaction) =>
      transaction.commit(['personal/mine.md'], says('edit: mine', null)),
    );
    expect(outcome).toMatchObject({ status: 'pending', reason: expect.stringContaining('personal/mine.md is staged') });
    expect(await memory.repository.pending()).toEqual([]);
    expect(await memory.repository.status()).toEqual([{ path: 'personal/mine.md', state: 'added', staged: true }]);
    expect(memory.git('show', ':personal/mine.md')).toBe('half');
    memory.git('commit', '--quiet', '-m', 'mine');
    expect(await memory.repository.status()).toEqual([{ path: 'personal/mine.md', state: 'modified' }]);
  });

  test('gives way at a path that stet itself writes', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    memory.write('personal/a.md', 'staged\n');
    memory.git('add', 'personal/a.md');
    await memory.repository.exclusive(async (transaction) => {
      await transaction.removeFile('personal/a.md');
      return transaction.commit(['personal/a.md'], says('forget: a'));
    });
    expect(memory.git('ls-files')).toBe('');
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  test('as an intention to add (git add -N) is no content, and is committed', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    memory.write('personal/b.md', 'b\n');
    memory.git('add', '--intent-to-add', 'personal/b.md');
    expect(await memory.repository.status()).toEqual([{ path: 'personal/b.md', state: 'added' }]);
    await memory.repository.exclusive((transaction) => transaction.commit(['personal/b.md'], says('edit: b', null)));
    expect(memory.git('status', '--porcelain')).toBe('');
    memory.checkHealth();
  });
});

describe('files that are not for git', () => {
  test('are written but stay out of the history when git ignores them', async () => {
    await using memory = await temporaryRepository();
    memory.write('.gitignore', 'spaces/secret/\n');
    const outcome = await memory.remember('spaces/secret/a.md', 'a\n');
    expect(outcome).toMatchObject({ status: 'pending', reason: expect.stringContaining('.gitignore') });
    expect(memory.read('spaces/secret/a.md')).toBe('a\n');
    expect(await memory.repository.pending()).toEqual([]);
    expect(await memory.repository.status()).toEqual([
      { path: '.gitignore', state: 'added' },
      { path: 'spaces/secret/a.md', state: 'added', ignored: true },
    ]);
    expect(await memory.repository.head()).toBeNull();
  });

  test('that git tracks in spite of an ignore rule are committed', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('spaces/secret/a.md', 'a\n');
    memory.write('.gitignore', 'spaces/secret/\n');
    expect(await memory.remember('spaces/secret/a.md', 'b\n')).toMatchObject({ status: 'committed' });
  });
});

describe('the index after a commit', () => {
  test('never hides a hand edit of the same size in the same second from git', async () => {
    await using memory = await temporaryRepository();
    for (let round = 0; round < 20; round++) {
      await memory.remember('personal/a.md', `agent ${String(round).padStart(3, '0')}\n`);
      // As if the clock of the file system ticked by the second: the time of change tells nothing.
      const before = statSync(join(memory.root, 'personal/a.md'));
      writeFileSync(join(memory.root, 'personal/a.md'), `human ${String(round).padStart(3, '0')}\n`);
      utimesSync(join(memory.root, 'personal/a.md'), before.atime, before.mtime);
      await memory.remember('personal/b.md', `another ${round}\n`);
      expect(memory.git('status', '--porcelain')).toBe(' M personal/a.md');
    }
  });

  test('has cached trees of its own making or none', async () => {
    await using memory = await temporaryRepository();
    for (const path of ['personal/a.md', 'personal/x/b.md', 'spaces/acme/c.md']) await memory.remember(path, 'x\n');
    memory.git('read-tree', 'HEAD');
    await memory.remember('personal/x/d.md', 'x\n');
    await memory.repository.exclusive(async (transaction) => {
      await transaction.removeFile('spaces/acme/c.md');
      return transaction.commit(['spaces/acme/c.md'], says('forget: c'));
    });
    expect(memory.git('write-tree')).toBe(memory.git('rev-parse', 'HEAD^{tree}'));
  });

  test('keeps entries of version 3 and marks that the user set', async () => {
    await using memory = await temporaryRepository();
    for (const name of ['a', 'b', 'c']) await memory.remember(`personal/${name}.md`, `${name}\n`);
    memory.git('update-index', '--skip-worktree', 'personal/a.md');
    memory.git('update-index', '--assume-unchanged', 'personal/b.md');
    await memory.remember('personal/d.md', 'd\n');
    expect(memory.git('ls-files', '-v')).toBe('S personal/a.md\nh personal/b.md\nH personal/c.md\nH personal/d.md');
    expect(await memory.repository.status()).toEqual([]);
    memory.checkHealth();
  });
});

test('who commits is made up from the login, and known to be, when git was never told', async () => {
  const env = Object.fromEntries(
    Object.entries(TEST_ENV).filter(([name]) => !/^GIT_(AUTHOR|COMMITTER)_|^EMAIL$/.test(name)),
  );
  await using memory = await temporaryRepository({ surroundings: { env, home: '/nowhere' } });
  const { name, email, from } = memory.repository.identity();
  expect(from).toBe('made-up');
  await memory.remember('personal/a.md', 'a\n');
  expect(memory.git('log', '--format=%cn <%ce>|%an')).toBe(`${name} <${email}>|${AGENT.name}`);
  memory.git('config', 'user.name', 'Grace');
  memory.git('config', 'user.email', 'grace@example.org');
  expect(memory.repository.identity()).toEqual({ name: 'Grace', email: 'grace@example.org', from: 'git' });
  memory.checkHealth();
});
