// Splices that put members into a JSON object or take one out, in the style that the object has. Invariant: comments
// stay where they are, and a put that is taken out again leaves the bytes that were there (but for blanks inside `{ }`).

import type { Node } from 'jsonc-parser';
import { lineEndOf, type Splice } from './config-format.ts';

/** The members of an object, each with its value node; empty for anything else. */
export function membersOf(
  object: Node,
): ReadonlyArray<{ readonly key: string; readonly property: Node; readonly value: Node }> {
  if (object.type !== 'object') return [];
  return (object.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [{ key: String(key.value), property, value }] : [];
  });
}

/**
 * Puts members in front of an object's others. In front, because a comma after them is right there, whatever comments
 * and trailing comma the object ends with.
 */
export function insertFirst(json: string, object: Node, members: Readonly<Record<string, unknown>>): Splice {
  const style = styleOf(json, object);
  const start = object.offset + 1;
  const close = object.offset + object.length - 1;
  const isEmpty = membersOf(object).length === 0;
  const printed = Object.entries(members)
    .map(([key, value]) => `${JSON.stringify(key)}:${style.spread ? ' ' : ''}${print(value, style)}`)
    .join(style.spread ? `,${style.lineEnd}${style.indent}` : ',');
  if (!style.spread) return { start, end: start, text: isEmpty ? printed : `${printed},` };
  const text = `${style.lineEnd}${style.indent}${printed}`;
  if (isEmpty && json.slice(start, close).trim() === '') {
    return { start, end: close, text: `${text}${style.lineEnd}${indentAt(json, object.offset)}` };
  }
  const at = endOfLineComment(json, start);
  return { start: at, end: at, text: isEmpty ? text : `${text},` };
}

/** Another value for a member, printed as the members around it are. */
export function replaceValue(json: string, object: Node, value: Node, wanted: unknown): Splice {
  return { start: value.offset, end: value.offset + value.length, text: print(wanted, styleOf(json, object)) };
}

/** Takes a member out: itself, one comma, and the line or the blank that it leaves empty. */
export function removeMember(json: string, object: Node, property: Node): readonly Splice[] {
  const { offset } = property;
  const end = offset + property.length;
  const properties = membersOf(object).map((member) => member.property);
  if (properties.length === 1) {
    const start = object.offset + 1;
    const close = object.offset + object.length - 1;
    const around = json.slice(start, offset) + json.slice(end, close);
    if (around.replace(',', '').trim() === '') return [drop(start, close)];
  }
  const comma = skipTrivia(json, end);
  if (json[comma] === ',') {
    return comma === end
      ? [wholeLine(json, offset, comma + 1)]
      : [wholeLine(json, offset, end), drop(comma, comma + 1)];
  }
  const before = properties[properties.indexOf(property) - 1];
  if (!before) return [wholeLine(json, offset, end)];
  const previous = skipTrivia(json, before.offset + before.length);
  return [drop(previous, previous + 1), wholeLine(json, offset, end)];
}

interface Style {
  /** Before a member, where each stands on its own line. */
  readonly indent: string;
  readonly unit: string;
  readonly lineEnd: string;
  /** Whether each member stands on its own line. */
  readonly spread: boolean;
}

function styleOf(json: string, object: Node): Style {
  const outer = indentAt(json, object.offset);
  const [first] = membersOf(object);
  const own = first === undefined ? null : ownLineIndent(json, first.property.offset);
  const text = json.trim();
  return {
    indent: own ?? outer + unitOf(json),
    unit: own !== null && own.length > outer.length ? own.slice(outer.length) : unitOf(json),
    lineEnd: lineEndOf(json),
    spread: first === undefined ? text === '{}' || text.includes('\n') : own !== null,
  };
}

function print(value: unknown, style: Style): string {
  if (!style.spread) return JSON.stringify(value);
  return JSON.stringify(value, null, style.unit).replace(/\n/g, `${style.lineEnd}${style.indent}`);
}

/** The white space before a place that begins its line; null where something else stands before it. */
function ownLineIndent(json: string, offset: number): string | null {
  return /(?:^|[\r\n])([ \t]*)$/.exec(json.slice(0, offset))?.[1] ?? null;
}

/** The indentation of the line that holds a place. */
function indentAt(json: string, offset: number): string {
  const start = Math.max(json.lastIndexOf('\n', offset - 1), json.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(json.slice(start, offset))?.[0] ?? '';
}

/** The first indentation in the file; two blanks for a file without one. */
function unitOf(json: string): string {
  return /[\r\n]([ \t]+)[^\s]/.exec(json)?.[1] ?? '  ';
}

/** Behind a comment that ends the line of an opening brace and so speaks of the object; else the same place. */
function endOfLineComment(json: string, from: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))*(?=[ \t]*[\r\n])/y;
  comments.lastIndex = from;
  return from + (comments.exec(json)?.[0].length ?? 0);
}

/** The first place from here on that is neither white space nor comment. */
function skipTrivia(json: string, from: number): number {
  const trivia = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  return from + (trivia.exec(json)?.[0].length ?? 0);
}

function drop(start: number, end: number): Splice {
  return { start, end, text: '' };
}

/** The stretch, with the line end before it where nothing else stands on its lines, else with one of two blanks. */
function wholeLine(json: string, start: number, end: number): Splice {
  const indent = ownLineIndent(json, start);
  const after = /^[ \t]*(?=[\r\n])/.exec(json.slice(end))?.[0];
  if (indent === null || after === undefined) {
    return drop(start, json[start - 1] === ' ' && json[end] === ' ' ? end + 1 : end);
  }
  const from = start - indent.length;
  const lineEnd = /(?:\r\n|\r|\n)$/.exec(json.slice(0, from))?.[0] ?? '';
  return drop(from - lineEnd.length, end + after.length);
}
