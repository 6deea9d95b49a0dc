// Runs scripts until so many operations are done, and makes what it finds as short as it can.

import * as fc from 'fast-check';
import { checkScript, Leak, type CheckResult } from './check.ts';
import { script, type Operation } from './script.ts';
import { SEED } from './settings.ts';
import { prepareMemory, type WorldOptions } from './world.ts';

export interface RunOptions extends Omit<WorldOptions, 'copyOf'> {
  readonly operations: number;
  /** It goes on until each of these was met, for three times as many operations at most: chance decides when a rare one comes. */
  readonly meet?: readonly string[];
  /** The most operations of one script. */
  readonly length: number;
  /** Added to the seed, so that two runs of one seed have scripts of their own. */
  readonly apart: number;
  /** How long a script that shows a leak is made shorter, in milliseconds. */
  readonly shrinkMs: number;
}

/** Scripts made at a time: all at once would not fit into memory. */
const BATCH = 10;

/** Throws {@link Leak} with the story of the first answer that depends on what its client does not see. */
export async function runScripts(options: RunOptions): Promise<CheckResult> {
  await using prepared = await prepareMemory();
  let operations = 0;
  let compared = 0;
  let hiding = 0;
  const outcomes = new Map<string, number>();
  const isDone = (): boolean =>
    operations >= options.operations &&
    (operations >= options.operations * 3 || (options.meet ?? []).every((outcome) => outcomes.has(outcome)));
  for (let batch = 0; !isDone(); batch++) {
    const scripts = fc.sample(script(options.length), { seed: SEED + options.apart + batch, numRuns: BATCH });
    for (const each of scripts) {
      if (isDone()) break;
      try {
        const result = await checkScript(each, options, prepared);
        operations += result.operations;
        compared += result.compared;
        hiding += result.hiding;
        for (const [outcome, count] of result.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
      } catch (error) {
        if (!(error instanceof Leak)) throw error;
        const shorter = await shrink(each, error, options.shrinkMs, (fewer) => checkScript(fewer, options, prepared));
        throw new Leak(`STET_ZERO_SEED=${SEED + batch}\n${shorter.message}`, { cause: error });
      }
    }
  }
  return { operations, compared, hiding, outcomes };
}

/** Delta debugging (Zeller and Hildebrandt, 2002) without its complements: leaves out ever smaller runs of operations. */
async function shrink(
  script: readonly Operation[],
  leak: Leak,
  limitMs: number,
  check: (script: readonly Operation[]) => Promise<unknown>,
): Promise<Leak> {
  const end = Date.now() + limitMs;
  let [shortest, found] = [script, leak];
  for (let size = Math.ceil(script.length / 2); size >= 1;) {
    let isShorter = false;
    for (let at = 0; at < shortest.length && Date.now() < end;) {
      const fewer = [...shortest.slice(0, at), ...shortest.slice(at + size)];
      const outcome = await check(fewer).catch((error: unknown) => error);
      if (outcome instanceof Leak) {
        [shortest, found, isShorter] = [fewer, outcome, true];
      } else at += size;
    }
    if (Date.now() >= end || (size === 1 && !isShorter)) break;
    if (!isShorter || size > shortest.length / 2) size = Math.max(1, Math.floor(size / 2));
  }
  return found;
}
