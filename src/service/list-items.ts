// Reading the memory as its owner does at the command line: every space, one view a space.

import { StetError } from '../memory/failure.ts';
import { isKind, KINDS, type Space } from '../memory/item.ts';
import { PERSONAL_KEY, spaceKeyOf } from '../memory/space-key.ts';
import { sameSpaceName } from '../memory/space-name.ts';
import type { Tombstone } from '../memory/tombstone.ts';
import type { View } from '../memory/view.ts';
import type { ServerNote } from '../repo/server-notes.ts';
import { describeDoubt } from './disappearances.ts';
import type { HandCommits } from './hand-commits.ts';
import type { Memory } from './memory.ts';
import type { Reading } from './reading.ts';
import { describeOutdated } from './outdated.ts';
import type { ListedItem, StatusReport } from './results.ts';
import { syncStatus } from './sync-status.ts';

export interface ListRequest {
  /** A space's name, or `personal`; all of them when it is not given. */
  readonly space?: string;
  readonly kind?: string;
  /** Whether items that are not current are listed too. */
  readonly outdated: boolean;
}

/** Newest first, ties by id. Throws `bad-argument` for an unknown space or kind. */
export async function listItems(memory: Memory, request: ListRequest): Promise<readonly ListedItem[]> {
  const { kind } = request;
  if (kind !== undefined && !isKind(kind)) {
    throw badArgument('--kind', `there is no kind "${kind}"`, `Use one of ${KINDS.join(', ')}.`);
  }
  const wanted = request.space === undefined ? null : spaceKeyOf(knownSpace(memory, request.space));
  await memory.refresh();
  const uncommitted = await uncommittedPaths(memory);
  const listed: ListedItem[] = [];
  for (const { path, file } of memory.table.all()) {
    const { item } = file;
    const key = spaceKeyOf(item.space);
    if (wanted !== null && key !== wanted) continue;
    if (kind !== undefined && item.kind !== kind) continue;
    const outdated = describeOutdated(ownView(memory, item.space).outdated(item));
    if (outdated === null || request.outdated)
      listed.push({ item, path, outdated, uncommitted: uncommitted.has(path) });
  }
  return listed.sort((a, b) => compare(b.item.created, a.item.created) || compare(a.item.id, b.item.id));
}

/** Newest first. */
export async function listForgotten(memory: Memory): Promise<readonly Tombstone[]> {
  await memory.refresh();
  return [...memory.table.tombstones()].sort((a, b) => compare(b.forgotten, a.forgotten) || compare(a.id, b.id));
}

/** Where an item is and whether that is committed; null when there is none. */
export async function locateItem(memory: Memory, id: string): Promise<ListedItem | null> {
  await memory.refresh();
  const located = memory.table.get(id);
  if (!located) return null;
  const { item } = located.file;
  return {
    item,
    path: located.path,
    outdated: describeOutdated(ownView(memory, item.space).outdated(item)),
    uncommitted: (await uncommittedPaths(memory)).has(located.path),
  };
}

export async function reportStatus(
  memory: Memory,
  hand: HandCommits,
  servers: readonly ServerNote[],
): Promise<StatusReport> {
  await memory.refresh();
  const { repository, table, index, config } = memory;
  const counts = new Map<string, { space: Space; items: number }>();
  for (const { file } of table.all()) {
    const { space } = file.item;
    const key = spaceKeyOf(space);
    const known = counts.get(key) ?? { space, items: 0 };
    counts.set(key, { space, items: known.items + 1 });
  }
  await memory.openPartitions([...counts.keys()]);
  const health = index.health();
  return {
    root: repository.root,
    head: await repository.head(),
    items: table.size,
    spaces: [...counts].sort(([a], [b]) => compare(a, b)).map(([, count]) => count),
    forgotten: [...table.tombstones()].length,
    quarantined: table.quarantined().map(({ path, problems }) => ({ path, problems })),
    uncommitted: await hand.explain(),
    waiting: (await repository.pending()).map(({ message, since, reason }) => ({
      subject: message.subject,
      since,
      reason,
    })),
    unreadable: [...memory.unreadable].map(([path, errno]) => ({ path, errno })),
    servers,
    vectors: {
      model: health.model,
      ready: health.vectors,
      waiting: health.waiting,
      answering: health.answering,
      problem: health.problem,
    },
    sync: await syncStatus(memory),
    warnings: [...config.warnings, describeDoubt(memory.doubt), memory.handProblem, memory.backgroundProblem].filter(
      (each) => each !== null,
    ),
  };
}

/**
 * A space by the name that somebody gave, `null` for `personal`; throws `bad-argument` when there is none, of the argument
 * that the name was given by.
 */
export function knownSpace(memory: Reading, name: string, argument = '--space'): Space {
  if (sameSpaceName(name, PERSONAL_KEY)) return null;
  const space = memory.config.findSpace(name);
  if (space !== null) return space;
  for (const { file } of memory.table.inSpaceKey(spaceKeyOf(name))) return file.item.space;
  const names = memory.config.spaceNames();
  throw badArgument(
    argument,
    `there is no space "${name}"`,
    names.length === 0 ? 'Make one with `stet space add NAME`.' : `Known spaces: ${names.join(', ')}.`,
  );
}

/** What a session in this space sees: the view by which its items are current or not. */
function ownView(memory: Memory, space: Space): View {
  return memory.viewOf(space === null ? [PERSONAL_KEY] : [PERSONAL_KEY, spaceKeyOf(space)]);
}

async function uncommittedPaths(memory: Memory): Promise<ReadonlySet<string>> {
  return new Set((await memory.repository.status()).map(({ path }) => path));
}

function badArgument(argument: string, reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument, reason, hint });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
