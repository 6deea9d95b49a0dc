// How much a test does: little in the suite, everything with `npm run torture`, which sets STET_TORTURE and a seed and
// collects what was run.
import { appendFileSync } from 'node:fs';

const TORTURE = process.env['STET_TORTURE'] === '1';

/** The seed of this run, for fast-check and `randomOf`; printed by `npm run torture`. */
export const SEED = Number(process.env['STET_SEED'] ?? Date.now() % 2 ** 31);

/** `small` in the suite, `full` under torture. */
export function amount(small: number, full: number): number {
  return TORTURE ? full : small;
}

export interface Runs {
  /** What was done so often. */
  readonly what: string;
  readonly runs: number;
}

/** One line of the table that `npm run torture` prints. Call it when everything has been checked: nothing was lost. */
export function reportRuns(runs: Runs): void {
  const file = process.env['STET_TORTURE_REPORT'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(runs)}\n`);
}

/** Numbers in [0, 1) that the seed decides (mulberry32, Tommy Ettinger, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
