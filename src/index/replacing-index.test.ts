import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeEmbedder } from '../../test/fake-embedder.ts';
import type { IndexDocument, MemoryIndex, SearchResult } from './memory-index.ts';
import { openReplaceableIndex } from './replacing-index.ts';

let folder = '';
const opened: MemoryIndex[] = [];
const models = new Map<string, FakeEmbedder>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-index-'));
});
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
  models.clear();
  rmSync(folder, { recursive: true, force: true });
});

/** What a process does that is started with a choice of the user. */
function start(choice: string, problem: (choice: string) => string | null = () => null): MemoryIndex {
  const index = openReplaceableIndex({
    folder,
    choice,
    makeEmbedder: (choice) => {
      const embedder = choice === 'none' ? null : (models.get(choice) ?? new FakeEmbedder(choice));
      if (embedder !== null) models.set(choice, embedder);
      return { embedder, problem: problem(choice) };
    },
  });
  opened.push(index);
  return index;
}

async function stop(index: MemoryIndex): Promise<void> {
  opened.splice(opened.indexOf(index), 1);
  await index.save();
  await index.close();
}

const item = (id: string, text: string): IndexDocument => ({
  id,
  text,
  statement: text,
  kind: 'fact',
  tags: [],
  target: null,
  created: '2026-01-01T00:00:00Z',
});
const ITEMS = [item('a1', 'Acme deploys with Kubernetes on Fridays.'), item('b2', 'Acme signs users in with Auth0.')];
const ask = (index: MemoryIndex, ...partitions: string[]): Promise<SearchResult> =>
  index.search({ partitions, question: 'Acme deploys', limit: 8, accept: () => true });
const textsOf = (model: string, role: 'question' | 'document'): string[] =>
  (models.get(model)?.embedded ?? []).filter((each) => each.role === role).map(({ text }) => text);

async function startedWith(choice: string): Promise<void> {
  const index = start(choice);
  await index.open('personal', ITEMS);
  await index.settled();
  await stop(index);
  models.clear();
}

/** Holds back the documents of a model until the function that it gives is called. */
function holdBack(model: string): () => void {
  const embedder = new FakeEmbedder(model);
  let open: () => void = () => undefined;
  embedder.gate = new Promise((resolve) => (open = resolve));
  models.set(model, embedder);
  return open;
}

describe('a change of embedder', () => {
  it('leaves the answers to the former model until the new one has every vector, and then takes over', async () => {
    await startedWith('one');
    const open = holdBack('two');
    const index = start('two');
    await index.open('personal', ITEMS);
    const before = await ask(index, 'personal');
    expect(before.hits[0]?.cosine).not.toBeNull();
    expect(textsOf('one', 'question')).toEqual(['Acme deploys']);
    expect(textsOf('two', 'question')).toEqual([]);
    expect(index.health()).toMatchObject({ model: 'two', vectors: 0, waiting: 2, answering: 'one' });
    open();
    await index.settled();
    expect(index.health()).toMatchObject({ model: 'two', vectors: 2, waiting: 0, answering: null });
    expect((await ask(index, 'personal')).hits[0]?.cosine).not.toBeNull();
    expect(textsOf('one', 'question')).toHaveLength(1);
    expect(textsOf('two', 'question')).toEqual(['Acme deploys']);
    // Nothing that the former model had was embedded by it again.
    expect(textsOf('one', 'document')).toEqual([]);
    await stop(index);
    models.clear();
    const next = start('two');
    await next.open('personal', ITEMS);
    await ask(next, 'personal');
    expect([...models.keys()]).toEqual(['two']);
    expect(textsOf('two', 'document')).toEqual([]);
  });

  it('goes on after a restart, and answers meanwhile for what is stored meanwhile', async () => {
    await startedWith('one');
    holdBack('two');
    await stop(await openedWith('two'));
    holdBack('two');
    const index = await openedWith('two');
    expect(index.health().answering).toBe('one');
    index.apply([{ partition: 'personal', put: [item('c3', 'Acme deploys on Mondays.')], remove: ['a1'] }]);
    await expect.poll(() => textsOf('one', 'document')).toEqual(['Acme deploys on Mondays.']);
    const { hits } = await ask(index, 'personal');
    expect(hits[0]?.id).toBe('c3');
    expect(hits[0]?.cosine).not.toBeNull();
  });

  it('is made partition by partition, and one search is answered by one model', async () => {
    await startedWith('one');
    const open = holdBack('two');
    const index = start('two');
    await index.open('personal', []);
    expect((await ask(index, 'personal')).hits).toEqual([]);
    expect(textsOf('two', 'question')).toHaveLength(1);
    await index.open('space:acme', ITEMS);
    await ask(index, 'personal', 'space:acme');
    expect(textsOf('two', 'question')).toHaveLength(1);
    expect(textsOf('one', 'question')).toHaveLength(0);
    open();
    await index.settled();
    expect(index.health().answering).toBeNull();
  });

  it('falls back on the new model at once where the former one is gone', async () => {
    await startedWith('one');
    holdBack('two');
    const index = start('two', (choice) => (choice === 'one' ? 'no such folder' : null));
    await index.open('personal', ITEMS);
    expect(index.health().answering).toBeNull();
    expect((await ask(index, 'personal')).vectors.used).toBe(true);
    expect(textsOf('two', 'question')).toEqual(['Acme deploys']);
  });

  it('to none asks no model, and the way back embeds nothing again', async () => {
    await startedWith('one');
    const words = start('none');
    await words.open('personal', ITEMS);
    expect((await ask(words, 'personal')).vectors.used).toBe(false);
    await stop(words);
    const back = start('one');
    await back.open('personal', ITEMS);
    expect(back.health()).toMatchObject({ vectors: 2, waiting: 0, answering: null });
    expect(textsOf('one', 'document')).toEqual([]);
  });
});

async function openedWith(choice: string): Promise<MemoryIndex> {
  const index = start(choice);
  await index.open('personal', ITEMS);
  return index;
}
