// Naming spaces. The remote goes into spaces.yaml, which every machine shares; the folder into machine.yaml.

import { StetError } from '../memory/failure.ts';
import type { Parsed } from '../memory/item.ts';
import { setFolder } from '../memory/machine-file.ts';
import { checkSpaceName } from '../memory/space-name.ts';
import { addSpace, addSpaceRemote } from '../memory/spaces-file.ts';
import { resolveFolder } from '../repo/project-folder.ts';
import { readItemFile } from '../repo/working-tree.ts';
import type { Transaction } from '../repo/repository.ts';
import { subjectLine } from './commit-message.ts';
import type { Memory } from './memory.ts';

export interface AddSpaceRequest {
  readonly name: string;
  /** Absolute path of a project folder on this machine. */
  readonly folder?: string;
  readonly remote?: string;
}

export interface AddedSpace {
  /** The name as it is kept, NFC. */
  readonly name: string;
  readonly created: boolean;
}

export async function addSpaceTo(memory: Memory, request: AddSpaceRequest): Promise<AddedSpace> {
  const checked = checkSpaceName(request.name);
  if (!checked.ok) throw badArgument('NAME', checked.reason, 'Choose another name.');
  const folder = request.folder === undefined ? null : resolveFolder(request.folder);
  if (request.folder !== undefined && folder === null) {
    throw badArgument('--folder', `there is no folder ${request.folder}`, 'Name a folder that exists.');
  }
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const known = memory.config.findSpace(checked.name);
    const name = known ?? checked.name;
    const before = readYaml(memory, 'spaces.yaml');
    let after = known === null ? accept('NAME', addSpace(before, name)) : before;
    const remote = request.remote === undefined ? null : withoutCredentials(request.remote);
    if (remote !== null) after = accept('--remote', addSpaceRemote(after, name, remote));
    if (after !== before) {
      await transaction.writeFile('spaces.yaml', encode(after));
      await transaction.commit(['spaces.yaml'], {
        subject: subjectLine('space', known === null ? `add ${name}` : `${name} has the remote ${remote ?? ''}`),
        trailers: [['Stet-Space', name]],
        author: null,
      });
    }
    if (folder !== null) await mapFolder(memory, transaction, folder, name);
    await memory.take(['spaces.yaml', 'machine.yaml']);
    return { name, created: known === null };
  });
}

/** A password or token in an address would be committed and shared. */
function withoutCredentials(remote: string): string {
  return remote.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^@/]*:[^@/]*@/i, '$1');
}

/** machine.yaml is ignored by git, so it is written and never committed. */
async function mapFolder(memory: Memory, transaction: Transaction, folder: string, name: string): Promise<void> {
  const text = accept('--folder', setFolder(readYaml(memory, 'machine.yaml'), folder, name));
  await transaction.writeFile('machine.yaml', encode(text));
}

function readYaml(memory: Memory, path: string): string {
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

function accept(argument: string, parsed: Parsed<string>): string {
  if (parsed.ok) return parsed.value;
  const [problem] = parsed.problems;
  throw badArgument(argument, (problem?.message ?? 'it cannot be used').replace(/\.$/, ''), 'Nothing was changed.');
}

function badArgument(argument: string, reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument, reason, hint });
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
