// The port to retrieval over the items of a memory: a partition a space and one for personal. A search opens only the
// partitions that it names, and every number in its answer (document frequencies, lengths, neighbours, the bar) comes
// from those alone.

/** What the index knows of one item. */
export interface IndexDocument {
  readonly id: string;
  /** The first paragraph. */
  readonly statement: string;
  /** The whole body, statement included. */
  readonly text: string;
  readonly kind: string;
  readonly tags: readonly string[];
  readonly target: string | null;
  /** ISO 8601 or whatever the file says. */
  readonly created: string;
}

/** `personal`, or the name of a space prefixed with `space:`. */
export type PartitionName = string;

export interface IndexChange {
  readonly partition: PartitionName;
  /** Added or replaced, by id. */
  readonly put: readonly IndexDocument[];
  /** Ids that are gone. */
  readonly remove: readonly string[];
}

/**
 * Whether a document takes part at all. The same function must say the same of a document until its partition changes or
 * another function is asked: with many documents that answer is kept.
 */
export type Accept = (id: string) => boolean;

export interface SearchRequest {
  readonly partitions: readonly PartitionName[];
  readonly question: string;
  /** How many results at most; 8 for a recall. */
  readonly limit: number;
  /** How many of the best that did not make it are listed in `missed`; 0 by default. */
  readonly missedLimit?: number;
  /** False takes a document out before it is scored (not current, another kind). */
  readonly accept: Accept;
  /** Which vocabulary items of the partitions may explain the question's words; those that are accepted unless given. */
  readonly defines?: (id: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface Scored {
  readonly id: string;
  /** The sum that ranks and decides abstention; on an absolute scale. */
  readonly score: number;
  /** The parts of the sum: cosine in [-1, 1] (null without a vector), words in [0, 1] of the question's upper bound. */
  readonly cosine: number | null;
  readonly words: number;
  /** The passage of a long text that answers best, verbatim; null when the statement does. */
  readonly passage: string | null;
}

export interface SearchResult {
  /** Best first, ties by id; none below the bar. */
  readonly hits: readonly Scored[];
  /** The best of the rest, best first: under the bar, or over the limit. */
  readonly missed: ReadonlyArray<Scored & { readonly reason: 'below-the-bar' | 'over-the-limit' }>;
  /** How many more accepted documents had any score at all. */
  readonly rest: number;
  readonly bar: number;
  /** The vocabulary items by whose definitions the question was asked in other words also. */
  readonly rewordedBy: readonly string[];
  /** Whether vectors took part, and if not why, in words for the user. */
  readonly vectors: { readonly used: boolean; readonly reason: string | null };
}

export interface SimilarRequest {
  readonly partitions: readonly PartitionName[];
  readonly text: string;
  readonly limit: number;
  readonly accept: Accept;
}

export interface IndexHealth {
  /** Model id, or null for words only. */
  readonly model: string | null;
  readonly documents: number;
  readonly vectors: number;
  readonly waiting: number;
  /** The former model that answers until the present one has all vectors; null when none has to. */
  readonly answering: string | null;
  /** Why there are no vectors, in words; null while all is well. */
  readonly problem: string | null;
}

export interface MemoryIndex {
  /**
   * Makes a partition hold exactly these documents, from its snapshot where that agrees (by content hash). Called once
   * a partition, before its first search; changes to a partition that is not open are ignored.
   */
  open(partition: PartitionName, documents: Iterable<IndexDocument>): Promise<void>;
  /** Words are searchable when this returns; vectors follow in the background. Synchronous and cheap per document. */
  apply(changes: readonly IndexChange[]): void;
  /**
   * Begins with what takes longest of a search for this text, or for what is like it: the model is loaded and reads it while
   * partitions are opened. Changes no answer.
   */
  expect(text: string): void;
  search(request: SearchRequest): Promise<SearchResult>;
  /** The documents most like a text, best first, by the same signals: candidates for the duplicate rules. */
  similar(request: SimilarRequest): Promise<readonly Scored[]>;
  /** Resolves when no document waits for its vector (or there is no model). */
  settled(signal?: AbortSignal): Promise<void>;
  health(): IndexHealth;
  /** Writes what makes the next start fast; atomic; safe beside other processes. */
  save(): Promise<void>;
  /** Stops background work; finishes what is in flight. */
  close(): Promise<void>;
}
