import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errnoError, nodeFileSystem, type FileSystem } from './file-system.ts';
import { describeThisProcess, printOwner } from './lock-owner.ts';
import { ProcessLock } from './process-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(os.tmpdir(), 'stet-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each stands for a process: they do not know of each other. */
function makeLock(fs: FileSystem = nodeFileSystem): ProcessLock {
  return new ProcessLock({ fs, folder, silenceMs: 60_000 });
}

function leaveDead(name: string, nonce: string): void {
  writeFileSync(join(folder, name), printOwner({ ...describeThisProcess(), pid: 2 ** 22 + 1, nonce }));
}

const soon = () => performance.now() + 30_000;

/** Every lock is taken by each in turn, and never by two at a time. */
async function contend(locks: readonly ProcessLock[], rounds: number): Promise<number> {
  let holders = 0;
  let most = 0;
  const work = async (lock: ProcessLock): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      expect(await lock.acquire(soon())).toMatchObject({ ok: true });
      most = Math.max(most, ++holders);
      await new Promise((resolve) => setImmediate(resolve));
      holders--;
      await lock.release();
    }
  };
  await Promise.all(locks.map(work));
  return most;
}

test('one at a time holds the lock', async () => {
  expect(await contend([makeLock(), makeLock(), makeLock(), makeLock()], 10)).toBe(1);
  expect(readdirSync(folder).filter((name) => !name.startsWith('owner-'))).toEqual([]);
});

test('many that find one dead lock do not remove each other’s new one', async () => {
  for (let round = 0; round < 10; round++) {
    leaveDead('write.lock', `dead-${round}`);
    // And the one before had died while it was breaking that lock.
    leaveDead(`break-dead-${round}`, `breaker-${round}`);
    expect(await contend([makeLock(), makeLock(), makeLock(), makeLock(), makeLock(), makeLock()], 1)).toBe(1);
  }
});

test('a lock that was found dead is looked at again before it is removed: another may have taken its place', async () => {
  leaveDead('write.lock', 'dead');
  const quick = makeLock();
  const slow = makeLock({
    ...nodeFileSystem,
    async link(from, to) {
      // Just when it has judged the lock, another process replaces it.
      if (to.includes('break-') && !(await quick.holds(quick.path))) await quick.acquire(soon());
      await nodeFileSystem.link(from, to);
    },
  });
  expect(await slow.acquire(performance.now() + 200)).toMatchObject({ ok: false });
  expect(await quick.holds(quick.path)).toBe(true);
  await quick.release();
  expect(await slow.acquire(soon())).toMatchObject({ ok: true });
  await slow.release();
});

test('whoever cannot break a dead lock in time is told so, and does not try for ever', async () => {
  leaveDead('write.lock', 'dead');
  const breaker = makeLock();
  // Alive, and about to break the lock: it has the right to, and takes its time.
  await nodeFileSystem.createFile(join(folder, 'break-dead'), Buffer.from(printOwner(describeThisProcess())), {
    mode: 0o644,
    sync: false,
  });
  expect(await breaker.acquire(performance.now() + 50)).toMatchObject({ ok: false });
});

test('where there are no hard links one at a time holds it too', async () => {
  const linkless: FileSystem = { ...nodeFileSystem, link: () => Promise.reject(errnoError('EPERM', 'link', folder)) };
  expect(await contend([makeLock(linkless), makeLock(linkless), makeLock(linkless)], 10)).toBe(1);
});

test('whoever waits too long is told who holds it', async () => {
  const [first, second] = [makeLock(), makeLock()];
  await first.acquire(soon());
  expect(await second.acquire(performance.now() + 20)).toEqual({
    ok: false,
    holder: `process ${process.pid} on ${os.hostname()}`,
  });
  await first.release();
});

test('time in which nobody had a turn, the waiting process neither, is no silence of the holder', async () => {
  const silent = { ...describeThisProcess(), host: 'other-machine', nonce: 'holder' };
  writeFileSync(join(folder, 'write.lock'), printOwner(silent));
  const clock = vi.spyOn(performance, 'now');
  try {
    let now = 0;
    // The machine sleeps for an hour between the first look and the second.
    let looks = 0;
    const lstat: FileSystem['lstat'] = (path) => {
      now += looks++ === 1 ? 3_600_000 : 10;
      return nodeFileSystem.lstat(path);
    };
    clock.mockImplementation(() => now);
    const lock = makeLock({ ...nodeFileSystem, lstat });
    expect(await lock.acquire(1_000)).toEqual({ ok: false, holder: `process ${process.pid} on other-machine` });
    expect(readFileSync(lock.path, 'utf8')).toBe(printOwner(silent));
  } finally {
    clock.mockRestore();
  }
});

test('a git lock is taken with a signature, and one of git is left alone', async () => {
  const lock = makeLock();
  await lock.acquire(soon());
  const path = join(folder, 'index.lock');
  writeFileSync(path, '');
  expect(await lock.claim(path, performance.now() + 10)).toMatchObject({ ok: false });
  expect(readFileSync(path, 'utf8')).toBe('');
  rmSync(path);
  expect(await lock.claim(path, soon())).toMatchObject({ ok: true });
  expect(readFileSync(path, 'utf8')).toMatch(/^stet-lock 1\n/);
  expect(await lock.holds(path)).toBe(true);
  await lock.free(path);
  await lock.release();
});

test('a link to nothing stands in the way of a lock no longer than an unsigned file', async () => {
  symlinkSync('nowhere', join(folder, 'write.lock'));
  const lock = new ProcessLock({ fs: nodeFileSystem, folder, silenceMs: 30 });
  expect(await lock.acquire(soon())).toEqual({ ok: true, recovered: true });
  const path = join(folder, 'index.lock');
  symlinkSync('nowhere', path);
  expect(await lock.claim(path, performance.now() + 10)).toMatchObject({ ok: false });
  await lock.release();
});

test('a lock that was taken from a holder who slept is not given back by him', async () => {
  const [sleeper, other] = [makeLock(), makeLock()];
  await sleeper.acquire(soon());
  rmSync(sleeper.path);
  await other.acquire(soon());
  expect(await sleeper.holds(sleeper.path)).toBe(false);
  await sleeper.release();
  expect(await other.holds(other.path)).toBe(true);
  await other.release();
});

test('closing removes the signature, and dead ones are swept', async () => {
  const lock = makeLock();
  leaveDead('owner-4194305-dead', 'dead');
  leaveDead('break-x', 'dead');
  await lock.acquire(soon());
  await lock.sweep();
  await lock.release();
  await lock.close();
  expect(readdirSync(folder)).toEqual([]);
});
