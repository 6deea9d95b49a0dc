// Reads the YAML of a frontmatter into its top-level keys. Invariant: every scalar is the text that the file shows (no
// dates, numbers or booleans), no alias is expanded, no tag is applied, and the work is bounded.
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Pair, ParsedNode, Scalar, YAMLMap, YAMLParseError } from 'yaml';

import { excerpt } from './excerpt.ts';
import type { Parsed, Problem } from './item.ts';
import { lineOf } from './text-lines.ts';

/** What a key holds. */
export type FrontmatterValue =
  /** Nothing, `~` or `null`. */
  | { readonly shape: 'empty' }
  /** One scalar: its text, quotes and line folding undone. */
  | { readonly shape: 'text'; readonly text: string }
  /** A list of scalars; empty entries are left out. */
  | { readonly shape: 'list'; readonly texts: readonly string[] }
  /** Anything else: a mapping, nested lists, an alias, a value with a tag of its own. */
  | { readonly shape: 'other' };

export interface FrontmatterEntry {
  readonly value: FrontmatterValue;
  /** The line of the key, from 1, in the text that the YAML was cut from. */
  readonly line: number;
}

/** The top-level keys in their order. A map, so that keys like `__proto__` are keys and nothing else. */
export type FrontmatterKeys = ReadonlyMap<string, FrontmatterEntry>;

/** Larger frontmatter (UTF-16 units, lines) is refused unread: gray-matter's time grows with the square of blank lines. */
export const MAX_YAML_LENGTH = 32 * 1024;
export const MAX_YAML_LINES = 1_000;
/** Collections nested deeper than this are refused. */
export const MAX_YAML_DEPTH = 32;

/** A pair of a mapping, with the offsets of its parts. */
export type YamlPair = Pair<ParsedNode, ParsedNode | null>;

export interface YamlKeys {
  /** The mapping, in block or flow style, or null where there are no keys. */
  readonly map: YAMLMap.Parsed | null;
  readonly keys: FrontmatterKeys;
}

/** Parses YAML source whose first line is line `line` of its file. What is not a mapping of keys is a problem. */
export function readYaml(source: string, line: number): Parsed<YamlKeys> {
  const at = (offset: number) => line - 1 + lineOf(source, offset);
  if (source.length > MAX_YAML_LENGTH || at(source.length) - line > MAX_YAML_LINES) {
    return refuse([{ line, message: TOO_LARGE }]);
  }
  const document = parseDocument(source, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    // Its own check compares every key with every other, and does not say where the first one is. Ours is below.
    uniqueKeys: false,
    keepSourceTokens: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  // The first alone: the others mostly follow from it.
  const [error] = document.errors;
  if (error !== undefined) return refuse([{ line: at(error.pos[0]), message: messageOf(error) }]);
  const map = document.contents;
  if (map === null || (isScalar(map) && isNull(map))) return { ok: true, value: { map: null, keys: new Map() } };
  if (!isMap(map)) return refuse([{ line, message: NO_KEYS }]);
  const deep = tooDeep(map);
  if (deep !== null) return refuse([{ line: at(deep), message: TOO_DEEP }]);

  const keys = new Map<string, FrontmatterEntry>();
  const problems: Problem[] = [];
  for (const pair of map.items) {
    const key = pair.key;
    if (!isScalar(key)) continue;
    const name = textOf(key);
    const keyLine = at(key.range[0]);
    const first = keys.get(name);
    if (first !== undefined) {
      problems.push({
        line: keyLine,
        message: `The key "${excerpt(name)}" is here twice (first in line ${first.line}): keep one.`,
      });
    }
    keys.set(name, { value: valueOf(pair.value), line: keyLine });
  }
  return problems.length > 0 ? refuse(problems.slice(0, 3)) : { ok: true, value: { map, keys } };
}

export const TOO_LARGE = `The frontmatter is larger than ${MAX_YAML_LENGTH / 1024} KB or ${MAX_YAML_LINES} lines: move what is not a key into the body.`;
const NO_KEYS = 'These are no keys: write `key: value` lines.';
const TOO_DEEP = `The frontmatter is nested deeper than ${MAX_YAML_DEPTH} levels: move what is not a key into the body.`;

function valueOf(node: unknown): FrontmatterValue {
  if (node === null || node === undefined) return { shape: 'empty' };
  if (isScalar(node)) {
    if (hasOwnTag(node)) return { shape: 'other' };
    return isNull(node) ? { shape: 'empty' } : { shape: 'text', text: textOf(node) };
  }
  if (!isSeq(node) || hasOwnTag(node)) return { shape: 'other' };
  const texts: string[] = [];
  for (const item of node.items) {
    const value = valueOf(item);
    if (value.shape === 'text') texts.push(value.text);
    else if (value.shape !== 'empty') return { shape: 'other' };
  }
  return { shape: 'list', texts };
}

/** The text as it stands in the file: `source` is what was read before the schema made a number or a boolean of it. */
function textOf(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

/** `~`, `null` or nothing; a quoted "null" is text. */
function isNull(scalar: Scalar): boolean {
  return scalar.value === null;
}

function hasOwnTag(node: { tag?: string | undefined }): boolean {
  return node.tag !== undefined && !/^tag:yaml\.org,2002:(?:str|seq|map)$/.test(node.tag);
}

/** The offset of a collection below the depth limit, or null. Does not recurse: the stack must not decide. */
function tooDeep(root: YAMLMap.Parsed): number | null {
  const waiting: Array<{ node: unknown; depth: number }> = [{ node: root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (!isMap(node) && !isSeq(node)) continue;
    if (depth > MAX_YAML_DEPTH) return node.range?.[0] ?? 0;
    for (const item of node.items) {
      if (isSeq(node)) waiting.push({ node: item, depth: depth + 1 });
      else {
        const pair = item as YamlPair;
        waiting.push({ node: pair.key, depth: depth + 1 }, { node: pair.value, depth: depth + 1 });
      }
    }
  }
  return null;
}

function messageOf(error: YAMLParseError): string {
  if (error.code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY') return 'Not valid YAML: a value with `: ` in it needs quotes around it.';
  const message = excerpt(error.message, 200);
  return `Not valid YAML: ${message}${/[.…]$/.test(message) ? '' : '.'}`;
}

function refuse(problems: readonly Problem[]): { ok: false; problems: readonly Problem[] } {
  return { ok: false, problems };
}
