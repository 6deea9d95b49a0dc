// git's commit objects, and the people in them. Invariant: whatever a name holds, the object passes `git fsck --strict`.
import { makeObject, type GitObject, type ObjectId } from './git-object.ts';
import type { CommitMessage } from './repository.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
}

export interface ParsedCommit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: Person;
  /** Seconds since 1970. */
  readonly committedAt: number;
  /** All of it, subject first. */
  readonly message: string;
}

export interface CommitParts {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: Person;
  readonly committer: Person;
  readonly at: Date;
  readonly message: string;
}

export function makeCommit(parts: CommitParts): GitObject {
  const when = printTime(parts.at);
  const lines = [
    `tree ${parts.tree}`,
    ...parts.parents.map((parent) => `parent ${parent}`),
    `author ${printPerson(parts.author)} ${when}`,
    `committer ${printPerson(parts.committer)} ${when}`,
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
    committedAt: committer.at,
    message: end < 0 ? '' : text.slice(end + 2),
  };
}

/** `Name <email>`, without anything that git's format cannot hold (git strips the same: ident.c, `crud`). */
export function printPerson({ name, email }: Person): string {
  return `${cleanName(name) || 'unknown'} <${cleanName(email).replaceAll(/\s+/g, '')}>`;
}

function cleanName(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must go
  const oneLine = text.replaceAll(/[\u0000-\u001f\u007f<>]+/g, ' ').replaceAll(/ {2,}/g, ' ');
  return oneLine.replaceAll(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
}

function parsePerson(text: string): { person: Person; at: number } {
  const match = /^(.*?) ?<([^>]*)> (\d+) [-+]\d{4}$/.exec(text);
  return { person: { name: match?.[1] ?? '', email: match?.[2] ?? '' }, at: Number(match?.[3] ?? 0) };
}

/** `seconds ±hhmm`, in this machine's zone. */
export function printTime(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const sign = minutes < 0 ? '-' : '+';
  const zone = String(Math.floor(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60)).padStart(4, '0');
  return `${Math.floor(at.getTime() / 1000)} ${sign}${zone}`;
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
