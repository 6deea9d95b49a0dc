// Merges spaces.yaml. Invariants: a name means one space, as everywhere; two spaces that two machines gave one name are
// never made one (their items would mix); the sides are interchangeable.
import { isMap, Scalar, YAMLMap, YAMLSeq } from 'yaml';

import { normaliseRemote } from '../remote-address.ts';
import { sameSpaceName, spaceKey } from '../space-name.ts';
import { findSpace, parseSpaces, printSpaces, type Spaces } from '../spaces-file.ts';
import { readYamlText, stringOf } from '../yaml-text.ts';
import { takeOneSide, writeMerged, type TextVersions } from './config-versions.ts';
import type { Side } from './memory-versions.ts';
import { lesser, mergeSets, threeWay } from './three-way.ts';

type SpaceEntry = Spaces['entries'][number];

type IsUsed = (side: Side, space: SpaceEntry) => boolean;

/** Two machines gave one name to different spaces. */
export interface SpaceClash {
  readonly name: string;
  /** What the spaces were called before, each `null` where it is a new one. */
  readonly were: readonly [ours: string | null, theirs: string | null];
}

export type SpacesMerge =
  | {
      readonly ok: true;
      /** Null where there is to be no file. */
      readonly text: string | null;
      readonly spaces: Spaces;
      /** One side cannot be read, and the other is kept as it is. */
      readonly broken: boolean;
    }
  | { readonly ok: false; readonly clashes: readonly SpaceClash[] };

/** `isUsed`: whether a side, and not the other, has put items into a space; removed while it was empty, it stays then. */
export function mergeSpacesFiles(versions: TextVersions, isUsed: IsUsed = () => false): SpacesMerge {
  const one = takeOneSide(versions);
  const { base, ours, theirs } = versions;
  const [o, t] = [read(ours), read(theirs)];
  const isNeeded = pairUp(read(base) ?? EMPTY, o ?? EMPTY, t ?? EMPTY).some((pair) => isKept(pair, isUsed));
  if (one !== undefined && !isNeeded) return { ok: true, text: one, spaces: read(one) ?? EMPTY, broken: false };
  if (ours === null || theirs === null || o === null || t === null) {
    const text =
      ours === null || theirs === null
        ? (ours ?? theirs)
        : o === null && t === null
          ? lesser(ours, theirs)
          : o === null
            ? theirs
            : ours;
    return { ok: true, text, spaces: read(text) ?? EMPTY, broken: ours !== null && theirs !== null };
  }
  const b = read(base) ?? EMPTY;
  const pairs = pairUp(b, o, t);
  const clashes = findClashes(pairs, isUsed);
  if (clashes.length > 0) return { ok: false, clashes };
  const spaces = withoutDoubleNames(pairs.flatMap((pair) => mergeEntry(pair, isUsed) ?? []));
  const says = (text: string): boolean => print(read(text) ?? EMPTY) === print(spaces);
  const text = writeMerged({ base, ours, theirs }, says, (canvas) => rewrite(canvas, spaces));
  return { ok: true, text, spaces, broken: false };
}

const EMPTY: Spaces = { entries: [] };

function read(text: string | null): Spaces | null {
  if (text === null) return EMPTY;
  const parsed = parseSpaces(text);
  return parsed.ok ? parsed.value : null;
}

/** One space on each side. */
interface Versions {
  readonly base: SpaceEntry | null;
  readonly ours: SpaceEntry | null;
  readonly theirs: SpaceEntry | null;
}

/** A space of the base is known on a side by its name or an alias; new ones by their names. */
function pairUp(base: Spaces, ours: Spaces, theirs: Spaces): readonly Versions[] {
  const pairs: Versions[] = base.entries.map((entry) => ({
    base: entry,
    ours: entryOf(ours, entry.name),
    theirs: entryOf(theirs, entry.name),
  }));
  const taken = new Set(pairs.flatMap((pair) => [pair.ours, pair.theirs]));
  const added = (spaces: Spaces) => spaces.entries.filter((entry) => !taken.has(entry));
  for (const entry of added(ours)) {
    const twin = added(theirs).find((other) => sameSpaceName(other.name, entry.name)) ?? null;
    if (twin !== null) taken.add(twin);
    pairs.push({ base: null, ours: entry, theirs: twin });
  }
  for (const entry of added(theirs)) pairs.push({ base: null, ours: null, theirs: entry });
  return pairs.sort((a, c) => (nameOf(a) < nameOf(c) ? -1 : 1));
}

function entryOf(spaces: Spaces, name: string): SpaceEntry | null {
  const found = findSpace(spaces, name);
  return spaces.entries.find((entry) => entry.name === found) ?? null;
}

/** What the merged space is called. */
function nameOf({ base, ours, theirs }: Versions): string {
  if (ours === null || theirs === null) return (ours ?? theirs ?? base)?.name ?? '';
  return threeWay(base?.name ?? '', ours.name, theirs.name, lesser);
}

/** Different spaces under one name, because one side or both named them so. */
function findClashes(pairs: readonly Versions[], isUsed: IsUsed): readonly SpaceClash[] {
  const byName = new Map<string, Versions[]>();
  for (const pair of pairs) {
    if (mergeEntry(pair, isUsed) === null) continue;
    const key = spaceKey(nameOf(pair));
    byName.set(key, [...(byName.get(key) ?? []), pair]);
  }
  return [...byName.values()].flatMap((same) => {
    if (same.length < 2) return [];
    const isNamedBy = (side: 'ours' | 'theirs') => (pair: Versions) =>
      pair[side] !== null && !sameSpaceName(pair[side].name, pair.base?.name ?? '');
    const [ours, theirs] = [same.find(isNamedBy('ours')), same.find(isNamedBy('theirs'))];
    const others = (pair: Versions | undefined) => same.find((each) => each !== pair);
    const here = ours ?? others(theirs);
    const there = theirs ?? others(ours);
    return [
      { name: nameOf(same[0] ?? NO_VERSIONS), were: [here?.base?.name ?? null, there?.base?.name ?? null] as const },
    ];
  });
}

const NO_VERSIONS: Versions = { base: null, ours: null, theirs: null };

/** Removed on one side, with something new in it on the other: without its entry no session would work in it. */
function isKept({ base, ours, theirs }: Versions, isUsed: IsUsed): boolean {
  if (base === null || (ours === null) === (theirs === null)) return false;
  return ours === null ? theirs !== null && isUsed('theirs', theirs) : isUsed('ours', ours);
}

/** Null where the space goes: removed on one side, and left alone on the other. */
function mergeEntry(pair: Versions, isUsed: IsUsed): SpaceEntry | null {
  const { base, ours, theirs } = pair;
  if (ours === null && theirs === null) return null;
  if (ours === null || theirs === null) {
    const left = ours ?? theirs;
    if (isKept(pair, isUsed)) return left;
    return base !== null && left !== null && print({ entries: [left] }) === print({ entries: [base] }) ? null : left;
  }
  const name = nameOf(pair);
  const aliases = mergeBy(spaceKey, base?.aliases ?? [], ours.aliases, theirs.aliases);
  const former = [base?.name, ours.name, theirs.name].filter((each) => each !== undefined);
  return {
    name,
    aliases: uniqueBy(spaceKey, [...aliases, ...former.toSorted()]).filter((alias) => !sameSpaceName(alias, name)),
    remotes: mergeBy(addressOf, base?.remotes ?? [], ours.remotes, theirs.remotes),
  };
}

function addressOf(remote: string): string {
  return normaliseRemote(remote) ?? remote;
}

/** {@link mergeSets} of entries that are the same if their keys are; of two spellings the lesser counts. */
function mergeBy(
  key: (entry: string) => string,
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const spelling = new Map<string, string>();
  for (const entry of [...base, ...ours, ...theirs])
    spelling.set(key(entry), lesser(spelling.get(key(entry)) ?? entry, entry));
  return mergeSets(base.map(key), ours.map(key), theirs.map(key)).flatMap((each) => spelling.get(each) ?? []);
}

function uniqueBy(key: (entry: string) => string, entries: readonly string[]): readonly string[] {
  return [...new Map(entries.toReversed().map((entry) => [key(entry), entry])).values()].reverse();
}

/** A name counts before an alias, and an alias once. */
function withoutDoubleNames(entries: readonly SpaceEntry[]): Spaces {
  const taken = new Set(entries.map(({ name }) => spaceKey(name)));
  return {
    entries: entries.map((entry) => ({
      ...entry,
      aliases: entry.aliases.filter((alias) => {
        const isFree = !taken.has(spaceKey(alias));
        taken.add(spaceKey(alias));
        return isFree;
      }),
    })),
  };
}

/** The spaces whatever their order, in the file and in their lists. */
function print(spaces: Spaces): string {
  const sorted = spaces.entries.map(({ name, aliases, remotes }) => ({
    name,
    aliases: aliases.toSorted(),
    remotes: remotes.toSorted(),
  }));
  return printSpaces({ entries: sorted.sort((a, c) => (a.name < c.name ? -1 : 1)) });
}

/** The text of one side, changed to hold these spaces; what is right in it, and its comments, stay. */
function rewrite(text: string, spaces: Spaces): string {
  const yaml = readYamlText(text);
  const map = yaml.ok ? yaml.value.document.get('spaces') : null;
  if (!yaml.ok || !isMap(map)) return printSpaces(spaces);
  const before = read(text) ?? EMPTY;
  const waiting = new Map(spaces.entries.map((entry) => [entry.name, entry]));
  map.items = map.items.filter((pair) => {
    const written = (stringOf(pair.key) ?? '').normalize('NFC');
    const entry = waiting.get(findSpace(spaces, written) ?? '');
    const old = before.entries.find(({ name }) => name === written);
    if (entry === undefined || old === undefined) return false;
    waiting.delete(entry.name);
    if (entry.name !== written) pair.key = new Scalar(entry.name);
    if (print({ entries: [{ ...old, name: entry.name }] }) !== print({ entries: [entry] })) pair.value = toNode(entry);
    return true;
  });
  for (const entry of waiting.values()) map.set(entry.name, toNode(entry));
  if (map.items.length > 0) map.flow = false;
  const written = yaml.value.print();
  return print(read(written) ?? EMPTY) === print(spaces) ? written : printSpaces(spaces);
}

function toNode({ aliases, remotes }: SpaceEntry): YAMLMap {
  const node = new YAMLMap();
  for (const [key, list] of [
    ['aliases', aliases],
    ['remotes', remotes],
  ] as const) {
    if (list.length === 0) continue;
    const sequence = new YAMLSeq();
    for (const entry of list) sequence.add(new Scalar(entry));
    node.set(key, sequence);
  }
  return node;
}
