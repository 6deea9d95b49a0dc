import { describe, expect, it } from 'vitest';
import { commonCompounds, knownNames, questionTerms } from './question.ts';
import type { Vocabulary } from './spelling.ts';
import { tagTerm, wordsOf } from './tokenize.ts';

const vocabulary = (...terms: string[]): Vocabulary => ({
  documents: 10,
  documentFrequency: (term) => Number(terms.includes(term)),
  termsFrom: (beginning) => terms.filter((term) => term.startsWith(beginning)),
});
const ask = (question: string, ...known: string[]) => questionTerms(question, vocabulary(...known), []);

describe('questionTerms', () => {
  it('give each word once', () => {
    expect(ask('deploy the deployed deployment', 'deploy').map(({ term }) => term)).toEqual(['deploy']);
  });

  it('weigh a known compound and its parts together as one word', () => {
    const terms = ask('the ecommerce-api', 'ecommerce-api', 'ecommerc', 'api');
    expect(terms.map(({ term, weight }) => [term, weight])).toEqual([['ecommerce-api', 0.6], ['ecommerc', 0.3], ['api', 0.3]]); // prettier-ignore
  });

  it('leave a compound that nobody knows to its parts', () => {
    expect(ask('self-host', 'self', 'host').map(({ term, weight }) => [term, weight])).toEqual([['self', 1], ['host', 1]]); // prettier-ignore
  });

  it('take a word that no document has for the nearest that some has, at a discount', () => {
    expect(ask('typscript', 'typescript')).toEqual([{ term: 'typescript', weight: 0.9, kind: 'word' }]);
    expect(ask('typescript', 'typescript')[0]?.weight).toBe(1);
    expect(ask('unheard', 'typescript')).toEqual([{ term: 'unheard', weight: 1, kind: 'word' }]);
  });

  it('find the tags that stand in the question word for word', () => {
    const tag = (text: string): string => tagTerm(wordsOf(text));
    const known = [tag('error handling'), tag('MongoDB'), tag('dead_letter_queue'), tag('handling')];
    const tags = (question: string) => ask(question, ...known).filter(({ kind }) => kind === 'tag').map(({ term }) => term); // prettier-ignore
    expect(tags('how about errors handled in MongoDB?')).toEqual([
      tag('error handling'),
      tag('handling'),
      tag('MongoDB'),
    ]);
    expect(tags('the dead letter queue, dead letters')).toEqual([tag('dead_letter_queue')]);
    expect(tags('handling of an error')).toEqual([tag('handling')]);
  });

  it('stem by the language of the question, and as English what that does not know', () => {
    const known = ['nomad', 'deploy'];
    const terms = ask('¿Cuál de los nómadas es el del deployment?', ...known).map(({ term }) => term);
    expect(terms).toEqual(expect.arrayContaining(known));
  });
});

describe('knownNames', () => {
  it('are those that some document has, without the names of the spaces asked', () => {
    const names = (question: string, ...own: string[]) =>
      knownNames(question, [vocabulary('melani'), vocabulary('acm')], own).map(({ text }) => text);
    expect(names('What did Melanie and Zoe tell Acme?')).toEqual(['Melanie', 'Acme']);
    expect(names('What did Melanie and Zoe tell Acme?', 'personal', 'space:acme')).toEqual(['Melanie']);
  });
});

describe('commonCompounds', () => {
  const common = (frequency: number, ...documents: number[]) => {
    const known = documents.map((each) => ({ ...vocabulary(), documents: each, documentFrequency: () => frequency }));
    return commonCompounds('What does the ecommerce-api log?', known, []).map(({ text }) => text);
  };

  it('are in more than a twentieth of all documents asked, and in two at least', () => {
    expect(common(6, 100)).toEqual(['ecommerce-api']);
    expect(common(5, 100)).toEqual([]);
    expect(common(5, 100, 50)).toEqual(['ecommerce-api']);
    expect(common(1, 3)).toEqual([]);
    expect(common(2, 3)).toEqual(['ecommerce-api']);
    expect(common(0, 0)).toEqual([]);
  });

  it('are not names a second time', () => {
    const known = { ...vocabulary(), documentFrequency: () => 9 };
    const question = 'Does PAY-1041 break the ecommerce-api?';
    const names = knownNames(question, [known], []);
    expect(names.map(({ text }) => text)).toEqual(['PAY-1041']);
    expect(commonCompounds(question, [known], names).map(({ text }) => text)).toEqual(['ecommerce-api']);
  });
});
