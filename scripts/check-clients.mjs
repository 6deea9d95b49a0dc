// `STET_REAL_CLIENTS=<folder> npm run check:clients`: sets stet up in the real Claude Code, Codex, Gemini CLI and opencode
// and asks each of them what it has, in a home folder of its own. Not a part of `npm test`: the clients take 1 GB. The
// folder is outside of this project, and is filled by
//
//     npm install --ignore-scripts @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai
//
// No account is needed for any of it. Runs on Linux and macOS.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

const installed = process.env.STET_REAL_CLIENTS ?? '';
if (installed === '' || !existsSync(join(installed, 'node_modules'))) {
  console.error('Name a folder with the clients in STET_REAL_CLIENTS; the head of this script says how to fill it.');
  process.exit(2);
}
installIfNeeded();
buildIfNeeded();

const ENTRY = join(root, 'dist/cli/main.js');
const SYSTEM = `${process.platform}-${process.arch}`;
const PROGRAMS = {
  claude: `@anthropic-ai/claude-code-${SYSTEM}/claude`,
  codex: '@openai/codex/bin/codex.js',
  gemini: '@google/gemini-cli/bundle/gemini.js',
  opencode: `opencode-${SYSTEM}/bin/opencode`,
};

/** For each client: its file as a user might have it, and how to ask it what it has. */
const CLIENTS = [
  { id: 'claude-code', list: ['claude', 'mcp', 'get', 'stet'], shows: '✔ Connected' },
  {
    id: 'codex',
    file: '.codex/config.toml',
    text: '# mine\nmodel = "gpt-5" # keep\n\n[mcp_servers.other]\ncommand = "x"\n',
    list: ['codex', 'mcp', 'get', 'stet', '--json'],
    shows: ENTRY,
  },
  {
    id: 'gemini-cli',
    file: '.gemini/settings.json',
    text: '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" } // tail\n  }\n}\n',
    list: ['gemini', 'mcp', 'list'],
    shows: 'stet: ',
  },
  {
    id: 'opencode',
    file: '.config/opencode/opencode.jsonc',
    text: '{\n  // mine\n  "mcp": {\n    "other": { "type": "local", "command": ["true"], "enabled": false }, // tail\n  },\n}\n',
    list: ['opencode', 'mcp', 'list'],
    shows: 'stet',
  },
];

const home = realpathSync(mkdtempSync(join(tmpdir(), 'stet-clients-')));
let failures = 0;
try {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  mkdirSync(join(home, 'project'));
  for (const [name, path] of Object.entries(PROGRAMS)) {
    symlinkSync(join(installed, 'node_modules', path), join(bin, name));
    console.log(`${name}: ${said([name, '--version']).trim().split('\n')[0]}`);
  }
  stet('init', join(home, 'stet'));
  for (const client of CLIENTS) {
    if (client.file === undefined) continue;
    mkdirSync(dirname(join(home, client.file)), { recursive: true });
    writeFileSync(join(home, client.file), client.text);
  }
  for (const client of CLIENTS) {
    expect(client, 'added', stet('setup', client.id));
    check(client, 'lists it', said(client.list).includes(client.shows));
    expect(client, 'unchanged', stet('setup', client.id));
    check(client, 'keeps the comments', client.file === undefined || kept(client));
    expect(client, 'removed', stet('setup', client.id, '--remove'));
    check(client, 'lists it no more', !said(client.list).includes(client.shows));
    expect(client, 'absent', stet('setup', client.id, '--remove'));
  }
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? 'All clients agree.' : `${failures} checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;

function environment() {
  const { HOME: _, ...rest } = process.env;
  return { ...rest, HOME: home, PATH: [join(home, 'bin'), process.env.PATH].join(delimiter), NO_COLOR: '1' };
}

function stet(...args) {
  const options = { encoding: 'utf8', cwd: join(home, 'project'), env: environment() };
  return JSON.parse(execFileSync(process.execPath, [ENTRY, ...args, '--json'], options));
}

/** All that a program of a client says. */
function said([program, ...args]) {
  const options = { encoding: 'utf8', cwd: join(home, 'project'), env: environment(), timeout: 120_000, input: '' };
  const { stdout, stderr } = spawnSync(join(home, 'bin', program), args, options);
  return `${stdout}\n${stderr}`;
}

function kept({ file }) {
  const text = readFileSync(join(home, file), 'utf8');
  return text.includes(file.endsWith('.toml') ? '# mine' : '// mine') && text.includes('other');
}

function expect(client, status, { clients }) {
  check(
    client,
    `${status}${clients[0].commands.length > 0 ? ' by its own command' : ''}`,
    clients[0].status === status,
  );
  if (clients[0].reason !== null) console.log(`    ${clients[0].reason}`);
}

function check({ id }, what, holds) {
  if (!holds) failures += 1;
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${id}: ${what}`);
}
