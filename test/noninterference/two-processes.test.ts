import { expect, it } from 'vitest';
import { EVERY_OUTCOME } from './check.ts';
import { runScripts } from './run-scripts.ts';
import { operations, SHRINK_MS, TIMEOUT_MS } from './settings.ts';

it(
  'nothing that a session receives depends on what it does not see, with two processes on one memory',
  async () => {
    const wanted = operations(5_000);
    const result = await runScripts({
      operations: wanted,
      length: 250,
      apart: 0,
      apps: 2,
      embedder: null,
      shrinkMs: SHRINK_MS,
    });
    expect(result.operations).toBeGreaterThanOrEqual(wanted);
    expect(result.compared).toBeGreaterThan(result.operations / 2);
    expect(result.hiding).toBeGreaterThan(result.compared / 2);
    expect([...result.outcomes.keys()]).toEqual(expect.arrayContaining([...EVERY_OUTCOME]));
  },
  TIMEOUT_MS,
);
