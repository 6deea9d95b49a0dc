// The one claim of the long runs: that what a session receives does not depend on what it does not see, over so many random
// operations that every outcome of every operation is met.
import { expect } from 'vitest';
import { EVERY_OUTCOME } from './check.ts';
import { runScripts } from './run-scripts.ts';
import { operations, SHRINK_MS } from './settings.ts';

/** `apps`: processes on one memory; `apart`: keeps the seeds of one run from those of another. */
export async function expectNothingTold({
  apps,
  apart,
}: {
  readonly apps: 1 | 2;
  readonly apart: number;
}): Promise<void> {
  const wanted = operations(5_000);
  const result = await runScripts({
    operations: wanted,
    meet: EVERY_OUTCOME,
    length: 250,
    apart,
    apps,
    embedder: null,
    shrinkMs: SHRINK_MS,
  });
  expect(result.operations).toBeGreaterThanOrEqual(wanted);
  expect(result.compared).toBeGreaterThan(result.operations / 2);
  expect(result.hiding).toBeGreaterThan(result.compared / 2);
  expect([...result.outcomes.keys()]).toEqual(expect.arrayContaining([...EVERY_OUTCOME]));
}
