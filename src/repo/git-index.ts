// git's index file, read in place (gitformat-index): where each entry lies, what the stat data say, which extensions
// there are. Nothing is decoded that is not asked for: at 10,000 entries a commit may not cost more than a copy.
// Invariant: what is read was whole (its checksum holds) and of a form that stet writes (see `describeIndexFeature`).
import { createHash } from 'node:crypto';
import type { ObjectId } from './git-object.ts';

/** The stat data of an entry, as git stores it: every number cut to 32 bits. */
export interface EntryStat {
  readonly ctimeSeconds: number;
  readonly ctimeNanoseconds: number;
  readonly mtimeSeconds: number;
  readonly mtimeNanoseconds: number;
  readonly device: number;
  readonly inode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
}

export interface IndexEntry {
  /** Octal: 0o100644, 0o100755, 0o120000, 0o160000. */
  readonly mode: number;
  readonly id: ObjectId;
  readonly stat: EntryStat;
}

export interface IndexExtension {
  /** Four characters; optional to understand if the first is upper case. */
  readonly name: string;
  readonly content: Buffer;
}

export interface GitIndex {
  readonly version: 2 | 3;
  readonly bytes: Buffer;
  /** Where each entry starts, and last where the extensions do. */
  readonly offsets: Uint32Array;
  readonly extensions: readonly IndexExtension[];
}

/** Offsets within an entry. */
const MODE = 24;
const ID = 40;
const FLAGS = 60;
const NAME = 62;
const EXTENDED_FLAG = 0x4000;
const ASSUME_VALID_FLAG = 0x8000;
const SKIP_WORKTREE_FLAG = 0x4000;
const INTENT_TO_ADD_FLAG = 0x2000;
const HEADER = 12;
const CHECKSUM = 20;

/** What stands in the way of writing this index. */
export type IndexProblem =
  | { kind: 'feature'; feature: string; remedy: string }
  /** Entries of a merge that is not resolved. */
  | { kind: 'unmerged'; path: string };

export interface ReadIndex {
  /** Without entries when `damage` says why, or when the problem is a format that is not read. */
  readonly index: GitIndex;
  readonly problem: IndexProblem | null;
  /** In words; null for a whole file. */
  readonly damage: string | null;
}

/** What a missing index file means: no entries. */
export const EMPTY_INDEX: GitIndex = {
  version: 2,
  bytes: Buffer.alloc(HEADER),
  offsets: Uint32Array.of(HEADER),
  extensions: [],
};

/** Reads an index file, after its checksum has been found to hold. */
export function readIndex(bytes: Buffer): ReadIndex {
  if (bytes.length < HEADER + CHECKSUM || bytes.toString('latin1', 0, 4) !== 'DIRC')
    return damaged('it is no index file');
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) {
    const remedy = 'Run `git config index.version 2` and `git update-index --index-version 2` in the memory.';
    return unreadable(`an index of version ${version}`, remedy);
  }
  const end = bytes.length - CHECKSUM;
  const checksum = bytes.subarray(end);
  const isUnchecked = checksum.every((byte) => byte === 0);
  if (!isUnchecked && !createHash('sha1').update(bytes.subarray(0, end)).digest().equals(checksum)) {
    return damaged('its checksum does not hold');
  }
  const read = readWholeIndex(bytes);
  return isUnchecked && read.damage === null ? { ...read, problem: SKIPPED_HASH } : read;
}

/** The same for bytes that are known to be whole and of a version that is read. */
export function readWholeIndex(bytes: Buffer): ReadIndex {
  const end = bytes.length - CHECKSUM;
  const offsets = findEntries(bytes, end, bytes.readUInt32BE(8));
  if (offsets === null) return damaged('its entries run past its end');
  const extensions = findExtensions(bytes, offsets.at(-1) ?? HEADER, end);
  if (extensions === null) return damaged('its extensions run past its end');
  const index: GitIndex = { version: bytes.readUInt32BE(4) === 3 ? 3 : 2, bytes, offsets, extensions };
  return { index, problem: findProblem(index), damage: null };
}

const SKIPPED_HASH: IndexProblem = {
  kind: 'feature',
  feature: 'an index without a checksum (index.skipHash)',
  remedy: 'Run `git config index.skipHash false` and `git update-index --force-write-index` in the memory.',
};

/** How many entries there are. */
export function entryCount(index: GitIndex): number {
  return index.offsets.length - 1;
}

/** Where the entry of this path is (its bytes), or the complement (`~`) of where it would be inserted. */
export function findEntry(index: GitIndex, path: Buffer): number {
  let low = 0;
  let high = entryCount(index) - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = entryPathBytes(index, middle).compare(path);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

export function entryPathBytes(index: GitIndex, at: number): Buffer {
  const { bytes } = index;
  const start = offsetOf(index, at);
  const flags = bytes.readUInt16BE(start + FLAGS);
  const nameStart = start + NAME + ((flags & EXTENDED_FLAG) === 0 ? 0 : 2);
  const length = flags & 0xfff;
  return bytes.subarray(nameStart, length < 0xfff ? nameStart + length : bytes.indexOf(0, nameStart));
}

export function readEntry(index: GitIndex, at: number): IndexEntry {
  const { bytes } = index;
  const start = offsetOf(index, at);
  return {
    mode: bytes.readUInt32BE(start + MODE),
    id: bytes.toString('hex', start + ID, start + ID + 20),
    stat: readEntryStat(index, at),
  };
}

export function readEntryStat({ bytes, offsets }: GitIndex, at: number): EntryStat {
  const start = offsets[at] ?? bytes.length;
  return {
    ctimeSeconds: bytes.readUInt32BE(start),
    ctimeNanoseconds: bytes.readUInt32BE(start + 4),
    mtimeSeconds: bytes.readUInt32BE(start + 8),
    mtimeNanoseconds: bytes.readUInt32BE(start + 12),
    device: bytes.readUInt32BE(start + 16),
    inode: bytes.readUInt32BE(start + 20),
    uid: bytes.readUInt32BE(start + 28),
    gid: bytes.readUInt32BE(start + 32),
    size: bytes.readUInt32BE(start + 36),
  };
}

/** git takes the file for unchanged without a look (`update-index --assume-unchanged`, `--skip-worktree`). */
export function isAssumedUnchanged(index: GitIndex, at: number): boolean {
  const flags = flagsOf(index, at);
  return (flags.first & ASSUME_VALID_FLAG) !== 0 || (flags.second & SKIP_WORKTREE_FLAG) !== 0;
}

/** `git add -N`: the path is announced, its content is not staged. */
export function isIntentToAdd(index: GitIndex, at: number): boolean {
  return (flagsOf(index, at).second & INTENT_TO_ADD_FLAG) !== 0;
}

export function offsetOf(index: GitIndex, at: number): number {
  const offset = index.offsets[at];
  if (offset === undefined) throw new RangeError(`no index entry ${at}`);
  return offset;
}

/** The bytes of one entry, 8-aligned; the name ends in 1 to 8 NULs. */
export function printEntry(path: Buffer, entry: IndexEntry): Buffer {
  const bytes = Buffer.alloc(paddedLength(NAME + path.length));
  const { stat } = entry;
  const words = [
    stat.ctimeSeconds,
    stat.ctimeNanoseconds,
    stat.mtimeSeconds,
    stat.mtimeNanoseconds,
    stat.device,
    stat.inode,
    entry.mode,
    stat.uid,
    stat.gid,
    stat.size,
  ];
  for (const [at, word] of words.entries()) bytes.writeUInt32BE(word, at * 4);
  bytes.write(entry.id, ID, 'hex');
  bytes.writeUInt16BE(Math.min(path.length, 0xfff), FLAGS);
  path.copy(bytes, NAME);
  return bytes;
}

/** Header, entries, extensions and checksum. */
export function printIndex(
  version: number,
  count: number,
  entries: readonly Buffer[],
  extensions: readonly IndexExtension[],
): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write('DIRC', 'latin1');
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(count, 8);
  const parts = [header, ...entries];
  for (const { name, content } of extensions) {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32BE(content.length, 4);
    parts.push(head, content);
  }
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return Buffer.concat([...parts, hash.digest()]);
}

function findEntries(bytes: Buffer, end: number, count: number): Uint32Array | null {
  const offsets = new Uint32Array(count + 1);
  let at = HEADER;
  for (let entry = 0; entry < count; entry++) {
    offsets[entry] = at;
    if (at + NAME > end) return null;
    const flags = bytes.readUInt16BE(at + FLAGS);
    const nameOffset = NAME + ((flags & EXTENDED_FLAG) === 0 ? 0 : 2);
    const short = flags & 0xfff;
    const length = short < 0xfff ? short : bytes.indexOf(0, at + nameOffset) - at - nameOffset;
    at += paddedLength(nameOffset + length);
    if (length < 0 || at > end) return null;
  }
  offsets[count] = at;
  return offsets;
}

function findExtensions(bytes: Buffer, start: number, end: number): IndexExtension[] | null {
  const extensions: IndexExtension[] = [];
  let at = start;
  while (at < end) {
    if (at + 8 > end) return null;
    const length = bytes.readUInt32BE(at + 4);
    if (at + 8 + length > end) return null;
    extensions.push({ name: bytes.toString('latin1', at, at + 4), content: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length;
  }
  return extensions;
}

function findProblem(index: GitIndex): IndexProblem | null {
  for (const { name } of index.extensions) {
    if (name === 'link') {
      return {
        kind: 'feature',
        feature: 'a split index',
        remedy: 'Run `git config core.splitIndex false` and `git update-index --no-split-index` in the memory.',
      };
    }
    if (name === 'sdir') {
      return { kind: 'feature', feature: 'a sparse index', remedy: 'Run `git sparse-checkout disable` in the memory.' };
    }
    if (!/^[A-Z]/.test(name)) {
      const remedy = 'Use a git that can write the plain format: `git read-tree HEAD` in the memory.';
      return { kind: 'feature', feature: `the index extension "${name}"`, remedy };
    }
  }
  for (let at = 0; at < entryCount(index); at++) {
    if ((flagsOf(index, at).first & 0x3000) !== 0) {
      return { kind: 'unmerged', path: entryPathBytes(index, at).toString('utf8') };
    }
  }
  return null;
}

function flagsOf(index: GitIndex, at: number): { first: number; second: number } {
  const start = offsetOf(index, at);
  const first = index.bytes.readUInt16BE(start + FLAGS);
  return { first, second: (first & EXTENDED_FLAG) === 0 ? 0 : index.bytes.readUInt16BE(start + NAME) };
}

function paddedLength(length: number): number {
  return (length + 8) & ~7;
}

function damaged(damage: string): ReadIndex {
  return { index: EMPTY_INDEX, problem: null, damage };
}

function unreadable(feature: string, remedy: string): ReadIndex {
  return { index: EMPTY_INDEX, problem: { kind: 'feature', feature, remedy }, damage: null };
}
