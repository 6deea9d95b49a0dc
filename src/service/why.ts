// `stet why N` and `stet deliveries`: explains a delivery on the user's screen, with all that only the user may see:
// numbers, commits, and what other spaces would have answered.

import { parseDelivery, type Delivery, type LeftOut } from '../memory/delivery.ts';
import { StetError } from '../memory/failure.ts';
import { parseItemFile } from '../memory/item-file.ts';
import { idInPath } from '../memory/item-path.ts';
import type { Item, Space } from '../memory/item.ts';
import { decide } from '../memory/policies.ts';
import { PERSONAL_KEY, spaceKeyOf } from '../memory/space-key.ts';
import { durationMs } from '../memory/settings.ts';
import type { Memory } from './memory.ts';

export interface NumberedDelivery extends Delivery {
  readonly number: number;
}

/** What became of an item since it was delivered. */
export type Since =
  | { change: 'none' }
  | { change: 'edited' }
  | { change: 'superseded'; by: readonly string[] }
  | { change: 'expired'; until: string }
  | { change: 'waiting' }
  | { change: 'forgotten' }
  | { change: 'moved'; space: Space }
  | { change: 'gone' };

export interface ExplainedItem {
  readonly id: string;
  readonly score: number | null;
  /** The text as it was delivered; null when it is forgotten, or in no commit. */
  readonly before: string | null;
  /** The commit whose tree held that text; null when no commit did. */
  readonly commit: string | null;
  readonly since: Since;
}

export interface Elsewhere {
  readonly space: string;
  /** What that space would have answered, scored now. */
  readonly items: ReadonlyArray<{ readonly id: string; readonly score: number; readonly statement: string }>;
  readonly more: number;
}

export interface Explanation {
  readonly delivery: NumberedDelivery;
  readonly instructions: readonly ExplainedItem[];
  readonly facts: readonly ExplainedItem[];
  /** The vocabulary items that put the question in other words also. */
  readonly vocabulary: readonly ExplainedItem[];
  readonly leftOut: ReadonlyArray<LeftOut & { readonly since: Since }>;
  readonly elsewhere: readonly Elsewhere[];
  /** Whether the policies of now would decide otherwise, in words; null when not. */
  readonly policyChange: string | null;
  readonly quarantined: readonly string[];
}

/** How many items of one other space an explanation names. */
const ELSEWHERE_LIMIT = 3;
/** Up to so many more of it are counted. */
const ELSEWHERE_COUNTED = 1_000;

/** Newest last. Drops what is older than `deliveries.keep`. */
export function listDeliveries(memory: Memory): readonly NumberedDelivery[] {
  const keepMs = durationMs(memory.config.setting('deliveries.keep')) ?? Number.POSITIVE_INFINITY;
  if (Number.isFinite(keepMs)) memory.deliveries.dropBefore(new Date(memory.now().getTime() - keepMs));
  return memory.deliveries.read().flatMap(({ number, line }) => {
    const delivery = parseDelivery(line);
    return delivery === null ? [] : [{ number, ...delivery }];
  });
}

/** The newest delivery when no number is given. Throws `not-possible` for a number that there is not. */
export async function explainDelivery(memory: Memory, number: number | null): Promise<Explanation> {
  await memory.refresh();
  const all = listDeliveries(memory);
  const delivery = number === null ? all.at(-1) : all.find((each) => each.number === number);
  if (!delivery) {
    throw new StetError({
      code: 'not-possible',
      subject: number === null ? 'why' : `why ${number}`,
      reason: number === null ? 'there is no delivery yet' : `there is no delivery ${number}`,
      hint:
        number === null
          ? 'An agent makes the first one when it calls recall.'
          : 'Run `stet deliveries` to see their numbers.',
    });
  }
  const paths = delivery.commit === null ? [] : await memory.repository.listAt(delivery.commit);
  const then = new Map(paths.flatMap((path) => (idInPath(path) === null ? [] : [[idInPath(path), path] as const])));
  const explain = async (id: string, score: number | null): Promise<ExplainedItem> => {
    const path = delivery.uncommitted?.includes(id) === true ? undefined : (then.get(id) ?? memory.table.get(id)?.path);
    const before = await textThen(memory, delivery.commit, path);
    const since = sinceThen(memory, delivery, id, before);
    const forgotten = since.change === 'forgotten';
    return { id, score, before: forgotten ? null : before, commit: before === null ? null : delivery.commit, since };
  };
  const facts: ExplainedItem[] = [];
  for (const { id, score } of delivery.facts) facts.push(await explain(id, score));
  const instructions: ExplainedItem[] = [];
  for (const id of delivery.instructions) instructions.push(await explain(id, null));
  const vocabulary: ExplainedItem[] = [];
  for (const id of delivery.rewordedBy ?? []) vocabulary.push(await explain(id, null));
  const seen = new Set(visibleThen(memory, delivery));
  return {
    delivery,
    instructions,
    facts,
    vocabulary,
    leftOut: delivery.leftOut.map((each) => ({ ...each, since: sinceThen(memory, delivery, each.id, null) })),
    elsewhere: await searchElsewhere(memory, delivery, seen),
    policyChange: policyChange(memory, delivery),
    quarantined: memory.table
      .quarantined()
      .filter(({ space }) => space !== undefined && seen.has(spaceKeyOf(space)))
      .map(({ path }) => path),
  };
}

/** Keys of what the session saw; a space that was renamed since goes by its present name. */
function visibleThen(memory: Memory, delivery: Delivery): readonly string[] {
  const keys = delivery.personalAllowed ? [PERSONAL_KEY] : [];
  const { space } = delivery;
  return space === null || !delivery.spaceAllowed
    ? keys
    : [...keys, spaceKeyOf(memory.config.findSpace(space) ?? space)];
}

async function textThen(memory: Memory, commit: string | null, path: string | undefined): Promise<string | null> {
  if (commit === null || path === undefined) return null;
  const bytes = await memory.repository.readAt(commit, path);
  if (bytes === null) return null;
  const parsed = parseItemFile({ path, bytes, modified: new Date(0) });
  return parsed.ok ? parsed.value.item.text : null;
}

function sinceThen(memory: Memory, delivery: Delivery, id: string, before: string | null): Since {
  if (memory.table.tombstone(id)) return { change: 'forgotten' };
  const item: Item | undefined = memory.table.get(id)?.file.item;
  if (!item) return { change: 'gone' };
  const keys = visibleThen(memory, delivery);
  if (!keys.includes(spaceKeyOf(item.space))) return { change: 'moved', space: item.space };
  const outdated = memory.viewOf(keys).outdated(item);
  if (outdated) {
    const { reason, ...rest } = outdated;
    return { change: reason, ...rest } as Since;
  }
  return before !== null && before !== item.text ? { change: 'edited' } : { change: 'none' };
}

/** Each other space is searched by itself, as a session there would. */
async function searchElsewhere(
  memory: Memory,
  delivery: Delivery,
  seen: ReadonlySet<string>,
): Promise<readonly Elsewhere[]> {
  const found: Elsewhere[] = [];
  for (const key of [...memory.table.spaceKeys()].sort()) {
    if (seen.has(key)) continue;
    await memory.openPartitions([key]);
    const view = memory.viewOf([PERSONAL_KEY, key]);
    const result = await memory.index.search({
      partitions: [key],
      question: delivery.question,
      limit: ELSEWHERE_LIMIT,
      missedLimit: ELSEWHERE_COUNTED,
      accept: view.isFact,
    });
    const items = result.hits.flatMap(({ id, score }) => {
      const item = view.current(id);
      return item === undefined ? [] : [{ id, score, statement: item.statement }];
    });
    const [first] = result.hits;
    if (!first) continue;
    const more = result.missed.filter(({ reason }) => reason === 'over-the-limit').length;
    found.push({ space: view.item(first.id)?.space ?? PERSONAL_KEY, items, more });
  }
  return found;
}

function policyChange(memory: Memory, delivery: Delivery): string | null {
  const { policies, spaces } = memory.config;
  const personal = decide(policies, delivery.agent, null, spaces);
  if (personal.allowed !== delivery.personalAllowed) return `personal items: ${personal.rule}`;
  if (delivery.space === null) return null;
  const space = decide(policies, delivery.agent, delivery.space, spaces);
  return space.allowed === delivery.spaceAllowed ? null : `${delivery.space}: ${space.rule}`;
}
