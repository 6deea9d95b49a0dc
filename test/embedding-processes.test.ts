// Two real processes with one memory: one embeds, the other reads what it writes; where one dies, the other goes on.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from './repo/bundle.ts';

const COUNT = 40;
/** Room for the lease of a dead process to run out. */
const DEADLINE = { timeout: 50_000 };

let program: Bundle;
let folder = '';
const started: Embedding[] = [];
beforeAll(async () => {
  program = await bundle(new URL('embedding-process.ts', import.meta.url));
});
afterAll(() => program[Symbol.dispose]());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-embedding-'));
});
afterEach(async () => {
  for (const { process } of started.splice(0)) {
    const ended = process.exitCode === null && process.signalCode === null ? once(process, 'exit') : null;
    process.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Embedding {
  readonly process: ChildProcess;
  /** What it embedded itself, in order. */
  readonly texts: string[];
  /** How many vectors it had in the end; null until then. */
  vectors: number | null;
}

function start(): Embedding {
  const child = spawn(process.execPath, [program.path, folder, String(COUNT)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const embedding: Embedding = { process: child, texts: [], vectors: null };
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('embedded ')) embedding.texts.push(line.slice('embedded '.length));
    else embedding.vectors = Number(line.slice('whole '.length));
  });
  started.push(embedding);
  return embedding;
}

const newestFirst = Array.from({ length: COUNT }, (_, n) => `Text ${COUNT - 1 - n}`);

describe('two processes of one memory', () => {
  it('embed each text once between them, the newest first', async () => {
    const first = start();
    await expect.poll(() => first.texts.length, DEADLINE).toBeGreaterThan(2);
    const second = start();
    await expect.poll(() => [first.vectors, second.vectors], DEADLINE).toEqual([COUNT, COUNT]);
    expect(first.texts).toEqual(newestFirst);
    expect(second.texts).toEqual([]);
  });

  it('go on where one of them was killed, and embed nothing again but what it was at', async () => {
    const first = start();
    await expect.poll(() => first.texts.length, DEADLINE).toBeGreaterThan(4);
    const second = start();
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    await expect.poll(() => second.vectors, DEADLINE).toBe(COUNT);
    const twice = second.texts.filter((text) => first.texts.includes(text));
    expect(twice.length).toBeLessThanOrEqual(1);
    expect(new Set([...first.texts, ...second.texts]).size).toBeGreaterThanOrEqual(COUNT - 1);
    expect(second.texts.length).toBeLessThanOrEqual(COUNT - 5 + 1);
  });
});

describe('a process that closes the index', () => {
  it('stays until the thread has ended, whoever stops waiting meanwhile', async () => {
    using closing = await bundle(new URL('closing-process.ts', import.meta.url));
    const child = spawn(process.execPath, [closing.path, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, told }).toEqual({ code: 0, told: 'closed\n' });
  });
});
