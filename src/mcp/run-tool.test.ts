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

it('what the system refuses is no bug, whoever met it, and is told without the path', () => {
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const refused = Object.assign(new Error('EACCES: open'), { code: 'EACCES', path: '/m/spaces/globex/a.md' });
  expect(explainError(refused, 'recall')).toBe(
    'Cannot use a file of the memory: permission denied (EACCES). Nothing was half-written. Tell the user.',
  );
  expect(log.mock.calls.join('')).toContain('/m/spaces/globex/a.md');
  const missing = Object.assign(new Error('ENOENT: open'), { code: 'ENOENT', path: '/m/x' });
  expect(explainError(missing, 'recall')).toContain('a bug of stet');
});
