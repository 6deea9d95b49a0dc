// Files that were there and are not. Some are believed to be gone; an item that HEAD still has leaves its links in force
// until its deletion is committed; and when more than half vanishes at once, no commit removes it. Where that is more than
// half of a space, it is answered as it was, until the files are back, git says so too, or the user settles it.
// Invariants: what is told depends on the disk, HEAD and the table alone, so that every process comes to the same; what is
// answered in a space depends on the files of that space alone.

import { isTooMuchMissing } from '../memory/hand-changes.ts';
import { placeOf } from '../memory/item-path.ts';
import type { Space } from '../memory/item.ts';
import { lastGoodOf, type ItemTable, type LastGood, type TableChange } from '../memory/item-table.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { tombstonedId } from '../memory/tombstone.ts';
import type { GitRepository } from '../repo/repository.ts';
import type { FileReader } from './file-reader.ts';

/** So much is missing that it is not believed. */
export interface Doubt {
  /** What no commit removes. */
  readonly missing: ReadonlySet<string>;
  /** Those of them that are answered as they were: so much of their space is missing. */
  readonly answered: ReadonlySet<string>;
  /** How many files there were. */
  readonly total: number;
}

/** In words, for the user; null where there is nothing to say. */
export function describeDoubt(doubt: Doubt | null): string | null {
  if (doubt === null) return null;
  const { missing, total } = doubt;
  return `${missing.size} of ${total} files are missing. That may be a mistake, so no commit removes them, and spaces that lost more than half are answered as they were. \`stet doctor --fix\` brings them back, \`stet doctor --forget-missing\` forgets them.`;
}

/** Above this many paths, the list of all files of HEAD is cheaper than asking for each. */
const FEW_PATHS = 20;

export class Disappearances {
  readonly #repository: GitRepository;
  readonly #table: ItemTable;
  readonly #reader: FileReader;
  /** HEAD when everything was last judged; what it had and HEAD has no more, git took away. */
  #head: string | null = null;
  #doubt: Doubt | null = null;

  constructor(repository: GitRepository, table: ItemTable, reader: FileReader) {
    this.#repository = repository;
    this.#table = table;
    this.#reader = reader;
  }

  get doubt(): Doubt | null {
    return this.#doubt;
  }

  /** Whether the answer may change though no file does: HEAD has moved. */
  async isOutdated(): Promise<boolean> {
    return (await this.#repository.head()) !== this.#head;
  }

  /** Before the first judgement. */
  async begin(): Promise<void> {
    this.#head = await this.#repository.head();
  }

  /** Paths of HEAD's items and tombstones: a memory without a snapshot would not miss them otherwise. */
  async pathsAtHead(): Promise<readonly string[]> {
    return this.#head === null ? [] : (await this.#repository.listAt(this.#head)).filter((path) => isFollowed(path));
  }

  /**
   * What the table learns of these paths, which are not there; those that were missing before are judged again.
   * `told`: paths that stet itself wrote or took away lately.
   */
  async judge(gone: readonly string[], told: ReadonlySet<string>): Promise<readonly TableChange[]> {
    const before = this.#head;
    this.#head = await this.#repository.head();
    const links = new Map<string, LastGood>();
    for (const { path, lastGood } of this.#table.missing()) links.set(path, this.#reader.underPresentName(lastGood));
    const again = [...links.keys(), ...(this.#doubt?.missing ?? [])];
    const paths = new Set([...gone, ...again.filter((path) => this.#reader.isGone(path))]);
    if (paths.size === 0) {
      this.#doubt = null;
      return [];
    }
    const atHead = await this.#listAmong(this.#head, paths);
    const goods = new Map<string, TableChange>();
    for (const path of atHead) {
      // A commit that changes a file which is not there would bring it back: what HEAD had it has.
      const good = links.has(path) ? null : await this.#reader.readLastGood(path);
      if (good !== null) goods.set(path, good);
    }
    const linksAt = (path: string): LastGood | null => linksOf(goods.get(path)) ?? links.get(path) ?? null;
    // What stet wrote a moment ago may be gone by another hand; what HEAD does not have either, stet took away.
    const isTakenAway = (path: string): boolean => told.has(path) && !atHead.has(path);
    const vanished = [...paths].filter((path) => !isTakenAway(path) && this.#isMissed(path, linksAt(path), atHead));
    const doubt = await this.#doubtOf(vanished, goods, atHead, before);
    this.#doubt = doubt;
    const changes: TableChange[] = [];
    for (const path of paths) {
      const lastGood = atHead.has(path) ? linksAt(path) : null;
      if (doubt?.answered.has(path) === true) {
        if (this.#isDelivered(path)) continue;
        const head = await this.#reader.readAtHead(path);
        if (head !== null) {
          changes.push(head);
          continue;
        }
      }
      changes.push(lastGood === null ? { kind: 'gone', path } : { kind: 'missing', path, lastGood });
    }
    return changes;
  }

  /** Whether there was something, and it is neither forgotten nor somewhere else now. */
  #isMissed(path: string, links: LastGood | null, atHead: ReadonlySet<string>): boolean {
    if (tombstonedId(path) !== null) return this.#isDelivered(path) || atHead.has(path);
    const entry = this.#table.at(path);
    const id = (entry?.kind === 'item' ? entry.file.item.id : entry?.lastGood?.id) ?? links?.id;
    if (id === undefined) return entry !== undefined || atHead.has(path);
    return !this.#table.isForgotten(id) && this.#table.pathsOf(id).every((other) => other === path);
  }

  async #doubtOf(
    vanished: readonly string[],
    goods: ReadonlyMap<string, TableChange>,
    atHead: ReadonlySet<string>,
    before: string | null,
  ): Promise<Doubt | null> {
    const known = new Set(vanished);
    for (const { path, kind } of this.#table.entries()) if (kind !== 'missing') known.add(path);
    const ofMemory = (path: string): string => (isTombstonePath(path) ? 'tombstones' : 'items');
    const ofSpace = (path: string): string => `${ofMemory(path)} ${spaceKeyOf(this.#spaceOf(path, goods))}`;
    const tooMuch = (paths: readonly string[]) => ({
      answered: findTooMuch(paths, known, ofSpace),
      held: findTooMuch(paths, known, ofMemory),
    });
    const first = tooMuch(vanished);
    if (first.answered.length + first.held.length === 0) return null;
    const hadBefore = before === this.#head ? atHead : await this.#listBefore(before, vanished);
    // What an earlier HEAD had and this one has not was taken away by git: a checkout, a pull.
    const { answered, held } = tooMuch(vanished.filter((path) => atHead.has(path) || !hadBefore.has(path)));
    if (answered.length + held.length === 0) return null;
    return { missing: new Set([...answered, ...held]), answered: new Set(answered), total: known.size };
  }

  #spaceOf(path: string, goods: ReadonlyMap<string, TableChange>): Space {
    const id = tombstonedId(path);
    if (id === null) return placeOf(path)?.space ?? null;
    const good = goods.get(path);
    return this.#table.lastGoodTombstone(id)?.space ?? (good?.kind === 'tombstone' ? good.tombstone.space : null);
  }

  #isDelivered(path: string): boolean {
    if (this.#table.at(path) !== undefined) return true;
    const id = tombstonedId(path);
    return id !== null && this.#table.isForgotten(id);
  }

  /** Which of these paths HEAD has. */
  async #listAmong(head: string | null, paths: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    if (head === null) return new Set();
    if (paths.size > FEW_PATHS) return new Set((await this.#repository.listAt(head)).filter((path) => paths.has(path)));
    const held = new Set<string>();
    for (const path of paths) {
      if (isFollowed(path) && (await this.#repository.readAt(head, path)) !== null) held.add(path);
    }
    return held;
  }

  /** The same of a former HEAD, which may be pruned by now: then nothing is known of it. */
  async #listBefore(head: string | null, paths: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      return await this.#listAmong(head, new Set(paths));
    } catch {
      return new Set();
    }
  }
}

/** The vanished paths of every group that lost too much. */
function findTooMuch(
  vanished: readonly string[],
  known: ReadonlySet<string>,
  groupOf: (path: string) => string,
): readonly string[] {
  const totals = new Map<string, number>();
  for (const path of known) totals.set(groupOf(path), (totals.get(groupOf(path)) ?? 0) + 1);
  const missing = new Map<string, string[]>();
  for (const path of vanished) missing.set(groupOf(path), [...(missing.get(groupOf(path)) ?? []), path]);
  return [...missing].flatMap(([group, paths]) =>
    isTooMuchMissing(paths.length, totals.get(group) ?? 0) ? paths : [],
  );
}

function isItemPath(path: string): boolean {
  return placeOf(path) !== null;
}

function isTombstonePath(path: string): boolean {
  return tombstonedId(path) !== null;
}

function isFollowed(path: string): boolean {
  return isItemPath(path) || isTombstonePath(path);
}

function linksOf(change: TableChange | undefined): LastGood | null {
  return change?.kind === 'item' ? lastGoodOf(change.file.item) : null;
}
