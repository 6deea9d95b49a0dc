// One file remembered (written, durable, committed) against `git add` and `git commit` of one file in the same repository,
// turn and turn about; then status and scan against `git status`. git fsyncs nothing by default, stet everything.
// `node bench/commit.mjs [FILES…]`; needs `npm run build`. The bar is a ratio of 1.0 at 1,000 and 10,000 files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';

import { createRepository } from '../dist/repo/create-repository.js';
import { openRepository } from '../dist/repo/open-repository.js';
import { scanWorkingTree } from '../dist/repo/working-tree.js';

const RUNS = 40;
const PAUSE_MS = 60;
const AGENT = { name: 'claude-code', email: 'claude-code@agents.stet' };
const sizes = process.argv.slice(2).map(Number);
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: os.devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

for (const files of sizes.length > 0 ? sizes : [100, 1_000, 10_000]) await measure(files);

async function measure(files) {
  const root = mkdtempSync(join(os.tmpdir(), 'stet-bench-'));
  const git = (...args) => execFileSync('git', ['-C', root, '-c', 'gc.auto=0', ...args], { env, encoding: 'utf8' });
  await createRepository(root);
  for (let n = 0; n < files; n++) write(root, pathOf(n), n);
  git('add', '-A');
  git('commit', '-q', '-m', 'all');
  git('status');
  const repository = await openRepository(root);
  const remember = (path, text) =>
    repository.exclusive(async (transaction) => {
      await transaction.writeFile(path, Buffer.from(text));
      const message = { subject: `remember: ${path}`, trailers: [['Stet-Agent', 'claude-code']], author: AGENT };
      const outcome = await transaction.commit([path], message);
      if (outcome.status !== 'committed') throw new Error(outcome.reason);
    });
  const stetMs = [];
  const gitMs = [];
  await remember(pathOf(files), textOf(files));
  for (let run = 1; run <= RUNS; run++) {
    // Longer than stet keeps the index locked after a commit, and as far apart as an agent's calls.
    await pause();
    stetMs.push(await timed(() => remember(pathOf(files + run * 2), textOf(run))));
    await pause();
    gitMs.push(
      await timed(() => {
        const path = pathOf(files + run * 2 + 1);
        write(root, path, run);
        git('add', path);
        git('commit', '-q', '-m', `remember: ${path}`);
      }),
    );
  }
  const statusMs = [];
  const gitStatusMs = [];
  const scanMs = [];
  for (let run = 0; run < 15; run++) {
    statusMs.push(await timed(() => repository.status()));
    gitStatusMs.push(await timed(() => git('status', '--porcelain')));
    scanMs.push(await timed(() => scanWorkingTree(root, ['personal', 'spaces'])));
  }
  await repository.close();
  if (git('status', '--porcelain') !== '' || git('fsck', '--strict', '--no-dangling') !== '') throw new Error('broken');
  rmSync(root, { recursive: true, force: true });
  console.log(`${files} files, ${RUNS} runs, median (best) in ms`);
  compare('commit one file', stetMs, gitMs);
  compare('status', statusMs, gitStatusMs);
  console.log(`  scan of the item folders   ${show(scanMs)}`);
}

function pathOf(n) {
  return `spaces/acme/20${20 + (Math.floor(n / 1_000) % 10)}-${String((n % 12) + 1).padStart(2, '0')}/item-${n}.md`;
}

function textOf(n) {
  return `---\nid: "k3v9q2m7"\nkind: decision\nspace: acme\n---\nAcme signs users in with Auth0, as of number ${n}.\n`;
}

function write(root, path, n) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), textOf(n));
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

function compare(name, ours, gits) {
  const ratio = (median(ours) / median(gits)).toFixed(2);
  console.log(`  ${name.padEnd(26)} stet ${show(ours)}, git ${show(gits)}, ratio ${ratio}`);
}

function show(times) {
  return `${median(times).toFixed(1)} (${Math.min(...times).toFixed(1)})`;
}

function median(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
}
