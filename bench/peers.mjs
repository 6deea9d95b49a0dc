// stet beside other local memory servers, over MCP stdio: the same items, the same questions, one server after the other
// on the same machine. Every space is a database of its own for those that know no spaces. Needs ../shared/eval.
//
//   node bench/peers.mjs [--notes 200] [--spaces N] [--questions N] [--words] [--reasons]
//
// The peers are installed into a temporary folder (a compiler is needed for one of them); STET_PEERS=FOLDER uses a folder
// whose node_modules has them already. --words: stet without vectors.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const data = join(root, '../shared/eval');
const entry = join(root, 'dist/cli/main.js');
const PACKAGES = [
  '@modelcontextprotocol/server-memory@2026.8.31',
  'mcp-memory-libsql@0.0.17',
  'mcp-memory-keeper@0.14.1',
];
const STARTS = 5;
const LIMIT = 8;

if (!existsSync(data)) {
  console.log(`SKIPPED: there is no data in ${data}.`);
  process.exit(0);
}

const scratch = mkdtempSync(join(tmpdir(), 'stet-peers-'));
try {
  const peers = process.env['STET_PEERS'] ?? installPeers();
  console.log(`load ${loadavg()[0].toFixed(1)}; medians / 95th percentiles in ms`);
  for (const set of [readSet('locomo-obs'), firstNotes(readSet('til'), option('--notes', 200))]) {
    console.log(
      `\n${set.name}: ${set.documents.length} items in ${set.spaces.length} spaces, ${set.questions.length} questions`,
    );
    for (const server of servers(peers, set)) await measure(server, set);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

/** Each: a command for a space, a call that stores, and one or more ways to ask. */
function servers(peers, set) {
  const bin = (name) => join(peers, 'node_modules', ...name.split('/'));
  const place = (name, space) => {
    const folder = join(scratch, set.name, name, space);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const entity = ({ key, text }) => ({
    name: 'create_entities',
    arguments: { entities: [{ name: key, entityType: 'fact', observations: [text] }] },
  });
  const nodes = (query) => ({ name: 'search_nodes', arguments: { query } });
  const memory = join(scratch, set.name, 'stet');
  execFileSync(process.execPath, [entry, 'init', memory], { stdio: 'ignore' });
  if (process.argv.includes('--words')) stet(memory, 'config', 'embedder', 'none');
  for (const space of set.spaces) stet(memory, 'space', 'add', space);
  return [
    {
      name: 'stet',
      command: (space) => ({ args: [entry, 'mcp', '--memory', memory, '--space', space], env: {} }),
      store: ({ text }) => ({ name: 'remember', arguments: { text, keep_both: true } }),
      keyOf: ({ _meta: meta }) => meta?.id,
      ready: () => vectorsOf(memory),
      ways: { question: (question) => [{ name: 'recall', arguments: { question } }] },
    },
    {
      name: 'server-memory',
      command: (space) => ({
        args: [join(bin('@modelcontextprotocol/server-memory'), 'dist/index.js')],
        env: { MEMORY_FILE_PATH: join(place('server-memory', space), 'memory.jsonl') },
      }),
      store: entity,
      ways: { question: (question) => [nodes(question)], 'its words': (question) => wordsOf(question).map(nodes) },
    },
    {
      name: 'mcp-memory-libsql',
      command: (space) => ({
        args: [join(bin('mcp-memory-libsql'), 'dist/index.js')],
        env: { LIBSQL_URL: `file:${join(place('libsql', space), 'memory.db')}` },
      }),
      store: entity,
      ways: { question: (question) => [nodes(question)], 'its words': (question) => wordsOf(question).map(nodes) },
    },
    {
      name: 'mcp-memory-keeper',
      command: (space) => ({
        args: [join(bin('mcp-memory-keeper'), 'dist/index.js')],
        env: { DATA_DIR: place('keeper', space) },
      }),
      store: ({ key, text }) => ({ name: 'context_save', arguments: { key, value: text } }),
      ways: {
        question: (query) => [{ name: 'context_semantic_search', arguments: { query, topK: LIMIT, minSimilarity: 0 } }],
        'its words': (question) => wordsOf(question).map((query) => ({ name: 'context_search', arguments: { query } })),
      },
    },
  ];
}

async function measure(server, set) {
  const keys = new Map();
  const agents = new Map();
  const stores = [];
  let refused = 0;
  let reworded = 0;
  const reasons = [];
  for (const space of set.spaces) agents.set(space, await connect(server.command(space)));
  for (const document of set.documents) {
    const { client } = agents.get(document.space);
    const begin = performance.now();
    let result = await client.callTool(server.store(document), { timeout: 120_000 });
    stores.push(performance.now() - begin);
    let { text } = document;
    for (let turn = 0; turn < 4 && result.isError === true; turn++) {
      text = withDates(text, result.content?.[0]?.text ?? '');
      result = await client.callTool(server.store({ ...document, text }), { timeout: 120_000 });
      if (turn === 0) reworded += 1;
    }
    const key = server.keyOf === undefined ? document.key : server.keyOf(result);
    if (result.isError === true || key === undefined) {
      refused += 1;
      reasons.push(result.content?.[0]?.text ?? '');
    } else keys.set(key, document.id);
  }
  console.log(`  ${server.name}: store ${spread(stores)}, ${reworded} reworded as the answer said, ${refused} refused`);
  if (process.argv.includes('--reasons')) for (const reason of new Set(reasons)) console.log(`    ${reason}`);
  await server.ready?.();
  for (const [way, toCalls] of Object.entries(server.ways)) {
    const took = [];
    const tokens = [];
    let recall = 0;
    let recallOfKept = 0;
    let kept = 0;
    const stored = new Set(keys.values());
    for (const { text, space, relevant } of set.questions) {
      const begin = performance.now();
      const answers = [];
      for (const call of toCalls(text)) answers.push(await ask(agents.get(space).client, call));
      took.push(performance.now() - begin);
      tokens.push(answers.reduce((sum, answer) => sum + countTokens(answer), 0));
      const found = rank(answers, keys).slice(0, LIMIT);
      const share = relevant.filter((id) => found.includes(id)).length / relevant.length;
      recall += share;
      if (!relevant.every((id) => stored.has(id))) continue;
      recallOfKept += share;
      kept += 1;
    }
    const all = ((100 * recall) / set.questions.length).toFixed(1);
    const ofKept = ((100 * recallOfKept) / kept).toFixed(1);
    console.log(
      `    asked by the ${way}: recall@${LIMIT} ${all} (${ofKept} of the ${kept} questions whose items were all stored), search ${spread(took)}, tokens an answer ${median(tokens)} / ${percentile(tokens, 0.95)}`,
    );
  }
  const sizes = [...agents.values()].map(({ pid }) => residentMb(pid));
  for (const { client } of agents.values()) await client.close();
  const starts = [];
  const [space] = set.spaces;
  const [question] = set.questions;
  for (let run = 0; run < STARTS; run++) {
    const begin = performance.now();
    const { client } = await connect(server.command(space));
    const [call] = server.ways.question(question.text);
    await ask(client, call);
    starts.push(performance.now() - begin);
    await client.close();
  }
  console.log(
    `    start to first answer ${median(starts).toFixed(0)} ms (of ${STARTS}), ${median(sizes).toFixed(0)} MB a process`,
  );
}

/** What an agent does when stet refuses "last year": it says the dates that the answer gives. */
function withDates(text, refusal) {
  let dated = text;
  for (const [, phrase, date] of refusal.matchAll(/"([^"]+)" means another day tomorrow\. Say (.+?) instead\./g)) {
    dated = dated.replaceAll(phrase, date);
  }
  return dated;
}

/** Items by how many answers have them, then by their first place: what an agent can make of several searches. */
function rank(answers, keys) {
  const found = new Map();
  for (const answer of answers) {
    const seen = new Set();
    for (const [token] of answer.matchAll(/[a-z0-9]+/g)) {
      const id = keys.get(token);
      if (id === undefined || seen.has(id)) continue;
      seen.add(id);
      const known = found.get(id) ?? { id, answers: 0, place: seen.size };
      known.answers += 1;
      found.set(id, known);
    }
  }
  return [...found.values()].sort((a, b) => b.answers - a.answers || a.place - b.place).map(({ id }) => id);
}

async function connect({ args, env }) {
  const client = new Client({ name: 'Claude Code', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...process.env, ...env },
    stderr: 'ignore',
    cwd: scratch,
  });
  await client.connect(transport);
  return { client, pid: transport.pid };
}

async function ask(client, call) {
  const { content } = await client.callTool(call, { timeout: 120_000 });
  return content.map((part) => part.text ?? '').join('\n');
}

function readSet(name) {
  const lines = (file) =>
    readFileSync(join(data, name, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const documents = lines('corpus.jsonl').map((each, n) => ({
    ...each,
    key: `item${String(n).padStart(5, '0')}`,
    space: each.space ?? name,
  }));
  const questions = lines('queries.jsonl')
    .filter(({ answerable, relevant }) => answerable !== false && relevant.length > 0)
    .map((each) => ({ ...each, space: each.space ?? name }))
    .slice(0, option('--questions', Number.POSITIVE_INFINITY));
  const spaces = [...new Set(documents.map(({ space }) => space))].slice(
    0,
    option('--spaces', Number.POSITIVE_INFINITY),
  );
  const isIn = ({ space }) => spaces.includes(space);
  return { name, documents: documents.filter(isIn), questions: questions.filter(isIn), spaces };
}

/** The first notes that stet takes as one statement, and the questions that they answer. */
function firstNotes(set, count) {
  const documents = set.documents.filter(({ text }) => text.length <= 2_000).slice(0, count);
  const ids = new Set(documents.map(({ id }) => id));
  return { ...set, documents, questions: set.questions.filter(({ relevant }) => relevant.every((id) => ids.has(id))) };
}

/** What an agent searches for where only literal text is found. */
function wordsOf(question) {
  const common = new Set(
    'the and for with what when where which who how why did does was were are has have had his her their about from that this into than'.split(
      ' ',
    ),
  );
  const words = question.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  return [...new Set(words.map((word) => word.replace(/'s$/, '')))].filter(
    (word) => word.length > 2 && !common.has(word),
  );
}

function installPeers() {
  console.log(`Installing ${PACKAGES.join(', ')} …`);
  const folder = join(scratch, 'installed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const isWindows = process.platform === 'win32';
  execFileSync(isWindows ? 'npm.cmd' : 'npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], {
    cwd: folder,
    stdio: 'inherit',
    shell: isWindows,
  });
  return folder;
}

/** Resolves when nothing waits for its vector: the servers embed in the background. */
async function vectorsOf(memory) {
  const begin = performance.now();
  for (let waiting = 1; waiting > 0;) {
    await pause(2_000);
    const status = execFileSync(process.execPath, [entry, 'status', '--json'], {
      encoding: 'utf8',
      env: { ...process.env, STET_HOME: memory },
    });
    ({ waiting } = JSON.parse(status).vectors);
  }
  console.log(`    all vectors ${((performance.now() - begin) / 1_000).toFixed(0)} s after the last item was stored`);
}

function stet(memory, ...args) {
  execFileSync(process.execPath, [entry, ...args], { stdio: 'ignore', env: { ...process.env, STET_HOME: memory } });
}

function residentMb(pid) {
  if (process.platform === 'win32') return Number.NaN;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
}

function option(name, fallback) {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

function spread(values) {
  return `${median(values).toFixed(1)} / ${percentile(values, 0.95).toFixed(1)}`;
}

function median(values) {
  return percentile(values, 0.5);
}

function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
