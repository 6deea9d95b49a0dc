import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Parsed } from './item.ts';
import {
  addSpace,
  addSpaceRemote,
  findSpace,
  NO_SPACES,
  parseSpaces,
  printSpaces,
  removeSpace,
  renameSpace,
  type Spaces,
} from './spaces-file.ts';

const text = [
  '# Our clients.',
  'spaces:',
  '  # since spring',
  '  acme:',
  '    aliases: [acme-corp]',
  '    remotes:',
  '      - git@github.com:acme/app.git # the app',
  '  globex: {}',
  '  initech:',
  '',
].join('\n');

function value<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.value;
}

describe('spaces.yaml', () => {
  test('has spaces with aliases and remotes', () => {
    expect(value(parseSpaces(text))).toEqual({
      entries: [
        { name: 'acme', aliases: ['acme-corp'], remotes: ['git@github.com:acme/app.git'] },
        { name: 'globex', aliases: [], remotes: [] },
        { name: 'initech', aliases: [], remotes: [] },
      ],
    });
  });

  test.each(['', '# none yet\n', 'spaces:\n', 'spaces: {}\n'])('%j has none', (empty) => {
    expect(value(parseSpaces(empty))).toEqual(NO_SPACES);
  });

  test.each([
    ['is a list', '- acme\n', 1],
    ['has another key', 'spaces: {}\nspace: {}\n', 2],
    ['lists spaces', 'spaces:\n  - acme\n', 1],
    ['has a space with a path', 'spaces:\n  a/b: {}\n', 2],
    ['has a space called personal', 'spaces:\n  personal: {}\n', 2],
    ['has a space that is a word', 'spaces:\n  acme: yes\n', 2],
    ['has an unknown key in a space', 'spaces:\n  acme:\n    remote: x\n', 3],
    ['has a word for a list', 'spaces:\n  acme:\n    remotes: git@github.com:a/b\n', 3],
    ['has an alias that cannot be a name', 'spaces:\n  acme:\n    aliases: [../x]\n', 2],
    ['has a remote that is none', 'spaces:\n  acme:\n    remotes: [acme]\n', 2],
    ['has two names that fold to one', 'spaces:\n  acme: {}\n  ACME: {}\n', 3],
    ['has an alias that is another space', 'spaces:\n  acme: {}\n  globex:\n    aliases: [Acme]\n', 3],
  ])('that %s is a problem with its line', (_, broken, line) => {
    const parsed = parseSpaces(broken);
    expect(parsed.ok ? null : parsed.problems[0]?.line).toBe(line);
  });

  test('what is printed parses to the same', () => {
    const names = fc.uniqueArray(
      fc.constantFrom('acme', 'globex', '2026', 'true', 'Zürich', '客户', 'null', 'old', 'older'),
    );
    fc.assert(
      fc.property(names, fc.nat(3), (all, aliased) => {
        const aliases = all.slice(0, aliased);
        const [first, ...rest] = all.slice(aliased);
        if (first === undefined) return;
        const spaces: Spaces = {
          entries: [
            { name: first, aliases, remotes: ['git@github.com:a/b.git'] },
            ...rest.map((name) => ({ name, aliases: [], remotes: [] })),
          ],
        };
        expect(value(parseSpaces(printSpaces(spaces)))).toEqual(spaces);
      }),
    );
  });
});

describe('a space is found', () => {
  const spaces = value(parseSpaces(text));
  test.each([
    ['acme', 'acme'],
    ['ACME', 'acme'],
    ['Acme-Corp', 'acme'],
    ['globex', 'globex'],
    ['umbrella', null],
    ['personal', null],
  ])('by %s: %s', (name, found) => {
    expect(findSpace(spaces, name)).toBe(found);
  });
});

describe('editing spaces.yaml keeps comments', () => {
  test('when a space is added', () => {
    expect(value(addSpace(text, 'umbrella'))).toBe(`${text}  umbrella: {}\n`);
    expect(value(addSpace('# mine\n', '2026'))).toBe('# mine\n\nspaces:\n  2026: {}\n');
  });

  test('when a remote is added', () => {
    expect(value(addSpaceRemote(text, 'acme-corp', 'https://github.com/acme/site'))).toBe(
      text.replace('# the app\n', '# the app\n      - https://github.com/acme/site\n'),
    );
    const added = value(addSpaceRemote(text, 'globex', 'https://github.com/globex/site'));
    expect(added).toBe(text.replace('globex: {}', 'globex:\n    remotes:\n      - https://github.com/globex/site'));
    expect(value(addSpaceRemote(text, 'initech', 'github.com/i/a'))).toContain(
      'initech:\n    remotes:\n      - github.com/i/a\n',
    );
  });

  test('and the same remote in another form is not added again', () => {
    expect(value(addSpaceRemote(text, 'acme', 'https://github.com/acme/app'))).toBe(text);
  });

  test('when a space is renamed: the old name becomes an alias', () => {
    const renamed = value(renameSpace(text, 'acme', 'umbrella'));
    expect(renamed).toBe(text.replace('acme:\n', 'umbrella:\n').replace('[acme-corp]', '[acme-corp, acme]'));
    expect(findSpace(value(parseSpaces(renamed)), 'acme')).toBe('umbrella');
  });

  test('when it is renamed back: its alias goes', () => {
    const there = value(renameSpace(text, 'globex', 'umbrella'));
    const back = value(parseSpaces(value(renameSpace(there, 'umbrella', 'globex'))));
    expect(back.entries[1]).toEqual({ name: 'globex', aliases: ['umbrella'], remotes: [] });
  });

  test('when only the case of its name changes: no alias is needed', () => {
    expect(value(renameSpace(text, 'acme', 'Acme'))).toBe(text.replace('acme:\n', 'Acme:\n'));
  });

  test('when a space is removed', () => {
    expect(value(removeSpace(text, 'globex'))).toBe(text.replace('  globex: {}\n', ''));
  });

  test.each([
    ['adding a taken name', () => addSpace(text, 'ACME')],
    ['adding an alias', () => addSpace(text, 'acme-corp')],
    ['adding what cannot be a name', () => addSpace(text, '../x')],
    ['a remote of no space', () => addSpaceRemote(text, 'umbrella', 'github.com/a/b')],
    ['a remote that is none', () => addSpaceRemote(text, 'acme', 'app')],
    ['renaming no space', () => renameSpace(text, 'umbrella', 'x')],
    ['renaming to a taken name', () => renameSpace(text, 'acme', 'Globex')],
    ['renaming to what cannot be a name', () => renameSpace(text, 'acme', 'personal')],
    ['removing no space', () => removeSpace(text, 'umbrella')],
    ['a broken file', () => addSpace('spaces: [', 'x')],
  ])('and refuses %s', (_, edit) => {
    expect(edit()).toMatchObject({ ok: false });
  });
});
