// What answering needs of a memory, present or past: a table, an index that follows it, the configuration, a day.

import type { IndexDocument, MemoryIndex } from '../index/memory-index.ts';
import { localDay } from '../memory/calendar-day.ts';
import type { Item } from '../memory/item.ts';
import { ItemTable } from '../memory/item-table.ts';
import { visibleSpaces, type Session } from '../memory/session.ts';
import { View } from '../memory/view.ts';
import type { GitRepository } from '../repo/repository.ts';
import type { Config } from './config.ts';

/** So many views are kept; each is small, and a session asks for the same one again and again. */
const VIEWS_KEPT = 200;

export abstract class Reading {
  readonly repository: GitRepository;
  readonly index: MemoryIndex;
  readonly table = new ItemTable();
  /** The moment at which currency is judged. */
  readonly now: () => Date;
  readonly #opened = new Map<string, Promise<void>>();
  readonly #views = new Map<string, { version: number; view: View }>();

  constructor(parts: { repository: GitRepository; index: MemoryIndex; now: () => Date }) {
    this.repository = parts.repository;
    this.index = parts.index;
    this.now = parts.now;
  }

  abstract get config(): Config;

  /** Takes in what has changed since; returns at once when nothing has. */
  abstract refresh(): Promise<void>;

  /** What an agent should pass on of the files themselves; nothing of a space that the view does not see. */
  notesOn(_view: View): readonly string[] {
    return [];
  }

  /** The view of a session as of now; kept until the table or the day changes. */
  view(session: Session): View {
    return this.viewOf(visibleSpaces(session));
  }

  /** `spaces`: keys as of `spaceKeyOf`. */
  viewOf(spaces: readonly string[]): View {
    const today = localDay(this.now());
    const key = `${today} ${spaces.join('\n')}`;
    const known = this.#views.get(key);
    if (known?.version === this.table.version) return known.view;
    const view = new View(this.table, spaces, today);
    if (this.#views.size > VIEWS_KEPT) this.#views.clear();
    this.#views.set(key, { version: this.table.version, view });
    return view;
  }

  /** Makes sure that the index holds these partitions. */
  async openPartitions(spaces: readonly string[]): Promise<void> {
    await Promise.all(spaces.map((space) => this.#openOnce(space)));
  }

  #openOnce(space: string): Promise<void> {
    const known = this.#opened.get(space);
    if (known) return known;
    const opening = this.#openPartition(space);
    this.#opened.set(space, opening);
    // A failure is of those alone who wait for it: the next call tries again.
    opening.catch(() => this.#opened.delete(space));
    return opening;
  }

  async #openPartition(space: string): Promise<void> {
    const { version } = this.table;
    const before = this.#documents(space);
    await this.index.open(space, before);
    if (this.table.version === version) return;
    // What changed while the partition was opened went past the index: say it again.
    const put = this.#documents(space);
    const present = new Set(put.map(({ id }) => id));
    const remove = before.map(({ id }) => id).filter((id) => !present.has(id));
    this.index.apply([{ partition: space, put, remove }]);
  }

  #documents(space: string): readonly IndexDocument[] {
    return Array.from(this.table.inSpaceKey(space), ({ file }) => toDocument(file.item));
  }
}

export function toDocument(item: Item): IndexDocument {
  return {
    id: item.id,
    statement: item.statement,
    text: item.text,
    kind: item.kind,
    tags: item.tags,
    target: item.target ?? null,
    created: item.created,
  };
}
