import { describe, expect, it } from 'vitest';
import { describeRefusal } from './refusal.ts';

describe('the words of a refusal', () => {
  it('advise personal for an unknown space, but not where personal is what was refused', () => {
    expect(describeRefusal({ code: 'unknown-space', space: 'nowhere' })).toContain('pass "personal"');
    expect(describeRefusal({ code: 'unknown-space', space: 'personal' })).not.toContain('pass "personal"');
  });
});
