// `npm run bench [NAME…]`: runs the benchmarks of bench/ one after the other; names choose some. Each says by itself what
// it compares, with how many runs.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

/** Parts of a benchmark, not one by itself. */
const PARTS = new Set(['bare-server.mjs', 'language-pairs.mjs', 'make-memory.mjs', 'minilm-onnx.mjs']);

installIfNeeded();
buildIfNeeded();

const wanted = process.argv.slice(2);
const all = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.mjs') && !PARTS.has(name));
const chosen = all.filter((name) => wanted.length === 0 || wanted.includes(name.replace(/\.mjs$/, '')));
if (chosen.length === 0) {
  console.error(`There is no such benchmark. Known: ${all.map((name) => name.replace(/\.mjs$/, '')).join(', ')}`);
  process.exit(2);
}
for (const name of chosen) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [join(root, 'bench', name)], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
