import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { newId } from './id.ts';
import { parseTombstone, printTombstone, tombstonedId, tombstonePath } from './tombstone.ts';

const tombstone = {
  id: 'k3v9q2m7',
  space: 'acme',
  supersedes: ['h7wq2c9d'],
  forgotten: '2026-09-15T10:31:04Z',
  by: 'Claude Code',
};
const text = `id: "k3v9q2m7"
space: acme
supersedes: "h7wq2c9d"
forgotten: "2026-09-15T10:31:04Z"
by: Claude Code
`;
const parse = (content: string, path = 'forgotten/k3v9q2m7.yaml') =>
  parseTombstone({ path, bytes: Buffer.from(content) });

test('is printed with its id, links, time and author', () => {
  expect(tombstonePath('k3v9q2m7')).toBe('forgotten/k3v9q2m7.yaml');
  expect(printTombstone(tombstone)).toBe(text);
  expect(printTombstone({ ...tombstone, space: null, supersedes: [] })).toBe(
    'id: "k3v9q2m7"\nforgotten: "2026-09-15T10:31:04Z"\nby: Claude Code\n',
  );
});

test('is read back as it was printed', () => {
  const id = fc.constant(null).map(newId);
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).map((part) => `a${part}z`.normalize('NFC'));
  const tombstones = fc.record({
    id,
    space: fc.option(name),
    supersedes: fc.uniqueArray(id, { maxLength: 3 }),
    forgotten: fc.constant('2026-09-15T10:31:04Z'),
    by: name,
  });
  fc.assert(
    fc.property(tombstones, (value) => {
      expect(parse(printTombstone(value), tombstonePath(value.id))).toEqual({ ok: true, value });
    }),
  );
});

test('survives an editor: BOM, CRLF, comments, further keys', () => {
  const edited = `\uFEFF# gone\n${text}reason: asked to\n`.replaceAll('\n', '\r\n');
  expect(parse(edited)).toEqual({ ok: true, value: tombstone });
});

describe('is refused', () => {
  test.each([
    ['no id', text.replace(/^id.*\n/, ''), 1, /`id` is missing/],
    ['another id than the name', text.replace('k3v9q2m7', 'z0000000'), 1, /"z0000000", but the file is named/],
    ['no time', text.replace(/forgotten.*\n/, ''), 1, /`forgotten` is missing/],
    ['no author', text.replace(/by.*\n/, ''), 1, /`by` is missing/],
    ['a link that is no id', text.replace('h7wq2c9d', 'Auth0'), 3, /names "Auth0"/],
    ['two spaces', text.replace('acme', '[a, b]'), 2, /`space` must be/],
    ['broken YAML', 'id: "k3v9q2m7\n', 2, /Missing closing/],
    ['a list', '- a\n', 1, /no keys/],
    ['nothing', '', 1, /empty/],
    ['too much in one line', `${text}x: ${'y'.repeat(33_000)}\n`, 1, /larger than 32 KB/],
    ['too many lines', text + '#\n'.repeat(1_000), 1, /1000 lines/],
  ])('with %s', (_, content, line, message) => {
    const parsed = parse(content);
    expect(parsed.ok ? null : parsed.problems[0]).toEqual({ line, message: expect.stringMatching(message) });
  });

  test('at a path that is no tombstone', () => {
    expect(parse(text, 'forgotten/notes.yaml')).toMatchObject({ ok: false });
  });
});

test.each([
  ['forgotten/k3v9q2m7.yaml', 'k3v9q2m7'],
  ['forgotten/k3v9q2m7.yml', null],
  ['forgotten/2026/k3v9q2m7.yaml', null],
  ['forgotten/K3V9Q2M7.yaml', null],
  ['personal/k3v9q2m7.yaml', null],
])('the path %s names %j, whatever is in the file', (path, id) => expect(tombstonedId(path)).toBe(id));
