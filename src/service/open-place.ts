// Where on disk something of the memory is: an item's file, a space's folder, the memory itself.

import { join, posix, sep } from 'node:path';
import { isId } from '../memory/id.ts';
import { tombstonedId } from '../memory/tombstone.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { givenPath } from './given-path.ts';
import { findFile } from './item-edit.ts';
import { knownSpace } from './list-items.ts';
import type { Memory } from './memory.ts';

/**
 * Absolute path of an item's file by its id or path, of a space's folder by its name, of the memory by nothing. Of what is no
 * ordinary file, such as a link, it is the folder that it is in: what a link leads to may be anything.
 */
export async function placeOnDisk(memory: Memory, what: string | undefined): Promise<string> {
  await memory.refresh();
  const { root } = memory.repository;
  if (what === undefined) return root;
  const isSpace = memory.config.findSpace(what) !== null;
  const isFile = isId(what) || what.includes('/') || what.includes(sep);
  if (isFile && !isSpace) {
    const path = brokenTombstone(memory, what) ?? findFile(memory, what).path;
    const isOrdinary = readItemFile(root, path).status !== 'not-a-regular-file';
    return join(root, ...(isOrdinary ? path : posix.dirname(path)).split('/'));
  }
  const space = knownSpace(memory, what);
  return space === null ? join(root, 'personal') : join(root, 'spaces', space);
}

function brokenTombstone({ table, repository }: Memory, what: string): string | null {
  const path = givenPath(repository.root, what);
  return tombstonedId(path) !== null && table.quarantined().some((each) => each.path === path) ? path : null;
}
