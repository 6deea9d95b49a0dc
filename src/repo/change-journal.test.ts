import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChangeJournal } from './change-journal.ts';
import { errnoError, nodeFileSystem, type FileSystem } from './file-system.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(os.tmpdir(), 'stet-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function begun(maxBytes?: number, fs: FileSystem = nodeFileSystem): Promise<ChangeJournal> {
  const journal = new ChangeJournal(fs, folder, maxBytes);
  await journal.begin();
  return journal;
}

describe('a reader of the journal', () => {
  test('that has no cursor yet must look at everything', async () => {
    const journal = await begun();
    expect(journal.since(null).paths).toBe('everything');
    expect(journal.since('of another kind').paths).toBe('everything');
  });

  test('is told what was appended by any process since its cursor, once', async () => {
    const journal = await begun();
    const other = await begun();
    const { cursor } = journal.since(null);
    await other.append(['personal/a.md', 'personal/new\nline.md'], []);
    await other.append(['personal/a.md'], []);
    const first = journal.since(cursor);
    expect(first.paths).toEqual(['personal/a.md', 'personal/new\nline.md']);
    expect(journal.since(first.cursor)).toEqual({ cursor: first.cursor, paths: [] });
    expect(journal.since(cursor).paths).toEqual(first.paths);
  });

  test('is told of the paths that a commit recorded', async () => {
    const journal = await begun();
    const { cursor } = journal.since(null);
    const record = { commit: 'c'.repeat(40), files: { 'personal/a.md': 'b'.repeat(40), 'personal/gone.md': null } };
    await journal.append([], [record]);
    expect(journal.since(cursor).paths).toEqual(['personal/a.md', 'personal/gone.md']);
    expect(await journal.records()).toEqual([record]);
  });

  test('must look at everything while there is no journal', async () => {
    const journal = await begun();
    const { cursor } = journal.since(null);
    unlinkSync(join(folder, 'journal'));
    const lost = journal.since(cursor);
    expect(lost.paths).toBe('everything');
    expect(journal.since(lost.cursor).paths).toBe('everything');
    await journal.append(['personal/a.md'], []);
    expect(journal.since(lost.cursor).paths).toBe('everything');
    expect(journal.since(cursor).paths).toBe('everything');
  });

  test('must look at everything when the journal is another or was cut short', async () => {
    const journal = await begun();
    await journal.append(['personal/a.md'], []);
    const { cursor } = journal.since(null);
    truncateSync(join(folder, 'journal'), 60);
    expect(journal.since(cursor).paths).toBe('everything');
    writeFileSync(join(folder, 'journal'), 'no journal at all\n');
    expect(journal.since(cursor).paths).toBe('everything');
    await journal.append(['personal/b.md'], []);
    expect(journal.since(cursor).paths).toBe('everything');
  });

  test('passes over a line that a crash tore, and misses none after it', async () => {
    const journal = await begun();
    const { cursor } = journal.since(null);
    appendFileSync(join(folder, 'journal'), '"personal/to');
    const torn = journal.since(cursor);
    expect(torn.paths).toEqual([]);
    await journal.append(['personal/a.md'], []);
    expect(journal.since(torn.cursor).paths).toEqual(['personal/a.md']);
    expect(journal.since(cursor).paths).toEqual(['personal/a.md']);
  });

  test('must look at everything when an append failed for want of space', async () => {
    const failing: FileSystem = {
      ...nodeFileSystem,
      appendFile: () => Promise.reject(errnoError('ENOSPC', 'write', 'journal')),
    };
    const journal = await begun(undefined, failing);
    const { cursor } = journal.since(null);
    await journal.append(['personal/a.md'], []);
    expect(journal.since(cursor).paths).toBe('everything');
  });
});

describe('a journal that has grown', () => {
  test('drops its older half, and stays small', async () => {
    const journal = await begun(2_000);
    const { cursor: old } = journal.since(null);
    for (let round = 0; round < 200; round++) await journal.append([`personal/${round}.md`], []);
    expect(statSync(join(folder, 'journal')).size).toBeLessThanOrEqual(2_000);
    expect(journal.since(old).paths).toBe('everything');
    const { cursor } = journal.since(null);
    await journal.append(['personal/last.md'], []);
    expect(journal.since(cursor).paths).toEqual(['personal/last.md']);
  });

  test('never lets a reader miss a change, whenever it looks', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ append: fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }) }) },
      { weight: 3, arbitrary: fc.record({ read: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.constant({ tear: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        rmSync(join(folder, 'journal'), { force: true });
        const journals = [await begun(300), await begun(300), await begun(300)];
        const missed: string[] = [];
        const readers = journals.map((journal) => ({ cursor: journal.since(null).cursor, unseen: new Set<string>() }));
        for (const [at, step] of steps.entries()) {
          if ('append' in step) {
            const paths = step.append.map((name) => `personal/${name}.md`);
            await journals[at % 3]?.append(paths, []);
            for (const reader of readers) for (const path of paths) reader.unseen.add(path);
          } else if ('read' in step) {
            const reader = readers[step.read];
            const changes = reader === undefined ? null : journals[step.read]?.since(reader.cursor);
            if (reader === undefined || changes === null || changes === undefined) continue;
            const told = changes.paths === 'everything' ? reader.unseen : new Set(changes.paths);
            missed.push(...[...reader.unseen].filter((path) => !told.has(path)));
            reader.cursor = changes.cursor;
            reader.unseen.clear();
          } else {
            appendFileSync(join(folder, 'journal'), '"personal/torn');
          }
        }
        expect(missed).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
