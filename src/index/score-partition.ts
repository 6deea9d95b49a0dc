// Scores the documents of one partition for one question. Invariant: what is not accepted is never scored, and lifts no
// other document.
import type { Partition } from './partition.ts';
import type { QuestionTerm } from './postings.ts';
import type { Quantized } from './quantized.ts';
import type { Ranking } from './ranking.ts';
import { bySitting, relevance } from './relevance.ts';
import { NO_VECTOR } from './vector-table.ts';

/** A document in the ranking, with what is needed to explain it. */
export interface Candidate {
  readonly partition: Partition;
  readonly slot: number;
  readonly words: number;
  /** The number of the nearest passage; null without a vector. */
  readonly passage: number | null;
  readonly terms: readonly QuestionTerm[];
}

export interface PartitionQuestion {
  readonly terms: readonly QuestionTerm[];
  /** What is compared with the documents' vectors; null for words alone. */
  readonly vector: Quantized | null;
  readonly accept: (id: string) => boolean;
  /** Whether what was stored together lifts one another. */
  readonly useSittings: boolean;
}

/** Adds every accepted document that anything speaks for. */
export function scorePartition(partition: Partition, question: PartitionQuestion, ranking: Ranking<Candidate>): void {
  const { terms, vector, accept, useSittings } = question;
  const { words, rarest, named } = partition.scoreWords(terms);
  const vectors = vector === null ? null : partition.scoreVectors(vector);
  const hasNames = terms.some(({ kind }) => kind === 'name');
  const { sittings } = partition;
  const scores = new Float64Array(partition.slots);
  const scored: number[] = [];
  sittings.reset();
  for (let slot = 0; slot < partition.slots; slot++) {
    const near = vectors?.nearness[slot] ?? NO_VECTOR;
    const nearness = near === NO_VECTOR ? null : near;
    const score = relevance(nearness, words[slot] ?? 0, rarest[slot] ?? 0, named[slot] ?? 0, hasNames);
    if (score <= 0) continue;
    const entry = partition.entry(slot);
    if (entry === undefined || !accept(entry.document.id)) continue;
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
      words: words[slot] ?? 0,
      passage: vectors === null || vectors.nearness[slot] === NO_VECTOR ? null : (vectors.passage[slot] ?? null),
      terms,
    }));
  }
}
