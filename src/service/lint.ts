// `stet lint`: the policy's rules over every item that is current, and over plans that are over.

import type { Item } from '../memory/item.ts';
import { lintItem, STALE_DAYS, type LintFinding } from '../memory/lint.ts';
import { listItems, type ListRequest } from './list-items.ts';
import type { Memory } from './memory.ts';
import { listDeliveries } from './why.ts';

export interface LintReport {
  /** How many items were looked at. */
  readonly items: number;
  readonly findings: ReadonlyArray<LintFinding & { readonly item: Item; readonly path: string }>;
  /** Why `never-delivered` could not be judged; null when it was. */
  readonly notJudged: string | null;
}

const DAY_MS = 86_400_000;

/** Oldest item first, so that what has stood longest is looked at first. */
export async function lintItems(memory: Memory, request: Pick<ListRequest, 'space'>): Promise<LintReport> {
  const listed = await listItems(memory, { ...request, outdated: true });
  const judged = listed.filter(({ item, outdated }) => outdated === null || isOver(outdated, item));
  const deliveries = listDeliveries(memory);
  const since = new Date(memory.now().getTime() - STALE_DAYS * DAY_MS).toISOString();
  const [first] = deliveries;
  const reachesBack = first !== undefined && first.time <= since;
  const delivered = new Set(
    deliveries
      .filter(({ time }) => time >= since)
      .flatMap(({ facts, instructions }) => [...facts.map(({ id }) => id), ...instructions]),
  );
  const findings = judged.toReversed().flatMap(({ item, path, outdated }) =>
    lintItem(item, {
      now: memory.now(),
      // What is over is given to nobody by rule.
      delivered: reachesBack && outdated === null ? delivered.has(item.id) : null,
    }).map((finding) => ({ ...finding, item, path })),
  );
  return { items: judged.length, findings, notJudged: reachesBack ? null : describeShortTrace(first?.time) };
}

function isOver(outdated: string, item: Item): boolean {
  return outdated.startsWith('expired') && item.until !== undefined;
}

function describeShortTrace(first: string | undefined): string {
  const reason = first === undefined ? 'no recall has left a delivery yet' : `the first is of ${first.slice(0, 10)}`;
  return `never-delivered was not judged: it takes ${STALE_DAYS} days of deliveries, and ${reason}.`;
}
