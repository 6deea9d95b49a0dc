// Writes the delivery of a recall, after the answer is ready: nobody waits for it. Looks only at what the session sees.

import { LEFT_OUT_LIMIT, printDelivery, type Delivery, type LeftOut } from '../memory/delivery.ts';
import type { Item } from '../memory/item.ts';
import { redactSecrets } from '../memory/secrets.ts';
import { visibleSpaces } from '../memory/session.ts';
import type { Memory } from './memory.ts';
import type { Reading } from './reading.ts';
import type { TracedRecall } from './results.ts';

export async function traceRecall(memory: Memory, traced: TracedRecall): Promise<Delivery> {
  const { session, question, result, found } = traced;
  const uncommitted = await findUncommitted(memory, [...result.instructions, ...result.facts.map(({ item }) => item)]);
  const delivery: Delivery = {
    time: memory.now().toISOString(),
    agent: session.agent,
    source: session.source,
    space: session.space,
    rule: session.rule,
    spaceAllowed: session.spaceAllowed,
    personalAllowed: session.personalAllowed,
    question: await redactSecrets(question),
    commit: await memory.repository.head(),
    instructions: result.instructions.map((item) => item.id),
    facts: result.facts.map(({ item, score }) => ({ id: item.id, score: round(score) })),
    ...(uncommitted.length > 0 && { uncommitted }),
    ...(await findLeftOut(memory, traced)),
    bar: found.bar,
    ...(found.rewordedBy.length === 0 ? {} : { rewordedBy: found.rewordedBy }),
    wordsOnly: found.vectors.reason,
  };
  memory.deliveries.append(printDelivery(delivery), memory.now());
  return delivery;
}

/** Ids of the items whose text HEAD does not have. */
async function findUncommitted(memory: Memory, items: readonly Item[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { id, text } of items) {
    const path = memory.table.get(id)?.path;
    const head = path === undefined ? null : await memory.readAtHead(path);
    if (head?.kind !== 'item' || head.file.item.text !== text) ids.push(id);
  }
  return ids;
}

/** The best of what stayed out: under the bar or over the limit, and what would have answered but is outdated. */
export async function findLeftOut(
  memory: Reading,
  { session, question, found, view }: TracedRecall,
): Promise<{ leftOut: readonly LeftOut[]; more: number }> {
  const outdated = await memory.index.search({
    partitions: visibleSpaces(session),
    question,
    limit: LEFT_OUT_LIMIT,
    accept: view.wasFact,
    // What would have answered is found by the vocabulary of the answer, not by an outdated one.
    defines: (id) => view.current(id) !== undefined,
  });
  const leftOut: LeftOut[] = found.missed.map(({ id, score, reason }) => ({ id, reason, score: round(score) }));
  for (const { id, score } of outdated.hits) {
    const item = view.item(id);
    const why = item === undefined ? null : view.outdated(item);
    if (why) leftOut.push({ id, ...why, score: round(score) });
  }
  leftOut.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return { leftOut: leftOut.slice(0, LEFT_OUT_LIMIT), more: found.rest + Math.max(0, leftOut.length - LEFT_OUT_LIMIT) };
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}
