import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PASSAGE_CHARACTERS, splitPassages } from './passages.ts';

describe('splitPassages', () => {
  it('leaves a text that fits in one piece', () => {
    expect(splitPassages('  One sentence.\n\nAnother.  ')).toEqual(['One sentence.\n\nAnother.']);
    expect(splitPassages(' \n ')).toEqual([]);
  });

  it('cuts between paragraphs before lines, lines before sentences, sentences before words', () => {
    const words = (count: number): string => 'word '.repeat(count).trim();
    expect(splitPassages(`${words(60)}\nline\n\n${words(60)}`)).toEqual([`${words(60)}\nline`, words(60)]);
    expect(splitPassages(`${words(60)}. Next\n${words(60)}`)).toEqual([`${words(60)}. Next`, words(60)]);
    expect(splitPassages(`${words(60)}. Next ${words(60)}`)).toEqual([`${words(60)}.`, `Next ${words(60)}`]);
    expect(splitPassages('字'.repeat(400) + '。' + '字'.repeat(400))).toEqual([
      '字'.repeat(400) + '。',
      '字'.repeat(400),
    ]);
  });

  it('never splits a surrogate pair', () => {
    for (const passage of splitPassages('x' + '😀'.repeat(700)))
      expect(passage).not.toMatch(/[\ud800-\udbff]$|^[\udc00-\udfff]/);
  });

  it('loses nothing but white space, keeps order, and stays within the limit', () => {
    const text = fc.array(fc.constantFrom('a', 'word ', 'end. ', '\n', '\n\n', 'long'.repeat(50), '字', '  '), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join('');
        const passages = splitPassages(whole);
        let from = 0;
        for (const passage of passages) {
          expect(passage.length).toBeLessThanOrEqual(PASSAGE_CHARACTERS);
          const at = whole.indexOf(passage, from);
          expect(whole.slice(from, at).trim()).toBe('');
          from = at + passage.length;
        }
        expect(whole.slice(from).trim()).toBe('');
      }),
    );
  });
});
