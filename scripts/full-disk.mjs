// `node scripts/full-disk.mjs <folder>`: a memory on a disk that fills up, in that folder, which must be empty and on a
// small file system of its own. Prints one JSON line per finding for `npm run torture`; exits with 1 when anything is lost.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, openSync, closeSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const [folder = ''] = process.argv.slice(2);
const memory = join(folder, 'memory');
const ballast = join(folder, 'ballast');
const ROUNDS = 12;

function stet(...args) {
  const done = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args, '--memory', memory], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, STET_SPACE: '', CLAUDE_PROJECT_DIR: '' },
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

/** Fills the disk but for about so many bytes. */
function fill(leaveBytes) {
  const handle = openSync(ballast, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(65_536));
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  } finally {
    closeSync(handle);
  }
  const size = Number(execFileSync('stat', ['-c', '%s', ballast], { encoding: 'utf8' }));
  execFileSync('truncate', ['-s', String(Math.max(0, size - leaveBytes)), ballast]);
}

function fail(words) {
  console.error(`full disk: ${words}`);
  process.exit(1);
}

if (stet('init', memory).code !== 0) fail('no memory could be made');
stet('config', 'embedder', 'none');
const acknowledged = [];
let refused = 0;
for (let round = 0; round < ROUNDS; round++) {
  fill(round * 12_000);
  for (let n = 0; n < 6; n++) {
    const text = `Tank ${round}-${n} holds ${round * 977 + n * 131} litres of ${'abcdefghijkl'[round]}${'mnopqr'[n]}ane.`;
    const made = stet('remember', text, '--keep-both', '--json');
    if (made.code === 0) acknowledged.push(JSON.parse(made.out).id);
    else if (made.code === 1 && /disk is full|ENOSPC/.test(made.err)) refused++;
    else fail(`exit code ${made.code}: ${made.err}`);
  }
  rmSync(ballast);
  const next = stet(
    'remember',
    `After round ${round} there was room for item number ${round * 7919}.`,
    '--keep-both',
    '--json',
  );
  if (next.code !== 0) fail(`with room again: ${next.err}`);
  acknowledged.push(JSON.parse(next.out).id);
  execFileSync('git', ['-C', memory, 'fsck', '--strict'], { stdio: 'pipe' });
}
const paths = execFileSync('git', ['-C', memory, 'ls-tree', '-r', '--name-only', 'HEAD'], { encoding: 'utf8' });
const lost = acknowledged.filter((id) => paths.split(`.${id}.md`).length !== 2);
if (lost.length > 0) fail(`lost ${lost.join(', ')}`);
const status = execFileSync('git', ['-C', memory, 'status', '--porcelain'], { encoding: 'utf8' });
if (status !== '') fail(`uncommitted: ${status}`);
if (refused === 0) fail('the disk was never full');
const report = process.env.STET_TORTURE_REPORT;
const row = {
  what: `remembers on a disk that fills up (${refused} refused, in words)`,
  runs: acknowledged.length + refused,
};
if (report) appendFileSync(report, `${JSON.stringify(row)}\n`);
console.log(JSON.stringify(row));
