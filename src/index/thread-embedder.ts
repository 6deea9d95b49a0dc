// Runs a model in a worker thread, one text at a time, questions before documents. Invariant: the thread starts with the
// first text, loads the model once, and by itself never keeps the process alive.
import { Worker } from 'node:worker_threads';
import type { Embedded, Embedder, TextRole } from './embedder.ts';

interface Job {
  readonly text: string;
  readonly resolve: (result: Embedded) => void;
}

export interface ThreadModel {
  readonly model: string;
  readonly dimensions: number;
  readonly languages: Embedder['languages'];
  /** What the model wants before a question and before a document; nothing unless given. */
  readonly questionPrefix?: string;
  readonly documentPrefix?: string;
  /** The worker's file: takes a text, answers with an {@link Embedded}. */
  readonly script: URL;
  /** What the worker gets to know. */
  readonly data?: unknown;
}

/** The packaged engine: with the packaged weights, or with those that `data` names as the engine's own manifest does. */
export const MINILM_SCRIPT = new URL('./minilm-worker.mjs', import.meta.url);

/** The packaged all-MiniLM-L6-v2: English, 256 tokens, mean pooling. */
export const MINILM: ThreadModel = {
  model: 'minilm-l6-v2/int8',
  dimensions: 384,
  languages: ['en'],
  script: MINILM_SCRIPT,
};

export class ThreadEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly languages: Embedder['languages'];
  readonly isSymmetric: boolean;
  readonly #prefixes: Readonly<Record<TextRole, string>>;
  readonly #script: URL;
  readonly #data: unknown;
  readonly #questions: Job[] = [];
  readonly #documents: Job[] = [];
  #worker: Worker | null = null;
  #inFlight: Job | null = null;
  #held = false;
  #isClosing = false;
  /** Why nothing is embedded any more. */
  #ended: string | null = null;
  #onIdle: (() => void) | null = null;

  constructor({ model, dimensions, languages, questionPrefix = '', documentPrefix = '', script, data }: ThreadModel) {
    this.model = model;
    this.dimensions = dimensions;
    this.languages = languages;
    this.isSymmetric = questionPrefix === documentPrefix;
    this.#prefixes = { question: questionPrefix, document: documentPrefix };
    this.#script = script;
    this.#data = data;
  }

  embed(text: string, role: TextRole): Promise<Embedded> {
    if (this.#ended !== null) return Promise.resolve({ ok: false, reason: this.#ended, permanent: true });
    return new Promise((resolve) => {
      (role === 'question' ? this.#questions : this.#documents).push({ text: this.#prefixes[role] + text, resolve });
      this.#next();
    });
  }

  hold(keepAlive: boolean): void {
    this.#held = keepAlive;
    if (keepAlive || this.#isClosing) this.#worker?.ref();
    else this.#worker?.unref();
  }

  async close(): Promise<void> {
    this.#end('the index is closed');
    // Somebody waits for the end of the thread: a process that has nothing else to do must not end before.
    this.#isClosing = true;
    this.#worker?.ref();
    if (this.#inFlight !== null) {
      await new Promise<void>((resolve) => (this.#onIdle = resolve));
    }
    await this.#worker?.terminate();
    this.#worker = null;
  }

  #next(): void {
    if (this.#inFlight !== null) return;
    // One text a message: the engine runs one forward pass a text anyway, and a question never waits for a batch.
    const job = this.#questions.shift() ?? this.#documents.shift();
    if (job === undefined) return;
    this.#inFlight = job;
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(job.text);
  }

  #start(): Worker {
    // A library may greet on stdout, which belongs to the protocol.
    const worker = new Worker(this.#script, { workerData: this.#data, stdout: true });
    worker.stdout.resume();
    if (!this.#held) worker.unref();
    worker.on('message', (result: Embedded) => this.#answered(result));
    worker.on('error', (error) => this.#answered({ ok: false, reason: error.message, permanent: true }));
    worker.on('exit', (code) =>
      this.#answered({ ok: false, reason: `the embedding thread ended (${code})`, permanent: true }),
    );
    return worker;
  }

  #answered(result: Embedded): void {
    const job = this.#inFlight;
    this.#inFlight = null;
    if (!result.ok && result.permanent) this.#end(result.reason);
    job?.resolve(result);
    this.#onIdle?.();
    this.#next();
  }

  #end(reason: string): void {
    this.#ended ??= reason;
    const failed: Embedded = { ok: false, reason: this.#ended, permanent: true };
    for (const job of [...this.#questions.splice(0), ...this.#documents.splice(0)]) job.resolve(failed);
  }
}
