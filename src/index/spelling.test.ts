import { describe, expect, it } from 'vitest';
import { nearestTerm } from './spelling.ts';

const known = (counts: Record<string, number>) => ({
  documents: 100,
  documentFrequency: (term: string) => counts[term] ?? 0,
  termsFrom: (beginning: string) => Object.keys(counts).filter((term) => term.startsWith(beginning)),
});

describe('nearestTerm', () => {
  it('forgives one edit in a word, two in a long one', () => {
    const terms = known({ mongo: 1, error: 1, typescript: 1, redi: 1 });
    expect(nearestTerm('mongod', terms)).toBe('mongo');
    expect(nearestTerm('eror', terms)).toBe('error');
    expect(nearestTerm('typsecript', terms)).toBe('typescript');
    expect(nearestTerm('tipsecript', terms)).toBeNull();
    expect(nearestTerm('reedi', terms)).toBe('redi');
    expect(nearestTerm('mongodb', terms)).toBeNull();
  });

  it('takes no word with another beginning, no short word, and no identifier', () => {
    const terms = known({ mongo: 1, k8s: 1, 'pay-1041': 1, abc: 1 });
    expect(nearestTerm('mango', terms)).toBeNull();
    expect(nearestTerm('k9s', terms)).toBeNull();
    expect(nearestTerm('pay-1042', terms)).toBeNull();
    expect(nearestTerm('abd', terms)).toBeNull();
  });

  it('takes no word that differs in its last letter alone: stems of different words do', () => {
    expect(nearestTerm('compon', known({ compos: 1 }))).toBeNull();
    expect(nearestTerm('copmos', known({ compos: 1 }))).toBe('compos');
  });

  it('prefers fewer edits, then the frequent word, then the first', () => {
    expect(nearestTerm('deployng', known({ deploying: 1, deploy: 9 }))).toBe('deploying');
    expect(nearestTerm('stage', known({ stager: 1, staged: 5 }))).toBe('staged');
    expect(nearestTerm('stage', known({ stager: 2, staged: 2 }))).toBe('staged');
  });
});
