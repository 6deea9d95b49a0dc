// The search for secrets in thousands of versions: whatever else the process has to do (Ctrl-C, a bar, the heartbeat of its lock)
// has its turn meanwhile. Only the clock is not real: every slice of time is over when it is looked at.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';

const SLICE_MS = 1_000;

afterEach(() => void vi.restoreAllMocks());

/** Aborts in the next turn of the event loop after the first step, which counts how many there were. */
function stopInNextTurn(isStep: (stage?: string) => boolean) {
  const stop = new AbortController();
  const steps: number[] = [];
  const onProgress = (done: number, _total: number, stage?: string): void => {
    if (!isStep(stage)) return;
    steps.push(done);
    if (steps.length > 1) return;
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (now += SLICE_MS));
    setImmediate(() => stop.abort());
  };
  return { signal: stop.signal, steps, onProgress };
}

async function makeMemory(): Promise<InProcessMemory> {
  const memory = await InProcessMemory.make();
  for (const shelf of [1, 2, 3, 4, 5, 6]) {
    await memory.app.remember(await memory.session(null), { text: `Shelf ${shelf} holds ${shelf * 7} jars.` });
  }
  return memory;
}

it('lets an import be stopped, with nothing imported', async () => {
  await using from = await makeMemory();
  await using to = await InProcessMemory.make();
  const lines: string[] = [];
  for await (const line of from.app.exportLines(true)) lines.push(`${JSON.stringify(line)}\n`);
  const file = join(to.folder, 'memory.jsonl');
  await writeFile(file, lines.join(''));
  const { signal, steps, onProgress } = stopInNextTurn(() => true);
  await expect(to.app.importLines({ file, onProgress, signal })).rejects.toMatchObject({ name: 'AbortError' });
  expect(steps).toEqual([1]);
  expect(to.items()).toEqual([]);
});

it('lets a sync be stopped, with nothing sent', async () => {
  await using memory = await makeMemory();
  const remote = join(memory.folder, 'remote.git');
  memory.git('init', '-q', '--bare', '--initial-branch=main', remote);
  memory.git('remote', 'add', 'origin', remote);
  const { signal, steps, onProgress } = stopInNextTurn((stage) => stage === 'looking for secrets');
  const { outcome, sent } = await memory.app.sync({ onProgress, signal });
  expect(outcome).toEqual({ status: 'waits', why: 'offline', reason: 'it was stopped' });
  expect(sent).toBe(0);
  expect(steps).toEqual([0]);
  expect(memory.git('ls-remote', remote)).toBe('');
});
