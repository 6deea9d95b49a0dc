// An index whose embedder was changed: the former model answers for a partition until the new one has a vector for all of
// it. Invariant: one search is answered by one model; scores and vectors of two never meet.
//
//   a partition's vectors are of   the former model ──all embedded──► the present one    (noted in `embedder.json`)
import { EmbeddingLease } from './embedding-lease.ts';
import { type GenerationName, readNewest, writeGeneration } from './generation-files.ts';
import type { MadeEmbedder } from './make-embedder.ts';
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
import { openMemoryIndex, type OneModelIndex } from './open-index.ts';

export interface ReplaceableOptions {
  /** Absolute path of the memory's `.stet`. */
  readonly folder: string;
  /** The present choice, as text that {@link makeEmbedder} understands; stored with every partition. */
  readonly choice: string;
  readonly makeEmbedder: (choice: string) => MadeEmbedder;
}

/** Nothing is loaded before the first call. */
export function openReplaceableIndex(options: ReplaceableOptions): MemoryIndex {
  const { folder, choice, makeEmbedder } = options;
  const { embedder } = makeEmbedder(choice);
  // Who wants words alone gets them at once; and what was embedded before is taken up again later.
  if (embedder === null) return openMemoryIndex({ folder, embedder: 'none' });
  const notes = readNotes(folder);
  const formerChoice = [...notes.values()].find((noted) => noted !== choice);
  const made = formerChoice === undefined ? null : makeEmbedder(formerChoice);
  const former = made?.problem === null ? made.embedder : null;
  const lease = new EmbeddingLease(folder);
  return new ReplacingIndex({
    folder,
    choice,
    present: openMemoryIndex({ folder, embedder, lease }),
    former: former === null ? null : openMemoryIndex({ folder, embedder: former, lease, embeds: 'what is new' }),
    notes,
  });
}

interface Parts {
  readonly folder: string;
  readonly choice: string;
  readonly present: OneModelIndex;
  readonly former: MemoryIndex | null;
  readonly notes: ReadonlyMap<PartitionName, string>;
}

class ReplacingIndex implements MemoryIndex {
  readonly #folder: string;
  readonly #choice: string;
  readonly #present: OneModelIndex;
  /** Null once it is not needed; its snapshots are never written, which would replace those of the present one. */
  #former: MemoryIndex | null;
  readonly #opened = new Set<PartitionName>();
  /** Partitions of which the present model has been seen to have every vector, and those that wait for that. */
  readonly #done = new Set<PartitionName>();
  readonly #waiting = new Set<PartitionName>();
  #saved = new Set<PartitionName>();
  #asking = 0;

  constructor({ folder, choice, present, former, notes }: Parts) {
    this.#folder = folder;
    this.#choice = choice;
    this.#present = present;
    this.#former = former;
    for (const [name, noted] of notes) (noted === choice ? this.#done : this.#waiting).add(name);
    this.#saved = new Set(this.#done);
  }

  async open(partition: PartitionName, documents: Iterable<IndexDocument>): Promise<void> {
    const all = this.#former === null ? documents : [...documents];
    await this.#present.open(partition, all);
    await this.#former?.open(partition, all);
    this.#opened.add(partition);
    if (!this.#done.has(partition)) this.#waiting.add(partition);
  }

  apply(changes: readonly IndexChange[]): void {
    this.#present.apply(changes);
    this.#former?.apply(changes);
  }

  expect(text: string): void {
    (this.#former ?? this.#present).expect(text);
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return this.#ask(request.partitions, (index) => index.search(request));
  }

  similar(request: SimilarRequest): Promise<readonly Scored[]> {
    return this.#ask(request.partitions, (index) => index.similar(request));
  }

  settled(signal?: AbortSignal): Promise<void> {
    return this.#present.settled(signal);
  }

  health(): IndexHealth {
    this.#look();
    return { ...this.#present.health(), answering: this.#former?.health().model ?? null };
  }

  async save(): Promise<void> {
    await this.#present.save();
    this.#look();
    const news = [...this.#done].filter((name) => this.#opened.has(name) && !this.#saved.has(name));
    if (news.length === 0) return;
    // Other processes note theirs: what they wrote meanwhile stays.
    const notes = readNotes(this.#folder);
    for (const name of news) notes.set(name, this.#choice);
    try {
      writeGeneration(this.#folder, NOTES, Buffer.from(JSON.stringify(Object.fromEntries(notes))));
      for (const name of news) this.#saved.add(name);
    } catch {
      // The disk takes nothing, as the snapshots have told already; the next start finds out again.
    }
  }

  async close(): Promise<void> {
    await this.#former?.close();
    await this.#present.close();
  }

  async #ask<T>(partitions: readonly PartitionName[], question: (index: MemoryIndex) => Promise<T>): Promise<T> {
    this.#look();
    const isWhole = !partitions.some((name) => this.#waiting.has(name));
    const index = isWhole ? this.#present : (this.#former ?? this.#present);
    this.#asking += 1;
    try {
      return await question(index);
    } finally {
      this.#asking -= 1;
    }
  }

  /** Notes what has become whole; when nothing waits any more, the former model goes. */
  #look(): void {
    for (const name of this.#waiting) {
      if (!this.#opened.has(name) || !this.#present.isEmbedded(name)) continue;
      this.#waiting.delete(name);
      this.#done.add(name);
    }
    if (this.#waiting.size > 0 || this.#asking > 0 || this.#former === null) return;
    void this.#former.close();
    this.#former = null;
  }
}

const NOTES: GenerationName = { prefix: 'embedder', suffix: '.json' };

/** Which choice made the vectors of each partition. */
function readNotes(folder: string): Map<PartitionName, string> {
  const notes = readNewest(folder, NOTES, (bytes) => {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value !== 'object' || value === null) return null;
    return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  });
  return notes ?? new Map<PartitionName, string>();
}
