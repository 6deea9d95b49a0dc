// Splices that change single pairs of one YAML mapping in its source. Invariant: a splice covers bytes of its own pair
// only (when a pair goes: its line, or its comma); whether the result means what was wanted, the caller checks.
import { isAlias, isCollection, isNode, isPair, isScalar, visit } from 'yaml';
import type { ParsedNode, Scalar, YAMLMap } from 'yaml';

import type { YamlPair } from './frontmatter-yaml.ts';
import { yamlValue } from './yaml-value.ts';

/** Replaces `[start, end)` by `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text of a pair's key, or null where the key is no scalar. */
export function keyOf(pair: YamlPair): string | null {
  return isScalar(pair.key) ? (pair.key.source ?? String(pair.key.value)) : null;
}

/** Where a pair ends: behind its value, its colon, or its key; comments that follow are not its own. */
export function endOf(pair: YamlPair): number {
  const value = pair.value === null ? 0 : endOfNode(pair.value);
  return Math.max(value, (colonOf(pair) ?? -1) + 1, pair.key.range[1]);
}

/** A block collection's own range takes in the comments behind its last entry, so that entry is asked. */
function endOfNode(node: ParsedNode): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (isPair(last)) return endOf(last as YamlPair);
    if (isNode(last)) return endOfNode(last as ParsedNode);
  }
  return node.range[1];
}

export class MappingEditor {
  readonly splices: Splice[] = [];
  readonly #source: string;
  readonly #map: YAMLMap.Parsed;

  /** `source` is what the mapping was parsed from, so that its ranges fit. */
  constructor(source: string, map: YAMLMap.Parsed) {
    this.#source = source;
    this.#map = map;
  }

  /** The blanks before each key of a block mapping. */
  get indent(): string {
    const first = this.#map.items[0];
    return first === undefined ? '' : (/^ */.exec(this.#source.slice(this.#lineStart(first.key.range[0])))?.[0] ?? '');
  }

  rename(pair: YamlPair, name: string): void {
    const [start, end] = pair.key.range;
    this.splices.push({ start, end, text: this.#map.flow === true ? yamlValue(name, name, true) : name });
  }

  /** Sets the value of a pair; the blanks before it, and a comment behind it, stay. */
  set(pair: YamlPair, key: string, value: string | readonly string[]): void {
    const node = pair.value;
    const colon = colonOf(pair);
    if (colon === null || isAnchored(node)) return;
    const text = yamlValue(key, value, this.#map.flow === true);
    if (node === null || (isScalar(node) && node.range[0] === node.range[1])) {
      this.splices.push({ start: colon + 1, end: colon + 1, text: ` ${text}` });
    } else if (isAlias(node) || (isBare(node) && (isFlowScalar(node) || (isCollection(node) && node.flow === true)))) {
      this.splices.push({ start: node.range[0], end: node.range[1], text });
    } else {
      // The last line end, which a block scalar takes for its own, stays.
      const old = this.#source.slice(colon + 1, endOf(pair)).replace(/\r?\n$/, '');
      this.splices.push({ start: colon + 1, end: colon + 1 + old.length, text: ` ${text}` });
    }
  }

  remove(pair: YamlPair): void {
    if (isAnchored(pair.value)) return;
    if (this.#map.flow === true) {
      this.#removeFromFlow(pair);
      return;
    }
    const end = endOf(pair);
    const start = this.#lineStart(pair.key.range[0]);
    if (this.#source[end - 1] === '\n') this.splices.push({ start, end, text: '' });
    else {
      const lineEnd = this.#source.indexOf('\n', end);
      this.splices.push({ start, end: lineEnd === -1 ? this.#source.length : lineEnd + 1, text: '' });
    }
  }

  /** Puts whole lines behind a block mapping and the comments that follow it. */
  append(lines: string): void {
    this.splices.push({ start: this.#source.length, end: this.#source.length, text: lines });
  }

  /** Puts pairs behind the opening brace, where neither a trailing comma nor a comment can be in the way. */
  addToFlow(additions: ReadonlyArray<{ key: string; value: string | readonly string[] }>): void {
    const brace = this.#source.indexOf('{', this.#map.range[0]) + 1;
    const at = brace + (/^[ \t]*/.exec(this.#source.slice(brace))?.[0].length ?? 0);
    const pairs = additions.map(({ key, value }) => `${yamlValue(key, key, true)}: ${yamlValue(key, value, true)}`);
    const comma = this.#map.items.length === 0 ? '' : /[\r\n]/.test(this.#source.charAt(at)) ? ',' : ', ';
    this.splices.push({ start: at, end: at, text: pairs.join(', ') + comma });
  }

  #removeFromFlow(pair: YamlPair): void {
    const start = pair.srcToken?.start.find(({ type }) => type === 'explicit-key-ind')?.offset ?? pair.key.range[0];
    const next = this.#map.items[this.#map.items.indexOf(pair) + 1];
    const commaBehind = next === undefined ? null : commaOf(next);
    const commaBefore = commaOf(pair);
    if (commaBehind !== null) {
      const blanks = /^[ \t]*/.exec(this.#source.slice(commaBehind + 1))?.[0].length ?? 0;
      this.splices.push({ start, end: commaBehind + 1 + blanks, text: '' });
    } else this.splices.push({ start: commaBefore ?? start, end: endOf(pair), text: '' });
  }

  #lineStart(offset: number): number {
    return this.#source.lastIndexOf('\n', offset - 1) + 1;
  }
}

function colonOf(pair: YamlPair): number | null {
  return pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind')?.offset ?? null;
}

function commaOf(pair: YamlPair): number | null {
  return pair.srcToken?.start.find(({ type }) => type === 'comma')?.offset ?? null;
}

/** Without a tag: one would stay and apply to the new value. */
function isBare(node: ParsedNode): boolean {
  return isAlias(node) || node.tag === undefined;
}

function isFlowScalar(node: ParsedNode): node is Scalar.Parsed {
  return isScalar(node) && (node.type === 'PLAIN' || node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
}

/** Whether an alias elsewhere may stand for a part of this value: then it must stay. */
function isAnchored(node: ParsedNode | null): boolean {
  let anchored = false;
  if (node !== null) {
    visit(node, {
      Value(_, value) {
        anchored ||= value.anchor !== undefined;
      },
    });
  }
  return anchored;
}
