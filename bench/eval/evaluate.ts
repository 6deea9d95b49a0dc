// Runs the product's own index over a dataset and measures what it answers. Invariant: nothing of ranking, bar or
// tokenising is done here: the numbers are those that a user gets.
import type { Embedder } from '../../src/index/embedder.ts';
import { makeEmbedder, type EmbedderPlaces } from '../../src/index/make-embedder.ts';
import { type MemoryIndex, type Scored, type SearchResult } from '../../src/index/memory-index.ts';
import { openMemoryIndex } from '../../src/index/open-index.ts';
import { CachedEmbedder } from './cached-embedder.ts';
import type { Dataset, EvalQuestion } from './dataset.ts';
import { allAt, aurocOf, type Estimate, hitAt, meanOf, ndcgAt, recallAt, reciprocalRank } from './measures.ts';

/** Which signals rank: the product's words alone, its sum, or (for comparison only) its cosines alone. */
export type Signals = 'words' | 'vectors' | 'both';

export interface Evaluation {
  readonly dataset: string;
  readonly signals: Signals;
  readonly documents: number;
  /** The lowest bar of a question: what the embedder's bar is, where nothing raised it. */
  readonly bar: number | null;
  readonly measures: Readonly<Record<string, Estimate | null>>;
}

interface Answered {
  readonly question: EvalQuestion;
  readonly result: SearchResult;
  /** Everything that was ranked, the bar left out, best first. */
  readonly ranking: readonly Scored[];
}

/** As many as a recall gives. */
const LIMIT = 8;

/** `name`: as the setting `embedder`. Nothing is loaded before the first text. */
export function openModel(name: string): { ok: true; value: Embedder } | { ok: false; reason: string } {
  const library = process.env['STET_TRANSFORMERS'];
  const places: EmbedderPlaces = library === undefined ? {} : { library };
  const choice = { name, pooling: 'auto', questionPrefix: 'auto', documentPrefix: 'auto', languages: 'auto' };
  const { embedder, problem } = makeEmbedder(choice, places);
  if (problem !== null) return { ok: false, reason: problem };
  return embedder === null ? { ok: false, reason: 'no vectors are --words' } : { ok: true, value: embedder };
}

export async function evaluate(
  dataset: Dataset,
  signals: Signals,
  { embedder, cacheFolder }: { readonly embedder: string; readonly cacheFolder: string },
  onProgress: (waiting: number) => void,
): Promise<Evaluation> {
  const model = openModel(embedder);
  if (!model.ok) throw new Error(model.reason);
  const index = openMemoryIndex({
    folder: cacheFolder,
    embedder: signals === 'words' ? 'none' : new CachedEmbedder(model.value, cacheFolder),
  });
  const documents = [...dataset.partitions.values()].reduce((sum, { length }) => sum + length, 0);
  try {
    for (const [partition, documents] of dataset.partitions) await index.open(partition, documents);
    const timer = setInterval(() => onProgress(index.health().waiting), 1000);
    await index.settled();
    clearInterval(timer);
    const { problem } = index.health();
    if (problem !== null) throw new Error(`${dataset.name}: ${problem}`);

    const answers: Answered[] = [];
    for (const question of dataset.questions) answers.push(await ask(index, dataset, question, signals, documents));
    return {
      dataset: dataset.name,
      signals,
      documents,
      bar: signals === 'vectors' ? null : Math.min(...answers.map(({ result }) => result.bar)),
      measures: dataset.exactSets ? measureSets(answers) : measureRankings(answers, signals),
    };
  } finally {
    await index.close();
  }
}

async function ask(
  index: MemoryIndex,
  { accept }: Dataset,
  question: EvalQuestion,
  signals: Signals,
  documents: number,
): Promise<Answered> {
  const result = await index.search({
    partitions: question.partitions,
    question: question.text,
    limit: LIMIT,
    missedLimit: signals === 'vectors' ? documents : 100,
    accept,
  });
  const ranking: Scored[] = [...result.hits, ...result.missed];
  if (signals === 'vectors') {
    ranking.sort((a, b) => (b.cosine ?? -1) - (a.cosine ?? -1) || (a.id < b.id ? -1 : 1));
  }
  return { question, result, ranking };
}

function measureRankings(answers: readonly Answered[], signals: Signals): Evaluation['measures'] {
  const answerable = answers.filter(({ question }) => question.answerable && question.relevant.size > 0);
  const rankings = answerable.map(({ question, ranking }) => ({
    ids: ranking.map(({ id }) => id),
    relevant: question.relevant,
  }));
  const unanswerable = answers.filter(({ question }) => !question.answerable);
  const measures: Record<string, Estimate | null> = {};
  for (const k of [1, 5, 8, 10]) measures[`recall@${k}`] = meanOf(rankings.map((ranked) => recallAt(k, ranked)));
  measures['hit@5'] = meanOf(rankings.map((ranked) => hitAt(5, ranked)));
  measures['all@5'] = meanOf(rankings.map((ranked) => allAt(5, ranked)));
  measures['MRR'] = meanOf(rankings.map(reciprocalRank));
  measures['nDCG@10'] = meanOf(rankings.map((ranked) => ndcgAt(10, ranked)));
  const top = ({ ranking: [first] }: Answered): number => (signals === 'vectors' ? first?.cosine : first?.score) ?? -1;
  measures['AUROC'] = aurocOf(answerable.map(top), unanswerable.map(top));
  if (signals === 'vectors') return measures;

  const got = ({ result }: Answered): number => Number(result.hits.length > 0);
  measures['answerable, got something'] = meanOf(answerable.map(got));
  measures['unanswerable, got nothing'] = meanOf(unanswerable.map((answer) => 1 - got(answer)));
  measures['recall of what was given'] = meanOf(
    answerable.map(({ question, result }) =>
      recallAt(LIMIT, { ids: result.hits.map(({ id }) => id), relevant: question.relevant }),
    ),
  );
  measures['facts given'] = meanOf(answers.map(({ result }) => result.hits.length));
  return measures;
}

/**
 * PrecisionMemBench's own rules: a case passes when exactly the expected set is returned; precision is over the cases
 * that return or expect something (0 when nothing is returned), recall over those that expect something.
 */
function measureSets(answers: readonly Answered[]): Evaluation['measures'] {
  const cases = answers.map(({ question, result }) => {
    const hits = result.hits.filter(({ id }) => question.relevant.has(id)).length;
    return { expected: question.relevant.size, returned: result.hits.length, hits };
  });
  return {
    passed: meanOf(cases.map(({ expected, returned, hits }) => Number(hits === expected && hits === returned))),
    precision: meanOf(
      cases
        .filter(({ expected, returned }) => expected + returned > 0)
        .map(({ returned, hits }) => (returned === 0 ? 0 : hits / returned)),
    ),
    recall: meanOf(cases.filter(({ expected }) => expected > 0).map(({ expected, hits }) => hits / expected)),
    'nothing where nothing is expected': meanOf(
      cases.filter(({ expected }) => expected === 0).map(({ returned }) => Number(returned === 0)),
    ),
  };
}
