// How much a document answers a question, as one number on an absolute scale: it ranks, and it decides abstention.
// Invariant: one set of constants for all memories; only the bar belongs to the embedder.

/** What the two signals say of one document. */
export interface Signals {
  /** Cosine of the best passage, in [-1, 1]; null without a vector. */
  readonly cosine: number | null;
  /** BM25 over its upper bound for the question, in [0, 1]. */
  readonly words: number;
  /** Rarity of the rarest matched identifier, in [0, 1). */
  readonly rarest: number;
}

const WORDS_WEIGHT = 0.3;
const EXACT_WEIGHT = 0.35;
/** Below this rarity an identifier is common in the memory and says nothing by itself. */
const EXACT_FLOOR = 0.4;
/** What the cosine of a document tends to be, given its words: stands in while the vector is missing. */
const COSINE_WITHOUT_WORDS = 0.1;
const COSINE_PER_WORDS = 0.6;

/** Nothing below it is returned: with vectors, and with words alone. */
export const BAR_WITH_VECTORS = 0.35;
export const BAR_WORDS_ONLY = 0.3;

export function relevance({ cosine, words, rarest }: Signals): number {
  const similarity = cosine ?? (words === 0 ? 0 : COSINE_WITHOUT_WORDS + COSINE_PER_WORDS * words);
  return similarity + WORDS_WEIGHT * words + (rarest < EXACT_FLOOR ? 0 : EXACT_WEIGHT * rarest);
}
