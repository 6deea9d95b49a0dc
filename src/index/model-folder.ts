// A folder with a model in it, as the hubs publish them: what it says of itself, and how it is to be used. Invariant: the
// same files and settings give the same id, and others another one.
import { hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EmbedderChoice } from '../memory/embedder-name.ts';
import { LANGUAGES, type LanguageCode } from './language.ts';
import { familyOf, type Pooling } from './model-family.ts';

/** How Transformers.js calls the files `onnx/model*.onnx`; of several the first is used, the fastest on a processor. */
const ONNX_FILES = [
  ['q8', 'model_quantized.onnx'],
  ['int8', 'model_int8.onnx'],
  ['fp32', 'model.onnx'],
  ['fp16', 'model_fp16.onnx'],
] as const;

export interface ModelFolder {
  readonly folder: string;
  readonly id: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  readonly questionPrefix: string;
  readonly documentPrefix: string;
  readonly languages: readonly LanguageCode[] | 'all';
  readonly weights: string;
  /** Of an ONNX file, as Transformers.js names it. */
  readonly dtype: string | null;
}

/** Reads what is needed to open the model; what is missing is said in words that name the file and what to do. */
export function readModelFolder(
  folder: string,
  format: 'onnx' | 'safetensors',
  choice: Omit<EmbedderChoice, 'name'>,
): { ok: true; value: ModelFolder } | { ok: false; reason: string } {
  if (!existsSync(folder)) return { ok: false, reason: `there is no folder ${folder}` };
  const config = readJson(join(folder, 'config.json'));
  const dimensions = config?.['hidden_size'] ?? config?.['dim'] ?? config?.['d_model'];
  if (config === null || typeof dimensions !== 'number') {
    return { ok: false, reason: `${join(folder, 'config.json')} is missing or tells no hidden_size` };
  }
  if (!existsSync(join(folder, 'tokenizer.json'))) {
    return { ok: false, reason: `${join(folder, 'tokenizer.json')} is missing` };
  }
  const found = findWeights(folder, format);
  if (found === null) {
    return {
      ok: false,
      reason:
        format === 'onnx'
          ? `${join(folder, 'onnx')} has no ${ONNX_FILES.map(([, name]) => name).join(', ')}`
          : `${join(folder, 'model.safetensors')} is missing`,
    };
  }
  if (format === 'safetensors' && config['model_type'] !== 'bert') {
    return {
      ok: false,
      reason: `${folder} holds a ${textOf(config['model_type']) ?? 'model of no known type'}, and the packaged engine reads BERT alone; use transformers:${folder}`,
    };
  }
  const { weights, dtype } = found;
  const name = `${basename(folder)} ${textOf(config['_name_or_path']) ?? ''}`;
  const family = familyOf(name);
  const prompts = promptsOf(folder);
  const own = choice.pooling === 'auto' ? (poolingOf(folder) ?? family.pooling) : (choice.pooling as Pooling);
  if (format === 'safetensors' && own !== 'mean') {
    return {
      ok: false,
      reason: `${folder} wants the pooling ${own}, and the packaged engine has mean alone; use transformers:${folder}`,
    };
  }
  const questionPrefix = chosen(choice.questionPrefix, prompts['query'] ?? family.questionPrefix);
  const documentPrefix = chosen(
    choice.documentPrefix,
    prompts['document'] ?? prompts['passage'] ?? family.documentPrefix,
  );
  const multilingual =
    family.multilingual || (textOf(config['model_type']) ?? 'model of no known type').startsWith('xlm-roberta');
  const languages = choice.languages === 'auto' ? (multilingual ? 'all' : 'en') : choice.languages;
  const mapping = [dtype ?? 'bert', own, questionPrefix, documentPrefix, fingerprint(weights)];
  for (const file of ['config.json', 'tokenizer.json']) mapping.push(fingerprint(join(folder, file)));
  return {
    ok: true,
    value: {
      folder,
      id: `${basename(folder)}/${hash('sha256', JSON.stringify(mapping), 'hex').slice(0, 12)}`,
      dimensions,
      maxTokens: maxTokensOf(folder, config),
      pooling: own,
      questionPrefix,
      documentPrefix,
      languages: languages === 'all' ? 'all' : languages.split(',').filter(isLanguage),
      weights,
      dtype,
    },
  };
}

/** The prefixes that a folder of sentence-transformers names. */
function promptsOf(folder: string): Readonly<Record<string, string>> {
  const prompts = readJson(join(folder, 'config_sentence_transformers.json'))?.['prompts'];
  if (typeof prompts !== 'object' || prompts === null) return {};
  return Object.fromEntries(
    Object.entries(prompts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function chosen(setting: string, fallback: string): string {
  return setting === 'auto' ? fallback : setting;
}

function isLanguage(code: string): code is LanguageCode {
  return code in LANGUAGES;
}

function findWeights(folder: string, format: 'onnx' | 'safetensors'): { weights: string; dtype: string | null } | null {
  if (format === 'safetensors') {
    const weights = join(folder, 'model.safetensors');
    return existsSync(weights) ? { weights, dtype: null } : null;
  }
  const found = ONNX_FILES.find(([, name]) => existsSync(join(folder, 'onnx', name)));
  return found === undefined ? null : { weights: join(folder, 'onnx', found[1]), dtype: found[0] };
}

/** What a folder of sentence-transformers says; null where it says nothing that is known here. */
function poolingOf(folder: string): Pooling | null {
  const pooling = readJson(join(folder, '1_Pooling', 'config.json'));
  if (pooling === null) return null;
  if (pooling['pooling_mode_cls_token'] === true) return 'cls';
  if (pooling['pooling_mode_lasttoken'] === true) return 'last';
  return pooling['pooling_mode_mean_tokens'] === true ? 'mean' : null;
}

function maxTokensOf(folder: string, config: Readonly<Record<string, unknown>>): number {
  const own = readJson(join(folder, 'sentence_bert_config.json'))?.['max_seq_length'];
  const places = config['max_position_embeddings'];
  return Math.min(typeof own === 'number' ? own : 512, typeof places === 'number' ? places : 512);
}

const ENDS_BYTES = 1 << 16;

/** The size of a file and both its ends: reading weights whole would take longer than a question. */
function fingerprint(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(2 * ENDS_BYTES);
    const head = readSync(descriptor, bytes, 0, ENDS_BYTES, 0);
    const tail = readSync(descriptor, bytes, head, ENDS_BYTES, Math.max(0, size - ENDS_BYTES));
    return `${size}:${hash('sha256', bytes.subarray(0, head + tail), 'hex')}`;
  } finally {
    closeSync(descriptor);
  }
}

function readJson(path: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
