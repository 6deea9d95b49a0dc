// What happened, in words: who stored, superseded, edited or forgot what. Read from git; nothing is kept beside it.

import { normaliseAgent } from '../memory/agent-name.ts';
import { StetError } from '../memory/failure.ts';
import { parseItemFile } from '../memory/item-file.ts';
import { idInPath, placeOf } from '../memory/item-path.ts';
import { PERSONAL_KEY, spaceKeyOf } from '../memory/space-key.ts';
import { sameSpaceName } from '../memory/space-name.ts';
import { tombstonePath } from '../memory/tombstone.ts';
import type { HistoryEntry } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import type { Memory } from './memory.ts';
import { findBound, findMoment, type MomentArgument } from './moment.ts';

export interface LogRequest {
  /** The chain of this item alone. */
  readonly id?: string;
  /** A space's name, or `personal`. */
  readonly space?: string;
  readonly agent?: string;
  /** Bounds as `findBound` takes them. */
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

export interface LogEntry {
  readonly commit: string;
  /** ISO 8601. */
  readonly time: string;
  readonly author: string;
  /** `remember`, `supersede`, `edit`, `forget`, …: the first word of the subject. */
  readonly operation: string;
  /** The subject without it. */
  readonly what: string;
  /** Ids that the commit speaks of. */
  readonly items: readonly string[];
}

/** One version of an item's file. */
export interface Version {
  /** Null for the working tree. */
  readonly commit: string | null;
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Newest first. Throws `not-possible` for an id that this memory never had. */
export async function listLog(memory: Memory, request: LogRequest): Promise<readonly LogEntry[]> {
  await memory.refresh();
  const since = request.since === undefined ? null : await boundOf(memory, request.since, '--since');
  const until = request.until === undefined ? null : await boundOf(memory, request.until, '--until');
  const entries: LogEntry[] = [];
  const source = request.id === undefined ? memory.repository.commits() : await chainCommits(memory, request.id);
  for await (const commit of source) {
    if (entries.length >= request.limit) break;
    if (since !== null && commit.at < since) continue;
    if (until !== null && commit.at > until) continue;
    if (request.agent !== undefined && !isBy(commit, request.agent)) continue;
    if (request.space !== undefined && !isIn(memory, commit, request.space)) continue;
    entries.push(describe(commit));
  }
  return entries;
}

/** The versions of an item's file that git has, newest first, the working tree's before them where it differs. */
export async function listVersions(memory: Memory, id: string): Promise<readonly Version[]> {
  const versions: Version[] = [];
  const path = memory.table.get(id)?.path;
  if (path !== undefined) {
    const now = readItemFile(memory.repository.root, path);
    if (now.status === 'read') versions.push({ commit: null, path, bytes: now.bytes });
  }
  for (const entry of path === undefined ? await forgottenHistory(memory, id) : await memory.repository.log(path)) {
    const bytes = entry.path === null ? null : await memory.repository.readAt(entry.commit, entry.path);
    if (bytes === null || entry.path === null) continue;
    const newer = versions.at(-1);
    if (newer?.commit === null && Buffer.compare(newer.bytes, bytes) === 0) versions.pop();
    versions.push({ commit: entry.commit, path: entry.path, bytes });
  }
  if (versions.length === 0) throw unknownId(id);
  return versions;
}

/** The file of an item as it stood at a moment. Throws `not-possible` where it did not exist. */
export async function versionAt(
  memory: Memory,
  id: string,
  moment: string,
  argument: MomentArgument,
): Promise<Version> {
  const { commit } = await findMoment(memory.repository, moment, memory.now(), argument);
  for (const path of await memory.repository.listAt(commit)) {
    if (placeOf(path) === null) continue;
    const named = idInPath(path);
    if (named !== null && named !== id) continue;
    const bytes = await memory.repository.readAt(commit, path);
    if (bytes !== null && idOf(path, bytes) === id) return { commit, path, bytes };
  }
  throw new StetError({
    code: 'not-possible',
    subject: id,
    reason: `there was no such item at ${moment}`,
    hint: `Run \`stet log ${id}\` to see when it was there.`,
  });
}

/** Commits of every item in the chain of this one, newest first. */
async function chainCommits(memory: Memory, id: string): Promise<readonly HistoryEntry[]> {
  const ids = new Set([id]);
  const item = memory.table.get(id)?.file.item;
  if (item) {
    const view = memory.viewOf(item.space === null ? [PERSONAL_KEY] : [PERSONAL_KEY, spaceKeyOf(item.space)]);
    for (const step of view.chain(item)) ids.add(step.item.id);
  }
  const byCommit = new Map<string, HistoryEntry>();
  for (const each of ids) {
    const path = memory.table.get(each)?.path;
    const own = path === undefined ? await forgottenHistory(memory, each) : await memory.repository.log(path);
    for (const entry of own) byCommit.set(entry.commit, entry);
  }
  if (byCommit.size === 0 && !item) throw unknownId(id);
  return newestFirst(memory, [...byCommit.values()]);
}

/** By date, and of one second, which is all that git records, by their order in the history. */
async function newestFirst(memory: Memory, entries: readonly HistoryEntry[]): Promise<readonly HistoryEntry[]> {
  const times = entries.map(({ at }) => at.getTime());
  const ranks = new Map<string, number>();
  if (new Set(times).size < times.length) {
    const [wanted, oldest] = [new Set(entries.map(({ commit }) => commit)), Math.min(...times)];
    for await (const { commit, at } of memory.repository.commits()) {
      if (at.getTime() < oldest) break;
      if (wanted.has(commit)) ranks.set(commit, ranks.size);
      if (ranks.size === wanted.size) break;
    }
  }
  // What a merge brought is not on that line, and comes after what is.
  const rankOf = ({ commit }: HistoryEntry): number => ranks.get(commit) ?? ranks.size;
  return entries.toSorted((a, b) => b.at.getTime() - a.at.getTime() || rankOf(a) - rankOf(b));
}

/** The history of a forgotten item: its tombstone's, then that of the file which the forgetting removed. */
async function forgottenHistory(memory: Memory, id: string): Promise<readonly HistoryEntry[]> {
  const tombstones = await memory.repository.log(tombstonePath(id));
  const [forgetting] = tombstones.toReversed();
  if (!forgetting) return [];
  const changes = await memory.repository.changesIn(forgetting.commit);
  const removed = changes.find(
    ({ path, before, after }) => after === null && before !== null && idOf(path, before) === id,
  );
  return removed === undefined ? tombstones : [...tombstones, ...(await memory.repository.log(removed.path))];
}

function idOf(path: string, bytes: Uint8Array): string | null {
  if (placeOf(path) === null) return null;
  const parsed = parseItemFile({ path, bytes, modified: new Date(0) });
  return parsed.ok ? parsed.value.item.id : null;
}

function describe({ commit, at, author, subject, trailers }: Omit<HistoryEntry, 'path'>): LogEntry {
  const [, operation = '', what = subject] = /^([a-z]+): (.*)$/s.exec(subject) ?? [];
  return {
    commit,
    time: at.toISOString(),
    author: author.name,
    operation,
    what,
    items: trailers.filter(([name]) => name === 'Stet-Item').map(([, value]) => value),
  };
}

function isBy({ author, trailers }: Omit<HistoryEntry, 'path'>, agent: string): boolean {
  const wanted = normaliseAgent(agent);
  const named = trailers.find(([name]) => name === 'Stet-Agent')?.[1];
  return named === wanted || (named === undefined && normaliseAgent(author.name) === wanted);
}

/** A space that was renamed is one space, whichever of its names a commit has. */
function isIn(memory: Memory, { trailers }: Omit<HistoryEntry, 'path'>, space: string): boolean {
  const present = (name: string): string => memory.config.findSpace(name) ?? name;
  return trailers.some(([name, value]) => name === 'Stet-Space' && sameSpaceName(present(value), present(space)));
}

async function boundOf(memory: Memory, text: string, argument: '--since' | '--until'): Promise<Date> {
  return findBound(memory.repository, text, memory.now(), argument);
}

function unknownId(id: string): StetError {
  return new StetError({
    code: 'not-possible',
    subject: id,
    reason: 'this memory never had such an item',
    hint: 'Run `stet list --all` or `stet list --forgotten` to see the ids.',
  });
}
