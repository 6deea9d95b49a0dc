// A model for tests: words hashed into a few dimensions, so that texts with common words are near. What is asked is
// recorded, and answers can be held back.
import { hash } from 'node:crypto';
import type { Embedded, Embedder, TextRole } from '../src/index/embedder.ts';

export class FakeEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions = 32;
  languages: Embedder['languages'] = 'all';
  /** Set to false: a question and a document of the same text have different vectors. */
  isSymmetric = true;
  /** Every text that reached the model, in order. */
  readonly embedded: Array<{ text: string; role: TextRole }> = [];
  /** Set: each answer waits for it. */
  gate: Promise<void> | null = null;
  /** Set: the model cannot be loaded. */
  broken: string | null = null;
  held = false;
  /** How many texts were asked for, answered or not. */
  asked = 0;

  constructor(model = 'fake') {
    this.model = model;
  }

  async embed(text: string, role: TextRole): Promise<Embedded> {
    this.asked += 1;
    if (this.broken !== null) return { ok: false, reason: this.broken, permanent: true };
    if (role === 'document') await this.gate;
    this.embedded.push({ text, role });
    return { ok: true, vector: fakeVector(this.isSymmetric ? text : `${role} ${role} ${text}`, this.dimensions) };
  }

  hold(keepAlive: boolean): void {
    this.held = keepAlive;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The same text gives the same unit vector. */
export function fakeVector(text: string, dimensions = 32): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const digest = hash('sha256', word, 'buffer');
    for (let i = 0; i < 4; i++) {
      const place = (digest[i] ?? 0) % dimensions;
      vector[place] = (vector[place] ?? 0) + ((digest[i + 8] ?? 0) > 127 ? 1 : -0.5);
    }
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((number) => number / norm);
}
