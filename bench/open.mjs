// What a memory costs to open and to ask, in this process and without a model: from nothing (every file read, every word
// indexed), from its snapshot with nothing changed, and a warm recall. Every opening is in a process of its own.
//
//   node bench/open.mjs [ITEMS…]     (default 10000; needs `npm run build`)

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { index, makeMemory, loadApp, openBuilt, statement, summary } from './make-memory.mjs';

const RUNS = 9;
const QUESTIONS = 200;
const [what, root] = process.argv.slice(2);

/** Each prints lines of two numbers: ms on the clock and of processor time, for other work shares the cores. */
const MEASUREMENTS = {
  async rebuild() {
    await loadApp();
    const tell = stopwatch();
    const app = await openBuilt({ memory: root, embedder: 'none', discardIndex: true });
    await app.rebuildIndex(() => {});
    tell();
    await app.close();
  },
  async open() {
    await loadApp();
    const tell = stopwatch();
    const app = await openBuilt({ memory: root, embedder: 'none' });
    tell();
    await app.close();
  },
  async recall() {
    const app = await openBuilt({ memory: root, embedder: 'none' });
    const session = await app.userSession({ space: 'acme' });
    for (let n = -20; n < QUESTIONS; n++) {
      const question = `What is ${statement(Math.abs(n) * 37).split(' since ')[0]}?`;
      const tell = stopwatch();
      await app.recall(session, { question });
      if (n >= 0) tell();
    }
    await app.close();
  },
};

if (what in MEASUREMENTS) {
  await MEASUREMENTS[what]();
} else {
  const sizes = process.argv.slice(2).map(Number);
  for (const items of sizes.length > 0 ? sizes : [10_000]) {
    const memory = makeMemory(items, 'embedder: none\n');
    try {
      if ((await index(memory.root, false)) !== items) throw new Error('items are missing');
      console.log(`${items} items`);
      for (const [name, runs, title] of [
        ['rebuild', RUNS, 'words-only rebuild from nothing'],
        ['open', RUNS, 'open, nothing changed'],
        ['recall', 1, 'warm recall without a model'],
      ]) {
        const times = Array.from({ length: runs }, () => run(name, memory.root)).flat();
        console.log(`  ${title}: ${summary(times.map(([ms]) => ms))}`);
        console.log(`    processor time: ${summary(times.map(([, ms]) => ms))}`);
      }
    } finally {
      memory.remove();
    }
  }
}

function run(name, memory) {
  const printed = execFileSync(process.execPath, [fileURLToPath(import.meta.url), name, memory], { encoding: 'utf8' });
  return printed
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
}

function stopwatch() {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const took = performance.now() - begun;
    const { user, system } = process.cpuUsage(cpu);
    console.log(`${took} ${(user + system) / 1_000}`);
  };
}
