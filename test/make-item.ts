// Items for tests: what is not said is plain.

import type { ItemFile } from '../src/memory/item-file.ts';
import type { Item } from '../src/memory/item.ts';
import type { TableChange } from '../src/memory/item-table.ts';

export function makeItem(given: Partial<Item> & { id: string }): Item {
  const text = given.text ?? `Statement of ${given.id}.`;
  return {
    kind: 'fact',
    space: null,
    source: 'Claude Code',
    created: '2026-09-15T10:31:04Z',
    supersedes: [],
    tags: [],
    text,
    statement: text,
    ...given,
  };
}

/** The change by which the table learns of an item; its path follows from its space and id. */
export function makeChange(item: Item, given: { path?: string; committed?: boolean } = {}): TableChange {
  const folder = item.space === null ? 'personal' : `spaces/${item.space}`;
  const file: ItemFile = { item, missing: [], narrows: false, hasFrontmatter: true, title: null };
  return {
    kind: 'item',
    path: given.path ?? `${folder}/${item.id}.md`,
    file,
    committed: given.committed ?? true,
  };
}
