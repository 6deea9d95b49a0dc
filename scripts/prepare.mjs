// Makes a fresh clone ready: installs what package-lock.json says, and builds when a source is newer than the build.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export function installIfNeeded() {
  const installed = join(root, 'node_modules/.package-lock.json');
  const wanted = statSync(join(root, 'package-lock.json')).mtimeMs;
  if (existsSync(installed) && statSync(installed).mtimeMs >= wanted) return;
  if (existsSync(installed) && lockAgrees()) return;
  console.log('Installing the packages that package-lock.json names …');
  npm('ci', '--no-audit', '--no-fund');
}

export function buildIfNeeded() {
  const built = join(root, 'dist/cli/main.js');
  if (existsSync(built) && statSync(built).mtimeMs > newest(join(root, 'src'))) return;
  console.log('Building dist/ …');
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
}

/** A clone's files all carry the time of the clone, so a newer lock alone does not mean another one. */
function lockAgrees() {
  try {
    npm('ls', '--all', '--silent');
    return true;
  } catch {
    return false;
  }
}

function npm(...args) {
  // npm is a .cmd file on Windows, which only a shell can start; the arguments are ours and hold nothing to escape.
  const windows = process.platform === 'win32';
  const stdio = args[0] === 'ls' ? 'ignore' : 'inherit';
  execFileSync(windows ? 'npm.cmd' : 'npm', args, { cwd: root, stdio, shell: windows });
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}
