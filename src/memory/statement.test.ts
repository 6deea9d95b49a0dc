import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFit, MAX_STATEMENT_CODE_POINTS, normaliseStatement } from './statement.ts';

describe('identical statements', () => {
  test.each([
    ['composed and decomposed accents', 'Caf\u00e9 opens at 8', 'Cafe\u0301 opens at 8'],
    ['line ends, tabs and doubled blanks', 'Acme  uses\tAuth0\r\nfor  sign-in', 'Acme uses Auth0 for sign-in'],
    ['no-break and ideographic spaces', 'Acme\u00a0uses\u3000Auth0', 'Acme uses Auth0'],
    ['blanks at the ends', '  Acme uses Auth0 \n', 'Acme uses Auth0'],
    ['a final full stop', 'Acme uses Auth0.', 'Acme uses Auth0'],
    ['a Chinese full stop', 'Acme使用Auth0。', 'Acme使用Auth0'],
    ['a Hindi full stop', 'यह सच है।', 'यह सच है'],
    ['an Urdu full stop', 'یہ سچ ہے۔', 'یہ سچ ہے'],
    ['a full stop after a blank', 'Acme utilise Auth0 .', 'Acme utilise Auth0'],
  ])('differ in nothing but %s', (_, a, b) => {
    expect(normaliseStatement(a)).toBe(normaliseStatement(b));
  });

  test.each([
    ['case', 'Use polish', 'Use Polish'],
    ['a question mark', 'Acme uses Auth0?', 'Acme uses Auth0'],
    ['an exclamation mark', 'Acme uses Auth0!', 'Acme uses Auth0'],
    ['an ellipsis', 'Acme uses Auth0...', 'Acme uses Auth0'],
    ['a word joined by a blank', 'sign in', 'signin'],
    ['a full stop inside', 'version 1.2', 'version 12'],
  ])('are told apart by %s', (_, a, b) => {
    expect(normaliseStatement(a)).not.toBe(normaliseStatement(b));
  });

  test('normalise to a form that normalises to itself', () => {
    const pieces = fc.constantFrom('a', 'e\u0301', ' ', '\n', '\u00a0', '.', '。', '।', '?', '\u0085', '\u{1f600}');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((p) => p.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const once = normaliseStatement(text);
          expect(normaliseStatement(once)).toBe(once);
          expect(once).toBe(once.trim());
        },
      ),
    );
  });
});

describe('fit to keep', () => {
  test.each(['', '   ', '\n\t', '\u200b\u200b', '.', '---', '"" ()'])('refuses %j as empty', (text) => {
    expect(checkFit(text)).toEqual({ ok: false, reason: 'empty' });
  });

  test.each(['x', '7', '👍', 'é', '是', 'C++ > C'])('takes %j', (text) => {
    expect(checkFit(text)).toEqual({ ok: true });
  });

  test('counts code points, not UTF-16 units: 2,000 emoji fit', () => {
    expect(checkFit('😀'.repeat(MAX_STATEMENT_CODE_POINTS))).toEqual({ ok: true });
  });

  test('refuses one code point more, and says how many there are', () => {
    expect(checkFit('😀'.repeat(2001))).toEqual({ ok: false, reason: 'too-long', codePoints: 2001, limit: 2000 });
  });

  test('does not count white space at the ends', () => {
    expect(checkFit(`  ${'a'.repeat(2000)}\n`)).toEqual({ ok: true });
  });
});
