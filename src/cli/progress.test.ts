import { afterEach, expect, it, vi } from 'vitest';
import { withProgress } from './progress.ts';

const wasTTY = process.stderr.isTTY;
afterEach(() => {
  process.stderr.isTTY = wasTTY;
  vi.restoreAllMocks();
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

it('leaves no timer of the bar when the work fails, before or after the bar stands', async () => {
  process.stderr.isTTY = true;
  const drawn = new Promise<void>((resolve) => {
    vi.spyOn(process.stderr, 'write').mockImplementation(() => {
      resolve();
      return true;
    });
  });
  const before = timers();
  const io = { quiet: false, json: false };
  const fails = async () => {
    await drawn;
    throw new Error('no such folder');
  };
  await expect(withProgress(io, 'Importing', fails)).rejects.toThrow('no such folder');
  await expect(withProgress(io, 'Importing', () => Promise.reject(new Error('at once')))).rejects.toThrow('at once');
  expect(timers()).toBe(before);
});
