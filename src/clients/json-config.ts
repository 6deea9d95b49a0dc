// JSON configuration files, with the comments and trailing commas that a client takes. An edit is a splice at offsets
// that jsonc-parser finds, and its result is parsed again and compared before it is handed out.

import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Parsed } from '../memory/item.ts';
import {
  applySplices,
  lineAt,
  lineEndOf,
  refuse,
  type ConfigFormat,
  type EntryKeys,
  type Splice,
} from './config-format.ts';
import { insertFirst, membersOf, removeMember, replaceValue } from './json-members.ts';

export interface JsonLayout {
  /** The keys that lead to the object of servers. */
  readonly servers: readonly string[];
  /** Another place for it, used where a file has it already. */
  readonly otherServers?: readonly string[];
  /** What the client's own parser takes beyond JSON; a file with more is broken for it. */
  readonly takes: 'json' | 'comments' | 'comments-and-trailing-commas';
}

export function jsonConfig(layout: JsonLayout): ConfigFormat {
  return {
    list: (text) => {
      const opened = open(text, layout);
      return opened.ok ? { ok: true, value: serversIn(opened.value) } : opened;
    },
    put: (text, name, keys) => {
      const opened = open(text, layout);
      if (!opened.ok) return opened;
      const splices = putSplices(opened.value, name, keys);
      return splices.ok ? check(opened.value, splices.value, layout, { name, keys }) : splices;
    },
    remove: (text, name) => {
      const opened = open(text, layout);
      if (!opened.ok) return opened;
      const { json, root, servers } = opened.value;
      const place = walk(root, servers);
      const member = place.ok && place.value.rest.length === 0 ? memberOf(place.value.node, name) : undefined;
      if (!place.ok || !member) return { ok: true, value: text };
      const splices = removeMember(json, place.value.node, member.property);
      return check(opened.value, splices, layout, { name, keys: null });
    },
  };
}

/** What an edit is meant to do: set these keys, or take the entry out. */
interface Wanted {
  readonly name: string;
  readonly keys: EntryKeys | null;
}

const BOM = '\uFEFF';

interface OpenedJson {
  readonly bom: string;
  /** The text without BOM; `{}` for a blank file. Offsets are of this text. */
  readonly json: string;
  readonly root: Node;
  /** The keys that lead to the object of servers in this file. */
  readonly servers: readonly string[];
}

function open(text: string, layout: JsonLayout): Parsed<OpenedJson> {
  const bom = text.startsWith(BOM) ? BOM : '';
  const bare = text.slice(bom.length);
  const json = bare.trim() === '' ? `{}${lineEndOf(bare)}` : bare;
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, {
    disallowComments: layout.takes === 'json',
    allowTrailingComma: layout.takes === 'comments-and-trailing-commas',
  });
  const [error] = errors;
  if (error) return refuse(lineAt(json, error.offset), `The file is broken: ${describeError(error)}.`);
  if (root?.type !== 'object') return refuse(1, 'The file holds something else than a JSON object.');
  const other = layout.otherServers === undefined ? null : walk(root, layout.otherServers);
  const usesOther = other?.ok === true && other.value.rest.length === 0 && isObjectOfObjects(other.value.node);
  const servers = usesOther && layout.otherServers !== undefined ? layout.otherServers : layout.servers;
  // What stands on the way to the servers has to be an object that is there once.
  const place = walk(root, servers);
  if (!place.ok) return place;
  if (place.value.node.type !== 'object') {
    return refuse(lineAt(json, place.value.node.offset), `"${servers.join('.')}" is not an object.`);
  }
  return { ok: true, value: { bom, json, root, servers } };
}

function describeError({ error }: ParseError): string {
  const words: Record<string, string> = {
    InvalidCommentToken: 'this client takes no comments in it',
    PropertyNameExpected: 'a key is missing, or a comma is too much',
    ValueExpected: 'a value is missing, or a comma is too much',
    CommaExpected: 'a comma is missing',
    ColonExpected: 'a colon is missing',
    CloseBraceExpected: 'a closing brace is missing',
    CloseBracketExpected: 'a closing bracket is missing',
    EndOfFileExpected: 'something follows the end of the object',
  };
  const code = printParseErrorCode(error);
  return words[code] ?? code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** Whether every value is an object: a server called `servers` has strings in it. */
function isObjectOfObjects(node: Node): boolean {
  return node.type === 'object' && membersOf(node).every(({ value }) => value.type === 'object');
}

/** The deepest node on a path, and the keys that are not there. */
function walk(root: Node, path: readonly string[]): Parsed<{ node: Node; rest: readonly string[] }> {
  let node = root;
  for (const [depth, key] of path.entries()) {
    const [member, twin] = membersOf(node).filter((each) => each.key === key);
    if (twin) return refuse(1, `"${key}" is there twice, and readers differ on which one counts: take one out.`);
    if (!member) return { ok: true, value: { node, rest: path.slice(depth) } };
    node = member.value;
  }
  return { ok: true, value: { node, rest: [] } };
}

function memberOf(object: Node, key: string): ReturnType<typeof membersOf>[number] | undefined {
  return membersOf(object).find((member) => member.key === key);
}

function serversIn({ root, servers }: OpenedJson): ReadonlyMap<string, unknown> {
  const place = walk(root, servers);
  if (!place.ok || place.value.rest.length > 0) return new Map();
  return new Map(Object.entries(getNodeValue(place.value.node) as Record<string, unknown>));
}

function putSplices(opened: OpenedJson, name: string, keys: EntryKeys): Parsed<readonly Splice[]> {
  const { json, root, servers } = opened;
  const found = walk(root, [...servers, name]);
  if (!found.ok) return found;
  const { node, rest } = found.value;
  const [first, ...deeper] = rest;
  if (first !== undefined) {
    const value = deeper.reduceRight<unknown>((inner, key) => ({ [key]: inner }), keys);
    return { ok: true, value: [insertFirst(json, node, { [first]: value })] };
  }
  if (node.type !== 'object') return refuse(lineAt(json, node.offset), `"${name}" is not an object.`);
  const splices: Splice[] = [];
  const missing: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(keys)) {
    const place = walk(node, [key]);
    if (!place.ok) return place;
    if (place.value.rest.length > 0) missing[key] = wanted;
    else if (!isDeepStrictEqual(getNodeValue(place.value.node), wanted)) {
      splices.push(replaceValue(json, node, place.value.node, wanted));
    }
  }
  if (Object.keys(missing).length > 0) splices.push(insertFirst(json, node, missing));
  return { ok: true, value: splices };
}

/** The edited text, if it parses, holds what was wanted, and differs in the named entry only. */
function check(before: OpenedJson, splices: readonly Splice[], layout: JsonLayout, wanted: Wanted): Parsed<string> {
  const edited = before.bom + applySplices(before.json, splices);
  const after = open(edited, layout);
  const rest = ({ root, servers }: OpenedJson) => withoutEntry(getNodeValue(root), [...servers, wanted.name]);
  const isRight =
    after.ok &&
    isDeepStrictEqual(rest(before), rest(after.value)) &&
    holds(serversIn(after.value).get(wanted.name), wanted.keys);
  return isRight
    ? { ok: true, value: edited }
    : refuse(1, 'The file has a form that cannot be edited without touching other entries: change it by hand.');
}

function holds(entry: unknown, keys: EntryKeys | null): boolean {
  if (keys === null) return entry === undefined;
  return Object.entries(keys).every(([key, value]) =>
    isDeepStrictEqual((entry as EntryKeys | undefined)?.[key], value),
  );
}

/** A value without the entry at a path, and without the objects that hold nothing else. */
function withoutEntry(value: unknown, path: readonly string[]): unknown {
  const [key, ...deeper] = path;
  if (key === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { [key]: inner, ...others } = value as Record<string, unknown>;
  const kept = withoutEntry(inner, deeper);
  const isEmpty = kept === undefined || (typeof kept === 'object' && kept !== null && Object.keys(kept).length === 0);
  return isEmpty ? others : { ...others, [key]: kept };
}
