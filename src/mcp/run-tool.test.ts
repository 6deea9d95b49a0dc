import { afterEach, expect, it, vi } from 'vitest';
import { StetError } from '../memory/failure.ts';
import { explainError } from './run-tool.ts';

afterEach(() => vi.restoreAllMocks());

it('a bug goes to the log with its stack, and the agent is told to look before it tries again', () => {
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const said = explainError(new TypeError('undefined is not spaces/globex/clerk.md'), 'remember');
  expect(said).toBe(
    'stet failed, and it is a bug of stet: see its log. If this was to change something, recall first to see whether it did. Tell the user.',
  );
  expect(log.mock.calls.join('')).toMatch(/^stet: internal error in remember: TypeError: undefined is not .*\n +at /);
});

it('a failure is told in its own words, and whole in the log', () => {
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failure = { code: 'file-system', operation: 'write', path: '/m/spaces/globex/a.md', errno: 'ENOSPC' } as const;
  expect(explainError(new StetError(failure), 'remember')).toContain('the disk is full (ENOSPC)');
  expect(log.mock.calls.join('')).toContain('/m/spaces/globex/a.md');
});
