// The port to a model that turns texts into vectors. Invariant: one `model` id stands for one mapping of texts to
// vectors; whatever changes the mapping (weights, pooling, prefixes, rounding) changes the id.

import type { LanguageCode } from './language.ts';

export type TextRole = 'question' | 'document';

export type Embedded =
  /** A unit vector. */
  | { readonly ok: true; readonly vector: Float32Array }
  /** `permanent`: no text will do any more, in this process; else only this one did not. */
  | { readonly ok: false; readonly reason: string; readonly permanent: boolean };

export interface Embedder {
  /** Stored with every vector; vectors of two ids are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** What it reads; texts in another language get no vector, because a wrong one is noise. */
  readonly languages: readonly LanguageCode[] | 'all';
  /** Whether a text has one vector, as a question and as a document. */
  readonly isSymmetric: boolean;
  /** A question goes before all documents that wait. Never rejects. */
  embed(text: string, role: TextRole): Promise<Embedded>;
  /** Whether what was asked may keep the process alive; background work may not. */
  hold(keepAlive: boolean): void;
  /** Ends after the text in flight; what still waits fails. */
  close(): Promise<void>;
}

/** Whether a text of a language is worth a vector of this model. */
export function reads({ languages }: Pick<Embedder, 'languages'>, language: LanguageCode): boolean {
  return languages === 'all' || languages.includes(language);
}
