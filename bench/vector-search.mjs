// The exact scan of the index against graphs (HNSW): hnswlib-node and usearch, on unit vectors of 384 dimensions. What a
// search takes, what a graph takes to build, and how much of the true ten it finds. Times are of the processor: other
// programs on the machine do not count. Vectors are random directions, or with --clustered scattered around as many
// centres as there are fiftieths, as statements are around subjects.
//
//   STET_GRAPHS=FOLDER node bench/vector-search.mjs [--sizes 1000,5000,30000] [--clustered]
//
// FOLDER: where `npm install hnswlib-node usearch`, or one of them, was run; the project does not have them.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { quantize } from '../dist/index/quantized.js';
import { VectorTable } from '../dist/index/vector-table.js';

const DIMENSIONS = 384;
const QUESTIONS = 50;
const [NEIGHBOURS, BUILD_EFFORT, SEARCH_EFFORT] = [16, 200, 100];
const at = process.argv.indexOf('--sizes');
const sizes = (at < 0 ? '1000,5000,30000' : process.argv[at + 1]).split(',').map(Number);
const isClustered = process.argv.includes('--clustered');

const graphs = { 'hnswlib-node': openHnswlib(), usearch: openUsearch() };
for (const [name, open] of Object.entries(graphs)) {
  if (open === null) console.log(`${name} is not installed in STET_GRAPHS: it is not measured.`);
}

console.log(`${isClustered ? 'clustered' : 'random'} vectors, medians of ${QUESTIONS} questions`);
console.log('vectors  what           search     build    recall@10');
for (const size of sizes) {
  const draw = isClustered ? drawClustered(Math.max(1, Math.round(size / 50))) : randomUnit;
  const vectors = Array.from({ length: size }, () => draw());
  const questions = Array.from({ length: QUESTIONS }, () => draw());
  const truths = questions.map((question) => new Set(nearest(question, vectors)));
  const table = new VectorTable(DIMENSIONS);
  const fill = time(() => {
    for (const [slot, vector] of vectors.entries()) table.set(slot, 0, quantize(vector));
  });
  const asked = questions.map((question) => quantize(question));
  const scans = asked.map((question) => time(() => table.scan(question, size)));
  print(size, 'exact scan', median(scans), fill, null);
  for (const [name, open] of Object.entries(graphs)) {
    if (open === null) continue;
    const graph = open(size);
    const build = time(() => vectors.forEach((vector, slot) => graph.add(slot, vector)));
    let found = 0;
    const searches = questions.map((question, n) => {
      let slots = [];
      const took = time(() => {
        slots = graph.search(question);
      });
      found += slots.filter((slot) => truths[n].has(slot)).length;
      return took;
    });
    print(size, name, median(searches), build, found / (10 * QUESTIONS));
  }
}

function print(size, name, search, build, recall) {
  const cells = [String(size).padStart(7), name.padEnd(13), `${search.toFixed(2)} ms`.padStart(9)];
  cells.push(`${(build / 1_000).toFixed(1)} s`.padStart(8), recall === null ? '' : recall.toFixed(3));
  console.log(cells.join('  '));
}

function openHnswlib() {
  const hnswlib = load('hnswlib-node');
  if (hnswlib === null) return null;
  return (size) => {
    const graph = new hnswlib.HierarchicalNSW('ip', DIMENSIONS);
    graph.initIndex(size, NEIGHBOURS, BUILD_EFFORT, 100);
    graph.setEf(SEARCH_EFFORT);
    return {
      add: (slot, vector) => graph.addPoint(Array.from(vector), slot),
      search: (question) => graph.searchKnn(Array.from(question), 10).neighbors,
    };
  };
}

function openUsearch() {
  const usearch = load('usearch');
  if (usearch === null) return null;
  return () => {
    const graph = new usearch.Index({
      metric: 'ip',
      dimensions: DIMENSIONS,
      connectivity: NEIGHBOURS,
      expansion_add: BUILD_EFFORT,
      expansion_search: SEARCH_EFFORT,
    });
    return {
      add: (slot, vector) => graph.add(BigInt(slot), vector),
      search: (question) => Array.from(graph.search(question, 10, 1).keys, Number),
    };
  };
}

function load(name) {
  const folder = process.env['STET_GRAPHS'];
  if (folder === undefined) return null;
  try {
    return createRequire(join(folder, 'package.json'))(name);
  } catch {
    return null;
  }
}

function drawClustered(count) {
  const centres = Array.from({ length: count }, () => randomUnit());
  return () => {
    const centre = centres[Math.floor(Math.random() * count)];
    const noise = randomUnit();
    return normalised(centre.map((value, n) => value + noise[n]));
  };
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
  for (let n = 0; n < DIMENSIONS; n++) {
    // Box-Muller: a direction that is even on the sphere.
    vector[n] = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  }
  return normalised(vector);
}

function normalised(vector) {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function time(work) {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
