// git's commit objects, and the people in them. Invariant: whatever a name holds, the object passes `git fsck --strict`.
import type { ZonedTime } from '../memory/zoned-time.ts';
import { makeObject, type GitObject, type ObjectId } from './git-object.ts';
import type { CommitMessage, RecordedCommit } from './repository.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
}

export interface CommitParts extends RecordedCommit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
}

export interface ParsedCommit extends CommitParts {
  /** Seconds since 1970. */
  readonly committedAt: number;
}

export function makeCommit(parts: CommitParts): GitObject {
  const lines = [
    `tree ${parts.tree}`,
    ...parts.parents.map((parent) => `parent ${parent}`),
    `author ${printPerson(parts.author)} ${printTime(parts.authored)}`,
    `committer ${printPerson(parts.committer)} ${printTime(parts.committed)}`,
    '',
    parts.message,
  ];
  return makeObject('commit', Buffer.from(lines.join('\n'), 'utf8'));
}

export function parseCommit(bytes: Uint8Array): ParsedCommit {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const end = text.indexOf('\n\n');
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n');
  const values = (name: string): string[] =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const author = parsePerson(values('author')[0] ?? '');
  const committer = parsePerson(values('committer')[0] ?? '');
  return {
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    author: author.person,
    authored: author.at,
    committer: committer.person,
    committed: committer.at,
    committedAt: committer.at.seconds,
    message: end < 0 ? '' : text.slice(end + 2),
  };
}

/** `Name <email>`, cleaned. */
export function printPerson(person: Person): string {
  const { name, email } = cleanPerson(person);
  return `${name} <${email}>`;
}

/** The same without anything that git's format cannot hold (git strips the same: ident.c, `crud`). */
export function cleanPerson({ name, email }: Person): Person {
  return { name: cleanName(name) || 'unknown', email: cleanName(email).replaceAll(/\s+/g, '') };
}

function cleanName(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must go
  const oneLine = text.replaceAll(/[\u0000-\u001f\u007f<>]+/g, ' ').replaceAll(/ {2,}/g, ' ');
  return oneLine.replaceAll(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
}

function parsePerson(text: string): { person: Person; at: ZonedTime } {
  const match = /^(.*?) ?<([^>]*)> (\d+) ([-+]\d{4})$/.exec(text);
  const [, name = '', email = '', seconds = '0', zone = '+0000'] = match ?? [];
  return { person: { name, email }, at: { seconds: Number(seconds), zone } };
}

/** A time in this machine's zone. */
export function zonedTime(at: Date): ZonedTime {
  const minutes = -at.getTimezoneOffset();
  const sign = minutes < 0 ? '-' : '+';
  const zone = String(Math.floor(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60)).padStart(4, '0');
  return { seconds: Math.floor(at.getTime() / 1000), zone: `${sign}${zone}` };
}

/** `seconds ±hhmm`. */
export function printTime({ seconds, zone }: ZonedTime): string {
  return `${seconds} ${zone}`;
}

/** Subject, blank line, trailers (git-interpret-trailers). Values are one line each. */
export function printMessage(message: CommitMessage): string {
  const trailers = message.trailers.map(([name, value]) => `${name}: ${oneLine(value)}\n`).join('');
  return `${oneLine(message.subject) || 'edit'}\n${trailers === '' ? '' : `\n${trailers}`}`;
}

function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- a NUL in a message is an fsck error, a newline a forged trailer
  return text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim();
}
