// `npm run first-run`: the product in a minute. Installs, builds, makes a memory in a throw-away folder, lets a real
// MCP client remember and recall over stdio, edits a file as an editor would, recalls the edit, and shows the files
// and the git log.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfNeeded, installIfNeeded, root } from './prepare.mjs';

installIfNeeded();
buildIfNeeded();

const { Client } = await import('@modelcontextprotocol/client');
const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');

const scratch = mkdtempSync(join(tmpdir(), 'stet-first-run-'));
const memory = join(scratch, 'memory');
const project = join(scratch, 'acme-shop');
const entry = join(root, 'dist/cli/main.js');

try {
  await show();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function show() {
  title('1. A memory is a folder of Markdown in a git repository of its own');
  stet('init', memory);
  execFileSync('git', ['init', '-q', project]);
  stet('space', 'add', 'acme', '--folder', project);

  title('2. An agent that works in the project remembers, over MCP');
  const agent = new Client({ name: 'Claude Code', version: '1.0.0' });
  await agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [entry, 'mcp', '--memory', memory, '--project', project],
      stderr: 'inherit',
    }),
  );
  await call(agent, 'remember', { text: 'Acme signs users in with Auth0.', kind: 'decision' });
  await call(agent, 'remember', { text: 'The quarterly doc means the finance report in Notion.', kind: 'vocabulary' });
  await call(agent, 'remember', { text: 'The release checklist is due tomorrow.' });

  title('3. … and finds it again, asked in other words');
  await call(agent, 'recall', { question: 'How do users log in at Acme?' });

  title('4. A person edits the file, in any editor');
  const file = join(memory, findItem('auth0'));
  writeFileSync(file, readFileSync(file, 'utf8').replace('Auth0.', 'Auth0, tenant acme-eu.'));
  console.log(readFileSync(file, 'utf8').replace(/^/gm, '    '));
  await until(async () =>
    (await text(agent, 'recall', { question: 'How do users log in at Acme?' })).includes('acme-eu'),
  );
  await call(agent, 'recall', { question: 'How do users log in at Acme?' });

  title('5. The files, and who did what');
  for (const path of items()) console.log(`    ${path}`);
  console.log();
  const log = ['-C', memory, 'log', '--format=%h  %an  %s', '--reverse'];
  console.log(execFileSync('git', log, { encoding: 'utf8' }).replace(/^/gm, '    '));
  await agent.close();
}

function title(text) {
  console.log(`\n\x1b[1m${text}\x1b[0m\n`);
}

function stet(...args) {
  console.log(`$ stet ${args.join(' ').replaceAll(scratch, '~')}`);
  const output = execFileSync(process.execPath, [entry, ...args], {
    encoding: 'utf8',
    env: { ...process.env, STET_HOME: memory },
  });
  console.log(output.replaceAll(scratch, '~').replace(/^/gm, '    '));
}

async function call(agent, name, given) {
  console.log(`→ ${name}(${JSON.stringify(given)})`);
  console.log((await text(agent, name, given)).replace(/^/gm, '    '));
  console.log();
}

async function text(agent, name, given) {
  const result = await agent.callTool({ name, arguments: given });
  return result.content.map((part) => part.text).join('\n');
}

function items() {
  return readdirSync(memory, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^(personal|spaces)\/.*\.md$/.test(path))
    .toSorted((a, b) => a.localeCompare(b));
}

function findItem(word) {
  return items().find((path) => path.includes(word));
}

async function until(condition) {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('the edit was not recalled within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
