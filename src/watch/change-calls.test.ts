import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChangeCalls } from './change-calls.ts';
import type { ChangeSet } from './watcher.ts';

const EVERYTHING: ChangeSet = { paths: 'everything' };
const SOME: ChangeSet = { paths: new Set(['personal/a.md']) };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A receiver that fails as often as it is told, and calls of it with pauses of 10 to 35 ms. */
function openCalls(failures: number) {
  const seen: ChangeSet[] = [];
  const onChange = (changes: ChangeSet) => {
    seen.push(changes);
    failures -= 1;
    if (failures >= 0) throw new Error('the disk is on fire');
  };
  return { seen, calls: new ChangeCalls({ onChange, firstPauseMs: 10, longestPauseMs: 35 }) };
}

describe('a call that fails', () => {
  it('is due again as everything after a pause that doubles up to the longest', async () => {
    const { calls } = openCalls(5);
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await calls.call(round === 0 ? SOME : EVERYTHING);
      let pauseMs = 0;
      for (; !calls.isDue(); pauseMs += 1) vi.advanceTimersByTime(1);
      pauses.push(pauseMs);
    }
    expect(pauses).toEqual([10, 20, 35, 35]);
    expect(calls.lastError).toBe('the disk is on fire');
  });

  it('is made up for by everything, not by a later call with some paths', async () => {
    const { calls } = openCalls(1);
    await calls.call(SOME);
    await calls.call(SOME);
    vi.advanceTimersByTime(10);
    expect(calls.isDue()).toBe(true);
    expect(calls.lastError).toBe('the disk is on fire');
    await calls.call(EVERYTHING);
    expect(calls.isDue()).toBe(false);
    expect(calls.lastError).toBeNull();
  });
});

it('nothing is called for no paths', async () => {
  const { calls, seen } = openCalls(0);
  await calls.call({ paths: new Set() });
  expect(seen).toEqual([]);
});

it('what is thrown need not be an error', async () => {
  const calls = new ChangeCalls({ onChange: () => Promise.reject('no'), firstPauseMs: 1, longestPauseMs: 1 });
  await calls.call(EVERYTHING);
  expect(calls.lastError).toBe('no');
});
