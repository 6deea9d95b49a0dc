// What the setting `embedder` may say, as values: the packaged model, none, a model of Transformers.js, a folder with the
// weights of a BERT. Invariant: a folder is named by its whole path, so that every process of the machine means the same.

export type EmbedderName =
  | { readonly kind: 'minilm' }
  | { readonly kind: 'none' }
  /** `folder` as written (from the root, or from `~`), or the `id` of a published model, `owner/name`. */
  | { readonly kind: 'transformers'; readonly folder: string }
  | { readonly kind: 'transformers'; readonly id: string }
  | { readonly kind: 'bert'; readonly folder: string };

/** Everything that decides which vector a text gets. Values are those of the settings; `auto` leaves it to the model. */
export interface EmbedderChoice {
  /** The setting `embedder`. */
  readonly name: string;
  /** `auto`, `mean`, `cls` or `last`. */
  readonly pooling: string;
  /** What is put before a question, and before a text that is stored; `auto`, or the prefix itself. */
  readonly questionPrefix: string;
  readonly documentPrefix: string;
  /** `auto`, `all`, or codes with commas: `en,de`. */
  readonly languages: string;
}

export const POOLINGS = ['auto', 'mean', 'cls', 'last'] as const;

const PREFIX = 'transformers:';
const WHOLE_PATH = /^(?:\/|~[\\/]|[a-z]:[\\/]|\\\\)/iu;
const MODEL_ID = /^[\w.-]+\/[\w.-]+$/u;

/** Null for what names no embedder. */
export function parseEmbedderName(text: string): EmbedderName | null {
  if (text === 'minilm' || text === 'none') return { kind: text };
  if (WHOLE_PATH.test(text)) return { kind: 'bert', folder: text };
  if (!text.startsWith(PREFIX)) return null;
  const model = text.slice(PREFIX.length).trim();
  if (WHOLE_PATH.test(model)) return { kind: 'transformers', folder: model };
  const isId = MODEL_ID.test(model) && !/(?:^|\/)\.+(?:\/|$)/u.test(model);
  return isId ? { kind: 'transformers', id: model } : null;
}
