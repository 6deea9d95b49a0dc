// How commits descend from each other. The git program tells it fast; without git the commits are walked here, by date, and
// only as far as the question needs.
import { parseCommit } from './commit-object.ts';
import { gitFailed, runGit } from './git-program.ts';
import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';

export interface CommitRelation {
  /** The best common ancestors, sorted; none for unrelated histories, several after merges in both directions. */
  readonly bases: readonly ObjectId[];
  /** Commits that only the first has, and only the second. */
  readonly ahead: number;
  readonly behind: number;
}

export interface GraphSource {
  readonly root: string;
  readonly store: ObjectStore;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How `ours` and `theirs` stand to each other. Both must be full ids of commits that are here. */
export async function relateCommits(source: GraphSource, ours: ObjectId, theirs: ObjectId): Promise<CommitRelation> {
  if (ours === theirs) return { bases: [ours], ahead: 0, behind: 0 };
  return (await relateByGit(source, ours, theirs)) ?? walkRelation(source.store, ours, theirs);
}

/** The commits that `tip` has and `exclude` has not, newest first. */
export async function listCommitsBetween(
  source: GraphSource,
  tip: ObjectId,
  exclude: ObjectId | null,
): Promise<readonly ObjectId[]> {
  const args = ['rev-list', '--end-of-options', tip, ...(exclude === null ? [] : [`^${exclude}`])];
  const result = await runGit(source.root, args, source.env);
  if (result !== null && result.exitCode !== 0) throw gitFailed('git rev-list', result);
  if (result !== null) return lines(result.stdout);
  const walk = await paint(source.store, [[tip, OURS], ...(exclude === null ? [] : ([[exclude, THEIRS]] as const))]);
  return [...walk].flatMap(([id, marks]) => (marks === OURS ? [id] : []));
}

async function relateByGit(source: GraphSource, ours: ObjectId, theirs: ObjectId): Promise<CommitRelation | null> {
  const [bases, counts] = await Promise.all([
    runGit(source.root, ['merge-base', '--all', ours, theirs], source.env),
    runGit(source.root, ['rev-list', '--left-right', '--count', '--end-of-options', `${ours}...${theirs}`], source.env),
  ]);
  if (bases === null || counts === null) return null;
  // 1 without a word: there is none.
  if (bases.exitCode !== 0 && (bases.exitCode !== 1 || bases.stderr !== '')) throw gitFailed('git merge-base', bases);
  if (counts.exitCode !== 0) throw gitFailed('git rev-list', counts);
  const [ahead = 0, behind = 0] = counts.stdout.toString('latin1').trim().split(/\s+/).map(Number);
  return { bases: lines(bases.stdout).toSorted(), ahead, behind };
}

function lines(output: Buffer): readonly ObjectId[] {
  return output
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
}

const OURS = 1;
const THEIRS = 2;
/** Known to be no best ancestor: a better one descends from it. */
const STALE = 4;

/** The same as {@link relateCommits}, without git. */
export async function walkRelation(store: ObjectStore, ours: ObjectId, theirs: ObjectId): Promise<CommitRelation> {
  const marks = await paint(store, [
    [ours, OURS],
    [theirs, THEIRS],
  ]);
  const common = [...marks].filter(([, mark]) => mark === (OURS | THEIRS)).map(([id]) => id);
  const count = (wanted: number) => [...marks.values()].filter((mark) => mark === wanted).length;
  return { bases: await withoutAncestors(store, common), ahead: count(OURS), behind: count(THEIRS) };
}

/**
 * Marks commits with the tips that reach them, newest first, until only what is stale is left (git's own algorithm,
 * commit-reach.c). Clocks that run backwards cost more steps, not the result.
 */
async function paint(
  store: ObjectStore,
  tips: ReadonlyArray<readonly [ObjectId, number]>,
): Promise<ReadonlyMap<ObjectId, number>> {
  const marks = new Map<ObjectId, number>();
  const queue = new Map<ObjectId, { readonly at: number; readonly parents: readonly ObjectId[] }>();
  const add = async (id: ObjectId, mark: number): Promise<void> => {
    const before = marks.get(id) ?? 0;
    if ((before | mark) === before) return;
    const object = await store.find(id);
    // A shallow clone ends somewhere.
    if (object?.type !== 'commit') return;
    marks.set(id, before | mark);
    const { committedAt, parents } = parseCommit(object.bytes);
    queue.set(id, { at: committedAt, parents });
  };
  for (const [id, mark] of tips) await add(id, mark);
  const isOpen = ([id]: readonly [ObjectId, unknown]): boolean => ((marks.get(id) ?? 0) & STALE) === 0;
  while ([...queue].some(isOpen)) {
    const [id, { parents }] = newest(queue);
    queue.delete(id);
    const mark = marks.get(id) ?? 0;
    const isCommon = (mark & (OURS | THEIRS)) === (OURS | THEIRS);
    for (const parent of parents) await add(parent, isCommon ? mark | STALE : mark);
  }
  return marks;
}

function newest<T extends { readonly at: number }>(queue: ReadonlyMap<ObjectId, T>): readonly [ObjectId, T] {
  const [first, ...others] = queue;
  if (first === undefined) throw new RangeError('nothing is waiting');
  return others.reduce((best, next) => (next[1].at > best[1].at ? next : best), first);
}

/** Those from which no other one descends. */
async function withoutAncestors(store: ObjectStore, commits: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  const best: ObjectId[] = [];
  for (const commit of commits) {
    const isAncestor = await Promise.all(
      commits.map(async (other) => other !== commit && (await reaches(store, other, commit))),
    );
    if (!isAncestor.includes(true)) best.push(commit);
  }
  return best.sort();
}

async function reaches(store: ObjectStore, from: ObjectId, to: ObjectId): Promise<boolean> {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    const object = await store.find(id);
    if (object?.type === 'commit') for (const parent of parseCommit(object.bytes).parents) seen.add(parent);
  }
  return false;
}
