// A model with a memory for questions, so that measuring again does not embed them again. Invariant: it answers
// what the model answers, to the rounding that the index does anyway.
import { join } from 'node:path';
import type { Embedded, Embedder, TextRole } from '../../src/index/embedder.ts';
import { quantize } from '../../src/index/quantized.ts';
import { VectorCache, vectorKey } from '../../src/index/vector-cache.ts';

export class CachedEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly languages: Embedder['languages'];
  readonly isSymmetric: boolean;
  readonly #model: Embedder;
  readonly #questions: VectorCache;

  constructor(model: Embedder, folder: string) {
    this.model = model.model;
    this.dimensions = model.dimensions;
    this.languages = model.languages;
    this.isSymmetric = model.isSymmetric;
    this.#model = model;
    this.#questions = new VectorCache({
      folder: join(folder, 'questions'),
      model: model.model,
      dimensions: model.dimensions,
    });
    this.#questions.refresh();
  }

  async embed(text: string, role: TextRole): Promise<Embedded> {
    if (role === 'document') return this.#model.embed(text, role);
    const key = vectorKey(text);
    const known = this.#questions.get(key);
    if (known !== undefined) {
      return { ok: true, vector: Float32Array.from(known.values, (value) => value * known.scale) };
    }
    const result = await this.#model.embed(text, role);
    if (result.ok) this.#questions.add(key, quantize(result.vector));
    return result;
  }

  hold(keepAlive: boolean): void {
    this.#model.hold(keepAlive);
  }

  async close(): Promise<void> {
    this.#questions.close();
    await this.#model.close();
  }
}
