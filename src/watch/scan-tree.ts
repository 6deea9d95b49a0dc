// The look of every watched file, by `stat` alone: what polling compares where there are no events.
import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errnoOf } from './folder-watches.ts';
import { isEntered, isReported, pathIn } from './watched-area.ts';
import type { WatchedArea } from './watched-area.ts';

/** Path to a signature that differs whenever the file was written or replaced. */
export type TreeLook = ReadonlyMap<string, string>;

// A synchronous lstat costs a tenth of an awaited one; in slices, so that the process stays responsive.
const SLICE = 256;

/**
 * Looks at every reported file. A folder below that cannot be read counts as empty (its files are then reported, and
 * whoever reads them judges); null when the root is gone; throws what the system says when it cannot be read.
 */
export async function scanTree(root: string, area: WatchedArea, signal: AbortSignal): Promise<TreeLook | null> {
  const look = new Map<string, string>();
  const waiting = [''];
  let looked = 0;
  for (let folder = waiting.pop(); folder !== undefined && !signal.aborted; folder = waiting.pop()) {
    const entries = await list(root, folder);
    if (entries === null) return null;
    for (const entry of entries) {
      const path = pathIn(folder, entry.name);
      if (entry.isDirectory()) {
        if (isEntered(area, path)) waiting.push(path);
      } else if (isReported(area, path)) {
        const signature = sign(join(root, path));
        if (signature !== null) look.set(path, signature);
        looked += 1;
        if (looked % SLICE === 0) await setImmediate();
      }
    }
  }
  return look;
}

/** The paths that differ between two looks. */
export function compareLooks(before: TreeLook, after: TreeLook): Set<string> {
  const changed = new Set<string>();
  for (const [path, signature] of after) if (before.get(path) !== signature) changed.add(path);
  for (const path of before.keys()) if (!after.has(path)) changed.add(path);
  return changed;
}

async function list(root: string, folder: string) {
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder !== '') return [];
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return null;
    throw error;
  }
}

function sign(path: string): string | null {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : null;
  } catch {
    return 'unreadable';
  }
}
