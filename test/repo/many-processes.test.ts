// Several processes write one memory while a terminal uses git in it, and while they are killed.
// Small by default; `npm run torture writer` runs as much as docs/reliability.md reports.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount, randomOf, reportRuns, SEED } from '../torture.ts';
import { bundle, type Bundle } from './bundle.ts';
import { temporaryRepository, TEST_ENV, type TemporaryRepository } from './temporary-repository.ts';

const WRITERS = amount(3, 8);
const ITEMS = amount(15, 200);
/** Two commits make fewer calls than this; every so many-th is tried. */
const CALLS = 260;
const STEP = amount(17, 1);
const RANDOM_KILLS = amount(3, 150);
const LIMIT_MS = amount(120_000, 3_600_000);

let writer: Bundle;
beforeAll(async () => {
  writer = await bundle(new URL('writer-process.ts', import.meta.url));
});
afterAll(() => writer[Symbol.dispose]());

interface Writer {
  readonly process: ChildProcess;
  /** Paths that it said were acknowledged and not taken away since. */
  readonly acknowledged: Set<string>;
  readonly taken: Set<string>;
  readonly ended: Promise<number | null>;
  readonly errors: string[];
}

function startWriter(root: string, name: string, ...rest: number[]): Writer {
  const child = spawn(process.execPath, [writer.path, root, name, ...rest.map(String)], { env: TEST_ENV });
  const acknowledged = new Set<string>();
  const taken = new Set<string>();
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const path = line.slice(line.indexOf(' ') + 1);
    if (line.startsWith('ack ')) acknowledged.add(path);
    else taken.add(path);
  });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, acknowledged, taken, ended, errors };
}

/** Acknowledged items that HEAD does not have, and taken ones that it has. */
function findLosses(memory: TemporaryRepository, writers: readonly Writer[]): string[] {
  const committed = new Set(memory.git('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0'));
  return writers.flatMap(({ acknowledged, taken }) => [
    ...[...acknowledged].filter((path) => !committed.has(path) && !taken.has(path)),
    ...[...taken].filter((path) => committed.has(path)),
  ]);
}

test(
  'every acknowledged item is in HEAD once, and the commits of the user are intact',
  async () => {
    await using memory = await temporaryRepository({ lockWaitMs: 120_000 });
    await memory.remember('personal/first.md', 'first\n');
    const writers = Array.from({ length: WRITERS }, (_, at) => startWriter(memory.root, `agent-${at}`, ITEMS));
    const all = Promise.all(writers.map(({ ended }) => ended));
    const notes: string[] = [];
    let torn = '';
    for (let round = 0; writers.some(({ process: child }) => child.exitCode === null); round++) {
      memory.write(`notes-${round}.txt`, `${round}\n`);
      try {
        memory.git('status', '--porcelain');
        memory.git('add', `notes-${round}.txt`);
        memory.git('commit', '--quiet', '-m', `note ${round}`);
        if (round % 20 === 10) memory.git('-c', 'gc.auto=1', 'gc', '--quiet');
        notes.push(`notes-${round}.txt`);
      } catch (error) {
        // git does not wait for locks; but never may it find anything half-written.
        const words = error instanceof Error ? error.message : '';
        if (/corrupt|bad (index|object|signature|ref)|unable to read|broken|fatal: (index|loose)/i.test(words))
          torn = words;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await all).toEqual(writers.map(() => 0));
    await memory.repository.commitPending();
    expect(torn).toBe('');
    expect(findLosses(memory, writers)).toEqual([]);
    expect(memory.git('status', '--porcelain', 'spaces', 'personal')).toBe('');
    expect(notes.filter((note) => memory.git('ls-tree', 'HEAD', note) === '')).toEqual([]);
    memory.checkHealth();
    reportRuns({
      what: `items of ${WRITERS} writers beside git status, add, commit and gc (${notes.length} commits of the user)`,
      runs: WRITERS * ITEMS,
    });
  },
  LIMIT_MS,
);

describe('a writer that is killed', () => {
  /** What was acknowledged is on disk, and the next write needs no human and no more than ten seconds. */
  async function checkAfter(memory: TemporaryRepository, victim: Writer): Promise<void> {
    expect([...victim.acknowledged].filter((path) => !existsSync(join(memory.root, path)))).toEqual([]);
    expect(await memory.remember(`personal/after-${victim.process.pid}.md`, 'after\n')).toMatchObject({
      status: 'committed',
    });
  }

  async function checkInTheEnd(memory: TemporaryRepository, victims: readonly Writer[]): Promise<void> {
    expect(await memory.repository.commitPending()).toMatchObject({ stillPending: [] });
    expect(findLosses(memory, victims)).toEqual([]);
    // Files that were never acknowledged may lie about, whole; nothing is staged or half-committed.
    expect(memory.git('diff', '--cached', '--name-only')).toBe('');
    expect(memory.git('diff', '--name-only')).toBe('');
    expect(memory.git('ls-files', '--others', '--', '.stet-*', '*/.stet-*')).toBe('');
    memory.checkHealth();
  }

  test(
    'at any call to the file system leaves nothing half-done and no lock that needs a human',
    async () => {
      await using memory = await temporaryRepository({ lockWaitMs: 10_000 });
      await memory.remember('personal/first.md', 'first\n');
      const victims: Writer[] = [];
      for (let calls = 0; calls < CALLS; calls += STEP) {
        const victim = startWriter(memory.root, `agent-${calls}`, 10_000, calls);
        await victim.ended;
        expect(victim.process.signalCode).toBe('SIGKILL');
        victims.push(victim);
        await checkAfter(memory, victim);
      }
      expect(victims.at(-1)?.acknowledged.size).toBeGreaterThan(0);
      await checkInTheEnd(memory, victims);
      reportRuns({ what: 'kill -9 of a writer at one call to the file system after the other', runs: victims.length });
    },
    LIMIT_MS,
  );

  test(
    'at any moment leaves nothing half-done either',
    async () => {
      await using memory = await temporaryRepository({ lockWaitMs: 10_000 });
      await memory.remember('personal/first.md', 'first\n');
      const victims: Writer[] = [];
      const random = randomOf(SEED);
      for (let round = 0; round < RANDOM_KILLS; round++) {
        const victim = startWriter(memory.root, `agent-${round}`, 10_000, 1e9);
        await once(victim.process.stdout ?? victim.process, 'data');
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
        victim.process.kill('SIGKILL');
        await victim.ended;
        victims.push(victim);
        await checkAfter(memory, victim);
      }
      expect(victims).toHaveLength(RANDOM_KILLS);
      await checkInTheEnd(memory, victims);
      reportRuns({ what: 'kill -9 of a writer at any moment', runs: victims.length });
    },
    LIMIT_MS,
  );
});
