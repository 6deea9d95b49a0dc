import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quantize } from './quantized.ts';
import { VectorCache, vectorKey } from './vector-cache.ts';

const DIMENSIONS = 4;
const RECORD = 4 + 16 + 4 + DIMENSIONS + 4;
const vector = (...numbers: number[]) => quantize(Float32Array.from(numbers));
let folder = '';
const caches: VectorCache[] = [];
const open = (model = 'm'): VectorCache => {
  const cache = new VectorCache({ folder, model, dimensions: DIMENSIONS });
  caches.push(cache);
  return cache;
};
const file = (): string => join(folder, readdirSync(folder)[0] ?? '');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-vectors-'));
});
afterEach(() => {
  for (const cache of caches.splice(0)) cache.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the vector cache', () => {
  it('shows one process what another has added, exactly', () => {
    const writer = open();
    const reader = open();
    expect(reader.refresh()).toBe(false);
    writer.add(vectorKey('one'), vector(1, 2, 3, -4));
    writer.add(vectorKey('two'), vector(0, 1, 0, 0));
    expect(reader.refresh()).toBe(true);
    expect(reader.get(vectorKey('one'))).toEqual(vector(1, 2, 3, -4));
    expect(reader.get(vectorKey('two'))).toEqual(vector(0, 1, 0, 0));
    expect(reader.refresh()).toBe(false);
  });

  it('keeps two models apart', () => {
    open('a').add(vectorKey('one'), vector(1, 0, 0, 0));
    const other = open('b');
    other.refresh();
    expect(other.get(vectorKey('one'))).toBeUndefined();
    // Even where the bytes of one land in the file of the other.
    const bytes = readFileSync(file());
    other.add(vectorKey('two'), vector(0, 1, 0, 0));
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), bytes);
    const again = open('b');
    again.refresh();
    expect(again.get(vectorKey('one'))).toBeUndefined();
  });

  it('loses the torn record alone, wherever the tear is', () => {
    for (let torn = 1; torn < RECORD; torn++) {
      rmSync(folder, { recursive: true, force: true });
      const cache = open();
      for (const text of ['one', 'two']) cache.add(vectorKey(text), vector(1, 2, 3, 4));
      truncateSync(file(), RECORD + torn);
      for (const text of ['three', 'four']) cache.add(vectorKey(text), vector(4, 3, 2, 1));
      const reader = open();
      reader.refresh();
      const known = ['one', 'two', 'three', 'four'].filter((text) => reader.get(vectorKey(text)) !== undefined);
      expect(known).toEqual(['one', 'three', 'four']);
    }
  });

  it('waits for the rest of a record that is still being written', () => {
    open().add(vectorKey('one'), vector(1, 2, 3, 4));
    const bytes = readFileSync(file());
    truncateSync(file(), 10);
    const reader = open();
    expect(reader.refresh()).toBe(false);
    appendFileSync(file(), bytes.subarray(10));
    expect(reader.refresh()).toBe(true);
    expect(reader.get(vectorKey('one'))).toEqual(vector(1, 2, 3, 4));
  });

  it('finds the next record when reading stopped within its first bytes', () => {
    open().add(vectorKey('one'), vector(1, 2, 3, 4));
    const bytes = readFileSync(file());
    for (let shown = 1; shown < RECORD; shown++) {
      // Garbage, then the beginning of a sound record, of which one read sees only so much.
      writeFileSync(file(), Buffer.concat([Buffer.alloc(RECORD, 7), bytes.subarray(0, shown)]));
      const reader = open();
      reader.refresh();
      appendFileSync(file(), bytes.subarray(shown));
      reader.refresh();
      expect(reader.get(vectorKey('one'))).toEqual(vector(1, 2, 3, 4));
    }
  });

  it('believes no record with a flipped bit', () => {
    open().add(vectorKey('one'), vector(1, 2, 3, 4));
    const bytes = readFileSync(file());
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(file(), flipped);
      expect(open().refresh()).toBe(false);
    }
  });

  it('starts again when its file is deleted under it', () => {
    const cache = open();
    const reader = open();
    cache.add(vectorKey('one'), vector(1, 0, 0, 0));
    reader.refresh();
    rmSync(file());
    reader.refresh();
    cache.add(vectorKey('two'), vector(0, 1, 0, 0));
    expect(reader.refresh()).toBe(true);
    expect(reader.get(vectorKey('two'))).toBeDefined();
  });

  it('keeps vectors in memory and says why when the folder cannot be written', () => {
    writeFileSync(join(folder, 'in-the-way'), '');
    const cache = new VectorCache({ folder: join(folder, 'in-the-way'), model: 'm', dimensions: DIMENSIONS });
    cache.add(vectorKey('one'), vector(1, 0, 0, 0));
    expect(cache.get(vectorKey('one'))).toBeDefined();
    expect(cache.problem).toContain('in-the-way');
  });
});
