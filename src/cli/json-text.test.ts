// JSON as it is printed: the same value, and nothing hidden in its text.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonText } from './json-text.ts';

const OBEYED = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060\ufeff]/u;

it('writes hidden characters out, in keys as well, and leaves what is seen', () => {
  expect(jsonText({ '\u202ea': 'é\u009b32m\u007f\u061c\u{e0041}\ufeff 👍 "\u001b"' })).toBe(
    '{"\\u202ea":"é\\u009b32m\\u007f\\u061c\\udb40\\udc41\\ufeff 👍 \\"\\u001b\\""}',
  );
  expect(jsonText([1, {}], 2)).toBe('[\n  1,\n  {}\n]');
});

it('is the same value, whatever the text is', () => {
  const character = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom(
      '\u007f',
      '\u0085',
      '\u009b',
      '\u200b',
      '\u200f',
      '\u2028',
      '\u202e',
      '\u2060',
      '\u2069',
      '\\',
      '"',
    ),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  );
  const text = fc.array(character).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.dictionary(text, text, { noNullPrototype: true }), (value) => {
      const printed = jsonText(value);
      expect(JSON.parse(printed)).toEqual(value);
      expect(printed).not.toMatch(OBEYED);
    }),
  );
});
