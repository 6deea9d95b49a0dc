// The deliveries on disk: `deliveries/2026-11.jsonl`, one line each, appended whole by any number of processes. A
// delivery's number is its place among all lines; months that were dropped keep counting. Invariant: what a crash left of
// a line takes no other line with it.

import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { errnoOf } from './file-system.ts';

const MONTH_FILE = /^\d{4}-\d{2}\.jsonl$/;

/** How many lines were dropped with old months. */
const DROPPED_FILE = 'dropped';

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly line: string;
}

export class DeliveryLog {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, 'deliveries');
  }

  /** One append, which the system does whole: lines of several processes never mix. */
  append(line: string, now: Date): void {
    const file = join(this.#folder, `${now.toISOString().slice(0, 7)}.jsonl`);
    orFailure('write to', file, () => {
      try {
        appendLine(file, line);
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error;
        this.#makeFolder();
        appendLine(file, line);
      }
    });
  }

  /** Not with its parents: where the memory was moved away, nothing may take its place. */
  #makeFolder(): void {
    try {
      mkdirSync(this.#folder);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }

  /** All lines, oldest first. Throws `file-system` for what is no file, or cannot be read. */
  read(): readonly NumberedLine[] {
    let number = this.#dropped();
    const lines: NumberedLine[] = [];
    for (const month of this.#months()) {
      const text = this.#readMonth(month);
      for (const line of text.split('\n')) if (line !== '') lines.push({ number: (number += 1), line });
    }
    return lines;
  }

  /** Replaces lines; their number stays. Others may append meanwhile to the present month only, which is read last. */
  rewrite(edit: (line: string) => string): void {
    for (const month of this.#months()) {
      const file = join(this.#folder, month);
      const before = this.#readMonth(month);
      const after = before
        .split('\n')
        .map((line) => (line === '' ? '' : edit(line)))
        .join('\n');
      if (after === before) continue;
      writeFileSync(`${file}.tmp`, after);
      renameSync(`${file}.tmp`, file);
    }
  }

  /** Drops the months that ended before this day; returns how many lines went. */
  dropBefore(day: Date): number {
    const oldest = `${day.toISOString().slice(0, 7)}.jsonl`;
    const months = this.#months().filter((month) => month < oldest);
    if (months.length === 0) return 0;
    const lines = months.flatMap((month) => this.#readMonth(month).split('\n'));
    const dropped = lines.filter((line) => line !== '').length;
    const temporary = join(this.#folder, `${DROPPED_FILE}.${process.pid}.tmp`);
    writeFileSync(temporary, `${this.#dropped() + dropped}\n`);
    renameSync(temporary, join(this.#folder, DROPPED_FILE));
    for (const month of months) rmSync(join(this.#folder, month), { force: true });
    return dropped;
  }

  #months(): readonly string[] {
    return orFailure('read', this.#folder, () => {
      try {
        return readdirSync(this.#folder)
          .filter((name) => MONTH_FILE.test(name))
          .sort();
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return [];
        throw error;
      }
    });
  }

  #readMonth(month: string): string {
    const file = join(this.#folder, month);
    return orFailure('read', file, () => readFileSync(file, 'utf8'));
  }

  #dropped(): number {
    try {
      return Number.parseInt(readFileSync(join(this.#folder, DROPPED_FILE), 'utf8'), 10) || 0;
    } catch {
      return 0;
    }
  }
}

/** After what a crash has left of a line, on a line of its own. */
function appendLine(file: string, line: string): void {
  const handle = openSync(file, 'a+');
  try {
    const { size } = fstatSync(handle);
    const last = Buffer.alloc(1);
    const isTorn = size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
    appendFileSync(handle, isTorn ? `\n${line}` : line);
  } finally {
    closeSync(handle);
  }
}

function orFailure<T>(operation: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw new StetError({ code: 'file-system', operation, path, errno }, { cause: error });
  }
}
