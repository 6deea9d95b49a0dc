import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TINY_DIMENSIONS, writeTinyBert, writeTinyOnnx } from '../../test/tiny-model.ts';
import { type ModelFolder, readModelFolder } from './model-folder.ts';

const AUTO = { pooling: 'auto', questionPrefix: 'auto', documentPrefix: 'auto', languages: 'auto' };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-model-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function onnx(name: string, choice: Partial<typeof AUTO> = {}, config: Record<string, unknown> = {}): ModelFolder {
  writeTinyOnnx(join(folder, name), config);
  return read(name, choice);
}

function read(name: string, choice: Partial<typeof AUTO> = {}): ModelFolder {
  const result = readModelFolder(join(folder, name), 'onnx', { ...AUTO, ...choice });
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

function why(name: string, format: 'onnx' | 'safetensors' = 'onnx'): string {
  const result = readModelFolder(join(folder, name), format, AUTO);
  return result.ok ? '' : result.reason;
}

describe('the folder of a model', () => {
  it.each([
    ['multilingual-e5-small', 'mean', 'query: ', 'passage: ', 'all'],
    ['e5-small-v2', 'mean', 'query: ', 'passage: ', ['en']],
    ['bge-small-en-v1.5', 'cls', 'Represent this sentence for searching relevant passages: ', '', ['en']],
    ['bge-m3', 'cls', '', '', 'all'],
    ['gte-small', 'mean', '', '', ['en']],
    ['gte-multilingual-base', 'cls', '', '', 'all'],
    ['all-MiniLM-L6-v2', 'mean', '', '', ['en']],
    ['paraphrase-multilingual-MiniLM-L12-v2', 'mean', '', '', 'all'],
  ])('is used by its family: %s', (name, pooling, questionPrefix, documentPrefix, languages) => {
    expect(onnx(name)).toMatchObject({ pooling, questionPrefix, documentPrefix, languages });
  });

  it('is used by what its files say before its family, and by what the user says before both', () => {
    onnx('bge-small-en');
    mkdirSync(join(folder, 'bge-small-en', '1_Pooling'));
    writeFileSync(join(folder, 'bge-small-en', '1_Pooling', 'config.json'), '{"pooling_mode_mean_tokens": true}');
    writeFileSync(
      join(folder, 'bge-small-en', 'config_sentence_transformers.json'),
      '{"prompts": {"query": "q: ", "document": "d: "}}',
    );
    expect(read('bge-small-en')).toMatchObject({ pooling: 'mean', questionPrefix: 'q: ', documentPrefix: 'd: ' });
    const own = { pooling: 'last', questionPrefix: '', documentPrefix: 'mine ', languages: 'en,de' };
    expect(read('bge-small-en', own)).toMatchObject({ ...own, languages: ['en', 'de'] });
  });

  it('has an id that changes with whatever changes its vectors, and with nothing else', () => {
    const { id, dimensions, maxTokens } = onnx('gte-small');
    expect([dimensions, maxTokens]).toEqual([TINY_DIMENSIONS, 32]);
    expect(onnx('gte-small').id).toBe(id);
    expect(onnx('gte-small', { languages: 'all' }).id).toBe(id);
    const others = [
      onnx('gte-small', { pooling: 'cls' }).id,
      onnx('gte-small', { questionPrefix: 'query: ' }).id,
      onnx('gte-small', {}, { layer_norm_eps: 1e-6 }).id,
    ];
    onnx('gte-small');
    writeFileSync(join(folder, 'gte-small', 'onnx', 'model.onnx'), 'other weights');
    others.push(read('gte-small').id);
    writeFileSync(join(folder, 'gte-small', 'onnx', 'model_quantized.onnx'), 'other weights');
    expect(read('gte-small').dtype).toBe('q8');
    others.push(read('gte-small').id);
    expect(new Set([id, ...others]).size).toBe(6);
  });

  it('is refused in words that name the file and what to do', () => {
    expect(why('none')).toBe(`there is no folder ${join(folder, 'none')}`);
    mkdirSync(join(folder, 'empty'));
    expect(why('empty')).toMatch(/config\.json is missing or tells no hidden_size/);
    writeTinyBert(join(folder, 'bert'));
    expect(why('bert')).toMatch(/onnx has no model_quantized\.onnx/);
    expect(why('bert', 'safetensors')).toBe('');
    writeTinyBert(join(folder, 'bge-bert'));
    expect(why('bge-bert', 'safetensors')).toMatch(/pooling cls.*use transformers:/);
    writeTinyBert(join(folder, 'other'), { model_type: 'gpt2' });
    expect(why('other', 'safetensors')).toMatch(/holds a gpt2.*use transformers:/);
    rmSync(join(folder, 'other', 'tokenizer.json'));
    expect(why('other', 'safetensors')).toMatch(/tokenizer\.json is missing/);
  });
});
