// No colour and no escape sequence, whatever the environment asks for and whatever is stored: on a terminal, on one that can
// do nothing, with NO_COLOR, and in a pipe.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIo } from '../src/cli/io.ts';
import { createProgram } from '../src/cli/program.ts';
import { InProcessMemory } from './in-process-memory.ts';
import { TemporaryMemory } from './temporary-memory.ts';

const ESC = '\u001b';
const RED = `${ESC}[31mred${ESC}[0m`;
const COMMANDS = [
  'list --all',
  'list --forgotten',
  'recall office',
  'show b2n8r4ts',
  'digest',
  'log',
  'deliveries',
  'why',
  'preview office',
  'policy list',
  'space list',
  'review',
  'doctor',
  'lint',
  'status',
  'stats',
  'config',
  'where .',
  'diff b2n8r4ts',
  'open --print',
];

const ENVIRONMENTS = [
  { title: 'a terminal', isTTY: true, env: {} },
  { title: 'a terminal with NO_COLOR=1', isTTY: true, env: { NO_COLOR: '1' } },
  { title: 'a terminal with TERM=dumb', isTTY: true, env: { TERM: 'dumb' } },
  { title: 'a terminal with FORCE_COLOR=3', isTTY: true, env: { FORCE_COLOR: '3', CLICOLOR_FORCE: '1' } },
  { title: 'a pipe', isTTY: false, env: {} },
  { title: 'a pipe with FORCE_COLOR=3', isTTY: false, env: { FORCE_COLOR: '3', CLICOLOR_FORCE: '1' } },
];

let memory: InProcessMemory;
let written = '';
const streams = [process.stdout, process.stderr].map((stream) => ({
  stream,
  isTTY: stream.isTTY,
  columns: stream.columns,
}));

beforeAll(async () => {
  memory = await InProcessMemory.make();
  const head = `id: "b2n8r4ts"\nsource: "ann ${RED}"\ntags: ["${RED}"]\nsupersedes: "zzzz2222"`.replaceAll(
    ESC,
    '\\x1b',
  );
  await memory.edit('personal/office.md', `---\n${head}\n---\nThe office is ${RED}, and tomorrow \u009b32mgreen.\n`);
  memory.git('add', '-A');
  memory.git('commit', '-qm', `edit: ${RED}`);
  await memory.edit(
    'personal/office.md',
    `---\n${head}\n---\nThe office was ${RED}, and tomorrow \u009b32mgreen\u202e.\n`,
  );
  const gone = await memory.app.remember(await memory.app.userSession({ space: 'personal' }), { text: 'Rex barks.' });
  if (gone.status !== 'stored') throw new Error(gone.status);
  await memory.app.forget(await memory.app.userSession({ space: 'personal' }), gone.item.id);
  // Windows has no such names of files.
  if (process.platform !== 'win32') await memory.edit(`personal/${RED}.md`, `---\nkind: "\\e[31mno"\n---\nNone.\n`);
  const agent = await memory.connect({ name: `agent ${RED}` });
  await agent.recall(`Where is the office? ${RED}`);
  await vi.waitUntil(() => memory.app.listDeliveries().length === 1, { timeout: 30_000 });
});
afterAll(() => memory[Symbol.asyncDispose]());

beforeEach(() => {
  written = '';
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR_FORCE']) vi.stubEnv(name, undefined);
  vi.stubEnv('TERM', 'xterm-256color');
  for (const name of ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']) vi.stubEnv(name, memory.folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const { stream, isTTY, columns } of streams) Object.assign(stream, { isTTY, columns });
});

/** What is written to this process's own streams meanwhile. */
async function hear(work: () => unknown): Promise<string> {
  for (const { stream } of streams) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
  }
  await work();
  vi.restoreAllMocks();
  return written;
}

async function runHere(line: string, json = false): Promise<void> {
  const program = createProgram({
    version: '0.0.0',
    act: async (spec, call) => {
      const io = createIo({ json, quiet: json, memory: memory.root });
      await (await spec.load()).run({ ...call, io: { ...io, withApp: (work) => work(memory.app) } });
    },
  });
  await program.parseAsync(line.split(' '), { from: 'user' });
}

describe.each(ENVIRONMENTS)('on $title', ({ isTTY, env }) => {
  it.each(COMMANDS)('stet %s writes no escape sequence', async (line) => {
    for (const { stream } of streams) Object.assign(stream, { isTTY, columns: isTTY ? 100 : undefined });
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const text = await hear(() => runHere(line));
    expect(text).not.toBe('');
    expect(text).not.toContain(ESC);
    expect(text).not.toContain('\u009b');
  });
});

/** Whatever a terminal obeys, or does not show: but for the line ends that JSON is laid out with. */
const OBEYED = /[^\P{Cc}\n]|[\p{Bidi_Control}\ufeff]/u;

describe('with --json', () => {
  it.each(COMMANDS)('stet %s prints one value, with no escape sequence', async (line) => {
    const text = await hear(() => runHere(line, true));
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(text).not.toMatch(OBEYED);
  });

  it('stet list tells the text as it is', async () => {
    const items = JSON.parse(await hear(() => runHere('list --all', true))) as Array<{ text: string }>;
    expect(items.map(({ text }) => text)).toContain(`The office was ${RED}, and tomorrow \u009b32mgreen\u202e.`);
  });
});

it.each(['', ' --history'])('stet export%s prints every byte, with no escape sequence', async (history) => {
  const text = await hear(() => runHere(`export${history}`));
  expect(text).not.toMatch(OBEYED);
  const lines = text.trimEnd().split('\n');
  const exported: unknown[] = [];
  for await (const line of memory.app.exportLines(history !== '')) exported.push(line);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(exported);
  expect(JSON.stringify(exported)).toMatch(OBEYED);
});

it('lets nothing through that a command has not looked at', async () => {
  const io = createIo({ json: false, quiet: false, memory: memory.root });
  const text = await hear(() => {
    io.print(`${RED}\tand\r\nmore`);
    io.note(`${RED}\u202e`);
  });
  expect(text).toBe('[U+001B][31mred[U+001B][0m\tand\nmore\n[U+001B][31mred[U+001B][0m[U+202E]\n');
});

it('says what went wrong without an escape sequence that stands in it', async () => {
  await using own = await TemporaryMemory.make();
  const outcome = await own.stetWith({ env: { FORCE_COLOR: '3' } }, 'config', RED);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain('[U+001B][31mred');
  expect(outcome.stderr).not.toContain(ESC);
});

it('is written to the terminal in one place, but for the bar, which has no colour', () => {
  const source = fileURLToPath(new URL('../src/', import.meta.url));
  const writing = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) =>
      /process\.std(?:out|err)\.write|console\.\w+\(|styleText/.test(readFileSync(join(source, path), 'utf8')),
    )
    .map((path) => path.replaceAll('\\', '/'));
  // completion: a script for a shell; export: JSON lines; main: errors, and the version; mcp: the log of a server.
  expect(writing.toSorted()).toEqual([
    'cli/completion.ts',
    'cli/export.ts',
    'cli/io.ts',
    'cli/main.ts',
    'mcp/run-tool.ts',
    'mcp/server.ts',
  ]);
});
