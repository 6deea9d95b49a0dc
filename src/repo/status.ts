// How the memory's own files differ from HEAD, by a stat scan of our own: content is read only where the index cannot
// vouch for it. Invariant: what cannot be read is not reported as deleted; it is left out.
import { parseCommit } from './commit-object.ts';
import {
  entryCount,
  entryPathBytes,
  findEntry,
  isAssumedUnchanged,
  isIntentToAdd,
  readEntry,
  readEntryStat,
  type IndexEntry,
} from './git-index.ts';
import { makeObject, type ObjectId } from './git-object.ts';
import { TICK_NS, type CleanFile, type IndexFile, type LoadedIndex } from './index-file.ts';
import { isMemoryFile, isScannedMemoryFile, ITEM_FOLDERS, RECORD_FOLDERS, SETTING_FILES } from './memory-files.ts';
import type { ObjectStore } from './object-store.ts';
import type { StatusEntry } from './repository.ts';
import { listTree, type TreeFile } from './tree-store.ts';
import { Turns } from './turns.ts';
import { readItemFile, scanFilesInTurns, type FileStamp, type WorkingTreeScan } from './working-tree.ts';

const SECOND_NS = 1_000_000_000n;
/** Entries of which nothing is read are quick: asking for the time at each would be felt. */
const ENTRIES_A_LOOK = 64;

export interface StatusParts {
  readonly root: string;
  readonly store: ObjectStore;
  readonly clean: CleanFile;
  /** Whether git ignores a path that it does not track. */
  readonly isIgnored: (path: string) => boolean;
  readonly index: IndexFile;
}

export async function readStatus(
  parts: StatusParts,
  head: ObjectId | null,
  loaded: LoadedIndex,
  items?: WorkingTreeScan,
): Promise<readonly StatusEntry[]> {
  const tree = head === null ? null : parseCommit(await parts.store.read(head, 'commit')).tree;
  // Nothing is staged when the index is HEAD's tree, as it is after every commit of stet's: then HEAD need not be listed.
  const isMirror = await parts.index.mirrors(loaded.index, tree);
  const committed = isMirror ? null : await listTree(parts.store, tree);
  const folders = items === undefined ? [...ITEM_FOLDERS, ...RECORD_FOLDERS] : RECORD_FOLDERS;
  const found = await scanFilesInTurns(parts.root, folders, SETTING_FILES, isScannedMemoryFile);
  const scan = items === undefined ? found : together(items, found);
  const pass: Pass = { parts, loaded, committed, scan, changes: [], seen: new Set(), isMirror: true };
  const turns = new Turns();
  for (let at = 0; at < entryCount(loaded.index); at++) {
    const isToRead = !isIntentToAdd(loaded.index, at) && !isUntouched(pass, at);
    if ((isToRead || at % ENTRIES_A_LOOK === 0) && turns.isOver) await turns.pass();
    if (isToRead) await compareEntry(pass, at);
  }
  if (committed !== null) await compareUnstaged(pass, committed);
  for (const path of scan.files.keys()) {
    if (pass.seen.has(path)) continue;
    const isIgnored = parts.isIgnored(path);
    pass.changes.push({ path, state: 'added', ...(isIgnored && { ignored: true as const }) });
  }
  if (pass.isMirror && tree !== null) await parts.index.noteMirror(loaded.index, tree);
  return pass.changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function together(a: WorkingTreeScan, b: WorkingTreeScan): WorkingTreeScan {
  const files = new Map(a.files);
  for (const [path, stamp] of b.files) files.set(path, stamp);
  return { files, skipped: [...a.skipped, ...b.skipped], unreadable: [...a.unreadable, ...b.unreadable] };
}

interface Pass {
  readonly parts: StatusParts;
  readonly loaded: LoadedIndex;
  /** HEAD's files; null when the index is known to mirror them. */
  readonly committed: ReadonlyMap<string, TreeFile> | null;
  readonly scan: WorkingTreeScan;
  readonly changes: StatusEntry[];
  /** Paths of the scan that index or HEAD know. */
  readonly seen: Set<string>;
  /** No difference between index and HEAD so far. */
  isMirror: boolean;
}

/** What nearly every entry is, told without a promise for each: a file that index and HEAD know as it is. */
function isUntouched(pass: Pass, at: number): boolean {
  const { loaded, committed, scan } = pass;
  const path = entryPathBytes(loaded.index, at).toString('utf8');
  const stamp = scan.files.get(path);
  if (stamp === undefined) return false;
  pass.seen.add(path);
  return isVouchedFor(loaded, at, stamp) && (committed === null || isSame(committed.get(path), stagedAt(pass, at)));
}

/** A file that the index knows. */
async function compareEntry(pass: Pass, at: number): Promise<void> {
  const path = entryPathBytes(pass.loaded.index, at).toString('utf8');
  const staged = stagedAt(pass, at);
  const before = pass.committed === null ? staged : (pass.committed.get(path) ?? null);
  const isStaged = !isSame(before, staged);
  if (isStaged) pass.isMirror = false;
  await compareFile(pass, path, before, isStaged);
}

function stagedAt(pass: Pass, at: number): TreeFile {
  return toTreeFile(readEntry(pass.loaded.index, at));
}

function isSame(a: TreeFile | null | undefined, b: TreeFile): boolean {
  return a?.id === b.id && a.mode === b.mode;
}

/** Files that HEAD has and the index has not: the user staged their deletion. */
async function compareUnstaged(pass: Pass, committed: ReadonlyMap<string, TreeFile>): Promise<void> {
  for (const [path, before] of committed) {
    const at = findEntry(pass.loaded.index, Buffer.from(path, 'utf8'));
    if (at >= 0 && !isIntentToAdd(pass.loaded.index, at)) continue;
    pass.isMirror = false;
    if (pass.scan.files.has(path)) pass.seen.add(path);
    await compareFile(pass, path, before, true);
  }
}

async function compareFile(pass: Pass, path: string, before: TreeFile | null, isStaged: boolean): Promise<void> {
  if (!isMemoryFile(path)) return;
  const staged = isStaged ? { staged: true as const } : {};
  if (pass.scan.files.has(path)) {
    if (before === null) pass.changes.push({ path, state: 'added', ...staged });
    else if (!(await holds(pass.parts, path, before))) pass.changes.push({ path, state: 'modified', ...staged });
  } else if (before?.mode.startsWith('100') === true && !mayStillBe(path, pass.scan)) {
    pass.changes.push({ path, state: 'deleted', ...staged });
  }
}

/** The index knows this very state of the file, and took it long enough before it was written itself. */
function isVouchedFor({ index, stat }: LoadedIndex, at: number, stamp: FileStamp): boolean {
  if (isAssumedUnchanged(index, at)) return true;
  const entry = readEntryStat(index, at);
  const written = stat?.mtimeNs ?? 0n;
  // Without nanoseconds (some builds of git, some file systems) only another second is another time.
  const isTrusted =
    entry.mtimeNanoseconds === 0
      ? entry.mtimeSeconds < Number(written / SECOND_NS)
      : stamp.modifiedNs + TICK_NS < written;
  return (
    isTrusted &&
    entry.size === stamp.size % 2 ** 32 &&
    entry.inode === Number(BigInt.asUintN(32, stamp.inode)) &&
    isTime(entry.mtimeSeconds, entry.mtimeNanoseconds, stamp.modifiedNs) &&
    isTime(entry.ctimeSeconds, entry.ctimeNanoseconds, stamp.changedNs)
  );
}

function isTime(seconds: number, nanoseconds: number, time: bigint): boolean {
  const isSecond = seconds === Number(BigInt.asUintN(32, time / SECOND_NS));
  return isSecond && (nanoseconds === 0 || nanoseconds === Number(time % SECOND_NS));
}

function toTreeFile({ mode, id }: IndexEntry): TreeFile {
  return { mode: mode.toString(8), id };
}

async function holds(parts: StatusParts, path: string, before: TreeFile): Promise<boolean> {
  const file = readItemFile(parts.root, path, Infinity);
  // Unreadable or gone since the scan: nothing is known, and the next look will tell.
  if (file.status !== 'read') return true;
  return makeObject('blob', await parts.clean(path, file.bytes)).id === before.id;
}

function mayStillBe(path: string, scan: WorkingTreeScan): boolean {
  const isAtOrBelow = (other: string): boolean => path === other || path.startsWith(`${other}/`);
  return (
    scan.unreadable.some((unreadable) => isAtOrBelow(unreadable.path)) ||
    scan.skipped.some((skipped) => skipped.reason !== 'folder' && isAtOrBelow(skipped.path))
  );
}
