// The stream of changes that stet's processes acknowledge, `.git/stet/journal`: what lets every process know, at the
// price of one stat, that another has written.
// Invariants: only the holder of `write.lock` appends; a line counts once its newline is there; whoever cannot be told
// exactly what changed since his cursor is told `everything`.
//
//   stet-journal 1 <stream: 24 hex> <base: bytes cut off the front so far, 16 digits>\n
//   "<path as JSON>"\n            written, removed or committed
//   {"commit":…,"files":…}\n      what a commit of stet's recorded (see `CommitRecord`)
//
// A position is counted from the beginning of the stream, so that cutting the front does not move it. The file is not
// fsynced: a cursor lives no longer than its process, and no process outlives a power cut.
import { randomBytes } from 'node:crypto';
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { discard, temporaryName } from './atomic-file.ts';
import { orMissing, type FileSystem } from './file-system.ts';
import type { ObjectId } from './git-object.ts';
import type { ChangeCursor, ChangesSince } from './repository.ts';

/** What one commit of stet's put at its paths; null where it removed. */
export interface CommitRecord {
  readonly commit: ObjectId;
  readonly files: Readonly<Record<string, ObjectId | null>>;
}

interface Header {
  readonly stream: string;
  readonly base: number;
  /** Bytes of the header line, newline included. */
  readonly length: number;
}

const HEADER = /^stet-journal 1 ([0-9a-f]{24}) (\d{16})\n/;
const HEADER_LENGTH = 'stet-journal 1 '.length + 24 + 1 + 16 + 1;

/** At this size the older half is cut off: some 10,000 paths. */
const MAX_BYTES = 1_000_000;
const RECORDS_BYTES = 128_000;

export class ChangeJournal {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #folder: string;
  readonly #maxBytes: number;

  constructor(fs: FileSystem, folder: string, maxBytes = MAX_BYTES) {
    this.#fs = fs;
    this.#folder = folder;
    this.#path = join(folder, 'journal');
    this.#maxBytes = maxBytes;
  }

  /** Makes an empty journal where there is none, so that there is something to compare with from the first write on. */
  async begin(): Promise<void> {
    try {
      const header = makeHeader(randomBytes(12).toString('hex'), 0);
      await this.#fs.createFile(this.#path, header, { mode: 0o644, sync: false });
    } catch {
      // There is one; or nobody can write here, and every look finds `everything`.
    }
  }

  /**
   * Tells every process of these changes. Only under `write.lock`. If the disk is full the journal is removed, which
   * says `everything` to all until it can be made again.
   */
  async append(paths: Iterable<string>, records: readonly CommitRecord[]): Promise<void> {
    const lines = [
      ...[...paths].map((path) => JSON.stringify(path)),
      ...records.map((record) => JSON.stringify(record)),
    ];
    if (lines.length === 0) return;
    const text = Buffer.from(`${lines.join('\n')}\n`, 'utf8');
    try {
      const size = await this.#prepare();
      if (size + text.length > this.#maxBytes) await this.#cut(text);
      else await this.#fs.appendFile(this.#path, text);
    } catch {
      await discard(this.#fs, this.#path);
    }
  }

  /** What was appended since the cursor; see `Repository.changesSince`. */
  since(cursor: ChangeCursor | null): ChangesSince {
    const stamp = this.#stamp();
    const from = parseCursor(cursor);
    if (stamp === null) return { cursor: '', paths: 'everything' };
    if (from !== null && from.stamp === stamp) return { cursor: cursor ?? '', paths: [] };
    return this.#read(from);
  }

  /** The last commits of stet's, oldest first: those in the last 128 KB, which are hundreds unless they are imports. */
  async records(): Promise<CommitRecord[]> {
    const bytes = await orMissing(this.#fs.readFile(this.#path));
    if (bytes === null) return [];
    const start = bytes.length - RECORDS_BYTES;
    const lines = linesOf(bytes, start <= HEADER_LENGTH ? HEADER_LENGTH : bytes.indexOf(0x0a, start) + 1);
    return lines.flatMap((line) => {
      const value = line.startsWith('{') ? parseLine(line) : null;
      return value === null || typeof value === 'string' ? [] : [value];
    });
  }

  #read(from: Position | null): ChangesSince {
    let bytes: Buffer;
    let stamp: string;
    let handle: number | null = null;
    try {
      handle = nodeFs.openSync(this.#path, 'r');
      // Stamp first: what is appended between the two calls is read again next time, never missed.
      stamp = stampOf(nodeFs.fstatSync(handle, { bigint: true }));
      bytes = nodeFs.readFileSync(handle);
    } catch {
      return { cursor: '', paths: 'everything' };
    } finally {
      if (handle !== null) nodeFs.closeSync(handle);
    }
    const header = parseHeader(bytes);
    if (header === null) return { cursor: '', paths: 'everything' };
    const end = bytes.lastIndexOf(0x0a) + 1;
    const cursor = `${header.stream} ${header.base + end - header.length} ${stamp}`;
    const offset = from === null ? -1 : from.position - header.base;
    const isCut = from === null || from.stream !== header.stream || offset < 0 || header.length + offset > end;
    if (isCut) return { cursor, paths: 'everything' };
    const paths = new Set<string>();
    for (const line of linesOf(bytes, header.length + offset)) {
      const value = parseLine(line);
      if (typeof value === 'string') paths.add(value);
      else for (const path of Object.keys(value?.files ?? {})) paths.add(path);
    }
    return { cursor, paths: [...paths] };
  }

  /** A journal to append to, a torn last line closed. Returns its size. */
  async #prepare(): Promise<number> {
    const stat = await orMissing(this.#fs.lstat(this.#path));
    const bytes = stat === null ? null : await this.#tail(Number(stat.size));
    if (bytes === null) {
      await this.#replace(makeHeader(randomBytes(12).toString('hex'), 0));
      return HEADER_LENGTH;
    }
    if (bytes.at(-1) !== 0x0a) await this.#fs.appendFile(this.#path, Buffer.from('\n'));
    return Number(stat?.size ?? 0);
  }

  /** The last byte, and null when the file is no journal. */
  async #tail(size: number): Promise<Buffer | null> {
    if (size < HEADER_LENGTH) return null;
    const handle = nodeFs.openSync(this.#path, 'r');
    try {
      const head = Buffer.alloc(HEADER_LENGTH);
      nodeFs.readSync(handle, head, 0, HEADER_LENGTH, 0);
      if (parseHeader(head) === null) return null;
      const last = Buffer.alloc(1);
      nodeFs.readSync(handle, last, 0, 1, size - 1);
      return last;
    } finally {
      nodeFs.closeSync(handle);
    }
  }

  /** Drops the older half, whole lines of it, and appends. */
  async #cut(text: Buffer): Promise<void> {
    const bytes = await this.#fs.readFile(this.#path);
    const header = parseHeader(bytes);
    if (header === null) return;
    const middle = bytes.indexOf(0x0a, Math.max(header.length, bytes.length - this.#maxBytes / 2));
    const from = middle < 0 ? bytes.length : middle + 1;
    const base = header.base + from - header.length;
    await this.#replace(Buffer.concat([makeHeader(header.stream, base), bytes.subarray(from), text]));
  }

  async #replace(bytes: Buffer): Promise<void> {
    const temporary = join(this.#folder, temporaryName());
    try {
      await this.#fs.createFile(temporary, bytes, { mode: 0o644, sync: false });
      await this.#fs.rename(temporary, this.#path);
    } catch (error) {
      await discard(this.#fs, temporary);
      throw error;
    }
  }

  #stamp(): string | null {
    try {
      return stampOf(nodeFs.statSync(this.#path, { bigint: true }));
    } catch {
      // Whatever stands in the way, the answer is the same: look at everything.
      return null;
    }
  }
}

interface Position {
  readonly stream: string;
  readonly position: number;
  readonly stamp: string;
}

function parseCursor(cursor: ChangeCursor | null): Position | null {
  const match = /^([0-9a-f]{24}) (\d+) (.+)$/.exec(cursor ?? '');
  if (match === null) return null;
  return { stream: match[1] ?? '', position: Number(match[2]), stamp: match[3] ?? '' };
}

function stampOf(stat: nodeFs.BigIntStats): string {
  return `${stat.ino}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}`;
}

function makeHeader(stream: string, base: number): Buffer {
  return Buffer.from(`stet-journal 1 ${stream} ${String(base).padStart(16, '0')}\n`, 'latin1');
}

function parseHeader(bytes: Buffer): Header | null {
  const match = HEADER.exec(bytes.toString('latin1', 0, HEADER_LENGTH));
  return match === null ? null : { stream: match[1] ?? '', base: Number(match[2]), length: match[0].length };
}

/** Whole lines from `start` on. */
function linesOf(bytes: Buffer, start: number): string[] {
  const end = bytes.lastIndexOf(0x0a);
  return end < start ? [] : bytes.toString('utf8', start, end).split('\n');
}

/** A path or a record; null for a line that a crash tore. */
function parseLine(line: string): string | CommitRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null || !('commit' in value) || !('files' in value)) return null;
    return value as CommitRecord;
  } catch {
    return null;
  }
}
