// `npm run check:inspector`: the MCP Inspector's command line lists the tools of the built server and calls one. Needs the
// registry: npx fetches the Inspector, which is too large to be a dependency.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded, root } from './prepare.mjs';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

buildIfNeeded();
const scratch = mkdtempSync(join(tmpdir(), 'stet-inspector-'));
const entry = join(root, 'dist/cli/main.js');
const memory = join(scratch, 'memory');
try {
  execFileSync(process.execPath, [entry, 'init', memory]);
  const { tools } = inspect('--method', 'tools/list');
  const names = tools.map(({ name }) => name).join(', ');
  console.log(`tools/list: ${names}`);
  const statement = 'The office dog is called Rex.';
  const { content } = inspect('--method', 'tools/call', '--tool-name', 'remember', '--tool-arg', `text=${statement}`);
  console.log(`tools/call: ${content[0].text.split('\n')[0]}`);
  if (!names.includes('recall') || !content[0].text.includes('Saved')) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

function inspect(...args) {
  const windows = process.platform === 'win32';
  const server = [process.execPath, entry, 'mcp', '--memory', memory];
  const words = ['--yes', INSPECTOR, '--cli', ...server, ...args];
  const options = { encoding: 'utf8', cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] };
  // npx is a .cmd file on Windows, which only a shell can start: it gets one line with every word in quotes.
  const said = windows
    ? execFileSync(`npx.cmd ${words.map((word) => `"${word}"`).join(' ')}`, { ...options, shell: true })
    : execFileSync('npx', words, options);
  return JSON.parse(said);
}
