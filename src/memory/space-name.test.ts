import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSpaceName, sameSpaceName, spaceKey } from './space-name.ts';

describe("a space's name", () => {
  test.each([
    'acme',
    'Acme',
    'acme-corp',
    'acme_2',
    '2026',
    'Zürich',
    'проект',
    '客户',
    'ग्राहक',
    'عميل',
    'a',
    'x'.repeat(64),
  ])('may be %s', (name) => {
    expect(checkSpaceName(name)).toEqual({ ok: true, name });
  });

  test('is kept composed', () => {
    expect(checkSpaceName('Zu\u0308rich')).toEqual({ ok: true, name: 'Z\u00fcrich' });
  });

  test.each([
    ['nothing', ''],
    ['personal', 'personal'],
    ['personal in capitals', 'Personal'],
    ['every space', '*'],
    ['a parent folder', '..'],
    ['the folder itself', '.'],
    ['a hidden folder', '.git'],
    ['a path', 'acme/secret'],
    ['a way out', '../personal'],
    ['a Windows path', 'acme\\secret'],
    ['a drive', 'c:'],
    ['a stream', 'acme:stream'],
    ['an end of string', 'acme\u0000'],
    ['a line end', 'acme\n'],
    ['blanks', 'acme corp'],
    ['a final dot, which Windows drops', 'acme.'],
    ['an option', '-rf'],
    ['a first underscore', '_acme'],
    ['a first combining mark', '\u0301a'],
    ['a full-width slash', 'a\uff0fb'],
    ['a bidi override', 'a\u202eb'],
    ['a zero-width blank', 'a\u200bb'],
    ['an emoji', 'acme😀'],
    ['a superscript digit (COM¹ is a device)', 'com¹'],
    ['a device', 'CON'],
    ['another device', 'lpt1'],
    ['65 characters', 'x'.repeat(65)],
    ['a wildcard in it', 'acme*'],
    ['a final blank, which Windows drops', 'acme '],
    ['64 characters that no folder has room for', '\u{20000}'.repeat(64)],
    ['the console of Windows', 'con$'],
  ])('may not be %s', (_, name) => {
    expect(checkSpaceName(name)).toMatchObject({ ok: false });
  });

  test.each([
    ['*', '* stands for every space and cannot be the name of one'],
    ['acme/secret', 'a space is named with letters, digits, - and _, and this has “/”'],
    ['a\u202eb', 'a space is named with letters, digits, - and _, and this has U+202E'],
    ['acme corp', 'a space is named with letters, digits, - and _, and this has a blank'],
    ['x'.repeat(65), 'the name of a space has at most 64 characters, and this has 65'],
    ['Personal', 'personal is what belongs to no space, and cannot be the name of one'],
  ])('%j is refused with the reason, invisible characters by number', (name, reason) => {
    expect(checkSpaceName(name)).toEqual({ ok: false, reason });
  });

  test.each([
    ['acme', 'ACME'],
    ['Zu\u0308rich', 'Z\u00dcRICH'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['проект', 'ПРОЕКТ'],
  ])('%s and %s are one name', (a, b) => {
    expect(sameSpaceName(a, b)).toBe(true);
  });

  test.each([
    ['acme', 'acme2'],
    ['acme-corp', 'acme_corp'],
    ['Zürich', 'Zurich'],
    ['客户', '客戶'],
  ])('%s and %s are two names', (a, b) => {
    expect(sameSpaceName(a, b)).toBe(false);
  });

  test('has one key in any case and form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const key = spaceKey(name);
        expect(spaceKey(key)).toBe(key);
        expect(spaceKey(name.normalize('NFD'))).toBe(key);
      }),
      { numRuns: 500 },
    );
  });
});
