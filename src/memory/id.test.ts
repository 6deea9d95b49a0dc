import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { deriveId, isId, newId } from './id.ts';

describe('isId', () => {
  test.each(['k3v9q2m7', 'abcdefgh', 'z0000000', 'a1e5abcd'])('accepts %s', (id) => expect(isId(id)).toBe(true));

  test.each([
    ['a digit first', '1e5abcde'],
    ['upper case', 'K3V9Q2M7'],
    ['i, l, o, u are not in the alphabet', 'kilouuuu'],
    ['7 characters', 'k3v9q2m'],
    ['9 characters', 'k3v9q2m77'],
    ['a line end behind', 'k3v9q2m7\n'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => expect(isId(text)).toBe(false));
});

describe('newId', () => {
  test('makes ids, and uses every character of the alphabet', () => {
    const ids = Array.from({ length: 5_000 }, newId);
    expect(ids.filter((id) => !isId(id))).toEqual([]);
    expect(new Set(ids.map((id) => id[0])).size).toBe(22);
    expect(new Set(ids.join('')).size).toBe(32);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('deriveId', () => {
  test('makes an id of any path and body', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (path, body) => {
        expect(isId(deriveId(path, body))).toBe(true);
      }),
    );
  });

  test('stays as it is for ever: two versions of stet must agree about a file', () => {
    expect(deriveId('personal/notes/ports.md', 'The API listens on 3000.')).toBe('vh8yn4ff');
  });

  test('differs by path and by body', () => {
    expect(new Set([deriveId('a.md', 'x'), deriveId('b.md', 'x'), deriveId('a.md', 'y')]).size).toBe(3);
  });

  test('does not see line ends, a BOM, outer blank lines, or the Unicode form of the path', () => {
    const id = deriveId('personal/café.md', 'one\ntwo');
    expect(deriveId('personal/café.md'.normalize('NFD'), '\uFEFF\r\none\r\ntwo\r\n \r\n')).toBe(id);
    expect(deriveId('personal/café.md', 'one\rtwo\r')).toBe(id);
    expect(deriveId('personal/café.md', '  one\ntwo')).not.toBe(id);
  });
});
