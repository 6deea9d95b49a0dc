// Reading what only the git program does fast: many objects at once, and names of commits. Without git both are done
// here, slower and for full ids, beginnings of ids and tags on HEAD's line alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from './git-program.ts';
import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { CommitEntry } from './repository.ts';

interface Source {
  readonly root: string;
  readonly store: ObjectStore;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Blobs by id. One process reads them all: opening packs for each again is what makes the other way slow. */
export async function readBlobs(source: Source, ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Uint8Array>> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return new Map();
  const result = await runGit(source.root, ['cat-file', '--batch'], source.env, `${unique.join('\n')}\n`);
  if (result?.exitCode === 0) return parseBatch(result.stdout);
  const blobs = new Map<ObjectId, Uint8Array>();
  for (const id of unique) blobs.set(id, await source.store.read(id, 'blob'));
  return blobs;
}

/** The output of `git cat-file --batch`: `<id> blob <size>\n<bytes>\n` for each; missing ones are left out. */
export function parseBatch(output: Buffer): ReadonlyMap<ObjectId, Uint8Array> {
  const blobs = new Map<ObjectId, Uint8Array>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = '', type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type === 'missing' || size === undefined) continue;
    const length = Number(size);
    if (type === 'blob') blobs.set(id, output.subarray(at, at + length));
    at += length + 1;
  }
  return blobs;
}

/** The commit that a name means; null when there is none. Names that look like options are none. */
export async function findCommit(
  source: Source,
  name: string,
  commits: AsyncIterable<CommitEntry>,
): Promise<ObjectId | null> {
  const wanted = name.trim();
  if (!/^[0-9A-Za-z][\w./@^~-]*$/.test(wanted)) return null;
  const result = await runGit(
    source.root,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${wanted}^{commit}`],
    source.env,
  );
  if (result !== null) {
    // `--end-of-options` is echoed by the versions of git that know it only half.
    const id = result.stdout.toString('latin1').trim().split('\n').at(-1) ?? '';
    return result.exitCode === 0 && /^[0-9a-f]{40}$/.test(id) ? id : null;
  }
  const tagged = readTag(source.root, wanted);
  for await (const { commit } of commits) {
    if (commit === tagged || (/^[0-9a-f]{4,40}$/.test(wanted) && commit.startsWith(wanted))) return commit;
  }
  return null;
}

function readTag(root: string, name: string): string | null {
  try {
    return readFileSync(join(root, '.git/refs/tags', name), 'latin1').trim();
  } catch {
    return null;
  }
}
