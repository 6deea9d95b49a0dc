// `npm run torture [-- <scene>…] [-- --seed N]`: every test of reliability with large numbers, one scene after the
// other, and a table of what was run and how often. Takes a good hour on two idle cores; a scene can be named alone.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

/** Scenes by name: the test files that each runs, or a script that needs a small disk of its own. */
const SCENES = {
  writer: ['test/repo/many-processes.test.ts', 'test/repo/faults.test.ts'],
  servers: ['test/many-servers.test.ts'],
  kills: ['test/killed-servers.test.ts'],
  files: ['test/hostile-files.test.ts', 'test/hostile-tree.test.ts'],
  hand: ['test/hand-commits.test.ts', 'test/live-servers.test.ts', 'test/disappearances.test.ts'],
  snapshots: ['test/snapshots.test.ts'],
  watcher: ['test/watcher-storm.test.ts', 'test/watcher-faults.test.ts', 'test/watcher.test.ts'],
  disk: 'scripts/full-disk.mjs',
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const unknown = positionals.filter((name) => !(name in SCENES));
if (unknown.length > 0) {
  console.error(`No scene ${unknown.join(', ')}. There are: ${Object.keys(SCENES).join(', ')}.`);
  process.exit(2);
}
const scenes = positionals.length > 0 ? positionals : Object.keys(SCENES);
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));

installIfNeeded();
buildIfNeeded();
console.log(`Seed ${seed} (run again with: npm run torture -- ${positionals.join(' ')} --seed ${seed})`);

const scratch = mkdtempSync(join(tmpdir(), 'stet-torture-'));
const rows = [];
let hasFailed = false;
for (const scene of scenes) {
  const report = join(scratch, `${scene}.jsonl`);
  const results = join(scratch, `${scene}.json`);
  const startedAt = Date.now();
  const files = SCENES[scene];
  const code =
    typeof files === 'string' ? await runOnSmallDisk(files, report) : await runVitest(files, report, results);
  hasFailed ||= code !== 0;
  const { numPassedTests = 0, numFailedTests = 0 } = existsSync(results)
    ? JSON.parse(readFileSync(results, 'utf8'))
    : {};
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  if (typeof files !== 'string') {
    const lost = numFailedTests === 0 && code === 0 ? 'nothing' : `${numFailedTests} tests failed`;
    rows.push([scene, 'tests', numPassedTests, lost, `${seconds} s`]);
  }
  if (typeof files === 'string' && code !== 0)
    rows.push([scene, files, 1, `it failed with exit code ${code}`, `${seconds} s`]);
  for (const line of existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : []) {
    const { what, runs } = JSON.parse(line);
    rows.push([scene, what, runs, 'nothing', '']);
  }
}
rmSync(scratch, { recursive: true, force: true });

console.log(`\nSeed ${seed}`);
console.log('| scene | what was run | how often | lost | time |');
console.log('| --- | --- | --- | --- | --- |');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
process.exitCode = hasFailed ? 1 : 0;

/** On a file system in memory, where one may be mounted: as root, or in a user namespace. */
async function runOnSmallDisk(script, report) {
  const folder = join(scratch, 'disk');
  mkdirSync(folder);
  const mounted = 'mount -t tmpfs -o size=12m tmpfs "$0" && exec "$1" "$2" "$0"';
  const inNamespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--user', '--map-root-user'];
  if (spawnSync('unshare', [...inNamespace, 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$0"', folder]).status !== 0) {
    appendFileSync(
      report,
      `${JSON.stringify({ what: 'not possible here: no file system may be mounted', runs: 0 })}\n`,
    );
    return 0;
  }
  const child = spawn('unshare', [...inNamespace, 'sh', '-c', mounted, folder, process.execPath, join(root, script)], {
    stdio: 'inherit',
    env: { ...process.env, STET_TORTURE_REPORT: report },
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

function runVitest(files, report, results) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const child = spawn(process.execPath, [vitest, 'run', '--no-file-parallelism', ...reporters, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, STET_TORTURE: '1', STET_SEED: seed, STET_TORTURE_REPORT: report },
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
