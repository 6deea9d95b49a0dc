// The spaces of a memory, shared by all its machines. spaces.yaml maps a space's name to what is known of it:
//
//     spaces:
//       acme:
//         aliases: [acme-corp]                    # names that it had before
//         remotes: [git@github.com:acme/app.git]  # repositories whose sessions work in it
//
// Invariant: no name, be it an alias, means two spaces.
import { Document, isMap, isSeq, type Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Parsed, Problem } from './item.ts';
import { normaliseRemote } from './remote-address.ts';
import { checkSpaceName, sameSpaceName, spaceKey } from './space-name.ts';
import { entriesOf, itemsOf, readYamlText, stringOf, type YamlEntry, type YamlText } from './yaml-text.ts';

export interface SpaceEntry {
  /** NFC. */
  readonly name: string;
  /** Earlier names, NFC. */
  readonly aliases: readonly string[];
  /** As written; compare them by `normaliseRemote`. */
  readonly remotes: readonly string[];
}

export interface Spaces {
  readonly entries: readonly SpaceEntry[];
}

export const NO_SPACES: Spaces = { entries: [] };

/** The present name of the space that goes or went by this name; null if there is none. */
export function findSpace(spaces: Spaces, name: string): string | null {
  const key = spaceKey(name);
  const entry = spaces.entries.find(
    (space) => spaceKey(space.name) === key || space.aliases.some((alias) => spaceKey(alias) === key),
  );
  return entry?.name ?? null;
}

/** Reads spaces.yaml. An empty file has no spaces. */
export function parseSpaces(text: string): Parsed<Spaces> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  return readSpaces(yaml.value);
}

/** A whole spaces.yaml with these spaces and no comments. Parsing it gives them back. */
export function printSpaces(spaces: Spaces): string {
  const entries = spaces.entries.map(({ name, aliases, remotes }): [string, Record<string, readonly string[]>] => [
    name,
    { ...(aliases.length > 0 && { aliases }), ...(remotes.length > 0 && { remotes }) },
  ]);
  return new Document(new Map([['spaces', new Map(entries)]])).toString({ lineWidth: 0 });
}

/** spaces.yaml with this space in it; a problem if the name or an equal one is taken or cannot be a name. */
export function addSpace(text: string, name: string): Parsed<string> {
  return edit(text, (spaces, map) => {
    const checked = checkSpaceName(name);
    if (!checked.ok) return checked.reason;
    const taken = findSpace(spaces, name);
    if (taken !== null) return `${checked.name} is the space ${taken} already`;
    map.set(checked.name, new YAMLMap());
    return null;
  });
}

/** spaces.yaml with one more remote for a space that it has; unchanged where the space has that remote in any form. */
export function addSpaceRemote(text: string, name: string, remote: string): Parsed<string> {
  return edit(text, (spaces, map) => {
    const found = findSpace(spaces, name);
    const entry = spaces.entries.find((space) => space.name === found);
    const pair = map.items.find((item) => keyOf(item) === found);
    if (!entry || !pair) return `there is no space ${name}`;
    const address = normaliseRemote(remote);
    if (address === null) return `${remote} is not the address of a repository`;
    const known = entry.remotes.some((other) => normaliseRemote(other) === address);
    if (!known) listIn(pair, 'remotes').add(new Scalar(remote));
    return null;
  });
}

/** spaces.yaml with the space under a new name, the old one kept as an alias. */
export function renameSpace(text: string, from: string, to: string): Parsed<string> {
  return edit(text, (spaces, map) => {
    const name = findSpace(spaces, from);
    const entry = spaces.entries.find((space) => space.name === name);
    const pair = map.items.find((item) => keyOf(item) === name);
    if (!entry || !pair) return `there is no space ${from}`;
    const checked = checkSpaceName(to);
    if (!checked.ok) return checked.reason;
    const taken = findSpace(spaces, to);
    if (taken !== null && taken !== name) return `${checked.name} is the space ${taken} already`;
    pair.key = new Scalar(checked.name);
    const aliases = listIn(pair, 'aliases');
    aliases.items = aliases.items.filter((alias) => !sameSpaceName(stringOf(alias) ?? '', checked.name));
    if (!sameSpaceName(entry.name, checked.name)) aliases.add(new Scalar(entry.name));
    return null;
  });
}

/** spaces.yaml without this space. */
export function removeSpace(text: string, name: string): Parsed<string> {
  return edit(text, (spaces, map) => {
    const found = findSpace(spaces, name);
    const place = map.items.findIndex((item) => keyOf(item) === found);
    if (place < 0) return `there is no space ${name}`;
    map.items.splice(place, 1);
    return null;
  });
}

/** Applies a change to the mapping of spaces; the change returns what forbids it, or null. */
function edit(text: string, change: (spaces: Spaces, map: YAMLMap) => string | null): Parsed<string> {
  const yaml = readYamlText(text);
  if (!yaml.ok) return yaml;
  const spaces = readSpaces(yaml.value);
  if (!spaces.ok) return spaces;
  const { document } = yaml.value;
  if (!isMap(document.contents)) document.contents = document.createNode({});
  let map = document.get('spaces');
  if (!isMap(map)) {
    map = new YAMLMap();
    document.set('spaces', map);
  }
  if (!isMap(map)) throw new TypeError('spaces is a mapping once it was set');
  if (map.items.length === 0) map.flow = false;
  const refusal = change(spaces.value, map);
  return refusal === null
    ? { ok: true, value: yaml.value.print() }
    : { ok: false, problems: [{ line: 1, message: `${refusal}.` }] };
}

function keyOf(pair: Pair): string {
  return (stringOf(pair.key) ?? '').normalize('NFC');
}

/** The list under a key of a space, made where there is none. */
function listIn(space: Pair, key: string): YAMLSeq {
  const map = isMap(space.value) ? space.value : new YAMLMap();
  space.value = map;
  if (map.items.length === 0) map.flow = false;
  const known = map.get(key);
  if (isSeq(known)) return known;
  const list = new YAMLSeq();
  map.set(key, list);
  return list;
}

function readSpaces(yaml: YamlText): Parsed<Spaces> {
  const top = entriesOf(yaml, yaml.document.contents);
  const list = top?.find((entry) => entry.key === 'spaces');
  const foreign = top?.find((entry) => entry.key !== 'spaces');
  const spaces = entriesOf(yaml, list?.value);
  if (top === null || foreign || spaces === null) {
    const message = 'spaces.yaml holds one key, `spaces`, with the spaces by name.';
    return { ok: false, problems: [{ line: foreign?.line ?? list?.line ?? 1, message }] };
  }
  const problems: Problem[] = [];
  const owners = new Map<string, string>();
  const entries = spaces.map((entry): SpaceEntry => {
    const space = readSpace(yaml, entry, (message, line = entry.line) => problems.push({ line, message }));
    for (const name of [space.name, ...space.aliases]) {
      const owner = owners.get(spaceKey(name));
      if (owner !== undefined)
        problems.push({ line: entry.line, message: `${name} names the space ${owner} already.` });
      owners.set(spaceKey(name), space.name);
    }
    return space;
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: { entries } };
}

function readSpace(yaml: YamlText, entry: YamlEntry, report: (message: string, line?: number) => void): SpaceEntry {
  const name = readName(entry.key, report);
  const lists = new Map<string, string[]>([
    ['aliases', []],
    ['remotes', []],
  ]);
  const keys = entriesOf(yaml, entry.value);
  if (keys === null) report(`Under ${name} stand its aliases and remotes, as lists.`);
  for (const { key, value, line } of keys ?? []) {
    const list = lists.get(key);
    const items = itemsOf(value)?.map(stringOf);
    if (!list) report(`A space has aliases and remotes; \`${key}\` is not known.`, line);
    else if (!items || items.includes(null)) report(`\`${key}\` is a list of names or addresses.`, line);
    else list.push(...items.filter((item) => item !== null));
  }
  const remotes = lists.get('remotes') ?? [];
  for (const remote of remotes) {
    if (normaliseRemote(remote) === null) report(`A remote of ${name} is not the address of a repository.`);
  }
  return { name, aliases: (lists.get('aliases') ?? []).map((alias) => readName(alias, report)), remotes };
}

function readName(written: string, report: (message: string) => void): string {
  const checked = checkSpaceName(written);
  if (!checked.ok) report(`“${written}” cannot name a space: ${checked.reason}.`);
  return checked.ok ? checked.name : written;
}
