// The items on one side of a merge. Invariant: an item is the one that its file says; a file that says none is the one that the
// base has at its path, unless that one went elsewhere or was forgotten.
import { Buffer } from 'node:buffer';

import { decodeText } from '../file-text.ts';
import { editFrontmatter, readFrontmatter } from '../frontmatter.ts';
import { adoptItemFile, parseItemFile, type ItemFile } from '../item-file.ts';
import type { Item } from '../item.ts';
import { placeOf } from '../item-path.ts';
import { sameSpaceName } from '../space-name.ts';
import { findSpace, type Spaces } from '../spaces-file.ts';
import { tombstonePath } from '../tombstone.ts';
import { withBytes, type FileVersion } from './memory-versions.ts';

/** One file of an item on one side. */
export interface ItemVersion {
  /** Where it is, under the present name of its space. */
  readonly path: string;
  readonly version: FileVersion;
  readonly bytes: Uint8Array;
  /** Which item it is; null for a broken file that is none of the base's. */
  readonly id: string | null;
  /** Null for a file that is quarantined as it stands. */
  readonly item: Item | null;
  /** Whether the file itself says which item it is. */
  readonly saysId: boolean;
}

/** The files of items among these; `base`: those of the common ancestor by path, empty for the ancestor itself. */
export function readItemVersions(
  files: ReadonlyMap<string, FileVersion>,
  base: ReadonlyMap<string, ItemVersion>,
  spaces: Spaces,
): readonly ItemVersion[] {
  const opened = [...files].flatMap(([path, version]) => {
    if (placeOf(path) === null || version.bytes === null) return [];
    const renamed = underPresentName(path, version, version.bytes, spaces);
    return [{ ...renamed, file: parse(renamed.path, renamed.bytes) }];
  });
  const said = new Set(opened.flatMap(({ file }) => (file !== null && saysId(file) ? [file.item.id] : [])));
  return opened.map(({ file, ...found }): ItemVersion => {
    if (file !== null && saysId(file)) return { ...found, id: file.item.id, item: file.item, saysId: true };
    const before = base.get(found.path);
    if (before === undefined || before.id === null || said.has(before.id) || files.has(tombstonePath(before.id))) {
      return { ...found, id: file?.item.id ?? null, item: file?.item ?? null, saysId: false };
    }
    return file === null ? { ...found, id: before.id, item: null, saysId: false } : asBefore(found, before);
  });
}

/** A file that lost the keys it had gets them back, as adoption would have done it: links above all. */
function asBefore(
  found: Pick<ItemVersion, 'path' | 'version' | 'bytes'>,
  { id, item: headItem, saysId: hadKeys }: ItemVersion,
): ItemVersion {
  const { path } = found;
  const now = new Date(Date.parse(headItem?.created ?? '') || 0);
  const head = headItem === null ? {} : { headItem };
  const adopted = hadKeys ? adoptItemFile({ path, bytes: found.bytes, now, ...head }) : null;
  const bytes = adopted?.ok === true ? adopted.value : found.bytes;
  const item = parseItemFile({ path, bytes, modified: now, ...head });
  return {
    path,
    version: withBytes(found.version, bytes),
    bytes,
    id,
    item: item.ok ? item.value.item : null,
    saysId: hadKeys,
  };
}

function parse(path: string, bytes: Uint8Array): ItemFile | null {
  const parsed = parseItemFile({ path, bytes, modified: new Date(0) });
  return parsed.ok ? parsed.value : null;
}

function saysId({ missing }: ItemFile): boolean {
  return !missing.includes('id');
}

/** A file in the folder of a space's old name is where the rename, which the other side made, would have moved it. */
function underPresentName(
  path: string,
  version: FileVersion,
  bytes: Uint8Array,
  spaces: Spaces,
): Pick<ItemVersion, 'path' | 'version' | 'bytes'> {
  const [top = '', folder = '', ...rest] = path.split('/');
  const name = top === 'spaces' ? findSpace(spaces, folder) : null;
  if (name === null || sameSpaceName(name, folder)) return { path, version, bytes };
  const renamed = renameInKeys(bytes, name);
  return { path: ['spaces', name, ...rest].join('/'), version: withBytes(version, renamed), bytes: renamed };
}

function renameInKeys(bytes: Uint8Array, space: string): Uint8Array {
  const text = decodeText(bytes);
  const read = text.ok ? readFrontmatter(text.value) : null;
  if (!text.ok || read?.ok !== true || !read.value.keys.has('space')) return bytes;
  const edited = editFrontmatter(text.value, { space });
  return edited.ok ? Buffer.from(edited.value, 'utf8') : bytes;
}
