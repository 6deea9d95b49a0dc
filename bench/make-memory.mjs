// A memory of many items for a benchmark, made in a moment: files as stet writes them, one commit by git, and on request
// vectors of the right size under the packaged model's name, without the minutes that embedding would take.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** The built app. By its address, so that the type checker does not follow it into dist/. */
export function loadApp() {
  return import(new URL('../dist/app.js', import.meta.url).href);
}

export async function openBuilt(options) {
  return (await loadApp()).openApp(options);
}

/** The built command line. */
export const entry = join(here, '../dist/cli/main.js');

const SUBJECTS = ['The shop', 'The depot', 'The invoice run', 'The staging database', 'The report', 'The login page'];
const VERBS = ['runs on', 'waits for', 'belongs to', 'is checked against', 'was moved to', 'takes its rates from'];
const OBJECTS = [
  'the ledger',
  'the second queue',
  'the mail gateway',
  'the old cluster',
  'the price list',
  'the vault',
];

/** One statement; no two are alike. */
export function statement(n) {
  const pick = (words, step) => words[Math.floor(n / step) % words.length];
  return `${pick(SUBJECTS, 1)} of customer C${n} ${pick(VERBS, 6)} ${pick(OBJECTS, 36)} number ${n * 7} since week ${(n % 52) + 1}.`;
}

function id(n) {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz';
  return `b${Array.from({ length: 7 }, (_, at) => letters[Math.floor(n / 32 ** (6 - at)) % 32]).join('')}`;
}

export function pathOf(n) {
  const month = `20${20 + (Math.floor(n / 1_000) % 6)}-${String((n % 12) + 1).padStart(2, '0')}`;
  return `${n % 2 === 0 ? 'personal' : 'spaces/acme'}/${month}/item-${n}.${id(n)}.md`;
}

function textOf(n) {
  return `---\nid: ${id(n)}\nkind: fact\n${n % 2 === 0 ? '' : 'space: acme\n'}source: claude-code\ncreated: "2026-09-15T10:31:04Z"\n---\n${statement(n)}\n`;
}

/** Half of the items are personal, half of the space acme. `settings`: lines of machine.yaml. */
export function makeMemory(items, settings) {
  const scratch = mkdtempSync(join(tmpdir(), 'stet-bench-'));
  const root = join(scratch, 'memory');
  const stet = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [entry, ...args], { cwd: scratch, encoding: 'utf8' });
    if (status !== 0) throw new Error(`stet ${args.join(' ')}: ${stderr}`);
  };
  stet('init', root);
  stet('space', 'add', 'acme', '--memory', root);
  writeFileSync(join(root, 'machine.yaml'), `folders: {}\n${settings}`);
  for (let n = 0; n < items; n++) {
    mkdirSync(dirname(join(root, pathOf(n))), { recursive: true });
    writeFileSync(join(root, pathOf(n)), textOf(n));
  }
  const git = (...args) =>
    execFileSync(
      'git',
      ['-C', root, '-c', 'user.name=b', '-c', 'user.email=b@example.org', '-c', 'gc.auto=0', ...args],
      {
        env: { ...process.env, GIT_CONFIG_GLOBAL: devNull },
      },
    );
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  git('gc', '-q');
  return { scratch, root, remove: () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Opens the memory once, so that its snapshot is there; `vectors`: with one for every item. */
export async function index(root, vectors) {
  const app = await openBuilt({ memory: root, embedder: vectors ? await standIn() : 'none' });
  const { items } = await app.rebuildIndex(() => {});
  await app.close();
  return items;
}

async function standIn() {
  const { MINILM, ThreadEmbedder } = await import('../dist/index/thread-embedder.js');
  const real = new ThreadEmbedder(MINILM);
  const { model, dimensions, languages } = real;
  await real.close();
  return {
    model,
    dimensions,
    languages,
    embed: (text) => Promise.resolve({ ok: true, vector: vectorOf(text, dimensions) }),
    hold() {},
    close: () => Promise.resolve(),
  };
}

/** Any unit vector will do: what is measured does not depend on where it points. */
function vectorOf(text, dimensions) {
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 32) {
    const bytes = createHash('sha256').update(`${at} ${text}`).digest();
    for (let i = 0; i < 32; i++) vector[at + i] = bytes[i] / 127.5 - 1;
  }
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/** Median, best and worst of times, in ms. */
export function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const show = (value) => (value ?? Number.NaN).toFixed(value < 20 ? 1 : 0);
  return `median ${show(sorted[Math.floor(sorted.length / 2)])}, best ${show(sorted[0])}, worst ${show(sorted.at(-1))} ms (${times.length} runs)`;
}
