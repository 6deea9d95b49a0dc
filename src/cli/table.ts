// Tables: columns as wide as what is in them, made to fit into a terminal's line. What is piped is never cut, so that nothing
// is lost to whoever reads it.
//
// Where a line is too long, in this order: columns that may go do, until the flexible one can be read; the flexible one takes
// what is left, its text cut or broken; at last the widest of the others are cut as well.

import { neutralise } from '../memory/untrusted-text.ts';
import { cut, displayWidth, wrap } from './display-width.ts';
import type { Io } from './io.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** What happens where the terminal is too narrow: the text ends in `…`, or goes on in the next line. One column has it. */
  readonly flexible?: 'cut' | 'wrap';
  /** It is left out where the terminal is too narrow, the lowest number first. */
  readonly yields?: number;
}

type Rows = ReadonlyArray<readonly string[]>;

const GAP = '  ';
/** A flexible column that has less is hard to read. */
const LEGIBLE = { cut: 24, wrap: 36 } as const;
const NARROWEST = 4;

/** Prints a heading, and a line for each row. Cells may be stored text. */
export function printTable(io: Io, columns: readonly Column[], rows: Rows): void {
  for (const line of layOut(columns, neutralised(rows), io.width)) io.print(line);
}

/** A table on a terminal; elsewhere a line a row, two blanks between cells, for other programs. Cells may be stored text. */
export function printRows(io: Io, columns: readonly Column[], rows: Rows): void {
  if (io.width !== null && rows.length > 0) printTable(io, columns, rows);
  else for (const row of neutralised(rows)) io.print(row.filter((cell) => cell !== '').join(GAP));
}

function neutralised(rows: Rows): Rows {
  return rows.map((row) => row.map((cell) => neutralise(cell)));
}

/** The lines of a table that is at most `width` columns wide; null: no limit. A column without any text is left out. */
export function layOut(columns: readonly Column[], rows: Rows, width: number | null): readonly string[] {
  const used = columns.flatMap((column, at): readonly FittedColumn[] => {
    if (rows.length > 0 && rows.every((row) => (row[at] ?? '') === '')) return [];
    const widest = rows.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? '')), displayWidth(column.title));
    return [{ ...column, at, width: widest }];
  });
  const fitted = width === null ? used : fit(used, width);
  const heading: readonly string[] = columns.map(({ title }) => title);
  return [heading, ...rows].flatMap((row) => {
    const cells = fitted.map((column) => linesOf(column, row[column.at] ?? ''));
    const height = Math.max(1, ...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      fitted
        .map((column, at) => pad(cells[at]?.[line] ?? '', column))
        .join(GAP)
        .trimEnd(),
    );
  });
}

interface FittedColumn extends Column {
  /** Of the row's cells. */
  readonly at: number;
  readonly width: number;
}

function fit(columns: readonly FittedColumn[], width: number): readonly FittedColumn[] {
  let shown = columns;
  const yielding = columns
    .filter((column) => column.yields !== undefined)
    .toSorted((a, b) => (a.yields ?? 0) - (b.yields ?? 0));
  for (const column of yielding) {
    if (totalOf(shown.map((each) => legible(each))) <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  const others = totalOf(shown.filter((each) => each.flexible === undefined));
  const left = Math.max(width - others - GAP.length, LEGIBLE.cut / 2);
  shown = shown.map((each) => (each.flexible === undefined ? each : atMost(each, left)));
  while (totalOf(shown) > width) {
    const widest = shown.reduce((most, each) => (each.width > most.width ? each : most));
    if (widest.width <= NARROWEST) break;
    shown = shown.map((each) => (each === widest ? atMost(each, each.width - 1) : each));
  }
  return shown;
}

function legible(column: FittedColumn): FittedColumn {
  return column.flexible === undefined ? column : atMost(column, LEGIBLE[column.flexible]);
}

function atMost(column: FittedColumn, width: number): FittedColumn {
  return column.width <= width ? column : { ...column, width };
}

function totalOf(columns: readonly FittedColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP.length * Math.max(columns.length - 1, 0));
}

function linesOf({ flexible, width }: FittedColumn, text: string): readonly string[] {
  return flexible === 'wrap' ? wrap(text, { width, longWords: 'break' }) : [cut(text, width)];
}

function pad(text: string, { width, align }: FittedColumn): string {
  const blanks = ' '.repeat(Math.max(width - displayWidth(text), 0));
  return align === 'right' ? blanks + text : text + blanks;
}
