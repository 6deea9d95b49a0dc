// Changes to the memory's own YAML files: read, edited as text with everything else kept, written, committed.

import { StetError } from '../memory/failure.ts';
import type { Parsed } from '../memory/item.ts';
import type { Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import type { Memory } from './memory.ts';

/** The file's text, empty when there is none. Throws `file-system` or `bad-file` when it cannot be read. */
export function readYamlFile(memory: Memory, path: string): string {
  const result = readItemFile(memory.repository.root, path);
  switch (result.status) {
    case 'read':
      return result.bytes.toString('utf8');
    case 'gone':
      return '';
    case 'unreadable':
      throw new StetError({ code: 'file-system', operation: 'read', path, errno: result.errno });
    case 'not-a-regular-file':
    case 'too-large':
      throw new StetError({
        code: 'bad-file',
        path,
        line: 1,
        reason: 'it is not an ordinary YAML file',
        hint: 'Restore it with `git checkout`.',
      });
  }
}

/** Writes the edited text where it differs; true when it did. Throws `bad-argument` when the edit was refused. */
export async function editYamlFile(
  memory: Memory,
  transaction: Transaction,
  change: { readonly path: string; readonly argument: string; readonly edit: (text: string) => Parsed<string> },
): Promise<boolean> {
  const before = readYamlFile(memory, change.path);
  const edited = change.edit(before);
  if (!edited.ok) {
    const [problem] = edited.problems;
    throw new StetError({
      code: 'bad-argument',
      argument: change.argument,
      reason: (problem?.message ?? 'it cannot be used').replace(/\.$/, ''),
      hint: `Nothing was changed (${change.path}).`,
    });
  }
  if (edited.value === before) return false;
  await transaction.writeFile(change.path, new TextEncoder().encode(edited.value));
  return true;
}
