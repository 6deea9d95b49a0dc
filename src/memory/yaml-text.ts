// Reads and edits the memory's own YAML files (policies, spaces, machine) as document trees, so that an edit keeps
// comments, order and quotes. Invariant: every scalar is a string (`007`, `yes`, `1999` are names), none is an alias.
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Parsed, Problem } from './item.ts';

export interface YamlText {
  readonly document: Document;
  /** The line of a node of this document, from 1. */
  lineOf(node: unknown): number;
  /** The document as text, with the line ends, indentation and byte order mark that it was read with. */
  print(): string;
}

/** One key of a mapping. `value` is a node, or null where nothing is written. */
export interface YamlEntry {
  readonly key: string;
  readonly value: unknown;
  readonly line: number;
}

/**
 * Whether a file says nothing at all, not even in a comment. Where it once said something, that is no decision of the
 * user's: a save in two steps leaves it so for a moment, a full disk or a crash for good.
 */
export function isBlank(text: string): boolean {
  return /^[\s\0\uFEFF]*$/.test(text);
}

export function readYamlText(text: string): Parsed<YamlText> {
  const lines = new LineCounter();
  const document: Document = parseDocument(text, {
    schema: 'failsafe',
    customTags: ['null'],
    stringKeys: true,
    prettyErrors: false,
    lineCounter: lines,
  });
  const lineOf = (node: unknown): number => lines.linePos((isNode(node) && node.range?.[0]) || 0).line || 1;
  const problems: Problem[] = [
    ...document.errors.map((error) => ({
      line: lines.linePos(error.pos[0]).line,
      message: explain(error.code, error.message),
    })),
    ...document.warnings.map((warning) => ({
      line: lines.linePos(warning.pos[0]).line,
      message: `${warning.message}.`,
    })),
  ];
  visit(document, {
    Alias: (_, node) =>
      void problems.push({
        line: lineOf(node),
        message: 'YAML aliases (*name) are not read here; write the value out.',
      }),
  });
  const [first] = problems;
  // Behind the first syntax error the parser guesses, so what it says there would mislead.
  if (first) return { ok: false, problems: document.errors.length > 0 ? [first] : problems };
  // `[]` and `{}` get what is added on lines of its own: a rule a line is read, and merged, better than one long line.
  const empty: Array<YAMLMap | YAMLSeq> = [];
  visit(document, { Collection: (_, node) => void (node.items.length === 0 && empty.push(node)) });
  const printed = (): string => {
    for (const node of empty) if (node.items.length > 0) node.flow = false;
    return print(document, text);
  };
  return { ok: true, value: { document, lineOf, print: printed } };
}

/** The keys of a mapping, or of nothing; null if the node is neither. */
export function entriesOf(yaml: YamlText, node: unknown): YamlEntry[] | null {
  if (isEmpty(node)) return [];
  if (!isMap(node)) return null;
  return node.items.map((pair) => ({
    key: isScalar(pair.key) && typeof pair.key.value === 'string' ? pair.key.value : '',
    value: isEmpty(pair.value) ? null : pair.value,
    line: yaml.lineOf(pair.key),
  }));
}

/** The nodes of a list, or of nothing; null if the node is neither. */
export function itemsOf(node: unknown): unknown[] | null {
  if (isEmpty(node)) return [];
  return isSeq(node) ? [...node.items] : null;
}

/** The string of a scalar; null for anything else, and for one that is empty. */
export function stringOf(node: unknown): string | null {
  return isScalar(node) && typeof node.value === 'string' && node.value !== '' ? node.value : null;
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function explain(code: string, message: string): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'The same key stands twice in one mapping; keep one.';
    case 'BAD_ALIAS':
      return 'A bare * is an alias in YAML; write "*" in quotes.';
    case 'TAB_AS_INDENT':
      return 'YAML does not take tabs for indentation; use blanks.';
    default:
      return `This is not valid YAML: ${message.replace(/\.?$/u, '.')}`;
  }
}

function print(document: Document, like: string): string {
  const bom = like.startsWith('\ufeff') ? '\ufeff' : '';
  const indent = /^( +)\S/mu.exec(like)?.[1]?.length ?? 2;
  const printed = document.toString({
    lineWidth: 0,
    indent: Math.min(Math.max(indent, 1), 8),
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /mu.test(like),
    flowCollectionPadding: !/\[\S|\{\S/u.test(like),
  });
  const text = document.contents === null ? like.replace(/^\ufeff/u, '') : printed;
  return bom + (/\r\n/u.test(like) ? text.replace(/\r?\n/gu, '\r\n') : text);
}
