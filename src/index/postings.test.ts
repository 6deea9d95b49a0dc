import * as fc from 'fast-check';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { Postings } from './postings.ts';

const exactly = (...terms: string[]) => terms.map((term) => ({ term, exact: true }));
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
  const bound = weights.reduce((sum, weight) => sum + weight * 2.2, 0);
  return documents.map((terms) => {
    let sum = 0;
    for (const [i, term] of question.entries()) {
      const count = terms.filter((other) => other === term).length;
      sum += ((weights[i] ?? 0) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * terms.length) / average));
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
        const { words } = postings.score(exactly(...question));
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
          searchOptions: { bm25: { k: 1.2, b: 0.75, d: 0 } },
        });
        const postings = new Postings();
        for (const [id, terms] of documents.entries()) {
          miniSearch.add({ id, text: terms.join(' ') });
          postings.add(id, counts(terms));
        }
        const { words, matched } = postings.score(exactly(...question));
        const found = miniSearch.search(question.join(' '));
        expect(new Set(matched)).toEqual(new Set(found.map(({ id }) => id as number)));
        expect(matched).toHaveLength(found.length);
        const bound = question.reduce((sum, term) => {
          const n = postings.documentFrequency(term);
          return sum + Math.log(1 + (documents.length - n + 0.5) / (n + 0.5)) * 2.2;
        }, 0);
        // MiniSearch multiplies the sum by the number of matched terms; ours does not.
        for (const { id, score, terms } of found) {
          expect((words[id as number] ?? 0) * bound * terms.length).toBeCloseTo(score, 9);
        }
      }),
    );
  });

  it('know the rarest exact term that a document has', () => {
    const postings = new Postings();
    for (let slot = 0; slot < 20; slot++) postings.add(slot, counts(slot === 7 ? ['rare', 'common'] : ['common']));
    const { rarest } = postings.score([...exactly('rare', 'common'), { term: 'other', exact: false }]);
    expect(rarest[7]).toBeGreaterThan(0.6);
    expect(rarest[3]).toBeLessThan(0.1);
    expect(postings.score([{ term: 'rare', exact: false }]).rarest[7]).toBe(0);
  });
});
