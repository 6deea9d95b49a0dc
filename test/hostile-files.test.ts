// Every file of test/fixtures/hostile with its one right outcome. What needs bytes or sizes that no fixture should have is
// built here.
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { adoptItemFile, parseItemFile } from '../src/memory/item-file.ts';
import type { Item } from '../src/memory/item.ts';

interface Quarantined {
  /** The line that the first problem names. */
  readonly line: number;
  readonly problem: RegExp;
}

interface Accepted {
  readonly item: Partial<Item>;
  /** Keys that adoption adds; all three unless said. */
  readonly missing?: readonly string[];
  /** `spaces/acme/<fixture>` unless said. */
  readonly path?: string;
  readonly narrows?: true;
}

const FOLDER = new URL('fixtures/hostile/', import.meta.url);
const modified = new Date('2026-01-02T03:04:05Z');
const ALL = ['id', 'created', 'source'];
const STATEMENT = 'Acme signs users in with Auth0.';

/** What the fixtures say that have stet's keys whole. */
const WHOLE: Accepted = {
  item: {
    id: 'k3v9q2m7',
    kind: 'decision',
    space: 'acme',
    source: 'Claude Code',
    created: '2026-09-15T10:31:04Z',
    statement: STATEMENT,
  },
  missing: [],
};
const ONLY_ID: Accepted = {
  item: { id: 'k3v9q2m7', kind: 'fact', statement: STATEMENT },
  missing: ['created', 'source'],
};
const NO_KEYS: Accepted = { item: { kind: 'fact', source: 'hand', tags: [], supersedes: [], statement: STATEMENT } };
const NOT_UTF8 = /Not UTF-8/;
const NO_TEXT = /No text/;
const UNCLOSED = /never closed/;
const CONFLICT = /conflict marker/;
const LANGUAGE = /Frontmatter in ".*" is not read/;
const NESTED = /needs quotes around it/;

const OUTCOMES: Readonly<Record<string, Quarantined | Accepted>> = {
  // Encodings and line ends.
  'bom.md': WHOLE,
  'bom-body-only.md': NO_KEYS,
  'crlf.md': WHOLE,
  'lone-cr.md': { ...WHOLE, item: { ...WHOLE.item, text: 'Acme signs users in\nwith Auth0.' } },
  'mixed-line-ends.md': { ...WHOLE, item: { ...WHOLE.item, kind: 'fact', text: 'Acme signs users in\nwith Auth0.' } },
  'no-final-newline.md': WHOLE,
  'latin-1.md': { line: 4, problem: NOT_UTF8 },
  'utf-16-le.md': { line: 1, problem: /UTF-16/ },
  'utf-16-be.md': { line: 1, problem: /UTF-16/ },
  'utf-16-without-bom.md': { line: 1, problem: /NUL byte/ },
  'overlong-utf-8.md': { line: 2, problem: NOT_UTF8 },
  'surrogate-utf-8.md': { line: 1, problem: NOT_UTF8 },

  // Nothing to remember, and only a body.
  'zero-bytes.md': { line: 1, problem: /empty/ },
  'blank.md': { line: 1, problem: NO_TEXT },
  'invisible.md': { line: 1, problem: NO_TEXT },
  'dashes-only.md': { line: 1, problem: NO_TEXT },
  'frontmatter-only.md': { line: 8, problem: NO_TEXT },
  'frontmatter-only-unterminated.md': { line: 8, problem: NO_TEXT },
  'body-only.md': NO_KEYS,
  'headings-only.md': { item: { statement: 'Sign-in' } },

  // Lines of dashes.
  'unclosed.md': { line: 1, problem: UNCLOSED },
  'unclosed-with-rule-look.md': { line: 1, problem: UNCLOSED },
  'closed-by-dots.md': { line: 1, problem: UNCLOSED },
  'closed-by-four-dashes.md': { line: 7, problem: /begins with `---` but goes on/ },
  'two-documents.md': { line: 3, problem: /begins with `---` but goes on/ },
  'trailing-blanks.md': WHOLE,
  'rules-in-body.md': WHOLE,
  'two-blocks.md': WHOLE,
  'frontmatter-in-code-block.md': { item: { space: 'acme', statement: 'Our notes begin like this:' } },
  'rule-first.md': { item: { statement: 'Prose between two rules.' } },
  'rule-first-alone.md': { item: { statement: 'Prose behind a rule.' } },
  'list-between-rules.md': { item: { statement: 'milk' } },
  'four-dashes-first.md': { item: { statement: '---- not frontmatter ----' } },
  'prose-behind-dashes.md': { item: { statement: '--- a scene ---' } },
  'empty-block.md': NO_KEYS,
  'comment-block.md': NO_KEYS,
  'setext-heading.md': NO_KEYS,

  // Frontmatter in other languages: gray-matter would evaluate some of them.
  'engine-js.md': { line: 1, problem: LANGUAGE },
  'engine-js-behind-blank.md': { line: 1, problem: LANGUAGE },
  'engine-js-unclosed.md': { line: 1, problem: LANGUAGE },
  'engine-json.md': { line: 1, problem: LANGUAGE },
  'engine-coffee.md': { line: 1, problem: LANGUAGE },
  'engine-constructor.md': { line: 1, problem: LANGUAGE },
  'engine-proto.md': { line: 1, problem: LANGUAGE },
  'engine-tostring.md': { line: 1, problem: LANGUAGE },
  'engine-hasownproperty.md': { line: 1, problem: LANGUAGE },
  'engine-yaml.md': WHOLE,
  'toml.md': { line: 1, problem: /TOML/ },

  // YAML.
  'tabs.md': { line: 3, problem: /Tabs are not allowed/ },
  'tab-before-key.md': { line: 3, problem: /Tabs are not allowed/ },
  'tabs-between.md': ONLY_ID,
  'duplicate-keys.md': { line: 7, problem: /"space" is here twice \(first in line 4\)/ },
  'duplicate-user-keys.md': { line: 4, problem: /"x" is here twice \(first in line 2\)/ },
  'colon-in-value.md': { line: 2, problem: NESTED },
  'colon-in-value-behind-key-with-blank.md': { line: 2, problem: NESTED },
  'unclosed-quote.md': { line: 4, problem: /Missing closing "quote/ },
  'directive.md': { line: 3, problem: /Missing directives-end/ },
  'globs.md': NO_KEYS,
  'yaml-1-1.md': {
    item: {
      tags: 'yes no on off 1e5 0x1f 007 0o17 12:30 2026-05-26 1_000 .inf null true'.split(' '),
    },
  },
  'anchors.md': NO_KEYS,
  'anchored-id.md': ONLY_ID,
  'alias-as-space.md': { line: 3, problem: /`space` must be the name of one space/ },
  'billion-laughs.md': NO_KEYS,
  'js-function-tag.md': NO_KEYS,
  'tagged-kind.md': { line: 2, problem: /`kind` must be one of/ },
  'tagged-str-id.md': ONLY_ID,
  'merge-key.md': NO_KEYS,
  'prototype-keys.md': NO_KEYS,
  'flow.md': { ...ONLY_ID, item: { ...ONLY_ID.item, tags: ['a', 'b'] } },
  'flow-json.md': ONLY_ID,
  'indented-keys.md': ONLY_ID,
  'explicit-keys.md': ONLY_ID,
  'block-scalars.md': { ...ONLY_ID, item: { ...ONLY_ID.item, target: 'https://example.com/wiki' } },
  'comments.md': ONLY_ID,

  // stet's keys.
  'id-upper-case.md': NO_KEYS,
  'id-list.md': NO_KEYS,
  'kind-unknown.md': { line: 3, problem: /"instuction" is not a kind/ },
  'kind-list.md': { line: 2, problem: /`kind` must be one of/ },
  'space-other.md': { line: 2, problem: /`space: other` disagrees with the folder, which is the space acme/ },
  'space-personal.md': { ...ONLY_ID, narrows: true, item: { ...ONLY_ID.item, space: 'acme' } },
  'space-nfd.md': { ...NO_KEYS, path: 'spaces/caf\u00e9/space-nfd.md', item: { space: 'caf\u00e9' } },
  'space-list.md': { line: 2, problem: /`space` must be the name of one space/ },
  'until-word.md': { line: 2, problem: /`until` is not a day \("next friday"\)/ },
  'until-impossible.md': { line: 2, problem: /`until` is not a day \("2026-02-30"\)/ },
  'until-time.md': { line: 2, problem: /`until` is not a day/ },
  'as-of-month.md': { line: 2, problem: /`as_of` is not a day \("2026-06"\)/ },
  'days.md': { item: { until: '2026-06-30', asOf: '2028-02-29' } },
  'created-with-zone.md': { item: { created: '2026-05-26T09:00:00+02:00' }, missing: ['id', 'source'] },
  'created-without-zone.md': { item: { created: '2026-05-26 09:00' }, missing: ['id', 'source'] },
  'created-in-future.md': { item: { created: '2999-01-01' }, missing: ['id', 'source'] },
  'created-map.md': { item: { created: '2026-01-02T03:04:05Z' } },
  // Which links hold is for the rules to say: a cycle, and this is one, is ignored there.
  'supersedes-itself.md': { ...ONLY_ID, item: { supersedes: ['k3v9q2m7'] } },
  'supersedes-holes.md': { item: { supersedes: ['h7wq2c9d', 'z0000000'] } },
  'supersedes-title.md': { line: 2, problem: /`supersedes` names "ADR-0012"/ },
  'supersedes-nested.md': { line: 2, problem: /`supersedes` must be an id or a list of ids/ },
  'target-list.md': { line: 2, problem: /`target` must be an address/ },
  'target-two-lines.md': { line: 2, problem: /`target` must be an address on one line/ },
  'origin-map.md': { line: 2, problem: /`origin` must be a reference/ },
  'many-problems.md': { line: 2, problem: /"nonsense" is not a kind/ },
  'empty-values.md': { item: { kind: 'fact', space: 'acme', source: 'hand', created: '2026-01-02T03:04:05Z' } },

  // Merges.
  'conflict-in-body.md': { line: 8, problem: CONFLICT },
  'conflict-in-frontmatter.md': { line: 3, problem: CONFLICT },
  'conflict-whole-file.md': { line: 1, problem: CONFLICT },
  'conflict-crlf.md': { line: 9, problem: CONFLICT },
  'conflict-half-resolved.md': { line: 9, problem: CONFLICT },
  'conflict-around-fence.md': { line: 10, problem: CONFLICT },
  'conflict-shown-in-code.md': { ...WHOLE, item: { ...WHOLE.item, statement: 'Markers look like this:' } },

  // Notes from elsewhere.
  'obsidian.md': {
    item: {
      source: '[[Handbook]]',
      created: '2024-01-05T09:12',
      tags: ['auth', '"identity provider"'],
      statement: 'Acme signs users in with [[Auth0|the vendor]]. ^ref1',
    },
    missing: ['id'],
  },
  'obsidian-template.md': {
    item: { source: '<% tp.file.title %>', tags: [], created: '2026-01-02T03:04:05Z' },
    missing: ['id', 'created'],
  },
  'obsidian-list-source.md': { item: { source: 'hand', statement: 'From two places.' } },
  'basic-memory.md': {
    item: {
      tags: ['auth', 'decisions'],
      statement: 'Observations: [decision] Acme signs users in with Auth0 #auth',
    },
  },
  'own-original-keys.md': { item: { statement: 'Kept twice.' } },
};

const isAccepted = (outcome: Quarantined | Accepted): outcome is Accepted => 'item' in outcome;
const names = Object.keys(OUTCOMES);
const accepted = Object.entries(OUTCOMES).flatMap(([name, outcome]) =>
  isAccepted(outcome) ? [{ name, path: `spaces/acme/${name}`, missing: ALL, ...outcome }] : [],
);
const quarantined = Object.entries(OUTCOMES).flatMap(([name, outcome]) =>
  isAccepted(outcome) ? [] : [{ name, ...outcome }],
);
const bytesOf = (name: string): Buffer => readFileSync(new URL(name, FOLDER));

test('every hostile fixture has its outcome', () => {
  expect(names.toSorted()).toEqual(readdirSync(FOLDER).toSorted());
});

describe('quarantined', () => {
  test.each(quarantined)('$name: $problem', ({ name, line, problem }) => {
    const file = { path: `spaces/acme/${name}`, bytes: bytesOf(name), modified, now: modified };
    const parsed = parseItemFile(file);
    expect(parsed.ok ? null : parsed.problems[0]).toEqual({ line, message: expect.stringMatching(problem) });
    expect(adoptItemFile(file), 'adoption refuses what parsing refuses').toEqual(parsed);
    expect(globalThis, 'nothing was executed').not.toHaveProperty('pwned');
  });

  test('a file with several problems tells them all, by line', () => {
    const bytes = bytesOf('many-problems.md');
    const parsed = parseItemFile({ path: 'spaces/acme/many-problems.md', bytes, modified });
    expect(!parsed.ok && parsed.problems.map(({ line }) => line)).toEqual([2, 3, 4, 6]);
  });
});

describe('accepted', () => {
  test.each(accepted)('$name', ({ name, path, item, missing, narrows }) => {
    const parsed = parseItemFile({ path, bytes: bytesOf(name), modified });
    expect(parsed).toMatchObject({ ok: true, value: { item, missing, narrows: narrows ?? false } });
    expect(globalThis, 'nothing was executed').not.toHaveProperty('pwned');
  });

  test.each(accepted)('$name is adopted once, and nothing in it is lost', ({ name, path, missing, narrows }) => {
    const before = bytesOf(name);
    const adopted = adopt(path, before);
    expect(isSubsequence(dropReplaced(before), adopted)).toBe(true);
    expect(adopted.equals(before)).toBe(missing.length === 0 && narrows !== true);
    expect(adopt(path, adopted).equals(adopted)).toBe(true);

    const [first, second] = [before, adopted].map((bytes) => parseItemFile({ path, bytes, modified }));
    expect(second).toMatchObject({ ok: true, value: { missing: [], narrows: false } });
    expect(second?.ok && second.value.item).toEqual(first?.ok && first.value.item);
  });
});

describe('built here, for their size or their bytes', () => {
  const parse = (text: string | Uint8Array) =>
    parseItemFile({ path: 'personal/a.md', bytes: typeof text === 'string' ? Buffer.from(text) : text, modified });
  const problem = (line: number, message: RegExp) => ({
    ok: false,
    problems: [{ line, message: expect.stringMatching(message) }],
  });

  test('a NUL byte', () => {
    expect(parse('One.\nTwo \0 three.\n')).toMatchObject(problem(2, /NUL byte/));
    expect(parse('One.\r\0')).toMatchObject(problem(2, /NUL byte/));
  });

  test('5 MB, and the last byte over 1 MB', () => {
    expect(parse(Buffer.alloc(5_000_000, 'a'))).toMatchObject(problem(1, /5\.0 MB/));
    expect(parse(Buffer.alloc(1_000_001, 'a'))).toMatchObject(problem(1, /1 MB at most/));
    expect(parse(Buffer.alloc(1_000_000, 'a'))).toMatchObject({ ok: true });
  });

  const pad = 'x'.repeat(900_000);
  test.each([
    ['1 MB in one value', `---\nkind: plan\nx: ${pad}\n---\nText.\n`, 1, /larger than 32 KB/],
    ['1 MB of keys', `---\n${'x: y\n'.repeat(180_000)}---\nText.\n`, 1, /larger than 32 KB or 1000 lines/],
    ['1 MB of blank lines behind a key', `---\nx: y\n${'\n'.repeat(900_000)}---\nText.\n`, 1, /1000 lines/],
    ['1 MB without an end', `---\nx: ${pad}\n`, 1, UNCLOSED],
    ['many lines of comment', `---\nx: y\n${'# c\n'.repeat(1_001)}---\nText.\n`, 1, /1000 lines/],
    ['nested lists', `---\nx: ${'['.repeat(15_000)}${']'.repeat(15_000)}\n---\nText.\n`, 2, /nested deeper/],
    ['nested mappings', `---\nx: ${'{a: '.repeat(40)}b${'}'.repeat(40)}\n---\nText.\n`, 2, /nested deeper/],
    ['nested compact lists', `---\nx:\n ${'- '.repeat(10_000)}a\n---\nText.\n`, 3, /nested deeper/],
    ['nested compact keys', `---\n${'? '.repeat(10_000)}a\n---\nText.\n`, 2, /nested deeper/],
    [
      'nested by indentation',
      `---\n${Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')}---\nText.\n`,
      34,
      /nested deeper/,
    ],
  ])('frontmatter: %s', (_, text, line, message) => {
    expect(parse(text)).toMatchObject(problem(line, message));
  });

  test('frontmatter within the limits is fine, wide or deep', () => {
    const wide = Array.from({ length: 990 }, (_, n) => `k${n}: ${n}\n`).join('');
    expect(parse(`---\n${wide}---\nText.\n`)).toMatchObject({ ok: true });
    expect(parse(`---\nx: ${'['.repeat(31)}${']'.repeat(31)}\n---\nText.\n`)).toMatchObject({ ok: true });
  });

  const words = ['1e5', '0x1f', '007', '12:30', '2026-05-26', "'001999'", 'yes', 'no', 'on', 'true'];

  test.each(words)('%s as id, source, date and tag is the text that the file shows', (word) => {
    const shown = word.replaceAll("'", '');
    const text = `---\nid: ${word}\nsource: ${word}\ntags: [${word}]\ncreated: ${word}\n---\nText.\n`;
    expect(parse(text)).toMatchObject({
      ok: true,
      value: { item: { source: shown, tags: [shown], created: shown }, missing: ['id'] },
    });
    expect(adopt('personal/a.md', Buffer.from(text)).toString()).toContain(`original_id: ${word}\n`);
  });

  test.each(words.filter((word) => !word.includes(':')))('%s as space is the folder of that name', (word) => {
    const shown = word.replaceAll("'", '');
    const bytes = Buffer.from(`---\nspace: ${word}\n---\nText.\n`);
    expect(parseItemFile({ path: `spaces/${shown}/a.md`, bytes, modified })).toMatchObject({
      ok: true,
      value: { item: { space: shown } },
    });
  });

  test.each(['personal', 'Personal', '*', 'a b', 'con'])('a folder spaces/%s is no space', (name) => {
    const parsed = parseItemFile({ path: `spaces/${name}/a.md`, bytes: Buffer.from('Text.'), modified });
    expect(parsed).toMatchObject(problem(1, /The folder is no space's/));
  });

  test('a path that is no item is refused', () => {
    const bytes = Buffer.from('Text.');
    expect(parseItemFile({ path: 'README.md', bytes, modified })).toMatchObject(problem(1, /Not an item/));
  });
});

function adopt(path: string, bytes: Uint8Array): Buffer {
  const adopted = adoptItemFile({ path, bytes, now: modified });
  expect(adopted).toMatchObject({ ok: true });
  return Buffer.from(adopted.ok ? adopted.value : []);
}

/** The two values that adoption replaces rather than adds to: a blank source, and `personal` where an item narrows. */
function dropReplaced(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace('""', '').replace('space: personal', 'space: '), 'latin1');
}

function isSubsequence(part: Buffer, whole: Buffer): boolean {
  let at = 0;
  for (const byte of whole) if (byte === part[at]) at++;
  return at === part.length;
}
