// Start-up, against a bare server of the same SDK and against node itself, in turns so that noise hits both alike.
//
//   node bench/start.mjs [--runs 15]

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const entry = join(here, '../dist/cli/main.js');
const at = process.argv.indexOf('--runs');
const runs = at < 0 ? 15 : Number(process.argv[at + 1]);
const scratch = mkdtempSync(join(tmpdir(), 'stet-start-'));
const memory = join(scratch, 'memory');

try {
  spawnSync(process.execPath, [entry, 'init', memory]);
  const servers = { bare: [join(here, 'bare-server.mjs')], stet: [entry, 'mcp', '--memory', memory] };
  const commands = { node: ['-e', '0'], version: [entry, '--version'] };
  const times = { bare: [], stet: [], node: [], version: [] };
  for (let run = 0; run < runs; run++) {
    for (const [name, args] of Object.entries(servers)) times[name].push(await initialize(args));
    for (const [name, args] of Object.entries(commands)) times[name].push(wait(args));
  }
  report('spawn to `initialize` answered', 'stet', 'bare');
  report('`stet --version` against `node -e 0`', 'version', 'node');

  function report(title, ours, theirs) {
    const [a, b] = [median(times[ours]), median(times[theirs])];
    console.log(
      `${title}: ${a.toFixed(0)} ms against ${b.toFixed(0)} ms, ratio ${(a / b).toFixed(2)} (medians of ${runs})`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function wait(args) {
  const begin = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - begin;
}

function initialize(args) {
  return new Promise((resolve) => {
    const begin = performance.now();
    const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], cwd: scratch });
    server.stdout.once('data', () => {
      const took = performance.now() - begin;
      server.once('exit', () => resolve(took));
      server.stdin.end();
    });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
