import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingLease } from './embedding-lease.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-lease-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

  it('outlives a holder that died, but not one that is only slow', () => {
    const [first, second] = [new EmbeddingLease(folder), new EmbeddingLease(folder)];
    first.acquire();
    const age = (seconds: number): void => {
      const then = Date.now() / 1000 - seconds;
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
    };
    age(5);
    expect(second.acquire()).toBe(false);
    age(11);
    expect(second.acquire()).toBe(true);
  });

  it('is not needed where nothing can be written', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(new EmbeddingLease(join(folder, 'file')).acquire()).toBe(true);
  });
});
