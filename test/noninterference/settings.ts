// How much is run: enough for every push; more by `STET_ZERO_OPERATIONS=200000 STET_ZERO_SEED=random npx vitest run
// test/noninterference`.

import { randomInt } from 'node:crypto';

const seed = process.env['STET_ZERO_SEED'];

/** The same on every push, so that a push fails by what it changes. */
export const SEED = seed === 'random' ? randomInt(2 ** 31) : Number(seed ?? 20_260_915);

export function operations(fallback: number): number {
  return Number(process.env['STET_ZERO_OPERATIONS'] ?? fallback);
}

export const SHRINK_MS = 120_000;
/** Longer runs take as long as they take. */
export const TIMEOUT_MS = 24 * 3_600_000;
