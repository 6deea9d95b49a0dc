// `stet doctor --fix`: what still calls a renamed space by an earlier name is made to say the present one. Both mean the same
// as long as spaces.yaml keeps the earlier one, and nothing changes for any agent but for a file whose folder and `space` say the
// one and the other, which was in quarantine for it. Invariants: a file moves only to a path where there is none; one that cannot
// be used, or seems to hold a secret, which no commit shall have, stays as it is and stops no other.

import { parseItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import type { Parsed } from '../memory/item.ts';
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
import { moveToSpace, planMove } from './spaces.ts';
import { editYamlFiles } from './yaml-edit.ts';

export interface EarlierNames {
  /** What the space is called now. */
  readonly space: string;
  /** The earlier names that are still in use. */
  readonly names: readonly string[];
  /** Where, in words: `policies.yaml:3`, `machine.yaml (~/work/acme)`, paths of items. */
  readonly places: readonly string[];
  /** Why `followNames` leaves these places as they are; null where it does not. */
  readonly obstacle: Obstacle | null;
}

interface Obstacle {
  /** Half a sentence. */
  readonly why: string;
  /** What the user may do about it, a half sentence too. */
  readonly settle: string;
}

/** The spaces that something still calls by an earlier name; those places that are left stand apart, by reason. */
export async function findEarlierNames(memory: Memory): Promise<readonly EarlierNames[]> {
  const groups = new Map<string, Use[]>();
  for (const use of await findUses(memory)) {
    const key = JSON.stringify([use.space, use.obstacle]);
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  return Array.from(groups.values(), (uses) => ({
    space: uses[0]?.space ?? '',
    names: [...new Set(uses.map(({ name }) => name))],
    places: uses.map(({ place }) => place),
    obstacle: uses[0]?.obstacle ?? null,
  }));
}

/**
 * Returns in words what was changed, and the commit; null where nothing that git keeps was. A file that cannot be changed is
 * left, and stops no other.
 */
export async function followNames(
  memory: Memory,
): Promise<{ readonly done: readonly string[]; readonly commit: CommitOutcome | null }> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const uses = (await findUses(memory)).filter(({ obstacle }) => obstacle === null);
    const [first] = uses;
    if (first === undefined) return { done: [], commit: null };
    const inYaml = Object.entries(RENAMES).map(([path, rename]) => ({
      path,
      argument: '--fix',
      edit: (text: string) =>
        uses
          .filter(({ file }) => file === path)
          .reduce<Parsed<string>>(
            (parsed, { name, space }) => (parsed.ok ? rename(parsed.value, name, space) : parsed),
            { ok: true, value: text },
          ),
    }));
    const edits = inYaml.filter(({ path }) => uses.some(({ file }) => file === path));
    const paths = new Set(await editYamlFiles(memory, transaction, edits));
    const ids: string[] = [];
    for (const { file, space } of uses.filter((use) => !(use.file in RENAMES))) {
      const written = await moveToSpace(memory, transaction, file, space);
      for (const each of written) paths.add(each);
      const moved = memory.table.at(file);
      if (written.length > 0 && moved?.kind === 'item') ids.push(moved.file.item.id);
    }
    const kept = [...paths].filter((path) => path !== 'machine.yaml');
    const spaces = new Set(uses.map(({ space }) => space));
    const commit =
      kept.length === 0
        ? null
        : await commitItems(memory, transaction, {
            ids,
            paths: kept,
            message: {
              subject: subjectLine('space', `say ${[...spaces].join(', ')} everywhere`),
              trailers: [['Stet-Space', first.space]],
              author: null,
            },
          });
    await memory.take(paths);
    const left = new Set((await findUses(memory)).map(({ place }) => place));
    const done = uses.filter(({ place }) => !left.has(place)).map(({ place, space }) => `${place} says ${space} now.`);
    return { done, commit };
  });
}

/** The YAML files that name spaces, and how a space gets another name there. */
const RENAMES: Readonly<Record<string, (text: string, from: string, to: string) => Parsed<string>>> = {
  'policies.yaml': renamePolicySpace,
  'machine.yaml': renameFoldersSpace,
};

/** One place that calls a space by an earlier name. */
interface Use {
  readonly space: string;
  readonly name: string;
  /** The file that it is in, from the root. */
  readonly file: string;
  readonly place: string;
  readonly obstacle: Obstacle | null;
}

async function findUses(memory: Memory): Promise<readonly Use[]> {
  const { spaces, policies, machine } = memory.config;
  const uses: Use[] = [];
  for (const entry of spaces.entries) {
    const isEarlier = earlierNamesOf(entry);
    const named = [
      ...policies.rules.map(({ space, line }) => ({
        name: space,
        file: 'policies.yaml',
        place: `policies.yaml:${line}`,
      })),
      ...machine.folders.map(({ space, folder }) => ({
        name: space,
        file: 'machine.yaml',
        place: `machine.yaml (${folder})`,
      })),
      ...filesOf(memory, entry).map(({ path, name }) => ({ name, file: path, place: path })),
    ];
    for (const use of named) {
      if (!isEarlier(use.name)) continue;
      const { name: space } = entry;
      uses.push({ ...use, space, obstacle: await findObstacle(memory, use.file, use.name, space) });
    }
  }
  return uses;
}

async function findObstacle(memory: Memory, file: string, name: string, space: string): Promise<Obstacle | null> {
  const read = readItemFile(memory.repository.root, file);
  // Where a shared file is missing or broken, what its last valid commit says is in force, earlier names and all.
  if (read.status === 'gone') return { why: 'the file is missing', settle: `Bring ${file} back` };
  if (read.status !== 'read') return { why: 'the file cannot be read', settle: `Make ${file} an ordinary file` };
  const text = read.bytes.toString('utf8');
  const rename = RENAMES[file];
  if (rename !== undefined) {
    return rename(text, name, space).ok ? null : { why: 'the file is broken', settle: `Correct ${file}` };
  }
  if ((await findSecrets(text)).length > 0) {
    return { why: 'it seems to hold a secret, which would be committed', settle: 'Take the secret out' };
  }
  const plan = planMove(memory, file, space);
  if (plan.status === 'ready') return null;
  return plan.status === 'taken'
    ? { why: `${plan.to} is another file`, settle: 'Give one of the two another file name' }
    : { why: 'its frontmatter cannot be rewritten', settle: 'Write the present name in an editor' };
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
