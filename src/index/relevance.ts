// How much a document answers a question, as one number on an absolute scale: it ranks, and it decides abstention.
// Invariant: one set of constants for all memories; only the bar belongs to the embedder.

/** Weight of words (BM25 over its bound) beside nearness, which counts once. */
const WORDS = 0.7;
/** Weight of the rarest matched word, name or whole tag, however long the question. */
const RAREST = 0.3;
/** Weight of the rarest matched name or whole tag, on top: a rare one is enough by itself. */
const NAMED = 0.4;
/** Taken off where the question names somebody or something that memory knows, and the document has none of it. */
const NOT_NAMED = 0.3;
/** Weight of the best other document of the same sitting: what was stored together is about one thing. */
const SITTING = 0.2;
/** What nearness tends to be, given the words: stands in while there is no vector. */
const NEARNESS_WITHOUT_VECTOR = 0.1;
const NEARNESS_PER_WORDS = 0.6;

/** How much of a name's direction is taken off the question's vector. */
export const NAME_SHARE = 0.6;

/** What decides abstention. */
export interface Bar {
  /** The usual bar, below which nothing is returned. */
  readonly usual: number;
  /** What the best of those that are named must be ahead of the best of all others by, or memory is taken to know it of another. */
  readonly lead: number;
}

export const BAR_WITH_VECTORS: Bar = { usual: 0.56, lead: 0.25 };
export const BAR_WORDS_ONLY: Bar = { usual: 0.42, lead: 0.2 };
/**
 * Taken off the usual bar where the best document is a long one: a question fits a part of it, and its words are few among
 * all that it has.
 */
const EASE_OF_LONG = 0.1;
/** More characters than about two passages have make a document long. */
export const LONG = 1200;
/** A name that is as rare as this (see `named`) is enough by itself, whatever the others say. */
const RARE_NAME = 0.5;
/** What has less than this share of the best score does not answer the same question. */
const LEAST_OF_THE_BEST = 0.45;

/** What speaks for a document. */
export interface Signals {
  /** See vector-table.ts; null without a vector. */
  readonly nearness: number | null;
  /** These three: see {@link WordScores} in postings.ts. */
  readonly words: number;
  readonly rarest: number;
  readonly named: number;
}

/** How well a document fits what is asked, whoever it is about. Zero when nothing speaks for it. */
export function fit({ nearness, words, rarest, named }: Signals): number {
  if (nearness === null && words === 0) return 0;
  return (
    (nearness ?? NEARNESS_WITHOUT_VECTOR + NEARNESS_PER_WORDS * words) +
    WORDS * words +
    RAREST * Math.max(rarest, named)
  );
}

/**
 * The score of a document by itself. `fits`: its {@link fit}; `hasNames`: the question has names that the memory knows.
 */
export function relevance(fits: number, named: number, hasNames: boolean): number {
  if (fits === 0) return 0;
  return fits + (hasNames && named === 0 ? -NOT_NAMED : NAMED * named);
}

/** What a document gains by the best other one of its sitting. */
export function bySitting(bestOther: number): number {
  return SITTING * Math.max(0, bestOther);
}

/** The best document of a question. */
export interface Best {
  readonly score: number;
  readonly fit: number;
  readonly named: number;
  /** Whether it has more than {@link LONG} characters. */
  readonly isLong: boolean;
}

/**
 * The bar of one question. `bar`: the embedder's; `best`: the best document, null without one; `othersFit`: the best
 * {@link fit} among the documents that have none of the question's names, minus infinity where it has no names.
 *
 * "What did Caroline paint?" is answered by nobody when all that is known of painting is about Melanie: then what has
 * Caroline's name fits no better than what has not, and the bar rises by what it lacks.
 */
export function barOf({ usual, lead }: Bar, best: Best | null, othersFit: number): number {
  if (best === null) return usual;
  const least = best.isLong ? usual - EASE_OF_LONG : usual;
  const lacks = best.named >= RARE_NAME ? 0 : Math.max(0, othersFit + lead - best.fit);
  return Math.max(least + lacks, LEAST_OF_THE_BEST * best.score);
}
