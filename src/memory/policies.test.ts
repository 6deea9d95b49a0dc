import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseAgent } from './agent-name.ts';
import {
  CLOSED_POLICIES,
  decide,
  type Effect,
  NO_POLICIES,
  parsePolicies,
  type Policies,
  printPolicies,
  renamePolicySpace,
  setPolicy,
} from './policies.ts';
import { sameSpaceName } from './space-name.ts';

function policies(...rules: ReadonlyArray<readonly [string, string, Effect]>): Policies {
  return {
    closed: false,
    rules: rules.map(([agent, space, effect], place) => ({ agent, space, effect, line: place + 1 })),
  };
}

function parsed(text: string): Policies {
  const result = parsePolicies(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

describe('first match wins', () => {
  test('no rule means allowed', () => {
    expect(decide(NO_POLICIES, 'codex', 'acme')).toEqual({
      allowed: true,
      rule: 'no rule speaks of codex and acme, so it is allowed',
    });
  });

  test('(agent, space) goes before (agent, *)', () => {
    const rules = policies(['codex', '*', 'deny'], ['codex', 'acme', 'allow']);
    expect(decide(rules, 'codex', 'acme').allowed).toBe(true);
    expect(decide(rules, 'codex', 'globex').allowed).toBe(false);
  });

  test('(agent, *) goes before (*, space)', () => {
    const rules = policies(['*', 'acme', 'deny'], ['codex', '*', 'allow']);
    expect(decide(rules, 'codex', 'acme').allowed).toBe(true);
    expect(decide(rules, 'cursor', 'acme').allowed).toBe(false);
  });

  test('(*, space) goes before (*, *)', () => {
    const rules = policies(['*', '*', 'deny'], ['*', 'acme', 'allow']);
    expect(decide(rules, 'codex', 'acme').allowed).toBe(true);
    expect(decide(rules, 'codex', 'globex').allowed).toBe(false);
  });

  test('says which rule decided, and where it stands', () => {
    const rules = parsed('policies:\n  - agent: "*"\n    space: acme\n    effect: deny\n');
    expect(decide(rules, 'Claude Code', 'acme').rule).toBe('every agent is denied acme (policies.yaml, line 2)');
  });

  test('agrees with looking up the four pairs one after the other', () => {
    const agent = fc.constantFrom('codex', 'cursor', 'unknown', '*');
    const space = fc.constantFrom('acme', 'globex', 'personal', '*');
    const rules = fc.uniqueArray(fc.tuple(agent, space, fc.constantFrom<Effect>('allow', 'deny')), {
      selector: ([who, where]) => `${who} ${where}`,
    });
    fc.assert(
      fc.property(
        rules,
        fc.constantFrom('codex', 'cursor', '*', ''),
        fc.constantFrom('acme', 'globex', null),
        (list, who, where) => {
          const name = normaliseAgent(who);
          const pairs =
            where === null
              ? [
                  [name, 'personal'],
                  ['*', 'personal'],
                ]
              : [
                  [name, where],
                  [name, '*'],
                  ['*', where],
                  ['*', '*'],
                ];
          const first = pairs.map(([a, s]) => list.find((rule) => rule[0] === a && rule[1] === s)).find((rule) => rule);
          expect(decide(policies(...list), who, where).allowed).toBe(first?.[2] !== 'deny');
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('every named space', () => {
  test('is not personal', () => {
    expect(decide(policies(['codex', '*', 'deny'], ['*', '*', 'deny']), 'codex', null).allowed).toBe(true);
  });

  test('personal is denied only when named', () => {
    expect(decide(policies(['codex', 'personal', 'deny']), 'codex', null).allowed).toBe(false);
    expect(decide(policies(['codex', 'personal', 'deny']), 'cursor', null).allowed).toBe(true);
    expect(decide(policies(['*', 'personal', 'deny']), 'cursor', null).allowed).toBe(false);
    expect(decide(policies(['codex', 'personal', 'deny']), 'codex', 'acme').allowed).toBe(true);
  });
});

describe('names in rules', () => {
  test('a client that calls itself * is unknown, not every agent', () => {
    expect(decide(policies(['*', 'acme', 'deny'], ['unknown', 'acme', 'allow']), '*', 'acme').allowed).toBe(true);
  });

  test('agents are one whatever their case, blanks and aliases, in rules and look-ups', () => {
    const rules = parsed('policies:\n  - {agent: Visual Studio Code, space: acme, effect: deny}\n');
    expect(decide(rules, 'Visual Studio Code - Insiders', 'acme').allowed).toBe(false);
    expect(decide(rules, 'vscode', 'acme').allowed).toBe(false);
  });

  test('spaces are one whatever their case and form', () => {
    expect(decide(policies(['codex', 'Zu\u0308rich', 'deny']), 'codex', 'zürich').allowed).toBe(false);
  });

  test('a renamed space keeps the rules of its old name', () => {
    const spaces = { entries: [{ name: 'initech', aliases: ['acme'], remotes: [] }] };
    expect(decide(policies(['codex', 'acme', 'deny']), 'codex', 'initech', spaces).allowed).toBe(false);
    expect(decide(policies(['codex', 'acme', 'deny']), 'codex', 'initech').allowed).toBe(true);
  });

  test('where old and new name say different things, deny wins', () => {
    const spaces = { entries: [{ name: 'initech', aliases: ['acme'], remotes: [] }] };
    const both = policies(['codex', 'initech', 'allow'], ['codex', 'acme', 'deny']);
    expect(decide(both, 'codex', 'initech', spaces).allowed).toBe(false);
  });
});

describe('fail closed', () => {
  test('without any readable policies everything but personal is denied', () => {
    expect(decide(CLOSED_POLICIES, 'claude-code', 'acme').allowed).toBe(false);
    expect(decide(CLOSED_POLICIES, 'claude-code', null).allowed).toBe(true);
  });

  test.each([
    ['is not YAML', 'policies: [', 1],
    ['has conflict markers', '<<<<<<< HEAD\npolicies: []\n=======\n>>>>>>> b\n', 1],
    ['is a list', '- agent: codex\n', 1],
    ['is a word', 'allow', 1],
    ['has another key', 'policies: []\npolicy:\n  - x\n', 2],
    ['misspells the only key', 'polices: []\n', 1],
    ['maps where a list belongs', 'policies:\n  agent: codex\n', 1],
    ['has a rule that is a word', 'policies:\n  - codex\n', 2],
    ['has a rule without a space', 'policies:\n  - agent: codex\n    effect: deny\n', 2],
    ['has a rule with an empty space', 'policies:\n  - agent: codex\n    space:\n    effect: deny\n', 2],
    ['has a rule with another key', 'policies:\n  - agent: codex\n    space: a\n    efect: deny\n', 2],
    ['has a rule with one key too many', 'policies:\n  - {agent: codex, space: a, effect: deny, until: x}\n', 2],
    ['has an unknown effect', 'policies:\n  - {agent: codex, space: a, effect: denied}\n', 2],
    ['has a pattern for an agent', 'policies:\n  - {agent: "cl*", space: a, effect: deny}\n', 2],
    ['has an agent of no letters', 'policies:\n  - {agent: "--", space: a, effect: deny}\n', 2],
    ['has a path for a space', 'policies:\n  - {agent: codex, space: ../a, effect: deny}\n', 2],
    ['has a bare *', 'policies:\n  - agent: *\n    space: a\n    effect: deny\n', 2],
    ['has a key twice', 'policies:\n  - agent: codex\n    agent: cursor\n    space: a\n    effect: deny\n', 3],
    ['uses an alias', 'policies:\n  - &a {agent: codex, space: a, effect: deny}\n  - *a\n', 3],
    [
      'contradicts itself',
      'policies:\n  - {agent: codex, space: Acme, effect: deny}\n  - {agent: Codex, space: acme, effect: allow}\n',
      3,
    ],
  ])('a file that %s is a problem with its line', (_, text, line) => {
    const result = parsePolicies(text);
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? null : result.problems[0]?.line).toBe(line);
  });

  test('a bare * gets the advice to quote it', () => {
    expect(parsePolicies('policies:\n  - agent: *\n    space: a\n    effect: deny\n')).toEqual({
      ok: false,
      problems: [{ line: 2, message: 'A bare * is an alias in YAML; write "*" in quotes.' }],
    });
  });

  test.each(['', '# nobody is denied anything\n', 'policies:\n', 'policies: []\n'])('%j has no rules', (text) => {
    expect(parsed(text)).toEqual(NO_POLICIES);
  });

  test('names that look like numbers and booleans are names', () => {
    const rules = parsed(
      'policies:\n  - {agent: 007, space: 1999, effect: deny}\n  - {agent: yes, space: true, effect: deny}\n',
    );
    expect(rules.rules.map((rule) => [rule.agent, rule.space])).toEqual([
      ['007', '1999'],
      ['yes', 'true'],
    ]);
  });
});

describe('editing policies.yaml', () => {
  const text = [
    '# Who may see what.',
    '',
    'policies:',
    '  # Codex runs in the cloud.',
    '  - agent: codex # the CLI',
    '    space: acme',
    '    effect: deny',
    '',
    '  - { agent: "*", space: \'globex\', effect: allow }',
    '',
    '# the end',
    '',
  ].join('\n');

  test('changes a rule in place and leaves every other byte', () => {
    expect(setPolicy(text, 'Codex', 'ACME', 'allow')).toEqual({
      ok: true,
      value: text.replace('effect: deny', 'effect: allow'),
    });
    expect(setPolicy(text, '*', 'globex', 'deny')).toEqual({
      ok: true,
      value: text.replace('effect: allow', 'effect: deny'),
    });
  });

  test('adds a rule at the end and keeps comments', () => {
    const set = setPolicy(text, 'Claude Code', '*', 'deny');
    expect(set.ok && set.value).toContain('# Codex runs in the cloud.\n  - agent: codex # the CLI\n');
    expect(set.ok && set.value).toContain('  - agent: claude-code\n    space: "*"\n    effect: deny\n');
    expect(set.ok && set.value).toContain('# the end\n');
  });

  test.each(['', '# just a comment\n', 'policies: []\n', 'policies:\n'])('makes the first rule in %j', (empty) => {
    const set = setPolicy(empty, 'codex', 'personal', 'deny');
    if (!set.ok) throw new Error('not set');
    expect(parsed(set.value).rules).toMatchObject([{ agent: 'codex', space: 'personal', effect: 'deny' }]);
    expect(set.value.startsWith(empty.startsWith('#') ? '# just a comment\n' : 'policies:')).toBe(true);
    // A rule a line: two machines that add one each merge.
    expect(set.value).toMatch(/^ *- agent: codex\n {4,}space: personal\n {4,}effect: deny\n$/m);
  });

  test('keeps Windows line ends', () => {
    const set = setPolicy(text.replaceAll('\n', '\r\n'), 'codex', 'acme', 'allow');
    expect(set).toEqual({ ok: true, value: text.replace('effect: deny', 'effect: allow').replaceAll('\n', '\r\n') });
  });

  test.each([
    ['cl*', 'acme'],
    ['', 'acme'],
    ['codex', '../acme'],
    ['codex', ''],
  ])('refuses the pair %j, %j', (agent, space) => {
    expect(setPolicy(text, agent, space, 'deny')).toMatchObject({ ok: false });
  });

  test('does not touch a broken file', () => {
    expect(setPolicy('policies: [', 'codex', 'acme', 'deny')).toMatchObject({ ok: false });
  });

  test('renames a space in its rules', () => {
    expect(renamePolicySpace(text, 'Acme', 'initech')).toEqual({
      ok: true,
      value: text.replace('space: acme', 'space: initech'),
    });
  });

  test('renaming onto a name that has a rule keeps the denial', () => {
    const renamed = renamePolicySpace(
      'policies:\n  - {agent: codex, space: new, effect: allow}\n  - {agent: codex, space: old, effect: deny}\n',
      'old',
      'new',
    );
    expect(renamed.ok && parsed(renamed.value).rules).toMatchObject([{ space: 'new', effect: 'deny' }]);
  });

  test('what was set is what is decided, and nothing else changes', () => {
    const agent = fc.constantFrom('codex', 'Claude Code', 'cursor', '*');
    const space = fc.constantFrom('acme', 'Globex', 'personal', '*', '2026');
    const edit = fc.tuple(agent, space, fc.constantFrom<Effect>('allow', 'deny'));
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
        const oracle = new Map<string, Effect>();
        let file = '# kept\n';
        for (const [who, where, effect] of edits) {
          const set = setPolicy(file, who, where, effect);
          if (!set.ok) throw new Error(set.problems[0]?.message);
          file = set.value;
          oracle.set(`${who === '*' ? who : normaliseAgent(who)} ${where}`, effect);
        }
        const { rules } = parsed(file);
        expect(rules.map((rule) => [`${rule.agent} ${rule.space}`, rule.effect])).toEqual([...oracle]);
        expect(file.startsWith('# kept\n')).toBe(true);
      }),
    );
  });
});

test('printed policies parse to the same rules', () => {
  const rules = [
    { agent: 'codex', space: 'acme', effect: 'deny' as const },
    { agent: '*', space: '*', effect: 'allow' as const },
    { agent: '007', space: '1999', effect: 'deny' as const },
  ];
  expect(parsed(printPolicies(rules)).rules).toMatchObject(rules);
  expect(parsed(printPolicies([])).rules).toEqual([]);
  expect(sameSpaceName('1999', parsed(printPolicies(rules)).rules[2]?.space ?? '')).toBe(true);
});
