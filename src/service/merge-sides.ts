// Merges what the remote has into what is here, as a request to the repository: which files change, and what the branch moves
// to. Decides nothing itself: the rules are in src/memory/merge.

import { isLocalFile, sameVersion, type FileVersion, type MemoryVersions } from '../memory/merge/memory-versions.ts';
import type { MergeEvent } from '../memory/merge/merge-events.ts';
import { mergeMemory, type MemoryMerge } from '../memory/merge/merge-memory.ts';
import type { SpaceClash } from '../memory/merge/merge-spaces-files.ts';
import type { MergeRequest } from '../repo/repository.ts';
import type { Snapshot } from '../repo/sync-port.ts';
import type { Memory } from './memory.ts';

export interface Sides {
  /** HEAD; null before the first commit. */
  readonly ours: string | null;
  readonly theirs: string;
  /** The common ancestors; none for histories that have nothing in common. */
  readonly bases: readonly string[];
  /**
   * `join`: both stay in the history. `leave`: ours does not, because theirs was rewritten on purpose: what is new in ours is
   * put on top of theirs. `replace`: the other way round.
   */
  readonly history: 'join' | 'leave' | 'replace';
}

export type MergedSides =
  | { readonly outcome: 'merged'; readonly request: MergeRequest; readonly events: readonly MergeEvent[] }
  | { readonly outcome: 'stopped'; readonly clashes: readonly SpaceClash[] };

/** More common ancestors of ancestors than this are not followed: each level is a merge in both directions. */
const MAX_DEPTH = 8;

const NOTHING: Snapshot = { commit: null, changed: new Map() };

export async function mergeSides(memory: Memory, sides: Sides): Promise<MergedSides> {
  const { ours, theirs } = sides;
  const base = await findBase(memory, sides.bases, 0);
  const versions = await readVersions(memory, base, ours, theirs);
  const merged = mergeMemory(versions, await spacesText(memory, ours));
  if (merged.outcome === 'stopped') return merged;
  const files = new Map<string, FileVersion | null>();
  let isTheirs = true;
  for (const path of pathsOf(versions)) {
    const result = merged.files.get(path);
    isTheirs &&= sameVersion(result, versions.theirs.get(path));
    if (!sameVersion(result, versions.ours.get(path))) files.set(path, result ?? null);
  }
  for (const [path, result] of merged.files) {
    // A file that took another name lies at a path that neither side had.
    if (!files.has(path) && !sameVersion(result, versions.ours.get(path))) {
      files.set(path, result);
      isTheirs = false;
    }
  }
  const request: MergeRequest = {
    head: ours,
    files,
    historyOnly: new Set([...files.keys()].filter((path) => isLocalFile(path))),
    result: resultIn(sides, isTheirs),
    message: { subject: 'sync: merge', trailers: [['Stet-Sync', 'merge']], author: null },
  };
  return { outcome: 'merged', request, events: merged.events };
}

/** What the branch moves to. `isTheirs`: the files are those of theirs. */
function resultIn({ ours, theirs, bases, history }: Sides, isTheirs: boolean): MergeRequest['result'] {
  if (history === 'replace' && ours !== null) return { parents: [ours] };
  if (history === 'join' && ours !== null && !bases.includes(ours)) return { parents: [ours, theirs] };
  return isTheirs ? { commit: theirs } : { parents: [theirs] };
}

/**
 * What the sides had in common. Several common ancestors (after merges in both directions) are merged themselves, as git
 * does: with one of them alone, what was merged long ago would look new on one side.
 */
async function findBase(memory: Memory, bases: readonly string[], depth: number): Promise<Snapshot> {
  const [first, second] = bases;
  if (first === undefined) return NOTHING;
  const snapshot: Snapshot = { commit: first, changed: new Map() };
  if (second === undefined || depth > MAX_DEPTH) return snapshot;
  const { bases: older } = await memory.repository.sync.relate(first, second);
  const versions = await readVersions(memory, await findBase(memory, older, depth + 1), first, second);
  const merged = mergeMemory(versions, await spacesText(memory, first));
  if (merged.outcome === 'stopped') return snapshot;
  return { commit: first, changed: resultOf(versions, merged) };
}

function resultOf(
  versions: MemoryVersions,
  merged: Extract<MemoryMerge, { outcome: 'merged' }>,
): ReadonlyMap<string, FileVersion | null> {
  const paths = new Set([...pathsOf(versions), ...merged.files.keys()]);
  return new Map([...paths].map((path) => [path, merged.files.get(path) ?? null]));
}

async function readVersions(
  memory: Memory,
  base: Snapshot,
  ours: string | null,
  theirs: string,
): Promise<MemoryVersions> {
  const versions = await memory.repository.sync.versions(base, ours, theirs);
  const keepsId = (id: string): boolean => memory.table.pathsOf(id).some((path) => versions.unchanged.has(path));
  return { ...versions, keepsId };
}

async function spacesText(memory: Memory, commit: string | null): Promise<string | null> {
  const bytes = commit === null ? null : await memory.repository.readAt(commit, 'spaces.yaml');
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

function pathsOf({ base, ours, theirs }: MemoryVersions): ReadonlySet<string> {
  return new Set([...base.keys(), ...ours.keys(), ...theirs.keys()]);
}
