// The exact scan of the index against an HNSW graph (hnswlib-node), on random unit vectors of 384 dimensions: what a
// search takes, what the graph takes to build, and how much of the true ten it finds.
//
//   node bench/vector-search.mjs [--sizes 1000,5000,30000]

import { performance } from 'node:perf_hooks';
import { quantize } from '../dist/index/quantized.js';
import { VectorTable } from '../dist/index/vector-table.js';

const DIMENSIONS = 384;
const QUESTIONS = 50;
const at = process.argv.indexOf('--sizes');
const sizes = (at < 0 ? '1000,5000,30000' : process.argv[at + 1]).split(',').map(Number);

const hnswlib = await import('hnswlib-node').then(
  (module) => module.default,
  () => null,
);
if (hnswlib === null) console.log('hnswlib-node is not installed here: the exact scan alone is measured.');

console.log('vectors   exact scan   graph search   graph build   recall@10 of the graph');
for (const size of sizes) {
  const vectors = Array.from({ length: size }, () => randomUnit());
  const questions = Array.from({ length: QUESTIONS }, () => randomUnit());
  const table = new VectorTable(DIMENSIONS);
  for (const [slot, vector] of vectors.entries()) table.set(slot, 0, quantize(vector));
  const exact = median(questions.map((question) => time(() => table.scan(quantize(question), size))));
  if (hnswlib === null) {
    console.log(`${String(size).padStart(7)}   ${exact.toFixed(2)} ms`);
    continue;
  }
  const graph = new hnswlib.HierarchicalNSW('ip', DIMENSIONS);
  graph.initIndex(size, 16, 200, 100);
  const build = time(() => vectors.forEach((vector, slot) => graph.addPoint(Array.from(vector), slot)));
  graph.setEf(100);
  let found = 0;
  const searches = questions.map((question) => {
    const asked = Array.from(question);
    let neighbours = [];
    const took = time(() => {
      neighbours = graph.searchKnn(asked, 10).neighbors;
    });
    const truth = new Set(nearest(question, vectors));
    found += neighbours.filter((slot) => truth.has(slot)).length;
    return took;
  });
  const recall = found / (10 * QUESTIONS);
  console.log(
    `${String(size).padStart(7)}   ${exact.toFixed(2)} ms      ${median(searches).toFixed(2)} ms        ${(build / 1_000).toFixed(1)} s         ${recall.toFixed(3)}`,
  );
}

function nearest(question, vectors) {
  const scored = vectors.map((vector, slot) => [dot(question, vector), slot]);
  return scored
    .sort((a, b) => b[0] - a[0])
    .slice(0, 10)
    .map(([, slot]) => slot);
}

function dot(a, b) {
  let sum = 0;
  for (let n = 0; n < DIMENSIONS; n++) sum += a[n] * b[n];
  return sum;
}

function randomUnit() {
  const vector = new Float32Array(DIMENSIONS);
  let length = 0;
  for (let n = 0; n < DIMENSIONS; n++) {
    // Box-Muller: a direction that is even on the sphere.
    vector[n] = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
    length += vector[n] ** 2;
  }
  return vector.map((value) => value / Math.sqrt(length));
}

function time(work) {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
