// The history of one file where there is no git program: commits by date, each time following the parent that has the
// same file (git-log, "History Simplification"). Invariant: the answer is the one that git would give.
import { parseCommit, type ParsedCommit } from './commit-object.ts';
import type { ObjectId } from './git-object.ts';
import { describeCommit, findMovedFrom } from './history.ts';
import type { ObjectStore } from './object-store.ts';
import type { HistoryEntry } from './repository.ts';
import { findInTree } from './tree-store.ts';

interface Step {
  readonly id: ObjectId;
  readonly commit: ParsedCommit;
  /** Where the file is looked for from here on, and what is there. */
  readonly path: string;
  readonly blob: ObjectId | null;
}

export async function walkHistory(store: ObjectStore, head: ObjectId | null, path: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  const waiting: Step[] = [];
  const seen = new Set<ObjectId>();
  const enqueue = (step: Step | null): void => {
    if (step === null || seen.has(step.id)) return;
    seen.add(step.id);
    waiting.push(step);
  };
  if (head !== null) enqueue(await lookAt(store, head, path));
  for (let step = takeNewest(waiting); step !== null; step = takeNewest(waiting)) {
    const { id, commit, path, blob } = step;
    // A shallow clone ends somewhere: parents that are not there are none.
    const parents = (await Promise.all(commit.parents.map((parent) => lookAt(store, parent, path)))).filter(
      (parent) => parent !== null,
    );
    const same = parents.find((parent) => parent.blob === blob);
    if (same !== undefined) {
      enqueue(same);
      continue;
    }
    if (blob === null && parents.length === 0) continue;
    entries.push(describeCommit(id, commit, blob === null ? null : path));
    const isAdded = parents.every((parent) => parent.blob === null);
    const moved = isAdded ? await findMovedFrom(store, id, path) : null;
    for (const parent of parents) enqueue(moved === null ? parent : await lookAt(store, parent.id, moved));
  }
  return entries;
}

async function lookAt(store: ObjectStore, id: ObjectId, path: string): Promise<Step | null> {
  const object = await store.find(id);
  if (object?.type !== 'commit') return null;
  const commit = parseCommit(object.bytes);
  return { id, commit, path, blob: (await findInTree(store, commit.tree, path))?.id ?? null };
}

function takeNewest(waiting: Step[]): Step | null {
  const [first] = waiting;
  if (first === undefined) return null;
  const newest = waiting.reduce(
    (best, next) => (next.commit.committedAt > best.commit.committedAt ? next : best),
    first,
  );
  waiting.splice(waiting.indexOf(newest), 1);
  return newest;
}
