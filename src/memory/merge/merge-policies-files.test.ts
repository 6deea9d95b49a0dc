import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, parsePolicies, type Effect, type Policies } from '../policies.ts';
import { NO_SPACES, type Spaces } from '../spaces-file.ts';
import { mergePoliciesFiles } from './merge-policies-files.ts';

const HEAD = '# Who may see what.\npolicies:\n';
const rule = (agent: string, space: string, effect: Effect, comment = '') =>
  `  - agent: "${agent}"${comment}\n    space: "${space}"\n    effect: ${effect}\n`;
const file = (...rules: string[]) => (rules.length === 0 ? 'policies: []\n' : HEAD + rules.join(''));

/** Merges both ways round, and checks that they agree. */
function merge(base: string | null, ours: string | null, theirs: string | null, spaces: Spaces = NO_SPACES) {
  const merged = mergePoliciesFiles({ base, ours, theirs }, spaces);
  expect(mergePoliciesFiles({ base, ours: theirs, theirs: ours }, spaces)).toEqual(merged);
  return merged;
}

function policies(text: string | null): Policies {
  const parsed = parsePolicies(text ?? '');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

const allows = (text: string | null, agent: string, space: string | null) =>
  decide(policies(text), agent, space).allowed;

describe('policies that both sides changed', () => {
  it('hold the rules of both, with the comments of both', () => {
    const base = file(rule('a', 'x', 'deny'), rule('b', 'x', 'allow'), rule('c', 'x', 'deny'));
    const ours = file(rule('a', 'x', 'allow', ' # ours'), rule('b', 'x', 'allow'), rule('c', 'x', 'deny'));
    const theirs = file(rule('a', 'x', 'deny'), rule('b', 'x', 'allow'), rule('c', 'x', 'allow', ' # theirs'));
    expect(merge(base, ours, theirs)).toEqual({
      text: file(rule('a', 'x', 'allow', ' # ours'), rule('b', 'x', 'allow'), rule('c', 'x', 'allow', ' # theirs')),
      stricter: [],
      broken: false,
    });
  });

  it('hold what both added at the same place, with the comments of one', () => {
    const base = file(rule('a', 'x', 'deny', ' # stays'));
    const merged = merge(base, base + rule('b', 'x', 'deny'), base + rule('c', 'x', 'deny'));
    expect(
      policies(merged.text)
        .rules.map(({ agent }) => agent)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
    expect(merged.text).toContain('# stays');
  });

  it('lose a rule that one side took out', () => {
    const base = file(rule('a', 'x', 'deny'), rule('b', 'x', 'deny'));
    const merged = merge(base, file(rule('b', 'x', 'deny')), base + rule('c', 'x', 'deny'));
    expect(
      policies(merged.text)
        .rules.map(({ agent }) => agent)
        .sort(),
    ).toEqual(['b', 'c']);
    expect(merged.stricter).toEqual([]);
  });

  it('deny where one side allows and the other denies', () => {
    const merged = merge(file(), file(rule('a', 'x', 'allow')), file(rule('a', 'x', 'deny')));
    expect(allows(merged.text, 'a', 'x')).toBe(false);
    expect(merged.stricter).toEqual([{ agent: 'a', space: 'x' }]);
  });

  it('deny where a special rule of one side would undercut a general one of the other', () => {
    const merged = merge(file(), file(rule('codex', 'acme', 'allow')), file(rule('codex', '*', 'deny')));
    expect(allows(merged.text, 'codex', 'acme')).toBe(false);
    expect(allows(merged.text, 'codex', 'globex')).toBe(false);
    expect(allows(merged.text, 'cursor', 'acme')).toBe(true);
    expect(merged.stricter).toEqual([{ agent: 'codex', space: 'acme' }]);
  });

  it('open what one side alone opened', () => {
    const base = file(rule('codex', 'acme', 'deny'), rule('cursor', 'acme', 'deny'));
    const merged = merge(
      base,
      file(rule('codex', 'acme', 'allow'), rule('cursor', 'acme', 'deny')),
      file(rule('codex', 'acme', 'deny')),
    );
    expect(merged.stricter).toEqual([]);
    expect([allows(merged.text, 'codex', 'acme'), allows(merged.text, 'cursor', 'acme')]).toEqual([true, true]);
  });

  it('stay closed where both sides opened them differently, by a rule and by taking one out', () => {
    const base = file(rule('*', 'acme', 'deny'), rule('codex', 'acme', 'deny'));
    const merged = merge(
      base,
      file(rule('*', 'acme', 'deny'), rule('codex', 'acme', 'allow')),
      file(rule('*', 'acme', 'deny')),
    );
    expect(allows(merged.text, 'codex', 'acme')).toBe(false);
    expect(merged.stricter).toEqual([{ agent: 'codex', space: 'acme' }]);
  });

  it('speak of a space by its old and its new name', () => {
    const spaces: Spaces = { entries: [{ name: 'apex', aliases: ['acme'], remotes: [] }] };
    const merged = merge(file(), file(rule('codex', 'apex', 'allow')), file(rule('codex', 'acme', 'deny')), spaces);
    expect(decide(policies(merged.text), 'codex', 'apex', spaces).allowed).toBe(false);
  });

  it('are those that are left where one side deleted the file', () => {
    const merged = merge(file(rule('a', 'x', 'deny')), null, file(rule('a', 'x', 'deny'), rule('b', 'x', 'deny')));
    expect(merged.text).toContain('"b"');
  });

  it('stay broken, and so deny everything, where one side broke them', () => {
    const broken = 'policies: [\n';
    expect(merge(file(), file(rule('a', 'x', 'allow')), broken)).toEqual({ text: broken, stricter: [], broken: true });
  });
});

describe('merging policies, whatever they say', () => {
  const agents = ['codex', 'cursor', '*'];
  const places = ['acme', 'globex', '*', 'personal'];
  const rules = fc
    .uniqueArray(
      fc.record({
        agent: fc.constantFrom(...agents),
        space: fc.constantFrom(...places),
        effect: fc.constantFrom<Effect>('allow', 'deny'),
      }),
      { selector: ({ agent, space }) => `${agent} ${space}`, maxLength: 6 },
    )
    .map((list) => file(...list.map(({ agent, space, effect }) => rule(agent, space, effect))));

  it('never allows what the side that changed it denies, and gives the same whichever side is ours', () => {
    fc.assert(
      fc.property(rules, rules, rules, (base, ours, theirs) => {
        const merged = merge(base, ours, theirs).text;
        for (const agent of ['codex', 'cursor', 'zed']) {
          for (const space of ['acme', 'globex', 'initech', null]) {
            const [b, o, t, m] = [base, ours, theirs, merged].map((text) => allows(text, agent, space));
            const wanted = o === t ? o : o === b ? t : o;
            expect(m && !wanted, `${agent} in ${space}`).toBe(false);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('takes the side that alone changed, and is done once', () => {
    fc.assert(
      fc.property(rules, rules, rules, (base, ours, theirs) => {
        expect(merge(base, ours, base).text).toBe(ours);
        const merged = merge(base, ours, theirs).text;
        const again = merge(base, merged, theirs).text;
        for (const space of ['acme', 'globex', 'initech', null]) {
          expect(allows(again, 'codex', space)).toBe(allows(merged, 'codex', space));
        }
      }),
      { numRuns: 50 },
    );
  });
});
