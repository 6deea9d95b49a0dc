// Finds days that are named by their distance from today.
import * as chrono from 'chrono-node';

const DEICTIC =
  /\b(yesterday|today|tomorrow|tonight|(?:next|last|this) (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\d+ (?:days?|weeks?|months?) ago)\b/i;

/** The first such wording, with the day that it means at `now`; null when there is none. */
export function findDeicticDate(
  statement: string,
  now: Date,
): { phrase: string; absolute: string; index: number } | null {
  const match = DEICTIC.exec(statement);
  if (!match) return null;
  const date = chrono.parseDate(match[0], now) ?? now;
  const pad = (value: number) => String(value).padStart(2, '0');
  const absolute = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return { phrase: match[0], absolute, index: match.index };
}

export function findRelativeWording(_statement: string): string | null {
  return null;
}

export function findUndatedCurrency(statement: string): string | null {
  return /\b(currently|at the moment|right now)\b/i.exec(statement)?.[0] ?? null;
}

export function countSentences(statement: string): number {
  return [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(statement)].length;
}
