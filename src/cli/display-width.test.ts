import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, displayWidth, wrap } from './display-width.ts';

it('counts what a terminal shows, not code units', () => {
  expect(displayWidth('é')).toBe(1);
  expect(displayWidth('e\u0301')).toBe(1);
  expect(displayWidth('東京')).toBe(4);
  expect(displayWidth('👩‍👩‍👧')).toBe(2);
  expect(cut('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
});

describe('a text that is wrapped', () => {
  const keep = (width: number, hang = 0) => ({ width, hang, longWords: 'keep' }) as const;

  it('is broken at blanks, and stands apart as it did within a line', () => {
    expect(wrap('k3v9q2m7  fact  Tea is at four.', keep(18))).toEqual(['k3v9q2m7  fact', 'Tea is at four.']);
  });

  it('leaves room for what the lines after the first are indented', () => {
    expect(wrap('one two three four', keep(8, 4))).toEqual(['one two', 'three', 'four']);
    expect(wrap('aaa bbb ccc ddd', keep(7, 4))).toEqual(['aaa bbb', 'ccc', 'ddd']);
  });

  it('keeps a command together where a line can hold it', () => {
    expect(wrap('Run `stet edit k3v9q2m7`.', keep(22))).toEqual(['Run', '`stet edit k3v9q2m7`.']);
    expect(wrap('Run `stet edit k3v9q2m7`.', keep(14))).toEqual(['Run `stet edit', 'k3v9q2m7`.']);
  });

  it('breaks a long word only where it is told to, or between wide characters', () => {
    const path = '/home/ann/code/acme';
    expect(wrap(path, keep(8))).toEqual([path]);
    expect(wrap(path, { width: 8, longWords: 'break' })).toEqual(['/home/an', 'n/code/a', 'cme']);
    expect(wrap('東京オフィスは九時', keep(9))).toEqual(['東京オフ', 'ィスは九', '時']);
  });

  it('loses nothing, and fits', () => {
    const words = fc.array(
      fc.constantFrom('tea', '東京オフィス', '👩‍👩‍👧', 'e\u0301te\u0301', '`stet show`', 'incomprehensible'),
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (some, width) => {
        const lines = wrap(some.join(' '), { width, longWords: 'break' });
        expect(lines.join('').replaceAll(' ', '')).toBe(some.join('').replaceAll(' ', ''));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
