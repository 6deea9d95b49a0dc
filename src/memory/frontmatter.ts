// Reads and edits the frontmatter of a file. Invariant: an edit changes the keys that it names and nothing else; it goes
// through the ranges of the YAML document tree, and its result is parsed again before it is handed out.
import { mentionsKeys, splitText } from './frontmatter-split.ts';
import type { SplitText } from './frontmatter-split.ts';
import { readYaml } from './frontmatter-yaml.ts';
import type { FrontmatterKeys, YamlKeys } from './frontmatter-yaml.ts';
import type { Parsed } from './item.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { endOf, keyOf, MappingEditor } from './mapping-editor.ts';
import type { Splice } from './mapping-editor.ts';
import { withoutLoneCr } from './text-lines.ts';
import { yamlValue } from './yaml-value.ts';

export interface Frontmatter {
  readonly keys: FrontmatterKeys;
  /** Whether there is a block, be it empty. */
  readonly hasBlock: boolean;
  /** Everything behind the block, as it stands (a lone CR is given as LF). */
  readonly body: string;
  /** The line, from 1, on which the body begins. */
  readonly bodyLine: number;
}

/** What {@link editFrontmatter} sets: a scalar, a list, or null to take the key out. */
export type FrontmatterChanges = Readonly<Record<string, string | readonly string[] | null>>;

/** The keys and the body of a text. */
export function readFrontmatter(text: string): Parsed<Frontmatter> {
  const source = withoutLoneCr(text);
  const split = splitText(source);
  if (!split.ok) return split;
  const { yaml: block, body } = split.value;
  const plain = block === null ? null : readPlainYaml(source.slice(block.start, block.end), block.line);
  if (plain !== null) {
    return { ok: true, value: { keys: plain, hasBlock: true, body: source.slice(body.start), bodyLine: body.line } };
  }
  const opened = openSplit(source, split.value);
  if (!opened.ok) return opened;
  const { split: decided, yaml } = opened.value;
  return {
    ok: true,
    value: {
      keys: yaml?.keys ?? new Map(),
      hasBlock: yaml !== null,
      body: source.slice(decided.body.start),
      bodyLine: decided.body.line,
    },
  };
}

/**
 * Sets, adds (in the order given, behind the last key) or removes top-level keys; makes the block where there is none.
 * `renames` (old name to new) comes first and keeps the value's own bytes. Every byte outside the named keys stays:
 * comments, order, quotes, line ends, BOM. A problem where that cannot be done with certainty.
 */
export function editFrontmatter(
  text: string,
  changes: FrontmatterChanges,
  renames: Readonly<Record<string, string>> = {},
): Parsed<string> {
  const before = open(withoutLoneCr(text));
  if (!before.ok) return before;
  const wanted: Wanted = { changes: new Map(Object.entries(changes)), renames: new Map(Object.entries(renames)) };
  const edited = splice(text, edits(text, before.value, wanted));
  const after = open(withoutLoneCr(edited));
  if (!after.ok || !isAsWanted(before.value, after.value, wanted)) {
    const line = before.value.split.yaml?.line ?? 1;
    return { ok: false, problems: [{ line, message: CANNOT_EDIT }] };
  }
  return { ok: true, value: edited };
}

const CANNOT_EDIT =
  'The frontmatter has a form in which no key can be changed without touching others: write one `key: value` a line, without anchors.';

interface Opened {
  /** The text without lone CRs; offsets are those of the text itself. */
  readonly source: string;
  readonly split: SplitText;
  readonly yaml: YamlKeys | null;
}

function open(source: string): Parsed<Opened> {
  const split = splitText(source);
  return split.ok ? openSplit(source, split.value) : split;
}

function openSplit(source: string, split: SplitText): Parsed<Opened> {
  const block = split.yaml;
  if (block === null) return { ok: true, value: { source, split, yaml: null } };
  const lines = source.slice(block.start, block.end);
  const yaml = readYaml(lines, block.line);
  if (yaml.ok) return { ok: true, value: { source, split, yaml: yaml.value } };
  if (mentionsKeys(lines)) return yaml;
  // Prose between two rules of Markdown.
  const { start } = split;
  return { ok: true, value: { source, split: { start, yaml: null, body: { start, line: 1 } }, yaml: null } };
}

/** The changes as maps: a file may well have a key named `constructor`. */
interface Wanted {
  readonly changes: ReadonlyMap<string, string | readonly string[] | null>;
  readonly renames: ReadonlyMap<string, string>;
}

function edits(text: string, { source, split, yaml }: Opened, { changes, renames }: Wanted): Splice[] {
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? '\n';
  const isThere = (key: string) => yaml?.keys.has(key) === true && !renames.has(key);
  const additions = [...changes].flatMap(([key, value]) => (value === null || isThere(key) ? [] : [{ key, value }]));
  const lines = (indent: string) =>
    additions.map(({ key, value }) => `${indent}${key}: ${yamlValue(key, value)}${lineEnd}`).join('');

  if (split.yaml === null) {
    const block = `---${lineEnd}${lines('')}---${lineEnd}`;
    return additions.length === 0 ? [] : [{ start: split.start, end: split.start, text: block }];
  }
  const { start, end } = split.yaml;
  const map = yaml?.map ?? null;
  if (map === null) return additions.length === 0 ? [] : [{ start: end, end, text: lines('') }];

  const editor = new MappingEditor(source.slice(start, end), map);
  for (const pair of map.items) {
    const name = keyOf(pair);
    if (name === null) continue;
    const renamed = renames.get(name);
    const change = changes.get(name);
    if (renamed !== undefined) editor.rename(pair, renamed);
    else if (change === null) editor.remove(pair);
    else if (change !== undefined && !holds(yaml?.keys, name, change)) editor.set(pair, name, change);
  }
  if (additions.length > 0) {
    if (map.flow === true) editor.addToFlow(additions);
    else editor.append(lines(editor.indent));
  }
  return editor.splices.map((splice) => ({ ...splice, start: splice.start + start, end: splice.end + start }));
}

function splice(text: string, splices: readonly Splice[]): string {
  let result = '';
  let from = 0;
  // What is put before a pair comes before what replaces the start of it.
  for (const { start, end, text: put } of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(from, start) + put;
    from = end;
  }
  return result + text.slice(from);
}

function isAsWanted(before: Opened, after: Opened, { changes, renames }: Wanted): boolean {
  const named = new Set([...changes.keys(), ...renames.keys(), ...renames.values()]);
  const rest = (opened: Opened) => pairTexts(opened).filter(([name]) => name === null || !named.has(name));
  const body = ({ source, split }: Opened) => source.slice(split.body.start);
  const valueText = (opened: Opened, key: string) => pairTexts(opened).find(([name]) => name === key)?.[1];
  return (
    body(before) === body(after) &&
    JSON.stringify(rest(before)) === JSON.stringify(rest(after)) &&
    [...renames].every(([old, name]) => valueText(before, old) === valueText(after, name)) &&
    [...changes].every(([key, value]) =>
      value === null ? after.yaml?.keys.has(key) !== true : holds(after.yaml?.keys, key, value),
    )
  );
}

/** Each top-level pair as its name and the source of its value, in order. */
function pairTexts({ source, split, yaml }: Opened): Array<readonly [name: string | null, value: string]> {
  const from = split.yaml?.start ?? 0;
  return (yaml?.map?.items ?? []).map((pair) => {
    const name = keyOf(pair);
    const start = (name === null ? pair.key.range[0] : pair.key.range[1]) + from;
    return [name, source.slice(start, from + endOf(pair)).trimEnd()];
  });
}

function holds(keys: FrontmatterKeys | undefined, key: string, wanted: string | readonly string[]): boolean {
  const value = keys?.get(key)?.value;
  if (typeof wanted === 'string') return value?.shape === 'text' && value.text === wanted;
  return value?.shape === 'list' && JSON.stringify(value.texts) === JSON.stringify(wanted);
}
