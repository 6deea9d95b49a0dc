// Merges a whole memory, file by file and item by item. Invariants: it always comes to a result that needs nobody (but for two
// spaces under one name, which stop it); the result is the same whichever side is ours, and whoever merges; no statement
// that either side had is lost: it is there, superseded, forgotten, or told of in an event.
import { Buffer } from 'node:buffer';

import { placeOf } from '../item-path.ts';
import { HAND } from '../item-file.ts';
import { sameSpaceName } from '../space-name.ts';
import { parseSpaces, type Spaces } from '../spaces-file.ts';
import { printTombstone, tombstonedId, tombstonePath } from '../tombstone.ts';
import { findPlaces } from './find-places.ts';
import { pairItems, type Entity } from './item-entities.ts';
import { mergeEntity, type Burial, type IdFacts, type PlacedFile } from './merge-entity.ts';
import {
  isLocalFile,
  isRegular,
  SETTING_FILES,
  withBytes,
  type FileVersion,
  type MemoryVersions,
  type Side,
} from './memory-versions.ts';
import type { MergeEvent } from './merge-events.ts';
import { mergeOtherFile } from './merge-other-files.ts';
import { mergePoliciesFiles } from './merge-policies-files.ts';
import { mergeSettingsFiles } from './merge-settings-files.ts';
import { mergeSpacesFiles, type SpaceClash } from './merge-spaces-files.ts';
import { addLinks, mergeTombstones } from './merge-tombstones.ts';
import { lesser } from './three-way.ts';

export type MemoryMerge =
  | {
      readonly outcome: 'merged';
      /** The files of the result among those that differed, by path. A path that is not here is no file of the result. */
      readonly files: ReadonlyMap<string, FileVersion>;
      readonly events: readonly MergeEvent[];
    }
  /** Nobody but a person can say which space is meant. */
  | { readonly outcome: 'stopped'; readonly clashes: readonly SpaceClash[] };

/**
 * `currentSpaces`: the text of spaces.yaml where it is the same on all sides, null where there is none. Files that are no
 * regular ones (links, other repositories) are taken from the side that changed them, and never looked into.
 */
export function mergeMemory(versions: MemoryVersions, currentSpaces: string | null): MemoryMerge {
  const events: MergeEvent[] = [];
  const files: PlacedFile[] = [];
  const texts = textsOf(versions);

  const isSpacesChanged = ['base', 'ours', 'theirs'].some((side) => versions[side as Side].has('spaces.yaml'));
  const spaces = mergeSpacesFiles(texts('spaces.yaml'), (side, space) => hasNewItems(versions, side, space));
  if (!spaces.ok) return { outcome: 'stopped', clashes: spaces.clashes };
  const known = isSpacesChanged ? spaces.spaces : readSpaces(currentSpaces);
  if (spaces.broken) events.push({ kind: 'broken', path: 'spaces.yaml', denies: false });
  const policies = mergePoliciesFiles(texts('policies.yaml'), known);
  if (policies.broken) events.push({ kind: 'broken', path: 'policies.yaml', denies: true });
  events.push(...policies.stricter.map((pair) => ({ kind: 'policy' as const, ...pair })));
  const settings = mergeSettingsFiles(texts('stet.yaml'));
  if (settings.broken) events.push({ kind: 'broken', path: 'stet.yaml', denies: false });
  events.push(...settings.disputed.map((setting) => ({ kind: 'setting' as const, ...setting })));
  for (const [path, text] of [
    ['spaces.yaml', spaces.text],
    ['policies.yaml', policies.text],
    ['stet.yaml', settings.text],
  ] as const) {
    if (text !== null) files.push({ path, version: versionOf(versions, path, text), id: null });
  }

  const entities = pairItems(versions, known);
  const facts = factsOf(versions, entities);
  const burials: Burial[] = [];
  for (const entity of entities) {
    const merged = mergeEntity(entity, facts);
    files.push(...merged.files);
    events.push(...merged.events);
    if (merged.burial !== null) burials.push(merged.burial);
  }
  files.push(...mergeTombstoneFiles(versions, burials));

  for (const path of pathsOf(versions)) {
    const [base, ours, theirs] = [versions.base.get(path), versions.ours.get(path), versions.theirs.get(path)];
    if (isLocalFile(path)) events.push({ kind: 'local-file', path });
    else if (isOther(path, [base, ours, theirs])) {
      const merged = mergeOtherFile(path, base, ours, theirs);
      files.push(...merged.files);
      events.push(...merged.events);
    }
  }
  const places = findPlaces(files, versions.unchanged, new Set(versions.base.keys()));
  return { outcome: 'merged', files: places.files, events: [...events, ...places.events] };
}

function pathsOf({ base, ours, theirs }: MemoryVersions): readonly string[] {
  return [...new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])].sort();
}

/** Whether one side made items in a space that the other does not have. */
function hasNewItems(versions: MemoryVersions, side: Side, { name, aliases }: Spaces['entries'][number]): boolean {
  const other = versions[side === 'ours' ? 'theirs' : 'ours'];
  return [...versions[side].keys()].some((path) => {
    const space = placeOf(path)?.space ?? null;
    const isHere = space !== null && [name, ...aliases].some((each) => sameSpaceName(each, space));
    return isHere && !other.has(path) && !versions.base.has(path);
  });
}

/** Not among the files that are merged by what they mean; a link in the place of one is no such file. */
function isOther(path: string, versions: ReadonlyArray<FileVersion | undefined>): boolean {
  if (SETTING_FILES.some((name) => name === path)) return false;
  const isKnown = placeOf(path) !== null || tombstonedId(path) !== null;
  return !isKnown || versions.some((version) => version !== undefined && !isRegular(version));
}

function textsOf(versions: MemoryVersions) {
  const read = (files: ReadonlyMap<string, FileVersion>, path: string): string | null => {
    const version = files.get(path);
    return version === undefined ? null : Buffer.from(version.bytes ?? []).toString('utf8');
  };
  return (path: string) => ({
    base: read(versions.base, path),
    ours: read(versions.ours, path),
    theirs: read(versions.theirs, path),
  });
}

/** The side's own version where it has this text already. */
function versionOf(versions: MemoryVersions, path: string, text: string): FileVersion {
  const bytes = Buffer.from(text, 'utf8');
  const known = [versions.ours.get(path), versions.theirs.get(path)];
  const same = known.find((version) => version !== undefined && withBytes(version, bytes) === version);
  return same ?? { mode: '100644', blob: null, bytes };
}

function readSpaces(text: string | null): Spaces {
  const parsed = parseSpaces(text ?? '');
  return parsed.ok ? parsed.value : { entries: [] };
}

function factsOf(versions: MemoryVersions, entities: readonly Entity[]): IdFacts {
  const inPlay = new Set(entities.flatMap(({ base, ours, theirs }) => [base, ours, theirs].map((file) => file?.id)));
  const places = [versions.base, versions.ours, versions.theirs, versions.unchanged];
  return {
    buries: (side, id) => versions[side].has(tombstonePath(id)) && !versions.base.has(tombstonePath(id)),
    wasBuried: (id) => versions.base.has(tombstonePath(id)) || versions.unchanged.has(tombstonePath(id)),
    keepsId: versions.keepsId,
    isKnown: (id) => inPlay.has(id) || versions.keepsId(id) || places.some((paths) => paths.has(tombstonePath(id))),
  };
}

/** The tombstones of both sides, and those that the merge of the items asks for. */
function mergeTombstoneFiles(versions: MemoryVersions, burials: readonly Burial[]): readonly PlacedFile[] {
  const tombstones = new Map<string, FileVersion>();
  for (const path of pathsOf(versions)) {
    const [base, ours, theirs] = [versions.base.get(path), versions.ours.get(path), versions.theirs.get(path)];
    if (tombstonedId(path) === null || isOther(path, [base, ours, theirs])) continue;
    const isBoth = ours !== undefined && theirs !== undefined;
    if (isBoth && ours.blob !== theirs.blob && base?.blob !== ours.blob && base?.blob !== theirs.blob) {
      const bytes = mergeTombstones(path, ours.bytes ?? new Uint8Array(), theirs.bytes ?? new Uint8Array());
      tombstones.set(path, { mode: '100644', blob: null, bytes });
      continue;
    }
    // One side changed it. Taken away on one and changed on the other: it stays, so that nothing comes back by accident.
    for (const { version } of mergeOtherFile(path, base, ours, theirs).files) tombstones.set(path, version);
  }
  for (const burial of burials) {
    const path = tombstonePath(burial.id);
    const version = tombstones.get(path) ?? { mode: '100644', blob: null, bytes: printBurial(burial, versions.madeAt) };
    if (version.bytes !== null) tombstones.set(path, withBytes(version, addLinks(path, version.bytes, burial.links)));
  }
  return [...tombstones].map(([path, version]) => ({ path, version, id: null }));
}

function printBurial({ id, space, links, by }: Burial, madeAt: MemoryVersions['madeAt']): Uint8Array {
  const forgotten = by === 'both' ? lesser(madeAt.ours, madeAt.theirs) : madeAt[by];
  return Buffer.from(printTombstone({ id, space, supersedes: [...new Set(links)], forgotten, by: HAND }), 'utf8');
}
