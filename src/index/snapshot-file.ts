// Snapshots on disk, one name a partition.
import { hash } from 'node:crypto';
import { readNewest, writeGeneration, type GenerationName } from './generation-files.ts';
import { decodeSnapshot, encodeSnapshot, type PartitionSnapshot, type SnapshotKey } from './snapshot.ts';

/** The newest sound snapshot of a partition, or null. Never throws: what cannot be read is rebuilt. */
export function readSnapshot(folder: string, key: SnapshotKey): PartitionSnapshot | null {
  return readNewest(folder, nameOf(key), (bytes) => decodeSnapshot(bytes, key));
}

/** Writes a new generation and drops the older ones. Throws what the file system throws. */
export function writeSnapshot(folder: string, key: SnapshotKey, snapshot: PartitionSnapshot): void {
  writeGeneration(folder, nameOf(key), encodeSnapshot(snapshot, key));
}

function nameOf({ partition }: SnapshotKey): GenerationName {
  return { prefix: hash('sha256', partition, 'hex').slice(0, 16), suffix: '.words' };
}
