import { expect, it } from 'vitest';
import { describeFailure, type Failure } from '../memory/failure.ts';
import { describeForAgent } from './describe-for-agent.ts';

/** Every failure that can name a file of another space, or what others do, each naming one. */
const TELLING: readonly Failure[] = [
  { code: 'not-possible', subject: 'restore', reason: 'a file is at spaces/globex/clerk.md', hint: 'Globex.' },
  { code: 'bad-file', path: 'spaces/globex/clerk.md', line: 3, reason: '"globex" is no kind', hint: 'Globex.' },
  { code: 'file-system', operation: 'write', path: '/m/spaces/globex/clerk.md', errno: 'ENOSPC' },
  { code: 'unsupported-repository', feature: 'filter=x on spaces/globex/clerk.md', remedy: 'Globex.' },
  { code: 'damaged-repository', what: 'spaces/globex/clerk.md is broken', remedy: 'Globex.' },
  { code: 'git-failed', command: 'git log spaces/globex/clerk.md', reason: 'globex' },
  { code: 'busy', holder: 'process 4711, which serves globex', waitedMs: 15_000 },
];

it.each(TELLING)('an agent learns from "$code" no path, no word of a file and no process', (failure) => {
  expect(describeFailure(failure)).toMatch(/globex/i);
  expect(describeForAgent(failure)).not.toMatch(/globex|clerk|spaces|4711/i);
});

it('an agent learns why the disk refuses, and what is wrong with what it gave', () => {
  expect(describeForAgent({ code: 'file-system', operation: 'write', path: '/m/x', errno: 'ENOSPC' })).toBe(
    'Cannot write a file of the memory: the disk is full (ENOSPC). Nothing was half-written. Tell the user.',
  );
  const bad: Failure = {
    code: 'bad-argument',
    argument: 'STET_SPACE',
    reason: 'there is no space x',
    hint: 'Make it.',
  };
  expect(describeForAgent(bad)).toBe(describeFailure(bad));
});
