import { expect, it } from 'vitest';
import { FakeEmbedder } from '../fake-embedder.ts';
import { runScripts } from './run-scripts.ts';
import { operations, SHRINK_MS, TIMEOUT_MS } from './settings.ts';

it.each([
  { model: 'a small one', embedder: () => new FakeEmbedder(), wanted: operations(1_200), length: 150 },
  { model: 'the packaged one', embedder: () => 'minilm' as const, wanted: 60, length: 60 },
])(
  'nothing that a session receives depends on what it does not see, with the vectors of $model',
  async ({ embedder, wanted, length }) => {
    const result = await runScripts({
      operations: wanted,
      length,
      apart: 0,
      apps: 1,
      embedder,
      shrinkMs: SHRINK_MS,
    });
    expect(result.operations).toBeGreaterThanOrEqual(wanted);
    expect(result.outcomes.get('recall with facts')).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
