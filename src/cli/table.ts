// Tables: columns as wide as what is in them, the flexible one cut to what is left of a terminal's line. What is piped is
// never cut, so that nothing is lost to whoever reads it.

import { neutralise } from '../memory/untrusted-text.ts';
import type { Io } from './io.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Cut with `…` where the terminal is too narrow. */
  readonly flexible?: boolean;
}

const GAP = '  ';

type Rows = ReadonlyArray<readonly string[]>;

/** Prints a heading, and a line for each row. */
export function printTable(io: Io, columns: readonly Column[], rows: Rows): void {
  for (const line of layOut(columns, rows, io.width)) io.print(line);
}

/** A table on a terminal; elsewhere a line a row, two blanks between cells, for other programs. Cells may be stored text. */
export function printRows(io: Io, columns: readonly Column[], rows: Rows): void {
  const safe = rows.map((row) => row.map((cell) => neutralise(cell)));
  if (io.width !== null && rows.length > 0) printTable(io, columns, safe);
  else for (const row of safe) io.print(row.filter((cell) => cell !== '').join(GAP));
}

/** The lines of a table that is at most `width` columns wide where it has something flexible; null: no limit. */
export function layOut(columns: readonly Column[], rows: Rows, width: number | null): readonly string[] {
  const cells = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => displayWidth(row[at] ?? ''))));
  const flexible = columns.findIndex((column) => column.flexible === true);
  if (width !== null && flexible >= 0) {
    const others = widths.reduce((sum, each, at) => (at === flexible ? sum : sum + each + GAP.length), 0);
    widths[flexible] = Math.min(widths[flexible] ?? 0, Math.max(width - others, 10));
  }
  return cells.map((row) =>
    columns
      .map(({ align }, at) => pad(cut(row[at] ?? '', widths[at] ?? 0), widths[at] ?? 0, align ?? 'left'))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(width - displayWidth(text), 0));
  return align === 'right' ? blanks + text : text + blanks;
}

/** The text, or as much of it as fits with an `…` behind it. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += displayWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** East Asian wide and full-width characters and emoji take two columns (Unicode TR11, the ranges that occur in text). */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])|\ufe0f/u;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
