// How the memory's own files differ from HEAD, by a stat scan of our own: content is read only where the index cannot
// vouch for it. Invariant: what cannot be read is not reported as deleted; it is left out.
import { parseCommit } from './commit-object.ts';
import { entryCount, entryPathBytes, isAssumedUnchanged, isIntentToAdd, readEntry } from './git-index.ts';
import type { IndexEntry } from './git-index.ts';
import { makeObject, type ObjectId } from './git-object.ts';
import type { CleanFile, LoadedIndex } from './index-file.ts';
import { ITEM_FOLDERS, RECORD_FOLDERS, SETTING_FILES, isMemoryFile } from './memory-files.ts';
import type { ObjectStore } from './object-store.ts';
import type { StatusEntry } from './repository.ts';
import { listTree, type TreeFile } from './tree-store.ts';
import { readItemFile, scanFiles, type FileStamp, type WorkingTreeScan } from './working-tree.ts';

export interface StatusParts {
  readonly root: string;
  readonly store: ObjectStore;
  readonly clean: CleanFile;
  /** Whether git ignores a path that it does not track. */
  readonly isIgnored: (path: string) => boolean;
}

export async function readStatus(
  parts: StatusParts,
  head: ObjectId | null,
  loaded: LoadedIndex,
): Promise<readonly StatusEntry[]> {
  const tree = head === null ? null : parseCommit(await parts.store.read(head, 'commit')).tree;
  const committed = await listTree(parts.store, tree);
  const scan = scanFiles(parts.root, [...ITEM_FOLDERS, ...RECORD_FOLDERS], SETTING_FILES, isMemoryFile);
  const staged = readStaged(loaded);
  const changes: StatusEntry[] = [];
  for (const [path, stamp] of scan.files) {
    const before = committed.get(path) ?? null;
    const entry = staged.get(path) ?? null;
    if (before !== null && isVouchedFor(before, entry, stamp)) continue;
    if (before !== null && (await holds(parts, path, before))) continue;
    const state = before === null ? 'added' : 'modified';
    const isIgnored = before === null && entry === null && parts.isIgnored(path);
    changes.push({ ...describe(path, state, before, entry), ...(isIgnored && { ignored: true as const }) });
  }
  for (const [path, before] of committed) {
    if (!isMemoryFile(path) || scan.files.has(path) || mayStillBe(path, scan)) continue;
    if (before.mode.startsWith('100')) changes.push(describe(path, 'deleted', before, staged.get(path) ?? null));
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Staged {
  readonly entry: IndexEntry;
  /** Unless its stamp says so, the file is as the entry: its stat data were taken long enough before the index. */
  readonly isTrusted: boolean;
  readonly isAssumed: boolean;
}

/** A change so close to another could bear the same stamp: the clock of file systems ticks every 4 or 10 ms. */
const TICK_NS = 20_000_000n;
const SECOND_NS = 1_000_000_000n;

function readStaged({ index, stat }: LoadedIndex): Map<string, Staged> {
  const staged = new Map<string, Staged>();
  const written = stat?.mtimeNs ?? 0n;
  for (let at = 0; at < entryCount(index); at++) {
    if (isIntentToAdd(index, at)) continue;
    const entry = readEntry(index, at);
    const { mtimeSeconds, mtimeNanoseconds } = entry.stat;
    const modified = BigInt(mtimeSeconds) * SECOND_NS + BigInt(mtimeNanoseconds);
    // Without nanoseconds (some builds of git, some file systems) only another second is another time.
    const isTrusted =
      mtimeNanoseconds === 0 ? modified / SECOND_NS < written / SECOND_NS : modified + TICK_NS < written;
    staged.set(entryPathBytes(index, at).toString('utf8'), {
      entry,
      isTrusted,
      isAssumed: isAssumedUnchanged(index, at),
    });
  }
  return staged;
}

/** The index knows this very state of the file, and HEAD has the same blob. */
function isVouchedFor(before: TreeFile, staged: Staged | null, stamp: FileStamp): boolean {
  if (staged === null || !isSame(before, staged)) return false;
  if (staged.isAssumed) return true;
  const { stat } = staged.entry;
  return (
    staged.isTrusted &&
    stat.size === stamp.size % 2 ** 32 &&
    stat.inode === Number(BigInt.asUintN(32, stamp.inode)) &&
    isTime(stat.mtimeSeconds, stat.mtimeNanoseconds, stamp.modifiedNs) &&
    isTime(stat.ctimeSeconds, stat.ctimeNanoseconds, stamp.changedNs)
  );
}

function isTime(seconds: number, nanoseconds: number, time: bigint): boolean {
  const isSecond = seconds === Number(BigInt.asUintN(32, time / SECOND_NS));
  return isSecond && (nanoseconds === 0 || nanoseconds === Number(time % SECOND_NS));
}

async function holds(parts: StatusParts, path: string, before: TreeFile): Promise<boolean> {
  const file = readItemFile(parts.root, path, Infinity);
  // Unreadable or gone since the scan: nothing is known, and the next look will tell.
  if (file.status !== 'read') return true;
  return makeObject('blob', await parts.clean(path, file.bytes)).id === before.id;
}

function describe(
  path: string,
  state: StatusEntry['state'],
  before: TreeFile | null,
  staged: Staged | null,
): StatusEntry {
  return { path, state, ...(!isSame(before, staged) && { staged: true as const }) };
}

function isSame(before: TreeFile | null, staged: Staged | null): boolean {
  if (before === null || staged === null) return before === null && staged === null;
  return before.id === staged.entry.id && before.mode === staged.entry.mode.toString(8);
}

function mayStillBe(path: string, scan: WorkingTreeScan): boolean {
  const isAtOrBelow = (other: string): boolean => path === other || path.startsWith(`${other}/`);
  return (
    scan.unreadable.some((unreadable) => isAtOrBelow(unreadable.path)) ||
    scan.skipped.some((skipped) => skipped.reason !== 'folder' && isAtOrBelow(skipped.path))
  );
}
