// What an import takes from: files that are read one after the other, each giving items that could be stored, or the
// reason why not. Provenance is kept: who stored it, where it stood, when.

import { isUtf8 } from 'node:buffer';
import { homedir } from 'node:os';
import { basename, dirname, relative, sep } from 'node:path';
import { editFrontmatter } from '../memory/frontmatter.ts';
import { deriveId } from '../memory/id.ts';
import type { ImportedStatement, ReadMemory } from '../memory/import/imported-statement.ts';
import { printItemFile, statementOf } from '../memory/item-file.ts';
import { newItemPath } from '../memory/item-path.ts';
import type { Item, Kind, Parsed, Problem, Space } from '../memory/item.ts';
import { findSecrets } from '../memory/secrets.ts';
import { checkFit, MAX_STATEMENT_CODE_POINTS } from '../memory/statement.ts';
import { readItemFile, type SkipReason } from '../repo/working-tree.ts';

/** An item that could be stored, or why there is none. `from` names the place, for people. */
export type Found =
  { ok: true; from: string; item: Item; path: string; bytes: Uint8Array } | { ok: false; from: string; reason: string };

/** One file, or one text that was handed over. */
export interface ImportSource {
  read(): Promise<readonly Found[]>;
}

export interface ImportSources {
  /** What the commit calls it. */
  readonly name: string;
  readonly sources: readonly ImportSource[];
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

/** What all statements of one file have in common. */
export interface StatementOrigin {
  /** Where it stood, as people write it: `~/work/acme/CLAUDE.md`. */
  readonly from: string;
  readonly source: string;
  readonly space: Space;
  /** For all of them, whatever they were. */
  readonly kind: Kind | null;
  /** When the file was last changed: the date of statements that bring none. */
  readonly modified: Date;
  /** Whether a text may be longer than a statement, as a note may. */
  readonly long: boolean;
}

/** The items that the statements of a file become. An id comes from place and text, so that a second run finds it. */
export async function itemsOf(read: ReadMemory, origin: StatementOrigin): Promise<readonly Found[]> {
  const found: Found[] = read.leftOut.map(({ line, reason }) => ({
    ok: false,
    from: `${origin.from}:${line}`,
    reason,
  }));
  for (const each of read.statements) found.push(await itemOf(each, origin));
  return found;
}

async function itemOf(each: ImportedStatement, origin: StatementOrigin): Promise<Found> {
  const from = `${origin.from}:${each.line}`;
  const text = each.text.trim();
  const [secret] = await findSecrets(text);
  if (secret) return { ok: false, from, reason: `it holds what looks like a secret (${secret.rule})` };
  const fit = checkFit(text);
  if (!fit.ok && fit.reason === 'empty') return { ok: false, from, reason: 'it is empty' };
  if (!fit.ok && !origin.long) {
    const reason = `it is longer than ${MAX_STATEMENT_CODE_POINTS} characters: split it, or keep it elsewhere and point to it`;
    return { ok: false, from, reason };
  }
  const item: Item = {
    id: deriveId(origin.from, text),
    kind: origin.kind ?? each.kind,
    space: origin.space,
    source: origin.source,
    created: each.created ?? isoSeconds(origin.modified),
    supersedes: [],
    tags: each.tags,
    ...(each.target === null ? {} : { target: each.target }),
    text,
    statement: statementOf(text),
  };
  const printed = editFrontmatter(printItemFile(item), { original_path: from });
  if (!printed.ok) return { ok: false, from, reason: explainProblems(printed.problems) };
  return { ok: true, from, item, path: newItemPath(item), bytes: new TextEncoder().encode(printed.value) };
}

/** The bytes of a file with its time, or why it has none. Nothing here follows links. */
export function readBytes(path: string, maxBytes: number): Parsed<{ bytes: Uint8Array; modified: Date }> {
  const read = readItemFile(dirname(path), basename(path), maxBytes);
  switch (read.status) {
    case 'gone':
      return refuse('it vanished while it was imported');
    case 'unreadable':
      return refuse(`it cannot be read (${read.errno})`);
    case 'not-a-regular-file':
      return refuse(explainSkip(read.type));
    case 'too-large':
      return refuse(`it is larger than ${Math.round(maxBytes / 1_000_000)} MB`);
    case 'read':
      return { ok: true, value: { bytes: read.bytes, modified: new Date(Number(read.stamp.modifiedNs / 1_000_000n)) } };
  }
}

/** The same as text, which has to be UTF-8. */
export function readText(path: string, maxBytes: number): Parsed<{ text: string; modified: Date }> {
  const read = readBytes(path, maxBytes);
  if (!read.ok) return read;
  const { bytes, modified } = read.value;
  if (!isUtf8(bytes)) return refuse('it is not UTF-8 text');
  return { ok: true, value: { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), modified } };
}

/** A path as people write it: from the home folder where it lies in it, with `/` on every system. */
export function displayPath(path: string): string {
  const inHome = relative(homedir(), path);
  const short = inHome !== '' && !inHome.startsWith('..') && inHome !== path ? `~${sep}${inHome}` : path;
  return short.split(sep).join('/');
}

/** The first problem of a file, with its line. */
export function explainProblems(problems: readonly Problem[]): string {
  const [first] = problems;
  return first === undefined ? 'it cannot be used' : `line ${first.line}: ${first.message}`;
}

/** The reason that {@link readBytes} and {@link readText} give. */
export function reasonOf(problems: readonly Problem[]): string {
  return problems[0]?.message ?? 'it cannot be used';
}

export function explainSkip(reason: SkipReason): string {
  switch (reason) {
    case 'symbolic-link':
      return 'it is a symbolic link';
    case 'folder':
      return 'it is a folder named like a note';
    case 'special-file':
      return 'it is no regular file';
    case 'nested-repository':
      return 'it is a git repository of its own';
    case 'name-not-utf8':
      return 'its name is not UTF-8';
  }
}

function isoSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function refuse(message: string): { ok: false; problems: readonly Problem[] } {
  return { ok: false, problems: [{ line: 1, message }] };
}
