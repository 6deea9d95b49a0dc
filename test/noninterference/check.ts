// "The number that must be zero." A script runs on a whole memory; then, for every set of places that some client saw,
// on one where nothing outside of these places ever was. Each client must have received the same, byte for byte.
//
// In the second run, calls of clients that see just these places are made again and compared; calls that touch nothing
// else (a personal write from within another space) are made again too; whatever else wrote into these places (the
// user, an agent that sees more) is written as files, with the times that they had, and committed where it was.
//
// Every process takes in every write by hand at once, in both runs, as its watcher would tell it. Of a file that was good
// and broken again before anybody looked, and was never committed, nobody can know what it said; who looks when is no item,
// and not what is asked here.

import type { InProcessMemory } from '../in-process-memory.ts';
import { execute, type ExecutedCall, type Outcome } from './execute.ts';
import { KnownItems } from './known-items.ts';
import type { FilePlaces, Tree } from './places.ts';
import { CLIENTS, type Operation, type Place } from './script.ts';
import { World, type SeenEffect, type WorldOptions } from './world.ts';

/** What happened in the whole memory, in the words of the memory. */
interface Executed extends Outcome {
  readonly now: Date;
  readonly effects: readonly SeenEffect[];
}

export interface CheckResult {
  readonly operations: number;
  /** Answers that were compared. */
  readonly compared: number;
  /** Those of them that were given while there was something that the client did not see. */
  readonly hiding: number;
  /** How many answers there were of each kind, to see that a run was not empty of something. */
  readonly outcomes: ReadonlyMap<string, number>;
}

export class Leak extends Error {}

const START = Date.UTC(2026, 8, 15, 8);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Throws {@link Leak} at the first answer that depends on what its client does not see. */
export async function checkScript(
  script: readonly Operation[],
  options: Omit<WorldOptions, 'copyOf'>,
  prepared: InProcessMemory,
): Promise<CheckResult> {
  const whole = { ...options, copyOf: prepared.root };
  const { executed, tree } = await runWhole(script, whole, prepared);
  const sights = new Map(executed.flatMap(({ call }) => (call ? [[call.visible.join(), call.visible] as const] : [])));
  for (const visible of sights.values()) await runReduced(executed, tree, visible, { ...whole, apps: 1 }, prepared);
  const calls = executed.flatMap(({ call }) => (call ? [call] : []));
  const outcomes = new Map<string, number>();
  for (const call of calls) outcomes.set(outcomeOf(call), (outcomes.get(outcomeOf(call)) ?? 0) + 1);
  const hiding = calls.filter((call) => call.hides).length;
  return { operations: script.length, compared: calls.length, hiding, outcomes };
}

/** What a long run meets; of what a run never meets it says nothing. */
export const EVERY_OUTCOME: readonly string[] = [
  'recall with facts',
  'recall without facts',
  'remember stored',
  'remember identical',
  'remember near-identical',
  'remember refused',
  'forget forgotten',
  'forget waiting',
  'forget refused',
  'read',
  'read refused',
  'list resources',
  'read resource',
  'read resource refused',
  'complete',
];

/** One of {@link EVERY_OUTCOME}. */
function outcomeOf({ tool, answer }: ExecutedCall): string {
  const status = /"status":"([a-z-]+)"/.exec(answer)?.[1];
  if (status !== undefined) return `${tool} ${status}`;
  if (answer.includes('"isError":true') || answer.startsWith('thrown: ')) return `${tool} refused`;
  if (tool !== 'recall') return tool;
  return answer.includes('stored facts') ? 'recall with facts' : 'recall without facts';
}

async function runWhole(
  script: readonly Operation[],
  options: WorldOptions,
  prepared: InProcessMemory,
): Promise<{ executed: readonly Executed[]; tree: Tree }> {
  await using world = await World.make(options, prepared);
  const items = new KnownItems(world);
  const executed: Executed[] = [];
  let waited = 0;
  for (const [index, operation] of script.entries()) {
    if (operation.by === 'user' && operation.does === 'wait') waited += operation.days;
    const now = new Date(START + index * MINUTE_MS + waited * DAY_MS);
    world.memory.now = now;
    const outcome = await execute(operation, index, world, items);
    const effects = outcome.mayWrite ? await world.look(outcome.written) : [];
    items.learn(effects);
    executed.push({ now, effects, ...outcome });
  }
  return { executed, tree: world.tree };
}

async function runReduced(
  executed: readonly Executed[],
  wholeTree: Tree,
  visible: readonly Place[],
  options: WorldOptions,
  prepared: InProcessMemory,
): Promise<void> {
  await using world = await World.make(options, prepared);
  const sees = (places: FilePlaces) => places.some((place) => place === 'config' || visible.includes(place));
  for (const [at, { now, call, effects }] of executed.entries()) {
    world.memory.now = now;
    const isCompared = call?.visible.join() === visible.join();
    if (call && (isCompared || isWithin(call.scope, visible))) {
      world.nextIds = [call.id];
      const answer = await world.call(call.client, call.tool, call.given);
      const said = (text: string) => (isCompared ? text : /"status":"[a-z-]+","id":"\w+"/.exec(text)?.[0]);
      if (said(answer) !== said(call.answer)) throw new Leak(describeLeak(call, answer, executed.slice(0, at + 1)));
      continue;
    }
    const seen = effects.filter(({ places }) => sees(places));
    if (seen.length > 0) await world.write(seen);
  }
  await world.look();
  const left = (tree: Tree) =>
    [...tree]
      .filter(([path, { places }]) => sees(wholeTree.get(path)?.places ?? places))
      .map(([path, { bytes }]) => `${path}\n${bytes.toString('latin1')}`)
      .sort();
  const [inWhole, inReduced] = [left(wholeTree), left(world.tree)];
  const differing = inWhole.filter((file) => !inReduced.includes(file));
  const others = inReduced.filter((file) => !inWhole.includes(file));
  if (differing.length + others.length > 0) {
    const title = `What is stored in ${visible.join(' and ')} depends on other spaces:`;
    throw new Leak([title, ...differing, '--- without them:', ...others].join('\n'));
  }
}

/** Whether all that a call may depend on is there. A call that may depend on nothing changes nothing. */
function isWithin(scope: readonly Place[], visible: readonly Place[]): boolean {
  return scope.length > 0 && scope.every((place) => visible.includes(place));
}

function describeLeak(call: ExecutedCall, answer: string, executed: readonly Executed[]): string {
  const story = executed.map((each) =>
    each.call
      ? `${CLIENTS[each.call.client]?.agent} in ${CLIENTS[each.call.client]?.folder} [${each.call.visible.join(' ')}]: ${each.call.tool} ${JSON.stringify(each.call.given)}`
      : each.effects
          .map(({ path, bytes }) => `${path} ${bytes === null ? 'gone' : JSON.stringify(bytes.toString('latin1'))}`)
          .join('\n'),
  );
  return [
    `${CLIENTS[call.client]?.agent} sees ${call.visible.join(' and ')}, and received`,
    call.answer,
    '--- but where nothing else is',
    answer,
    '--- after',
    ...story.slice(-40),
  ].join('\n');
}
