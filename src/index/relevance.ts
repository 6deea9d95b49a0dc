// How much a document answers a question, as one number on an absolute scale: it ranks, and it decides abstention.
// Invariant: one set of constants for all memories; only the bar belongs to the embedder.

/** Weight of words (BM25 over its bound) beside nearness, which counts once. */
const WORDS = 0.7;
/** Weight of the rarest matched word: an identifier or a name can be enough by itself, however long the question. */
const RAREST = 0.3;
/** Weight of the rarest matched name, on top: a rare name or identifier is enough by itself. */
const NAMED = 0.3;
/** Taken off where the question names somebody or something that memory knows, and the document has none of it. */
const NOT_NAMED = 0.3;
/** Weight of the best other document of the same sitting: what was stored together is about one thing. */
const SITTING = 0.05;
/** What nearness tends to be, given the words: stands in while there is no vector. */
const NEARNESS_WITHOUT_VECTOR = 0.1;
const NEARNESS_PER_WORDS = 0.6;

/** How much of a name's direction is taken off the question's vector. */
export const NAME_SHARE = 0.5;

/** Nothing below it is returned: with vectors, and with words alone. */
export const BAR_WITH_VECTORS = 0.5;
export const BAR_WORDS_ONLY = 0.46;

/**
 * `nearness`: see vector-table.ts, null without a vector; `words`, `rarest`, `named`: see postings.ts; `hasNames`: the
 * question has names that the memory knows. Zero when nothing speaks for the document.
 */
export function relevance(
  nearness: number | null,
  words: number,
  rarest: number,
  named: number,
  hasNames: boolean,
): number {
  if (nearness === null && words === 0) return 0;
  const near = nearness ?? NEARNESS_WITHOUT_VECTOR + NEARNESS_PER_WORDS * words;
  const byName = hasNames && named === 0 ? -NOT_NAMED : NAMED * named;
  return near + WORDS * words + RAREST * rarest + byName;
}

/** What a document gains by the best other one of its sitting. */
export function bySitting(bestOther: number): number {
  return SITTING * Math.max(0, bestOther);
}
