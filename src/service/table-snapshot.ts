// The item table on disk, so that the next start reads only what changed. Derived: whatever is wrong with it, it is
// ignored and made again.

import { createHash } from 'node:crypto';
import { readNewest, writeGeneration } from '../index/generation-files.ts';
import type { ItemTable, TableChange } from '../memory/item-table.ts';
import { errnoOf } from '../repo/file-system.ts';

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

const NAME = { prefix: 'table', suffix: '.json' } as const;

/** Null when there is none, or none that can be used: torn, of another format, or read under other names of spaces. */
export function loadTableSnapshot(folder: string, spaceNames: string): TableSnapshot | null {
  return readNewest(folder, NAME, (bytes) => {
    const end = bytes.indexOf(0x0a);
    const body = bytes.subarray(end + 1);
    if (bytes.toString('latin1', 0, end) !== header(body)) return null;
    const { savedAtMs, entries, spaceNames: readUnder } = JSON.parse(body.toString('utf8')) as SnapshotBody;
    if (readUnder !== spaceNames) return null;
    return {
      changes: entries.map(([, change]) => change),
      stamps: new Map(entries.flatMap(([stamp, change]) => (stamp === '' ? [] : [[change.path, stamp]]))),
      savedAtMs,
    };
  });
}

/** Returns why it could not be written (a full or read-only disk), in words: then the next start is slower. */
export function saveTableSnapshot(
  folder: string,
  spaceNames: string,
  stamps: { readonly takenAtMs: number; readonly byPath: ReadonlyMap<string, Stamp> },
  table: ItemTable,
): string | null {
  const entries: Array<[Stamp, TableChange]> = [];
  for (const change of table.entries()) {
    // What is missing has no stamp: the next look judges it again.
    const stamp = change.kind === 'missing' ? '' : stamps.byPath.get(change.path);
    if (stamp !== undefined) entries.push([stamp, change]);
  }
  const body = Buffer.from(JSON.stringify({ spaceNames, savedAtMs: stamps.takenAtMs, entries } satisfies SnapshotBody));
  try {
    writeGeneration(folder, NAME, Buffer.concat([Buffer.from(`${header(body)}\n`), body]));
    return null;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return `cannot write to ${folder} (${errno}): the next start is slower`;
  }
}

function header(body: Uint8Array): string {
  return `stet-table ${FORMAT} ${createHash('sha256').update(body).digest('hex')}`;
}
