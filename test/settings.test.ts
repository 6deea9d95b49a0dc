import { describe, expect, it } from 'vitest';
import { OpenMemory } from './open-memory.ts';

describe('the setting `embedder`', () => {
  it('decides whether there is a model at the next start', async () => {
    await using memory = await OpenMemory.make();
    expect((await memory.app.status()).vectors).toMatchObject({ model: null });
    await memory.app.changeSetting('embedder', 'minilm');
    const next = await memory.open();
    expect((await next.status()).vectors.model).toContain('minilm');
  });

  it('refuses a model that stet does not have', async () => {
    await using memory = await OpenMemory.make();
    await expect(memory.app.changeSetting('embedder', 'gpt-2')).rejects.toThrow(/embedder is one of minilm, none/);
  });
});
