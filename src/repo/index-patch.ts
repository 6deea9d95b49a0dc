// A new index from an old one: some entries put or removed, every other byte of every other entry as it was.
// Invariants: the cached trees above a changed path are invalidated; an entry as young as the index it came from is
// smudged (size 0) unless its file still holds what it says, as git does (racy entries).
import { entryCount, entryPathBytes, findEntry, offsetOf, printEntry, printIndex } from './git-index.ts';
import type { GitIndex, IndexEntry, IndexExtension } from './git-index.ts';
import { invalidatePaths } from './cache-tree.ts';

export interface IndexPatch {
  /** Path (as in the memory) to its new entry, or null to remove. */
  readonly changes: ReadonlyMap<string, IndexEntry | null>;
  /** Positions of entries whose size is set to 0, so that git compares their content. */
  readonly smudge: ReadonlySet<number>;
}

const SIZE = 36;

export function patchIndex(index: GitIndex, patch: IndexPatch): Buffer {
  const edits = planEdits(index, patch.changes);
  const pieces: Buffer[] = [];
  let count = entryCount(index);
  let kept = 0;
  const keepUntil = (position: number): void => {
    if (position <= kept) return;
    pieces.push(smudged(index, kept, position, patch.smudge));
    kept = position;
  };
  for (const { position, replaces, insert } of edits) {
    keepUntil(position);
    if (insert !== null) pieces.push(insert);
    kept = Math.max(kept, position + replaces);
    count += (insert === null ? 0 : 1) - replaces;
  }
  keepUntil(entryCount(index));
  const version = index.version;
  return printIndex(version, count, pieces, keepExtensions(index.extensions, [...patch.changes.keys()]));
}

/**
 * The entries that may be as old as the index: changed in the second of its writing or later (git: is_racy, which looks
 * at the time of the content alone; a file put in place by a rename, as stet does, can have changed later than that).
 */
export function racyEntries(index: GitIndex, indexModifiedSeconds: number): number[] {
  const racy: number[] = [];
  for (let at = 0; at < entryCount(index); at++) {
    const start = offsetOf(index, at);
    const isSmudged = index.bytes.readUInt32BE(start + SIZE) === 0;
    const changedSeconds = Math.max(index.bytes.readUInt32BE(start), index.bytes.readUInt32BE(start + 8));
    if (!isSmudged && changedSeconds >= indexModifiedSeconds) racy.push(at);
  }
  return racy;
}

interface Edit {
  readonly position: number;
  readonly replaces: number;
  readonly insert: Buffer | null;
  readonly path: Buffer;
}

/** In the order of the index. Each old entry is replaced at most once. */
function planEdits(index: GitIndex, changes: IndexPatch['changes']): Edit[] {
  const inserts: Edit[] = [];
  const removed = new Set<number>();
  for (const [name, entry] of changes) {
    const path = Buffer.from(name, 'utf8');
    const found = findEntry(index, path);
    if (found >= 0) removed.add(found);
    if (entry === null) continue;
    for (const position of conflicting(index, path)) removed.add(position);
    const position = found >= 0 ? found : ~found;
    inserts.push({ position, replaces: 0, insert: printEntry(path, entry), path });
  }
  const removals = [...removed].map((position) => ({
    position,
    replaces: 1,
    insert: null,
    path: entryPathBytes(index, position),
  }));
  // An insert stands before the entry at its position; several at one position stand in order of their paths.
  return [...inserts, ...removals].sort(
    (a, b) => a.position - b.position || a.replaces - b.replaces || a.path.compare(b.path),
  );
}

/** A file cannot stand where a folder does: entries at the folders of `path`, and entries below it. */
function conflicting(index: GitIndex, path: Buffer): number[] {
  const positions: number[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const found = findEntry(index, path.subarray(0, slash));
    if (found >= 0) positions.push(found);
  }
  const below = Buffer.concat([path, Buffer.from('/')]);
  const first = findEntry(index, below);
  for (let at = first < 0 ? ~first : first; at < entryCount(index); at++) {
    if (!entryPathBytes(index, at).subarray(0, below.length).equals(below)) break;
    positions.push(at);
  }
  return positions;
}

function smudged(index: GitIndex, from: number, to: number, smudge: ReadonlySet<number>): Buffer {
  const slice = index.bytes.subarray(offsetOf(index, from), offsetOf(index, to));
  if (smudge.size === 0) return slice;
  const copy = Buffer.from(slice);
  for (const position of smudge) {
    if (position < from || position >= to) continue;
    copy.writeUInt32BE(0, offsetOf(index, position) - offsetOf(index, from) + SIZE);
  }
  return copy;
}

/**
 * Only what stays true is kept: the cached trees with the changed paths invalidated, and how conflicts were resolved.
 * All others are caches (untracked files, fsmonitor, offsets) that git makes anew.
 */
function keepExtensions(extensions: readonly IndexExtension[], paths: readonly string[]): IndexExtension[] {
  return extensions.flatMap((extension) => {
    if (extension.name === 'REUC') return [extension];
    if (extension.name !== 'TREE') return [];
    const content = invalidatePaths(extension.content, paths);
    return content === null ? [] : [{ name: 'TREE', content }];
  });
}
