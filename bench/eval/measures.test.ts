import { describe, expect, it } from 'vitest';
import { allAt, auroc, aurocOf, hitAt, meanOf, ndcgAt, recallAt, reciprocalRank } from './measures.ts';

const ranked = (ids: string, relevant: string) => ({ ids: ids.split(''), relevant: new Set(relevant.split('')) });

describe('measures', () => {
  it('count relevant ones among the first k', () => {
    expect(recallAt(3, ranked('abcd', 'bd'))).toBe(0.5);
    expect(recallAt(4, ranked('abcd', 'bd'))).toBe(1);
    expect(hitAt(1, ranked('abcd', 'bd'))).toBe(0);
    expect(hitAt(2, ranked('abcd', 'bd'))).toBe(1);
    expect(allAt(3, ranked('abcd', 'bd'))).toBe(0);
    expect(allAt(4, ranked('abcd', 'bd'))).toBe(1);
  });

  it('weigh ranks', () => {
    expect(reciprocalRank(ranked('abcd', 'cd'))).toBeCloseTo(1 / 3);
    expect(reciprocalRank(ranked('ab', 'z'))).toBe(0);
    expect(ndcgAt(10, ranked('ab', 'ab'))).toBe(1);
    expect(ndcgAt(10, ranked('xa', 'ab'))).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)));
    expect(ndcgAt(1, ranked('xa', 'a'))).toBe(0);
  });

  it('compare scores of two groups, ties counting half', () => {
    expect(auroc([3, 2], [1, 0])).toBe(1);
    expect(auroc([0], [1])).toBe(0);
    expect(auroc([1, 1], [1])).toBe(0.5);
    expect(auroc([1, 3], [2, 1])).toBe(0.625);
  });

  it('come with an interval around the value, the same every time', () => {
    const values = Array.from({ length: 100 }, (_, i) => Number(i < 70));
    const estimate = meanOf(values);
    expect(estimate).toMatchObject({ value: 0.7, count: 100 });
    expect(estimate?.low).toBeGreaterThan(0.58);
    expect(estimate?.low).toBeLessThan(0.66);
    expect(estimate?.high).toBeGreaterThan(0.74);
    expect(meanOf(values)).toEqual(estimate);
    expect(meanOf([])).toBeNull();
    expect(aurocOf([1], [])).toBeNull();
    expect(aurocOf([3, 2], [1, 0])).toEqual({ value: 1, low: 1, high: 1, count: 4 });
  });
});
