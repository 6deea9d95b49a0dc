// A real server on a memory of 10,000 items, as a client sees it: from the start of the process to the first answer, a
// recall once it runs, from a save in an editor to the answer that has it, and what it takes while nobody asks. Linux for
// the last.
//
//   node bench/server.mjs [--items 10000] [--idle 60]     (needs `npm run build`)

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { entry, index, makeMemory, pathOf, summary } from './make-memory.mjs';

const STARTS = 7;
const QUESTIONS = 100;
const EDITS = 40;
const TICKS_A_SECOND = 100;
const { values } = parseArgs({
  options: { items: { type: 'string', default: '10000' }, idle: { type: 'string', default: '60' } },
});
const items = Number(values.items);
const hasProc = existsSync('/proc/self/stat');

const memory = makeMemory(items, '');
try {
  await index(memory.root, true);
  console.log(`${items} items, with the packaged model`);
  const starts = [];
  const startsCpu = [];
  for (let run = 0; run < STARTS; run++) {
    const begun = performance.now();
    const server = await connect();
    await server.recall('Which cluster does the depot of customer C77 wait for?');
    starts.push(performance.now() - begun);
    if (hasProc) startsCpu.push(cpuSeconds(server.pid) * 1_000);
    await server.close();
  }
  console.log(`  spawn to first recall answered: ${summary(starts)}`);
  if (hasProc) console.log(`    processor time until then, all threads: ${summary(startsCpu)}`);

  const server = await connect();
  await server.recall('What is there?');
  // Whatever the start left to do.
  await pause(10_000);
  for (const what of ['new to it, embedding included', 'asked before, without embedding']) {
    const recalls = [];
    for (let n = 0; n < QUESTIONS; n++) {
      const begun = performance.now();
      await server.recall(`Which gateway does the report of customer C${n * 83 + 1} take its rates from?`);
      recalls.push(performance.now() - begun);
    }
    console.log(`  recall, the question ${what}: ${summary(recalls)}`);
  }
  const edits = [];
  for (let round = 0; round < EDITS; round++) edits.push(await edit(server, round));
  console.log(`  save to recallable: ${summary(edits)}`);
  console.log('    (asked again and again, so an answer more, the embedding of the question included)');

  await pause(15_000);
  if (hasProc) {
    const before = cpuSeconds(server.pid);
    const begun = performance.now();
    await pause(Number(values.idle) * 1_000);
    const share = (cpuSeconds(server.pid) - before) / ((performance.now() - begun) / 1_000);
    console.log(
      `  idle for ${values.idle} s: ${(share * 100).toFixed(2)}% of a core, ${residentMb(server.pid)} MB, ${watches(server.pid)} watches`,
    );
  }
  await server.close();
} finally {
  memory.remove();
}

async function connect() {
  const client = new Client({ name: 'Claude Code', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', '--memory', memory.root],
    cwd: memory.scratch,
    env: { ...process.env, STET_SPACE: 'acme', CLAUDE_PROJECT_DIR: '' },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return {
    pid: transport.pid,
    close: () => client.close(),
    recall: async (question) => {
      const { content } = await client.callTool({ name: 'recall', arguments: { question } });
      return content.map(({ text }) => text).join('\n');
    },
  };
}

/** As most editors save: a file beside it, renamed over it. */
async function edit(server, round) {
  const path = join(memory.root, pathOf(round * 97 + 1));
  const word = `Quokka${round}${Date.now()}`;
  const text = readFileSync(path, 'utf8').replace(/\n---\n[^]*$/, `\n---\nThe code word of the depot is ${word}.\n`);
  // Not in step with the watcher's own pauses.
  await pause(200 + ((round * 37) % 100));
  writeFileSync(`${path}.tmp`, text);
  const begun = performance.now();
  renameSync(`${path}.tmp`, path);
  while (!(await server.recall(`What is ${word}?`)).includes(`is ${word}.`)) {
    if (performance.now() > begun + 30_000) throw new Error(`${word} never came`);
  }
  return performance.now() - begun;
}

/** User and system time of a process and its threads (proc(5)). */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function residentMb(pid) {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1_024);
}

function watches(pid) {
  return readdirSync(`/proc/${pid}/fdinfo`).reduce(
    (sum, fd) => sum + (readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8').match(/^inotify /gm)?.length ?? 0),
    0,
  );
}
