// One file of the working tree as git would record it: mode, stat data, bytes.
// Invariant: the stat data are of before the bytes were read, and the file did not change meanwhile.
import { join } from 'node:path';
import { errnoError, orMissing, type FileStat, type FileSystem } from './file-system.ts';
import type { EntryStat } from './git-index.ts';

export type WorkingFile =
  | { kind: 'file'; executable: boolean; stat: EntryStat; bytes: Buffer }
  /** Nothing, or a folder, where git would see a deletion. */
  | { kind: 'gone' }
  /** A link, FIFO or socket: nothing that stet records or removes. */
  | { kind: 'other' };

const TRIES = 5;

/** Throws `EBUSY` for a file that changes under every reading, and what the system says when it cannot be read. */
export async function readWorkingFile(fs: FileSystem, root: string, path: string): Promise<WorkingFile> {
  const absolute = join(root, path);
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await orMissing(fs.lstat(absolute));
    if (before === null || before.isDirectory()) return { kind: 'gone' };
    if (!before.isFile()) return { kind: 'other' };
    const bytes = await orMissing(fs.readFile(absolute));
    const after = bytes === null ? null : await orMissing(fs.lstat(absolute));
    if (bytes === null || after === null || !sameState(before, after)) continue;
    return { kind: 'file', executable: (before.mode & 0o100n) !== 0n, stat: toEntryStat(before), bytes };
  }
  throw errnoError('EBUSY', 'read', absolute);
}

export function sameState(a: FileStat, b: FileStat): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/** As git keeps it: seconds, nanoseconds and everything else cut to 32 bits. */
export function toEntryStat(stat: FileStat): EntryStat {
  return {
    ctimeSeconds: low32(stat.ctimeNs / 1_000_000_000n),
    ctimeNanoseconds: low32(stat.ctimeNs % 1_000_000_000n),
    mtimeSeconds: low32(stat.mtimeNs / 1_000_000_000n),
    mtimeNanoseconds: low32(stat.mtimeNs % 1_000_000_000n),
    device: low32(stat.dev),
    inode: low32(stat.ino),
    uid: low32(stat.uid),
    gid: low32(stat.gid),
    size: low32(stat.size),
  };
}

function low32(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}
