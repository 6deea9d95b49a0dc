// The version of an item that a merge could not put together with the other: an item of its own, which names the one that
// it conflicts with. Invariant: id, path and bytes follow from the version alone, so that every machine makes the same.
import { Buffer } from 'node:buffer';

import { editFrontmatter, readFrontmatter } from '../frontmatter.ts';
import { deriveId } from '../id.ts';
import { adoptItemFile, parseItemFile } from '../item-file.ts';
import type { Item } from '../item.ts';
import { slugOf } from '../item-path.ts';
import { mergeSets } from './three-way.ts';

export interface LosingVersion {
  readonly bytes: Uint8Array;
  /** Where that side had the item. */
  readonly path: string;
  /** The item as it stays: what this version conflicts with, and whose identity it had. */
  readonly item: Item;
}

export interface ConflictingItem {
  readonly id: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Null where the version is no item, and so cannot become one of its own. */
export function makeConflictingItem({ bytes, path, item }: LosingVersion): ConflictingItem | null {
  const madeAt = new Date(Date.parse(item.created) || 0);
  // The keys that an editor's old buffer dropped, and those that the file never had.
  const adopted = adoptItemFile({ path, bytes, headItem: item, now: madeAt });
  if (!adopted.ok) return null;
  const text = Buffer.from(adopted.value).toString('utf8');
  const read = readFrontmatter(text);
  const parsed = parseItemFile({ path, bytes: adopted.value, modified: madeAt });
  if (!read.ok || !parsed.ok) return null;
  const own = parsed.value.item;
  const id = deriveId(`${item.id} conflict`, text);
  const conflicts = mergeSets([], own.conflictsWith ?? [], [item.id]);
  const [only] = conflicts;
  const edited = editFrontmatter(text, {
    id,
    conflicts_with: conflicts.length === 1 && only !== undefined ? only : conflicts,
  });
  if (!edited.ok) return null;
  const folder = path.slice(0, path.lastIndexOf('/'));
  return { id, path: `${folder}/${slugOf(own.statement)}.${id}.md`, bytes: Buffer.from(edited.value, 'utf8') };
}
