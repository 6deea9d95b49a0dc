// `npm run test:transformers`: installs Transformers.js into a temporary folder, without its install scripts (on Linux they
// fetch CUDA files), and runs the tests of its models with it. About 500 MB; the folder goes afterwards.
// STET_TRANSFORMERS=FOLDER uses a folder whose node_modules has it already. `--if-installable`: where it cannot be installed
// (no network, a registry without it) that is said, and counts as skipped.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

installIfNeeded();
buildIfNeeded();

const given = process.env['STET_TRANSFORMERS'];
const maySkip = process.argv.includes('--if-installable');
const folder = given ?? mkdtempSync(join(tmpdir(), 'stet-transformers-'));
try {
  if (given === undefined) {
    console.log(`Installing @huggingface/transformers into ${folder} …`);
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const { status } = spawnSync(
      npm,
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '@huggingface/transformers@4'],
      { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' },
    );
    if (status === 0) test(folder);
    else console.log('SKIPPED test/transformers.test.ts: @huggingface/transformers could not be installed');
    if (status !== 0 && !maySkip) process.exitCode = 1;
  } else test(given);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function test(peers) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/transformers.test.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, STET_TRANSFORMERS: peers },
  });
  process.exitCode = status ?? 1;
}
