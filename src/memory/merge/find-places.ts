// Finds each file of a merge a place of its own. Invariant: no two files have one path, nor paths that some system takes for
// one (case, Unicode form), and none lies in a folder that another file's name takes; who gets the name does not depend
// on the side.
import { Buffer } from 'node:buffer';

import { editFrontmatter, readFrontmatter } from '../frontmatter.ts';
import { decodeText } from '../file-text.ts';
import { isId } from '../id.ts';
import { copyPath, type PlacedFile } from './merge-entity.ts';
import { sameVersion, withBytes, type FileVersion } from './memory-versions.ts';
import type { MergeEvent } from './merge-events.ts';

export interface Places {
  readonly files: ReadonlyMap<string, FileVersion>;
  readonly events: readonly MergeEvent[];
}

/**
 * `unchanged`: paths that are taken already; `known`: paths of the base, which have been side by side so far, and stay.
 * Of two files for one path the first by id has it.
 */
export function findPlaces(
  wanted: readonly PlacedFile[],
  unchanged: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Places {
  const taken = new TakenPaths(unchanged);
  const files = new Map<string, FileVersion>();
  const events: MergeEvent[] = [];
  for (const file of [...wanted].sort((a, b) => compareWanted(a, b, known))) {
    // The same file from two sources: an earlier merge brought it already.
    if (sameVersion(files.get(file.path), file.version)) continue;
    const isFree = (path: string): boolean => !files.has(path) && (known.has(path) || taken.isFree(path));
    if (isFree(file.path)) {
      files.set(file.path, file.version);
      taken.add(file.path);
      continue;
    }
    const path = otherPaths(file).find(isFree) ?? copyPath(file.path, Buffer.from(JSON.stringify(file)));
    files.set(path, file.id === null ? file.version : withId(file.version, file.id));
    taken.add(path);
    events.push({ kind: 'renamed', path: file.path, to: path });
  }
  return { files, events };
}

function compareWanted(a: PlacedFile, b: PlacedFile, known: ReadonlySet<string>): number {
  if (known.has(a.path) !== known.has(b.path)) return known.has(a.path) ? -1 : 1;
  const key = ({ path, id, version }: PlacedFile) => `${path}\n${id ?? ''}\n${version.blob ?? ''}`;
  return key(a) < key(b) ? -1 : 1;
}

/** With the id in the name, as stet names files; then beside itself. */
function otherPaths({ path, id, version }: PlacedFile): readonly string[] {
  const copy = copyPath(path, version.bytes ?? Buffer.from(version.blob ?? ''));
  if (id === null) return [copy];
  const stem = path.replace(/\.md$/i, '');
  const bare = isId(stem.slice(-8)) && stem.at(-9) === '.' ? stem.slice(0, -9) : stem;
  const [folder, name] = [path.slice(0, path.indexOf('/')), bare.slice(bare.lastIndexOf('/') + 1)];
  // Out of a folder whose name a file took.
  const top = folder === 'spaces' ? path.split('/').slice(0, 2).join('/') : folder;
  return [`${bare}.${id}.md`, `${top}/${name}.${id}.md`, copy];
}

/** The id that a file without one was known by: it would have another at another path. */
function withId(version: FileVersion, id: string): FileVersion {
  const text = version.bytes === null ? null : decodeText(version.bytes);
  if (text === null || !text.ok) return version;
  const read = readFrontmatter(text.value);
  if (!read.ok || read.value.keys.has('id')) return version;
  const edited = editFrontmatter(text.value, { id });
  return edited.ok ? withBytes(version, Buffer.from(edited.value, 'utf8')) : version;
}

class TakenPaths {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path);
  }

  add(path: string): void {
    const folded = fold(path);
    this.#files.add(folded);
    for (const folder of foldersOf(folded)) this.#folders.add(folder);
  }

  isFree(path: string): boolean {
    const folded = fold(path);
    if (this.#files.has(folded) || this.#folders.has(folded)) return false;
    return !foldersOf(folded).some((folder) => this.#files.has(folder));
  }
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
}
