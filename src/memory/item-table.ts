// All that the files of a memory say, as one table: items, quarantined files, tombstones. Every change goes through
// `apply`, whoever made it, and returns what the index must follow.
// Invariants: an id is delivered from one file at most; a tombstoned or quarantined item is delivered from none; the
// supersession links of a file that turned bad stay in force.

import { append, enlist, unlist } from './grouped.ts';
import type { ItemFile } from './item-file.ts';
import { spaceKeyOf } from './space-key.ts';
import type { Item, Problem, Space } from './item.ts';
import type { Link } from './supersession.ts';
import { normaliseStatement } from './statement.ts';
import type { Tombstone } from './tombstone.ts';

/** What of a bad file still counts. */
export interface LastGood {
  readonly id: string;
  readonly space: Space;
  readonly supersedes: readonly string[];
}

/** What waits for the user has replaced nothing yet, and never will if it goes. */
export function lastGoodOf({ id, space, supersedes, review }: Item): LastGood {
  return { id, space, supersedes: review === 'waiting' ? [] : supersedes };
}

/** What the table learns of one path. */
export type TableChange =
  | { kind: 'item'; path: string; file: ItemFile; committed: boolean }
  | { kind: 'bad'; path: string; space: Space; problems: readonly Problem[]; lastGood: LastGood | null }
  | { kind: 'gone'; path: string }
  /** The item that HEAD has here is not in the working tree: nobody gets it, and its links stay until that is settled. */
  | { kind: 'missing'; path: string; lastGood: LastGood }
  | { kind: 'tombstone'; path: string; tombstone: Tombstone }
  | { kind: 'bad-tombstone'; path: string; id: string; problems: readonly Problem[]; lastGood: LastGood | null };

/** A file that is delivered to nobody, and why. */
export interface Quarantined {
  readonly path: string;
  /** Undefined where nobody knows: a tombstone that was never good belongs to no view. */
  readonly space: Space | undefined;
  readonly problems: readonly Problem[];
}

/** What changed for those who follow the table, one entry a space. */
export interface SpaceDelta {
  readonly space: Space;
  readonly put: readonly Item[];
  readonly remove: readonly string[];
}

export interface Located {
  readonly path: string;
  readonly file: ItemFile;
  readonly committed: boolean;
}

/** What one file of an item came to. */
export type ItemEntry =
  | { kind: 'item'; path: string; file: ItemFile; committed: boolean }
  | { kind: 'bad'; path: string; space: Space; problems: readonly Problem[]; lastGood: LastGood | null };

type BadTombstone = Extract<TableChange, { kind: 'bad-tombstone' }>;

interface SourcedLink extends Link {
  readonly space: Space;
}

export class ItemTable {
  readonly #entries = new Map<string, ItemEntry>();
  readonly #pathsById = new Map<string, Set<string>>();
  readonly #effective = new Map<string, Located>();
  readonly #idsBySpace = new Map<string, Set<string>>();
  /** Ids by normalised text; null until somebody asks, because most commands never do. */
  #idsByText: Map<string, Set<string>> | null = null;
  readonly #tombstones = new Map<string, { path: string; tombstone: Tombstone }>();
  readonly #tombstoneIds = new Map<string, string>();
  readonly #badTombstones = new Map<string, BadTombstone>();
  readonly #badPaths = new Set<string>();
  readonly #missing = new Map<string, LastGood>();
  /** Ids of which some file is not delivered: forgotten ones with a file, and contested ones. */
  readonly #withheldIds = new Set<string>();
  readonly #linksByPath = new Map<string, SourcedLink>();
  /** Ids of delivered items that name others which say otherwise. */
  readonly #conflictingIds = new Set<string>();
  #version = 0;

  /** Counts up with every change; what is derived from the table is derived again when it moved. */
  get version(): number {
    return this.#version;
  }

  /** How many items are delivered to somebody. */
  get size(): number {
    return this.#effective.size;
  }

  apply(changes: readonly TableChange[]): readonly SpaceDelta[] {
    const touched = new Set<string>();
    for (const change of changes) this.#record(change, touched);
    if (changes.length > 0) this.#version += 1;
    return this.#settle(touched);
  }

  /** The delivered item with this id, wherever it is; visibility is the view's business. */
  get(id: string): Located | undefined {
    return this.#effective.get(id);
  }

  tombstone(id: string): Tombstone | undefined {
    return this.#tombstones.get(id)?.tombstone;
  }

  /** Whether a new item must not have this id: a file, good or broken, or a tombstone has it. */
  isTaken(id: string): boolean {
    if (this.#pathsById.has(id) || this.isForgotten(id)) return true;
    for (const path of this.#badPaths) {
      const entry = this.#entries.get(path);
      if (entry?.kind === 'bad' && entry.lastGood?.id === id) return true;
    }
    return false;
  }

  /** Delivered items of one space, by its key (`spaceKeyOf`), in no particular order. */
  *inSpaceKey(key: string): Iterable<Located> {
    for (const id of this.#idsBySpace.get(key) ?? []) {
      const located = this.#effective.get(id);
      if (located) yield located;
    }
  }

  /** Ids of delivered items, of any space, whose text is the same after `normaliseStatement`. */
  withText(text: string): readonly string[] {
    this.#idsByText ??= this.#readTexts();
    return [...(this.#idsByText.get(normaliseStatement(text)) ?? [])].sort();
  }

  /** Keys of the spaces that hold delivered items. */
  spaceKeys(): Iterable<string> {
    return this.#idsBySpace.keys();
  }

  /** The delivered items that name others which say otherwise. */
  *conflicting(): Iterable<Located> {
    for (const id of this.#conflictingIds) {
      const located = this.#effective.get(id);
      if (located) yield located;
    }
  }

  *all(): Iterable<Located> {
    yield* this.#effective.values();
  }

  *tombstones(): Iterable<Tombstone> {
    for (const { tombstone } of this.#tombstones.values()) yield tombstone;
  }

  /** Everything that the table knows, as the changes that make it again. */
  *entries(): Iterable<TableChange> {
    yield* this.#entries.values();
    for (const { path, tombstone } of this.#tombstones.values()) yield { kind: 'tombstone', path, tombstone };
    yield* this.#badTombstones.values();
    for (const { path, lastGood } of this.missing()) yield { kind: 'missing', path, lastGood };
  }

  /** Items of HEAD that the working tree does not have, those that only moved included. */
  *missing(): Iterable<{ readonly path: string; readonly lastGood: LastGood }> {
    for (const [path, lastGood] of this.#missing) yield { path, lastGood };
  }

  /** Every path whose item has this id, delivered or not. */
  pathsOf(id: string): readonly string[] {
    return [...(this.#pathsById.get(id) ?? [])].sort();
  }

  isForgotten(id: string): boolean {
    if (this.#tombstones.has(id)) return true;
    for (const bad of this.#badTombstones.values()) if (bad.id === id) return true;
    return false;
  }

  /** What the table holds of a tombstone's links, good or bad. */
  lastGoodTombstone(id: string): LastGood | null {
    const good = this.#tombstones.get(id)?.tombstone;
    if (good) return { id, space: good.space, supersedes: good.supersedes };
    for (const bad of this.#badTombstones.values()) if (bad.id === id) return bad.lastGood;
    return null;
  }

  /** What the table holds of an item's path, delivered or not. */
  at(path: string): ItemEntry | undefined {
    return this.#entries.get(path);
  }

  /** Links of items, of files that turned bad or are missing, and of tombstones, that stand in one of these spaces. */
  *links(spaces: ReadonlySet<string>): Iterable<Link> {
    for (const [path, link] of this.#linksByPath) {
      if (!spaces.has(spaceKeyOf(link.space))) continue;
      // Where the item only moved, its new file says what it replaces. Another space's file says nothing here.
      if (this.#missing.has(path) && this.#hasFileIn(link.space, link.from)) continue;
      yield link;
    }
  }

  /** Files that are delivered to nobody, sorted by path. */
  quarantined(): readonly Quarantined[] {
    const all: Quarantined[] = [];
    for (const { path, problems, lastGood } of this.#badTombstones.values()) {
      all.push({ path, space: lastGood?.space, problems });
    }
    for (const path of this.#badPaths) {
      const entry = this.#entries.get(path);
      if (entry?.kind === 'bad') all.push({ path, space: entry.space, problems: entry.problems });
    }
    for (const id of this.#withheldIds) {
      const delivered = this.#effective.get(id)?.path;
      for (const path of this.#pathsById.get(id) ?? []) {
        const entry = this.#entries.get(path);
        if (path === delivered || entry?.kind !== 'item') continue;
        const message = this.#explainWithheld(id, path, delivered);
        all.push({ path, space: entry.file.item.space, problems: [{ line: 1, message }] });
      }
    }
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #explainWithheld(id: string, path: string, delivered: string | undefined): string {
    if (this.isForgotten(id)) {
      return `the item ${id} was forgotten, so its file is not used. Delete the file, or run \`stet restore ${id}\` to bring it back.`;
    }
    const other = delivered ?? this.pathsOf(id).find((each) => each !== path) ?? path;
    const remedy =
      '`stet review accept` with this path makes it an item of its own, with a new id; `reject` takes it away, and git keeps it.';
    if (delivered !== undefined) return `the id ${id} is also in ${delivered}. ${remedy}`;
    return `the item ${id} is in two spaces, here and in ${other}, and nothing tells which is meant. ${remedy}`;
  }

  /** Paths that carry the same id, for every id that more than one file claims. */
  *contested(): Iterable<{ id: string; paths: readonly string[] }> {
    for (const id of this.#withheldIds) {
      const paths = this.#pathsById.get(id);
      if (paths && paths.size > 1) yield { id, paths: [...paths].sort() };
    }
  }

  #readTexts(): Map<string, Set<string>> {
    const ids = new Map<string, Set<string>>();
    for (const [id, { file }] of this.#effective) enlist(ids, normaliseStatement(file.item.text), id);
    return ids;
  }

  #hasFileIn(space: Space, id: string): boolean {
    for (const path of this.#pathsById.get(id) ?? []) {
      const entry = this.#entries.get(path);
      if (entry?.kind === 'item' && spaceKeyOf(entry.file.item.space) === spaceKeyOf(space)) return true;
    }
    return false;
  }

  #record(change: TableChange, touched: Set<string>): void {
    this.#drop(change.path, touched);
    switch (change.kind) {
      case 'gone':
        return;
      case 'missing':
        this.#missing.set(change.path, change.lastGood);
        this.#linkLastGood(change.path, change.lastGood);
        return;
      case 'tombstone': {
        const { id, space, supersedes } = change.tombstone;
        this.#tombstones.set(id, { path: change.path, tombstone: change.tombstone });
        this.#tombstoneIds.set(change.path, id);
        this.#link(change.path, { from: id, to: supersedes, space });
        touched.add(id);
        return;
      }
      case 'bad-tombstone':
        this.#badTombstones.set(change.path, change);
        this.#linkLastGood(change.path, change.lastGood);
        touched.add(change.id);
        return;
      case 'item': {
        const { item } = change.file;
        this.#entries.set(change.path, change);
        enlist(this.#pathsById, item.id, change.path);
        this.#linkLastGood(change.path, lastGoodOf(item));
        touched.add(item.id);
        return;
      }
      case 'bad': {
        this.#entries.set(change.path, change);
        this.#badPaths.add(change.path);
        this.#linkLastGood(change.path, change.lastGood);
        return;
      }
    }
  }

  #drop(path: string, touched: Set<string>): void {
    this.#linksByPath.delete(path);
    this.#missing.delete(path);
    const bad = this.#badTombstones.get(path);
    if (bad) {
      this.#badTombstones.delete(path);
      touched.add(bad.id);
    }
    const forgotten = this.#tombstoneIds.get(path);
    if (forgotten !== undefined) {
      this.#tombstoneIds.delete(path);
      this.#tombstones.delete(forgotten);
      touched.add(forgotten);
    }
    const entry = this.#entries.get(path);
    if (!entry) return;
    this.#entries.delete(path);
    this.#badPaths.delete(path);
    if (entry.kind !== 'item') return;
    const { id } = entry.file.item;
    unlist(this.#pathsById, id, path);
    touched.add(id);
  }

  #linkLastGood(path: string, lastGood: LastGood | null): void {
    if (lastGood) this.#link(path, { from: lastGood.id, to: lastGood.supersedes, space: lastGood.space });
  }

  #link(path: string, link: SourcedLink): void {
    if (link.to.length > 0) this.#linksByPath.set(path, link);
  }

  #settle(touched: ReadonlySet<string>): readonly SpaceDelta[] {
    const put = new Map<Space, Item[]>();
    const remove = new Map<Space, string[]>();
    for (const id of touched) {
      const before = this.#effective.get(id);
      const after = this.#choose(id);
      const files = this.#pathsById.get(id)?.size ?? 0;
      if (files > (after ? 1 : 0)) this.#withheldIds.add(id);
      else this.#withheldIds.delete(id);
      if (before) {
        unlist(this.#idsBySpace, spaceKeyOf(before.file.item.space), id);
        if (this.#idsByText) unlist(this.#idsByText, normaliseStatement(before.file.item.text), id);
      }
      if (after) {
        this.#effective.set(id, after);
        if (after.file.item.conflictsWith === undefined) this.#conflictingIds.delete(id);
        else this.#conflictingIds.add(id);
        enlist(this.#idsBySpace, spaceKeyOf(after.file.item.space), id);
        if (this.#idsByText) enlist(this.#idsByText, normaliseStatement(after.file.item.text), id);
        append(put, after.file.item.space, after.file.item);
      } else {
        this.#effective.delete(id);
        this.#conflictingIds.delete(id);
      }
      const movedOrGone =
        before && spaceKeyOf(before.file.item.space) !== (after ? spaceKeyOf(after.file.item.space) : '');
      if (movedOrGone) append(remove, before.file.item.space, id);
    }
    const spaces = new Set([...put.keys(), ...remove.keys()]);
    return [...spaces].map((space) => ({ space, put: put.get(space) ?? [], remove: remove.get(space) ?? [] }));
  }

  /**
   * Of several files with one id: the one that is committed, then the older, then the first by path; none where files of
   * different spaces are equal so far, because one item was moved to both.
   */
  #choose(id: string): Located | undefined {
    if (this.isForgotten(id)) return undefined;
    let best: Located | undefined;
    for (const path of this.#pathsById.get(id) ?? []) {
      const entry = this.#entries.get(path);
      if (entry?.kind !== 'item') continue;
      if (!best || precedes(entry, best)) best = entry;
    }
    const isContested = (this.#pathsById.get(id)?.size ?? 0) > 1;
    return best && isContested && this.#isInAnotherSpaceToo(id, best) ? undefined : best;
  }

  #isInAnotherSpaceToo(id: string, best: Located): boolean {
    return this.pathsOf(id).some((path) => {
      const entry = this.#entries.get(path);
      return (
        entry?.kind === 'item' &&
        entry.committed === best.committed &&
        entry.file.item.created === best.file.item.created &&
        spaceKeyOf(entry.file.item.space) !== spaceKeyOf(best.file.item.space)
      );
    });
  }
}

function precedes(a: Located, b: Located): boolean {
  if (a.committed !== b.committed) return a.committed;
  if (a.file.item.created !== b.file.item.created) return a.file.item.created < b.file.item.created;
  return a.path < b.path;
}
