// A process whose last wait is for the index to close, while a text is with the model and somebody still waits for all.
import { setTimeout as pause } from 'node:timers/promises';
import { openMemoryIndex } from '../src/index/open-index.ts';
import { ThreadEmbedder } from '../src/index/thread-embedder.ts';

const [folder = ''] = process.argv.slice(2);
/** Takes its time for each text, and then to end: a thread in a native call cannot be stopped. */
const SLOW = `
  import { pbkdf2Sync } from 'node:crypto';
  import { parentPort } from 'node:worker_threads';
  const busy = () => pbkdf2Sync('', '', 1_000_000, 64, 'sha512');
  parentPort.on('message', () => {
    busy();
    parentPort.postMessage({ ok: true, vector: Float32Array.of(1) });
    busy();
  });`;
const index = openMemoryIndex({
  folder,
  embedder: new ThreadEmbedder({
    model: 'slow',
    dimensions: 1,
    languages: 'all',
    script: new URL(`data:text/javascript,${encodeURIComponent(SLOW)}`),
  }),
});
const document = { statement: '', kind: 'fact', tags: [], target: null, created: '2026-01-01T00:00:00Z' };
await index.open('personal', [
  { ...document, id: 'i1', text: 'One.' },
  { ...document, id: 'i2', text: 'Two.' },
]);
const settled = index.settled();
await pause(100);
await index.close();
await settled;
process.stdout.write('closed\n');
