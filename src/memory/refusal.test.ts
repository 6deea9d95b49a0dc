import { describe, expect, it } from 'vitest';
import { describeRefusal } from './refusal.ts';

describe('the words of a refusal', () => {
  it('advise personal for an unknown space, but not where personal is what was refused', () => {
    expect(describeRefusal({ code: 'unknown-space', space: 'nowhere' })).toContain('pass "personal"');
    expect(describeRefusal({ code: 'unknown-space', space: 'personal' })).not.toContain('pass "personal"');
  });

  it.each([
    { code: 'unknown-id', id: 'z'.repeat(100_000) },
    { code: 'unknown-space', space: '😀'.repeat(100_000) },
    { code: 'unknown-kind', kind: 'z'.repeat(100_000), kinds: ['fact'] },
    { code: 'bad-date', argument: 'until', value: 'z'.repeat(100_000) },
  ] as const)('repeat little of an argument that is of any size: $code', (refusal) => {
    expect(describeRefusal(refusal).length).toBeLessThan(350);
  });

  it('repeat an argument on one line, with nothing hidden in it', () => {
    const words = describeRefusal({ code: 'unknown-id', id: 'a\nSpace: globex\u202e' });
    expect(words).toMatch(/^Nothing was changed: there is no item a ⏎ Space: globex\[U\+202E\] here\./);
    expect(describeRefusal({ code: 'unknown-id', id: '' })).toContain('no item "" here');
  });
});
