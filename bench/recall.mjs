// What the index takes for one question: words, vectors and the rest by themselves, cold and warm, at several sizes, in one
// space and spread over 50. Items are sentences of words whose frequencies fall as in a language (Zipf), vectors are random:
// the question's own embedding is not in it (see embed.mjs). Each setting runs in a process of its own.
//
//   node bench/recall.mjs [--sizes 1000,10000,100000]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const built = (name) => import(new URL(`../dist/index/${name}.js`, import.meta.url).href);
const { openMemoryIndex } = await built('open-index');
const { Partition } = await built('partition');
const { quantize } = await built('quantized');
const { questionTerms } = await built('question');

const QUESTIONS = 50;
const SPACES = 50;
const DIMENSIONS = 384;
const VOCABULARY = 20_000;

class RandomEmbedder {
  model = 'random';
  dimensions = DIMENSIONS;
  languages = 'all';
  isSymmetric = true;
  #count = 0;

  embed() {
    return Promise.resolve({ ok: true, vector: randomUnit(randomOf(this.#count++)) });
  }

  hold() {}

  close() {
    return Promise.resolve();
  }
}

const [, , mode] = process.argv;
if (mode === '--one') {
  await measure(Number(process.argv[3]), Number(process.argv[4]), process.argv[5]);
} else {
  const at = process.argv.indexOf('--sizes');
  const sizes = (at < 0 ? '1000,10000,100000' : process.argv[at + 1]).split(',');
  console.log(`load ${loadavg()[0].toFixed(1)}; medians of ${QUESTIONS} questions, in ms of processor time`);
  console.log('items    spaces  build  save  load  cold    warm   words  vectors  rest   MB');
  for (const size of sizes) {
    for (const spaces of [1, SPACES]) {
      const folder = mkdtempSync(join(tmpdir(), 'stet-recall-'));
      try {
        const self = fileURLToPath(import.meta.url);
        const run = (what) =>
          execFileSync(process.execPath, [self, '--one', size, String(spaces), `${what}:${folder}`], {
            encoding: 'utf8',
          }).trim();
        const { build, save } = JSON.parse(run('build'));
        const { load, cold, warm, words, vectors, rest, megabytes } = JSON.parse(run('ask'));
        const cells = [
          size.padStart(7),
          String(spaces).padStart(6),
          ...[build, save, load].map((ms) => ms.toFixed(0).padStart(5)),
          ...[cold, warm, words, vectors, rest].map((ms) => ms.toFixed(2).padStart(6)),
          megabytes.toFixed(0).padStart(4),
        ];
        console.log(cells.join('  '));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  }
}

/** Builds and saves the index; or opens it from what was saved, as the next process does, and asks. */
async function measure(size, spaces, task) {
  const [what, ...rest] = task.split(':');
  const folder = rest.join(':');
  // A session sees personal, which is empty here, and its own space.
  const partitions = Array.from({ length: spaces }, (_, n) => `space:s${n}`);
  const documents = documentsOf(size);
  const of = (n) => documents.filter((_, place) => place % spaces === n);
  const index = openMemoryIndex({ folder, embedder: new RandomEmbedder() });
  if (what === 'build') {
    const build = await time(async () => {
      for (const [n, partition] of partitions.entries()) await index.open(partition, of(n));
    });
    await index.settled();
    console.log(JSON.stringify({ build, save: await time(() => index.save()) }));
    await index.close();
    return;
  }
  const [own] = partitions;
  const before = process.memoryUsage().rss;
  const mine = of(0);
  const load = await time(async () => {
    await index.open('personal', []);
    await index.open(own, mine);
  });
  const questions = Array.from({ length: QUESTIONS + 1 }, (_, n) => sentence(randomOf(n + 1_000_000), 6));
  const ask = (question) =>
    index.search({ partitions: ['personal', own], question, limit: 8, missedLimit: 20, accept: () => true });
  const [first, ...others] = questions;
  const cold = await time(() => ask(first));
  const warm = [];
  for (const question of others) warm.push(await time(() => ask(question)));
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;

  // The parts, on a partition of the same documents by itself.
  const known = new Map();
  const partition = new Partition({
    name: own,
    model: { dimensions: DIMENSIONS, languages: 'all' },
    vectorOf: (key) => {
      const vector = known.get(key) ?? quantize(randomUnit(randomOf(known.size)));
      known.set(key, vector);
      return vector;
    },
    onMissing: () => undefined,
  });
  partition.open(of(0), null);
  partition.snapshot();
  const words = [];
  const vectors = [];
  for (const [n, question] of others.entries()) {
    const vector = quantize(randomUnit(randomOf(n)));
    words.push(await time(() => partition.scoreWords(questionTerms(question, partition.vocabulary, []))));
    vectors.push(await time(() => partition.scoreVectors(vector)));
  }
  const parts = { warm: median(warm), words: median(words), vectors: median(vectors) };
  console.log(JSON.stringify({ load, cold, ...parts, rest: parts.warm - parts.words - parts.vectors, megabytes }));
  await index.close();
}

function documentsOf(size) {
  return Array.from({ length: size }, (_, n) => {
    const text = `${sentence(randomOf(n), 14)} n${n}`;
    // One a minute: a sitting is an hour.
    const created = new Date(Date.UTC(2025, 0, 1, 0, n)).toISOString();
    return { id: `i${n}`, text, statement: text, kind: 'fact', tags: [], target: null, created };
  });
}

/** Words by rank: the chance of the first `n` is about ln(n) / ln(all). */
function sentence(random, length) {
  return Array.from({ length }, () => `word${Math.floor(VOCABULARY ** random())}`).join(' ');
}

function randomUnit(random) {
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Mulberry32. */
function randomOf(seed) {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Milliseconds of processor time: other programs on the machine do not count. */
async function time(work) {
  const begin = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
