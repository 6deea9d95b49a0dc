// @ts-check
// The worker thread that holds a model of Transformers.js: one text in, one unit vector out. The library is an optional
// peer: it is looked for when the first text comes. Only a thread that is told so reaches the network.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

if (parentPort === null) throw new Error('transformers-worker.mjs runs as a worker thread only');
const port = parentPort;
/** @type {import('./transformers-model.ts').TransformersData} */
const model = workerData;

const NOT_INSTALLED =
  '@huggingface/transformers is not installed. Install it beside stet, `npm install --global @huggingface/transformers` (about 500 MB; with `--ignore-scripts` it fetches no CUDA files), or go back with `stet config embedder minilm`';

/**
 * Threads of ONNX Runtime that have nothing to do sleep: by default they spin, which costs a shared machine twice the
 * processor time and most of the speed (bench/native.mjs).
 */
const SESSION = { extra: { session: { intra_op: { allow_spinning: '0' } } } };

async function load() {
  const { env, pipeline } = await import(pathToFileURL(findLibrary()).href);
  env.allowLocalModels = true;
  env.localModelPath = model.models;
  env.allowRemoteModels = model.remote !== null;
  env.cacheDir = model.models;
  if (model.remote?.host) env.remoteHost = model.remote.host;
  let reason;
  for (const dtype of model.dtypes) {
    try {
      return await pipeline('feature-extraction', model.name, { dtype, device: 'cpu', session_options: SESSION });
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
}

function findLibrary() {
  const places = [import.meta.url, ...(model.library === null ? [] : [join(model.library, 'package.json')])];
  for (const place of places.reverse()) {
    try {
      return createRequire(place).resolve('@huggingface/transformers');
    } catch {
      // Perhaps in the next place.
    }
  }
  throw new Error(NOT_INSTALLED);
}

// Loaded with the first text, so that a thread that is never asked costs nothing.
/** @type {ReturnType<typeof load> | undefined} */
let loading;

/** @param {string} text */
async function answer(text) {
  let permanent = true;
  try {
    loading ??= load();
    const extract = await loading;
    permanent = false;
    const { data } = await extract(text, { pooling: model.pooling, normalize: true });
    const vector = Float32Array.from(data);
    port.postMessage({ ok: true, vector }, [vector.buffer]);
  } catch (error) {
    port.postMessage({ ok: false, reason: error instanceof Error ? error.message : String(error), permanent });
  }
}

port.on('message', (text) => void answer(text));
