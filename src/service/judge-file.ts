// What a file that was changed by hand is, and what it shall be: an item with all its keys, a copy that becomes an item
// of its own, a file that cannot be used, or none of stet's. Invariant: whatever cannot be adopted as it should stays
// as it is.

import { idInPath, placeOf } from '../memory/item-path.ts';
import { isId } from '../memory/id.ts';
import { adoptItemFile, parseItemFile, type ItemFile } from '../memory/item-file.ts';
import type { ItemTable } from '../memory/item-table.ts';
import type { Item, Parsed, Problem } from '../memory/item.ts';
import { parsePolicies } from '../memory/policies.ts';
import { parseSettings } from '../memory/settings.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { parseSpaces } from '../memory/spaces-file.ts';
import { parseTombstone, tombstonedId } from '../memory/tombstone.ts';
import { isBlank } from '../memory/yaml-text.ts';

export interface ChangedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly modified: Date;
  /** The item that HEAD has at this path. */
  readonly headItem: Item | undefined;
  /** HEAD has nothing at this path, so it may be a copy. */
  readonly isNew: boolean;
}

export interface JudgedFile {
  /** The item, as it will be once the file is adopted; null where there is none. */
  readonly item: ItemFile | null;
  /** The file as it shall be: the very same bytes where nothing is missing. */
  readonly wanted: Uint8Array;
  /** Why it cannot be used; null where it can. */
  readonly problem: Problem | null;
  /** The file that has the same id and came first; null where there is none. */
  readonly original: string | null;
  /** It becomes an item of its own. */
  readonly isCopy: boolean;
}

export function judgeFile(file: ChangedFile, table: ItemTable, now: Date): JudgedFile {
  const { path, bytes } = file;
  const nothing = { item: null, wanted: bytes, problem: null, original: null, isCopy: false };
  const found = { ...file, isTaken: (id: string) => table.isForgotten(id) };
  const parsed = placeOf(path) === null ? checkRecord(file) : parseItemFile(found);
  if (!parsed.ok) return { ...nothing, problem: parsed.problems[0] ?? null };
  const item = parsed.value;
  if (item === null) return nothing;
  const first = table.get(item.item.id);
  const original = file.isNew && first !== undefined && first.path !== path ? first : null;
  const isInItsSpace = original !== null && spaceKeyOf(original.file.item.space) === spaceKeyOf(item.item.space);
  const wantsCopy = isInItsSpace && !item.narrows;
  const judged = { ...nothing, item, original: original?.path ?? null };
  if (item.missing.length === 0 && !item.narrows && !wantsCopy) return judged;
  // A file from the future was stored today at the latest.
  const stored = new Date(Math.min(file.modified.getTime(), now.getTime()));
  const adopted = adoptItemFile({ ...found, now: stored, isCopy: wantsCopy });
  const again = adopted.ok ? parseItemFile({ ...found, bytes: adopted.value }) : adopted;
  if (!adopted.ok || !again.ok) return judged;
  return { ...judged, item: again.value, wanted: adopted.value, isCopy: wantsCopy };
}

/** Files that stet reads and that are no items must be sound: the last committed version counts where one is not. */
function checkRecord({ path, bytes, isNew }: ChangedFile): Parsed<null> {
  const parsed = parseRecord(path, bytes);
  if (parsed?.ok === false) return parsed;
  if (parsed === null || isNew || !isBlank(new TextDecoder().decode(bytes))) return { ok: true, value: null };
  return { ok: false, problems: [{ line: 1, message: 'it is empty, and the last commit has more' }] };
}

function parseRecord(path: string, bytes: Uint8Array): Parsed<unknown> | null {
  if (tombstonedId(path) !== null) return parseTombstone({ path, bytes });
  switch (path) {
    case 'policies.yaml':
      return parsePolicies(new TextDecoder().decode(bytes));
    case 'spaces.yaml':
      return parseSpaces(new TextDecoder().decode(bytes));
    case 'stet.yaml':
      return parseSettings(path, new TextDecoder().decode(bytes));
    default:
      return null;
  }
}

/** Ids that a file which cannot be used seems to carry, by its name or its lines. */
export function mentionedIds(path: string, bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder('latin1').decode(bytes);
  const written = Array.from(text.matchAll(/^[ \t]*id:[ \t]*["']?([0-9a-z]{8})\b/gm), ([, id = '']) => id);
  return [...new Set([idInPath(path) ?? '', ...written])].filter((id) => isId(id));
}
