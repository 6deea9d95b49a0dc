// A process that has a memory's index open: `embedding-process <folder> <count>`. It prints `embedded <text>` for each text
// that it embeds itself, and `whole <vectors>` when it has every vector; then it waits until stdin closes.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openMemoryIndex } from '../src/index/open-index.ts';
import { FakeEmbedder } from './fake-embedder.ts';

const [folder = '', count = ''] = process.argv.slice(2);

class SlowEmbedder extends FakeEmbedder {
  override async embed(...asked: Parameters<FakeEmbedder['embed']>): ReturnType<FakeEmbedder['embed']> {
    // A real model takes longer; without it the first process would be done before the second begins.
    await pause(20);
    const result = await super.embed(...asked);
    process.stdout.write(`embedded ${asked[0]}\n`);
    return result;
  }
}

const index = openMemoryIndex({ folder, embedder: new SlowEmbedder() });
const documents = Array.from({ length: Number(count) }, (_, n) => ({
  id: `i${n}`,
  text: `Text ${n}`,
  statement: `Text ${n}`,
  kind: 'fact',
  tags: [],
  target: null,
  created: `2026-01-01T00:00:${String(n).padStart(2, '0')}Z`,
}));
await index.open('personal', documents);
await index.settled();
process.stdout.write(`whole ${index.health().vectors}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await index.close();
