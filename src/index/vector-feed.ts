// Gets the vectors that are missing: from what other processes embedded, else from the model, newest document first.
// Invariant: one document is with the model at a time, so that a question waits for one text at most; and of the processes
// of a memory one embeds, while the others read what it writes.
import type { Embedder } from './embedder.ts';
import type { EmbeddingLease } from './embedding-lease.ts';
import { type Quantized, quantize } from './quantized.ts';
import { type VectorCache, type VectorKey, vectorKey } from './vector-cache.ts';

/** A place that waits for the vector of a text. */
export interface Wanted {
  readonly key: VectorKey;
  readonly text: string;
  /** Sorts: the latest first. */
  readonly created: string;
  /** False once the place needs it no more. */
  readonly isWanted: () => boolean;
  readonly attach: (vector: Quantized) => void;
}

/** Vectors of texts that were asked: a text that is compared and then stored, and a name in many questions, are embedded once. */
const ASKED_KEPT = 256;
/** How often a process looks for what another embeds. */
const LOOK_EVERY_MS = 250;

export class VectorFeed {
  readonly #embedder: Embedder;
  readonly #cache: VectorCache;
  readonly #lease: EmbeddingLease;
  /** What waits, by key: one text may be wanted in several places. */
  readonly #waiting = new Map<VectorKey, Wanted[]>();
  /** Keys that wait, by creation, the newest last. */
  readonly #order: Array<{ key: VectorKey; created: string }> = [];
  #sorted = true;
  #running = false;
  #closed = false;
  /** Keys that the model could not do: not tried again in this process. */
  readonly #refused = new Set<VectorKey>();
  readonly #asked = new Map<VectorKey, Quantized>();
  /** What the model is asked at the moment: whoever wants the same waits for the same. */
  readonly #asking = new Map<VectorKey, Promise<Quantized | null>>();
  readonly #onSettled = new Set<() => void>();
  #holds = 0;
  #endPause: () => void = () => undefined;
  #problem: string | null = null;

  constructor(embedder: Embedder, cache: VectorCache, lease: EmbeddingLease) {
    this.#embedder = embedder;
    this.#cache = cache;
    this.#lease = lease;
  }

  /** Why there are no vectors, in words; null while all is well. */
  get problem(): string | null {
    return this.#problem;
  }

  /** How many texts wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  want(wanted: Wanted): void {
    if (this.#refused.has(wanted.key) || this.#problem !== null || this.#closed) return;
    const others = this.#waiting.get(wanted.key);
    if (others === undefined) this.#waiting.set(wanted.key, [wanted]);
    else others.push(wanted);
    this.#order.push({ key: wanted.key, created: wanted.created });
    this.#sorted = false;
    if (this.#running) return;
    this.#running = true;
    // After the present change is whole, so that the newest of it goes first.
    setImmediate(() => void this.#run());
  }

  /** The vector of a question, or of a text to compare; null without a model, and then {@link problem} says why. */
  async vectorOf(text: string): Promise<Quantized | null> {
    const key = vectorKey(text);
    // A stored vector is no question's where the two differ: the answer would depend on who stored the same text.
    const known = (this.#embedder.isSymmetric ? this.#cache.get(key) : undefined) ?? this.#asked.get(key);
    if (known !== undefined) return known;
    const asking = this.#asking.get(key) ?? this.#held(() => this.#ask(key, text));
    this.#asking.set(key, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(key);
    }
  }

  /** Resolves once nothing waits; rejects with the signal's reason when it aborts first. */
  settled(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#waiting.size === 0) return Promise.resolve();
    return this.#held(
      () =>
        new Promise<void>((resolve, reject) => {
          const done = (): void => {
            signal?.removeEventListener('abort', abort);
            resolve();
          };
          const abort = (): void => {
            this.#onSettled.delete(done);
            reject(signal?.reason as Error);
          };
          this.#onSettled.add(done);
          signal?.addEventListener('abort', abort, { once: true });
        }),
    );
  }

  /** Finishes the text that is with the model; the rest waits for the next process. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#endPause();
    await this.#embedder.close();
    this.#lease.release();
    this.#drop();
  }

  async #ask(key: VectorKey, text: string): Promise<Quantized | null> {
    const result = await this.#embedder.embed(text, 'question');
    if (!result.ok) {
      if (result.permanent) this.#giveUp(result.reason);
      return null;
    }
    const vector = quantize(result.vector);
    this.#asked.set(key, vector);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > ASKED_KEPT && oldest !== undefined) this.#asked.delete(oldest);
    return vector;
  }

  async #held<T>(work: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    this.#embedder.hold(true);
    // A pause that began before does not keep the process alive: the next one does.
    this.#endPause();
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#embedder.hold(false);
    }
  }

  async #run(): Promise<void> {
    for (let key = this.#newest(); key !== null; key = this.#newest()) {
      if (this.#cache.refresh()) this.#attachKnown();
      if (!this.#waiting.has(key)) continue;
      if (this.#isKnown(key) || this.#lease.acquire()) {
        await this.#feed(key);
      } else {
        this.#order.push({ key, created: this.#waiting.get(key)?.[0]?.created ?? '' });
        await this.#pause();
      }
    }
    this.#lease.release();
    this.#running = false;
    this.#drop();
  }

  /** Another process embeds: this one looks again in a while. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      if (this.#holds === 0) timer.unref();
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The vector of a document, if there is one already. */
  #known(key: VectorKey): Quantized | undefined {
    return this.#cache.get(key) ?? (this.#embedder.isSymmetric ? this.#asked.get(key) : undefined);
  }

  #isKnown(key: VectorKey): boolean {
    return this.#known(key) !== undefined;
  }

  /** Hands out whatever another process has embedded, not only what is next. */
  #attachKnown(): void {
    for (const [key, wanted] of this.#waiting) {
      const vector = this.#cache.get(key);
      if (vector === undefined) continue;
      this.#waiting.delete(key);
      for (const { attach } of wanted) attach(vector);
    }
  }

  #newest(): VectorKey | null {
    if (this.#closed || this.#problem !== null) return null;
    if (!this.#sorted) {
      this.#order.sort((a, b) => compare(a.created, b.created) || compare(b.key, a.key));
      this.#sorted = true;
    }
    for (let last = this.#order.pop(); last !== undefined; last = this.#order.pop()) {
      if (this.#waiting.get(last.key)?.some(({ isWanted }) => isWanted()) === true) return last.key;
      this.#waiting.delete(last.key);
    }
    return null;
  }

  async #feed(key: VectorKey): Promise<void> {
    const vector = this.#known(key) ?? (await this.#embed(key));
    const wanted = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    if (vector === null) return;
    this.#cache.add(key, vector);
    for (const { attach } of wanted) attach(vector);
  }

  async #embed(key: VectorKey): Promise<Quantized | null> {
    const result = await this.#embedder.embed(this.#waiting.get(key)?.[0]?.text ?? '', 'document');
    if (result.ok) return quantize(result.vector);
    if (result.permanent) this.#giveUp(result.reason);
    else this.#refused.add(key);
    return null;
  }

  #giveUp(reason: string): void {
    if (!this.#closed) this.#problem ??= reason;
  }

  /** Nothing more will come: whoever waits for that is told. */
  #drop(): void {
    this.#waiting.clear();
    this.#order.length = 0;
    for (const done of this.#onSettled) done();
    this.#onSettled.clear();
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
