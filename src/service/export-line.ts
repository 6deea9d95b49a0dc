// The lines of an export, printed and read. Invariant: what is read comes whole or not at all, and no line names a file
// outside of a memory's own.

import { isDeepStrictEqual } from 'node:util';
import { StetError } from '../memory/failure.ts';
import { placeOf } from '../memory/item-path.ts';
import { isLocalFile, SETTING_FILES } from '../memory/merge/memory-versions.ts';
import { tombstonedId } from '../memory/tombstone.ts';
import { parseZonedTime } from '../memory/zoned-time.ts';
import { cleanPerson } from '../repo/commit-object.ts';
import { composePath, memoryPathProblem } from '../repo/memory-path.ts';
import type { RecordedCommit, ReplayedCommit } from '../repo/repository.ts';

/**
 * A file of the present state. `content` is the whole file: UTF-8, or base64 where it is none. Null where the last commit
 * has the file, and it is gone: only in an export with history.
 */
export type FileLine =
  | { type: 'item'; path: string; id: string; content: string | null; encoding?: 'base64' }
  | { type: 'tombstone' | 'config'; path: string; content: string | null; encoding?: 'base64' };

/** One file as one commit left it. The lines of a commit stand together; each tells all of it. */
export interface VersionLine {
  type: 'version';
  commit: string;
  /** When it was committed and when it was written: ISO 8601, with the zone of whoever did. */
  time: string;
  authored: string;
  /** Names. */
  author: string;
  author_email: string;
  committer: string;
  committer_email: string;
  subject: string;
  /** All of it, subject and trailers included. */
  message: string;
  /** It merged commits that no line tells of. */
  merge?: true;
  /** Null where the commit changed no file. */
  path: string | null;
  /** Null where the commit removed the file. */
  content: string | null;
  encoding?: 'base64';
  executable?: true;
}

export type ExportLine = FileLine | VersionLine;

export interface ExportedFile {
  /** Where in the export it stands, from 1. */
  readonly line: number;
  readonly type: FileLine['type'];
  readonly path: string;
  /** Null where the file is gone. */
  readonly bytes: Buffer | null;
}

export interface ExportedCommit extends ReplayedCommit {
  /** Its id where it was exported. */
  readonly commit: string;
  readonly isMerge: boolean;
  /** The line of each of its files, by path. */
  readonly lines: ReadonlyMap<string, number>;
}

export interface ParsedExport {
  /** Oldest first. */
  readonly commits: readonly ExportedCommit[];
  readonly files: readonly ExportedFile[];
}

/** Of an export by a stet that did not tell addresses. */
const NO_ADDRESS = 'unknown@export.invalid';

/** Throws `bad-file`, with the line, for whatever is no line of an export. Paths come as git spells them here. */
export function parseExport(
  file: string,
  bytes: Uint8Array,
  platform: NodeJS.Platform = process.platform,
): ParsedExport {
  const files: ExportedFile[] = [];
  const commits: OpenCommit[] = [];
  const seen = new Set<string>();
  for (const { line, text } of splitLines(bytes)) {
    try {
      const fields = parseFields(text, platform);
      if (fields['type'] === 'version') takeVersion(commits, seen, fields, line);
      else files.push(parseFile(fields, line));
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      throw new StetError({
        code: 'bad-file',
        path: file,
        line,
        reason: error.message,
        hint: 'Nothing was imported. Correct the line, or export again with `stet export`.',
      });
    }
  }
  return { commits, files };
}

/** The content of a file as it stands in a line. */
export function encodeContent(bytes: Buffer): { content: string; encoding?: 'base64' } {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes)
    ? { content: text }
    : { content: bytes.toString('base64'), encoding: 'base64' };
}

class LineError extends Error {}

/** Space, tab and carriage return: what JSON has between two lines, beside their end. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

type Fields = Readonly<Record<string, unknown>>;

interface OpenCommit extends ExportedCommit {
  readonly files: Map<string, { readonly bytes: Buffer; readonly executable: boolean } | null>;
  readonly lines: Map<string, number>;
}

/** Lines of blanks are left out. */
function* splitLines(bytes: Uint8Array): Iterable<{ line: number; text: Uint8Array }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0, line = 1; at < buffer.length; line++) {
    const end = buffer.indexOf('\n', at);
    const text = buffer.subarray(at, end < 0 ? buffer.length : end);
    if (text.some((byte) => !BLANKS.has(byte))) yield { line, text };
    at += text.length + 1;
  }
}

function parseFields(text: Uint8Array, platform: NodeJS.Platform): Fields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    throw new LineError('this is no line of an export');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LineError('this is no line of an export');
  }
  const fields = value as Fields;
  const path = fields['path'];
  return typeof path === 'string' ? { ...fields, path: composePath(path, platform) } : fields;
}

function parseFile(fields: Fields, line: number): ExportedFile {
  const type = fields['type'];
  if (type !== 'item' && type !== 'tombstone' && type !== 'config') {
    throw new LineError(
      typeof type === 'string' ? `${JSON.stringify(type)} is no type of a line` : 'this is no line of an export',
    );
  }
  const path = parsePath(fields);
  const isOwn = {
    item: placeOf(path) !== null,
    tombstone: tombstonedId(path) !== null,
    config: SETTING_FILES.some((name) => name === path),
  };
  if (!isOwn[type]) throw new LineError(`${JSON.stringify(path)} is no path of a line of type ${type}`);
  return { line, type, path, bytes: parseContent(fields) };
}

function takeVersion(commits: OpenCommit[], seen: Set<string>, fields: Fields, line: number): void {
  const id = parseText(fields, 'commit');
  const record = parseRecord(fields);
  let commit = commits.at(-1);
  if (commit?.commit !== id) {
    if (seen.has(id)) throw new LineError(`the lines of the commit ${id} do not stand together`);
    seen.add(id);
    commit = {
      commit: id,
      record,
      isMerge: fields['merge'] === true,
      files: new Map(),
      lines: new Map(),
    };
    commits.push(commit);
  }
  if (!isDeepStrictEqual(record, commit.record)) {
    throw new LineError(`it tells of the commit ${id} what its other lines do not`);
  }
  if (fields['path'] === null) return;
  const path = parsePath(fields);
  // Another machine's own: it stays what this one has.
  if (isLocalFile(path)) return;
  if (commit.files.has(path)) throw new LineError(`the commit ${id} has ${JSON.stringify(path)} twice`);
  const bytes = parseContent(fields);
  commit.files.set(path, bytes && { bytes, executable: fields['executable'] === true });
  commit.lines.set(path, line);
}

/**
 * Older exports have neither addresses nor messages, and one time and name for all. People come as a commit of stet's names
 * them, so that it can be compared with what was made of it.
 */
function parseRecord(fields: Fields): RecordedCommit {
  const author = cleanPerson({
    name: parseText(fields, 'author'),
    email: parseText(fields, 'author_email', NO_ADDRESS),
  });
  const committed = parseTime(fields, 'time', null);
  const message = parseText(fields, 'message', `${parseText(fields, 'subject')}\n`);
  if (message.includes('\0')) throw new LineError('its message holds a NUL character');
  return {
    author,
    authored: parseTime(fields, 'authored', committed),
    committer: cleanPerson({
      name: parseText(fields, 'committer', author.name),
      email: parseText(fields, 'committer_email', author.email),
    }),
    committed,
    message,
  };
}

/** `otherwise`: what an absent field stands for; none unless given. */
function parseText(fields: Fields, name: string, otherwise?: string): string {
  const value = fields[name] ?? otherwise;
  if (typeof value !== 'string') throw new LineError(`its ${name} is missing, or no text`);
  return value;
}

function parseTime(
  fields: Fields,
  name: string,
  otherwise: RecordedCommit['committed'] | null,
): RecordedCommit['committed'] {
  if (fields[name] === undefined && otherwise !== null) return otherwise;
  const text = parseText(fields, name);
  const time = parseZonedTime(text);
  if (time === null) {
    throw new LineError(`its ${name}, ${JSON.stringify(text)}, is no time (2026-11-30T10:31:04+01:00)`);
  }
  return time;
}

function parsePath(fields: Fields): string {
  const path = parseText(fields, 'path');
  const problem = memoryPathProblem(path);
  if (problem !== null) throw new LineError(`its path ${JSON.stringify(path)} is none in a memory: ${problem}`);
  return path;
}

/** Null for a file that is gone. */
function parseContent(fields: Fields): Buffer | null {
  if (fields['content'] === null) return null;
  const content = parseText(fields, 'content');
  const encoding = fields['encoding'];
  if (encoding === undefined) return Buffer.from(content, 'utf8');
  if (encoding !== 'base64') throw new LineError(`its encoding ${JSON.stringify(encoding)} is unknown`);
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64') !== content) throw new LineError('its content is no base64');
  return bytes;
}
