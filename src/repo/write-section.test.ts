import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFileSystem } from './file-system.ts';
import { ProcessLock } from './process-lock.ts';
import { WriteSection } from './write-section.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(os.tmpdir(), 'stet-section-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each stands for a process: they do not know of each other. */
function makeSection(waitMs: number): WriteSection {
  const lock = new ProcessLock({ fs: nodeFileSystem, folder, silenceMs: 60_000 });
  return new WriteSection({ lock, indexLockPath: join(folder, 'index.lock'), waitMs });
}

test('a process that writes again and again, and lingers each time, lets others in', async () => {
  const [busy, other] = [makeSection(60_000), makeSection(20_000)];
  let isDone = false;
  const isOver = () => isDone;
  const writing = (async () => {
    while (!isOver()) {
      await busy.run((turn) => {
        // Longer than it takes until the next turn: only that one ends it.
        turn.linger(60_000);
        return new Promise((resolve) => setTimeout(resolve, 10));
      });
    }
  })();
  const entered = await other
    .run(() => Promise.resolve('in'))
    .finally(() => {
      isDone = true;
    });
  await writing;
  expect(entered).toBe('in');
  await Promise.all([busy.close(), other.close()]);
});
