import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { lineOf, trimBlankLines, withoutLoneCr } from './text-lines.ts';

describe('withoutLoneCr', () => {
  test('keeps every offset, and CRLF', () => {
    expect(withoutLoneCr('a\rb\r\nc\r\r\nd\n')).toBe('a\nb\r\nc\n\r\nd\n');
  });
});

describe('lineOf', () => {
  test.each([
    ['abc', 2, 1],
    ['a\nb', 1, 1],
    ['a\nb', 2, 2],
    ['a\n\nb', 2, 2],
    ['a\n\nb', 3, 3],
    ['a\n', 2, 2],
  ])('in %j offset %i is on line %i', (text, offset, line) => expect(lineOf(text, offset)).toBe(line));
});

describe('trimBlankLines', () => {
  test.each([
    ['', ''],
    [' \n\t\n', ''],
    ['\n  indented\n', '  indented'],
    ['one  \n\n', 'one  '],
    ['a\n\n\nb\n \n', 'a\n\n\nb'],
    ['a', 'a'],
  ])('%j becomes %j', (text, trimmed) => expect(trimBlankLines(text)).toBe(trimmed));

  test('equals dropping blank lines from both ends', () => {
    const words = fc.array(fc.constantFrom('\n', ' ', '\t', 'a', 'b')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(words, (text) => {
        const lines = text.split('\n');
        while (lines.length > 0 && lines[0]?.trim() === '') lines.shift();
        while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
        expect(trimBlankLines(text)).toBe(lines.join('\n'));
      }),
    );
  });
});
