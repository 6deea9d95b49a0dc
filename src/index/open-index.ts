// The index of a memory: partitions, one model for all, and what they keep in the folder. Invariant: a search reads the
// partitions that it names and nothing else; everything on disk can be deleted at any time.
import { bestPassage } from './best-passage.ts';
import type { Embedder } from './embedder.ts';
import type {
  IndexChange,
  IndexDocument,
  IndexHealth,
  MemoryIndex,
  PartitionName,
  Scored,
  SearchRequest,
  SearchResult,
  SimilarRequest,
} from './memory-index.ts';
import { cosineOf, type Entry, Partition, passageTexts } from './partition.ts';
import type { QuestionTerm } from './postings.ts';
import type { Quantized } from './quantized.ts';
import { questionTerms } from './question.ts';
import { Ranking } from './ranking.ts';
import { BAR_WITH_VECTORS, BAR_WORDS_ONLY, relevance } from './relevance.ts';
import { readSnapshot, writeSnapshot } from './snapshot-file.ts';
import { MINILM, ThreadEmbedder } from './thread-embedder.ts';
import { VectorCache } from './vector-cache.ts';
import { VectorFeed } from './vector-feed.ts';

export interface IndexOptions {
  /** Absolute path of the memory's `.stet`; made when there is something to keep. */
  readonly folder: string;
  /** Absolute path of the folder for snapshots, where they do not lie beside the vectors: for a past state. */
  readonly snapshotFolder?: string;
  /** The packaged model, none, or one's own. */
  readonly embedder: 'minilm' | 'none' | Embedder;
}

/** Nothing is read, started or loaded before the first call. */
export function openMemoryIndex(options: IndexOptions): MemoryIndex {
  return new PartitionedIndex(options);
}

/** A document in the ranking, with what is needed to explain it. */
interface Candidate {
  readonly partition: Partition;
  readonly slot: number;
  readonly cosine: number | null;
  readonly words: number;
  readonly passage: number | null;
  readonly terms: readonly QuestionTerm[];
}

interface Vectors {
  readonly model: string;
  readonly dimensions: number;
  readonly cache: VectorCache;
  readonly feed: VectorFeed;
}

class PartitionedIndex implements MemoryIndex {
  readonly #folder: string;
  readonly #vectors: Vectors | null;
  readonly #partitions = new Map<PartitionName, Partition>();
  #saveProblem: string | null = null;
  #closed = false;

  constructor({ folder, snapshotFolder, embedder }: IndexOptions) {
    this.#folder = snapshotFolder ?? folder;
    this.#vectors = embedder === 'none' ? null : openVectors(folder, embedder);
  }

  open(name: PartitionName, documents: Iterable<IndexDocument>): Promise<void> {
    const vectors = this.#vectors;
    vectors?.cache.refresh();
    const partition = new Partition({
      name,
      dimensions: vectors?.dimensions ?? null,
      vectorOf: (key) => vectors?.cache.get(key),
      onMissing: (partition, slot, passage, entry) => this.#want(partition, slot, passage, entry),
    });
    partition.open(documents, readSnapshot(this.#folder, this.#snapshotKey(name)));
    this.#partitions.set(name, partition);
    return Promise.resolve();
  }

  apply(changes: readonly IndexChange[]): void {
    for (const { partition: name, put, remove } of changes) {
      const partition = this.#partitions.get(name);
      for (const id of remove) partition?.remove(id);
      for (const document of put) partition?.put(document);
    }
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    request.signal?.throwIfAborted();
    const question = request.question.trim() === '' ? null : await this.#vectorOf(request.question);
    request.signal?.throwIfAborted();
    const missedLimit = request.missedLimit ?? 0;
    const bar = question === null ? BAR_WORDS_ONLY : BAR_WITH_VECTORS;
    const { best, total } = this.#rank(request.partitions, request.question, question, {
      limit: request.limit + missedLimit,
      accept: request.accept,
    });
    const above = best.filter(({ score }) => score >= bar);
    const hits = above.slice(0, request.limit);
    const missed = best.slice(hits.length, hits.length + missedLimit);
    return {
      hits: hits.map(({ id, score, value }) => explain(id, score, value)),
      missed: missed.map(({ id, score, value }) => ({
        ...explain(id, score, value),
        reason: score >= bar ? 'over-the-limit' : 'below-the-bar',
      })),
      rest: total - hits.length - missed.length,
      bar,
      vectors: { used: question !== null, reason: this.#whyNoVectors(request.question, question) },
    };
  }

  async similar(request: SimilarRequest): Promise<readonly Scored[]> {
    const question = request.text.trim() === '' ? null : await this.#vectorOf(request.text);
    const { best } = this.#rank(request.partitions, request.text, question, request);
    return best.map(({ id, score, value }) => explain(id, score, value));
  }

  settled(signal?: AbortSignal): Promise<void> {
    return this.#vectors?.feed.settled(signal) ?? Promise.resolve();
  }

  health(): IndexHealth {
    let documents = 0;
    let vectors = 0;
    for (const partition of this.#partitions.values()) {
      documents += partition.documents;
      vectors += partition.vectors;
    }
    return {
      model: this.#vectors?.model ?? null,
      documents,
      vectors,
      waiting: this.#vectors?.feed.waiting ?? 0,
      problem: this.#vectors?.feed.problem ?? this.#vectors?.cache.problem ?? this.#saveProblem,
    };
  }

  save(): Promise<void> {
    for (const partition of this.#partitions.values()) {
      if (!partition.changed) continue;
      try {
        writeSnapshot(this.#folder, this.#snapshotKey(partition.name), partition.snapshot());
        partition.saved();
        this.#saveProblem = null;
      } catch (error) {
        // A memory on a read-only or full disk still answers: the next start is slower, and health says why.
        this.#saveProblem = `cannot write to ${this.#folder}: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#vectors?.feed.close();
    this.#vectors?.cache.close();
  }

  #vectorOf(text: string): Promise<Quantized | null> {
    return this.#vectors?.feed.vectorOf(text) ?? Promise.resolve(null);
  }

  #whyNoVectors(question: string, vector: Quantized | null): string | null {
    if (vector !== null) return null;
    if (this.#vectors === null) return 'no embedder is set';
    if (question.trim() === '') return 'the question is empty';
    return this.#vectors.feed.problem ?? 'the model could not read this question';
  }

  #rank(
    names: readonly PartitionName[],
    text: string,
    question: Quantized | null,
    { limit, accept }: { limit: number; accept: (id: string) => boolean },
  ): { best: ReturnType<Ranking<Candidate>['best']>; total: number } {
    const ranking = new Ranking<Candidate>(limit);
    for (const name of new Set(names)) {
      const partition = this.#partitions.get(name);
      if (partition === undefined) continue;
      const terms = questionTerms(text, (term) => partition.documentFrequency(term));
      const { words, rarest } = partition.scoreWords(terms);
      const cosines = question === null ? null : partition.scoreVectors(question);
      for (let slot = 0; slot < partition.slots; slot++) {
        const entry = partition.entry(slot);
        if (entry === undefined) continue;
        const signals = { cosine: cosineOf(cosines, slot), words: words[slot] ?? 0, rarest: rarest[slot] ?? 0 };
        const score = relevance(signals);
        if (score <= 0 || !accept(entry.document.id)) continue;
        ranking.add(entry.document.id, score, () => ({
          partition,
          slot,
          cosine: signals.cosine,
          words: signals.words,
          passage: signals.cosine === null ? null : (cosines?.passage[slot] ?? null),
          terms,
        }));
      }
    }
    return { best: ranking.best(), total: ranking.total };
  }

  #want(partition: Partition, slot: number, passage: number, entry: Entry): void {
    const key = entry.passages[passage];
    const text = passageTexts(entry.document)[passage];
    if (key === undefined || text === undefined) return;
    this.#vectors?.feed.want({
      key,
      text,
      created: entry.document.created,
      isWanted: () => partition.entry(slot)?.passages[passage] === key,
      attach: (vector) => partition.attach(slot, passage, key, vector),
    });
  }

  #snapshotKey(partition: PartitionName): { partition: string; model: string | null } {
    return { partition, model: this.#vectors?.model ?? null };
  }
}

function openVectors(folder: string, choice: 'minilm' | Embedder): Vectors {
  const embedder = choice === 'minilm' ? new ThreadEmbedder(MINILM) : choice;
  const { model, dimensions } = embedder;
  const cache = new VectorCache({ folder, model, dimensions });
  return { model, dimensions, cache, feed: new VectorFeed(embedder, cache) };
}

function explain(id: string, score: number, { partition, slot, cosine, words, passage, terms }: Candidate): Scored {
  const document = partition.entry(slot)?.document;
  return { id, score, cosine, words, passage: document === undefined ? null : bestPassage(document, terms, passage) };
}
