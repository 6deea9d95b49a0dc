// Changes to the memory's own YAML files: read, edited as text with everything else kept, written, committed.

import { StetError } from '../memory/failure.ts';
import type { Parsed } from '../memory/item.ts';
import type { Transaction } from '../repo/repository.ts';
import { isBlank } from '../memory/yaml-text.ts';
import { readItemFile } from '../repo/working-tree.ts';
import type { Memory } from './memory.ts';

/**
 * The file's text, empty when there never was one. Throws `file-system` or `bad-file` when it cannot be read, and when it is
 * missing or empty though HEAD has more: a new one in its place would drop all that it says.
 */
async function readYamlFile(memory: Memory, path: string): Promise<string> {
  const result = readItemFile(memory.repository.root, path);
  switch (result.status) {
    case 'read': {
      const text = result.bytes.toString('utf8');
      const head = isBlank(text) ? await memory.repository.readHead(path) : null;
      if (head !== null && !isBlank(new TextDecoder().decode(head))) throw dropped(path, 'empty');
      return text;
    }
    case 'gone':
      if ((await memory.repository.readHead(path)) === null) return '';
      throw dropped(path, 'missing');
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

function dropped(path: string, what: 'empty' | 'missing'): StetError {
  return new StetError({
    code: 'bad-file',
    path,
    line: 1,
    reason: `it is ${what}, and the last commit has it`,
    hint: `Bring it back with \`git checkout -- ${path}\` in the memory's folder. Nothing was changed.`,
  });
}

export interface YamlEdit {
  readonly path: string;
  /** What the user gave that this edit is about. */
  readonly argument: string;
  readonly edit: (text: string) => Parsed<string>;
}

/**
 * Writes the edited texts where they differ, and returns the paths of those. All are edited before one is written: an
 * edit that is refused changes no file. Throws `bad-argument` when one was.
 */
export async function editYamlFiles(
  memory: Memory,
  transaction: Transaction,
  edits: readonly YamlEdit[],
): Promise<ReadonlySet<string>> {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const before = await readYamlFile(memory, edit.path);
    const after = editedText(edit, before);
    if (after !== before) texts.set(edit.path, after);
  }
  for (const [path, text] of texts) await transaction.writeFile(path, new TextEncoder().encode(text));
  return new Set(texts.keys());
}

function editedText({ path, argument, edit }: YamlEdit, text: string): string {
  const edited = edit(text);
  if (edited.ok) return edited.value;
  const [problem] = edited.problems;
  throw new StetError({
    code: 'bad-argument',
    argument,
    reason: `${path}:${problem?.line ?? 1}: ${(problem?.message ?? 'it cannot be used').replace(/\.$/, '')}`,
    hint: 'Nothing was changed.',
  });
}
