import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddingLease } from './embedding-lease.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-lease-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe('the embedding lease', () => {
  it('goes to one holder until that lets go', () => {
    const [first, second] = [new EmbeddingLease(folder), new EmbeddingLease(folder)];
    expect([first.acquire(), second.acquire(), first.acquire()]).toEqual([true, false, true]);
    first.release();
    expect([second.acquire(), first.acquire()]).toEqual([true, false]);
  });

  it('is released by its holder alone', () => {
    const [first, second] = [new EmbeddingLease(folder), new EmbeddingLease(folder)];
    first.acquire();
    second.release();
    expect(second.acquire()).toBe(false);
  });

  it.each([
    ['', 1],
    [', also one of a clock that was set back since', -1],
  ])('outlives a holder that died, but not one that is only slow%s', (_, sign) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [first, second] = [new EmbeddingLease(folder), new EmbeddingLease(folder)];
    first.acquire();
    const age = (seconds: number): void => {
      const then = Date.now() / 1000 - sign * seconds;
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
    };
    age(9);
    expect(second.acquire()).toBe(false);
    age(11);
    expect(second.acquire()).toBe(true);
  });

  it('is renewed by its holder, whichever way the clock was set', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const lease = new EmbeddingLease(folder);
    lease.acquire();
    for (const hours of [1, -1]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(lease.acquire()).toBe(true);
      const [file = ''] = readdirSync(folder);
      expect(statSync(join(folder, file)).mtimeMs).toBeCloseTo(Date.now(), -1);
    }
  });

  it('is not needed where nothing can be written', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(new EmbeddingLease(join(folder, 'file')).acquire()).toBe(true);
  });
});
