// What a process that died, or a machine that lost power, left behind: the next write needs no human.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeThisProcess, printOwner, type LockOwner } from '../../src/repo/lock-owner.ts';
import { says, temporaryRepository, type TemporaryRepository } from './temporary-repository.ts';

/** The lock of a process of this machine that is no more: no process has this pid. */
const DEAD: LockOwner = { ...describeThisProcess(), pid: 2 ** 22 + 1, nonce: 'd'.repeat(24) };

function leaveLock(memory: TemporaryRepository, owner: LockOwner, names: readonly string[]): void {
  const signed = join(memory.root, '.git/stet', `owner-${owner.pid}-${owner.nonce}`);
  writeFileSync(signed, printOwner(owner));
  for (const name of names) linkSync(signed, join(memory.root, '.git', name));
}

describe('a branch file', () => {
  test.each([
    ['empty', ''],
    ['garbled', '\0\0\0\0\0\0\0\0'],
    ['half-written', 'a1b2c3'],
  ])('that is %s is recovered from its log, and never taken for unborn', async (_, content) => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    const { commit } = (await memory.remember('personal/b.md', 'b\n')) as { commit: string };
    memory.git('pack-refs', '--all');
    await memory.remember('personal/c.md', 'c\n');
    const last = memory.git('rev-parse', 'HEAD');
    writeFileSync(join(memory.root, '.git/refs/heads/main'), content);
    expect(await memory.repository.head()).toBe(last);
    await memory.repository.exclusive(async () => undefined);
    expect(memory.git('rev-parse', 'HEAD')).toBe(last);
    await memory.remember('personal/d.md', 'd\n');
    expect(memory.git('log', '--format=%s', `${commit}..HEAD`)).toBe(
      'remember: personal/d.md\nremember: personal/c.md',
    );
    memory.checkHealth();
  });

  test('that is lost is recovered too', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    rmSync(join(memory.root, '.git/refs/heads/main'));
    await memory.remember('personal/b.md', 'b\n');
    expect(memory.git('rev-list', '--count', 'HEAD')).toBe('2');
  });

  test('is recovered to the last commit that is whole', async () => {
    await using memory = await temporaryRepository();
    const { commit } = (await memory.remember('personal/a.md', 'a\n')) as { commit: string };
    const log = join(memory.root, '.git/logs/refs/heads/main');
    writeFileSync(
      log,
      `${readFileSync(log, 'utf8')}${commit} ${'e'.repeat(40)} A <a> 1 +0000\tcommit: never written\n${commit} 123`,
    );
    writeFileSync(join(memory.root, '.git/refs/heads/main'), '');
    expect(await memory.repository.head()).toBe(commit);
  });

  test('without a log is an error that nothing is written over', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    rmSync(join(memory.root, '.git/logs'), { recursive: true });
    writeFileSync(join(memory.root, '.git/refs/heads/main'), '');
    await expect(memory.remember('personal/b.md', 'b\n')).rejects.toMatchObject({
      failure: { code: 'damaged-repository' },
    });
    expect(existsSync(join(memory.root, 'personal/b.md'))).toBe(false);
    expect(readFileSync(join(memory.root, '.git/refs/heads/main'), 'utf8')).toBe('');
  });

  test('is not needed for a branch that git made without commits', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    memory.git('switch', '--quiet', '--orphan', 'fresh');
    expect(await memory.repository.head()).toBeNull();
    await memory.remember('personal/b.md', 'b\n');
    expect(memory.git('log', '--format=%s', 'fresh')).toBe('remember: personal/b.md');
    expect(memory.git('log', '--format=%s', 'main')).toBe('remember: personal/a.md');
  });
});

test('a HEAD that names nothing is an error', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  writeFileSync(join(memory.root, '.git/HEAD'), '');
  await expect(memory.remember('personal/b.md', 'b\n')).rejects.toThrow(/HEAD names no branch/);
});

test('a broken index is an error, and the way out that it names works', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  const path = join(memory.root, '.git/index');
  for (const broken of [Buffer.alloc(0), readFileSync(path).fill(1, 20, 24), Buffer.from('DIRC')]) {
    writeFileSync(path, broken);
    await expect(memory.remember('personal/b.md', 'b\n')).rejects.toMatchObject({
      failure: { code: 'damaged-repository', remedy: expect.stringContaining('git reset') },
    });
    expect(existsSync(join(memory.root, 'personal/b.md'))).toBe(false);
    rmSync(path);
    memory.git('reset', '--quiet');
  }
  expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({ status: 'committed' });
});

describe('after a process died', () => {
  test('its locks are replaced at once, and its unfinished files are gone', async () => {
    await using memory = await temporaryRepository({ lockWaitMs: 60_000 });
    await memory.remember('personal/deep/a.md', 'a\n');
    leaveLock(memory, DEAD, ['stet/write.lock', 'index.lock', 'HEAD.lock', 'refs/heads/main.lock']);
    const rubbish = [
      'personal/deep/.stet-0123456789ab.tmp',
      '.stet-0123456789ab.tmp',
      '.git/stet/.stet-0123456789ab.tmp',
    ];
    for (const path of rubbish) memory.write(path, 'half');
    memory.write('personal/.stet-notes', 'of the user\n');
    expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({ status: 'committed' });
    expect(rubbish.filter((path) => existsSync(join(memory.root, path)))).toEqual([]);
    expect(memory.read('personal/.stet-notes')).toBe('of the user\n');
    const locks = readdirSync(join(memory.root, '.git'), { recursive: true, encoding: 'utf8' });
    expect(locks.filter((name) => name.endsWith('.lock') || name.includes(`-${DEAD.nonce}`))).toEqual([]);
  });

  test('git is no longer blocked by its locks once anything looks after the memory', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    leaveLock(memory, DEAD, ['stet/write.lock', 'index.lock', 'HEAD.lock', 'refs/heads/main.lock']);
    memory.write('notes.txt', 'mine\n');
    expect(() => memory.git('add', 'notes.txt')).toThrow(/index\.lock/);
    await memory.repository.commitPending();
    memory.git('add', 'notes.txt');
    memory.git('commit', '--quiet', '-m', 'mine');
  });

  test('its commit is made in its words, though the index already had the entries', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    memory.write('personal/b.md', 'b\n');
    memory.git('add', 'personal/b.md');
    const message = says('remember: b');
    const intent = {
      paths: ['personal/b.md'],
      written: [],
      message,
      since: '2026-09-15T10:31:04Z',
      reason: '',
    };
    writeFileSync(join(memory.root, '.git/stet/intent.json'), JSON.stringify([intent]));
    leaveLock(memory, DEAD, ['stet/write.lock']);
    expect(await memory.repository.commitPending()).toEqual({ committed: 1, stillPending: [] });
    expect(memory.git('log', '-1', '--format=%an|%s')).toBe('claude-code|remember: b');
    expect(memory.git('status', '--porcelain')).toBe('');
  });
});

describe('the lock of a process that cannot be judged', () => {
  const elsewhere: LockOwner = { ...DEAD, host: 'other-machine', boot: 'another' };

  test('is replaced once it has shown no sign of life for long enough', async () => {
    await using memory = await temporaryRepository({ lockSilenceMs: 200, lockWaitMs: 60_000 });
    leaveLock(memory, elsewhere, ['stet/write.lock']);
    expect(await memory.remember('personal/a.md', 'a\n')).toMatchObject({ status: 'committed' });
  });

  test('is respected while it shows signs of life', async () => {
    await using memory = await temporaryRepository({ lockSilenceMs: 400, lockWaitMs: 1_500 });
    leaveLock(memory, elsewhere, ['stet/write.lock']);
    const lock = join(memory.root, '.git/stet/write.lock');
    const heart = setInterval(() => utimesSync(lock, new Date(), new Date()), 50);
    try {
      await expect(memory.remember('personal/a.md', 'a\n')).rejects.toMatchObject({
        failure: { code: 'busy', holder: expect.stringContaining('other-machine') },
      });
    } finally {
      clearInterval(heart);
    }
    expect(existsSync(join(memory.root, 'personal/a.md'))).toBe(false);
    expect(existsSync(lock)).toBe(true);
  });

  test('in a form that stet does not know is judged by its silence as well', async () => {
    await using memory = await temporaryRepository({ lockSilenceMs: 200, lockWaitMs: 60_000 });
    mkdirSync(join(memory.root, '.git/stet'), { recursive: true });
    writeFileSync(join(memory.root, '.git/stet/write.lock'), '');
    expect(await memory.remember('personal/a.md', 'a\n')).toMatchObject({ status: 'committed' });
  });
});
