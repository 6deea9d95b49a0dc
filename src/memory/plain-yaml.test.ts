import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readYaml } from './frontmatter-yaml.ts';
import { readPlainYaml } from './plain-yaml.ts';

describe('readPlainYaml', () => {
  test('reads what stet writes, and what people mostly write', () => {
    const source = [
      'id: "k3v9q2m7"',
      'kind: decision',
      'space: acme',
      'source: Claude Code',
      'created: 2026-09-15T10:31:04+02:00',
      'target: https://example.com/a#b',
      'until: 2026-09-30',
      'title: "Sign-in: how #1"',
      'rating: 007',
      '',
    ].join('\n');
    const keys = readPlainYaml(source, 2);
    expect([...(keys ?? [])].map(([key, { value, line }]) => [line, key, 'text' in value && value.text])).toEqual([
      [2, 'id', 'k3v9q2m7'],
      [3, 'kind', 'decision'],
      [4, 'space', 'acme'],
      [5, 'source', 'Claude Code'],
      [6, 'created', '2026-09-15T10:31:04+02:00'],
      [7, 'target', 'https://example.com/a#b'],
      [8, 'until', '2026-09-30'],
      [9, 'title', 'Sign-in: how #1'],
      [10, 'rating', '007'],
    ]);
  });

  test.each([
    'a: b: c\n',
    'a: b # c\n',
    'a: b \n',
    'a:\n',
    'a: null\n',
    'a: b\na: c\n',
    'a: "b\\n"\n',
    'a: [b]\n',
    'a: - b\n',
    'a: &b c\n',
    'a: *b\n',
    'a: !b c\n',
    'a: b\n  c\n',
    ' a: b\n',
    '# c\na: b\n',
    'a: b\n\n',
    'a: b',
    'a: b:\n',
    'a: b\tc\n',
    '__proto__: [a]\n',
  ])('leaves %j to the parser', (source) => expect(readPlainYaml(source, 1)).toBeNull());

  test('what it reads, the parser reads the same', () => {
    const words = 'a b key null ~ yes 1 07 .5 é 字 🎉 : # #x - ? " \' , [ ] { } & * ! | > % @ `'.split(' ');
    const chunk = fc
      .constantFrom(' ', 'x y', ': ', ' #', '- ', '\u00a0', '\u2028', '\t', '\r')
      .chain((blank) => fc.constantFrom(blank, ...words));
    const value = fc.array(chunk, { maxLength: 5 }).map((chunks) => chunks.join(''));
    const key = fc.constantFrom(
      'a',
      'b',
      'c',
      'id',
      'null',
      'true',
      '__proto__',
      'constructor',
      'a-b',
      'a b',
      '1',
      '"q"',
    );
    const line = fc
      .tuple(key, fc.constantFrom(': ', ': "', ':', ':  '), value, fc.constantFrom('', '', '"', ' '))
      .map((parts) => parts.join(''));
    const sources = fc
      .tuple(fc.array(line, { maxLength: 4 }), fc.constantFrom('\n', '\n', '\r\n'))
      .map(([lines, end]) => lines.map((text) => text + end).join(''));
    let read = 0;
    fc.assert(
      fc.property(sources, (source) => {
        const plain = readPlainYaml(source, 7);
        fc.pre(plain !== null);
        read++;
        const whole = readYaml(source, 7);
        expect(whole.ok && [...whole.value.keys]).toEqual([...(plain ?? [])]);
      }),
      { numRuns: 2_000, maxSkipsPerRun: 1_000 },
    );
    expect(read).toBeGreaterThanOrEqual(2_000);
  });
});
