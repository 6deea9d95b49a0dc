// What the user decides about files that are missing and not believed to be gone: they come back, or they are forgotten.

import { printItemFile } from '../memory/item-file.ts';
import { lastGoodOf, type LastGood } from '../memory/item-table.ts';
import { USER } from '../memory/remember.ts';
import { printTombstone, tombstonePath } from '../memory/tombstone.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import { subjectLine } from './commit-message.ts';
import type { Memory } from './memory.ts';

export interface SettledMissing {
  readonly decision: 'restored' | 'forgotten';
  readonly paths: readonly string[];
  /** Null where none was needed. */
  readonly commit: CommitOutcome | null;
}

/** Writes every missing file again, as HEAD has it, else as it was last read. */
export async function restoreMissing(memory: Memory): Promise<SettledMissing> {
  return memory.repository.exclusive(async (transaction) => {
    const paths = await missingPaths(memory);
    for (const path of paths) {
      const bytes = (await memory.repository.readHead(path)) ?? lastRead(memory, path);
      if (bytes !== null) await transaction.writeFile(path, bytes);
    }
    await memory.take(paths);
    return { decision: 'restored', paths, commit: null };
  });
}

/** Forgets every item whose file is missing: one commit, a tombstone each. */
export async function forgetMissing(memory: Memory): Promise<SettledMissing> {
  return memory.repository.exclusive(async (transaction) => {
    const paths = await missingPaths(memory);
    if (paths.length === 0) return { decision: 'forgotten', paths, commit: null };
    const forgotten = memory
      .now()
      .toISOString()
      .replace(/\.\d{3}Z$/, 'Z');
    const written: string[] = [];
    const missing = new Map(Array.from(memory.table.missing(), ({ path, lastGood }) => [path, lastGood] as const));
    for (const path of paths) {
      const item = linksOf(memory, path) ?? missing.get(path);
      if (!item) continue;
      const { id, space, supersedes } = item;
      const text = printTombstone({ id, space, supersedes, forgotten, by: USER });
      await transaction.writeFile(tombstonePath(id), new TextEncoder().encode(text));
      written.push(tombstonePath(id));
    }
    const all = [...paths, ...written];
    transaction.noteChanged(paths);
    const commit = await transaction.commit(all, {
      subject: subjectLine('forget', `${paths.length} missing files`),
      trailers: [['Stet-Agent', USER]],
      author: null,
    });
    await memory.take(all);
    return { decision: 'forgotten', paths, commit };
  });
}

async function missingPaths(memory: Memory): Promise<readonly string[]> {
  await memory.refresh();
  return [...(memory.doubt?.missing ?? [])].sort();
}

function linksOf(memory: Memory, path: string): LastGood | null {
  const entry = memory.table.at(path);
  if (entry?.kind !== 'item') return entry?.lastGood ?? null;
  return lastGoodOf(entry.file.item);
}

function lastRead(memory: Memory, path: string): Uint8Array | null {
  const entry = memory.table.at(path);
  return entry?.kind === 'item' ? new TextEncoder().encode(printItemFile(entry.file.item)) : null;
}
