// Merges of whole memories in tests: trees as plain maps from path to text, and every merge done both ways round.

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { parseItemFile } from '../src/memory/item-file.ts';
import { placeOf } from '../src/memory/item-path.ts';
import type { Item } from '../src/memory/item.ts';
import { mergeMemory } from '../src/memory/merge/merge-memory.ts';
import type { MergeEvent } from '../src/memory/merge/merge-events.ts';
import { needsBytes, type FileVersion, type MemoryVersions } from '../src/memory/merge/memory-versions.ts';

/** Path to text. */
export type Tree = Readonly<Record<string, string>>;

export const MADE_AT = { ours: '2026-10-02T00:00:00Z', theirs: '2026-10-01T00:00:00Z' };

export interface MergedTree {
  readonly tree: Tree;
  readonly events: readonly MergeEvent[];
}

/** Merges both ways round and checks that they come to the same files. Throws for a merge that stops. */
export function mergeTrees(base: Tree, ours: Tree, theirs: Tree): MergedTree {
  const merged = mergeOnce(base, ours, theirs, MADE_AT);
  const turned = mergeOnce(base, theirs, ours, { ours: MADE_AT.theirs, theirs: MADE_AT.ours });
  expect(turned.tree).toEqual(merged.tree);
  return merged;
}

function mergeOnce(base: Tree, ours: Tree, theirs: Tree, madeAt: MemoryVersions['madeAt']): MergedTree {
  const versions = versionsOf(base, ours, theirs, madeAt);
  const same = base['spaces.yaml'];
  const merged = mergeMemory(versions, same ?? null);
  if (merged.outcome === 'stopped') throw new Error(JSON.stringify(merged.clashes));
  const tree = new Map([...versions.unchanged].map((path) => [path, ours[path] ?? '']));
  for (const [path, { bytes, blob }] of merged.files) {
    tree.set(
      path,
      bytes === null ? textOf(blob, [base, ours, theirs]) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    );
  }
  return { tree: Object.fromEntries([...tree].sort(([a], [b]) => (a < b ? -1 : 1))), events: merged.events };
}

export function versionsOf(base: Tree, ours: Tree, theirs: Tree, madeAt = MADE_AT): MemoryVersions {
  const paths = new Set([base, ours, theirs].flatMap((tree) => Object.keys(tree)));
  const [b, o, t] = [new Map<string, FileVersion>(), new Map<string, FileVersion>(), new Map<string, FileVersion>()];
  const unchanged = new Set<string>();
  for (const path of paths) {
    const versions = [base[path], ours[path], theirs[path]].map((text) =>
      text === undefined ? undefined : { mode: '100644', blob: blobOf(text), bytes: null },
    );
    if (versions.every((version) => version?.blob === versions[0]?.blob)) {
      unchanged.add(path);
      continue;
    }
    const reads = needsBytes(path, versions);
    for (const [side, tree, n] of [
      [b, base, 0],
      [o, ours, 1],
      [t, theirs, 2],
    ] as const) {
      const version = versions[n];
      const text = tree[path];
      if (version !== undefined && text !== undefined) {
        side.set(path, { ...version, bytes: reads ? new TextEncoder().encode(text) : null });
      }
    }
  }
  const keepsId = (id: string): boolean => [...unchanged].some((path) => itemAt(ours, path)?.id === id);
  return { base: b, ours: o, theirs: t, unchanged, keepsId, madeAt };
}

/** The item in a file of a tree, or null. */
export function itemAt(tree: Tree, path: string): Item | null {
  const text = tree[path];
  if (text === undefined || placeOf(path) === null) return null;
  const parsed = parseItemFile({ path, bytes: new TextEncoder().encode(text), modified: new Date(0) });
  return parsed.ok ? parsed.value.item : null;
}

function blobOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function textOf(blob: string | null, trees: readonly Tree[]): string {
  const text = trees.flatMap((tree) => Object.values(tree)).find((each) => blobOf(each) === blob);
  if (text === undefined) throw new Error(`no text of ${blob}`);
  return text;
}
