// From what the settings say to a model. Invariant: a choice that cannot be opened is an embedder that says why, so that
// recall goes on by words.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type EmbedderChoice, parseEmbedderName } from '../memory/embedder-name.ts';
import type { Embedder } from './embedder.ts';
import { type ModelFolder, readModelFolder } from './model-folder.ts';
import { MINILM, MINILM_SCRIPT, ThreadEmbedder, type ThreadModel } from './thread-embedder.ts';
import { downloadModel, transformersModel } from './transformers-model.ts';

export interface EmbedderPlaces {
  /** Absolute path of the folder for downloaded models; the user's cache folder unless given. */
  readonly models?: string;
  /** Absolute path of a folder whose `node_modules` has Transformers.js; stet's own place unless given. */
  readonly library?: string;
  /** Where models are downloaded from; the library's own host unless given. */
  readonly host?: string;
}

export interface MadeEmbedder {
  /** Null for words only. */
  readonly embedder: Embedder | null;
  /** Why it will not embed, as far as that shows without loading it. */
  readonly problem: string | null;
}

/** Nothing is loaded before the first text. */
export function makeEmbedder(choice: EmbedderChoice, places: EmbedderPlaces = {}): MadeEmbedder {
  const name = parseEmbedderName(choice.name);
  switch (name?.kind) {
    case undefined:
      return unusable(choice, 'there is no such embedder');
    case 'none':
      return { embedder: null, problem: null };
    case 'minilm':
      return { embedder: new ThreadEmbedder(MINILM), problem: null };
    case 'bert':
      return open(choice, name.folder, 'safetensors', bertModel);
    case 'transformers': {
      const folder = 'folder' in name ? name.folder : join(places.models ?? modelsFolder(), ...name.id.split('/'));
      if ('id' in name && !existsSync(join(folder, 'config.json'))) {
        return unusable(
          choice,
          `${name.id} is not on this machine; \`stet config model.remote on\` and then \`stet config embedder ${choice.name}\` download it`,
        );
      }
      return open(choice, folder, 'onnx', (model) => transformersModel(model, places.library ?? null));
    }
  }
}

/**
 * Makes sure that a choice can embed, and downloads what it names if `mayDownload`. Throws in words for the user when it
 * cannot.
 */
export async function tryEmbedder(
  choice: EmbedderChoice,
  mayDownload: boolean,
  places: EmbedderPlaces = {},
): Promise<void> {
  const name = parseEmbedderName(choice.name);
  if (name?.kind === 'transformers' && 'id' in name && mayDownload) {
    const models = places.models ?? modelsFolder();
    await downloadModel(name.id, { models, host: places.host ?? null, library: places.library ?? null });
  }
  const { embedder } = makeEmbedder(choice, places);
  if (embedder === null) return;
  try {
    embedder.hold(true);
    const result = await embedder.embed('stet', 'question');
    if (!result.ok) throw new Error(result.reason);
    if (result.vector.length !== embedder.dimensions) {
      throw new Error(`the model makes ${result.vector.length} numbers, its config.json says ${embedder.dimensions}`);
    }
  } finally {
    await embedder.close();
  }
}

function open(
  choice: EmbedderChoice,
  folder: string,
  format: 'onnx' | 'safetensors',
  toModel: (folder: ModelFolder) => ThreadModel,
): MadeEmbedder {
  const read = readModelFolder(fromHome(folder), format, choice);
  if (!read.ok) return unusable(choice, read.reason);
  return { embedder: new ThreadEmbedder(toModel(read.value)), problem: null };
}

/** The packaged engine over other weights. */
function bertModel(model: ModelFolder): ThreadModel {
  return {
    model: `bert/${model.id}`,
    dimensions: model.dimensions,
    languages: model.languages,
    questionPrefix: model.questionPrefix,
    documentPrefix: model.documentPrefix,
    script: MINILM_SCRIPT,
    data: {
      id: model.id,
      dimensions: model.dimensions,
      maxTokens: model.maxTokens,
      pooling: 'mean',
      normalize: true,
      weightsPath: model.weights,
      tokenizerPath: join(model.folder, 'tokenizer.json'),
      configPath: join(model.folder, 'config.json'),
    },
  };
}

function unusable({ name }: EmbedderChoice, reason: string): MadeEmbedder {
  const failed = { ok: false, reason, permanent: true } as const;
  const embedder: Embedder = {
    model: name,
    dimensions: 1,
    languages: 'all',
    isSymmetric: true,
    embed: () => Promise.resolve(failed),
    hold: () => undefined,
    close: () => Promise.resolve(),
  };
  return { embedder, problem: reason };
}

function fromHome(folder: string): string {
  return folder.startsWith('~') ? join(homedir(), folder.slice(1)) : folder;
}

/** Shared by all memories of the user: a model is large. */
function modelsFolder(): string {
  const cache =
    process.platform === 'win32'
      ? process.env['LOCALAPPDATA']
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : process.env['XDG_CACHE_HOME'];
  return join(cache === undefined || cache === '' ? join(homedir(), '.cache') : cache, 'stet', 'models');
}
