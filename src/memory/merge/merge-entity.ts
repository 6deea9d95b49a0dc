// What becomes of one item that the sides changed, moved or removed. Invariants: forgotten wins over edited; what was
// written inside a space leaves it only if that very text was moved out; nothing that somebody wrote is dropped otherwise.
import { createHash } from 'node:crypto';

import { spaceKeyOf } from '../space-key.ts';
import type { Item } from '../item.ts';
import { lastGoodOf } from '../item-table.ts';
import { placeOf } from '../item-path.ts';
import { makeConflictingItem } from './conflicting-item.ts';
import type { Entity } from './item-entities.ts';
import type { ItemVersion } from './item-versions.ts';
import { withBytes, type FileVersion, type Side } from './memory-versions.ts';
import type { MergeEvent } from './merge-events.ts';
import { mergeItemFiles, sameBytes } from './merge-item-files.ts';
import { lesser, threeWay, whoChanged } from './three-way.ts';

/** A file of the result, before all of them have found their places. */
export interface PlacedFile {
  readonly path: string;
  readonly version: FileVersion;
  /** The item in it, or null. */
  readonly id: string | null;
}

/** An item that is to have a tombstone with these links. */
export interface Burial {
  readonly id: string;
  readonly space: string | null;
  readonly links: readonly string[];
  /** The side that removed it. */
  readonly by: Side | 'both';
}

export interface EntityMerge {
  readonly files: readonly PlacedFile[];
  readonly events: readonly MergeEvent[];
  readonly burial: Burial | null;
}

/** What the merge knows of ids beside the files of one item. */
export interface IdFacts {
  /** Whether this side, and not the base, has a tombstone for the id. */
  buries(side: Side, id: string): boolean;
  /** Whether the id had a tombstone before: a file that carries it is quarantined, and may go. */
  wasBuried(id: string): boolean;
  /** Whether a file that is the same on all sides carries the id: a copy of it was removed, not the item. */
  keepsId(id: string): boolean;
  /** Whether any side has, or had and forgot, an item of this id. */
  isKnown(id: string): boolean;
}

export function mergeEntity(entity: Entity, facts: IdFacts): EntityMerge {
  const { base, ours, theirs } = entity;
  if (ours !== null && theirs !== null)
    return mergeBuried(base, ours, theirs, facts) ?? mergePresent(base, ours, theirs, facts);
  if (base === null) return takeNew(ours, theirs, facts);
  return mergeRemoved(base, ours, theirs, facts);
}

/**
 * One side forgot it and still has a file of it (it was moved by hand, and that was not committed): the file goes where the
 * other side made anything else of it. Null where nothing is forgotten.
 */
function mergeBuried(
  base: ItemVersion | null,
  ours: ItemVersion,
  theirs: ItemVersion,
  facts: IdFacts,
): EntityMerge | null {
  const item = base?.item ?? ours.item ?? theirs.item;
  if (item === null || facts.buries('ours', item.id) === facts.buries('theirs', item.id)) return null;
  const [edited, left] = facts.buries('ours', item.id) ? (['theirs', theirs] as const) : (['ours', ours] as const);
  // A new file that only has the text of the forgotten one is not that one.
  const isIt = left.item === null || left.saysId;
  return isIt && isChanged(base, left) ? forget(item, left, edited) : null;
}

function isChanged(base: ItemVersion | null, left: ItemVersion): boolean {
  return left.path !== base?.path || !sameBytes(left.bytes, base.bytes);
}

function mergePresent(base: ItemVersion | null, ours: ItemVersion, theirs: ItemVersion, facts: IdFacts): EntityMerge {
  const spaces = [base ?? ours, ours, theirs].map(({ path }) => spaceKeyOf(placeOf(path)?.space ?? null));
  const [before = '', here = '', there = ''] = spaces;
  const mover = base === null ? (here === there ? 'neither' : 'both') : whoChanged(before, here, there);
  if (mover === 'both') return { ...NOTHING, files: [place(ours), place(theirs)], events: [twoSpaces(ours, theirs)] };
  const hasLeft = base !== null && placeOf(base.path)?.space !== null && here !== there;
  if (base !== null && hasLeft) {
    const [moved, stayed] = mover === 'ours' ? [ours, theirs] : [theirs, ours];
    if (!sameBytes(stayed.bytes, base.bytes)) return keepBoth(moved, stayed, [LEFT_ITS_SPACE], facts);
  }
  const path = mergePath(base, ours, theirs, mover === 'theirs' ? there : here);
  const mode = threeWay(base?.version.mode ?? '', ours.version.mode, theirs.version.mode, lesser);
  const merged = mergeItemFiles({ base: base?.bytes ?? null, ours: ours.bytes, theirs: theirs.bytes, path });
  if (merged.outcome === 'merged') {
    const taken = [ours, theirs].find(({ bytes }) => sameBytes(bytes, merged.bytes));
    const version = taken?.version ?? withBytes(ours.version, merged.bytes);
    return { ...NOTHING, files: [{ path, version: { ...version, mode }, id: ours.id }] };
  }
  const [first, second] = sameBytes(merged.first, ours.bytes) ? [ours, theirs] : [theirs, ours];
  // Both where the item goes: what one side narrowed to a space does not stay visible outside of it.
  return keepBoth({ ...first, path }, { ...second, path }, merged.reasons, facts);
}

const LEFT_ITS_SPACE = 'one side moved it out of its space while the other changed it there';

/** The first version stays the item; the second becomes one of its own that names it, or a copy beside it. */
function keepBoth(first: ItemVersion, second: ItemVersion, reasons: readonly string[], facts: IdFacts): EntityMerge {
  const stays = place(first);
  const { item } = first;
  const made = item === null ? null : makeConflictingItem({ bytes: second.bytes, path: second.path, item });
  if (made !== null && item !== null) {
    // An earlier merge has made it, and somebody may have edited or forgotten it since.
    if (facts.isKnown(made.id)) return { ...NOTHING, files: [stays] };
    const other = { path: made.path, version: withBytes(second.version, made.bytes), id: made.id };
    const event: MergeEvent = {
      kind: 'kept-both',
      id: item.id,
      path: first.path,
      otherId: made.id,
      otherPath: made.path,
      reasons,
    };
    return { ...NOTHING, files: [stays, other], events: [event] };
  }
  const copy = copyPath(second.path, second.bytes);
  const event: MergeEvent = { kind: 'kept-copy', path: first.path, copy, reasons };
  return { ...NOTHING, files: [stays, { path: copy, version: second.version, id: null }], events: [event] };
}

/** A name beside a file for another version of it, that is no item's and tells versions apart. */
export function copyPath(path: string, bytes: Uint8Array): string {
  return `${path}.conflict-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}`;
}

function twoSpaces(ours: ItemVersion, theirs: ItemVersion): MergeEvent {
  return { kind: 'two-spaces', id: ours.id ?? '', paths: [ours.path, theirs.path].sort() };
}

/** Where the item goes: of the sides that have it in its space, the one that renamed it; where both did, one of the names. */
function mergePath(base: ItemVersion | null, ours: ItemVersion, theirs: ItemVersion, space: string): string {
  const isThere = ({ path }: ItemVersion): boolean => spaceKeyOf(placeOf(path)?.space ?? null) === space;
  if (isThere(ours) !== isThere(theirs)) return isThere(ours) ? ours.path : theirs.path;
  return threeWay(base?.path ?? '', ours.path, theirs.path, lesser);
}

/** Made on one side only. */
function takeNew(ours: ItemVersion | null, theirs: ItemVersion | null, facts: IdFacts): EntityMerge {
  const file = ours ?? theirs;
  if (file === null) return NOTHING;
  const [made, other] = ours === null ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const);
  const { item } = file;
  if (item === null || facts.buries(made, item.id) || !facts.buries(other, item.id)) {
    return { ...NOTHING, files: [place(file)] };
  }
  return forget(item, file, made);
}

/** In the base, and not on both sides. */
function mergeRemoved(
  base: ItemVersion,
  ours: ItemVersion | null,
  theirs: ItemVersion | null,
  facts: IdFacts,
): EntityMerge {
  const left = ours ?? theirs;
  const by = ours === null ? (theirs === null ? 'both' : 'ours') : 'theirs';
  const kept: Side = ours === null ? 'theirs' : 'ours';
  const { item } = base;
  const isBuried = item !== null && (['ours', 'theirs'] as const).some((side) => facts.buries(side, item.id));
  // Adopted on the side that kept it: by then it is the item that the other side forgot by the id it was to get.
  const saysId = base.saysId || (isBuried && left !== null && left.saysId && left.item?.id === item?.id);
  // Without an id of its own, with a copy left, or quarantined: a file that goes is a file that goes.
  const isOnlyFile = item === null || !saysId || facts.wasBuried(item.id);
  if (isOnlyFile || (facts.keepsId(item.id) && !isBuried)) {
    if (left === null || !isChanged(base, left)) return NOTHING;
    return { ...NOTHING, files: [place(left)], events: [{ kind: 'stays', path: left.path, changed: kept }] };
  }
  if (left !== null && isChanged(base, left)) return forget(item, left, kept);
  return {
    files: [],
    events: isBuried ? [] : [{ kind: 'deleted', id: item.id, path: base.path, kept: left === null ? null : kept }],
    burial: { id: item.id, space: item.space, links: lastGoodOf(item).supersedes, by },
  };
}

/** The file goes although `edited` changed it; the links that it had, and that the change gave it, stay in force. */
function forget(base: Item, { item, path }: ItemVersion, edited: Side): EntityMerge {
  const { id, space, supersedes } = lastGoodOf(base);
  const links = [...supersedes, ...(item === null ? [] : lastGoodOf(item).supersedes)];
  return {
    files: [],
    events: [{ kind: 'forgotten', id, path, edited }],
    burial: { id, space: item?.space ?? space, links, by: edited === 'ours' ? 'theirs' : 'ours' },
  };
}

function place({ path, version, id }: ItemVersion): PlacedFile {
  return { path, version, id };
}

const NOTHING: EntityMerge = { files: [], events: [], burial: null };
