// What becomes of the changes that were made by hand: which are committed and in which words, which file is adopted,
// what stays uncommitted and why. Invariants: an id that HEAD had and no file has any more leaves a tombstone in the same
// commit; changes that share an id (a move, a copy over another file) have one fate.

import type { ItemFile } from './item-file.ts';
import type { LastGood } from './item-table.ts';
import type { Space } from './item.ts';
import { tombstonedId, type Tombstone } from './tombstone.ts';

/** Why a change stays uncommitted though it is quiet. */
export type Hold =
  /** The user has staged something at this path. */
  | { code: 'staged' }
  /** git ignores the path. */
  | { code: 'ignored' }
  /** Its commit is made already, and waits for git. */
  | { code: 'commit-waits'; reason: string }
  | { code: 'secret'; rule: string; line: number }
  /** The file cannot be used as it stands. */
  | { code: 'unusable'; line: number; message: string }
  | { code: 'unreadable'; errno: string }
  /** An item of this id was forgotten. */
  | { code: 'forgotten'; id: string }
  /** A file elsewhere has this id too. */
  | { code: 'same-id'; id: string; other: string }
  /** A settings file is gone: without it other rules would hold. */
  | { code: 'settings-missing' }
  /** So much is gone that it may be a mistake. */
  | { code: 'too-much-missing' }
  /** In a folder of items, and no item. */
  | { code: 'no-item' }
  /** It belongs to a change at `path` that stays uncommitted. */
  | { code: 'goes-with'; path: string };

/** In words, to follow the path. */
export function describeHold(hold: Hold): string {
  switch (hold.code) {
    case 'staged':
      return 'you staged it, so the commit is yours';
    case 'ignored':
      return 'git ignores it, so it stays out of the history';
    case 'commit-waits':
      return `its commit waits: ${hold.reason}`;
    case 'secret':
      return `line ${hold.line} looks like a secret (${hold.rule}): take it out, or commit it with git if it is none`;
    case 'unusable':
      return `line ${hold.line}: ${hold.message}`;
    case 'unreadable':
      return `it cannot be read (${hold.errno})`;
    case 'forgotten':
      return `the item ${hold.id} was forgotten: delete the file, or run \`stet restore ${hold.id}\``;
    case 'same-id':
      return `${hold.other} has the id ${hold.id} too: take the \`id\` line out of one of them`;
    case 'settings-missing':
      return 'it is missing: bring it back with `git checkout`, or commit its removal with git';
    case 'too-much-missing':
      return 'more than half is missing (`stet doctor`)';
    case 'no-item':
      return 'it is no item, and yours to commit';
    case 'goes-with':
      return `it belongs to ${hold.path}, which is not committed`;
  }
}

/** One path whose state on disk is not what the memory wants in HEAD. */
export interface HandChange {
  readonly path: string;
  /** Against HEAD; `unadopted`: as HEAD has it, but without keys that stet needs. */
  readonly state: 'added' | 'modified' | 'deleted' | 'unadopted';
  /** What speaks against committing it, judged by itself. */
  readonly hold: Hold | null;
  /** Whether it has not changed for long enough. */
  readonly isQuiet: boolean;
  /** The item that HEAD has at this path. */
  readonly head: LastGood | null;
  /** The item that is there now. */
  readonly now: ItemFile | null;
  /** The id is that of another file of the same space, and this one is the copy. */
  readonly isCopy: boolean;
}

/** What the rest of the memory says. */
export interface HandContext {
  /** Every path in the working tree whose item has this id. */
  readonly pathsOf: (id: string) => readonly string[];
  readonly isForgotten: (id: string) => boolean;
  /** A file that cannot be used as it stands, but seems to carry this id; null where there is none. */
  readonly mentionedIn: (id: string) => string | null;
  readonly now: Date;
}

export interface PlannedCommit {
  readonly verb: 'add' | 'edit' | 'forget';
  readonly changes: readonly HandChange[];
  readonly tombstones: readonly Tombstone[];
}

export interface HandPlan {
  /** In the order in which they are made. */
  readonly commits: readonly PlannedCommit[];
  readonly held: ReadonlyArray<{ readonly path: string; readonly hold: Hold }>;
  /** Paths that are not quiet yet, or belong to one that is not. */
  readonly waiting: readonly string[];
}

/** `pathsPerCommit`: a commit with so many paths is full, and the next one begins. */
export function planHandCommits(
  changes: readonly HandChange[],
  context: HandContext,
  pathsPerCommit: number,
): HandPlan {
  const commits: Record<PlannedCommit['verb'], OpenCommit[]> = { forget: [], edit: [], add: [] };
  const held: Array<{ path: string; hold: Hold }> = [];
  const waiting: string[] = [];
  const copies = new Set(changes.filter(({ isCopy }) => isCopy).map(({ path }) => path));
  for (const group of groupById(changes)) {
    const carried = new Set(group.flatMap(({ now, isCopy }) => (now && !isCopy ? [now.item.id] : [])));
    const lost = group.flatMap(({ head }) =>
      head && !carried.has(head.id) && isLost(head.id, context, copies) ? [head] : [],
    );
    // What a file seems to carry that is only broken for now is not lost.
    const mentions = lost.flatMap(({ id }) => context.mentionedIn(id) ?? []);
    const blocker = group.find(({ hold }) => hold !== null)?.path ?? mentions[0];
    if (blocker !== undefined) {
      for (const { path, hold } of group) held.push({ path, hold: hold ?? { code: 'goes-with', path: blocker } });
    } else if (group.some(({ isQuiet }) => !isQuiet)) {
      waiting.push(...group.map(({ path }) => path));
    } else {
      const ofVerb = commits[verbOf(group, lost.length > 0)];
      let commit = ofVerb.at(-1);
      if (!commit || commit.changes.length >= pathsPerCommit) {
        commit = { changes: [], tombstones: [] };
        ofVerb.push(commit);
      }
      commit.changes.push(...group);
      for (const head of lost) {
        const isBuried = commit.tombstones.some(({ id }) => id === head.id);
        if (!isBuried) commit.tombstones.push(bury(head, context));
      }
    }
  }
  const ordered = (['forget', 'edit', 'add'] as const).flatMap((verb) =>
    commits[verb].map((commit) => ({ verb, ...commit })),
  );
  return { commits: ordered, held: held.sort(byPath), waiting: waiting.sort() };
}

interface OpenCommit {
  readonly changes: HandChange[];
  readonly tombstones: Tombstone[];
}

/** The source of a tombstone for a file that somebody deleted. */
const BY_HAND = 'hand';

function bury(head: LastGood, { now }: HandContext): Tombstone {
  const { id, space, supersedes } = head;
  return { id, space, supersedes, forgotten: now.toISOString().replace(/\.\d{3}Z$/, 'Z'), by: BY_HAND };
}

/** A copy gets an id of its own, so it does not carry the one that it has. */
function isLost(id: string, { pathsOf, isForgotten }: HandContext, copies: ReadonlySet<string>): boolean {
  return !isForgotten(id) && pathsOf(id).every((path) => copies.has(path));
}

function verbOf(group: readonly HandChange[], isBuried: boolean): PlannedCommit['verb'] {
  const isTombstone = ({ path }: HandChange): boolean => tombstonedId(path) !== null;
  const tombstones = group.filter(isTombstone);
  const files = group.filter((change) => !isTombstone(change));
  const isRevived = tombstones.some(({ state }) => state === 'deleted');
  const isForgotten = isBuried || tombstones.length > 0;
  if (isForgotten && !isRevived && files.every(({ state }) => state === 'deleted')) return 'forget';
  return tombstones.length === 0 && files.every(({ state }) => state === 'added') ? 'add' : 'edit';
}

/** Changes that have an id in common, directly or over others, each group in the order of paths. */
function groupById(changes: readonly HandChange[]): readonly HandChange[][] {
  const groupOf = new Map<string, HandChange[]>();
  const groups = new Set<HandChange[]>();
  for (const change of [...changes].sort(byPath)) {
    const ids = idsOf(change);
    const joined = [...new Set(ids.flatMap((id) => groupOf.get(id) ?? []))];
    const group = [...new Set([...ids.flatMap((id) => [...(groupOf.get(id) ?? [])]), change])];
    for (const id of ids) {
      const old = groupOf.get(id);
      if (old) groups.delete(old);
    }
    groups.add(group);
    for (const member of [...joined, change]) for (const id of idsOf(member)) groupOf.set(id, group);
  }
  return [...groups].map((group) => group.sort(byPath));
}

function idsOf({ path, head, now, isCopy }: HandChange): readonly string[] {
  const named = tombstonedId(path);
  return [...(head ? [head.id] : []), ...(now && !isCopy ? [now.item.id] : []), ...(named === null ? [] : [named])];
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** How much may vanish at once without a question: up to this many, or half. */
const FEW = 3;

/** Whether so much is missing of what there was that nobody believes it without asking. */
export function isTooMuchMissing(missing: number, total: number): boolean {
  return missing > FEW && missing * 2 > total;
}

/** What a commit is about, for its subject: how many files, and the first one's statement, id or path. */
export function subjectOf({ verb, changes, tombstones }: PlannedCommit): string {
  const present = changes.filter(({ state }) => state !== 'deleted');
  const names =
    verb === 'forget'
      ? tombstones.map(({ id }) => id)
      : (present.length > 0 ? present : changes).map(({ path, now }) => now?.item.statement ?? path);
  const [first = changes[0]?.head?.id ?? ''] = names;
  return names.length > 1 ? `${names.length} files, ${first}` : first;
}

/** Ids and spaces of the items of a commit, for its trailers. */
export function itemsOf(commit: PlannedCommit): ReadonlyArray<{ readonly id: string; readonly space: Space }> {
  const items = new Map<string, Space>();
  for (const { now, head } of commit.changes) {
    const item = now?.item ?? head;
    if (item) items.set(item.id, item.space);
  }
  return [...items].map(([id, space]) => ({ id, space }));
}
