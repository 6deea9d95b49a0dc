import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLines } from './merge-lines.ts';

const lines = (text: string): string[] => (text === '' ? [] : text.split(' '));
const merge = (base: string, ours: string, theirs: string): string | null =>
  mergeLines(lines(base), lines(ours), lines(theirs))?.join(' ') ?? null;

describe('lines of two sides', () => {
  it.each([
    { base: 'a b c', ours: 'a b c', theirs: 'a x c', merged: 'a x c' },
    { base: 'a b c d e', ours: 'A b c d e', theirs: 'a b c d E', merged: 'A b c d E' },
    { base: 'a b c', ours: 'a b c', theirs: '', merged: '' },
    { base: 'a b c', ours: 'a x c', theirs: 'a x c', merged: 'a x c' },
    { base: 'a b c d', ours: 'b c d', theirs: 'a b c', merged: 'b c' },
    { base: 'a b c d', ours: 'n a b c d', theirs: 'a b c d e', merged: 'n a b c d e' },
    { base: '', ours: 'a', theirs: 'a', merged: 'a' },
  ])('$base, $ours, $theirs come to $merged', ({ base, ours, theirs, merged }) => {
    expect(merge(base, ours, theirs)).toBe(merged);
  });

  it.each([
    { why: 'the same line changed twice', base: 'a b c', ours: 'a x c', theirs: 'a y c' },
    { why: 'neighbouring lines changed', base: 'a b c', ours: 'a x c', theirs: 'a b y' },
    { why: 'both put something at the end', base: 'a', ours: 'a x', theirs: 'a y' },
    { why: 'a changed line was removed', base: 'a b c', ours: 'a c', theirs: 'a x c' },
    { why: 'they have nothing in common', base: '', ours: 'x', theirs: 'y' },
  ])('do not merge where $why', ({ base, ours, theirs }) => {
    expect(merge(base, ours, theirs)).toBeNull();
  });

  it('are not compared where that would take minutes', () => {
    const blank = Array.from({ length: 20_000 }, () => '');
    expect(mergeLines(blank, ['x', ...blank, 'x'], [...blank, 'y', ''])).toBeNull();
  });

  it('merge however long what they have in common is', () => {
    const common = Array.from({ length: 100_000 }, (_, n) => `line ${n}`);
    expect(mergeLines(common, ['x', ...common], common)).toEqual(['x', ...common]);
    expect(mergeLines(common, ['x', ...common.slice(1)], common)).toEqual(['x', ...common.slice(1)]);
  });
});

const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { maxLength: 12 });

describe('merging lines, whatever they are', () => {
  it('gives the same whichever side is ours', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(mergeLines(base, ours, theirs)).toEqual(mergeLines(base, theirs, ours));
      }),
    );
  });

  it('takes the side that alone changed', () => {
    fc.assert(
      fc.property(text, text, (base, ours) => {
        expect(mergeLines(base, ours, base)).toEqual(ours);
      }),
    );
  });

  it('loses no line that either side wrote', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(11)), fc.array(fc.nat(11)), (base, here, there) => {
        const write = (places: readonly number[], mark: string) =>
          places.reduce<string[]>((now, place, n) => now.toSpliced(place, 0, `${mark}${n}`), base);
        const [ours, theirs] = [write(here, 'ours'), write(there, 'theirs')];
        const merged = mergeLines(base, ours, theirs);
        for (const line of merged === null ? [] : [...ours, ...theirs]) expect(merged).toContain(line);
      }),
    );
  });
});
