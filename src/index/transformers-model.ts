// A model of Transformers.js in a worker thread. Invariant: a model is used from a folder of this machine; the network is
// reached by `download` alone.
import { basename, dirname } from 'node:path';
import type { ModelFolder } from './model-folder.ts';
import type { Pooling } from './model-family.ts';
import { ThreadEmbedder, type ThreadModel } from './thread-embedder.ts';

/** What the worker gets to know. */
export interface TransformersData {
  /** Absolute path of the folder that holds the model's, where a download is kept as well. */
  readonly models: string;
  /** Of the model, below `models`, with slashes. */
  readonly name: string;
  /** The first that loads is used. */
  readonly dtypes: readonly string[];
  readonly pooling: 'mean' | 'cls' | 'last_token';
  /** Null: nothing is downloaded. `host`: another one than that of the library. */
  readonly remote: { readonly host: string | null } | null;
  /** Absolute path of a folder whose `node_modules` has the library; null for stet's own place. */
  readonly library: string | null;
}

const SCRIPT = new URL('./transformers-worker.mjs', import.meta.url);

export function transformersModel(model: ModelFolder, library: string | null): ThreadModel {
  const data: TransformersData = {
    models: dirname(model.folder),
    name: basename(model.folder),
    dtypes: [model.dtype ?? 'fp32'],
    pooling: poolingName(model.pooling),
    remote: null,
    library,
  };
  return {
    model: `transformers/${model.id}`,
    dimensions: model.dimensions,
    languages: model.languages,
    questionPrefix: model.questionPrefix,
    documentPrefix: model.documentPrefix,
    script: SCRIPT,
    data,
  };
}

/** Fetches a published model into `models`, quantised if there is such a file; throws why it could not be. */
export async function downloadModel(
  id: string,
  options: { readonly models: string; readonly host: string | null; readonly library: string | null },
): Promise<void> {
  const data: TransformersData = {
    models: options.models,
    name: id,
    dtypes: ['q8', 'fp32'],
    pooling: 'mean',
    remote: { host: options.host },
    library: options.library,
  };
  const thread = new ThreadEmbedder({ model: id, dimensions: 0, languages: 'all', script: SCRIPT, data });
  try {
    thread.hold(true);
    const result = await thread.embed('stet', 'question');
    if (!result.ok) throw new Error(result.reason);
  } finally {
    await thread.close();
  }
}

function poolingName(pooling: Pooling): TransformersData['pooling'] {
  return pooling === 'last' ? 'last_token' : pooling;
}
