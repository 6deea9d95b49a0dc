// `stet mv`: the one way in which an item changes its space. Invariant: nothing that it replaced comes back: what an item
// replaced in its old space goes along, and an item that is itself replaced stays with what replaced it.

import { StetError } from '../memory/failure.ts';
import { newItemPath, placeOf } from '../memory/item-path.ts';
import type { Item, Space } from '../memory/item.ts';
import type { Located } from '../memory/item-table.ts';
import { PERSONAL_KEY, spaceKeyOf } from '../memory/space-key.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import { refuseUncommittedSecrets } from './file-secrets.ts';
import { unknownItem, userCommit, withKeys } from './item-edit.ts';
import { knownSpace } from './list-items.ts';
import type { Memory } from './memory.ts';

export interface MovedFile {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface MovedItems {
  /** Null for personal. */
  readonly space: Space;
  /** The item first, then what it replaced. */
  readonly moved: readonly MovedFile[];
  /** Null when it was there already. */
  readonly commit: CommitOutcome | null;
}

/** Moves an item, and what it replaced in its old space, in one commit. Throws `not-possible` for a replaced one. */
export async function moveItem(memory: Memory, id: string, to: string): Promise<MovedItems> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const space = knownSpace(memory, to, 'SPACE');
    const located = memory.table.get(id);
    if (!located) throw unknownItem(id);
    const { item } = located.file;
    if (spaceKeyOf(item.space) === spaceKeyOf(space)) return { space, moved: [], commit: null };
    refuseIfReplaced(memory, item);
    const moved: MovedFile[] = [];
    const items: Item[] = [];
    const all = [located, ...replacedBy(memory, located)];
    await refuseUncommittedSecrets(
      memory,
      all.map(({ path }) => path),
    );
    for (const each of all) {
      const from = each.path;
      const target = freePath(memory, from, each.file.item, space);
      const bytes = await withKeys(memory, from, {
        space,
        // Whoever moves it has seen it.
        ...(each.file.item.review === 'unseen' ? { review: null } : {}),
      });
      await transaction.writeFile(target, bytes);
      await transaction.removeFile(from);
      moved.push({ id: each.file.item.id, from, to: target });
      items.push({ ...each.file.item, space });
    }
    const more = moved.length > 1 ? ` and ${moved.length - 1} that it replaced` : '';
    const subject = subjectLine('move', `${id}${more} from ${item.space ?? PERSONAL_KEY} to ${space ?? PERSONAL_KEY}`);
    const paths = moved.flatMap(({ from, to: target }) => [from, target]);
    const ids = moved.map((each) => each.id);
    const commit = await commitItems(memory, transaction, { ids, paths, message: userCommit(subject, items, id) });
    return { space, moved, commit };
  });
}

function refuseIfReplaced(memory: Memory, item: Item): void {
  const outdated = ownView(memory, item.space).outdated(item);
  if (outdated?.reason !== 'superseded') return;
  const [by = ''] = outdated.by;
  throw new StetError({
    code: 'not-possible',
    subject: item.id,
    reason: `${by} replaced it, and it would be current again in another space`,
    hint: `Move ${by}: what it replaced goes along.`,
  });
}

/** What an item replaced in its own space, nearest first. */
function replacedBy(memory: Memory, { file }: Located): readonly Located[] {
  const { item } = file;
  const view = ownView(memory, item.space);
  return view
    .chain(item)
    .filter((step) => step.relation === 'supersedes' && spaceKeyOf(step.item.space) === spaceKeyOf(item.space))
    .flatMap((step) => memory.table.get(step.item.id) ?? []);
}

/** What a session in the space sees, if nothing is denied. */
export function ownView(memory: Memory, space: Space) {
  return memory.viewOf(space === null ? [PERSONAL_KEY] : [PERSONAL_KEY, spaceKeyOf(space)]);
}

/** The same place below the other space's folder; where that is taken, a name of stet's own, which carries the id. */
export function freePath(memory: Memory, path: string, item: Item, space: Space): string {
  const below = path.split('/').slice(placeOf(path)?.space === null ? 1 : 2);
  const wanted = [...(space === null ? ['personal'] : ['spaces', space]), ...below].join('/');
  const isFree = readItemFile(memory.repository.root, wanted).status === 'gone';
  return isFree ? wanted : newItemPath({ ...item, space });
}
