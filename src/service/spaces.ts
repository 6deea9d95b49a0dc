// Naming, renaming and removing spaces. The remote goes into spaces.yaml, which every machine shares; the folder into
// machine.yaml. Invariant: no step turns an item of a space into a personal one, or into another space's.

import { StetError } from '../memory/failure.ts';
import { editFrontmatter } from '../memory/frontmatter.ts';
import type { Space } from '../memory/item.ts';
import { removeFolder, renameFoldersSpace, setFolder } from '../memory/machine-file.ts';
import { renamePolicySpace } from '../memory/policies.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { checkSpaceName, sameSpaceName } from '../memory/space-name.ts';
import { addSpace, addSpaceRemote, removeSpace, renameSpace } from '../memory/spaces-file.ts';
import { printTombstone, tombstonePath } from '../memory/tombstone.ts';
import { resolveFolder } from '../repo/project-folder.ts';
import type { CommitOutcome, Transaction } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import { refuseUncommittedSecrets } from './file-secrets.ts';
import { knownSpace } from './list-items.ts';
import type { Memory } from './memory.ts';
import { editYamlFiles, type YamlEdit } from './yaml-edit.ts';

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

/** What is known of one space. */
export interface SpaceReport {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly remotes: readonly string[];
  readonly folders: readonly string[];
  readonly items: number;
}

export interface RenamedSpace {
  readonly name: string;
  readonly items: number;
  readonly commit: CommitOutcome;
}

export async function addSpaceTo(memory: Memory, request: AddSpaceRequest): Promise<AddedSpace> {
  const name = acceptName(request.name);
  const folder = request.folder === undefined ? null : resolveFolder(request.folder);
  if (request.folder !== undefined && folder === null) {
    throw badArgument('--folder', `there is no folder ${request.folder}`, 'Name a folder that exists.');
  }
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const known = memory.config.findSpace(name);
    const kept = known ?? name;
    const remote = request.remote === undefined ? null : withoutCredentials(request.remote);
    const edits: YamlEdit[] = [
      {
        path: 'spaces.yaml',
        argument: remote === null ? 'NAME' : '--remote',
        edit: (text) => {
          const added = known === null ? addSpace(text, kept) : { ok: true as const, value: text };
          return added.ok && remote !== null ? addSpaceRemote(added.value, kept, remote) : added;
        },
      },
    ];
    if (folder !== null) {
      edits.push({ path: 'machine.yaml', argument: '--folder', edit: (text) => setFolder(text, folder, kept) });
    }
    const changed = await editYamlFiles(memory, transaction, edits);
    // machine.yaml is ignored by git, so it is written and never committed.
    if (changed.has('spaces.yaml')) {
      await transaction.commit(['spaces.yaml'], {
        subject: subjectLine('space', known === null ? `add ${kept}` : `${kept} has the remote ${remote ?? ''}`),
        trailers: [['Stet-Space', kept]],
        author: null,
      });
    }
    await memory.take(['spaces.yaml', 'machine.yaml']);
    return { name: kept, created: known === null };
  });
}

/** Every space of spaces.yaml and every one that exists only as a folder with items, by name. */
export async function listSpaces(memory: Memory): Promise<readonly SpaceReport[]> {
  await memory.refresh();
  const { spaces, machine } = memory.config;
  const reports = spaces.entries.map((entry): SpaceReport => ({
    ...entry,
    folders: machine.folders.filter(({ space }) => sameSpaceName(space, entry.name)).map(({ folder }) => folder),
    items: [...memory.table.inSpaceKey(spaceKeyOf(entry.name))].length,
  }));
  const named = new Set(reports.map(({ name }) => spaceKeyOf(name)));
  for (const key of memory.table.spaceKeys()) {
    if (named.has(key) || key === spaceKeyOf(null)) continue;
    const items = [...memory.table.inSpaceKey(key)];
    reports.push({
      name: items[0]?.file.item.space ?? key,
      aliases: [],
      remotes: [],
      folders: [],
      items: items.length,
    });
  }
  return reports.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Moves a space's items and tombstones, its rules and this machine's folders to the new name, in one commit; the old
 * name stays as an alias, so what other machines still write under it comes to the same space.
 */
export async function renameSpaceTo(memory: Memory, from: string, to: string): Promise<RenamedSpace> {
  const name = acceptName(to);
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const old = namedSpace(memory, from);
    const taken = memory.config.findSpace(name);
    if (taken !== null && !sameSpaceName(taken, old)) {
      throw badArgument('NEW', `${name} is the space ${taken} already`, 'Choose another name.');
    }
    await refuseUncommittedSecrets(
      memory,
      Array.from(memory.table.inSpaceKey(spaceKeyOf(old)), ({ path }) => path),
    );
    const ensured = memory.config.findSpace(old) !== null;
    const changed = await editYamlFiles(memory, transaction, [
      {
        path: 'spaces.yaml',
        argument: 'NEW',
        edit: (text) => {
          const added = ensured ? { ok: true as const, value: text } : addSpace(text, old);
          return added.ok ? renameSpace(added.value, old, name) : added;
        },
      },
      { path: 'policies.yaml', argument: 'NEW', edit: (text) => renamePolicySpace(text, old, name) },
      { path: 'machine.yaml', argument: 'NEW', edit: (text) => renameFoldersSpace(text, old, name) },
    ]);
    const paths = [...changed].filter((path) => path !== 'machine.yaml');
    const ids: string[] = [];
    let items = 0;
    // Names that differ by case alone are one space and, on most systems but Linux, one folder: files stay where they are.
    const moves = !sameSpaceName(old, name);
    for (const { path, file } of memory.table.inSpaceKey(spaceKeyOf(old))) {
      const written = await moveToSpace(memory, transaction, path, name, moves);
      if (written.length === 0) continue;
      paths.push(...written);
      ids.push(file.item.id);
      items += file.item.space === null ? 0 : 1;
    }
    for (const tombstone of memory.table.tombstones()) {
      if (spaceKeyOf(tombstone.space) !== spaceKeyOf(old)) continue;
      const path = tombstonePath(tombstone.id);
      await transaction.writeFile(path, new TextEncoder().encode(printTombstone({ ...tombstone, space: name })));
      paths.push(path);
    }
    const message = {
      subject: subjectLine('space', `rename ${old} to ${name}`),
      trailers: [['Stet-Space', name]] as const,
      author: null,
    };
    const commit = await commitItems(memory, transaction, { ids, paths, message });
    await memory.take(['machine.yaml']);
    return { name, items, commit };
  });
}

/** Takes a space without items out of spaces.yaml and machine.yaml. Throws `bad-argument` while it has any. */
export async function removeSpaceFrom(memory: Memory, given: string): Promise<{ readonly name: string }> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const name = namedSpace(memory, given);
    const items = [...memory.table.inSpaceKey(spaceKeyOf(name))].length;
    const broken = memory.table
      .quarantined()
      .filter(({ space }) => space !== undefined && spaceKeyOf(space) === spaceKeyOf(name)).length;
    if (items + broken > 0) {
      throw badArgument(
        'NAME',
        `${name} still holds ${items + broken === 1 ? 'one file' : `${items + broken} files`}`,
        'Forget them, or move or delete their files by hand; stet never makes them personal.',
      );
    }
    const folders = memory.config.machine.folders.filter(({ space }) => sameSpaceName(space, name));
    await editYamlFiles(memory, transaction, [
      { path: 'spaces.yaml', argument: 'NAME', edit: (text) => removeSpace(text, name) },
      {
        path: 'machine.yaml',
        argument: 'NAME',
        edit: (text) =>
          folders.reduce<ReturnType<typeof removeFolder>>(
            (parsed, { folder }) => (parsed.ok ? removeFolder(parsed.value, folder) : parsed),
            { ok: true, value: text },
          ),
      },
    ]);
    await transaction.commit(['spaces.yaml'], {
      subject: subjectLine('space', `remove ${name}`),
      trailers: [['Stet-Space', name]],
      author: null,
    });
    await memory.take(['spaces.yaml', 'machine.yaml']);
    return { name };
  });
}

/**
 * Makes an item's file say another name of its space, in the folder of that name if it `moves`. Returns what was written and
 * removed: nothing where the file cannot be rewritten, or another is in its place.
 */
export async function moveToSpace(
  memory: Memory,
  transaction: Transaction,
  path: string,
  name: string,
  moves = true,
): Promise<readonly string[]> {
  const plan = planMove(memory, path, name, moves);
  if (plan.status !== 'ready') return [];
  await transaction.writeFile(plan.to, plan.bytes);
  if (plan.to !== path) await transaction.removeFile(path);
  return [path, plan.to];
}

export type PlannedMove =
  | { readonly status: 'ready'; readonly to: string; readonly bytes: Uint8Array }
  /** A file of the same name that another machine wrote under the new name keeps its place, and this one its own. */
  | { readonly status: 'taken'; readonly to: string }
  /** It cannot be read, or its frontmatter cannot be rewritten. */
  | { readonly status: 'unusable' };

/** What `moveToSpace` would do. */
export function planMove(memory: Memory, path: string, name: string, moves = true): PlannedMove {
  const { root } = memory.repository;
  const to = moves ? path.replace(/^spaces\/[^/]+\//, `spaces/${name}/`) : path;
  if (to !== path && readItemFile(root, to).status !== 'gone') return { status: 'taken', to };
  const read = readItemFile(root, path);
  if (read.status !== 'read') return { status: 'unusable' };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes);
  const edited = editFrontmatter(text, { space: name });
  return edited.ok ? { status: 'ready', to, bytes: new TextEncoder().encode(edited.value) } : { status: 'unusable' };
}

function namedSpace(memory: Memory, given: string): string {
  const space: Space = knownSpace(memory, given, 'NAME');
  if (space !== null) return space;
  throw badArgument('NAME', 'personal is not a space', 'Name a space; `stet space list` shows them.');
}

function acceptName(given: string): string {
  const checked = checkSpaceName(given);
  if (!checked.ok) throw badArgument('NAME', checked.reason, 'Choose another name.');
  return checked.name;
}

/** A password or token in an address would be committed and shared. */
function withoutCredentials(remote: string): string {
  return remote.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^@/]*:[^@/]*@/i, '$1');
}

function badArgument(argument: string, reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument, reason, hint });
}
