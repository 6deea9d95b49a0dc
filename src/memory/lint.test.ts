import { describe, expect, it } from 'vitest';
import type { Item } from './item.ts';
import { lintItem, type LintContext } from './lint.ts';

// Days are those of this machine's zone, wherever it is.
const NOW = new Date(2026, 8, 15, 10, 31, 4);
const WRITTEN = new Date(2026, 8, 1, 12).toISOString();

function item(text: string, more: Partial<Item> = {}): Item {
  return {
    id: 'k3v9q2m7',
    kind: 'fact',
    space: null,
    source: 'Claude Code',
    created: WRITTEN,
    supersedes: [],
    tags: [],
    text,
    statement: text,
    ...more,
  };
}

function rules(text: string, more: Partial<Item> = {}, context: Partial<LintContext> = {}): readonly string[] {
  return lintItem(item(text, more), { now: NOW, delivered: null, ...context }).map(({ rule }) => rule);
}

describe('an item that breaks the policy', () => {
  it('says what a deictic date meant on the day of writing, not today', () => {
    expect(lintItem(item('The audit is due tomorrow.'), { now: NOW, delivered: null })).toEqual([
      {
        rule: 'deictic-date',
        finding: '"tomorrow" meant 2026-09-02 when it was stored.',
        advice: 'Write the date instead: `stet edit k3v9q2m7`.',
      },
    ]);
  });

  it.each([
    { text: 'The team moves to Linear soon.', more: {}, rule: 'relative-wording' },
    { text: 'Acme currently uses Okta.', more: {}, rule: 'undated-currency' },
    { text: 'Acme uses Okta. Globex uses Clerk.', more: {}, rule: 'several-statements' },
    { text: 'Acme moves to Linear.', more: { kind: 'plan', until: '2026-09-14' }, rule: 'stale-plan' },
    { text: 'Acme moves to Linear.', more: { kind: 'plan', created: '2026-06-01T12:00:00Z' }, rule: 'stale-plan' },
    { text: 'ACME-123 is in review.', more: {}, rule: 'owned-value' },
  ] as const)('is found: $rule', ({ text, more, rule }) => {
    expect(rules(text, more)).toEqual([rule]);
  });

  it('is found when nobody was given it for long', () => {
    const old = { created: '2026-05-01T12:00:00Z' };
    expect(rules('Acme uses Okta.', old, { delivered: false })).toEqual(['never-delivered']);
    expect(rules('Acme uses Okta.', old, { delivered: true })).toEqual([]);
    expect(rules('Acme uses Okta.', old, { delivered: null })).toEqual([]);
    expect(rules('Acme uses Okta.', {}, { delivered: false })).toEqual([]);
  });
});

describe('an item that keeps the policy', () => {
  it.each([
    { text: 'Acme signs users in with Okta.', more: {} },
    { text: 'Acme currently uses Okta.', more: { asOf: '2026-09-01' } },
    { text: 'Acme moves to Linear.', more: { kind: 'plan', until: '2026-09-15' } },
    { text: 'Acme moves to Linear.', more: { kind: 'plan' } },
    { text: 'Production runs version 2.3.1.', more: { asOf: '2026-09-01' } },
    { text: 'Coverage is at 84%.', more: { kind: 'outcome' } },
    { text: 'Acme signs users in with Okta.', more: { created: 'long ago' } },
  ] as const)('has no finding: $text $more', ({ text, more }) => {
    expect(rules(text, more, { delivered: false })).toEqual([]);
  });
});
