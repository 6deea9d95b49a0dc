import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { editFrontmatter, readFrontmatter } from './frontmatter.ts';
import type { FrontmatterChanges } from './frontmatter.ts';

const edited = (text: string, changes: FrontmatterChanges, renames?: Record<string, string>): string => {
  const result = editFrontmatter(text, changes, renames);
  return result.ok ? result.value : `problem in line ${result.problems[0]?.line}: ${result.problems[0]?.message}`;
};

describe('editFrontmatter', () => {
  test.each<[name: string, text: string, changes: FrontmatterChanges, result: string]>([
    ['adds behind the last key', '---\na: 1\n---\nB\n', { id: 'x' }, '---\na: 1\nid: "x"\n---\nB\n'],
    ['adds in the order given', '---\na: 1\n---\nB', { z: 'y', b: ['c', 'd'] }, '---\na: 1\nz: "y"\nb: [c, d]\n---\nB'],
    ['adds behind comments', '---\na: 1\n# end\n\n---\nB', { k: 'v' }, '---\na: 1\n# end\n\nk: v\n---\nB'],
    ['adds to an empty block', '---\n---\nB', { k: 'v' }, '---\nk: v\n---\nB'],
    ['adds to comments', '---\n# c\n---\nB', { k: 'v' }, '---\n# c\nk: v\n---\nB'],
    ['adds at the indentation of the others', '---\n  a: 1\n---\nB', { k: 'v' }, '---\n  a: 1\n  k: v\n---\nB'],
    ['adds behind a list', '---\na:\n- 1\n---\nB', { k: 'v' }, '---\na:\n- 1\nk: v\n---\nB'],
    ['adds behind a kept block', '---\na: |+\n  t\n\n---\nB', { k: 'v' }, '---\na: |+\n  t\n\nk: v\n---\nB'],
    ['adds behind an explicit key', '---\n? [a]\n: 1\n---\nB', { k: 'v' }, '---\n? [a]\n: 1\nk: v\n---\nB'],
    ['makes the block', 'B\n', { k: 'v' }, '---\nk: v\n---\nB\n'],
    ['makes the block behind a BOM, with CRLF', '\uFEFFB\r\n', { k: 'v' }, '\uFEFF---\r\nk: v\r\n---\r\nB\r\n'],
    ['makes the block with lone CRs', 'B\rC\r', { k: 'v' }, '---\rk: v\r---\rB\rC\r'],
    ['makes the block above a rule', '---\n\nB\n', { k: 'v' }, '---\nk: v\n---\n---\n\nB\n'],
    ['makes the block in an empty text', '', { k: 'v' }, '---\nk: v\n---\n'],
    ['does not make a block for nothing', 'B\n', { k: null }, 'B\n'],
    ['uses the line ends of the opening line', '---\r\na: 1\n---\nB', { k: 'v' }, '---\r\na: 1\nk: v\r\n---\nB'],
    ['uses lone CRs', '---\ra: 1\r---\rB', { k: 'v' }, '---\ra: 1\rk: v\r---\rB'],
    ['needs no line end at the end', '---\na: 1\n---', { k: 'v' }, '---\na: 1\nk: v\n---'],
    ['sets a bare value', '---\nk:   old  # why\n---\nB', { k: 'v' }, '---\nk:   v  # why\n---\nB'],
    ['sets a quoted value', "---\nk: 'o: ld'\na: 1\n---\nB", { k: 'v' }, '---\nk: v\na: 1\n---\nB'],
    ['sets a value with a quoted key', '---\n"k": old\n---\nB', { k: 'v' }, '---\n"k": v\n---\nB'],
    ['sets an empty value', '---\nk:\na: 1\n---\nB', { k: 'v' }, '---\nk: v\na: 1\n---\nB'],
    ['sets an empty value before a comment', '---\nk: # c\n---\nB', { k: 'v' }, '---\nk: v # c\n---\nB'],
    ['sets a value on the next line', '---\nk:\n  old\n---\nB', { k: 'v' }, '---\nk:\n  v\n---\nB'],
    ['sets a value of two lines', '---\nk: o\n  ld\na: 1\n---\nB', { k: 'v' }, '---\nk: v\na: 1\n---\nB'],
    ['sets a block', '---\nk: |\n  o\n\n  ld\na: 1\n---\nB', { k: 'v' }, '---\nk: v\na: 1\n---\nB'],
    ['sets a list', '---\nk:\n  - o\n  - ld\n# c\na: 1\n---\nB', { k: 'v' }, '---\nk: v\n# c\na: 1\n---\nB'],
    ['sets a list with CRLF', '---\r\nk:\r\n- o\r\na: 1\r\n---\r\nB', { k: 'v' }, '---\r\nk: v\r\na: 1\r\n---\r\nB'],
    ['sets a flow list', '---\nk: [o, ld] # c\n---\nB', { k: ['v', 'w'] }, '---\nk: [v, w] # c\n---\nB'],
    ['sets a mapping', '---\nk:\n  o: 1\n---\nB', { k: 'v' }, '---\nk: v\n---\nB'],
    ['sets an alias', '---\na: &x 1\nk: *x\n---\nB', { k: 'v' }, '---\na: &x 1\nk: v\n---\nB'],
    ['sets a tagged value', '---\nk: !!int 5\n---\nB', { k: 'v' }, '---\nk: v\n---\nB'],
    ['keeps a value that says the same', "---\nk: 'v'\n---\nB", { k: 'v' }, "---\nk: 'v'\n---\nB"],
    ['keeps a list that says the same', '---\nk:\n- v\n---\nB', { k: ['v'] }, '---\nk:\n- v\n---\nB'],
    ['removes a line', '---\na: 1\nk: v # c\nb: 2\n---\nB', { k: null }, '---\na: 1\nb: 2\n---\nB'],
    ['removes a list', '---\nk:\n  - 1\n  - 2\n# c\nb: 2\n---\nB', { k: null }, '---\n# c\nb: 2\n---\nB'],
    ['removes a block', '---\na: 1\nk: |\n  x\n---\nB', { k: null }, '---\na: 1\n---\nB'],
    ['removes an empty value', '---\nk:\nb: 2\n---\nB', { k: null }, '---\nb: 2\n---\nB'],
    ['removes an explicit key', '---\na: 1\n? k\n: v\nb: 2\n---\nB', { k: null }, '---\na: 1\nb: 2\n---\nB'],
    ['removes the only key', '---\nk: v\n---\nB', { k: null }, '---\n---\nB'],
    ['removes nothing', '---\na: 1\n---\nB', { k: null }, '---\na: 1\n---\nB'],
    ['flow: adds', '---\n{a: 1}\n---\nB', { k: 'v', l: ['w'] }, '---\n{"k": "v", "l": ["w"], a: 1}\n---\nB'],
    ['flow: adds before a line end', '---\n{\n  "a": 1\n}\n---\nB', { k: 'v' }, '---\n{"k": "v",\n  "a": 1\n}\n---\nB'],
    ['flow: adds to nothing', '---\n{ }\n---\nB', { k: 'v' }, '---\n{ "k": "v"}\n---\nB'],
    ['flow: adds with a comma behind', '---\n{a: 1,}\n---\nB', { k: 'v' }, '---\n{"k": "v", a: 1,}\n---\nB'],
    ['flow: sets', '---\n{a: 1, k: old, b: 2}\n---\nB', { k: 'v' }, '---\n{a: 1, k: "v", b: 2}\n---\nB'],
    ['flow: sets an empty value', '---\n{a: 1, k: , b: 2}\n---\nB', { k: 'v' }, '---\n{a: 1, k: "v" , b: 2}\n---\nB'],
    ['flow: removes the first', '---\n{k: v, b: 2}\n---\nB', { k: null }, '---\n{b: 2}\n---\nB'],
    ['flow: removes the last', '---\n{a: 1, k: v}\n---\nB', { k: null }, '---\n{a: 1}\n---\nB'],
    ['flow: removes the last with a comma', '---\n{a: 1, k: v,}\n---\nB', { k: null }, '---\n{a: 1,}\n---\nB'],
    ['flow: removes the only key', '---\n{k: v}\n---\nB', { k: null }, '---\n{}\n---\nB'],
    ['knows keys of Object.prototype', '---\nconstructor: 1\n---\nB', { k: 'v' }, '---\nconstructor: 1\nk: v\n---\nB'],
    [
      'sets a key named constructor',
      '---\nconstructor: 1\n---\nB',
      { constructor: 'v' },
      '---\nconstructor: v\n---\nB',
    ],
  ])('%s', (_, text, changes, result) => expect(edited(text, changes)).toBe(result));

  test('renames, keeping the value as it is written, and may add the old name anew', () => {
    const text = "---\nid:  'x' # old\nsource:\n  - a\n---\nB";
    const renames = { id: 'original_id', source: 'original_source' };
    expect(edited(text, { id: 'k3v9q2m7' }, renames)).toBe(
      '---\noriginal_id:  \'x\' # old\noriginal_source:\n  - a\nid: "k3v9q2m7"\n---\nB',
    );
    expect(edited('---\n{"id": 1}\n---\nB', { id: 'y' }, renames)).toBe('---\n{"id": "y", "original_id": 1}\n---\nB');
  });

  test.each<[name: string, text: string, changes: FrontmatterChanges, line: number]>([
    ['a value that others refer to', '---\nk: &x old\na: *x\n---\nB', { k: 'v' }, 2],
    ['the removal of a value that others refer to', '---\nk: [&x old]\na: *x\n---\nB', { k: null }, 2],
    ['a key without a colon', '---\na: 1\n? k\n---\nB', { k: 'v' }, 2],
    ['a key that is no plain word', '---\na: 1\n---\nB', { 'a: b': 'v' }, 2],
    ['null where keys should be', '---\n~\n---\nB', { k: 'v' }, 2],
    ['broken YAML', '---\na: 1\nb: c: d\n---\nB', { k: 'v' }, 3],
    ['another language', '---json\n{}\n---\nB', { k: 'v' }, 1],
  ])('refuses %s', (_, text, changes, line) => {
    const result = editFrontmatter(text, changes);
    expect(result.ok ? result.value : result.problems[0]?.line).toBe(line);
  });
});

test('a rename onto a key that is there is refused', () => {
  expect(editFrontmatter('---\na: 1\nb: 2\n---\nB', {}, { a: 'b' })).toMatchObject({ ok: false });
});

/** A key with its value as its file has it, in one of the styles of YAML; `{}` stands for the line end. */
const STYLES = [
  'KEY: text{}',
  'KEY:   "quo: ted"   # why{}',
  "KEY: 'it''s'{}",
  'KEY:{}',
  'KEY: ~ # nothing{}',
  'KEY: text of{}  two lines{}',
  'KEY: |{}  a{}{}  KEY: b{}',
  'KEY: >-{}  a{}  b{}',
  'KEY:{}  - a{}  - b # second{}',
  'KEY:{}- a{}-{}- "c"{}',
  'KEY:{}- a{}-{}',
  'KEY:{}- a: 1{}  b:{}    - |{}      c{}',
  'KEY: [a, "b", c]{}',
  'KEY: [{}  a,{}  b,{}  ]{}',
  'KEY:{}  a: 1{}  b:{}    c: 2{}',
  'KEY: {a: 1, b: [c]}{}',
  'KEY: **/*{}',
  'KEY: !!js/function "x"{}',
  '"KEY": text{}',
  '? KEY{}: text{}',
  'KEY: [[wiki link]]{}',
];
const BETWEEN = ['', '', '', '# a comment{}', '{}', ' # indented: comment{}', '# KEY: no key{}{}'];

describe('an edit of one key among others', () => {
  const file = fc
    .record({
      styles: fc.array(fc.tuple(fc.constantFrom(...BETWEEN), fc.constantFrom(...STYLES)), { maxLength: 5 }),
      end: fc.constantFrom(...BETWEEN),
      eol: fc.constantFrom('\n', '\r\n', '\r'),
      bom: fc.constantFrom('', '\uFEFF'),
      body: fc.constantFrom('', 'B', 'B\n', '---\nid: x\n---\n', '\r\n\rB\n', '# T\r\rB'),
      closing: fc.constantFrom('---', '--- \t'),
    })
    .map(({ styles, end, eol, bom, body, closing }) => {
      const write = (text: string) => text.replaceAll('{}', eol);
      const pairs = styles.map(([between, style], n) => ({
        name: `key${n}`,
        between: write(between),
        text: write(style.replaceAll('KEY', `key${n}`)),
      }));
      return { head: `${bom}---${eol}`, pairs, end: write(end), tail: `${closing}${eol}${body}` };
    });
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 3 }),
  );

  test('leaves every byte outside of that key as it was', () => {
    fc.assert(
      fc.property(file, fc.nat(), fc.option(value), ({ head, pairs, end, tail }, pick, change) => {
        const written = (some: typeof pairs) => some.map(({ between, text }) => between + text).join('');
        const text = head + written(pairs) + end + tail;
        const n = pick % (pairs.length + 1);
        const pair = pairs[n];
        const [before, after] =
          pair === undefined
            ? [head + written(pairs) + end, tail]
            : [head + written(pairs.slice(0, n)) + pair.between, written(pairs.slice(n + 1)) + end + tail];
        const name = pair?.name ?? 'added';

        const result = edited(text, { [name]: change });
        expect([result.slice(0, before.length), result.slice(-after.length)]).toEqual([before, after]);
        expect(result.length > before.length + after.length).toBe(change !== null);
        const keys = readFrontmatter(result);
        expect(keys.ok && keys.value.keys.get(name)?.value).toEqual(
          change === null
            ? undefined
            : typeof change === 'string'
              ? { shape: 'text', text: change }
              : { shape: 'list', texts: change },
        );
        expect(edited(result, { [name]: change })).toBe(result);
      }),
      { numRuns: 500 },
    );
  });
});

describe('readFrontmatter', () => {
  test('counts the lines of keys and body in the file', () => {
    const read = readFrontmatter('\uFEFF---\r\n# c\r\na: 1\r\nb:\r\n  - 2\r\nc: "x"\r\n---\r\n\r\nB');
    expect(read.ok && [...read.value.keys].map(([key, { line }]) => [key, line])).toEqual([
      ['a', 3],
      ['b', 4],
      ['c', 6],
    ]);
    expect(read).toMatchObject({ value: { hasBlock: true, body: '\r\nB', bodyLine: 8 } });
  });

  test('gives the whole text as body where there is no block', () => {
    expect(readFrontmatter('\uFEFFB\rC')).toMatchObject({ value: { hasBlock: false, body: 'B\nC', bodyLine: 1 } });
  });

  test('keys of Object.prototype are keys and nothing else', () => {
    const read = readFrontmatter('---\n__proto__: x\nconstructor: y\n---\nB');
    expect(read.ok && [...read.value.keys.keys()]).toEqual(['__proto__', 'constructor']);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  test('reads any text without throwing', () => {
    const chunk = fc.constantFrom(
      ...'---|--- |----|---js|\n|\r\n|\r|a: b|a:|  - c|- d|"|\'|{|}|[|]|? |: |&x |*x|!!t |#|%YAML 1.1|...|\t|+++|text'.split(
        '|',
      ),
    );
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 14 }), (chunks) => {
        const text = chunks.join('');
        const read = readFrontmatter(text);
        expect(editFrontmatter(text, {})).toEqual(read.ok ? { ok: true, value: text } : read);
      }),
      { numRuns: 2_000 },
    );
  });
});
