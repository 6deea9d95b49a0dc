// One merge, from its result to the moved branch: files first, then the commit, by the one writer.
//
//   planned ──obstacle──▶ refused (nothing touched)
//      │ intent written
//   applying ──obstacle, no disk──▶ taken back ──▶ refused
//      │ all files in place
//   committing ──git is busy──▶ taken back ──▶ refused
//      └──▶ done (intent removed)
//
//   after a crash: HEAD as it was ──▶ applying again; HEAD moved on ──▶ taken back
//
// Invariant: whatever happens, the files end as HEAD has them, but for those that somebody else changed.
import type { FileVersion } from '../memory/merge/memory-versions.ts';
import { parseCommit } from './commit-object.ts';
import type { CommitRequest, CommitResult } from './commit-writer.ts';
import { errnoOf } from './file-system.ts';
import { makeObject, type GitObject } from './git-object.ts';
import type { IndexFile } from './index-file.ts';
import { MergeIntents, type MergeIntent } from './merge-intent.ts';
import { sweepWorkingTree } from './recovery.ts';
import type { Refs } from './refs.ts';
import type { MergeOutcome, MergeRequest } from './repository.ts';
import { TreeReader, type TreeFile } from './tree-store.ts';
import { ObstacleError, WorkingMerge, type Obstacle, type WorkingMergeParts } from './working-merge.ts';

export interface MergeTransactionParts extends WorkingMergeParts {
  readonly gitFolder: string;
  readonly refs: Refs;
  readonly index: IndexFile;
  readonly commit: (request: CommitRequest) => Promise<CommitResult>;
}

/** Puts a merge in place. Only under `write.lock`, with no commit waiting. */
export async function putMerge(parts: MergeTransactionParts, request: MergeRequest): Promise<MergeOutcome> {
  const head = await parts.refs.readHead();
  if (head.commit !== request.head) return { status: 'moved' };
  const seen = await parts.index.load();
  if (!seen.ok) return { status: 'waits', reason: 'git has something unfinished in its index' };
  const intent = await prepare(parts, request);
  const merge = await WorkingMerge.open(parts, intent);
  const obstacles = await merge.findObstacles(seen.loaded.index);
  if (obstacles.length > 0) return { status: 'blocked', obstacles };
  const intents = new MergeIntents(parts.fs, parts.gitFolder);
  await intents.begin(intent);
  let outcome: MergeOutcome | null = null;
  try {
    outcome = await applyAndCommit(parts, intent, merge);
    return outcome;
  } finally {
    // If even this fails the intent stays, and the next turn ends it.
    if (outcome?.status !== 'merged') await takeBack(parts, merge);
    await intents.end();
  }
}

/** Ends what a process that died had begun. Only under `write.lock`. Says which files may have changed. */
export async function recoverMerge(parts: MergeTransactionParts): Promise<readonly string[]> {
  const intents = new MergeIntents(parts.fs, parts.gitFolder);
  const intent = await intents.find();
  if (intent === null) return [];
  const merge = await WorkingMerge.open(parts, intent);
  const head = await parts.refs.readHead();
  const isDone = head.commit === intent.head && (await goesOn(parts, intent, merge));
  if (!isDone) await takeBack(parts, merge);
  await sweepWorkingTree(parts.fs, parts.root);
  await intents.end();
  return [...intent.files.keys()];
}

/** What somebody changed since stays as it is; the rest is put in place, and committed with it. */
async function goesOn(parts: MergeTransactionParts, intent: MergeIntent, merge: WorkingMerge): Promise<boolean> {
  const seen = await parts.index.load();
  if (!seen.ok) return false;
  try {
    const obstacles = await merge.findObstacles(seen.loaded.index);
    return (await applyAndCommit(parts, intent, merge, obstacles)).status === 'merged';
  } catch (error) {
    // The disk fails: the next turn tries again. Anything else would fail every turn to come.
    if (errnoOf(error) !== null) throw error;
    return false;
  }
}

async function applyAndCommit(
  parts: MergeTransactionParts,
  intent: MergeIntent,
  merge: WorkingMerge,
  obstacles: readonly Obstacle[] = [],
): Promise<MergeOutcome> {
  try {
    await merge.apply(new Set(obstacles.map(({ path }) => path)));
  } catch (error) {
    if (error instanceof ObstacleError) return { status: 'blocked', obstacles: [error.obstacle] };
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return { status: 'waits', reason: `its files cannot be written now (${errno})` };
  }
  const { head, files, result, unstamped, message } = intent;
  const paths = [...files.keys()];
  const committed = await parts.commit({
    paths,
    message,
    written: new Set(paths),
    merge: { head, files, result, unstamped },
  });
  switch (committed.status) {
    case 'committed':
      return { status: 'merged', commit: committed.commit };
    case 'waits':
    case 'left':
      return { status: 'waits', reason: committed.reason };
    case 'unchanged':
      throw new Error('a merge always moves the branch');
  }
}

async function takeBack(parts: MergeTransactionParts, merge: WorkingMerge): Promise<void> {
  const { commit } = await parts.refs.readHead();
  const tree = commit === null ? null : parseCommit(await parts.store.read(commit, 'commit')).tree;
  const reader = new TreeReader(parts.store);
  await merge.takeBack((path) => reader.find(tree, path));
}

/** With every content in the store, so that the intent can name it. */
async function prepare(parts: MergeTransactionParts, request: MergeRequest): Promise<MergeIntent> {
  const blobs: GitObject[] = [];
  const files = new Map<string, TreeFile | null>();
  for (const [path, version] of request.files) {
    const made = version === null ? null : toTreeFile(version);
    if (made?.blob !== undefined) blobs.push(made.blob);
    files.set(path, made === null ? null : { mode: made.mode, id: made.id });
  }
  await parts.store.write(blobs);
  await parts.store.sync();
  return {
    head: request.head,
    files,
    historyOnly: request.historyOnly,
    result: request.result,
    unstamped: request.unstamped ?? new Set(),
    message: request.message,
  };
}

function toTreeFile({ mode, blob, bytes }: FileVersion): TreeFile & { readonly blob?: GitObject } {
  if (blob !== null) return { mode, id: blob };
  const object = makeObject('blob', bytes ?? new Uint8Array());
  return { mode, id: object.id, blob: object };
}
