// The names that a shell can complete, read from folders and file heads alone: it must not take longer than a key press.
// Whatever cannot be read is simply not offered.

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../memory/id.ts';
import { idInPath, placeOf } from '../memory/item-path.ts';
import { parseSpaces } from '../memory/spaces-file.ts';
import { scanWorkingTree } from '../repo/working-tree.ts';

export interface KnownNames {
  /** `hint` tells a person which item it is: the readable part of its file's name. */
  readonly ids: ReadonlyArray<{ readonly id: string; readonly hint: string }>;
  /** Present names, and the folders of spaces that nothing names. */
  readonly spaces: readonly string[];
}

/** stet's own names carry the id; of others so many are opened to look. */
const MOST_READ = 300;
const HEAD_BYTES = 512;

export function knownNames(root: string): KnownNames {
  const ids: Array<{ id: string; hint: string }> = [];
  const spaces = new Set(spacesOf(root));
  let read = 0;
  for (const path of scanWorkingTree(root, ['personal', 'spaces']).files.keys()) {
    const space = placeOf(path)?.space ?? null;
    if (space !== null) spaces.add(space);
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
    const named = idInPath(path);
    if (named === null && read >= MOST_READ) continue;
    if (named === null) read += 1;
    const id = named ?? idInHead(join(root, path));
    if (id !== null) ids.push({ id, hint: name.replace(new RegExp(`\\.${id}$`), '').replaceAll('-', ' ') });
  }
  return { ids, spaces: [...spaces].sort() };
}

function spacesOf(root: string): readonly string[] {
  try {
    const parsed = parseSpaces(readFileSync(join(root, 'spaces.yaml'), 'utf8'));
    return parsed.ok ? parsed.value.entries.map(({ name }) => name) : [];
  } catch {
    return [];
  }
}

/** The id of a file that a person named. */
function idInHead(file: string): string | null {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const length = readSync(descriptor, head, 0, HEAD_BYTES, 0);
      const id = /^id:\s*"?([0-9a-z]{8})"?\s*$/m.exec(head.toString('utf8', 0, length))?.[1];
      return id !== undefined && isId(id) ? id : null;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
