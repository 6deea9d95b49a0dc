// `stet stats`: the memory in numbers. Counts only: no text leaves it.

import type { Space } from '../memory/item.ts';
import { listForgotten, listItems } from './list-items.ts';
import type { Memory } from './memory.ts';
import { listDeliveries } from './why.ts';

/** So many items are in force, and so many are kept that are not. */
export interface Count {
  readonly current: number;
  readonly outdated: number;
}

export interface StatsReport {
  readonly total: Count;
  readonly forgotten: number;
  readonly quarantined: number;
  /** Words of the texts of all current items. */
  readonly words: number;
  readonly spaces: ReadonlyArray<{ readonly space: Space } & Count>;
  readonly kinds: ReadonlyArray<{ readonly kind: string } & Count>;
  readonly sources: ReadonlyArray<{ readonly source: string } & Count>;
  /** By month of `created`, newest first. */
  readonly months: ReadonlyArray<{ readonly month: string } & Count>;
  readonly deliveries: {
    /** All that are kept. */
    readonly total: number;
    readonly last30Days: number;
    readonly agents: ReadonlyArray<{ readonly agent: string; readonly recalls: number }>;
    /** Those that answered with nothing. */
    readonly empty: number;
  };
}

const MONTH_MS = 30 * 86_400_000;

/** Largest counts first, months by time. */
export async function reportStats(memory: Memory): Promise<StatsReport> {
  const listed = await listItems(memory, { outdated: true });
  const spaces = new Tally<Space>();
  const kinds = new Tally<string>();
  const sources = new Tally<string>();
  const months = new Tally<string>();
  let words = 0;
  for (const { item, outdated } of listed) {
    const isCurrent = outdated === null;
    spaces.add(item.space, isCurrent);
    kinds.add(item.kind, isCurrent);
    sources.add(item.source, isCurrent);
    months.add(/^\d{4}-\d{2}/.exec(item.created)?.[0] ?? 'undated', isCurrent);
    if (isCurrent) words += item.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  }
  const deliveries = listDeliveries(memory);
  const recent = new Date(memory.now().getTime() - MONTH_MS).toISOString();
  const agents = new Map<string, number>();
  for (const { agent } of deliveries) agents.set(agent, (agents.get(agent) ?? 0) + 1);
  return {
    total: {
      current: listed.filter(({ outdated }) => outdated === null).length,
      outdated: listed.filter(({ outdated }) => outdated !== null).length,
    },
    forgotten: (await listForgotten(memory)).length,
    quarantined: memory.table.quarantined().length,
    words,
    spaces: spaces.entries().map(([space, count]) => ({ space, ...count })),
    kinds: kinds.entries().map(([kind, count]) => ({ kind, ...count })),
    sources: sources.entries().map(([source, count]) => ({ source, ...count })),
    months: months
      .entries()
      .map(([month, count]) => ({ month, ...count }))
      .sort((a, b) => (a.month < b.month ? 1 : -1)),
    deliveries: {
      total: deliveries.length,
      last30Days: deliveries.filter(({ time }) => time >= recent).length,
      agents: [...agents].map(([agent, recalls]) => ({ agent, recalls })).sort((a, b) => b.recalls - a.recalls),
      empty: deliveries.filter(({ facts }) => facts.length === 0).length,
    },
  };
}

class Tally<K> {
  readonly #counts = new Map<K, { current: number; outdated: number }>();

  add(key: K, isCurrent: boolean): void {
    const count = this.#counts.get(key) ?? { current: 0, outdated: 0 };
    count[isCurrent ? 'current' : 'outdated'] += 1;
    this.#counts.set(key, count);
  }

  /** Most first. */
  entries(): ReadonlyArray<readonly [K, Count]> {
    return [...this.#counts].sort(([, a], [, b]) => b.current + b.outdated - (a.current + a.outdated));
  }
}
