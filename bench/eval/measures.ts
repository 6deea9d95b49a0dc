// Measures of rankings and of abstention, each with its count and a 95% interval. Invariant: pure and repeatable: the
// bootstrap draws from a fixed seed.

/** One question's ranking, best first. */
export interface Ranked {
  readonly ids: readonly string[];
  readonly relevant: ReadonlySet<string>;
}

export interface Estimate {
  readonly value: number;
  /** The 2.5th and 97.5th percentile of the bootstrap. */
  readonly low: number;
  readonly high: number;
  /** Questions that it is the mean of. */
  readonly count: number;
}

/** Share of the relevant among the first k. */
export function recallAt(k: number, { ids, relevant }: Ranked): number {
  return ids.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size;
}

/** 1 if any relevant one is among the first k. */
export function hitAt(k: number, { ids, relevant }: Ranked): number {
  return Number(ids.slice(0, k).some((id) => relevant.has(id)));
}

/** 1 if all relevant ones are among the first k. */
export function allAt(k: number, ranked: Ranked): number {
  return Number(recallAt(k, ranked) === 1);
}

/** 1 over the rank of the first relevant one; 0 if none is ranked. */
export function reciprocalRank({ ids, relevant }: Ranked): number {
  const index = ids.findIndex((id) => relevant.has(id));
  return index === -1 ? 0 : 1 / (index + 1);
}

/** nDCG with gains of 0 and 1: Σ 1/log2(rank + 1) over the best possible sum (Järvelin and Kekäläinen 2002). */
export function ndcgAt(k: number, { ids, relevant }: Ranked): number {
  const gain = (index: number): number => 1 / Math.log2(index + 2);
  let found = 0;
  for (const [index, id] of ids.slice(0, k).entries()) if (relevant.has(id)) found += gain(index);
  let ideal = 0;
  for (let index = 0; index < Math.min(k, relevant.size); index++) ideal += gain(index);
  return found / ideal;
}

/** The chance that a positive scores above a negative, ties counting half (Mann and Whitney). NaN without both. */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  const all = [...positives.map((score) => ({ score, up: 1 })), ...negatives.map((score) => ({ score, up: 0 }))];
  all.sort((a, b) => a.score - b.score);
  let rankSum = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]?.score === all[start]?.score) end += 1;
    for (let i = start; i < end; i++) rankSum += (all[i]?.up ?? 0) * ((start + 1 + end) / 2);
    start = end;
  }
  return (rankSum - (positives.length * (positives.length + 1)) / 2) / (positives.length * negatives.length);
}

const RESAMPLES = 1000;

/** The mean of one number a question. Null for none. */
export function meanOf(values: readonly number[]): Estimate | null {
  if (values.length === 0) return null;
  return { ...interval(() => mean(resample(values)), mean(values)), count: values.length };
}

/** AUROC with both groups resampled. Null without both. */
export function aurocOf(positives: readonly number[], negatives: readonly number[]): Estimate | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  const draw = (): number => auroc(resample(positives), resample(negatives));
  return { ...interval(draw, auroc(positives, negatives)), count: positives.length + negatives.length };
}

let state = 0;

function interval(draw: () => number, value: number): { value: number; low: number; high: number } {
  state = 20_260_901;
  const drawn = Array.from({ length: RESAMPLES }, draw).sort((a, b) => a - b);
  const at = (share: number): number => drawn[Math.round(share * (RESAMPLES - 1))] ?? value;
  return { value, low: at(0.025), high: at(0.975) };
}

function resample(values: readonly number[]): number[] {
  return values.map(() => values[Math.floor(random() * values.length)] ?? 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** mulberry32: enough for a bootstrap, and the same everywhere. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
