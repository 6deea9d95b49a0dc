import { describe, expect, it } from 'vitest';
import { barOf, fit, relevance, type Signals } from './relevance.ts';

const BAR = { usual: 0.56, lead: 0.2 };
const score = (of: Signals, hasNames: boolean): number => relevance(fit(of), of.named, hasNames);
const signals = (more: Partial<Signals>): Signals => ({ nearness: null, words: 0, rarest: 0, named: 0, ...more });

describe('relevance', () => {
  it('is zero where nothing speaks for a document, whatever the question names', () => {
    expect(score(signals({}), false)).toBe(0);
    expect(score(signals({}), true)).toBe(0);
  });

  it('sums nearness, words, the rarest word, and the name', () => {
    const all = signals({ nearness: 0.4, words: 0.5, rarest: 0.8, named: 0.6 });
    expect(score(all, true)).toBeCloseTo(0.4 + 0.7 * 0.5 + 0.3 * 0.8 + 0.4 * 0.6, 10);
  });

  it('counts a whole tag as the rarest word where no single word is as rare', () => {
    const tagged = { nearness: 0, words: 0.1, named: 0.9 };
    expect(fit(signals({ ...tagged, rarest: 0.2 }))).toBe(fit(signals({ ...tagged, rarest: 0.9 })));
  });

  it('lets a rare name be enough by itself, in however long a question', () => {
    const rare = signals({ nearness: 0, words: 0.02, rarest: 0.85, named: 0.85 });
    expect(score(rare, true)).toBeGreaterThan(barOf(BAR, null, 0));
  });

  it('puts what lacks the name behind what has it', () => {
    const about = { nearness: 0.4, words: 0.3, rarest: 0.3 };
    expect(score(signals({ ...about, named: 0.1 }), true)).toBeGreaterThan(score(signals(about), true) + 0.3);
  });
});

describe('the bar of a question', () => {
  const best = { score: 0.9, fit: 0.8, named: 0.15, isLong: false };

  it('is the usual one without names, and without a best document', () => {
    expect(barOf(BAR, best, Number.NEGATIVE_INFINITY)).toBe(0.56);
    expect(barOf(BAR, null, 2)).toBe(0.56);
  });

  it('rises when what is asked is known of another than the one who is named', () => {
    expect(barOf(BAR, best, 0.6)).toBeCloseTo(0.56, 10);
    expect(barOf(BAR, best, 0.7)).toBeCloseTo(0.66, 10);
    expect(barOf(BAR, best, 1.1)).toBeCloseTo(1.06, 10);
  });

  it('does not rise for a name so rare that it is enough by itself', () => {
    expect(barOf(BAR, { ...best, named: 0.5 }, 1.1)).toBe(0.56);
  });

  it('is lower where the best is a long text, of which a question fits a part', () => {
    const long = { ...best, isLong: true };
    expect(barOf(BAR, long, Number.NEGATIVE_INFINITY)).toBeCloseTo(0.46, 10);
    expect(barOf(BAR, long, 0.7)).toBeCloseTo(0.56, 10);
    expect(barOf(BAR, { ...long, score: 1.6 }, Number.NEGATIVE_INFINITY)).toBeCloseTo(0.72, 10);
  });

  it('is at least 45% of the best score: the rest answers another question', () => {
    expect(barOf(BAR, { ...best, score: 1.6, fit: 1.2, named: 0.9 }, Number.NEGATIVE_INFINITY)).toBeCloseTo(0.72, 10);
  });
});
