// A folder of notes as a source of an import. Ordinary and Obsidian notes become one item each and keep every byte that
// they have, with what stet needs added in front; a note of basic-memory becomes its observations and relations.

import { basename, join } from 'node:path';
import { editFrontmatter, readFrontmatter, type FrontmatterChanges } from '../memory/frontmatter.ts';
import { readBasicMemory } from '../memory/import/basic-memory.ts';
import { inlineTags, noteMoment } from '../memory/import/obsidian.ts';
import { adoptItemFile, parseItemFile } from '../memory/item-file.ts';
import { newItemPath } from '../memory/item-path.ts';
import type { Space } from '../memory/item.ts';
import { findSecrets } from '../memory/secrets.ts';
import { MAX_ITEM_BYTES, scanWorkingTree } from '../repo/working-tree.ts';
import {
  displayPath,
  explainProblems,
  explainSkip,
  itemsOf,
  readBytes,
  readText,
  reasonOf,
  type Found,
  type ImportSource,
  type ImportSources,
} from './import-source.ts';

export type NoteFormat = 'markdown' | 'obsidian' | 'basic-memory';

interface NoteRequest {
  readonly format: NoteFormat;
  /** Absolute path of the notes, symlinks resolved. */
  readonly root: string;
  readonly space: Space;
  readonly source: string;
}

/** Every note at any depth; hidden folders (`.obsidian`, `.trash`, `.git`) are not looked at. */
export function noteSources(request: NoteRequest): ImportSources {
  const { root } = request;
  const found = scanWorkingTree(root, ['.']);
  return {
    name: basename(root),
    sources: [...found.files.keys()].sort().map((path) => sourceOf(inside(path), request)),
    skipped: [
      ...found.skipped.map(({ path, reason }) => ({ path: inside(path), reason: explainSkip(reason) })),
      ...found.unreadable.map(({ path, errno }) => ({ path: inside(path), reason: `cannot be read (${errno})` })),
    ],
  };
}

function sourceOf(path: string, request: NoteRequest): ImportSource {
  return request.format === 'basic-memory'
    ? { read: () => readStatements(path, request) }
    : { read: async () => [await readNote(path, request)] };
}

async function readStatements(path: string, { root, space, source }: NoteRequest): Promise<readonly Found[]> {
  const file = join(root, path);
  const text = readText(file, MAX_ITEM_BYTES);
  if (!text.ok) return [{ ok: false, from: path, reason: reasonOf(text.problems) }];
  const read = readBasicMemory(text.value.text, path);
  if (!read.ok) return [{ ok: false, from: path, reason: explainProblems(read.problems) }];
  const { modified } = text.value;
  return itemsOf(read.value, { from: displayPath(file), source, space, kind: null, modified, long: true });
}

/** The item that a note becomes. It is read as if it stood in its space under the path that it had in its folder. */
async function readNote(path: string, { format, root, space, source }: NoteRequest): Promise<Found> {
  const skip = (reason: string): Found => ({ ok: false, from: path, reason });
  const file = join(root, path);
  const read = readBytes(file, MAX_ITEM_BYTES);
  if (!read.ok) return skip(reasonOf(read.problems));
  const text = new TextDecoder().decode(read.value.bytes);
  const [secret] = await findSecrets(text);
  if (secret) return skip(`line ${secret.line} looks like a secret (${secret.rule})`);

  const note = readFrontmatter(text);
  const made = note.ok ? noteMoment(note.value.keys) : null;
  const modified = made === null ? read.value.modified : new Date(made);
  const folder = space === null ? 'personal' : `spaces/${space}`;
  // In a memory README.md is for people; in a folder of notes it is a note like any other.
  const stands = `${folder}/${path.replace(/(^|\/)README\.md$/i, '$1README.note.md')}`;
  const adopted = adoptItemFile({ path: stands, bytes: read.value.bytes, now: modified, source, imported: true });
  if (!adopted.ok) return skip(explainProblems(adopted.problems));
  const parsed = parseItemFile({ path: stands, bytes: adopted.value, modified });
  if (!parsed.ok) return skip(explainProblems(parsed.problems));
  const { item, title } = parsed.value;
  const tags = format === 'obsidian' ? [...new Set([...item.tags, ...inlineTags(item.text)])] : item.tags;
  const bytes = withKeys(adopted.value, {
    ...(tags.length > item.tags.length ? { tags } : {}),
    original_path: displayPath(file),
  });
  if (bytes === null) return skip('its frontmatter has a form to which no key can be added');
  const name = title ?? item.statement;
  const newPath = newItemPath({ ...item, created: modified.toISOString(), statement: name });
  return { ok: true, from: path, item: { ...item, tags }, path: newPath, bytes };
}

function withKeys(bytes: Uint8Array, keys: FrontmatterChanges): Uint8Array | null {
  const edited = editFrontmatter(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), keys);
  return edited.ok ? new TextEncoder().encode(edited.value) : null;
}

function inside(path: string): string {
  return path.replace(/^\.\//, '');
}
