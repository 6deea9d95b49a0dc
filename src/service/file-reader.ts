// From paths to what the table learns of them. Reads the working tree; asks HEAD only where a file alone cannot tell:
// what a broken file still links, which of two files with one id came first, what an editor's stale buffer dropped.
// Invariants: what cannot be read is reported as unreadable, never as gone (what `gone` means is `Disappearances`'
// business); a file counts as known only once its reader has said that the table learnt of it.

import { parseItemFile, type ItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import type { Item, Problem, Space } from '../memory/item.ts';
import { lastGoodOf, type ItemTable, type LastGood, type TableChange } from '../memory/item-table.ts';
import { parseTombstone, tombstonedId } from '../memory/tombstone.ts';
import type { GitRepository } from '../repo/repository.ts';
import { Turns } from '../repo/turns.ts';
import type { FileStamp, ReadFileResult, SkipReason, UnreadablePath, WorkingTreeScan } from '../repo/working-tree.ts';
import { findLastGood } from './last-good.ts';
import type { Stamp } from './table-snapshot.ts';
import type { WorkingTree } from './working-tree-port.ts';

export type Read = TableChange | { kind: 'unreadable'; path: string; errno: string };

export interface ReadBatch {
  readonly reads: readonly Read[];
  /** What the files were when they were read, for {@link FileReader.accept}; null where there is none to know again. */
  readonly stamps: ReadonlyMap<string, Stamp | null>;
}

export interface ScanOutcome {
  /** Paths to read: new, changed, or gone since. */
  readonly changed: readonly string[];
  readonly unreadable: readonly UnreadablePath[];
  /** What there was in the folders of items; null where the memory is gone. */
  readonly items: WorkingTreeScan | null;
}

const ITEM_FOLDERS = ['personal', 'spaces'] as const;

/** A file changed as lately as this before its stamp was taken may have changed again unseen (clocks are coarse). */
const RACY_MS = 2_000;

export interface FileReaderParts {
  readonly repository: GitRepository;
  readonly table: ItemTable;
  /** What a space is called now, by any of its names. */
  readonly presentName: (space: string) => string;
  readonly tree: WorkingTree;
}

export class FileReader {
  readonly #repository: GitRepository;
  readonly #table: ItemTable;
  readonly #presentName: (space: string) => string;
  readonly #tree: WorkingTree;
  readonly #stamps = new Map<string, Stamp>();
  #takenAtMs = 0;

  constructor({ repository, table, presentName, tree }: FileReaderParts) {
    this.#repository = repository;
    this.#table = table;
    this.#presentName = presentName;
    this.#tree = tree;
  }

  /** Takes over the stamps of a snapshot; files that were young then are read again. */
  adoptStamps(stamps: ReadonlyMap<string, Stamp>, savedAtMs: number): void {
    for (const [path, stamp] of stamps) {
      if (modifiedMs(stamp) < savedAtMs - RACY_MS) this.#stamps.set(path, stamp);
    }
  }

  stamps(): { takenAtMs: number; byPath: ReadonlyMap<string, Stamp> } {
    return { takenAtMs: this.#takenAtMs, byPath: this.#stamps };
  }

  /** Compares every folder with what is known. Nothing is read yet. */
  async scan(): Promise<ScanOutcome> {
    this.#takenAtMs = Date.now();
    const absence = this.#tree.whyAbsent();
    if (absence !== null) return { changed: [], unreadable: [absence], items: null };
    const items = await this.#tree.scanItems(ITEM_FOLDERS);
    const tombstones = await this.#tree.scanTombstones();
    const unreadable = [...items.unreadable, ...tombstones.unreadable];
    const changed = new Set<string>();
    const unusable = new Set<string>();
    for (const { files } of [items, tombstones]) {
      for (const [path, stamp] of files) if (this.#stamps.get(path) !== toStamp(stamp)) changed.add(path);
    }
    const closed: UnreadablePath[] = [];
    for (const { path, reason } of items.skipped) {
      if (reason === 'nested-repository') closed.push({ path, errno: 'a git repository of its own' });
      if (reason === 'name-not-utf8') closed.push({ path, errno: 'its name is not UTF-8' });
      if (placeOf(path) === null || reason === 'name-not-utf8') continue;
      unusable.add(path);
      changed.add(path);
    }
    for (const change of this.#table.entries()) {
      const { path } = change;
      if (items.files.has(path) || tombstones.files.has(path) || unusable.has(path)) continue;
      if (!unreadable.some((closedAt) => isAtOrBelow(path, closedAt.path))) changed.add(path);
    }
    return { changed: [...changed], unreadable: [...unreadable, ...closed], items };
  }

  /** What each path came to. A path that names a folder stands for everything that was known below it. */
  async read(paths: readonly string[]): Promise<ReadBatch> {
    const stamps = new Map<string, Stamp | null>();
    return { reads: await this.#readAll(paths, stamps), stamps };
  }

  /** The table has learnt what was read: these files are looked at again only once they change. */
  accept(stamps: ReadBatch['stamps']): void {
    for (const [path, stamp] of stamps) {
      if (stamp === null) this.#stamps.delete(path);
      else this.#stamps.set(path, stamp);
    }
  }

  /** Tells committed from uncommitted where two files claim one id; empty where that changes nothing. */
  async settleContested(): Promise<readonly TableChange[]> {
    const changes: TableChange[] = [];
    for (const { paths } of this.#table.contested()) {
      for (const path of paths) {
        const entry = this.#table.at(path);
        if (entry?.kind !== 'item') continue;
        const committed = (await this.#repository.readHead(path)) !== null;
        if (committed !== entry.committed) changes.push({ ...entry, committed });
      }
    }
    return changes;
  }

  /** Whether a file is certainly not there. */
  isGone(path: string): boolean {
    return this.#tree.read(path).status === 'gone';
  }

  /** What HEAD has at a path, as the table would learn it; null when that is no usable item or tombstone. */
  async readAtHead(path: string): Promise<TableChange | null> {
    const bytes = await this.#repository.readHead(path);
    return bytes === null ? null : this.#changeOf(path, bytes);
  }

  /** The same of the newest commit that has a usable version of this file, as long as HEAD has the file at all. */
  async readLastGood(path: string): Promise<TableChange | null> {
    const bytes = await this.#repository.readHead(path);
    if (bytes === null) return null;
    const head = this.#changeOf(path, bytes);
    return head ?? findLastGood(this.#repository, path, (former) => this.#changeOf(path, former));
  }

  /** The same links, in the space that goes by another name since. */
  underPresentName(lastGood: LastGood): LastGood {
    return { ...lastGood, space: this.#present(lastGood.space) };
  }

  #changeOf(path: string, bytes: Uint8Array): TableChange | null {
    if (tombstonedId(path) !== null) {
      const parsed = parseTombstone({ path, bytes });
      if (!parsed.ok) return null;
      return { kind: 'tombstone', path, tombstone: { ...parsed.value, space: this.#present(parsed.value.space) } };
    }
    const parsed = placeOf(path) === null ? null : parseItemFile({ path, bytes, modified: new Date(0) });
    return parsed?.ok ? { ...this.#item(path, parsed.value), committed: true } : null;
  }

  async #readAll(paths: readonly string[], stamps: Map<string, Stamp | null>): Promise<readonly Read[]> {
    const reads: Read[] = [];
    const turns = new Turns();
    for (const path of paths) {
      if (turns.isOver) await turns.pass();
      const tombstoned = tombstonedId(path);
      const isFile = tombstoned !== null || placeOf(path) !== null;
      if (!isFile) {
        reads.push(...(await this.#readAll(await this.#pathsBelow(path), stamps)));
        continue;
      }
      const result = this.#tree.read(path);
      if (result.status !== 'unreadable') stamps.set(path, stampOf(result));
      reads.push(
        tombstoned === null ? await this.#toItem(path, result) : await this.#toTombstone(path, tombstoned, result),
      );
    }
    return reads;
  }

  async #toItem(path: string, result: ReadFileResult): Promise<Read> {
    switch (result.status) {
      case 'gone':
        return { kind: 'gone', path };
      case 'unreadable':
        return { kind: 'unreadable', path, errno: result.errno };
      case 'not-a-regular-file':
        return this.#bad(path, [{ line: 1, message: explainType(result.type) }]);
      case 'too-large':
        return this.#bad(path, [
          { line: 1, message: 'the file is larger than 1 MB. Keep one statement, and point to the rest.' },
        ]);
      case 'read': {
        const modified = new Date(modifiedMs(toStamp(result.stamp)));
        const file = { path, bytes: result.bytes, modified, isTaken: (id: string) => this.#table.isForgotten(id) };
        const parsed = parseItemFile(file);
        if (!parsed.ok) return this.#bad(path, parsed.problems);
        if (!parsed.value.missing.includes('id')) return this.#item(path, parsed.value);
        const headItem = await this.#lastGoodItem(path);
        const again = headItem === null ? parsed : parseItemFile({ ...file, headItem });
        return again.ok ? this.#item(path, again.value) : this.#bad(path, again.problems);
      }
    }
  }

  async #toTombstone(path: string, id: string, result: ReadFileResult): Promise<Read> {
    switch (result.status) {
      case 'gone':
        return { kind: 'gone', path };
      case 'unreadable':
        return { kind: 'unreadable', path, errno: result.errno };
      case 'not-a-regular-file':
        return this.#badTombstone(path, id, [{ line: 1, message: explainType(result.type) }]);
      case 'too-large':
        return this.#badTombstone(path, id, [{ line: 1, message: 'the file is larger than 1 MB.' }]);
      case 'read': {
        const parsed = parseTombstone({ path, bytes: result.bytes });
        if (!parsed.ok) return this.#badTombstone(path, id, parsed.problems);
        return { kind: 'tombstone', path, tombstone: { ...parsed.value, space: this.#present(parsed.value.space) } };
      }
    }
  }

  /** A tombstone that cannot be read still forgets, and the links that it had stay in force. */
  async #badTombstone(path: string, id: string, problems: readonly Problem[]): Promise<TableChange> {
    const known = this.#table.lastGoodTombstone(id);
    if (known) return { kind: 'bad-tombstone', path, id, problems, lastGood: this.underPresentName(known) };
    const good = await this.readLastGood(path);
    const tombstone = good?.kind === 'tombstone' ? good.tombstone : null;
    const lastGood = tombstone && { id, space: tombstone.space, supersedes: tombstone.supersedes };
    return { kind: 'bad-tombstone', path, id, problems, lastGood };
  }

  /** A space that was renamed is one space, whichever of its names a file still has. */
  #present(space: Space): Space {
    return space === null ? null : this.#presentName(space);
  }

  #item(path: string, file: ItemFile): Extract<TableChange, { kind: 'item' }> {
    const space = this.#present(file.item.space);
    const known = space === file.item.space ? file : { ...file, item: { ...file.item, space } };
    return { kind: 'item', path, file: known, committed: false };
  }

  /** A folder was renamed or removed, or appeared: everything known below it, and everything there now. */
  async #pathsBelow(folder: string): Promise<readonly string[]> {
    const known = [...this.#table.entries()].map(({ path }) => path).filter((path) => isAtOrBelow(path, folder));
    const isItemFolder = ITEM_FOLDERS.some((top) => isAtOrBelow(folder, top));
    const present = isItemFolder ? [...(await this.#tree.scanItems([folder])).files.keys()] : [];
    return [...new Set([...known, ...present])].filter((path) => path !== folder);
  }

  async #bad(path: string, problems: readonly Problem[]): Promise<TableChange> {
    const space = this.#present(placeOf(path)?.space ?? null);
    return { kind: 'bad', path, space, problems, lastGood: await this.#lastGood(path) };
  }

  /** The links that a file had while it was good: those the table knows, else those of its last good commit. */
  async #lastGood(path: string): Promise<LastGood | null> {
    const known = this.#table.at(path);
    if (known?.kind === 'bad') return known.lastGood && this.underPresentName(known.lastGood);
    const item = known?.kind === 'item' ? known.file.item : await this.#lastGoodItem(path);
    return item && this.underPresentName(lastGoodOf(item));
  }

  async #lastGoodItem(path: string): Promise<Item | null> {
    const change = await this.readLastGood(path);
    return change?.kind === 'item' ? change.file.item : null;
  }
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function toStamp(stamp: FileStamp): Stamp {
  return `${stamp.modifiedNs} ${stamp.changedNs} ${stamp.size} ${stamp.inode}`;
}

function stampOf(result: ReadFileResult): Stamp | null {
  return result.status === 'read' || result.status === 'too-large' ? toStamp(result.stamp) : null;
}

/** When the content last changed, or the file was put in place, whichever is later. */
function modifiedMs(stamp: Stamp): number {
  // A double holds nanoseconds since 1970 to a quarter of a microsecond.
  return Math.floor(Number(stamp.slice(0, stamp.indexOf(' '))) / 1e6);
}

function explainType(type: SkipReason): string {
  switch (type) {
    case 'symbolic-link':
      return 'a symbolic link is not followed. Put the file itself here.';
    case 'folder':
      return 'this is a folder named like an item. Rename it.';
    case 'special-file':
      return 'this is no regular file. Remove it.';
    case 'nested-repository':
      return 'this folder is a git repository of its own. Move it out of the memory.';
    case 'name-not-utf8':
      return 'the name is not UTF-8. Rename the file.';
  }
}
