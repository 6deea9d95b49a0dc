import { describe, expect, it } from 'vitest';
import { compoundsOf, namesOf } from './names.ts';

const names = (question: string): string[] => namesOf(question).map(({ text }) => text);

describe('namesOf', () => {
  it('finds what is capitalised within a sentence, once', () => {
    expect(names("What did Caroline tell Melanie about Caroline's trip?")).toEqual(['Caroline', 'Melanie']);
    expect(names('Thanks. How do we use Redis and PAY-1041?')).toEqual(['Redis', 'PAY-1041']);
  });

  it('finds identifiers anywhere and in any case', () => {
    expect(names('k8s pods or pay-1041, react.js, getUserById and src/app.ts?')).toEqual([
      'k8s',
      'pay-1041',
      'react.js',
      'getUserById',
      'src/app.ts',
    ]);
    expect(names('is it well-known that 42 is an answer?')).toEqual([]);
  });

  it('finds none where capitals mean nothing', () => {
    expect(names('what did caroline do')).toEqual([]);
    expect(names('Redis is what?')).toEqual([]);
    expect(names('What do I do?')).toEqual([]);
    expect(names('Show Matching Entries For The Help')).toEqual([]);
    expect(names('WHY IS THE BUILD RED')).toEqual([]);
    expect(names('')).toEqual([]);
  });
});

describe('compoundsOf', () => {
  it('finds words with hyphens between letters, once', () => {
    const texts = compoundsOf('Is the ecommerce-api well-known? - The Ecommerce-API, pay-1041 and -x or 10-12').map(
      ({ text }) => text,
    );
    expect(texts).toEqual(['ecommerce-api', 'well-known', 'pay-1041']);
  });
});
