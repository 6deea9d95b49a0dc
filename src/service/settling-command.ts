// The one command that makes a file in quarantine usable again, or shows it where only a person does. Never one that destroys:
// which of two files goes is for the user to say.

import { idInPath } from '../memory/item-path.ts';
import { tombstonedId } from '../memory/tombstone.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { shellWord } from './given-path.ts';
import type { Memory } from './memory.ts';

/** Null where the file cannot be read, or is gone by now. */
export async function settlingCommand(memory: Memory, path: string): Promise<string | null> {
  const { table } = memory;
  const word = shellWord(path);
  if (tombstonedId(path) !== null) {
    return (await memory.readAtHead(path)) === null ? `stet open ${word}` : `git checkout -- ${word}`;
  }
  const { status } = readItemFile(memory.repository.root, path);
  // A link, a folder, or too much of a file: no editor can be given it, and nothing else settles it where it stands.
  if (status === 'not-a-regular-file' || status === 'too-large') return `stet open ${word}`;
  const entry = table.at(path);
  if (entry?.kind === 'item') {
    const { id } = entry.file.item;
    return table.isForgotten(id) ? `stet restore ${id}` : `stet review accept ${word}`;
  }
  const id = idInPath(path);
  if (id !== null && table.isForgotten(id)) return `stet restore ${id}`;
  if (status !== 'read') return null;
  // With another file of the same id in use, that one would be edited.
  return id !== null && table.get(id) === undefined ? `stet edit ${id}` : `stet edit ${word}`;
}
