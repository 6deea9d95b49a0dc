// Where on disk something of the memory is: an item's file, a space's folder, the memory itself.

import { join, sep } from 'node:path';
import { isId } from '../memory/id.ts';
import { editableFile } from './item-edit.ts';
import { knownSpace } from './list-items.ts';
import type { Memory } from './memory.ts';

/** Absolute path of an item's file by its id or path, of a space's folder by its name, of the memory by nothing. */
export async function placeOnDisk(memory: Memory, what: string | undefined): Promise<string> {
  await memory.refresh();
  const { root } = memory.repository;
  if (what === undefined) return root;
  const isSpace = memory.config.findSpace(what) !== null;
  const isFile = isId(what) || what.includes('/') || what.includes(sep);
  if (isFile && !isSpace) return join(root, ...(await editableFile(memory, what)).path.split('/'));
  const space = knownSpace(memory, what);
  return space === null ? join(root, 'personal') : join(root, 'spaces', space);
}
