// `stet doctor --fix`: a file whose `space` names another space than its folder goes to the folder of that space.
// Invariants: only a disagreement of the two is settled so, never another problem; nothing that the item replaced comes back;
// a file whose id another file has, was forgotten or was replaced, or that seems to hold a secret, stays where it is.

import { adoptItemFile, parseItemFile, type ItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import type { Item, Space } from '../memory/item.ts';
import type { Located } from '../memory/item-table.ts';
import { findSecrets } from '../memory/secrets.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import { readItemFile } from '../repo/working-tree.ts';
import { commitItems } from './commit-items.ts';
import { subjectLine } from './commit-message.ts';
import { refuseUncommittedSecrets } from './file-secrets.ts';
import { userCommit, withKeys } from './item-edit.ts';
import type { Memory } from './memory.ts';
import { freePath, ownView, type MovedFile } from './move-item.ts';

export interface FollowedFiles {
  readonly moved: readonly MovedFile[];
  /** Null when nothing was moved. */
  readonly commit: CommitOutcome | null;
}

interface Misplaced {
  readonly path: string;
  /** The space of the folder that it is in. */
  readonly folder: Space;
  readonly target: string;
  /** As it will be there. */
  readonly bytes: Uint8Array;
  readonly item: Item;
  /** Ids that it replaces, by the file and by its last good version. */
  readonly replaces: readonly string[];
}

/** Moves them all, and what they replaced, in one commit. */
export async function followFrontmatter(memory: Memory): Promise<FollowedFiles> {
  return memory.repository.exclusive(async (transaction) => {
    await memory.refresh();
    const moved: MovedFile[] = [];
    const items: Item[] = [];
    const found = await findMisplaced(memory);
    const older = found.flatMap((each) => replacedIn(memory, each));
    await refuseUncommittedSecrets(
      memory,
      older.map((each) => each.path),
    );
    for (const misplaced of found) {
      const { path, target, bytes, item } = misplaced;
      await transaction.writeFile(target, bytes);
      await transaction.removeFile(path);
      moved.push({ id: item.id, from: path, to: target });
      items.push(item);
      for (const older of replacedIn(memory, misplaced)) {
        if (moved.some(({ id }) => id === older.file.item.id)) continue;
        const to = freePath(memory, older.path, older.file.item, item.space);
        await transaction.writeFile(to, await withKeys(memory, older.path, { space: item.space }));
        await transaction.removeFile(older.path);
        moved.push({ id: older.file.item.id, from: older.path, to });
        items.push({ ...older.file.item, space: item.space });
      }
    }
    const [first] = moved;
    if (first === undefined) return { moved, commit: null };
    const what =
      moved.length === 1 ? `${first.id} to the space that it names` : `${moved.length} to the space they name`;
    const paths = moved.flatMap(({ from, to }) => [from, to]);
    const message = userCommit(subjectLine('move', what), items, first.id);
    const commit = await commitItems(memory, transaction, { ids: moved.map(({ id }) => id), paths, message });
    return { moved, commit };
  });
}

/** Where `stet doctor --fix` would put each quarantined file that it would move, by path. */
export async function plannedMoves(memory: Memory): Promise<ReadonlyMap<string, string>> {
  return new Map((await findMisplaced(memory)).map(({ path, target }) => [path, target]));
}

async function findMisplaced(memory: Memory): Promise<readonly Misplaced[]> {
  const found: Misplaced[] = [];
  for (const { path } of memory.table.quarantined()) {
    const misplaced = await judge(memory, path);
    if (misplaced === null) continue;
    // Two files of one id are a question for the user.
    if (found.some(({ item, target }) => item.id === misplaced.item.id || target === misplaced.target)) continue;
    found.push(misplaced);
  }
  return found;
}

async function judge(memory: Memory, path: string): Promise<Misplaced | null> {
  const entry = memory.table.at(path);
  const place = placeOf(path);
  if (entry?.kind !== 'bad' || place === null) return null;
  const read = readItemFile(memory.repository.root, path);
  if (read.status !== 'read') return null;
  const head = await memory.readAtHead(path);
  const headItem = head?.kind === 'item' ? head.file.item : undefined;
  const found = { bytes: read.bytes, headItem, isTaken: (id: string) => memory.table.isForgotten(id) };
  const named = spaceNamed(memory, { ...found, path }, place.space);
  if (named === null) return null;
  const { item } = named;
  const target = freePath(memory, path, item, item.space);
  const adopted = adoptItemFile({ ...found, path: target, now: memory.now() });
  const again = adopted.ok
    ? parseItemFile({ ...found, path: target, bytes: adopted.value, modified: memory.now() })
    : null;
  if (!adopted.ok || again?.ok !== true) return null;
  const { id } = again.value.item;
  const isUsed = memory.table.get(id) !== undefined || memory.table.isForgotten(id);
  const isReplaced =
    ownView(memory, place.space).outdated({ ...again.value.item, space: place.space })?.reason === 'superseded';
  if (isUsed || isReplaced || (await findSecrets(new TextDecoder().decode(adopted.value))).length > 0) return null;
  return {
    path,
    folder: place.space,
    target,
    bytes: adopted.value,
    item: again.value.item,
    replaces: [...again.value.item.supersedes, ...(entry.lastGood?.supersedes ?? [])],
  };
}

/** The file as an item of the space that it names; null where its place is not all that is wrong, or there is no such space. */
function spaceNamed(
  memory: Memory,
  file: { readonly path: string; readonly bytes: Uint8Array; readonly headItem: Item | undefined },
  folder: Space,
): ItemFile | null {
  const below = file.path.split('/').slice(folder === null ? 1 : 2);
  const parseIn = (top: readonly string[]) =>
    parseItemFile({ ...file, path: [...top, ...below].join('/'), modified: memory.now() });
  // It names none.
  if (parseIn(['personal']).ok) return null;
  for (const name of memory.config.spaceNames()) {
    const parsed = parseIn(['spaces', name]);
    if (name !== folder && parsed.ok && !parsed.value.narrows) return parsed.value;
  }
  return null;
}

/** What it replaced in the folder's space, which would be current again there, and what that replaced. */
function replacedIn(memory: Memory, { folder, replaces }: Misplaced): readonly Located[] {
  const found = new Map<string, Located>();
  for (let ids = replaces; ids.length > 0;) {
    const next: string[] = [];
    for (const id of ids) {
      const located = memory.table.get(id);
      if (located === undefined || found.has(id)) continue;
      if (spaceKeyOf(located.file.item.space) !== spaceKeyOf(folder)) continue;
      found.set(id, located);
      next.push(...located.file.item.supersedes);
    }
    ids = next;
  }
  return [...found.values()];
}
