// Writes the commits of another repository anew, one after the other. Invariant: only objects are written, and nothing refers
// to them: a crash leaves a repository as it was, but for objects that git clears up.

import { makeCommit } from './commit-object.ts';
import { makeObject, type GitObject, type ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { ReplayedCommit } from './repository.ts';
import { patchTree, type TreeFile } from './tree-store.ts';

/** So many objects are written together: each waits for the disk. */
const BATCH = 512;

/** The ids of the commits, durable. `onWritten` counts commits; `signal` stops it with an `AbortError`. */
export async function replayCommits(
  store: ObjectStore,
  commits: readonly ReplayedCommit[],
  onWritten: (commits: number) => void,
  signal: AbortSignal | null,
): Promise<readonly ObjectId[]> {
  const ids: ObjectId[] = [];
  const unwritten = new Map<ObjectId, GitObject>();
  const reader = {
    read: async (id: ObjectId, type: GitObject['type']) => unwritten.get(id)?.bytes ?? store.read(id, type),
  };
  let tree: ObjectId | null = null;
  for (const { files, record } of commits) {
    const changes = new Map<string, TreeFile | null>();
    for (const [path, file] of files) {
      if (file === null) {
        changes.set(path, null);
        continue;
      }
      const blob = makeObject('blob', file.bytes);
      unwritten.set(blob.id, blob);
      changes.set(path, { mode: file.executable ? '100755' : '100644', id: blob.id });
    }
    const patched = await patchTree(reader, tree, changes);
    for (const object of patched.objects) unwritten.set(object.id, object);
    const commit = makeCommit({ ...record, tree: patched.id, parents: ids.slice(-1) });
    unwritten.set(commit.id, commit);
    ids.push(commit.id);
    tree = patched.id;
    if (unwritten.size < BATCH) continue;
    signal?.throwIfAborted();
    await store.write([...unwritten.values()]);
    unwritten.clear();
    onWritten(ids.length);
  }
  await store.write([...unwritten.values()]);
  await store.sync();
  signal?.throwIfAborted();
  onWritten(ids.length);
  return ids;
}
