// Imports a real collection of notes by the built command line, and asks for each note by its title over MCP, as a user
// and an agent would. Needs ../shared/eval/til (1,607 developer notes; the questions are their titles).
//
//   node bench/notes.mjs [--questions N] [--words]     (--words: without vectors, in a minute)

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const data = join(root, '../shared/eval/til');
const entry = join(root, 'dist/cli/main.js');
const at = process.argv.indexOf('--questions');
const most = at < 0 ? Number.POSITIVE_INFINITY : Number(process.argv[at + 1]);

if (!existsSync(data)) {
  console.log(`SKIPPED: there are no notes in ${data}.`);
  process.exit(0);
}

const scratch = mkdtempSync(join(tmpdir(), 'stet-notes-'));
try {
  await measure();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measure() {
  const corpus = readLines('corpus.jsonl');
  const queries = readLines('queries.jsonl').filter((query) => query.answerable !== false);
  const notes = join(scratch, 'notes');
  const memory = join(scratch, 'memory');
  for (const { id, text } of corpus) {
    const path = join(notes, `${id.replaceAll(/[^\w-]+/g, '-')}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n\n<!-- ${id} -->\n`);
  }
  stet(memory, 'init', memory);
  if (process.argv.includes('--words')) stet(memory, 'config', 'embedder', 'none');
  const importing = time(() => stet(memory, 'import', 'markdown', notes, '--json'));
  const { imported, skipped } = JSON.parse(importing.value);
  const again = time(() => stet(memory, 'import', 'markdown', notes, '--json'));
  const embedding = time(() => stet(memory, 'index', 'rebuild'));

  const starts = [];
  for (let run = 0; run < 5; run++) starts.push(await startAndRecall(memory));
  const agent = await connect(memory);
  await ask(agent, 'warm up');
  const idOf = locate(memory);
  let found = 0;
  let asked = 0;
  const latencies = [];
  for (const query of queries.slice(0, most)) {
    const begin = performance.now();
    const answer = await ask(agent, query.text);
    latencies.push(performance.now() - begin);
    asked += 1;
    const relevant = query.relevant.map((id) => idOf.get(id)).filter((id) => id !== undefined);
    if (relevant.some((id) => answer.includes(id))) found += 1;
  }
  await agent.close();

  console.log(`notes                              ${corpus.length}`);
  console.log(`imported / skipped                 ${imported} / ${skipped.length}`);
  console.log(`import, one commit                 ${seconds(importing.ms)}`);
  console.log(`import again, nothing to do        ${seconds(again.ms)}`);
  console.log(`index rebuild, all vectors         ${seconds(embedding.ms)}`);
  console.log(`spawn to first recall, median of 5 ${seconds(median(starts))}`);
  console.log(`recall over MCP, median            ${median(latencies).toFixed(1)} ms (${asked} questions)`);
  console.log(`recall@8, titles as questions      ${((100 * found) / asked).toFixed(1)} % (${asked} questions)`);
}

function locate(memory) {
  const listed = JSON.parse(stet(memory, 'list', '--json'));
  return new Map(listed.flatMap(({ id, text }) => (/<!-- (.*) -->/.exec(text) ?? []).slice(1).map((key) => [key, id])));
}

async function startAndRecall(memory) {
  const begin = performance.now();
  const agent = await connect(memory);
  await ask(agent, 'How do I rename a branch in git?');
  const took = performance.now() - begin;
  await agent.close();
  return took;
}

async function connect(memory) {
  const agent = new Client({ name: 'bench', version: '1.0.0' });
  const args = [entry, 'mcp', '--memory', memory];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, cwd: scratch }));
  return agent;
}

async function ask(agent, question) {
  const result = await agent.callTool({ name: 'recall', arguments: { question } });
  return result.content.map((part) => part.text).join('\n');
}

function stet(memory, ...args) {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, cwd: scratch, env: { ...process.env, STET_HOME: memory } };
  return execFileSync(process.execPath, [entry, ...args], options);
}

function readLines(name) {
  const lines = readFileSync(join(data, name), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function time(work) {
  const begin = performance.now();
  const value = work();
  return { value, ms: performance.now() - begin };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function seconds(ms) {
  return `${(ms / 1_000).toFixed(2)} s`;
}
