import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { ByteRows, KERNEL } from './dot-kernel.ts';

const byte = fc.integer({ min: -127, max: 127 });

describe('the kernel of dot products', () => {
  it('is what its source compiles to', async () => {
    const path = fileURLToPath(new URL('./dot-kernel.wat', import.meta.url));
    const toolkit = await wabt();
    const compiled = toolkit.parseWat(path, readFileSync(path, 'utf8'), { simd: true }).toBinary({});
    expect(Buffer.from(compiled.buffer).toString('base64')).toBe(KERNEL);
  });

  it('gives exact sums for any bytes and any number of components', () => {
    const sizes = fc.integer({ min: 1, max: 50 });
    const rows = sizes.chain((size) =>
      fc.array(fc.array(byte, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 30 }),
    );
    fc.assert(
      fc.property(rows, (vectors) => {
        const [question = []] = vectors;
        const table = new ByteRows(question.length);
        for (const [row, vector] of vectors.entries()) table.write(row, Int8Array.from(vector));
        const result = new Int32Array(vectors.length);
        table.dots(Int8Array.from(question), vectors.length, result);
        expect([...result]).toEqual(
          vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * (question[i] ?? 0), 0)),
        );
        expect([...table.read(vectors.length - 1)]).toEqual(vectors.at(-1));
      }),
    );
  });

  it('goes over blocks and over the growth of its memory', () => {
    const table = new ByteRows(3);
    for (let row = 0; row < 20_000; row++) table.write(row, Int8Array.of(row % 100, 1, -2));
    const result = new Int32Array(20_000);
    table.dots(Int8Array.of(2, 5, 1), 20_000, result);
    expect([...result]).toEqual(Array.from({ length: 20_000 }, (_, row) => 2 * (row % 100) + 3));
  });
});
