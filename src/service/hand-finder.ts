// Finds what was changed by hand: every path whose state on disk is not what the memory wants in HEAD, with what speaks
// against committing it. Looks, and changes nothing. Invariant: a change is told with the very bytes that were judged.

import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { HandChange, HandContext, Hold } from '../memory/hand-changes.ts';
import { placeOf } from '../memory/item-path.ts';
import { lastGoodOf } from '../memory/item-table.ts';
import type { Item } from '../memory/item.ts';
import { findSecrets } from '../memory/secrets.ts';
import { durationMs } from '../memory/settings.ts';
import { ITEM_FOLDERS, SETTING_FILES } from '../repo/memory-files.ts';
import type { StatusEntry } from '../repo/repository.ts';
import type { FileStamp } from '../repo/working-tree.ts';
import { judgeFile, type JudgedFile } from './judge-file.ts';
import type { Memory } from './memory.ts';

export interface FoundChange extends HandChange {
  /** The file as it was judged, and as it shall be; null for a deletion, and where it was not read. */
  readonly content: { readonly bytes: Buffer; readonly stamp: FileStamp; readonly wanted: Uint8Array } | null;
  /** When it was last changed, in ms since 1970. */
  readonly changedAtMs: number;
}

export interface Found {
  readonly changes: readonly FoundChange[];
  readonly context: HandContext;
}

/** Between so many files others get a turn. */
const YIELD_EVERY = 50;

const DEFAULT_QUIET_MS = 5_000;

type Entry = { readonly path: string; readonly state: HandChange['state'] };

export class HandFinder {
  readonly #memory: Memory;
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

  async find(): Promise<Found> {
    const { repository, table } = this.#memory;
    const quietMs = this.quietMs();
    const commit = await repository.head();
    if (commit !== this.#head.commit) this.#head = { commit, items: new Map() };
    const waiting = new Map<string, string>();
    for (const { paths, reason } of await repository.pending()) for (const path of paths) waiting.set(path, reason);
    const entries = await repository.status();
    const now = this.#memory.now();
    const changes: FoundChange[] = [];
    const secrets = this.#secrets;
    this.#secrets = new Map();
    const add = async (entry: Entry, held: Hold | null): Promise<void> => {
      const known = secrets.get(entry.path);
      if (known) this.#secrets.set(entry.path, known);
      const found = await this.#describe(entry, held);
      // What comes from the future is quiet too, or a clock that was set back would hold it for ever.
      if (found) changes.push({ ...found, isQuiet: Math.abs(now.getTime() - found.changedAtMs) >= quietMs });
      if (changes.length % YIELD_EVERY === 0) await yieldToOthers();
    };
    for (const entry of entries) await add(entry, holdByGit(entry, waiting));
    for (const path of this.#unadopted(new Set(entries.map((entry) => entry.path)))) {
      await add({ path, state: 'unadopted' }, null);
    }
    const context: HandContext = {
      pathsOf: (id) => table.pathsOf(id),
      isForgotten: (id) => table.isForgotten(id),
      now,
    };
    return { changes: changes.filter(({ state, content }) => state !== 'unadopted' || isAdopted(content)), context };
  }

  /** HEAD has moved by a commit of these paths alone: of all others it still has what it had. */
  headMoved(commit: string, parent: string | null, paths: Iterable<string>): void {
    if (parent !== this.#head.commit) return;
    const { items } = this.#head;
    for (const path of paths) items.delete(path);
    this.#head = { commit, items };
  }

  /** Items that are as HEAD has them and lack keys that stet needs. */
  *#unadopted(listed: ReadonlySet<string>): Iterable<string> {
    for (const entry of this.#memory.table.entries()) {
      if (entry.kind !== 'item' || listed.has(entry.path)) continue;
      if (entry.file.missing.length > 0 || entry.file.narrows) yield entry.path;
    }
  }

  async #describe({ path, state }: Entry, held: Hold | null): Promise<Omit<FoundChange, 'isQuiet'> | null> {
    const { tree, table, doubt } = this.#memory;
    const headItem = state === 'added' ? null : await this.#itemAtHead(path);
    const head = headItem && lastGoodOf(headItem);
    const unread = { path, state, head, now: null, mentions: [], isCopy: false, content: null, changedAtMs: 0 };
    if (state === 'deleted') {
      const isDoubted = doubt?.missing.has(path) === true;
      const hold = held ?? (isDoubted ? TOO_MUCH_MISSING : SETTING_FILES.includes(path) ? SETTINGS_MISSING : null);
      return { ...unread, hold, changedAtMs: tree.vanishedAtMs(path) };
    }
    const read = tree.read(path);
    switch (read.status) {
      case 'gone':
        // Since the scan: the next look tells what it was.
        return null;
      case 'unreadable':
        return { ...unread, hold: held ?? { code: 'unreadable', errno: read.errno } };
      case 'not-a-regular-file':
        return { ...unread, hold: held ?? { code: 'unusable', line: 1, message: 'it is no ordinary file' } };
      case 'too-large':
        return { ...unread, hold: held ?? { code: 'unusable', line: 1, message: 'it is larger than 1 MB' } };
      case 'read': {
        const { bytes, stamp } = read;
        const modified = new Date(Number(stamp.modifiedNs / 1_000_000n));
        const file = { path, bytes, modified, headItem: headItem ?? undefined, isNew: state === 'added' };
        const judged = judgeFile(file, table, this.#memory.now());
        const { item: now, wanted, mentions, isCopy } = judged;
        const content = { bytes, stamp, wanted };
        const changedAtMs = Number(stamp.changedNs / 1_000_000n);
        const hold = held ?? this.#holdByContent(path, judged) ?? (await this.#secretIn(path, bytes, stamp));
        return { path, state, head, now, mentions, isCopy, content, changedAtMs, hold };
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

  async #itemAtHead(path: string): Promise<Item | null> {
    if (placeOf(path) === null) return null;
    const { items } = this.#head;
    const known = items.get(path);
    if (known !== undefined) return known;
    const change = await this.#memory.readAtHead(path);
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

function holdByGit(entry: StatusEntry, waiting: ReadonlyMap<string, string>): Hold | null {
  if (entry.ignored) return { code: 'ignored' };
  if (entry.staged) return { code: 'staged' };
  const reason = waiting.get(entry.path);
  return reason === undefined ? null : { code: 'commit-waits', reason };
}

function isAdopted(content: FoundChange['content']): boolean {
  return content !== null && content.wanted !== content.bytes;
}

/** In a folder of items, and neither an item nor a page for people. */
function isUnknownAmongItems(path: string): boolean {
  return ITEM_FOLDERS.includes(path.slice(0, path.indexOf('/'))) && !/\/readme\.md$/i.test(path);
}
