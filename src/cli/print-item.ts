// How an item looks on a terminal, and as JSON: the fields that every reading command documents.

import type { Item } from '../memory/item.ts';
import type { Io } from './io.ts';
import { printProse } from './prose.ts';
import { printRows, printTable, type Column } from './table.ts';

const ID_AND_GAP = 10;

/** What says of an item where it stands, before its statement. The id stays however narrow the terminal is. */
const HEAD: readonly Column[] = [
  { title: 'Id' },
  { title: 'Kind', yields: 3 },
  { title: 'Date', yields: 2 },
  { title: 'Space', yields: 4 },
  { title: 'Source', yields: 1 },
];

function headOf(item: Item): readonly string[] {
  return [item.id, item.kind, item.created.slice(0, 10), item.space ?? 'personal', item.source];
}

/** `id  kind  date  where  source  statement`, on one line. */
export function printItem(io: Io, item: Item, suffix = ''): void {
  const where = item.space ?? 'personal';
  const line = `${item.id}  ${item.kind}  ${item.created.slice(0, 10)}  ${where}  ${item.source}  ${item.statement}`;
  printProse(io, `${line}${suffix}`, ID_AND_GAP);
}

/** Many of them: a table on a terminal, a line each elsewhere. */
export function printItemTable(
  io: Io,
  items: ReadonlyArray<{ readonly item: Item; readonly remarks: readonly string[] }>,
): void {
  printRows(
    io,
    [...HEAD, { title: 'Statement', flexible: 'cut' }],
    items.map(({ item, remarks }) => [
      ...headOf(item),
      `${item.statement}${remarks.length === 0 ? '' : `  [${remarks.join(', ')}]`}`,
    ]),
  );
}

/** An answer: a table on a terminal, with statements whole, for nobody asks twice; a line each elsewhere. */
export function printAnswer(
  io: Io,
  items: ReadonlyArray<{ readonly item: Item; readonly score: number | null; readonly remark: string }>,
): void {
  if (io.width === null) {
    for (const { item, score, remark } of items)
      printItem(io, item, `${score === null ? '' : `  (${score.toFixed(2)})`}${remark}`);
    return;
  }
  printTable(
    io,
    [...HEAD, { title: 'Score', align: 'right', yields: 0 }, { title: 'Statement', flexible: 'wrap' }],
    items.map(({ item, score, remark }) => [
      ...headOf(item),
      score === null ? '' : score.toFixed(2),
      `${item.statement}${remark}`,
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
