// What is kept to make the next start fast never changes an answer: whatever happened to it, a memory that is opened
// with it is the one that is built from the files.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryScene } from './memory-scene.ts';
import { amount, reportRuns, SEED } from './torture.ts';

const IDS = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd', 'eeeeeeee'];

function pathOf(id: string): string {
  return `personal/${id}.md`;
}

/** Everything that an answer may depend on. */
function stateOf({ memory }: MemoryScene): unknown {
  const table = memory.table;
  return {
    items: Array.from(table.all(), ({ path, file }) => ({ path, item: file.item })).sort((a, b) =>
      a.path < b.path ? -1 : 1,
    ),
    links: Array.from(table.links(new Set(['personal'])), ({ from, to }) => `${from} ${to.join()}`).sort(),
    quarantined: table.quarantined(),
    forgotten: Array.from(table.tombstones(), ({ id }) => id).sort(),
  };
}

function tableFiles(scene: MemoryScene): string[] {
  return readdirSync(scene.at('.stet')).filter((name) => name.startsWith('table.'));
}

async function openWithFive(): Promise<MemoryScene> {
  const scene = await MemoryScene.open();
  for (const id of IDS) scene.writeItem(pathOf(id), { id });
  await scene.settle();
  await scene.reopen();
  return scene;
}

async function expectRebuilt(scene: MemoryScene): Promise<void> {
  await scene.reopen();
  const opened = stateOf(scene);
  await scene.reopen({ withoutSnapshot: true });
  expect(opened).toEqual(stateOf(scene));
}

describe('a snapshot of the table', () => {
  it('is one whole file, and the older one goes when the newer is there', async () => {
    await using scene = await openWithFive();
    const [before] = tableFiles(scene);
    scene.writeItem(pathOf('ffffffff'), { id: 'ffffffff' });
    await scene.reopen();
    await scene.reopen();
    expect(tableFiles(scene)).toHaveLength(1);
    expect(tableFiles(scene)).not.toContain(before);
  });

  it.each([
    ['torn', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['no snapshot at all', () => Buffer.from('{"entries": []}\n')],
    [
      'of another version',
      (bytes: Buffer) => Buffer.from(bytes.toString('utf8').replace(/^stet-table \d+/, 'stet-table 1')),
    ],
    ['with one other byte', (bytes: Buffer) => Buffer.from(bytes.toString('utf8').replace('Statement', 'Stalemate'))],
  ])('that is %s is passed over', async (_, spoil) => {
    await using scene = await openWithFive();
    const [name = ''] = tableFiles(scene);
    const spoilt = spoil(readFileSync(scene.at(join('.stet', name))));
    await scene.reopen();
    for (const file of tableFiles(scene)) writeFileSync(scene.at(join('.stet', file)), spoilt);
    await expectRebuilt(scene);
    expect(scene.delivered()).toEqual(IDS);
  });

  it('gives way to an older one that is sound', async () => {
    await using scene = await openWithFive();
    writeFileSync(scene.at('.stet/table.zzzzzzzzzz-000000.json'), 'torn');
    await expectRebuilt(scene);
  });

  it('of another memory, or from before and after this state, only costs reading', async () => {
    await using other = await MemoryScene.open();
    other.writeItem(pathOf('gggggggg'), { id: 'gggggggg' });
    await other.settle();
    await other.reopen();
    await using scene = await openWithFive();
    const [name = ''] = tableFiles(other);
    copyFileSync(other.at(join('.stet', name)), scene.at('.stet/table.zzzzzzzzzz-000000.json'));
    await expectRebuilt(scene);
    expect(scene.delivered()).toEqual(IDS);

    scene.git('tag', 'before');
    scene.writeItem(pathOf('ffffffff'), { id: 'ffffffff' });
    await scene.settle();
    await scene.reopen();
    scene.git('reset', '-q', '--hard', 'before');
    await expectRebuilt(scene);
    expect(scene.delivered()).toEqual(IDS);
  });

  it('never hides a change of the files, whatever was done to them since', async () => {
    const step = fc.record({
      does: fc.constantFrom('write', 'break', 'remove', 'move', 'copy', 'link', 'settle', 'reopen', 'forget'),
      id: fc.constantFrom(...IDS),
      other: fc.constantFrom(...IDS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await using scene = await openWithFive();
        for (const [round, { does, id, other }] of steps.entries()) await take(scene, does, { id, other, round });
        await expectRebuilt(scene);
      }),
      { numRuns: amount(8, 100), seed: SEED },
    );
    reportRuns({
      what: 'random changes, then opened from the snapshot and from nothing',
      runs: amount(8, 100),
    });
  }, 3_600_000);
});

async function take(
  scene: MemoryScene,
  does: string,
  { id, other, round }: { id: string; other: string; round: number },
): Promise<void> {
  try {
    switch (does) {
      case 'write':
        return scene.writeItem(pathOf(id), { id, text: `Round ${round}.` });
      case 'break':
        // Of a file that breaks, a rebuild knows the last good version that was committed, and a snapshot the last one.
        await scene.settle();
        return scene.write(pathOf(id), `---\nid: ${id}\n<<<<<<< HEAD\n`);
      case 'remove':
        return scene.remove(pathOf(id));
      case 'move':
        mkdirSync(scene.at('personal/moved'), { recursive: true });
        return renameSync(scene.at(pathOf(id)), scene.at(`personal/moved/${other}.md`));
      case 'copy':
        return copyFileSync(scene.at(pathOf(id)), scene.at(`personal/${id}-${other}.md`));
      case 'link':
        return scene.writeItem(pathOf(id), { id, supersedes: [other] });
      case 'forget':
        return scene.write(`forgotten/${id}.yaml`, `id: ${id}\nforgotten: "2026-11-30T08:00:00Z"\nby: hand\n`);
      case 'settle':
        return await scene.settle();
      default:
        return await scene.reopen();
    }
  } catch (error) {
    // The file is not there: no step.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
