import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { headingOf, statementOf } from './first-paragraph.ts';

describe('statementOf', () => {
  test.each([
    ['one line', 'Use pnpm.', 'Use pnpm.'],
    ['lines of one paragraph', 'Use pnpm,\n  never npm.\n\nBecause.', 'Use pnpm, never npm.'],
    ['hard breaks', 'Use pnpm,\\\nnever npm,  \nnor yarn.', 'Use pnpm, never npm, nor yarn.'],
    ['leading blank lines', '\n \n\tUse pnpm.', 'Use pnpm.'],
    ['a heading and a paragraph', '# Tools\n\nUse pnpm.', 'Use pnpm.'],
    ['a heading right above a paragraph', '# Tools #\nUse pnpm.', 'Use pnpm.'],
    ['an underlined heading', 'Tools\n=====\n\nUse pnpm.', 'Use pnpm.'],
    ['an underlined heading of two lines', 'Tools\nand more\n---\nUse pnpm.', 'Use pnpm.'],
    ['headings alone', '# Tools ##\n\n## Later\n', 'Tools'],
    ['an underlined heading alone', 'Tools\n---', 'Tools'],
    ['an empty heading', '#\n\nUse pnpm.', 'Use pnpm.'],
    ['a hash that is no heading', '#pnpm is the tool.', '#pnpm is the tool.'],
    ['a heading about C#', '# C#', 'C#'],
    ['a quote', '> Use pnpm,\n> never npm.\n\nSaid Ann.', 'Use pnpm, never npm.'],
    ['a nested quote', '> > Use pnpm.', 'Use pnpm.'],
    ['a callout', '> [!note]- Tools\n> Use pnpm.', 'Tools Use pnpm.'],
    ['a bare callout', '> [!tip]\n> Use pnpm.', 'Use pnpm.'],
    ['a paragraph above a quote', 'Ann says:\n> Use pnpm.', 'Ann says:'],
    ['a list', '- Use pnpm.\n- Use Node 20.', 'Use pnpm.'],
    ['a list entry of two lines', '* Use pnpm,\n  never npm.\n* More', 'Use pnpm, never npm.'],
    ['a numbered list', '1. Use pnpm.\n2. Use Node 20.', 'Use pnpm.'],
    ['a task', '- [ ] Use pnpm.', 'Use pnpm.'],
    ['a list in a quote', '> - Use pnpm.\n> - Use Node 20.', 'Use pnpm.'],
    ['a heading above a list', '# Ports:\n\n- API: 3000\n- DB: 5432', 'Ports: API: 3000'],
    ['a paragraph above a list', 'Ports:\n- API: 3000', 'Ports:'],
    ['a year that is no list', '2026 is the year.', '2026 is the year.'],
    ['a dash that is no list', '-x is an option.', '-x is an option.'],
    ['a rule first', '---\n\nUse pnpm.', 'Use pnpm.'],
    ['rules of stars with blanks', '* * *\nUse pnpm.', 'Use pnpm.'],
    ['emphasis that is no rule', '**Use pnpm.**', '**Use pnpm.**'],
    ['a code block first', '```sh\npnpm i\n```\n\nUse pnpm.', 'Use pnpm.'],
    ['a long fence around a short one', '````\n```\nno\n```\n````\nUse pnpm.', 'Use pnpm.'],
    ['a code block that never ends', '~~~\npnpm i', 'pnpm i'],
    ['a code block alone', '```sh\npnpm i\n```', 'pnpm i'],
    ['a heading and code', '# Install\n\n```sh\npnpm i\n```', 'Install'],
    ['a paragraph above code', 'Use pnpm:\n```sh\npnpm i\n```', 'Use pnpm:'],
    ['an HTML comment', '<!-- draft\nof Ann -->\nUse pnpm.', 'Use pnpm.'],
    ['an HTML comment on one line', '<!-- draft -->\nUse pnpm.', 'Use pnpm.'],
    ['an Obsidian comment', '%%\ndraft\n%%\nUse pnpm.', 'Use pnpm.'],
    ['images first', '![[a.png]] ![b](b.png)\n\nUse pnpm.', 'Use pnpm.'],
    ['an image alone', '![[a.png]]', '![[a.png]]'],
    ['a table first', '| a | b |\n|---|---|\n\nUse pnpm.', 'Use pnpm.'],
    ['a table alone', '| a | b |\n|---|---|', '| a | b |'],
    ['links and emphasis', '[[Auth0|The vendor]] is *ours*.', '[[Auth0|The vendor]] is *ours*.'],
    ['Chinese', '使用 pnpm。\n不用 npm。', '使用 pnpm。 不用 npm。'],
    ['odd blanks', 'Use\u00a0\u00a0pnpm.\u2028Always.', 'Use pnpm. Always.'],
    ['a callout without words', '[!note]\n===', '[!note]'],
    ['nothing', '', ''],
  ])('%s', (_, body, statement) => expect(statementOf(body)).toBe(statement));

  test('is one line without outer blanks, and says something if the body does', () => {
    const parts = [
      '\n',
      '\n\n',
      ' ',
      '# ',
      '> ',
      '- ',
      '1. ',
      '```',
      '~~~',
      '---',
      '***',
      '===',
      '|',
      '<!--',
      '-->',
      '%%',
    ];
    const body = fc.array(fc.constantFrom(...parts, '\\', '![', '](', ')', '[!a]', 'word', 'x', '字'));
    fc.assert(
      fc.property(body, (chunks) => {
        const statement = statementOf(chunks.join(''));
        expect(statement).not.toMatch(/[\n\r]|^\s|\s$|\s\s/);
        expect(statement === '').toBe(chunks.join('').trim() === '');
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('headingOf', () => {
  test.each([
    ['# Tools\n\nUse pnpm.', 'Tools'],
    ['```\n# no\n```\n## Tools', 'Tools'],
    ['Use pnpm.\n\n# Tools', null],
    ['- a\n\n# Tools', null],
    ['', null],
  ])('of %j is %j', (body, heading) => expect(headingOf(body)).toBe(heading));
});
