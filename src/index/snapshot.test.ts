import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot, type PartitionSnapshot } from './snapshot.ts';
import { readSnapshot, writeSnapshot } from './snapshot-file.ts';
import { vectorKey } from './vector-cache.ts';

const KEY = { partition: 'space:acme', model: 'm' };
const SNAPSHOT: PartitionSnapshot = {
  documents: [
    { id: 'a1', contentHash: vectorKey('a'), passages: [vectorKey('x'), vectorKey('y')] },
    { id: 'b2', contentHash: vectorKey('b'), passages: [] },
  ],
  lengths: Uint32Array.of(3, 1),
  postings: {
    terms: ['deploy', '豹队', 'é'],
    starts: Uint32Array.of(0, 2, 3, 4),
    slots: Uint32Array.of(0, 1, 0, 0),
    counts: Uint16Array.of(1, 1, 2, 65535),
  },
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-snapshot-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a snapshot', () => {
  it('comes back as it was written', () => {
    expect(decodeSnapshot(encodeSnapshot(SNAPSHOT, KEY), KEY)).toEqual(SNAPSHOT);
    const empty: PartitionSnapshot = {
      documents: [],
      lengths: new Uint32Array(),
      postings: { terms: [], starts: Uint32Array.of(0), slots: new Uint32Array(), counts: new Uint16Array() },
    };
    expect(decodeSnapshot(encodeSnapshot(empty, KEY), KEY)).toEqual(empty);
  });

  it('is nothing for another partition or model', () => {
    const bytes = encodeSnapshot(SNAPSHOT, KEY);
    expect(decodeSnapshot(bytes, { ...KEY, partition: 'space:other' })).toBeNull();
    expect(decodeSnapshot(bytes, { ...KEY, model: null })).toBeNull();
  });

  it('is nothing when a bit is flipped or the end is missing', () => {
    const bytes = encodeSnapshot(SNAPSHOT, KEY);
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), fc.nat(bytes.length - 1), (bit, length) => {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(decodeSnapshot(flipped, KEY)).toBeNull();
        expect(decodeSnapshot(bytes.subarray(0, length), KEY)).toBeNull();
      }),
    );
  });
});

describe('a snapshot file', () => {
  it('is replaced by a new file, never written or renamed over', () => {
    writeSnapshot(folder, KEY, SNAPSHOT);
    const [first] = readdirSync(folder);
    writeSnapshot(folder, KEY, { ...SNAPSHOT, lengths: Uint32Array.of(9, 9) });
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    expect(names[0]).not.toBe(first);
    expect(readSnapshot(folder, KEY)?.lengths).toEqual(Uint32Array.of(9, 9));
  });

  it('gives way to an older sound one when it is torn', () => {
    writeSnapshot(folder, KEY, SNAPSHOT);
    const [name = ''] = readdirSync(folder);
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, name.replace(/\.[^.-]+-/, '.zzzzzzzzzz-')), bytes.subarray(0, 50));
    expect(readSnapshot(folder, KEY)).toEqual(SNAPSHOT);
  });

  it('has a name that tells nothing of the partition, and does not mix partitions', () => {
    writeSnapshot(folder, KEY, SNAPSHOT);
    writeSnapshot(folder, { ...KEY, partition: '../Böse:Name' }, SNAPSHOT);
    for (const name of readdirSync(folder)) expect(name).toMatch(/^[0-9a-f]{16}\.[0-9a-z]+-[0-9a-f]+\.words$/);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(readSnapshot(folder, { ...KEY, partition: 'space:none' })).toBeNull();
  });
});
