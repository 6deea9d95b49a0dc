// Models of a few kilobytes for tests, in the layouts of real ones: an ONNX folder as Transformers.js reads it, and a BERT
// folder with safetensors. The weights are fixed pseudo-random numbers: only which numbers come out matters, never how good.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = 'query passage : . acme deploys with kubernetes on friday the report signs users in'.split(' ');
const TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...WORDS];
export const TINY_DIMENSIONS = 8;
const INNER = 16;
const LONGEST = 32;

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: TOKENS.slice(0, 5).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
    pair: [
      special('[CLS]'),
      { Sequence: { id: 'A', type_id: 0 } },
      special('[SEP]'),
      { Sequence: { id: 'B', type_id: 1 } },
      special('[SEP]'),
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(TOKENS.map((token, id) => [token, id])),
  },
};

const CONFIG = {
  architectures: ['BertModel'],
  model_type: 'bert',
  attention_probs_dropout_prob: 0,
  hidden_act: 'gelu',
  hidden_dropout_prob: 0,
  hidden_size: TINY_DIMENSIONS,
  initializer_range: 0.02,
  intermediate_size: INNER,
  layer_norm_eps: 1e-12,
  max_position_embeddings: LONGEST,
  num_attention_heads: 2,
  num_hidden_layers: 1,
  pad_token_id: 0,
  position_embedding_type: 'absolute',
  type_vocab_size: 2,
  use_cache: true,
  vocab_size: TOKENS.length,
};

/** A folder that Transformers.js loads: each token's vector is its row of a table, whatever stands beside it. */
export function writeTinyOnnx(folder: string, config: Readonly<Record<string, unknown>> = {}): void {
  writeCommon(folder, config);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, 'onnx', 'model.onnx'), onnxModel());
}

/** A folder with the weights of a BERT of one layer. */
export function writeTinyBert(folder: string, config: Readonly<Record<string, unknown>> = {}): void {
  writeCommon(folder, config);
  const [h, inner] = [TINY_DIMENSIONS, INNER];
  const layer = 'encoder.layer.0.';
  const linear = (name: string, outputs: number, inputs: number): Tensor[] => [
    { name: `${name}.weight`, shape: [outputs, inputs] },
    { name: `${name}.bias`, shape: [outputs] },
  ];
  const norm = (name: string): Tensor[] => [
    { name: `${name}.weight`, shape: [h] },
    { name: `${name}.bias`, shape: [h] },
  ];
  writeFileSync(
    join(folder, 'model.safetensors'),
    safetensors([
      { name: 'embeddings.word_embeddings.weight', shape: [TOKENS.length, h] },
      { name: 'embeddings.position_embeddings.weight', shape: [LONGEST, h] },
      { name: 'embeddings.token_type_embeddings.weight', shape: [2, h] },
      ...norm('embeddings.LayerNorm'),
      ...linear(`${layer}attention.self.query`, h, h),
      ...linear(`${layer}attention.self.key`, h, h),
      ...linear(`${layer}attention.self.value`, h, h),
      ...linear(`${layer}attention.output.dense`, h, h),
      ...norm(`${layer}attention.output.LayerNorm`),
      ...linear(`${layer}intermediate.dense`, inner, h),
      ...linear(`${layer}output.dense`, h, inner),
      ...norm(`${layer}output.LayerNorm`),
    ]),
  );
}

function writeCommon(folder: string, config: Readonly<Record<string, unknown>>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...CONFIG, ...config }));
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(TOKENIZER));
  writeFileSync(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ tokenizer_class: 'BertTokenizer', do_lower_case: true, model_max_length: LONGEST, ...marks() }),
  );
}

function marks(): Record<string, string> {
  const [pad = '', unknown = '', start = '', end = '', mask = ''] = TOKENS;
  return { pad_token: pad, unk_token: unknown, cls_token: start, sep_token: end, mask_token: mask };
}

function special(id: string): unknown {
  return { SpecialToken: { id, type_id: 0 } };
}

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
}

/** Numbers in [-1, 1], the same for the same name (a linear congruential generator). */
function numbers({ name, shape }: Tensor): Float32Array {
  let state = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 31, 7);
  const count = shape.reduce((product, size) => product * size, 1);
  return Float32Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state / 2 ** 30 - 1) * 0.9;
  });
}

/** Length of the header (8) · header (JSON) · the numbers, little-endian. */
function safetensors(tensors: readonly Tensor[]): Buffer {
  let offset = 0;
  const header: Record<string, unknown> = {};
  const bodies = tensors.map((tensor) => {
    const body = bytesOf(numbers(tensor));
    header[tensor.name] = { dtype: 'F32', shape: tensor.shape, data_offsets: [offset, offset + body.length] };
    offset += body.length;
    return body;
  });
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...bodies]);
}

// Field numbers are those of onnx.proto: ModelProto, GraphProto, NodeProto, TensorProto, ValueInfoProto.
function onnxModel(): Buffer {
  const table: Tensor = { name: 'table', shape: [TOKENS.length, TINY_DIMENSIONS] };
  const tokens = (name: string): Buffer => valueInfo(name, INT64, ['batch', 'tokens']);
  const gather = message([1, 'table'], [1, 'input_ids'], [2, 'last_hidden_state'], [3, 'look up'], [4, 'Gather']);
  const tensor = message(...table.shape.map((size) => [1, size] as const), [2, FLOAT], [8, table.name], [9, bytesOf(numbers(table))]); // prettier-ignore
  const graph = message(
    [1, gather],
    [2, 'tiny'],
    [5, tensor],
    [11, tokens('input_ids')],
    [11, tokens('attention_mask')],
    [11, tokens('token_type_ids')],
    [12, valueInfo('last_hidden_state', FLOAT, ['batch', 'tokens', TINY_DIMENSIONS])],
  );
  return message([1, 8], [2, 'stet tests'], [7, graph], [8, message([1, ''], [2, 13])]);
}

const FLOAT = 1;
const INT64 = 7;

function valueInfo(name: string, type: number, shape: ReadonlyArray<string | number>): Buffer {
  const dimensions = shape.map((size) => [1, message(typeof size === 'string' ? [2, size] : [1, size])] as const);
  return message([1, name], [2, message([1, message([1, type], [2, message(...dimensions)])])]);
}

/** Protocol buffers: a number is a varint, text and bytes are prefixed with their length. */
function message(...fields: ReadonlyArray<readonly [number, number | string | Buffer]>): Buffer {
  return Buffer.concat(
    fields.flatMap(([field, value]) => {
      if (typeof value === 'number') return [varint(field << 3), varint(value)];
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return [varint((field << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function bytesOf(values: Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}
