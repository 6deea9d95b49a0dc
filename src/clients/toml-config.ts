// TOML configuration files, as Codex has: one table `[mcp_servers.NAME]` a server. An edit works on whole lines and
// knows only the plain form of them; its result is parsed by smol-toml and compared with what was there, so that
// whatever the line view got wrong (a header inside a string, an inline table) is refused instead of written.

import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError } from 'smol-toml';
import type { Parsed } from '../memory/item.ts';
import { lineEndOf, refuse, type ConfigFormat, type EntryKeys } from './config-format.ts';

/** `servers` is the key of the table of servers. */
export function tomlConfig(servers: string): ConfigFormat {
  return {
    list: (text) => {
      const opened = open(text, servers);
      return opened.ok ? { ok: true, value: new Map(Object.entries(opened.value.servers)) } : opened;
    },
    put: (text, name, keys) => {
      const before = open(text, servers);
      if (!before.ok) return before;
      const entry = before.value.servers[name];
      const wanted = { ...(entry as EntryKeys | undefined), ...keys };
      const edited =
        entry === undefined ? append(text, [servers, name], keys) : setKeys(text, [servers, name], keys, wanted);
      return check(before.value, edited, servers, name, wanted);
    },
    remove: (text, name) => {
      const before = open(text, servers);
      if (!before.ok || before.value.servers[name] === undefined) return before.ok ? { ok: true, value: text } : before;
      return check(before.value, withoutTable(text, [servers, name]), servers, name, null);
    },
  };
}

interface OpenedToml {
  readonly servers: Readonly<Record<string, unknown>>;
  /** Everything else in the file. */
  readonly rest: Readonly<Record<string, unknown>>;
}

function open(text: string, key: string): Parsed<OpenedToml> {
  try {
    const { [key]: servers = {}, ...rest } = parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: true });
    if (typeof servers !== 'object' || Array.isArray(servers) || servers instanceof Date) {
      return refuse(1, `"${key}" is not a table.`);
    }
    return { ok: true, value: { servers: plain(servers), rest: plain(rest) } };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    return refuse(error.line, `The file is broken: ${reason}.`);
  }
}

/** The value in ordinary objects, which can be compared: smol-toml's have no prototype, and its dates hide their form. */
function plain(table: object): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(table, (_, value: unknown) => (typeof value === 'bigint' ? `integer ${value}` : value)),
  ) as Record<string, unknown>;
}

/** The edited text, if it says exactly what the old one did but for this entry. */
function check(
  before: OpenedToml,
  edited: string,
  servers: string,
  name: string,
  wanted: EntryKeys | null,
): Parsed<string> {
  const after = open(edited, servers);
  if (after.ok) {
    const { [name]: entry, ...others } = after.value.servers;
    const { [name]: _, ...othersBefore } = before.servers;
    const isRight =
      isDeepStrictEqual(after.value.rest, before.rest) &&
      isDeepStrictEqual(others, othersBefore) &&
      isDeepStrictEqual(entry, wanted === null ? undefined : wanted);
    if (isRight) return { ok: true, value: edited };
  }
  return refuse(1, `The servers are written in a form that cannot be edited with certainty: change ${name} by hand.`);
}

/** A table at the end of the file: the only place where it takes nothing from the tables that are there. */
function append(text: string, path: readonly string[], keys: EntryKeys): string {
  const lineEnd = lineEndOf(text);
  const block = [`[${path.map(printKey).join('.')}]`, ...Object.entries(keys).map(printPair), ''].join(lineEnd);
  if (text.trim() === '') return `${text}${block}`;
  return `${text}${/[\r\n]$/.test(text) ? '' : lineEnd}${lineEnd}${block}`;
}

function printKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** On one line: `stringify` breaks none, and prints strings as TOML has them. */
function printPair([key, value]: readonly [string, string | readonly string[]]): string {
  return stringify({ [key]: value }).trimEnd();
}

interface Line {
  /** With its line end. */
  readonly text: string;
  /** The table that it belongs to; null before the first header. */
  readonly table: readonly string[] | null;
  readonly isHeader: boolean;
}

function linesOf(text: string): readonly Line[] {
  let table: readonly string[] | null = null;
  return text.split(/(?<=\n)/).map((line) => {
    const header = headerOf(line);
    table = header ?? table;
    return { text: line, table, isHeader: header !== null };
  });
}

/** The keys of `[a."b c".d]` or `[[a.b]]`; null for any other line. */
function headerOf(line: string): readonly string[] | null {
  if (!/^\s*\[/.test(line)) return null;
  const path: string[] = [];
  try {
    for (let value: unknown = parse(line); typeof value === 'object' && value !== null && !Array.isArray(value);) {
      const [key] = Object.keys(value);
      if (key === undefined) break;
      path.push(key);
      value = (value as Record<string, unknown>)[key];
    }
  } catch {
    return null;
  }
  return path;
}

function isBelow(table: readonly string[] | null, path: readonly string[]): boolean {
  return table !== null && path.every((key, depth) => table[depth] === key);
}

/**
 * Without the tables of an entry. Comments above the header that follows belong to that one, and stay; of two blank
 * lines that would meet, one goes.
 */
function withoutTable(text: string, path: readonly string[]): string {
  const kept: Line[] = [];
  let gap = false;
  for (const block of blocksOf(linesOf(text))) {
    const isOwn = isBelow(block[0]?.table ?? null, path);
    const stays = isOwn ? trailingSpace(block) : block;
    if (isOwn) gap = true;
    for (const line of stays) {
      if (gap && isBlank(line) && (kept.length === 0 || isBlank(kept.at(-1)))) continue;
      gap &&= isBlank(line);
      kept.push(line);
    }
  }
  if (gap && isBlank(kept.at(-1))) kept.pop();
  return kept.map((line) => line.text).join('');
}

/** Each header with the lines up to the next; what stands before the first is a block of its own. */
function blocksOf(lines: readonly Line[]): readonly Line[][] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line.isHeader) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks;
}

function trailingSpace(block: readonly Line[]): readonly Line[] {
  const last = block.findLastIndex((line) => !/^\s*(?:#|$)/.test(line.text));
  return block.slice(last + 1);
}

function isBlank(line: Line | undefined): boolean {
  return line?.text.trim() === '';
}

/** With the values of keys in a table replaced, each together with the further lines that it takes. */
function setKeys(text: string, path: readonly string[], keys: EntryKeys, wanted: EntryKeys): string {
  let edited = text;
  for (const [key, value] of Object.entries(keys)) {
    const lines = linesOf(edited);
    const own = (line: Line) => line.table?.length === path.length && isBelow(line.table, path);
    const header = lines.findIndex((line) => line.isHeader && own(line));
    if (header === -1) return edited;
    const pair = `${printPair([key, value])}${lineEndOf(edited)}`;
    const start = lines.findIndex((line) => own(line) && !line.isHeader && startsWithKey(line.text, key));
    const first = lines[start];
    if (first === undefined) {
      edited = lines.map((line, place) => line.text + (place === header ? pair : '')).join('');
      continue;
    }
    const lastLine = lines.findIndex((_, end) => end >= start && isWholeValue(lines.slice(start, end + 1), key));
    if (lastLine === -1) return edited;
    const taken = lines.slice(start, lastLine + 1).map((line) => line.text);
    if (isDeepStrictEqual(parse(taken.join(''))[key], wanted[key])) continue;
    const comment = lastLine === start ? trailingComment(first.text, key) : '';
    const put = comment === '' ? pair : `${pair.trimEnd()}${comment}`;
    edited = lines.map((line, at) => (at === start ? put : at > start && at <= lastLine ? '' : line.text)).join('');
  }
  return edited;
}

function startsWithKey(line: string, key: string): boolean {
  return new RegExp(`^\\s*(?:${key}|"${key}"|'${key}')\\s*=`).test(line);
}

/** Whether these lines are one pair of this key and nothing more. */
function isWholeValue(lines: readonly Line[], key: string): boolean {
  try {
    return isDeepStrictEqual(Object.keys(parse(lines.map((line) => line.text).join(''))), [key]);
  } catch {
    return false;
  }
}

/** What follows the value on a line of one pair: from the first `#` that the value can do without, or nothing. */
function trailingComment(line: string, key: string): string {
  const value = parse(line)[key];
  for (let at = line.indexOf('#'); at !== -1; at = line.indexOf('#', at + 1)) {
    try {
      const start = line.slice(0, at).trimEnd().length;
      if (isDeepStrictEqual(parse(line.slice(0, start))[key], value)) return line.slice(start);
    } catch {
      // The `#` stands in a string.
    }
  }
  return '';
}
