// Vocabulary items from the agent's side: what they explain, for how long, and to whom.
import { describe, expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';

const NUMBERS = 'Finance keeps its numbers in the Lisbon workbook.';
const QUESTION = 'Where is the quarterly doc?';
const MEANING = "'The quarterly doc' means the finance numbers.";

async function whyLatest(memory: InProcessMemory) {
  // The trace is written after the answer.
  await expect.poll(() => memory.app.listDeliveries().at(-1)?.question).toBe(QUESTION);
  return memory.app.why(null);
}

describe('a vocabulary item', () => {
  it('makes a question find what its phrase means, and `why` says by which item', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    await agent.keep(NUMBERS);
    expect(await agent.recall('quarterly doc')).not.toContain(NUMBERS);
    const id = await agent.keep(MEANING, { kind: 'vocabulary' });
    expect(await agent.recall(QUESTION)).toContain(NUMBERS);
    const { vocabulary, delivery } = await whyLatest(memory);
    expect(delivery.rewordedBy).toEqual([id]);
    expect(vocabulary).toMatchObject([{ id, before: MEANING, since: { change: 'none' } }]);
  });

  it('explains nothing once it is superseded or forgotten, nor while it is a mere fact', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    await agent.keep(NUMBERS);
    await agent.keep(`${MEANING} They are due in March.`);
    expect(await agent.recall(QUESTION)).not.toContain(NUMBERS);
    const id = await agent.keep(MEANING, { kind: 'vocabulary', keep_both: true });
    expect(await agent.recall(QUESTION)).toContain(NUMBERS);
    const next = await agent.keep("'The quarterly doc' means the slides of the board.", {
      kind: 'vocabulary',
      supersedes: [id],
    });
    expect(await agent.recall(QUESTION)).not.toContain(NUMBERS);
    await agent.keep('The slides of the board are in Porto.');
    expect(await agent.recall(QUESTION)).toContain('Porto');
    await agent.call('forget', { id: next });
    const answer = await agent.recall(QUESTION);
    expect(answer).not.toContain('Porto');
    expect(answer).not.toContain(NUMBERS);
  });

  it('explains questions in its own space alone; a personal one everywhere', async () => {
    await using memory = await InProcessMemory.make();
    for (const space of ['acme', 'globex']) await memory.space(space);
    const [acme, globex] = [await memory.connect({ space: 'acme' }), await memory.connect({ space: 'globex' })];
    for (const agent of [acme, globex]) await agent.keep(NUMBERS);
    await acme.keep(MEANING, { kind: 'vocabulary' });
    expect(await acme.recall(QUESTION)).toContain(NUMBERS);
    expect(await globex.recall(QUESTION)).not.toContain(NUMBERS);
    await globex.keep('"The quarterly doc" stands for the finance numbers.', { kind: 'vocabulary', space: 'personal' });
    expect(await globex.recall(QUESTION)).toContain(NUMBERS);
  });
});
