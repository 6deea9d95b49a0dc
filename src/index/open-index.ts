// The index of a memory: partitions, one model for all, and what they keep in the folder. Invariant: a search reads the
// partitions that it names and nothing else; everything on disk can be deleted at any time.
import { bestPassage } from './best-passage.ts';
import { type Embedder, reads } from './embedder.ts';
import { EmbeddingLease } from './embedding-lease.ts';
import { detectLanguage } from './language.ts';
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
import type { QuestionName } from './names.ts';
import { type Entry, Partition, passageTexts } from './partition.ts';
import { type Quantized, withoutDirections } from './quantized.ts';
import { commonCompounds, knownNames, questionTerms } from './question.ts';
import { type Ranked, Ranking } from './ranking.ts';
import { BAR_WITH_VECTORS, BAR_WORDS_ONLY, barOf, type Best, fit, LONG, NAME_SHARE } from './relevance.ts';
import { type Candidate, scorePartition } from './score-partition.ts';
import { reword, REWORDED } from './rewording.ts';
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
  /** Shared with other indexes of this process; its own unless given. */
  readonly lease?: EmbeddingLease;
  /** Whether what a partition has at its opening is embedded as well, or only what comes later; everything by default. */
  readonly embeds?: 'everything' | 'what is new';
}

/** An index over one model, or none. */
export interface OneModelIndex extends MemoryIndex {
  /** Whether nothing of an open partition waits for its vector. */
  isEmbedded(partition: PartitionName): boolean;
}

/** Nothing is read, started or loaded before the first call. */
export function openMemoryIndex(options: IndexOptions): OneModelIndex {
  return new PartitionedIndex(options);
}

interface Vectors {
  readonly embedder: Embedder;
  readonly cache: VectorCache;
  readonly feed: VectorFeed;
}

/** One way to ask: the question itself, or a rewording of it. */
interface Way {
  readonly text: string;
  /** What its scores are worth. */
  readonly share: number;
  readonly names: readonly QuestionName[];
  readonly vector: Quantized | null;
  /** The vector without most of the names. */
  readonly aimed: Quantized | null;
}

class PartitionedIndex implements OneModelIndex {
  readonly #folder: string;
  readonly #vectors: Vectors | null;
  readonly #partitions = new Map<PartitionName, Partition>();
  readonly #embedsAtOpening: boolean;
  #isOpening = false;
  #saveProblem: string | null = null;
  #closed = false;

  constructor({ folder, snapshotFolder, embedder, lease, embeds = 'everything' }: IndexOptions) {
    this.#folder = snapshotFolder ?? folder;
    this.#vectors = embedder === 'none' ? null : openVectors(folder, embedder, lease ?? new EmbeddingLease(folder));
    this.#embedsAtOpening = embeds === 'everything';
  }

  open(name: PartitionName, documents: Iterable<IndexDocument>): Promise<void> {
    const vectors = this.#vectors;
    vectors?.cache.refresh();
    const partition = new Partition({
      name,
      model: vectors?.embedder ?? null,
      vectorOf: (key) => vectors?.cache.get(key),
      onMissing: (partition, slot, passage, entry) => this.#want(partition, slot, passage, entry),
    });
    this.#isOpening = true;
    partition.open(documents, readSnapshot(this.#folder, this.#snapshotKey(name)));
    this.#isOpening = false;
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

  isEmbedded(name: PartitionName): boolean {
    const partition = this.#partitions.get(name);
    const feed = this.#vectors?.feed;
    if (partition === undefined || feed === undefined || feed.problem !== null) return false;
    // What the model could not do waits for nothing.
    return partition.vectors >= partition.passages || feed.waiting === 0;
  }

  expect(text: string): void {
    void this.#vectorOf(text);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    request.signal?.throwIfAborted();
    const { question } = request;
    const asked = this.#opened(request.partitions);
    const defines = request.defines ?? request.accept;
    const rewordings = reword(
      question,
      asked.flatMap((partition) => [...partition.definitions(defines)]),
    );
    const vocabularies = asked.map(({ vocabulary }) => vocabulary);
    const prepare = async (text: string, share: number): Promise<Way> => {
      const vector = await this.#vectorOf(text);
      const names = knownNames(text, vocabularies, request.partitions);
      const directions = [...names, ...commonCompounds(text, vocabularies, names)];
      return { text, share, names, vector, aimed: vector === null ? null : await this.#aim(vector, directions) };
    };
    const own = await prepare(question, 1);
    const ways = [own];
    for (const { text } of rewordings) ways.push(await prepare(text, REWORDED));
    request.signal?.throwIfAborted();

    const missedLimit = request.missedLimit ?? 0;
    const isWordsOnly = own.vector === null;
    const ranking = new Ranking<Candidate>(request.limit + missedLimit, { repeats: ways.length > 1 });
    // By the terms that a candidate carries anyway: one object more for each of 100,000 would cost milliseconds.
    const wayBy = new Map<Candidate['terms'], Way>();
    const othersFit = new Map<Way, number>();
    for (const way of ways) {
      const { share } = way;
      const into: Pick<Ranking<Candidate>, 'add'> = share === 1
        ? ranking
        : { add: (id, score, value) => ranking.add(id, score * share, value) };
      for (const partition of asked) {
        const terms = questionTerms(way.text, partition.vocabulary, way.names);
        wayBy.set(terms, way);
        const vector = isWordsOnly ? null : way.aimed;
        const asking = { terms, vector, accept: request.accept, useSittings: true };
        const others = scorePartition(partition, asking, into);
        othersFit.set(way, Math.max(othersFit.get(way) ?? Number.NEGATIVE_INFINITY, others));
      }
    }
    const explained = (ranked: Ranked<Candidate>): Scored =>
      explain(ranked, wayBy.get(ranked.value.terms)?.vector ?? null);
    const best = ranking.best();
    const bar = barOf(isWordsOnly ? BAR_WORDS_ONLY : BAR_WITH_VECTORS, ...standing(best[0], wayBy, othersFit));
    const hits = best.filter(({ score }) => score >= bar).slice(0, request.limit);
    const missed = best.slice(hits.length, hits.length + missedLimit);
    return {
      hits: hits.map(explained),
      missed: missed.map((ranked) => ({
        ...explained(ranked),
        reason: ranked.score >= bar ? 'over-the-limit' : 'below-the-bar',
      })),
      rest: ranking.total - hits.length - missed.length,
      bar,
      rewordedBy: [...new Set(rewordings.flatMap(({ by }) => by))],
      vectors: { used: !isWordsOnly, reason: this.#whyNoVectors(question, own.vector) },
    };
  }

  async similar({ partitions, text, limit, accept }: SimilarRequest): Promise<readonly Scored[]> {
    const vector = await this.#vectorOf(text);
    const ranking = new Ranking<Candidate>(limit);
    for (const partition of this.#opened(partitions)) {
      const terms = questionTerms(text, partition.vocabulary, []);
      scorePartition(partition, { terms, vector, accept, useSittings: false }, ranking);
    }
    return ranking.best().map((ranked) => explain(ranked, vector));
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
      model: this.#vectors?.embedder.model ?? null,
      documents,
      vectors,
      waiting: this.#vectors?.feed.waiting ?? 0,
      answering: null,
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

  /** The vector of a question or of a text to compare; null where there is none, see {@link #whyNoVectors}. */
  async #vectorOf(text: string): Promise<Quantized | null> {
    const vectors = this.#vectors;
    if (vectors === null || text.trim() === '' || !reads(vectors.embedder, detectLanguage(text))) return null;
    return vectors.feed.vectorOf(text);
  }

  #whyNoVectors(question: string, vector: Quantized | null): string | null {
    if (vector !== null) return null;
    if (this.#vectors === null) return 'no embedder is set';
    if (question.trim() === '') return 'the question is empty';
    if (!reads(this.#vectors.embedder, detectLanguage(question))) {
      return `${this.#vectors.embedder.model} does not read the language of this question`;
    }
    return this.#vectors.feed.problem ?? 'the model could not read this question';
  }

  #opened(names: readonly PartitionName[]): Partition[] {
    return [...new Set(names)].map((name) => this.#partitions.get(name)).filter((partition) => partition !== undefined);
  }

  /** A question's vector without most of its names: words find those exactly. */
  async #aim(question: Quantized, names: readonly QuestionName[]): Promise<Quantized> {
    const directions: Quantized[] = [];
    for (const { text } of names) {
      const direction = (await this.#vectors?.feed.vectorOf(text)) ?? null;
      if (direction !== null) directions.push(direction);
    }
    return directions.length === 0 ? question : withoutDirections(question, directions, NAME_SHARE);
  }

  #want(partition: Partition, slot: number, passage: number, entry: Entry): void {
    if (this.#isOpening && !this.#embedsAtOpening) return;
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
    return { partition, model: this.#vectors?.embedder.model ?? null };
  }
}

function openVectors(folder: string, choice: 'minilm' | Embedder, lease: EmbeddingLease): Vectors {
  const embedder = choice === 'minilm' ? new ThreadEmbedder(MINILM) : choice;
  const { model, dimensions } = embedder;
  const cache = new VectorCache({ folder, model, dimensions });
  return { embedder, cache, feed: new VectorFeed(embedder, cache, lease) };
}

function explain({ id, score, value }: Ranked<Candidate>, question: Quantized | null): Scored {
  const { partition, slot, signals, passage, terms } = value;
  const document = partition.entry(slot)?.document;
  return {
    id,
    score,
    cosine: question === null || passage === null ? null : partition.cosine(slot, passage, question),
    words: signals.words,
    passage: document === undefined ? null : bestPassage(document, terms, passage),
  };
}

/** What {@link barOf} asks of the best document, and the best fit of the others, as the same way of asking finds them. */
function standing(
  best: Ranked<Candidate> | undefined,
  wayBy: ReadonlyMap<Candidate['terms'], Way>,
  othersFit: ReadonlyMap<Way, number>,
): [best: Best | null, othersFit: number] {
  if (best === undefined) return [null, Number.NEGATIVE_INFINITY];
  const { signals, terms, partition, slot } = best.value;
  const isLong = (partition.entry(slot)?.document.text.length ?? 0) > LONG;
  const way = wayBy.get(terms);
  const others = way === undefined ? undefined : othersFit.get(way);
  return [{ score: best.score, fit: fit(signals), named: signals.named, isLong }, others ?? Number.NEGATIVE_INFINITY];
}
