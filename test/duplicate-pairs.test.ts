import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type DuplicatePair, measureDuplicates, PAIRS_FILE, readPairs } from './duplicate-pairs.ts';

const pairs = readPairs();

const register = pairs === null ? noteThatDataIsAbsent : () => measureOn(pairs);
register();

/** The data may not be copied into the project. The rule's own table of pairs is tested beside it, everywhere. */
function noteThatDataIsAbsent(): void {
  test(`the public sentence pairs are not on this machine (${PAIRS_FILE}): nothing is measured on them`, () => {
    expect(existsSync(PAIRS_FILE)).toBe(false);
  });
}

function measureOn(all: readonly DuplicatePair[]): void {
  test('no contradiction of SICK is taken for a duplicate', () => {
    const sick = all.filter((pair) => pair.set === 'sick');
    // The rule is the same with the nearest vectors that there can be.
    for (const cosine of [null, 1]) {
      const measure = measureDuplicates(sick, () => cosine);
      expect(measure.contradictions).toBeGreaterThan(700);
      expect(measure.contradictionsTaken).toEqual([]);
    }
  });

  test('at most one in a hundred duplicates found is none, in each set and split', () => {
    for (const set of ['stsb', 'sick'] as const) {
      for (const split of ['dev', 'train'] as const) {
        const measure = measureDuplicates(
          all.filter((pair) => pair.set === set && pair.split === split),
          () => null,
        );
        expect(measure.hits).toBeGreaterThan(20);
        expect(measure.falseAlarms / (measure.hits + measure.falseAlarms)).toBeLessThanOrEqual(0.01);
      }
    }
  });
}
