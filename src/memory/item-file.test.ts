import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { deriveId, newId, isId } from './id.ts';
import { adoptItemFile, parseItemFile, printItemFile, statementOf } from './item-file.ts';
import type { FileToAdopt, FoundFile } from './item-file.ts';
import { KINDS } from './item.ts';
import type { Item } from './item.ts';

const modified = new Date('2026-01-02T03:04:05.678Z');
const now = new Date('2026-02-03T04:05:06.789Z');
const PATH = 'spaces/acme/2026-09/acme-signs-in-with-auth0.k3v9q2m7.md';

const item: Item = {
  id: 'k3v9q2m7',
  kind: 'decision',
  space: 'acme',
  source: 'Claude Code',
  created: '2026-09-15T10:31:04Z',
  supersedes: ['h7wq2c9d'],
  tags: [],
  text: 'Acme signs users in with Auth0.',
  statement: 'Acme signs users in with Auth0.',
};
const printed = `---
id: "k3v9q2m7"
kind: decision
space: acme
source: Claude Code
created: "2026-09-15T10:31:04Z"
supersedes: "h7wq2c9d"
---
Acme signs users in with Auth0.
`;

const parse = (text: string, path = 'personal/notes/a.md', headItem?: Item) =>
  parseItemFile({ path, bytes: Buffer.from(text), modified, headItem });
const adopt = (text: string, path = 'personal/notes/a.md', more: Partial<FileToAdopt> = {}): string => {
  const adopted = adoptItemFile({ path, bytes: Buffer.from(text), now, ...more });
  return adopted.ok ? Buffer.from(adopted.value).toString() : JSON.stringify(adopted.problems);
};

describe('printItemFile', () => {
  test('has the look of the design', () => {
    expect(printItemFile(item)).toBe(printed);
  });

  test('leaves out what is empty, lists what is several, quotes what would be read as something else', () => {
    const whole = {
      ...item,
      space: null,
      source: 'yes',
      supersedes: ['h7wq2c9d', 'z0000000'],
      until: '2026-12-31',
      asOf: '2026-09-01',
      target: 'https://example.com/wiki',
      tags: ['auth', 'sign-in: how'],
      origin: 'claude-code/5f3a#12',
      text: 'One.\n\nTwo.',
    };
    expect(printItemFile(whole)).toBe(`---
id: "k3v9q2m7"
kind: decision
source: "yes"
created: "2026-09-15T10:31:04Z"
supersedes: ["h7wq2c9d", "z0000000"]
until: 2026-12-31
as_of: 2026-09-01
target: https://example.com/wiki
tags: [auth, "sign-in: how"]
origin: "claude-code/5f3a#12"
---
One.

Two.
`);
  });
});

/** Items as parsing gives them: one-line values without outer blanks, tags and space in NFC, text trimmed of blank lines. */
const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map((text) => `a${text}z`.normalize('NFC'));
const id = fc.constant(null).map(newId);
const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const paragraph = fc.oneof(
  line,
  fc.constantFrom('---', '# T', '- a', '```\n---\nid: x\n```', '  indented', 'a: b', '> q', 'two  '),
);
const items: fc.Arbitrary<Item> = fc
  .record(
    {
      id,
      kind: fc.constantFrom(...KINDS),
      space: fc.option(fc.constantFrom('acme', 'ACME', '007', 'yes', 'null', 'счёт', '客户', 'a_b-c')),
      source: line,
      created: fc.oneof(day, line, fc.constant('2026-09-15T10:31:04Z')),
      supersedes: fc.uniqueArray(id, { maxLength: 3 }),
      until: day,
      asOf: day,
      target: line,
      tags: fc.uniqueArray(
        line.map((tag) => tag.replace(/\s+/g, ' ')),
        { maxLength: 3 },
      ),
      origin: line,
      text: fc.array(paragraph, { maxLength: 4 }).map((parts) => ['Text.', ...parts].join('\n\n')),
    },
    { requiredKeys: ['id', 'kind', 'space', 'source', 'created', 'supersedes', 'tags', 'text'] },
  )
  .map((record) => ({ ...record, statement: statementOf(record.text) }));

/** A file that people and other programs may have written: any keys, any line ends, any body. */
const foundFiles: fc.Arbitrary<FoundFile> = fc
  .record({
    keys: fc.uniqueArray(
      fc.tuple(
        fc.constantFrom(
          'id',
          'source',
          'created',
          'tags',
          'title',
          'kind',
          'space',
          'supersedes',
          'until',
          'aliases',
          'original_id',
        ),
        fc.constantFrom(
          '',
          'text',
          '42 # c',
          '"q: x"',
          '[a, b]',
          '\n  - a\n  - b',
          '{a: 1}',
          '|\n  a\n  b',
          'acme',
          'plan',
          'k3v9q2m7',
          '2026-01-01',
          '*x',
          '!t x',
        ),
      ),
      { selector: ([key]) => key, maxLength: 6 },
    ),
    block: fc.boolean(),
    body: fc.constantFrom('Text.', '\nText.\n', '# T\n\nText.', '---\nText.\n', 'Text.\n---\nid: x\n---\n', ''),
    eol: fc.constantFrom('\n', '\r\n', '\r'),
    bom: fc.constantFrom('', '\uFEFF'),
    path: fc.constantFrom('personal/a.md', 'spaces/acme/a.md', PATH),
  })
  .map(({ keys, block, body, eol, bom, path }) => {
    const yaml = keys.map(([key, value]) => `${key}: ${value}\n`).join('');
    const text = block ? `---\n${yaml}---\n${body}` : body;
    return { path, bytes: Buffer.from(bom + text.replaceAll('\n', eol)) };
  });

describe('round trips', () => {
  test('what is printed is read as the same item', () => {
    fc.assert(
      fc.property(items, (value) => {
        const path = value.space === null ? 'personal/a.md' : `spaces/${value.space}/a.md`;
        const read = parse(printItemFile(value), path);
        expect(read).toEqual({
          ok: true,
          value: { item: value, missing: [], narrows: false, hasFrontmatter: true, title: read.ok && read.value.title },
        });
      }),
      { numRuns: 300 },
    );
  });

  test('what is adopted is read as the same item, whole, and is not adopted again', () => {
    let adoptions = 0;
    fc.assert(
      fc.property(foundFiles, fc.boolean(), (file, imported) => {
        const adopted = adoptItemFile({ ...file, now, imported });
        const found = parseItemFile({ ...file, modified: now });
        expect(adopted.ok || !found.ok).toBe(true);
        fc.pre(adopted.ok && found.ok);
        adoptions++;
        const bytes = adopted.ok ? adopted.value : new Uint8Array();
        const again = parseItemFile({ ...file, bytes, modified });
        expect(again).toMatchObject({ ok: true, value: { missing: [], narrows: false } });
        expect(again.ok && again.value.item).toEqual(found.ok && found.value.item);
        expect(adoptItemFile({ ...file, bytes, now, imported })).toEqual({ ok: true, value: bytes });
      }),
      { numRuns: 300, maxSkipsPerRun: 1_000 },
    );
    expect(adoptions).toBeGreaterThanOrEqual(300);
  });

  test('an imported note has no wrong keys: only its text, its YAML and its encoding can be at fault', () => {
    fc.assert(
      fc.property(foundFiles, (file) => {
        const adopted = adoptItemFile({ ...file, now, imported: true });
        const problems = adopted.ok ? [] : adopted.problems.map(({ message }) => message);
        expect(problems.filter((message) => !/empty|No text|Not valid YAML|form in which/.test(message))).toEqual([]);
        const again = adopted.ok ? parseItemFile({ ...file, bytes: adopted.value, modified }) : { ok: true };
        expect(again.ok).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('any bytes are an item or problems with lines', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .array(fc.constantFrom('---\n', 'id: ', '\xff', '\0', '\r', 'a\n', '<<<<<<<\n', '\uFEFF'))
        .map((parts) => Buffer.from(parts.join(''), 'latin1')),
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        const read = parseItemFile({ path: 'personal/a.md', bytes, modified });
        const lines = Buffer.from(bytes)
          .toString('latin1')
          .split(/\r\n?|\n/).length;
        const problems = read.ok ? [] : read.problems;
        expect(problems.filter(({ line }) => line < 1 || line > lines + 1)).toEqual([]);
        expect(read.ok ? isId(read.value.item.id) : problems.length > 0).toBe(true);
      }),
      { numRuns: 600 },
    );
  });
});

describe('parseItemFile', () => {
  test('completes a file without frontmatter: derived id, its time, hand', () => {
    expect(parse('# Tools\n\nUse pnpm.\n')).toEqual({
      ok: true,
      value: {
        item: {
          id: deriveId('personal/notes/a.md', '# Tools\n\nUse pnpm.'),
          kind: 'fact',
          space: null,
          source: 'hand',
          created: '2026-01-02T03:04:05Z',
          supersedes: [],
          tags: [],
          text: '# Tools\n\nUse pnpm.',
          statement: 'Use pnpm.',
        },
        missing: ['id', 'created', 'source'],
        narrows: false,
        hasFrontmatter: false,
        title: 'Tools',
      },
    });
  });

  test('a title key names a note before its heading does', () => {
    expect(parse('---\ntitle: Setup\n---\n# Tools\n\nUse pnpm.')).toMatchObject({ value: { title: 'Setup' } });
    expect(parse('---\ntitle: [a]\n---\nUse pnpm.')).toMatchObject({ value: { title: null } });
  });

  test('the space is the folder; a missing key means the folder', () => {
    expect(parse('Text.', 'spaces/acme/a.md')).toMatchObject({ value: { item: { space: 'acme' }, narrows: false } });
  });

  test('a key that spells the same space otherwise agrees with its folder', () => {
    expect(parse('---\nspace: ACME\n---\nText.', 'spaces/acme/a.md')).toMatchObject({
      value: { item: { space: 'acme' } },
    });
  });

  test('a personal item in the folder of a space narrows, and never the other way round', () => {
    const personal = '---\nspace: personal\n---\nText.';
    expect(parse(personal, 'spaces/acme/a.md')).toMatchObject({ value: { item: { space: 'acme' }, narrows: true } });
    expect(parse(personal, 'personal/a.md')).toMatchObject({ value: { item: { space: null }, narrows: false } });
    expect(parse('---\nspace: acme\n---\nText.', 'personal/a.md')).toMatchObject({
      ok: false,
      problems: [{ line: 2, message: expect.stringContaining('move the file to spaces/acme/') }],
    });
  });

  test('an id of another form is the note’s own, unless the file’s name says that it was one of ours', () => {
    expect(parse('---\nid: K3V9Q2M7\n---\nText.')).toMatchObject({ value: { missing: ['id', 'created', 'source'] } });
    expect(parse('---\nid: K3V9Q2M7\n---\nText.', PATH)).toMatchObject({
      ok: false,
      problems: [{ line: 2, message: expect.stringContaining('the file\'s name says "k3v9q2m7"') }],
    });
  });

  test('a path that HEAD knows keeps its whole identity when the frontmatter is gone', () => {
    expect(parse('Acme uses Okta.', PATH, item)).toMatchObject({
      value: { item: { ...item, text: 'Acme uses Okta.', statement: 'Acme uses Okta.' }, hasFrontmatter: false },
    });
  });

  test('a path that HEAD knows keeps id and date when the id alone is gone: other keys were left out on purpose', () => {
    const read = parse('---\nkind: plan\n---\nAcme uses Okta.', PATH, item);
    expect(read).toMatchObject({
      value: { item: { id: item.id, created: item.created, kind: 'plan', source: 'hand', supersedes: [] } },
    });
  });

  test('a file that has an id is not taken for the one at HEAD', () => {
    const copied = parse('---\nid: "z0000000"\n---\nAcme uses Okta.', PATH, item);
    expect(copied).toMatchObject({
      value: { item: { id: 'z0000000', source: 'hand', created: '2026-01-02T03:04:05Z' } },
    });
  });
});

test('one tag with a comma stays one', () => {
  const text = printItemFile({ ...item, tags: ['auth, sign-in'] });
  expect(text).toContain('tags: ["auth, sign-in"]\n');
  expect(parse(text, PATH)).toMatchObject({ value: { item: { tags: ['auth, sign-in'] } } });
});

describe('adoptItemFile', () => {
  test('adds what is missing and leaves every other byte', () => {
    const text =
      '\uFEFF---\r\n# mine\r\ntitle:   "Tools"   # yes\r\naliases: [ pnpm ]\r\n---\r\n\r\nUse pnpm.\r\nAlways.';
    const expected = text.replace(
      ' ]\r\n',
      ` ]\r\nid: "${deriveId('personal/notes/a.md', 'Use pnpm.\nAlways.')}"\r\nsource: hand\r\ncreated: "2026-02-03T04:05:06Z"\r\n`,
    );
    expect(adopt(text)).toBe(expected);
  });

  test('makes the frontmatter where there is none', () => {
    const id = deriveId('personal/notes/a.md', 'Use pnpm.');
    expect(adopt('Use pnpm.')).toBe(`---\nid: "${id}"\nsource: hand\ncreated: "2026-02-03T04:05:06Z"\n---\nUse pnpm.`);
  });

  test('gives the very bytes back where nothing is missing', () => {
    const bytes = Buffer.from(printed);
    const adopted = adoptItemFile({ path: PATH, bytes, now });
    expect(adopted.ok && adopted.value).toBe(bytes);
  });

  test('keeps a foreign id and source under other names, as they are written', () => {
    expect(adopt('---\nid: 42 # old\nsource:\n  - "[[Book]]"\ncreated: 2024-01-05\n---\nText.')).toBe(
      `---\noriginal_id: 42 # old\noriginal_source:\n  - "[[Book]]"\ncreated: 2024-01-05\nid: "${deriveId('personal/notes/a.md', 'Text.')}"\nsource: hand\n---\nText.`,
    );
  });

  test('takes a further name where that one is taken', () => {
    const text = adopt('---\nid: a\noriginal_id: b\noriginal_id_2: c\n---\nText.');
    expect(text).toContain('---\noriginal_id_3: a\noriginal_id: b\noriginal_id_2: c\nid: "');
  });

  test('rewrites the key of a personal item that was dragged into a space', () => {
    const text = printed.replace('space: acme', 'space: personal # everywhere');
    expect(adopt(text, PATH)).toBe(printed.replace('space: acme', 'space: acme # everywhere'));
  });

  test('gives back from HEAD what an editor’s stale buffer dropped', () => {
    expect(adopt(`${item.text}\n`, PATH, { headItem: item })).toBe(printed);
    const byHand = { ...item, kind: 'fact', source: 'hand', space: null, supersedes: [] } as const;
    expect(adopt('Text.', 'personal/a.md', { headItem: byHand })).toBe(
      '---\nid: "k3v9q2m7"\nsource: hand\ncreated: "2026-09-15T10:31:04Z"\n---\nText.',
    );
    expect(adopt('---\nkind: plan\n---\nText.', PATH, { headItem: item })).toBe(
      '---\nkind: plan\nid: "k3v9q2m7"\nsource: hand\ncreated: "2026-09-15T10:31:04Z"\n---\nText.',
    );
  });

  test('says who stored it, where it is told and the file does not say', () => {
    expect(adopt('Text.', 'personal/a.md', { source: 'import' })).toContain('\nsource: import\n');
    expect(adopt('---\nsource: Ann\n---\nText.', 'personal/a.md', { source: 'import' })).toContain('\nsource: Ann\n');
  });

  test('of an imported note, keys that mean something else are its own', () => {
    const note = '---\nkind: meeting\nspace: Office 3\nuntil: noon\nsupersedes: ADR-1\n---\nText.';
    expect(adopt(note)).toContain('is not a kind');
    expect(adopt(note, 'personal/notes/a.md', { imported: true })).toMatch(
      /^---\noriginal_kind: meeting\noriginal_space: Office 3\noriginal_until: noon\noriginal_supersedes: ADR-1\nid: /,
    );
  });
});
