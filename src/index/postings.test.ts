import * as fc from 'fast-check';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { B, K1, Postings } from './postings.ts';

const asked = (...terms: string[]) => terms.map((term) => ({ term, weight: 1, kind: 'word' as const }));
const counts = (terms: readonly string[]): Map<string, number> => {
  const map = new Map<string, number>();
  for (const term of terms) map.set(term, (map.get(term) ?? 0) + 1);
  return map;
};

/** The formula as in the books, over plain lists. */
function slowWords(documents: ReadonlyArray<readonly string[]>, question: readonly string[]): number[] {
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const idf = (n: number): number => Math.log(1 + (documents.length - n + 0.5) / (n + 0.5));
  const weights = question.map((term) => idf(documents.filter((terms) => terms.includes(term)).length));
  const bound = weights.reduce((sum, weight) => sum + weight * (K1 + 1), 0);
  return documents.map((terms) => {
    let sum = 0;
    for (const [i, term] of question.entries()) {
      const count = terms.filter((other) => other === term).length;
      sum += ((weights[i] ?? 0) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * terms.length) / average));
    }
    return sum / bound;
  });
}

const term = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const documentTerms = fc.array(term, { minLength: 1, maxLength: 8 });
const question = fc.uniqueArray(fc.oneof(term, fc.constant('unknown')), { minLength: 1, maxLength: 5 });

describe('postings', () => {
  it('score as the formula says, after any sequence of additions, removals and freezes', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: documentTerms.map((terms) => ({ add: terms })) },
      { weight: 2, arbitrary: fc.nat(20).map((remove) => ({ remove })) },
      { weight: 1, arbitrary: fc.constant({ freeze: true }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), question, (steps, question) => {
        const postings = new Postings();
        const live = new Map<number, string[]>();
        let slots = 0;
        const free: number[] = [];
        for (const step of steps) {
          if ('add' in step) {
            const slot = free.pop() ?? slots++;
            live.set(slot, step.add);
            postings.add(slot, counts(step.add));
          } else if ('freeze' in step) {
            postings.freeze();
          } else {
            const slot = [...live.keys()][step.remove];
            if (slot === undefined) continue;
            postings.remove(slot, counts(live.get(slot) ?? []));
            live.delete(slot);
            free.push(slot);
          }
        }
        const expected = slowWords([...live.values()], question);
        const { words } = postings.score(asked(...question));
        const order = [...live.keys()];
        for (let slot = 0; slot < slots; slot++)
          expect(words[slot]).toBeCloseTo(expected[order.indexOf(slot)] ?? 0, 12);
      }),
    );
  });

  it('agree with MiniSearch where both mean the same: terms that occur once a document', () => {
    const documents = fc.array(fc.uniqueArray(term, { minLength: 1 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(documents, question, (documents, question) => {
        const miniSearch = new MiniSearch<{ id: number; text: string }>({
          fields: ['text'],
          searchOptions: { bm25: { k: K1, b: B, d: 0 } },
        });
        const postings = new Postings();
        for (const [id, terms] of documents.entries()) {
          miniSearch.add({ id, text: terms.join(' ') });
          postings.add(id, counts(terms));
        }
        const { words } = postings.score(asked(...question));
        const found = miniSearch.search(question.join(' '));
        const matched = [...documents.keys()].filter((slot) => (words[slot] ?? 0) > 0);
        expect(new Set(found.map(({ id }) => id as number))).toEqual(new Set(matched));
        const bound = question.reduce((sum, term) => {
          const n = postings.documentFrequency(term);
          return sum + Math.log(1 + (documents.length - n + 0.5) / (n + 0.5)) * (K1 + 1);
        }, 0);
        // MiniSearch multiplies the sum by the number of matched terms; ours does not.
        for (const { id, score, terms } of found) {
          expect((words[id as number] ?? 0) * bound * terms.length).toBeCloseTo(score, 9);
        }
      }),
    );
  });

  it('know how rare the rarest matched term is, and the rarest matched name', () => {
    const postings = new Postings();
    for (let slot = 0; slot < 20; slot++) postings.add(slot, counts(slot === 7 ? ['rare', 'common'] : ['common']));
    const { rarest, named } = postings.score([
      { term: 'rare', weight: 1, kind: 'name' },
      { term: 'common', weight: 1, kind: 'word' },
    ]);
    expect(rarest[7]).toBeGreaterThan(0.6);
    expect(rarest[3]).toBeLessThan(0.1);
    expect([named[7], named[3]]).toEqual([rarest[7], 0]);
  });

  it('count a term for its weight', () => {
    const postings = new Postings();
    postings.add(0, counts(['a', 'x']));
    postings.add(1, counts(['b', 'y']));
    const { words } = postings.score([
      { term: 'a', weight: 0.25, kind: 'word' },
      { term: 'b', weight: 0.75, kind: 'word' },
    ]);
    expect((words[1] ?? 0) / (words[0] ?? 0)).toBeCloseTo(3, 12);
  });

  it('list the terms that some document has and that begin alike, each once', () => {
    const postings = new Postings();
    const found = () => [...postings.termsFrom('ab')].sort((x, y) => (x < y ? -1 : 1));
    postings.add(0, counts(['aba', 'abb', 'ac']));
    postings.add(1, counts(['abb', 'abc', 'b']));
    postings.freeze();
    expect(found()).toEqual(['aba', 'abb', 'abc']);
    postings.remove(0, counts(['aba', 'abb', 'ac']));
    postings.add(2, counts(['abc', 'abd']));
    expect(found()).toEqual(['abb', 'abc', 'abd']);
    postings.freeze();
    expect(found()).toEqual(['abb', 'abc', 'abd']);
  });
});
