// `stet doctor --fix`: what still calls a renamed space by an earlier name is made to say the present one. Both mean the same
// as long as spaces.yaml keeps the earlier one, and nothing changes for any agent but for a file whose folder and `space` say the
// one and the other, which was in quarantine for it. Invariants: a file moves only to a path where there is none; one that seems
// to hold a secret, which no commit shall have, stays as it is.

import { parseItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import { renameFoldersSpace } from '../memory/machine-file.ts';
import { renamePolicySpace } from '../memory/policies.ts';
import { findSecrets } from '../memory/secrets.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { sameSpaceName } from '../memory/space-name.ts';
import type { SpaceEntry } from '../memory/spaces-file.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import type { Memory } from './memory.ts';
import { moveToSpace } from './spaces.ts';
import { editYamlFiles } from './yaml-edit.ts';

export interface EarlierNames {
  /** What the space is called now. */
  readonly space: string;
  /** The earlier names that are still in use. */
  readonly names: readonly string[];
  /** Where, in words: `policies.yaml:3`, `machine.yaml (~/work/acme)`, paths of items. */
  readonly places: readonly string[];
}

/** The spaces that something still calls by an earlier name. */
export function findEarlierNames(memory: Memory): readonly EarlierNames[] {
  const { spaces, policies, machine } = memory.config;
  return spaces.entries.flatMap((entry): EarlierNames[] => {
    const isEarlier = earlierNamesOf(entry);
    const uses = [
      ...policies.rules.map(({ space, line }) => ({ name: space, place: `policies.yaml:${line}` })),
      ...machine.folders.map(({ space, folder }) => ({ name: space, place: `machine.yaml (${folder})` })),
      ...filesOf(memory, entry).map(({ path, name }) => ({ name, place: path })),
    ].filter(({ name }) => isEarlier(name));
    if (uses.length === 0) return [];
    const names = [...new Set(uses.map(({ name }) => name))];
    return [{ space: entry.name, names, places: uses.map(({ place }) => place) }];
  });
}

/** Returns in words what was changed, and the commit; null where nothing that git keeps was. */
export async function followNames(
  memory: Memory,
): Promise<{ readonly done: readonly string[]; readonly commit: CommitOutcome | null }> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const found = findEarlierNames(memory);
    const renames = found.flatMap(({ space, names }) => names.map((name) => ({ space, name })));
    const rename = (text: string, change: typeof renamePolicySpace): ReturnType<typeof renamePolicySpace> =>
      renames.reduce<ReturnType<typeof renamePolicySpace>>(
        (parsed, { name, space }) => (parsed.ok ? change(parsed.value, name, space) : parsed),
        { ok: true, value: text },
      );
    const changed =
      renames.length === 0
        ? new Set<string>()
        : await editYamlFiles(memory, transaction, [
            { path: 'policies.yaml', argument: '--fix', edit: (text) => rename(text, renamePolicySpace) },
            { path: 'machine.yaml', argument: '--fix', edit: (text) => rename(text, renameFoldersSpace) },
          ]);
    const paths = new Set(changed);
    const ids: string[] = [];
    for (const entry of memory.config.spaces.entries) {
      for (const { path } of filesOf(memory, entry).filter(({ name }) => earlierNamesOf(entry)(name))) {
        if (await holdsSecret(memory, path)) continue;
        const written = await moveToSpace(memory, transaction, path, entry.name);
        for (const each of written) paths.add(each);
        const moved = memory.table.at(path);
        if (written.length > 0 && moved?.kind === 'item') ids.push(moved.file.item.id);
      }
    }
    const kept = [...paths].filter((path) => path !== 'machine.yaml');
    const [first] = found;
    const commit =
      kept.length === 0 || first === undefined
        ? null
        : await commitItems(memory, transaction, {
            ids,
            paths: kept,
            message: {
              subject: subjectLine('space', `say ${found.map(({ space }) => space).join(', ')} everywhere`),
              trailers: [['Stet-Space', first.space]],
              author: null,
            },
          });
    await memory.take(paths);
    const left = new Set(findEarlierNames(memory).flatMap(({ places }) => places));
    const done = found.flatMap(({ space, places }) =>
      places.filter((place) => !left.has(place)).map((place) => `${place} says ${space} now.`),
    );
    return { done, commit };
  });
}

function earlierNamesOf({ name, aliases }: SpaceEntry): (given: string) => boolean {
  return (given) => !sameSpaceName(given, name) && aliases.some((alias) => sameSpaceName(alias, given));
}

interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** The files of a space, each with the name that its folder has; and those whose folder has the present name, but not their key. */
function filesOf(memory: Memory, entry: SpaceEntry): readonly NamedFile[] {
  const { name } = entry;
  const sound = Array.from(memory.table.inSpaceKey(spaceKeyOf(name)), ({ path }) => ({
    path,
    name: placeOf(path)?.space ?? name,
  }));
  const torn = memory.table.quarantined().flatMap(({ path }): NamedFile[] => {
    const space = placeOf(path)?.space ?? null;
    if (space === null || !sameSpaceName(space, name)) return [];
    const alias = entry.aliases.find((each) => isSoundIn(memory, path, each));
    return alias === undefined ? [] : [{ path, name: alias }];
  });
  return [...sound, ...torn];
}

/** Whether a file would be an item in the folder of another name. */
function isSoundIn(memory: Memory, path: string, name: string): boolean {
  const read = readItemFile(memory.repository.root, path);
  if (read.status !== 'read') return false;
  const there = path.replace(/^spaces\/[^/]+\//, `spaces/${name}/`);
  const isTaken = (id: string) => memory.table.isForgotten(id);
  const parsed = parseItemFile({ path: there, bytes: read.bytes, modified: memory.now(), isTaken });
  return parsed.ok && !isTaken(parsed.value.item.id);
}

async function holdsSecret(memory: Memory, path: string): Promise<boolean> {
  const read = readItemFile(memory.repository.root, path);
  return read.status === 'read' && (await findSecrets(read.bytes.toString('utf8'))).length > 0;
}
