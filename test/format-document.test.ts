// docs/format.md tells of every key that stet writes into a file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printItemFile } from '../src/memory/item-file.ts';
import type { Item } from '../src/memory/item.ts';
import { printTombstone, type Tombstone } from '../src/memory/tombstone.ts';
import { InProcessMemory } from './in-process-memory.ts';

const PAGE = readFileSync(new URL('../docs/format.md', import.meta.url), 'utf8');
/** What stands in the first column of the table of keys. */
const TABLE = new Set(Array.from(PAGE.matchAll(/^\| `([a-z_]+)` +\|/gm), ([, key]) => key));

/** Complete by its type: a key that is new has to be added here. */
const ITEM: Required<Item> = {
  id: 'k3v9q2m7',
  kind: 'decision',
  space: 'acme',
  source: 'Claude Code',
  created: '2026-09-15T10:31:04Z',
  supersedes: ['h7wq2c9d'],
  conflictsWith: ['b2n8r4ts'],
  until: '2026-12-31',
  asOf: '2026-09-01',
  target: 'https://example.org',
  tags: ['login'],
  origin: 'a session, turn 3',
  review: 'waiting',
  forgetRequestedBy: 'Codex',
  text: 'Acme signs users in with Auth0.',
  statement: 'Acme signs users in with Auth0.',
};

const TOMBSTONE: Required<Tombstone> = {
  id: 'k3v9q2m7',
  space: 'acme',
  supersedes: ['h7wq2c9d'],
  forgotten: '2026-09-15T10:31:04Z',
  by: 'Claude Code',
};

function keysOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/^([a-z_]+):/gm), ([, key = '']) => key);
}

it('has every key of an item in its table', () => {
  const keys = keysOf(printItemFile(ITEM));
  // What is no key is the body.
  expect(keys).toHaveLength(Object.keys(ITEM).length - 2);
  expect(keys.filter((key) => !TABLE.has(key))).toEqual([]);
});

it('has every key of a tombstone in its example', () => {
  const example = /```yaml\n(.*?)```/s.exec(PAGE)?.[1] ?? '';
  expect(keysOf(printTombstone(TOMBSTONE))).toEqual(keysOf(example));
});

it('names what an import adds', async () => {
  await using memory = await InProcessMemory.make();
  const notes = join(memory.folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'a.md'), '---\nid: 20240105\nsource: [a, b]\ncreated: [1]\n---\nTea is at four.\n');
  const importing = { paths: [notes], confirm: () => Promise.resolve(true) };
  await memory.app.importFrom({ ...importing, format: 'markdown' });
  await memory.app.importFrom({ ...importing, format: 'list', paths: [], text: 'Standups are at nine.' });
  const keys = new Set(memory.items().flatMap((path) => keysOf(memory.read(path))));
  expect([...keys].filter((key) => key.startsWith('original_')).toSorted()).toEqual([
    'original_created',
    'original_id',
    'original_path',
    'original_source',
  ]);
  expect([...keys].filter((key) => !PAGE.includes(`\`${key}\``))).toEqual([]);
});
