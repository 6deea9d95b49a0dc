// `npm run check:package`: the package as a user gets it. Packs it, looks at what is inside, installs it into an empty folder,
// and lets a client talk to `npx stet mcp` there. Needs the registry.

import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { buildIfNeeded, root } from './prepare.mjs';

const MOST_INSTALLED_MB = 100;
/** Everything that may be in the package. */
const INSIDE =
  /^(?:package\.json|README\.md|LICENSE|dist\/THIRD-PARTY\.txt|dist\/cli\/[\w-]+\.m?js|memory-template\/[\w.-]+)$/;

buildIfNeeded();
const scratch = mkdtempSync(join(tmpdir(), 'stet-package-'));
const home = join(scratch, 'home');
const problems = [];
try {
  const [packed] = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', scratch));
  for (const { path } of packed.files) if (!INSIDE.test(path)) problems.push(`${path} is in the package.`);
  say(`${packed.files.length} files, ${(packed.size / 1e6).toFixed(2)} MB packed`);

  const { messages, pkg } = await publint({ pkgDir: root });
  for (const message of messages) problems.push(`publint: ${formatMessage(message, pkg)}`);
  say(`publint: ${messages.length} messages`);

  const folder = join(scratch, 'empty');
  mkdirSync(folder);
  mkdirSync(home);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npm(folder, 'install', '--no-fund', '--no-audit', join(scratch, packed.filename));
  const megabytes = sizeOf(join(folder, 'node_modules')) / 1e6;
  say(`installed: ${megabytes.toFixed(0)} MB`);
  if (megabytes > MOST_INSTALLED_MB) problems.push(`The install is larger than ${MOST_INSTALLED_MB} MB.`);
  const scripts = installScripts(join(folder, 'node_modules'));
  for (const name of scripts) problems.push(`${name} runs a script when it is installed.`);

  const audit = JSON.parse(npm(folder, 'audit', '--omit=dev', '--json'));
  if (audit.metadata === undefined) {
    say(`npm audit: NOT DONE, the registry does not answer it (${audit.message ?? 'no reason given'})`);
  } else {
    say(`npm audit: ${audit.metadata.vulnerabilities.total} known vulnerabilities`);
    for (const name of Object.keys(audit.vulnerabilities)) problems.push(`npm audit: ${name}`);
  }

  say(`stet --version: ${npx(folder, 'stet', '--version').trim()}`);
  npx(folder, 'stet', 'init', '--quiet');
  npx(folder, 'stet', 'remember', 'The office dog is called Rex.', '--quiet');
  const answers = await talk(folder);
  if (!answers.some((text) => text.includes('Rex')))
    problems.push(`A recall over MCP did not answer: ${answers.join(' ')}`);
  say('npx stet mcp: initialized, recalled, ended');
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function say(line) {
  console.log(`  ${line}`);
}

function npm(cwd, ...args) {
  return program('npm', cwd, args);
}

function npx(cwd, ...args) {
  return program('npx', cwd, ['--no-install', ...args]);
}

function program(name, cwd, args) {
  const windows = process.platform === 'win32';
  try {
    return execFileSync(windows ? `${name}.cmd` : name, args, {
      cwd,
      env: environment(),
      encoding: 'utf8',
      shell: windows,
    });
  } catch (error) {
    // npm audit ends with 1 when it found something, and prints it all the same.
    if (args[0] === 'audit' && error.stdout) return error.stdout;
    throw error;
  }
}

function environment() {
  return { ...process.env, HOME: home, USERPROFILE: home, STET_HOME: '', STET_SPACE: '', npm_config_cache: npmCache() };
}

function npmCache() {
  return execFileSync('npm', ['config', 'get', 'cache'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  }).trim();
}

/** initialize, then one recall; the answers as text. */
function talk(cwd) {
  const windows = process.platform === 'win32';
  const server = spawn(windows ? 'npx.cmd' : 'npx', ['--no-install', 'stet', 'mcp'], {
    cwd,
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit'],
    shell: windows,
  });
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answers = [];
  let rest = '';
  server.stdout.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      answers.push(line);
      if (JSON.parse(line).id === 2) server.stdin.end();
    }
  });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'check', version: '1' } };
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  send({
    id: 2,
    method: 'tools/call',
    params: { name: 'recall', arguments: { question: 'What is the office dog called?' } },
  });
  return new Promise((resolve) => server.on('exit', () => resolve(answers)));
}

function sizeOf(path) {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Packages that would run something when they are installed, by npm's own list. */
function installScripts(folder) {
  const lock = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
  return Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : []));
}
