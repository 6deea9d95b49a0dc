// The item table on disk, so that the next start reads only what changed. Derived: whatever is wrong with it, it is
// ignored and made again. Written beside the old one and renamed, so a reader sees one or the other, whole.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ItemTable, TableChange } from '../memory/item-table.ts';

/** Counts up whenever the shape of a change or the way files are parsed does. */
const FORMAT = 3;

/** Size, times and inode of a file as one text; another text means that the file has to be read. */
export type Stamp = string;

export interface TableSnapshot {
  readonly changes: readonly TableChange[];
  readonly stamps: ReadonlyMap<string, Stamp>;
  /** When the stamps were taken, in ms since 1970: files as young as that may have changed unseen. */
  readonly savedAtMs: number;
}

interface SnapshotBody {
  /** Under which names of spaces the items were read. */
  readonly spaceNames: string;
  readonly savedAtMs: number;
  readonly entries: ReadonlyArray<readonly [stamp: Stamp, change: TableChange]>;
}

/** Null when there is none, or none that can be used: torn, of another format, or read under other names of spaces. */
export async function loadTableSnapshot(file: string, spaceNames: string): Promise<TableSnapshot | null> {
  try {
    const text = await readFile(file, 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (text.slice(0, end) !== header(body)) return null;
    const { savedAtMs, entries, spaceNames: readUnder } = JSON.parse(body) as SnapshotBody;
    if (readUnder !== spaceNames) return null;
    return {
      changes: entries.map(([, change]) => change),
      stamps: new Map(entries.flatMap(([stamp, change]) => (stamp === '' ? [] : [[change.path, stamp]]))),
      savedAtMs,
    };
  } catch {
    return null;
  }
}

export async function saveTableSnapshot(
  file: string,
  spaceNames: string,
  stamps: { readonly takenAtMs: number; readonly byPath: ReadonlyMap<string, Stamp> },
  table: ItemTable,
): Promise<void> {
  const entries: Array<[Stamp, TableChange]> = [];
  for (const change of table.entries()) {
    // What is missing has no stamp: the next look judges it again.
    const stamp = change.kind === 'missing' ? '' : stamps.byPath.get(change.path);
    if (stamp !== undefined) entries.push([stamp, change]);
  }
  const body = JSON.stringify({ spaceNames, savedAtMs: stamps.takenAtMs, entries } satisfies SnapshotBody);
  const temporary = `${file}.${process.pid}.${randomUUID()}.tmp`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(temporary, `${header(body)}\n${body}`);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    // On Windows a file that another process reads cannot be replaced; the old snapshot serves until the next save.
    if (!['EPERM', 'EBUSY', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function header(body: string): string {
  return `stet-table ${FORMAT} ${createHash('sha256').update(body).digest('hex')}`;
}
