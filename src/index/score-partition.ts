// Scores the documents of one partition for one question. Invariant: what is not accepted is never scored, and lifts no
// other document.
import type { Accept } from './memory-index.ts';
import type { Partition } from './partition.ts';
import type { QuestionTerm } from './postings.ts';
import type { Quantized } from './quantized.ts';
import type { Ranking } from './ranking.ts';
import { bySitting, fit, relevance, type Signals } from './relevance.ts';
import { NO_VECTOR } from './vector-table.ts';

/** A document in the ranking, with what is needed to explain it. */
export interface Candidate {
  readonly partition: Partition;
  readonly slot: number;
  readonly signals: Signals;
  /** The number of the nearest passage; null without a vector. */
  readonly passage: number | null;
  readonly terms: readonly QuestionTerm[];
}

export interface PartitionQuestion {
  readonly terms: readonly QuestionTerm[];
  /** What is compared with the documents' vectors; null for words alone. */
  readonly vector: Quantized | null;
  readonly accept: Accept;
  /** Whether what was stored together lifts one another. */
  readonly useSittings: boolean;
}

/**
 * Adds every accepted document that anything speaks for. Returns the best fit among those that have none of the
 * question's names; minus infinity without names or without such a document.
 */
export function scorePartition(
  partition: Partition,
  question: PartitionQuestion,
  ranking: Pick<Ranking<Candidate>, 'add'>,
): number {
  const { terms, vector, useSittings } = question;
  const accepted = partition.accepted(question.accept);
  const { words, rarest, named } = partition.scoreWords(terms);
  const vectors = vector === null ? null : partition.scoreVectors(vector);
  const hasNames = terms.some(({ kind }) => kind === 'name');
  const { sittings } = partition;
  const scores = new Float64Array(partition.slots);
  const scored: number[] = [];
  let othersFit = Number.NEGATIVE_INFINITY;
  const signalsOf = (slot: number): Signals => {
    const near = vectors?.nearness[slot] ?? NO_VECTOR;
    return {
      nearness: near === NO_VECTOR ? null : near,
      words: words[slot] ?? 0,
      rarest: rarest[slot] ?? 0,
      named: named[slot] ?? 0,
    };
  };
  sittings.reset();
  for (let slot = 0; slot < partition.slots; slot++) {
    if (accepted[slot] !== 1) continue;
    const signals = signalsOf(slot);
    const fits = fit(signals);
    const score = relevance(fits, signals.named, hasNames);
    if (hasNames && signals.named === 0 && fits > othersFit) othersFit = fits;
    if (score <= 0) continue;
    scores[slot] = score;
    scored.push(slot);
    sittings.note(slot, score);
  }
  for (const slot of scored) {
    const own = scores[slot] ?? 0;
    const score = useSittings ? own + bySitting(sittings.bestOther(slot, own)) : own;
    const id = partition.entry(slot)?.document.id ?? '';
    ranking.add(id, score, () => ({
      partition,
      slot,
      signals: signalsOf(slot),
      passage: vectors === null || vectors.nearness[slot] === NO_VECTOR ? null : (vectors.passage[slot] ?? null),
      terms,
    }));
  }
  return othersFit;
}
