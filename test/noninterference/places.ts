// The test's own idea of who sees what, from the files alone and written without the product's rules: where a file
// belongs, which space a folder has, which spaces an agent may see.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SPACE_NAMES, type Place, type SpaceFolder } from './script.ts';

/** Where a file counts; `config` is everybody's. A quarantined file counts where it lies and where it says it belongs. */
export type FilePlaces = readonly (Place | 'config')[];

export interface TreeFile {
  readonly bytes: Buffer;
  /** When it was changed, by its own word: what has no `created` key goes by that. */
  readonly modified: Date;
  readonly places: FilePlaces;
}

/** Every file that a memory's answers may depend on, by path. */
export type Tree = ReadonlyMap<string, TreeFile>;

const CONFIG = ['spaces.yaml', 'policies.yaml', 'stet.yaml', 'machine.yaml'];

/** `before`: what a file was known to be, for one that does not say any more. */
export function readTree(root: string, before: Tree): Tree {
  const tree = new Map<string, TreeFile>();
  for (const top of ['personal', 'spaces', 'forgotten']) {
    for (const name of readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })) {
      const path = `${top}/${name.replaceAll('\\', '/')}`;
      const stat = statSync(join(root, path));
      if (!/\.(?:md|yaml)$/.test(path) || !stat.isFile()) continue;
      const known = before.get(path);
      const read = readFileSync(join(root, path));
      const bytes = known?.bytes.equals(read) === true ? known.bytes : read;
      tree.set(path, { bytes, modified: stat.mtime, places: placesOf(path, bytes.toString('latin1'), known) });
    }
  }
  for (const path of CONFIG) {
    if (!existsSync(join(root, path))) continue;
    const { mtime: modified } = statSync(join(root, path));
    tree.set(path, { bytes: readFileSync(join(root, path)), modified, places: ['config'] });
  }
  return tree;
}

export function placesOf(path: string, text: string, before: TreeFile | undefined): FilePlaces {
  const said = /^space: "?([^"\n]*)"?$/m.exec(text)?.[1];
  const named = said === undefined ? null : placeNamed(Buffer.from(said, 'latin1').toString('utf8'));
  const [top, folder = ''] = path.split('/');
  if (top === 'forgotten') {
    if (!/^forgotten: /m.test(text)) return before?.places ?? ['personal'];
    return [named ?? 'personal'];
  }
  const lies = top === 'personal' ? 'personal' : placeNamed(folder);
  if (lies === null) return ['config'];
  return named === null || named === lies ? [lies] : [lies, named];
}

/** The place that goes by a name, whatever it is called just now; null for a name that the script never gives. */
export function placeNamed(name: string): Place | null {
  const folded = name.toLowerCase();
  if (folded === 'personal') return 'personal';
  for (const [place, names] of Object.entries(SPACE_NAMES)) {
    if (names.some((known) => known.toLowerCase() === folded)) return place as SpaceFolder;
  }
  return null;
}

interface Rule {
  readonly agent: string;
  readonly space: string;
  readonly effect: string;
}

export interface Views {
  /** What a client of this agent in this folder sees, sorted; and the space of the folder, or null. */
  of(agent: string, folder: string): { readonly visible: readonly Place[]; readonly space: SpaceFolder | null };
  /** What a space is called now. */
  nameOf(space: SpaceFolder): string;
}

/** `committed`: policies.yaml as HEAD has it, which counts where the file cannot be read. */
export function readViews(tree: Tree, committed: string | null): Views {
  const spaces = mappingIn(tree.get('spaces.yaml')?.bytes.toString('utf8') ?? '', 'spaces');
  const machine = mappingIn(tree.get('machine.yaml')?.bytes.toString('utf8') ?? '', 'folders');
  const rules = rulesIn(tree.get('policies.yaml')?.bytes.toString('utf8')) ?? rulesIn(committed ?? '') ?? [];
  const listed = new Set<string>();
  for (const [name, entry] of Object.entries(spaces)) {
    listed.add(name.toLowerCase());
    for (const alias of (entry as { aliases?: string[] } | null)?.aliases ?? []) listed.add(alias.toLowerCase());
  }
  const allows = (agent: string, place: Place): boolean => {
    const names = place === 'personal' ? [['personal']] : [SPACE_NAMES[place], ['*']];
    for (const who of [agent, '*']) {
      for (const where of names) {
        const rule = rules.find((each) => each.agent === who && where.includes(each.space));
        if (rule) return rule.effect === 'allow';
      }
    }
    return true;
  };
  return {
    of(agent, folder) {
      const name = machine[folder];
      const place = typeof name === 'string' && listed.has(name.toLowerCase()) ? placeNamed(name) : null;
      const space = place === 'personal' ? null : place;
      const wanted: readonly Place[] = space === null ? ['personal'] : [space, 'personal'];
      return { visible: wanted.filter((each) => allows(agent, each)).sort(), space };
    },
    nameOf: (space) => Object.keys(spaces).find((name) => placeNamed(name) === space) ?? SPACE_NAMES[space][0] ?? space,
  };
}

function mappingIn(text: string, key: string): Readonly<Record<string, unknown>> {
  const value = (parse(text) as Record<string, Record<string, unknown>> | null)?.[key];
  return value ?? {};
}

/** Null where the text is no list of rules. */
function rulesIn(text: string | undefined): readonly Rule[] | null {
  if (text === undefined) return null;
  try {
    const value: unknown = (parse(text) as { policies?: unknown } | null)?.policies;
    return Array.isArray(value) ? (value as readonly Rule[]) : null;
  } catch {
    return null;
  }
}
