// What the readers of other memories give: statements with where they stood. Invariant: nothing is left out silently;
// what makes no statement is listed with its line and the reason.

import { isCalendarDay } from '../calendar-day.ts';
import type { Kind } from '../item.ts';

export interface ImportedStatement {
  /** The text of the item: stands on its own, without the heading or list that it stood in. */
  readonly text: string;
  readonly kind: Kind;
  readonly tags: readonly string[];
  /** A pointer's address. */
  readonly target: string | null;
  /** When it was stored, ISO 8601, where the other memory says; else null. */
  readonly created: string | null;
  /** The line in its file, from 1. */
  readonly line: number;
}

export interface LeftOut {
  readonly line: number;
  readonly reason: string;
}

export interface ReadMemory {
  readonly statements: readonly ImportedStatement[];
  readonly leftOut: readonly LeftOut[];
}

/** A statement with what most of them have: no tags, no target, no date of its own. */
export function statement(
  text: string,
  line: number,
  more: Partial<Omit<ImportedStatement, 'text' | 'line'>> = {},
): ImportedStatement {
  return { kind: 'fact', tags: [], target: null, created: null, ...more, text, line };
}

/** The first address of the web in a text; null where there is none. */
export function addressIn(text: string): string | null {
  return /\bhttps?:\/\/[^\s<>()[\]"'`]*[^\s<>()[\]"'`.,;:!?]/.exec(text)?.[0] ?? null;
}

/** A day or moment at the start of a text as ISO 8601; in UTC where it names no zone. Null for anything else. */
export function momentOf(text: string): string | null {
  const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?/.exec(
    text.trim(),
  );
  if (written === null) return null;
  const [, day = '', time = '00:00', zone = 'Z'] = written;
  const date = new Date(`${day}T${time}${zone}`);
  // `Date` takes the 31st of February for the 3rd of March.
  return !isCalendarDay(day) || Number.isNaN(date.getTime()) ? null : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
