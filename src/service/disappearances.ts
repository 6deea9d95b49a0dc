// Files that were there and are not. Some are believed to be gone; an item that HEAD still has leaves its links in force
// until its deletion is committed; and when more than half vanishes at once, nothing is believed: what is missing is
// answered as it was until the files are back, git says so too, or the user settles it.
// Invariant: what is told depends on the disk, HEAD and the table alone, so that every process comes to the same.

import { isTooMuchMissing } from '../memory/hand-changes.ts';
import { placeOf } from '../memory/item-path.ts';
import type { ItemTable, LastGood, TableChange } from '../memory/item-table.ts';
import { tombstonedId } from '../memory/tombstone.ts';
import type { GitRepository } from '../repo/repository.ts';
import type { FileReader } from './file-reader.ts';

/** So much is missing that it is not believed. */
export interface Doubt {
  readonly missing: ReadonlySet<string>;
  /** How many files there were. */
  readonly total: number;
}

/** In words, for the user; null where there is nothing to say. */
export function describeDoubt(doubt: Doubt | null): string | null {
  if (doubt === null) return null;
  const { missing, total } = doubt;
  return `${missing.size} of ${total} files are missing. That may be a mistake, so they are answered as they were, and no commit removes them. \`stet doctor --fix\` brings them back, \`stet doctor --forget-missing\` forgets them.`;
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
    const links = new Map(Array.from(this.#table.missing(), ({ path, lastGood }) => [path, lastGood] as const));
    const again = [...links.keys(), ...(this.#doubt?.missing ?? [])];
    const paths = new Set([...gone, ...again.filter((path) => this.#reader.isGone(path))]);
    if (paths.size === 0) {
      this.#doubt = null;
      return [];
    }
    const atHead = await this.#listAmong(this.#head, paths);
    const heads = new Map<string, TableChange>();
    for (const path of atHead) {
      const head = before === this.#head && links.has(path) ? null : await this.#reader.readAtHead(path);
      if (head !== null) heads.set(path, head);
    }
    const linksAt = (path: string): LastGood | null => linksOf(heads.get(path)) ?? links.get(path) ?? null;
    // What stet wrote a moment ago may be gone by another hand; what HEAD does not have either, stet took away.
    const isTakenAway = (path: string): boolean => told.has(path) && !atHead.has(path);
    const vanished = [...paths].filter((path) => !isTakenAway(path) && this.#isMissed(path, linksAt(path), atHead));
    const doubt = await this.#doubtOf(vanished, atHead, before);
    this.#doubt = doubt;
    const changes: TableChange[] = [];
    for (const path of paths) {
      const lastGood = atHead.has(path) ? linksAt(path) : null;
      if (doubt?.missing.has(path) === true) {
        if (this.#isDelivered(path)) continue;
        const head = heads.get(path) ?? (await this.#reader.readAtHead(path));
        if (head !== null) changes.push(head);
      } else {
        changes.push(lastGood === null ? { kind: 'gone', path } : { kind: 'missing', path, lastGood });
      }
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
    atHead: ReadonlySet<string>,
    before: string | null,
  ): Promise<Doubt | null> {
    const known = new Set(vanished);
    for (const { path, kind } of this.#table.entries()) if (kind !== 'missing') known.add(path);
    const tooMuch = (paths: readonly string[]): readonly string[] =>
      [isTombstonePath, isItemPath].flatMap((isOfKind) => {
        const missing = paths.filter((path) => isOfKind(path));
        return isTooMuchMissing(missing.length, [...known].filter((path) => isOfKind(path)).length) ? missing : [];
      });
    if (tooMuch(vanished).length === 0) return null;
    const hadBefore = before === this.#head ? atHead : await this.#listBefore(before, vanished);
    // What an earlier HEAD had and this one has not was taken away by git: a checkout, a pull.
    const missing = tooMuch(vanished.filter((path) => atHead.has(path) || !hadBefore.has(path)));
    return missing.length === 0 ? null : { missing: new Set(missing), total: known.size };
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
  if (change?.kind !== 'item') return null;
  const { id, space, supersedes } = change.file.item;
  return { id, space, supersedes };
}
