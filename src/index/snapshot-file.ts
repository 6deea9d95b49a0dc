// Snapshots on disk, one name a partition, many generations. Invariant: a file is complete under its name from the moment
// it has that name, and no file is ever renamed over another: Windows refuses that while a process reads it.
import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { decodeSnapshot, encodeSnapshot, type PartitionSnapshot, type SnapshotKey } from './snapshot.ts';

const SUFFIX = '.words';

/** The newest sound snapshot of a partition, or null. Never throws: what cannot be read is rebuilt. */
export function readSnapshot(folder: string, key: SnapshotKey): PartitionSnapshot | null {
  for (const name of generations(folder, key).reverse()) {
    try {
      const snapshot = decodeSnapshot(readFileSync(join(folder, name)), key);
      if (snapshot !== null) return snapshot;
    } catch {
      // Another process may have dropped it meanwhile, or the disk fails: an older one or a rebuild will do.
    }
  }
  return null;
}

/** Writes a new generation and drops the older ones. Throws what the file system throws. */
export function writeSnapshot(folder: string, key: SnapshotKey, snapshot: PartitionSnapshot): void {
  mkdirSync(folder, { recursive: true });
  const older = generations(folder, key);
  // Names sort by time; of two in one millisecond either may be read, because contents are checked by hash.
  const stamp = Date.now().toString(36).padStart(10, '0');
  const name = `${prefix(key)}.${stamp}-${randomBytes(3).toString('hex')}${SUFFIX}`;
  const temporary = join(folder, `${name}.tmp`);
  try {
    const descriptor = openSync(temporary, 'wx');
    try {
      writeSync(descriptor, encodeSnapshot(snapshot, key));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, join(folder, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  for (const old of older) {
    try {
      rmSync(join(folder, old), { force: true });
    } catch {
      // Open in another process on Windows: the next save drops it.
    }
  }
}

function generations(folder: string, key: SnapshotKey): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(`${prefix(key)}.`) && name.endsWith(SUFFIX))
      .sort();
  } catch {
    return [];
  }
}

function prefix(key: SnapshotKey): string {
  return hash('sha256', key.partition, 'hex').slice(0, 16);
}
