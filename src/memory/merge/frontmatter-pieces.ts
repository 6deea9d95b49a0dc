// A text in the pieces that a merge of keys moves about: frontmatter key by key, then the body.
// Invariant: the pieces put together again in their order are the text, byte for byte.
import { visit, type YAMLMap } from 'yaml';

import type { YamlPair } from '../frontmatter-yaml.ts';
import { readYaml, type FrontmatterValue } from '../frontmatter-yaml.ts';
import { mentionsKeys, splitText } from '../frontmatter-split.ts';
import { endOf, keyOf } from '../mapping-editor.ts';

/** One key of the frontmatter, in whole lines. */
export interface KeyPiece {
  readonly key: string;
  /** The comments and blank lines above it. */
  readonly lead: string;
  /** Its own lines, the comment behind the value among them. */
  readonly text: string;
  readonly value: FrontmatterValue;
}

export interface TextPieces {
  /** The opening line; empty without frontmatter. */
  readonly open: string;
  readonly keys: readonly KeyPiece[];
  /** Comments behind the last key. */
  readonly tail: string;
  readonly close: string;
  readonly body: string;
}

/**
 * The pieces of a text without byte order mark and lone CRs. `broken`: the frontmatter cannot be read. `entangled`: its keys
 * do not stand each for itself (they share a line, or one is an alias for a part of another).
 */
export function takeApart(text: string): TextPieces | 'broken' | 'entangled' {
  const split = splitText(text);
  if (!split.ok) return 'broken';
  const { yaml, body } = split.value;
  const allBody: TextPieces = { open: '', keys: [], tail: '', close: '', body: text };
  if (yaml === null) return allBody;
  const source = text.slice(yaml.start, yaml.end);
  const read = readYaml(source, yaml.line);
  if (!read.ok) return mentionsKeys(source) ? 'broken' : allBody;
  const { map } = read.value;
  if (map?.flow === true || (map !== null && hasAliases(map))) return 'entangled';
  const keys = cutKeys(source, map?.items ?? [], read.value.keys);
  if (keys === null) return 'entangled';
  const used = keys.reduce((sum, { lead, text: lines }) => sum + lead.length + lines.length, 0);
  return {
    open: text.slice(0, yaml.start),
    keys,
    tail: source.slice(used),
    close: text.slice(yaml.end, body.start),
    body: text.slice(body.start),
  };
}

export function putTogether({ open, keys, tail, close, body }: TextPieces): string {
  return open + keys.map(({ lead, text }) => lead + text).join('') + tail + close + body;
}

function hasAliases(map: YAMLMap.Parsed): boolean {
  let found = false;
  visit(map, { Alias: () => void (found = true) });
  return found;
}

function cutKeys(
  source: string,
  pairs: readonly YamlPair[],
  values: ReadonlyMap<string, { readonly value: FrontmatterValue }>,
): readonly KeyPiece[] | null {
  const pieces: KeyPiece[] = [];
  let from = 0;
  for (const pair of pairs) {
    const key = keyOf(pair);
    const value = key === null ? undefined : values.get(key)?.value;
    const start = source.lastIndexOf('\n', pair.key.range[0] - 1) + 1;
    if (key === null || value === undefined || start < from) return null;
    const end = endOfLine(source, endOf(pair));
    pieces.push({ key, lead: source.slice(from, start), text: source.slice(start, end), value });
    from = end;
  }
  return pieces;
}

/** Values in lines of their own end with the last line end; of others the rest of the line, a comment, is theirs too. */
function endOfLine(source: string, offset: number): number {
  if (source[offset - 1] === '\n') return offset;
  const end = source.indexOf('\n', offset);
  return end === -1 ? source.length : end + 1;
}
