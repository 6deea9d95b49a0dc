import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dotProduct, type Quantized, quantize } from './quantized.ts';
import { NO_VECTOR, VectorTable } from './vector-table.ts';

// Not a multiple of 16, so that padding is tested as well.
const DIMENSIONS = 20;
const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((numbers) => quantize(Float32Array.from(numbers)))
  .filter(({ scale }) => scale > 0);

const expand = ({ values, scale }: Quantized): number[] => Array.from(values, (value) => value * scale);
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, i) => x - (b[i] ?? 0));

/** The definition, over plain lists: the cosine after the drawn mean is taken off both. */
function slowNearness(rows: readonly Quantized[], question: Quantized): number[] {
  const vectors = rows.map(expand);
  const mean = Array.from(
    { length: DIMENSIONS },
    (_, i) => vectors.reduce((sum, v) => sum + (v[i] ?? 0), 0) / (rows.length + 20),
  );
  const asked = minus(expand(question), mean);
  return vectors.map(
    (v) => dot(minus(v, mean), asked) / Math.sqrt(dot(minus(v, mean), minus(v, mean)) * dot(asked, asked)),
  );
}

describe('the vector table', () => {
  const step = fc.record({ slot: fc.nat(6), passage: fc.nat(2), vector, clear: fc.nat(4).map((n) => n === 0) });

  it('gives each slot the nearness of its nearest passage, after any sequence of sets and clears', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), vector, (steps, question) => {
        const table = new VectorTable(DIMENSIONS);
        const live = new Map<string, { slot: number; passage: number; vector: Quantized }>();
        for (const { slot, passage, vector, clear } of steps) {
          if (clear) {
            table.clear(slot);
            for (const [key, row] of live) if (row.slot === slot) live.delete(key);
          } else {
            table.set(slot, passage, vector);
            live.set(`${slot}/${passage}`, { slot, passage, vector });
          }
        }
        const { nearness } = table.scan(question, 7);
        const rows = [...live.values()];
        const expected = slowNearness(
          rows.map(({ vector }) => vector),
          question,
        );
        for (let slot = 0; slot < 7; slot++) {
          const best = Math.max(NO_VECTOR, ...expected.filter((_, i) => rows[i]?.slot === slot));
          // The mean is rounded to bytes as well.
          expect(Math.abs((nearness[slot] ?? 0) - best)).toBeLessThan(0.02);
        }
        expect(table.size).toBe(rows.length);
        const [first] = rows;
        const cosine = first === undefined ? null : dotProduct(first.vector, question);
        expect(first === undefined ? null : table.cosine(first.slot, first.passage, question)).toBe(cosine);
      }),
    );
  });

  it('answers the same, bit for bit, however its rows came', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.array(vector, { minLength: 7, maxLength: 7 }),
        vector,
        (steps, last, question) => {
          const changed = new VectorTable(DIMENSIONS);
          for (const { slot, passage, vector, clear } of steps) {
            if (clear) changed.clear(slot);
            else changed.set(slot, passage, vector);
            changed.scan(question, 7);
          }
          const fresh = new VectorTable(DIMENSIONS);
          for (const [slot, vector] of last.entries()) {
            changed.clear(slot);
            changed.set(slot, 0, vector);
            changed.set(slot, 1, vector);
            fresh.set(6 - slot, 1, last[6 - slot] ?? vector);
            fresh.set(6 - slot, 0, last[6 - slot] ?? vector);
          }
          const [a, b] = [changed.scan(question, 7), fresh.scan(question, 7)];
          expect(a.nearness.slice(0, 7)).toEqual(b.nearness.slice(0, 7));
          // Of two equal passages the first is named.
          expect(a.passage.slice(0, 7)).toEqual(new Uint32Array(7));
          expect(b.passage.slice(0, 7)).toEqual(new Uint32Array(7));
        },
      ),
    );
  });

  it('holds more rows than fit into its first memory', () => {
    const table = new VectorTable(DIMENSIONS);
    const rows = Array.from({ length: 5000 }, (_, i) =>
      quantize(Float32Array.from({ length: DIMENSIONS }, (_, j) => Math.sin(Math.imul(i * 31 + j, 0x9e3779b1)))),
    );
    for (const [slot, vector] of rows.entries()) table.set(slot, 0, vector);
    const question = rows[4321] ?? rows[0];
    const { nearness } = table.scan(question as Quantized, 5000);
    expect(nearness.indexOf(Math.max(...nearness.slice(0, 5000)))).toBe(4321);
  });
});
