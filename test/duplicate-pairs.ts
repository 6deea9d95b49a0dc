// The public sentence pairs that the near-duplicate rule is measured on, and the measuring. The pairs may not be copied
// into the project; they are read from a folder beside it. Invariant: what is measured is the product's own function.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareStatements } from '../src/memory/near-duplicate.ts';

export interface DuplicatePair {
  readonly id: string;
  readonly set: 'stsb' | 'sick';
  readonly split: 'train' | 'dev';
  readonly a: string;
  readonly b: string;
  /** 5 is the same; 0 (STS-B) or 1 (SICK) unrelated. */
  readonly score: number;
  /** 1 the same, 0 not, null between. */
  readonly label: 0 | 1 | null;
  readonly relation?: 'ENTAILMENT' | 'NEUTRAL' | 'CONTRADICTION';
}

export const PAIRS_FILE = join(
  process.env['STET_EVAL'] ?? join(import.meta.dirname, '../../shared/eval'),
  'near-duplicates/pairs.jsonl',
);

/** All pairs; null where the data are not on this machine. */
export function readPairs(): DuplicatePair[] | null {
  if (!existsSync(PAIRS_FILE)) return null;
  const lines = readFileSync(PAIRS_FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as DuplicatePair);
}

export interface DuplicateMeasure {
  readonly pairs: number;
  /** Taken for the same and labelled so; taken but labelled otherwise; labelled so but not taken; taken and unlabelled. */
  readonly hits: number;
  readonly falseAlarms: number;
  readonly misses: number;
  readonly between: number;
  readonly contradictions: number;
  readonly contradictionsTaken: readonly DuplicatePair[];
  /** Shares, of the pairs not taken for the same, that are called similar: of those scored 3.5 and more, 1.5 and less. */
  readonly similarOfClose: number;
  readonly similarOfFar: number;
}

/** What the rule makes of pairs, given their cosines (or null where there are none). */
export function measureDuplicates(
  pairs: readonly DuplicatePair[],
  cosineOf: (pair: DuplicatePair) => number | null,
): DuplicateMeasure {
  const judged = pairs.map((pair) => ({ pair, likeness: compareStatements(pair.a, pair.b, cosineOf(pair)) }));
  const taken = judged.filter(({ likeness }) => likeness === 'identical' || likeness === 'near-identical');
  const left = judged.filter(({ likeness }) => likeness === 'similar' || likeness === 'different');
  const similarShare = (of: (pair: DuplicatePair) => boolean): number => {
    const chosen = left.filter(({ pair }) => of(pair));
    return chosen.filter(({ likeness }) => likeness === 'similar').length / chosen.length;
  };
  const labelled = (label: 0 | 1 | null): number => taken.filter(({ pair }) => pair.label === label).length;
  return {
    pairs: pairs.length,
    hits: labelled(1),
    falseAlarms: labelled(0),
    misses: left.filter(({ pair }) => pair.label === 1).length,
    between: labelled(null),
    contradictions: pairs.filter((pair) => pair.relation === 'CONTRADICTION').length,
    contradictionsTaken: taken.map(({ pair }) => pair).filter((pair) => pair.relation === 'CONTRADICTION'),
    similarOfClose: similarShare((pair) => pair.score >= 3.5),
    similarOfFar: similarShare((pair) => pair.score <= 1.5),
  };
}
