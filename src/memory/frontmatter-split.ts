// Where a file's frontmatter ends and its body begins. gray-matter finds the closing line; this module decides whether
// there is frontmatter at all. Invariant: no engine of gray-matter ever runs, and the offsets fit the text as given.
import matter from 'gray-matter';

import { MAX_YAML_LENGTH, MAX_YAML_LINES, TOO_LARGE } from './frontmatter-yaml.ts';
import type { Parsed } from './item.ts';
import { lineOf } from './text-lines.ts';

/** Offsets are UTF-16 units of the text that was split, so that an edit can leave everything else alone. */
export interface SplitText {
  /** 1 after a BOM, else 0. */
  readonly start: number;
  /** The YAML between the two lines of dashes, final line end included; null without frontmatter. */
  readonly yaml: { readonly start: number; readonly end: number; readonly line: number } | null;
  readonly body: { readonly start: number; readonly line: number };
}

/**
 * Splits a text without lone CRs. A first line of dashes opens frontmatter if a closing line follows, or if what follows
 * is plainly keys (then the missing closing line is the problem); otherwise it is a rule of Markdown, and all is body.
 */
export function splitText(text: string): Parsed<SplitText> {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const allBody: Parsed<SplitText> = { ok: true, value: { start, yaml: null, body: { start, line: 1 } } };
  const openEnd = endOfLine(text, start);
  const opening = text.slice(start, openEnd).trimEnd();
  if (!opening.startsWith('---')) return isToml(text, start, opening) ? refuse(1, TOML) : allBody;

  const language = opening.slice(3).trim().toLowerCase();
  if (language !== '' && language !== 'yaml' && language !== 'yml') {
    // `----` and `--- a line of prose ---` open nothing; one bare word names a language, as gray-matter understands it.
    return /^[\w+.-]{1,32}$/.test(language) && /\w/.test(language) && !opening.startsWith('----')
      ? refuse(1, LANGUAGE(language))
      : allBody;
  }

  const yamlStart = Math.min(openEnd + 1, text.length);
  const windowEnd = endOfWindow(text, yamlStart);
  const dashes = start + opening.length;
  const closing = dashes + matterLength(text.slice(dashes, windowEnd));
  if (!text.startsWith('\n---', closing)) {
    if (!opensKeys(text.slice(yamlStart, windowEnd))) return allBody;
    return refuse(1, text.includes('\n---', closing) ? TOO_LARGE : UNCLOSED);
  }
  const yamlEnd = closing + 1;
  const yaml = text.slice(yamlStart, yamlEnd);
  const closeEnd = endOfLine(text, yamlEnd);
  if (text.slice(yamlEnd, closeEnd).trimEnd() !== '---') {
    return opensKeys(yaml) ? refuse(lineOf(text, yamlEnd), NOT_CLOSING) : allBody;
  }
  return {
    ok: true,
    value: {
      start,
      yaml: { start: yamlStart, end: yamlEnd, line: 2 },
      body: { start: Math.min(closeEnd + 1, text.length), line: lineOf(text, yamlEnd) + 1 },
    },
  };
}

/**
 * Whether the text behind an opening line is plainly meant as keys: its first line that is neither blank nor a comment
 * is a one-word or quoted key, or opens a mapping in braces. Prose is not.
 */
export function opensKeys(source: string): boolean {
  const line = /^(?:[ \t]*(?:#.*)?\r?\n)*(.*)/.exec(source)?.[1] ?? '';
  return KEY_LINE.test(line) || /^[ \t]*(?:\{|\?\s)/.test(line);
}

/** Whether any line of it is plainly a key: then it is frontmatter, be it broken. */
export function mentionsKeys(source: string): boolean {
  return opensKeys(source) || source.split('\n').some((line) => KEY_LINE.test(line));
}

const KEY_LINE = /^[ \t]*(?:[\p{L}\p{N}_.-]+|"[^"]*"|'[^']*')[ \t]*:(?:\s|$)/u;

/** Where frontmatter must have ended: gray-matter, too, takes quadratic time over blank lines. */
function endOfWindow(text: string, start: number): number {
  const limit = Math.min(start + MAX_YAML_LENGTH, text.length);
  let end = start;
  for (let lines = 0; lines <= MAX_YAML_LINES && end !== -1 && end < limit; lines++) end = text.indexOf('\n', end + 1);
  return end === -1 ? limit : Math.min(end, limit);
}

/** How much of `rest`, the text behind the opening dashes, gray-matter takes for frontmatter. */
function matterLength(rest: string): number {
  const file = matter(`---${rest}`, { language: 'yaml', engines: ENGINES });
  return file.matter.length;
}

const off = () => {
  throw new Error('engines of gray-matter are off');
};

/**
 * All engines of gray-matter are off: its JavaScript engine evaluates code, and the YAML is read elsewhere. Options are
 * passed, so its cache of results, which never forgets and hands out shared objects, is not used either.
 */
const ENGINES = { yaml: () => ({}), json: off, javascript: off, coffee: off };

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function isToml(text: string, start: number, opening: string): boolean {
  return opening === '+++' && /\n\+\+\+[ \t\r]*(?:\n|$)/.test(text.slice(start));
}

const TOML = 'Frontmatter in TOML (`+++`) is not read: write it as YAML between two lines of `---`.';
const LANGUAGE = (language: string) =>
  `Frontmatter in "${language}" is not read: write it as YAML between two lines of \`---\`.`;
const UNCLOSED =
  'The frontmatter that line 1 opens is never closed: add a line of `---` behind its last key, or a blank line before line 1 if it is meant as a rule.';
const NOT_CLOSING =
  'A line that begins with `---` but goes on: close the frontmatter with a line of exactly three hyphens.';

function refuse(line: number, message: string): Parsed<SplitText> {
  return { ok: false, problems: [{ line, message }] };
}
