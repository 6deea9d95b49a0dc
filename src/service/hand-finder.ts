// Finds what was changed by hand: every path whose state on disk is not what the memory wants in HEAD, with what speaks
// against committing it. Looks, and changes nothing. Invariants: a change is told with the very bytes that were judged;
// a file that is not quiet yet is not judged at all.

import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { HandChange, HandContext, Hold } from '../memory/hand-changes.ts';
import { placeOf } from '../memory/item-path.ts';
import { lastGoodOf, type TableChange } from '../memory/item-table.ts';
import type { Item } from '../memory/item.ts';
import { findSecrets } from '../memory/secrets.ts';
import { durationMs } from '../memory/settings.ts';
import { ITEM_FOLDERS, SETTING_FILES } from '../repo/memory-files.ts';
import type { StatusEntry } from '../repo/repository.ts';
import type { FileStamp, WorkingTreeScan } from '../repo/working-tree.ts';
import { judgeFile, mentionedIds, type JudgedFile } from './judge-file.ts';
import type { Memory } from './memory.ts';

export interface FoundChange extends HandChange {
  /** The file as it was judged, and as it shall be; null for a deletion, and where it was not judged. */
  readonly content: { readonly bytes: Buffer; readonly stamp: FileStamp; readonly wanted: Uint8Array } | null;
  /** When it was last changed, in ms since 1970. */
  readonly changedAtMs: number;
}

/** A path that differs from HEAD, or is as HEAD has it and lacks keys that stet needs. */
type Entry = StatusEntry | { readonly path: string; readonly state: 'unadopted' };

export interface Found {
  readonly changes: readonly FoundChange[];
  /** What was not looked at, because there was enough. */
  readonly rest: readonly Entry[];
  readonly context: HandContext;
}

/** Between so many files others get a turn. */
const YIELD_EVERY = 50;

const DEFAULT_QUIET_MS = 5_000;

export class HandFinder {
  readonly #memory: Memory;
  /** Ids that an unusable file seems to carry, by what the table holds of it. */
  readonly #mentions = new WeakMap<TableChange, readonly string[]>();
  /** What was found in a file, by path, while its stamp is the same. */
  #secrets = new Map<string, { readonly stamp: string; readonly hold: Hold | null }>();
  #head: { readonly commit: string | null; readonly items: Map<string, Item | null> } = {
    commit: null,
    items: new Map(),
  };

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** How long a file must be quiet, by the setting. */
  quietMs(): number {
    return durationMs(this.#memory.config.setting('commit.quiet')) ?? DEFAULT_QUIET_MS;
  }

  /**
   * `enough`: so many changes that are ready to be committed; the rest is left for another time. `items`: what a
   * scan of the item folders found a moment ago.
   */
  async find(enough: number, items?: WorkingTreeScan): Promise<Found> {
    const { repository, table } = this.#memory;
    const commit = await repository.head();
    if (commit !== this.#head.commit) this.#head = { commit, items: new Map() };
    const waiting = new Map<string, string>();
    for (const { paths, reason } of await repository.pending()) for (const path of paths) waiting.set(path, reason);
    const ordered = this.#inOrderOfIds(await this.#entries(items));
    const context: HandContext = {
      pathsOf: (id) => table.pathsOf(id),
      isForgotten: (id) => table.isForgotten(id),
      mentionedIn: (id) => this.#findMention(id),
      now: this.#memory.now(),
    };
    const changes: FoundChange[] = [];
    let ready = 0;
    let seen = 0;
    for (const { entry, id } of ordered) {
      // Not between the two halves of a move.
      if (ready >= enough && id !== ordered[seen - 1]?.id) break;
      if (++seen % YIELD_EVERY === 0) await yieldToOthers();
      const change = await this.#describe(entry, holdByGit(entry, waiting), context.now);
      if (change === null) continue;
      changes.push(change);
      if (change.isQuiet && change.hold === null) ready++;
    }
    const present = new Set(ordered.map(({ entry }) => entry.path));
    for (const path of this.#secrets.keys()) if (!present.has(path)) this.#secrets.delete(path);
    return { changes, rest: ordered.slice(seen).map(({ entry }) => entry), context };
  }

  /** HEAD has moved by a commit of these paths alone: of all others it still has what it had. */
  headMoved(commit: string, parent: string | null, paths: Iterable<string>): void {
    if (parent !== this.#head.commit) return;
    const { items } = this.#head;
    for (const path of paths) items.delete(path);
    this.#head = { commit, items };
  }

  async #entries(items?: WorkingTreeScan): Promise<readonly Entry[]> {
    const differing = await this.#memory.repository.status(items);
    const listed = new Set(differing.map(({ path }) => path));
    const unadopted = Array.from(this.#memory.table.entries()).flatMap((entry): Entry[] => {
      if (entry.kind !== 'item' || listed.has(entry.path)) return [];
      const isComplete = entry.file.missing.length === 0 && !entry.file.narrows;
      return isComplete ? [] : [{ path: entry.path, state: 'unadopted' }];
    });
    return [...differing, ...unadopted];
  }

  /** Together what has an id in common, by what the table knows. */
  #inOrderOfIds(entries: readonly Entry[]): ReadonlyArray<{ readonly entry: Entry; readonly id: string }> {
    const { table } = this.#memory;
    const missing = new Map(Array.from(table.missing(), ({ path, lastGood }) => [path, lastGood.id] as const));
    return entries
      .map((entry) => {
        const known = table.at(entry.path);
        const id = known?.kind === 'item' ? known.file.item.id : missing.get(entry.path);
        return { entry, id: id ?? entry.path };
      })
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  async #describe({ path, state }: Entry, held: Hold | null, now: Date): Promise<FoundChange | null> {
    const { tree, table, doubt } = this.#memory;
    const headItem = state === 'added' ? null : await this.#itemAtHead(path);
    const head = headItem && lastGoodOf(headItem);
    const unjudged = { path, state, head, now: null, isCopy: false, content: null, changedAtMs: 0, isQuiet: true };
    // What comes from the future is quiet too, or a clock that was set back would hold it for ever.
    const isQuiet = (changedAtMs: number) => Math.abs(now.getTime() - changedAtMs) >= this.quietMs();
    if (state === 'deleted') {
      const isDoubted = doubt?.missing.has(path) === true;
      const hold = held ?? (isDoubted ? TOO_MUCH_MISSING : SETTING_FILES.includes(path) ? SETTINGS_MISSING : null);
      const changedAtMs = tree.vanishedAtMs(path);
      return { ...unjudged, hold, changedAtMs, isQuiet: isQuiet(changedAtMs) };
    }
    const known = table.at(path);
    const knownFile = known?.kind === 'item' ? known.file : null;
    if (held !== null) return { ...unjudged, now: knownFile, hold: held };
    const read = tree.read(path);
    switch (read.status) {
      case 'gone':
        // Since the scan: the next look tells what it was.
        return null;
      case 'unreadable':
        return { ...unjudged, hold: { code: 'unreadable', errno: read.errno } };
      case 'not-a-regular-file':
        return { ...unjudged, hold: { code: 'unusable', line: 1, message: 'it is no ordinary file' } };
      case 'too-large':
        return { ...unjudged, hold: { code: 'unusable', line: 1, message: 'it is larger than 1 MB' } };
      case 'read': {
        const { bytes, stamp } = read;
        const changedAtMs = Number(stamp.changedNs / 1_000_000n);
        if (!isQuiet(changedAtMs)) return { ...unjudged, now: knownFile, hold: null, changedAtMs, isQuiet: false };
        const modified = new Date(Number(stamp.modifiedNs / 1_000_000n));
        const file = { path, bytes, modified, headItem: headItem ?? undefined, isNew: state === 'added' };
        const judged = judgeFile(file, table, now);
        if (state === 'unadopted' && judged.wanted === bytes) return null;
        const { item, wanted, isCopy } = judged;
        const hold = this.#holdByContent(path, judged) ?? (await this.#secretIn(path, bytes, stamp));
        return { ...unjudged, now: item, isCopy, content: { bytes, stamp, wanted }, changedAtMs, hold };
      }
    }
  }

  #holdByContent(path: string, { item, problem, original, isCopy }: JudgedFile): Hold | null {
    if (problem) return { code: 'unusable', line: problem.line, message: problem.message };
    if (item === null) return isUnknownAmongItems(path) ? NO_ITEM : null;
    const { id } = item.item;
    if (this.#memory.table.isForgotten(id)) return { code: 'forgotten', id };
    return original === null || isCopy ? null : { code: 'same-id', id, other: original };
  }

  /** A file that cannot be used as it stands, but seems to carry this id. */
  #findMention(id: string): string | null {
    for (const entry of this.#memory.table.entries()) {
      if (entry.kind === 'bad' && this.#mentionsOf(entry).includes(id)) return entry.path;
    }
    return null;
  }

  #mentionsOf(entry: TableChange): readonly string[] {
    const known = this.#mentions.get(entry);
    if (known !== undefined) return known;
    const read = this.#memory.tree.read(entry.path);
    const ids = mentionedIds(entry.path, read.status === 'read' ? read.bytes : new Uint8Array());
    this.#mentions.set(entry, ids);
    return ids;
  }

  /** What was here when HEAD's file, which may be broken, was good last. */
  async #itemAtHead(path: string): Promise<Item | null> {
    if (placeOf(path) === null) return null;
    const { items } = this.#head;
    const known = items.get(path);
    if (known !== undefined) return known;
    const change = await this.#memory.readLastGood(path);
    const item = change?.kind === 'item' ? change.file.item : null;
    items.set(path, item);
    return item;
  }

  async #secretIn(path: string, bytes: Buffer, stamp: FileStamp): Promise<Hold | null> {
    const look = `${stamp.inode} ${stamp.size} ${stamp.modifiedNs} ${stamp.changedNs}`;
    const known = this.#secrets.get(path);
    if (known?.stamp === look) return known.hold;
    const [found] = await findSecrets(bytes.toString('utf8'));
    const hold: Hold | null = found ? { code: 'secret', rule: found.rule, line: found.line } : null;
    this.#secrets.set(path, { stamp: look, hold });
    return hold;
  }
}

const TOO_MUCH_MISSING: Hold = { code: 'too-much-missing' };
const SETTINGS_MISSING: Hold = { code: 'settings-missing' };
const NO_ITEM: Hold = { code: 'no-item' };

function holdByGit(entry: Entry, waiting: ReadonlyMap<string, string>): Hold | null {
  if (entry.state === 'unadopted') return null;
  if (entry.ignored) return { code: 'ignored' };
  if (entry.staged) return { code: 'staged' };
  const reason = waiting.get(entry.path);
  return reason === undefined ? null : { code: 'commit-waits', reason };
}

/** In a folder of items, and neither an item nor a page for people. */
function isUnknownAmongItems(path: string): boolean {
  return ITEM_FOLDERS.includes(path.slice(0, path.indexOf('/'))) && !/\/readme\.md$/i.test(path);
}
