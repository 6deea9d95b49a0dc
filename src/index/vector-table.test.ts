import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize } from './quantized.ts';
import { NO_COSINE, VectorTable } from './vector-table.ts';

const DIMENSIONS = 8;
const vector = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((numbers) => quantize(Float32Array.from(numbers)));

describe('the vector table', () => {
  it('gives each slot the cosine of its best passage, after any sequence of sets and clears', () => {
    const step = fc.record({ slot: fc.nat(6), passage: fc.nat(2), vector, clear: fc.nat(4).map((n) => n === 0) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), vector, (steps, question) => {
        const table = new VectorTable(DIMENSIONS);
        const expected = new Map<number, Map<number, typeof question>>();
        for (const { slot, passage, vector, clear } of steps) {
          if (clear) {
            table.clear(slot);
            expected.delete(slot);
          } else {
            table.set(slot, passage, vector);
            expected.set(slot, (expected.get(slot) ?? new Map()).set(passage, vector));
          }
        }
        const { cosine, passage } = table.scan(question, 7);
        for (let slot = 0; slot < 7; slot++) {
          let best = NO_COSINE;
          let bestPassage = 0;
          for (const [number, { values, scale }] of [...(expected.get(slot) ?? [])].sort(([a], [b]) => a - b)) {
            const dot = values.reduce((sum, value, i) => sum + value * (question.values[i] ?? 0), 0);
            const found = dot * scale * question.scale;
            if (found > best) [best, bestPassage] = [found, number];
          }
          expect(cosine[slot]).toBe(best);
          expect(best === NO_COSINE ? 0 : passage[slot]).toBe(bestPassage);
        }
        expect(table.size).toBe([...expected.values()].reduce((sum, passages) => sum + passages.size, 0));
      }),
    );
  });

  it('keeps cosines within a hundredth when vectors become bytes', () => {
    const a = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i * 1.7));
    const b = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i * 1.7 + 0.8));
    const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, v, i) => sum + v * (y[i] ?? 0), 0);
    const table = new VectorTable(384);
    table.set(0, 0, quantize(a));
    const exact = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    expect(Math.abs((table.scan(quantize(b), 1).cosine[0] ?? 0) - exact)).toBeLessThan(0.01);
  });
});
