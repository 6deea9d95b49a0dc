import { expect, it } from 'vitest';
import { runScripts } from './run-scripts.ts';
import { operations, SEED, SHRINK_MS, TIMEOUT_MS } from './settings.ts';

it(
  'nothing that a session receives depends on what it does not see',
  async () => {
    const wanted = operations(5_000);
    const result = await runScripts({
      operations: wanted,
      length: 250,
      seed: SEED + 1,
      apps: 1,
      embedder: null,
      shrinkMs: SHRINK_MS,
    });
    expect(result.operations).toBeGreaterThanOrEqual(wanted);
    expect(result.compared).toBeGreaterThan(result.operations / 2);
    expect(result.hiding).toBeGreaterThan(result.compared / 2);
    // What a run never meets it says nothing of.
    for (const outcome of [
      'recall with facts',
      'recall without facts',
      'remember stored',
      'remember identical',
      'remember near-identical',
      'remember refused',
      'forget forgotten',
      'forget waiting',
      'forget refused',
      'read',
      'read refused',
    ]) {
      expect(result.outcomes.get(outcome), outcome).toBeGreaterThan(0);
    }
  },
  TIMEOUT_MS,
);
