// The files in which the sides of a merge differ, with the content that the merge looks at, and the files that commits
// brought in. Invariant: nothing of a folder that is the same on all sides is read.
import { needsBytes, sameVersion, type FileVersion, type MemoryVersions } from '../memory/merge/memory-versions.ts';
import { readBlobs } from './bulk-read.ts';
import { listCommitsBetween, type GraphSource } from './commit-graph.ts';
import { parseCommit } from './commit-object.ts';
import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { NewFile, Snapshot } from './sync-port.ts';
import { diffTrees } from './tree-diff.ts';
import { listTree, type TreeFile } from './tree-store.ts';

type Versions = Readonly<Record<'base' | 'ours' | 'theirs', FileVersion | undefined>>;

export async function readSides(
  source: GraphSource,
  base: Snapshot,
  ours: ObjectId | null,
  theirs: ObjectId,
): Promise<Omit<MemoryVersions, 'keepsId'>> {
  const { store } = source;
  const files = await listTree(store, await treeOf(store, ours));
  const differing = await findDiffering(store, base, ours, theirs, files);
  const wanted = new Set<ObjectId>();
  for (const [path, versions] of differing) {
    const all = [versions.base, versions.ours, versions.theirs];
    if (!needsBytes(path, all)) continue;
    for (const version of all) if (version !== undefined && needsReading(version)) wanted.add(version.blob);
  }
  const blobs = await readBlobs(source, [...wanted]);
  const side = (name: keyof Versions): ReadonlyMap<string, FileVersion> =>
    new Map(
      [...differing].flatMap(([path, { [name]: version }]) => {
        if (version === undefined) return [];
        return [[path, { ...version, bytes: version.bytes ?? blobs.get(version.blob ?? '') ?? null }] as const];
      }),
    );
  return {
    base: side('base'),
    ours: side('ours'),
    theirs: side('theirs'),
    unchanged: new Set([...files.keys()].filter((path) => !differing.has(path))),
    madeAt: { ours: await madeAt(store, ours ?? theirs), theirs: await madeAt(store, theirs) },
  };
}

/** Files that a commit among those of `tip` made or changed, and no parent of it had; each version once. */
export async function listNewFiles(
  source: GraphSource,
  tip: ObjectId,
  exclude: ObjectId | null,
): Promise<readonly NewFile[]> {
  const { store } = source;
  const found = new Map<string, NewFile>();
  for (const commit of await listCommitsBetween(source, tip, exclude)) {
    const { tree, parents } = parseCommit(await store.read(commit, 'commit'));
    const before = await Promise.all((parents.length === 0 ? [null] : parents).map((parent) => treeOf(store, parent)));
    const [first = [], ...rest] = await Promise.all(before.map((parent) => diffTrees(store, parent, tree)));
    const others = rest.map((differences) => new Set(differences.map(({ path }) => path)));
    for (const { path, after } of first) {
      if (after === null || !after.mode.startsWith('100')) continue;
      // What a merge took over from one of its parents, a commit of that parent brought in.
      if (others.every((paths) => paths.has(path))) found.set(`${after.id} ${path}`, { path, blob: after.id, commit });
    }
  }
  return [...found.values()];
}

async function findDiffering(
  store: ObjectStore,
  base: Snapshot,
  ours: ObjectId | null,
  theirs: ObjectId,
  files: ReadonlyMap<string, TreeFile>,
): Promise<ReadonlyMap<string, Versions>> {
  const [b, o, t] = await Promise.all([base.commit, ours, theirs].map((commit) => treeOf(store, commit)));
  const [here, there] = await Promise.all(
    [o, t].map(
      async (tree) => new Map((await diffTrees(store, b ?? null, tree ?? null)).map((each) => [each.path, each])),
    ),
  );
  const differing = new Map<string, Versions>();
  for (const path of new Set([...(here?.keys() ?? []), ...(there?.keys() ?? []), ...base.changed.keys()])) {
    const [mine, other] = [here?.get(path), there?.get(path)];
    const before = (mine ?? other)?.before ?? (mine || other ? null : (files.get(path) ?? null));
    const versions = {
      base: base.changed.has(path) ? (base.changed.get(path) ?? undefined) : toVersion(before),
      ours: toVersion(mine === undefined ? before : mine.after),
      theirs: toVersion(other === undefined ? before : other.after),
    };
    const isSame = sameVersion(versions.base, versions.ours) && sameVersion(versions.base, versions.theirs);
    if (!isSame) differing.set(path, versions);
  }
  return differing;
}

function needsReading(version: FileVersion): version is FileVersion & { readonly blob: ObjectId } {
  return version.bytes === null && version.blob !== null && version.mode !== '160000';
}

function toVersion(file: TreeFile | null): FileVersion | undefined {
  return file === null ? undefined : { mode: file.mode, blob: file.id, bytes: null };
}

async function treeOf(store: ObjectStore, commit: ObjectId | null): Promise<ObjectId | null> {
  return commit === null ? null : parseCommit(await store.read(commit, 'commit')).tree;
}

async function madeAt(store: ObjectStore, commit: ObjectId): Promise<string> {
  const { committedAt } = parseCommit(await store.read(commit, 'commit'));
  return new Date(committedAt * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');
}
