import { afterEach, describe, expect, it } from 'vitest';
import { MINILM, ThreadEmbedder } from './thread-embedder.ts';

/** A thread that answers each text with its length, once told "go"; "bad" fails alone, "fatal" for good, "die" ends it. */
const SCRIPT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (text) => {
      if (text === 'die') process.exit(3);
      if (text === 'bad') return parentPort.postMessage({ ok: false, reason: 'bad text', permanent: false });
      if (text === 'fatal') return parentPort.postMessage({ ok: false, reason: 'no model', permanent: true });
      parentPort.postMessage({ ok: true, vector: Float32Array.of(text.length) });
    });`)}`,
);

const opened: ThreadEmbedder[] = [];
const open = (): ThreadEmbedder => {
  const embedder = new ThreadEmbedder({ model: 'length', dimensions: 1, languages: 'all', script: SCRIPT });
  opened.push(embedder);
  return embedder;
};
afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close();
});

describe('the embedding thread', () => {
  it('answers questions before documents that wait', async () => {
    const embedder = open();
    const done: string[] = [];
    const ask = async (text: string, role: 'question' | 'document'): Promise<void> => {
      await embedder.embed(text, role);
      done.push(text);
    };
    await Promise.all([ask('d1', 'document'), ask('d2', 'document'), ask('d3', 'document'), ask('q', 'question')]);
    expect(done).toEqual(['d1', 'q', 'd2', 'd3']);
  });

  it('goes on after a text that the model cannot do', async () => {
    const embedder = open();
    expect(await embedder.embed('bad', 'document')).toEqual({ ok: false, reason: 'bad text', permanent: false });
    expect(await embedder.embed('four', 'document')).toEqual({ ok: true, vector: Float32Array.of(4) });
  });

  it.each(['fatal', 'die'])('fails everything, once and for all, after "%s"', async (text) => {
    const embedder = open();
    const results = await Promise.all([embedder.embed(text, 'document'), embedder.embed('waiting', 'document')]);
    for (const result of [...results, await embedder.embed('later', 'question')]) {
      expect(result).toMatchObject({ ok: false, permanent: true });
    }
  });

  it('says so when its file cannot be loaded', async () => {
    const embedder = new ThreadEmbedder({
      model: 'm',
      dimensions: 1,
      languages: 'all',
      script: new URL('file:///nowhere/worker.mjs'),
    });
    expect(await embedder.embed('text', 'question')).toMatchObject({ ok: false, permanent: true });
  });

  it('finishes the text in flight when it is closed, and no other', async () => {
    const embedder = open();
    const results = Promise.all([embedder.embed('four', 'document'), embedder.embed('six6', 'document')]);
    await embedder.close();
    expect(await results).toMatchObject([{ ok: true }, { ok: false, permanent: true }]);
  });
});

describe('the packaged model', () => {
  it('puts texts of one meaning near each other, as unit vectors', async () => {
    const embedder = new ThreadEmbedder(MINILM);
    opened.push(embedder);
    const texts = ['How do people log in?', 'Acme signs users in with Auth0.', 'The dog sleeps on the sofa.'];
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const result = await embedder.embed(text, 'document');
      vectors.push(result.ok ? result.vector : new Float32Array());
    }
    const dot = (a = 0, b = 0): number =>
      vectors[a]?.reduce((sum, value, i) => sum + value * (vectors[b]?.[i] ?? 0), 0) ?? 0;
    expect(vectors[0]).toHaveLength(MINILM.dimensions);
    expect(dot(0, 0)).toBeCloseTo(1, 4);
    expect(dot(0, 1)).toBeGreaterThan(dot(0, 2) + 0.2);
  });
});
