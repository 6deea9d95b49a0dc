// The port to one kind of configuration file: which servers it lists, and how one is put in or taken out.
// Invariant: an edit changes the entry that it names and leaves every other byte; what cannot be done so is a problem.

import type { Parsed } from '../memory/item.ts';

/** The keys of an entry that are stet's to set; others beside them are the user's and stay. */
export type EntryKeys = Readonly<Record<string, string | readonly string[]>>;

export interface ConfigFormat {
  /** Every server that the file lists, by name, as plain values. A blank file lists none. */
  list(text: string): Parsed<ReadonlyMap<string, unknown>>;
  /** The file with these keys set in the entry of this name, which is made where there is none. */
  put(text: string, name: string, keys: EntryKeys): Parsed<string>;
  /** The file without the entry of this name; the same text where there is none. */
  remove(text: string, name: string): Parsed<string>;
}

/** A stretch of a text, and what takes its place. Offsets are UTF-16 units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** All at once; they do not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { start, end, text: put } of [...splices].sort((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + put + result.slice(end);
  }
  return result;
}

/** The line, from 1, that holds `offset`. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

/** The line end that a text uses; `\n` for a text of one line. */
export function lineEndOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}

/** One problem, as {@link Parsed} carries it. */
export function refuse<T>(line: number, message: string): Parsed<T> {
  return { ok: false, problems: [{ line, message }] };
}
