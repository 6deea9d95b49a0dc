// The command `npm run eval`: which folders, which signals, and how the numbers are shown.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDataset } from './dataset.ts';
import { evaluate, openModel, type Evaluation, type Signals } from './evaluate.ts';
import type { Estimate } from './measures.ts';

const USAGE = `npm run eval -- [FOLDER…] [--words | --vectors | --both] [--embedder NAME] [--json] [--cache FOLDER]

Measures retrieval on folders with corpus.jsonl and queries.jsonl (all of ../shared/eval without an argument).
  --words, --vectors, --both   which signals rank (several: each); default --both
  --embedder NAME              what makes the vectors, as in \`stet config embedder\`; default minilm. Transformers.js is looked
                               for in the folder STET_TRANSFORMERS as well
  --json                       the numbers as JSON, on standard output
  --cache FOLDER               where vectors are kept between runs; default: stet-eval in the temporary folder`;

const DEFAULT_DATA = '../shared/eval';

/** Returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      words: { type: 'boolean' },
      vectors: { type: 'boolean' },
      both: { type: 'boolean' },
      embedder: { type: 'string', default: 'minilm' },
      json: { type: 'boolean' },
      cache: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const model = openModel(values.embedder);
  if (!model.ok) {
    process.stderr.write(`--embedder ${values.embedder}: ${model.reason}\n\n${USAGE}\n`);
    return 2;
  }
  const asked = (['words', 'vectors', 'both'] as const).filter((signals) => values[signals] === true);
  const cacheFolder = resolve(values.cache ?? join(tmpdir(), 'stet-eval'));
  const folders = positionals.length > 0 ? positionals : foldersOf(DEFAULT_DATA);
  const skipped: string[] = positionals.length === 0 && folders.length === 0 ? [DEFAULT_DATA] : [];
  const evaluations: Evaluation[] = [];
  for (const folder of folders) {
    const dataset = readDataset(folder);
    if (dataset === null) {
      skipped.push(folder);
      continue;
    }
    for (const signals of asked.length > 0 ? asked : (['both'] satisfies Signals[])) {
      const evaluation = await evaluate(dataset, signals, { embedder: values.embedder, cacheFolder }, (waiting) => {
        if (process.stderr.isTTY && waiting > 0) process.stderr.write(`\r${dataset.name}: ${waiting} texts to embed `);
      });
      evaluations.push(evaluation);
      if (values.json !== true) process.stdout.write(asText(evaluation));
    }
  }
  if (values.json === true) process.stdout.write(`${JSON.stringify({ evaluations, skipped }, null, 2)}\n`);
  for (const folder of skipped) {
    process.stderr.write(`SKIPPED ${folder}: it has no corpus.jsonl and queries.jsonl\n`);
  }
  return 0;
}

function foldersOf(parent: string): string[] {
  try {
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(parent, name));
  } catch {
    return [];
  }
}

function asText({ dataset, signals, documents, bar, measures }: Evaluation): string {
  const head = `\n${dataset}, ${signals}: ${documents} documents${bar === null ? '' : `, bar ${bar}`}\n`;
  const rows = Object.entries(measures)
    .filter((row): row is [string, Estimate] => row[1] !== null)
    .map(([name, { value, low, high, count }]) => {
      const numbers = `${value.toFixed(3)}  [${low.toFixed(3)}, ${high.toFixed(3)}]`;
      return `  ${name.padEnd(36)}${numbers}  n = ${count}\n`;
    });
  return head + rows.join('');
}
