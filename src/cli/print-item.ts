// How an item looks on a terminal, and as JSON: the fields that every reading command documents.

import type { Item } from '../memory/item.ts';
import { neutralise } from '../memory/untrusted-text.ts';
import type { Io } from './io.ts';
import { printRows } from './table.ts';

/** `id  kind  date  where  source  statement`, on one line. */
export function printItem(io: Io, item: Item, suffix = ''): void {
  const where = item.space ?? 'personal';
  const line = `${item.id}  ${item.kind}  ${item.created.slice(0, 10)}  ${where}  ${item.source}  ${item.statement}`;
  io.print(`${neutralise(line, 'one-line')}${suffix}`);
}

/** Many of them: a table on a terminal, a line each elsewhere. */
export function printItemTable(
  io: Io,
  items: ReadonlyArray<{ readonly item: Item; readonly remarks: readonly string[] }>,
): void {
  printRows(
    io,
    [
      { title: 'Id' },
      { title: 'Kind' },
      { title: 'Date' },
      { title: 'Space' },
      { title: 'Source' },
      { title: 'Statement', flexible: true },
    ],
    items.map(({ item, remarks }) => [
      item.id,
      item.kind,
      item.created.slice(0, 10),
      item.space ?? 'personal',
      item.source,
      `${item.statement}${remarks.length === 0 ? '' : `  [${remarks.join(', ')}]`}`,
    ]),
  );
}

/** The stable JSON of an item. `space` is null for a personal one. */
export function itemJson(item: Item, score: number | null = null): Record<string, unknown> {
  return {
    id: item.id,
    kind: item.kind,
    space: item.space,
    source: item.source,
    created: item.created,
    text: item.text,
    score,
    ...(item.supersedes.length > 0 ? { supersedes: item.supersedes } : {}),
    ...(item.until === undefined ? {} : { until: item.until }),
    ...(item.asOf === undefined ? {} : { as_of: item.asOf }),
    ...(item.target === undefined ? {} : { target: item.target }),
    ...(item.tags.length > 0 ? { tags: item.tags } : {}),
  };
}
