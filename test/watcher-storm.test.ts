// Random storms: a receiver that re-reads what it is told must end up with what is on disk. More of them by
// `npm run torture watcher`.
import { appendFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { SOON, openScene } from './watch-scene.ts';
import { amount, reportRuns, SEED } from './torture.ts';
import type { ChangeSet } from '../src/watch/watcher.ts';
import type { WatchScene } from './watch-scene.ts';

const STORMS = amount(25, 200);

// A tenth of a second each is usual; the limit is there to end a hang.
vi.setConfig({ testTimeout: STORMS * 4_000 });

type Step =
  | { do: 'write' | 'append' | 'replace' | 'delete'; file: string }
  | { do: 'make'; folder: string }
  | { do: 'move'; from: string; to: string }
  | { do: 'wait'; turns: number };

const TOPS = ['personal', 'spaces', 'spaces/acme', 'forgotten'];
const folder = fc
  .tuple(fc.constantFrom(...TOPS), fc.array(fc.constantFrom('x', 'y', 'X'), { maxLength: 2 }))
  .map(([top, rest]) => [top, ...rest].join('/'));
const file = fc.tuple(folder, fc.constantFrom('a.md', 'b.md', 'A.md')).map(([path, name]) => `${path}/${name}`);
const wait = fc.record({ do: fc.constant('wait' as const), turns: fc.nat(40) });
const fileStep = fc.record({ do: fc.constantFrom('write', 'append', 'replace', 'delete'), file });
const folderStep = fc.record({ do: fc.constant('make' as const), folder });
const moveStep = fc.oneof(
  fc.record({ do: fc.constant('move' as const), from: folder, to: folder }),
  fc.record({ do: fc.constant('move' as const), from: file, to: file }),
);
const removeFolder = folder.map((path) => ({ do: 'delete' as const, file: path }));

/** Does a step; what the file system refuses (a folder into itself, a name that is taken) is no step. */
async function take(scene: WatchScene, step: Step, round: number): Promise<void> {
  const at = (path: string) => scene.at(path);
  try {
    switch (step.do) {
      case 'write':
        await mkdir(dirname(at(step.file)), { recursive: true });
        return await writeFile(at(step.file), `written ${round}`);
      case 'append':
        return await appendFile(at(step.file), `appended ${round}`);
      case 'replace':
        await scene.write(`${step.file}.tmp`, `replaced ${round}`);
        return await rename(at(`${step.file}.tmp`), at(step.file));
      case 'delete':
        return await rm(at(step.file), { recursive: true });
      case 'make':
        return void (await mkdir(at(step.folder), { recursive: true }));
      case 'move':
        await mkdir(dirname(at(step.to)), { recursive: true });
        return await rename(at(step.from), at(step.to));
      case 'wait':
        for (let turn = 0; turn < step.turns; turn += 1) await new Promise(setImmediate);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** Every file of the memory with its text. Throws when a folder vanishes meanwhile: what cannot be read is not gone. */
async function readAll(root: string): Promise<Map<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    const path = `${entry.parentPath}/${entry.name}`.slice(root.length + 1).replaceAll('\\', '/');
    const text = entry.isFile() && path.endsWith('.md') ? await readText(`${root}/${path}`) : null;
    if (text !== null) files.set(path, text);
  }
  return files;
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

describe('after a storm, the receiver has what is on disk', () => {
  it.each([
    ['40 ms', 40],
    ['1 ms', 1],
  ])('of any changes, gathered for %s', async (_, debounceMs) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fileStep, folderStep, moveStep, removeFolder, wait), { maxLength: 40 }),
        async (steps) => {
          let table = new Map<string, string>();
          const onChange = async ({ paths }: ChangeSet) => {
            if (paths === 'everything') {
              table = await readAll(scene.root);
              return;
            }
            for (const path of paths) {
              const text = await readText(scene.at(path));
              if (text === null) table.delete(path);
              else table.set(path, text);
            }
          };
          const files = ['personal/a.md', 'personal/x/a.md', 'spaces/acme/x/y/b.md', 'spaces/acme/b.md'];
          await using scene = await openScene({ files, debounceMs, onChange }, { beatMs: 20 });
          table = await readAll(scene.root);
          for (const [round, step] of steps.entries()) await take(scene, step, round);
          const truth = await readAll(scene.root);
          await expect.poll(() => table, SOON).toEqual(truth);
        },
      ),
      { numRuns: STORMS, seed: SEED },
    );
    reportRuns({
      what: `storms of up to 40 changes to files and folders, gathered for ${debounceMs} ms`,
      runs: STORMS,
    });
  });
});

describe('after a storm that moves and removes no folder', () => {
  it('every changed path was told by its name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fileStep, folderStep, wait), { maxLength: 40 }), async (steps) => {
        await using scene = await openScene({ files: ['personal/a.md', 'spaces/acme/b.md'] });
        const before = await readAll(scene.root);
        for (const [round, step] of steps.entries()) await take(scene, step, round);
        const after = await readAll(scene.root);
        const changed = [...before.keys(), ...after.keys()].filter((path) => before.get(path) !== after.get(path));
        await expect.poll(() => changed.filter((path) => !scene.names().includes(path)), SOON).toEqual([]);
        expect(scene.names()).not.toContain('everything');
      }),
      { numRuns: STORMS, seed: SEED },
    );
    reportRuns({ what: 'storms of up to 40 changes that move no folder, every path told by its name', runs: STORMS });
  });
});
