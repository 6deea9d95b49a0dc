// What lies in the folders of a memory: which item files there are, and the bytes of one.
// Invariants: what cannot be read is reported, never left out as if it were deleted; nothing that is no regular file is
// opened for longer than it takes to see that; no link is followed out of the memory.
import fs from 'node:fs';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './file-system.ts';
import { composeName } from './memory-path.ts';
import { Turns } from './turns.ts';

/** What tells one state of a file from another without reading it. */
export interface FileStamp {
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
  readonly inode: bigint;
}

/** Something that is named like an item but is no readable file. */
export interface SkippedPath {
  readonly path: string;
  readonly reason: SkipReason;
}

/** `nested-repository`: a folder with a `.git` of its own; `name-not-utf8`: git and editors would disagree on its name. */
export type SkipReason = 'symbolic-link' | 'folder' | 'special-file' | 'nested-repository' | 'name-not-utf8';

/** A folder or file whose state is unknown: what was known of it stays in force. */
export interface UnreadablePath {
  readonly path: string;
  readonly errno: string;
}

export interface WorkingTreeScan {
  /** Item files by path, `/` on every system. */
  readonly files: ReadonlyMap<string, FileStamp>;
  readonly skipped: readonly SkippedPath[];
  /** Everything at or below these paths may still be there. */
  readonly unreadable: readonly UnreadablePath[];
}

/** An item is larger than this by mistake. */
export const MAX_ITEM_BYTES = 1_000_000;

/**
 * The `.md` files at any depth of these folders, with stamps. Hidden names, editors' swap and backup files and whatever
 * is below a folder with a `.git` of its own are not looked at; a name that is not UTF-8 cannot be. A folder that does
 * not exist has no files.
 */
export function scanWorkingTree(root: string, folders: readonly string[]): WorkingTreeScan {
  return scanFiles(root, folders, [], isItemName);
}

/** The same for these folders and single files, of whatever path is accepted. */
export function scanFiles(
  root: string,
  folders: readonly string[],
  files: readonly string[],
  accepts: (path: string) => boolean,
): WorkingTreeScan {
  const scan = beginScan(root, accepts);
  const steps = scanSteps(scan, folders, files);
  while (steps.next().done !== true);
  return scan;
}

/** The same, for a process that others talk to. */
export async function scanFilesInTurns(
  root: string,
  folders: readonly string[],
  files: readonly string[],
  accepts: (path: string) => boolean,
): Promise<WorkingTreeScan> {
  const scan = beginScan(root, accepts);
  const steps = scanSteps(scan, folders, files);
  const turns = new Turns();
  while (steps.next().done !== true) if (turns.isOver) await turns.pass();
  return scan;
}

function beginScan(root: string, accepts: (path: string) => boolean): ScanInProgress {
  return { root, accepts, files: new Map(), skipped: [], unreadable: [] };
}

interface ScanInProgress {
  readonly root: string;
  readonly accepts: (path: string) => boolean;
  readonly files: Map<string, FileStamp>;
  readonly skipped: SkippedPath[];
  readonly unreadable: UnreadablePath[];
}

/** So many looks at the disk are one step: coming back from each would double what a scan of ten thousand files costs. */
const LOOKS_A_STEP = 16;

/** Comes back after a few looks at the disk. */
function* scanSteps(scan: ScanInProgress, folders: readonly string[], files: readonly string[]): Generator<undefined> {
  for (const file of files) stampInto(file, scan);
  for (const folder of folders) yield* scanFolder(folder, scan);
}

function* scanFolder(folder: string, scan: ScanInProgress): Generator<undefined> {
  let names: fs.Dirent[];
  try {
    names = fs.readdirSync(`${scan.root}/${folder}`, { withFileTypes: true });
  } catch (error) {
    const errno = errnoOrThrow(error);
    if (errno !== 'ENOENT') scan.unreadable.push({ path: folder, errno });
    return;
  }
  if (names.some((entry) => entry.name === '.git')) {
    scan.skipped.push({ path: folder, reason: 'nested-repository' });
    return;
  }
  for (const [at, entry] of names.entries()) {
    if (isPassedOver(entry.name)) continue;
    const below = scanName(folder, entry, scan);
    if (below !== null) yield* scanFolder(below, scan);
    if (at % LOOKS_A_STEP === 0) yield;
  }
}

/** Returns a folder to go on with. */
function scanName(folder: string, entry: fs.Dirent, scan: ScanInProgress): string | null {
  const path = `${folder}/${composeName(entry.name)}`;
  const isAccepted = scan.accepts(path);
  if (entry.name.includes('\uFFFD') && !fs.existsSync(join(scan.root, path))) {
    scan.skipped.push({ path, reason: 'name-not-utf8' });
  } else if (entry.isFile()) {
    if (isAccepted) stampInto(path, scan);
  } else if (entry.isDirectory()) {
    if (isItemName(entry.name)) scan.skipped.push({ path, reason: 'folder' });
    return path;
  } else if (entry.isSymbolicLink()) {
    scan.skipped.push({ path, reason: 'symbolic-link' });
  } else if (isAccepted) {
    // A FIFO, a socket, or a file system that does not tell the type.
    stampInto(path, scan);
  }
  return null;
}

function stampInto(path: string, scan: ScanInProgress): void {
  try {
    const stat = fs.lstatSync(`${scan.root}/${path}`, { bigint: true });
    if (stat.isFile()) scan.files.set(path, makeStamp(stat));
    else scan.skipped.push({ path, reason: describeType(stat) });
  } catch (error) {
    const errno = errnoOrThrow(error);
    if (errno !== 'ENOENT') scan.unreadable.push({ path, errno });
  }
}

/** Named like an item (a name or a path); whether it is in a folder of items is the caller's question. */
export function isItemName(path: string): boolean {
  return path.slice(-3).toLowerCase() === '.md' && !isPassedOver(path.slice(path.lastIndexOf('/') + 1));
}

/** Hidden files, and what editors leave beside a file while it is open or after it was saved. */
export function isPassedOver(name: string): boolean {
  return (
    name.startsWith('.') || name.endsWith('~') || name.startsWith('~$') || (name.startsWith('#') && name.endsWith('#'))
  );
}

export type ReadFileResult =
  | { status: 'read'; bytes: Buffer; stamp: FileStamp }
  | { status: 'gone' }
  | { status: 'unreadable'; errno: string }
  | { status: 'not-a-regular-file'; type: SkipReason }
  | { status: 'too-large'; stamp: FileStamp };

/** Reads one file whole. The stamp is of before the reading: a write that overlaps it shows as a newer stamp. */
export function readItemFile(root: string, path: string, maxBytes = MAX_ITEM_BYTES): ReadFileResult {
  const absolute = join(root, path);
  let handle: number | null = null;
  try {
    const link = fs.lstatSync(absolute, { bigint: true });
    if (!link.isFile()) return { status: 'not-a-regular-file', type: describeType(link) };
    handle = fs.openSync(absolute, READ_NO_FOLLOW);
    const stat = fs.fstatSync(handle, { bigint: true });
    // Something else may have taken its place between the two looks.
    if (!stat.isFile()) return { status: 'not-a-regular-file', type: describeType(stat) };
    const stamp = makeStamp(stat);
    if (Number(stat.size) > maxBytes) return { status: 'too-large', stamp };
    return { status: 'read', bytes: fs.readFileSync(handle), stamp };
  } catch (error) {
    const errno = errnoOrThrow(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return { status: 'gone' };
    // O_NOFOLLOW says ELOOP for a link that appeared meanwhile.
    if (errno === 'ELOOP') return { status: 'not-a-regular-file', type: 'symbolic-link' };
    return { status: 'unreadable', errno };
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}

const READ_NO_FOLLOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.modifiedNs === b.modifiedNs && a.changedNs === b.changedNs && a.inode === b.inode;
}

/** Only what the system says is about the file; anything else is a bug that must not pass for one. */
function errnoOrThrow(error: unknown): string {
  const errno = errnoOf(error);
  if (errno === null) throw error;
  return errno;
}

function makeStamp(stat: fs.BigIntStats): FileStamp {
  return { size: Number(stat.size), modifiedNs: stat.mtimeNs, changedNs: stat.ctimeNs, inode: stat.ino };
}

function describeType(stat: fs.BigIntStats): SkipReason {
  if (stat.isSymbolicLink()) return 'symbolic-link';
  return stat.isDirectory() ? 'folder' : 'special-file';
}
