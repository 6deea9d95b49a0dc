import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withProgress } from './progress.ts';

const IO = { quiet: false, json: false };
const { isTTY, columns } = process.stderr;
let drawn = '';

beforeEach(() => {
  drawn = '';
  vi.stubEnv('TERM', 'xterm');
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    drawn += String(text);
    return true;
  });
  Object.assign(process.stderr, { isTTY: true, columns: 80 });
});
afterEach(() => {
  vi.useRealTimers();
  Object.assign(process.stderr, { isTTY, columns });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function listeners(): number {
  return process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');
}

describe('a progress bar', () => {
  it('leaves no timer when the work fails, before or after the bar stands', async () => {
    await import('cli-progress');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const fails = async () => {
      await vi.waitUntil(() => drawn !== '');
      expect(vi.getTimerCount()).toBe(1);
      throw new Error('no such folder');
    };
    await expect(withProgress(IO, 'Importing', fails)).rejects.toThrow('no such folder');
    expect(vi.getTimerCount()).toBe(0);
    await expect(withProgress(IO, 'Importing', () => Promise.reject(new Error('at once')))).rejects.toThrow('at once');
    // What draws loads the library as well.
    await import('cli-progress');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('shows the stage, and how much of it is done where that is known', async () => {
    await withProgress(IO, 'Purging', async (onProgress) => {
      onProgress(0, 0, 'writing the backup');
      await expect.poll(() => drawn).toContain('Purging: writing the backup…');
      onProgress(1, 4, 'rewriting commits');
      const line = `Purging: rewriting commits ${'█'.repeat(10)}${'░'.repeat(30)} 1/4`;
      await expect.poll(() => drawn).toContain(line);
    });
  });

  it('takes no signal for itself, and changes no setting of the terminal', async () => {
    const before = listeners();
    await withProgress(IO, 'Syncing', async () => {
      await expect.poll(() => drawn).toContain('Syncing');
      expect(listeners()).toBe(before);
    });
    // Modes that would outlive the process: DEC private modes set and reset.
    expect(drawn).not.toContain('\u001b[?');
    // Colours.
    expect(drawn.split('\u001b').filter((each) => /^\[[\d;]*m/.test(each))).toEqual([]);
  });

  it('fits into a narrow terminal with its counts', async () => {
    process.stderr.columns = 40;
    await withProgress(IO, 'Embedding', async (onProgress) => {
      onProgress(50, 100);
      await expect.poll(() => drawn).toContain(' 50/100 ');
    });
  });

  it.each([
    ['without a terminal', IO, () => Object.assign(process.stderr, { isTTY: undefined })],
    ['on a terminal that can draw none', IO, () => vi.stubEnv('TERM', 'dumb')],
    ['with --quiet', { quiet: true, json: false }, () => undefined],
    ['with --json', { quiet: false, json: true }, () => undefined],
  ])('is not drawn %s', async (_, io, set) => {
    set();
    const { default: library } = await import('cli-progress');
    const start = vi.spyOn(library.SingleBar.prototype, 'start');
    await withProgress(io, 'Purging', async (onProgress) => {
      onProgress(1, 4);
      // What draws loads the library as well.
      await import('cli-progress');
    });
    expect(start).not.toHaveBeenCalled();
    expect(drawn).toBe('');
  });
});
