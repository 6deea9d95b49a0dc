// The memory as it stood 1,000 commits ago, against the present: `stet recall --at`. Words only; vectors of the past come from
// the cache of the present. `node bench/past.mjs [ITEMS] [COMMITS]`; needs `npm run build`.
// Bars: the first answer ≤ 2 × a rebuild of the present, the second as fast as opening the present.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';

// By name at run time: otherwise the whole built program would be type-checked.
const built = (name) => import(new URL(`../dist/${name}.js`, import.meta.url).href);
const { initMemory, openApp } = await built('app');
const { newId } = await built('memory/id');

const RUNS = 5;
const [items = 10_000, commits = 1_000] = process.argv.slice(2).map(Number);
const PLACES = ['Paris', 'Lima', 'Oslo', 'Quito', 'Delhi', 'Turin', 'Accra', 'Hanoi', 'Perth', 'Sofia'];
const THINGS = ['invoices', 'deploys', 'reviews', 'standups', 'backups', 'releases', 'orders', 'audits'];

const root = join(mkdtempSync(join(os.tmpdir(), 'stet-bench-')), 'memory');
try {
  await fill();
  const times = { rebuild: [], first: [], present: [], second: [] };
  for (let run = 0; run < RUNS; run++) {
    times.rebuild.push(await timed(() => withApp({ discardIndex: true }, (app) => ask(app))));
    // Nothing of the past is kept yet: discarding the index threw it away.
    await withApp({}, async (app) => times.first.push(await timed(() => askPast(app))));
    times.present.push(await timed(() => withApp({}, (app) => ask(app))));
    await withApp({}, async (app) => times.second.push(await timed(() => askPast(app))));
  }
  const [rebuild, first, present, second] = Object.values(times).map(median);
  console.log(`${items} items, ${commits} commits back, medians of ${RUNS} in ms:`);
  console.log(
    `rebuild ${rebuild.toFixed(0)}, first answer of the past ${first.toFixed(0)}: ratio ${(first / rebuild).toFixed(2)}`,
  );
  console.log(
    `present opened ${present.toFixed(0)}, second answer of the past ${second.toFixed(0)}: ratio ${(second / present).toFixed(2)}`,
  );
} finally {
  rmSync(dirname(root), { recursive: true, force: true });
}

async function withApp(options, work) {
  const app = await openApp({ memory: root, embedder: 'none', ...options });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function ask(app) {
  const { facts } = await app.recall(await app.userSession({}), { question: 'When are the deploys of ORD41 sent?' });
  if (facts.length === 0) throw new Error('no answer');
}

async function askPast(app) {
  const past = await app.at(`HEAD~${commits}`, 'then');
  try {
    await ask(past);
  } finally {
    await past.close();
  }
}

/** One commit with all items, then commits that change one item each; by `git fast-import`, packed. */
async function fill() {
  await initMemory(root);
  const paths = Array.from({ length: items }, (_, n) => ({ n, id: newId() }));
  let stream = '';
  const file = ({ n, id }, round) => {
    const text = `---\nid: "${id}"\nkind: fact\nsource: bench\ncreated: "2026-01-01T00:00:00Z"\n---\n${sentence(n, round)}\n`;
    stream += `M 100644 inline personal/2026-01/item-${n}.${id}.md\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  };
  const commit = (n, from) => {
    const message = `edit: ${n}\n\nStet-Agent: user\n`;
    stream += `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_770_000_000 + n} +0000\ndata ${message.length}\n${message}`;
    if (from) stream += 'from refs/heads/main^0\n';
  };
  commit(0, true);
  for (const each of paths) file(each, 0);
  for (let n = 1; n <= commits; n++) {
    commit(n, false);
    file(paths[(n * 7) % items], n);
  }
  const git = (args, input) =>
    execFileSync('git', ['-C', root, ...args], { input, stdio: ['pipe', 'ignore', 'inherit'] });
  git(['fast-import', '--quiet', '--date-format=raw'], stream);
  git(['reset', '--quiet', '--hard']);
}

function sentence(n, round) {
  const revised = round === 0 ? '' : `, as revised in round ${round}`;
  return `The ${THINGS[n % THINGS.length]} of ${PLACES[n % PLACES.length]} are sent with ORD${n} on day ${(n * 3) % 28}${revised}.`;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
