// `stet digest`: what the memory holds as one page: every current item, by space and kind.

import { KINDS, type Item, type Kind, type Space } from '../memory/item.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { listItems, type ListRequest } from './list-items.ts';
import type { Memory } from './memory.ts';

export interface Digest {
  /** ISO 8601. */
  readonly time: string;
  readonly items: number;
  /** Personal first, then spaces by name. */
  readonly spaces: ReadonlyArray<{
    readonly space: Space;
    /** Instructions first; only kinds that have items. Oldest item first. */
    readonly kinds: ReadonlyArray<{ readonly kind: Kind; readonly items: readonly Item[] }>;
  }>;
}

const ORDER: readonly Kind[] = ['instruction', ...KINDS.filter((kind) => kind !== 'instruction')];

export async function makeDigest(memory: Memory, request: Pick<ListRequest, 'space'>): Promise<Digest> {
  const items = (await listItems(memory, { ...request, outdated: false })).map(({ item }) => item).toReversed();
  const keys = [...new Set(items.map(({ space }) => spaceKeyOf(space)))];
  const spaces = keys.map((key) => {
    const own = items.filter(({ space }) => spaceKeyOf(space) === key);
    const kinds = ORDER.map((kind) => ({ kind, items: own.filter((item) => item.kind === kind) }));
    return { space: own[0]?.space ?? null, kinds: kinds.filter((each) => each.items.length > 0) };
  });
  spaces.sort((a, b) => (a.space === null ? -1 : b.space === null ? 1 : a.space < b.space ? -1 : 1));
  return { time: memory.now().toISOString(), items: items.length, spaces };
}
