// What one session can see of the table: visible items, and which of them are current. Built from visible items alone,
// so nothing in it can depend on another space. Cheap to make: it keeps no copy of the items.

import type { Item, Space } from './item.ts';
import type { ItemTable } from './item-table.ts';
import { spaceKeyOf } from './space-key.ts';
import { headsOf, resolveSupersession, type Supersession } from './supersession.ts';

/** Why a visible item is not current. */
export type Outdated =
  { reason: 'superseded'; by: readonly string[] } | { reason: 'expired'; until: string } | { reason: 'waiting' };

/** One item of a chain, and how it stands to the item that was asked for. */
export interface ChainStep {
  readonly item: Item;
  readonly relation: 'superseded-by' | 'supersedes';
}

export class View {
  readonly #table: ItemTable;
  readonly #spaces: ReadonlySet<string>;
  readonly #supersession: Supersession;
  readonly #today: string;
  /** Whether an item can answer a question. One function as long as the view lives, so that what it says can be kept. */
  readonly isFact = (id: string): boolean => {
    const item = this.current(id);
    return item !== undefined && item.kind !== 'instruction';
  };
  /** Whether an item could have answered one, were it not outdated. */
  readonly wasFact = (id: string): boolean => {
    const item = this.item(id);
    return item !== undefined && item.kind !== 'instruction' && this.outdated(item) !== null;
  };
  #instructions: readonly Item[] | null = null;
  #conflicts: ReadonlyMap<string, readonly Item[]> | null = null;

  /** `spaces`: keys as of `spaceKeyOf`; `today`: `YYYY-MM-DD` in the answering machine's zone. */
  constructor(table: ItemTable, spaces: Iterable<string>, today: string) {
    this.#table = table;
    this.#spaces = new Set(spaces);
    this.#supersession = resolveSupersession(table.links(this.#spaces));
    this.#today = today;
  }

  /** `YYYY-MM-DD`, by which items expire. */
  get today(): string {
    return this.#today;
  }

  sees(space: Space): boolean {
    return this.#spaces.has(spaceKeyOf(space));
  }

  /** The item, if it is visible; unknown, invisible, forgotten and quarantined ones are all `undefined`. */
  item(id: string): Item | undefined {
    const item = this.#table.get(id)?.file.item;
    return item && this.sees(item.space) ? item : undefined;
  }

  path(id: string): string | undefined {
    return this.item(id) ? this.#table.get(id)?.path : undefined;
  }

  /** Null when the item is current. */
  outdated(item: Item): Outdated | null {
    if (item.review === 'waiting') return { reason: 'waiting' };
    const by = this.#supersession.by(item.id);
    if (by.length > 0) return { reason: 'superseded', by };
    if (item.until !== undefined && item.until < this.#today) return { reason: 'expired', until: item.until };
    return null;
  }

  /** A visible item that is neither superseded nor expired nor waiting for the user. */
  current(id: string): Item | undefined {
    const item = this.item(id);
    return item && this.outdated(item) === null ? item : undefined;
  }

  /** Visible items that end the chain of `id`, those that are forgotten or hidden left out. */
  heads(id: string): readonly Item[] {
    return headsOf(this.#supersession, id).flatMap((head) => this.item(head) ?? []);
  }

  /**
   * Visible current items that say otherwise since a merge: those that supersede the same item as this one does, and those
   * of which it was kept as the other version, or what replaced them.
   */
  contradicting(item: Item): readonly Item[] {
    const rivals = new Map<string, Item>();
    for (const target of item.supersedes) {
      for (const id of this.#supersession.by(target)) {
        const rival = id === item.id ? undefined : this.current(id);
        if (rival) rivals.set(id, rival);
      }
    }
    this.#conflicts ??= this.#findConflicts();
    for (const rival of this.#conflicts.get(item.id) ?? []) rivals.set(rival.id, rival);
    return [...rivals.values()].sort(byId);
  }

  /** Pairs of current items, both ways. Few: whoever settles one of them ends it. */
  #findConflicts(): ReadonlyMap<string, readonly Item[]> {
    const found = new Map<string, Item[]>();
    const add = (item: Item, rival: Item) => found.set(item.id, [...(found.get(item.id) ?? []), rival]);
    for (const { file } of this.#table.conflicting()) {
      const item = this.current(file.item.id);
      const rivals = (item?.conflictsWith ?? []).flatMap((id) => this.heads(id));
      for (const { id } of rivals) {
        const rival = this.current(id);
        if (item === undefined || rival === undefined || rival.id === item.id) continue;
        add(item, rival);
        add(rival, item);
      }
    }
    return found;
  }

  /** The visible items of the chain that this one stands in: what it replaced, oldest first, then what replaced it. */
  chain(item: Item): readonly ChainStep[] {
    const older = this.#walk(item, (each) => each.supersedes).map((each) => step(each, 'supersedes'));
    const newer = this.#walk(item, (each) => this.#supersession.by(each.id)).map((each) => step(each, 'superseded-by'));
    return [...older.reverse(), ...newer];
  }

  /** Visible items reached from `start`, nearest first, each once. */
  #walk(start: Item, next: (item: Item) => readonly string[]): readonly Item[] {
    const seen = new Set([start.id]);
    const found: Item[] = [];
    for (let frontier: readonly Item[] = [start]; frontier.length > 0;) {
      const reached: Item[] = [];
      for (const id of frontier.flatMap((each) => next(each))) {
        if (seen.has(id)) continue;
        seen.add(id);
        const item = this.item(id);
        if (item) reached.push(item);
      }
      found.push(...reached);
      frontier = reached;
    }
    return found;
  }

  /** Ids of visible items whose links were ignored because they form a cycle. */
  get cyclic(): readonly string[] {
    return this.#supersession.cyclic;
  }

  /** The instructions in force, oldest first, ties by id. */
  instructions(): readonly Item[] {
    this.#instructions ??= this.#findInstructions();
    return this.#instructions;
  }

  /** Every visible current item, newest first, ties by id. */
  currentItems(): readonly Item[] {
    const current = [...this.items()].filter((item) => this.outdated(item) === null);
    return current.sort((a, b) => compare(b.created, a.created) || byId(a, b));
  }

  #findInstructions(): readonly Item[] {
    const found: Item[] = [];
    for (const item of this.items()) {
      if (item.kind === 'instruction' && this.outdated(item) === null) found.push(item);
    }
    return found.sort((a, b) => compare(a.created, b.created) || byId(a, b));
  }

  /** Every visible item, outdated ones included, in no particular order. */
  *items(): Iterable<Item> {
    for (const key of this.#spaces) for (const located of this.#table.inSpaceKey(key)) yield located.file.item;
  }
}

function step(item: Item, relation: ChainStep['relation']): ChainStep {
  return { item, relation };
}

function byId(a: Item, b: Item): number {
  return compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
