// An item's file: read, printed, adopted. Invariant: a file yields an item or problems with lines, never both; printing
// and reading an item are inverse; adoption changes stet's own keys and leaves every other byte.
import { Buffer } from 'node:buffer';

import { conflictLine } from './conflict-markers.ts';
import { decodeText } from './file-text.ts';
import { editFrontmatter, readFrontmatter } from './frontmatter.ts';
import type { Frontmatter } from './frontmatter.ts';
import { trimBlankLines, withoutLoneCr } from './text-lines.ts';
import { deriveId } from './id.ts';
import type { Item, Parsed, Problem } from './item.ts';
import { readItemKeys } from './item-keys.ts';
import type { AdoptedKey, ItemKeys } from './item-keys.ts';
import { placeOf } from './item-path.ts';
import { checkSpaceName } from './space-name.ts';
import { headingOf, statementOf } from './first-paragraph.ts';
import { yamlValue } from './yaml-value.ts';

export { statementOf } from './first-paragraph.ts';

/** Who made an item that did not come through stet: a person, or an agent with a shell. */
export const HAND = 'hand';

/** What a file tells, and what it does not tell yet. */
export interface ItemFile {
  /** Complete: what is missing in the file is derived, so that it is recallable before it is adopted. */
  readonly item: Item;
  /** The keys that adoption will add. */
  readonly missing: readonly AdoptedKey[];
  /** A personal item in a space's folder: the item is that space's, and adoption rewrites the key. */
  readonly narrows: boolean;
  readonly hasFrontmatter: boolean;
  /** The user's `title` key, else a heading above the statement, else null. */
  readonly title: string | null;
}

/** A file of the memory, as it was found. */
export interface FoundFile {
  /** Relative to the memory; {@link placeOf} accepts it. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The item that HEAD has at this path: its identity holds where the frontmatter was dropped. */
  readonly headItem?: Item | undefined;
  /** Ids that a file without one must not get: those of forgotten items. */
  readonly isTaken?: ((id: string) => boolean) | undefined;
}

/** The item in a file, or every reason for its quarantine that one pass can find. */
export function parseItemFile(file: FoundFile & { readonly modified: Date }): Parsed<ItemFile> {
  const read = readContents(file);
  if (!read.ok) return read;
  const { frontmatter, keys, text, head } = read.value;
  const { foreign: _, narrows, ...told } = keys;
  const known: Omit<Item, 'text' | 'statement'> =
    head !== null && !frontmatter.hasBlock
      ? { ...head, space: keys.space }
      : {
          ...told,
          id: keys.id ?? head?.id ?? freeId(file, text),
          created: keys.created ?? head?.created ?? isoSeconds(file.modified),
          source: keys.source ?? HAND,
        };
  const title = frontmatter.keys.get('title')?.value;
  return {
    ok: true,
    value: {
      item: { ...known, text, statement: statementOf(text) },
      missing: (['id', 'created', 'source'] as const).filter((key) => keys[key] === null),
      narrows,
      hasFrontmatter: frontmatter.hasBlock,
      title: title?.shape === 'text' && title.text.trim() !== '' ? title.text.trim() : headingOf(text),
    },
  };
}

export interface FileToAdopt extends FoundFile {
  /** When it was stored, where the file does not say. */
  readonly now: Date;
  /** Who stored it, where the file does not say; {@link HAND} unless given. */
  readonly source?: string | undefined;
  /** A note from elsewhere, whose own keys may have the names of stet's and mean something else. */
  readonly imported?: boolean | undefined;
  /** A copy of another item, which becomes one of its own: its id, date and source are that one's, and replaced. */
  readonly isCopy?: boolean | undefined;
}

/**
 * The bytes of a file with all keys that stet needs; the same bytes where none is missing. A foreign `id`, `source` or
 * `created` (of an imported note: any key of stet's that would quarantine it) is renamed to `original_…`. With `headItem`,
 * a file that lost its id gets that one's id and date back, and one that lost its whole frontmatter every key: links
 * above all, or an outdated item would return.
 */
export function adoptItemFile(file: FileToAdopt): Parsed<Uint8Array> {
  const read = readContents(file, file.imported);
  if (!read.ok) return read;
  const { source, frontmatter, keys, text, head } = read.value;
  const changes =
    head !== null && !frontmatter.hasBlock
      ? keyValues({ ...head, space: keys.space, kind: head.kind === 'fact' ? undefined : head.kind })
      : keyValues({
          ...((keys.id === null || file.isCopy) && { id: head?.id ?? freeId(file, text) }),
          ...(keys.narrows && { space: keys.space }),
          ...((keys.source === null || file.isCopy) && { source: file.source ?? HAND }),
          ...((keys.created === null || file.isCopy) && { created: head?.created ?? isoSeconds(file.now) }),
        });
  if (Object.keys(changes).length === 0 && keys.foreign.length === 0) return { ok: true, value: file.bytes };
  const renames = Object.fromEntries(keys.foreign.map((key) => [key, freeName(`original_${key}`, frontmatter)]));
  const edited = editFrontmatter(source, changes, renames);
  return edited.ok ? { ok: true, value: Buffer.from(edited.value, 'utf8') } : edited;
}

/** The id that follows from the path and the text; where that one is taken, the next that does. */
function freeId(file: FoundFile, text: string, tries = 1): string {
  const id = deriveId(file.path, tries === 1 ? text : `${text}\0${tries}`);
  return file.isTaken?.(id) === true ? freeId(file, text, tries + 1) : id;
}

/** An item as stet writes it: keys in a fixed order, what is empty left out, one final line end. */
export function printItemFile(item: Item): string {
  const lines = Object.entries(keyValues(item)).map(([key, value]) => `${key}: ${yamlValue(key, value)}\n`);
  return `---\n${lines.join('')}---\n${item.text}\n`;
}

/** The keys of an item that say something, in the order in which they are written. */
function keyValues(item: { readonly [K in keyof Item]?: Item[K] | undefined }): Record<
  string,
  string | readonly string[]
> {
  const values = {
    id: item.id,
    kind: item.kind,
    space: item.space,
    source: item.source,
    created: item.created,
    supersedes: oneOrList(item.supersedes),
    conflicts_with: oneOrList(item.conflictsWith),
    until: item.until,
    as_of: item.asOf,
    target: item.target,
    tags: oneOrList(item.tags),
    origin: item.origin,
    review: item.review,
    forget_requested_by: item.forgetRequestedBy,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined || value === null ? [] : [[key, value]])),
  );
}

/** One text stands alone, unless reading would split it at its commas. */
function oneOrList(texts: readonly string[] = []): string | readonly string[] | undefined {
  const [first] = texts;
  if (first === undefined) return undefined;
  return texts.length === 1 && !first.includes(',') ? first : texts;
}

interface Contents {
  /** The decoded file, byte for byte. */
  readonly source: string;
  readonly frontmatter: Frontmatter;
  readonly keys: ItemKeys;
  /** The body as an item has it. */
  readonly text: string;
  /** The item of HEAD, where this file dropped its id; else null. */
  readonly head: Item | null;
}

function readContents({ path, bytes, headItem }: FoundFile, imported = false): Parsed<Contents> {
  const place = placeOf(path);
  if (place === null) return refuse(1, 'Not an item: items are `.md` files under personal/ or spaces/<name>/.');
  const named = place.space === null ? null : checkSpaceName(place.space);
  if (named?.ok === false) return refuse(1, `The folder is no space's (${named.reason}): rename it.`);
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const source = decoded.value;
  const conflict = conflictLine(withoutLoneCr(source));
  if (conflict !== null) {
    return refuse(conflict, 'A conflict marker of an unfinished merge: keep one side and delete the marker lines.');
  }
  const read = readFrontmatter(source);
  if (!read.ok) return read;
  const frontmatter = read.value;
  const problems: Problem[] = [];
  const keys = readItemKeys(frontmatter.keys, { path, space: place.space, imported }, problems);
  const text = trimBlankLines(frontmatter.body.replace(/\r\n/g, '\n'));
  // A rule, a fence or a quote mark alone is somebody's first keystrokes, not a statement.
  if (!/[\p{L}\p{N}\p{So}\p{Sc}]/u.test(text)) {
    problems.push({ line: frontmatter.bodyLine, message: 'No text: write the statement, or delete the file.' });
  }
  if (problems.length > 0) return { ok: false, problems: problems.sort((a, b) => a.line - b.line) };
  return { ok: true, value: { source, frontmatter, keys, text, head: (keys.id === null && headItem) || null } };
}

/** `key`, or the first of `key_2`, `key_3`, … that the frontmatter does not have. */
function freeName(key: string, { keys }: Frontmatter): string {
  let name = key;
  for (let n = 2; keys.has(name); n++) name = `${key}_${n}`;
  return name;
}

/** ISO 8601 in UTC, to the second. */
function isoSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function refuse(line: number, message: string): { ok: false; problems: readonly Problem[] } {
  return { ok: false, problems: [{ line, message }] };
}
