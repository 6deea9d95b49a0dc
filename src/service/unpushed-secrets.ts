// Secrets in commits that the remote has not yet: the last moment at which they can be kept from it. A find that the user has
// judged to be none is not told again, wherever it stands.

import type { OnProgress } from '../memory/progress.ts';
import { Turns } from '../repo/turns.ts';
import { findFileSecrets } from './file-secrets.ts';
import type { Memory } from './memory.ts';

export interface UnpushedSecret {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** What it looks like, in words. */
  readonly rule: string;
  /** The commit that brought it in. */
  readonly commit: string;
  /** What it is recognised by when it is confirmed; tells nothing of it. */
  readonly fingerprint: string;
}

/** In the commits of `tip` that `exclude` does not have. Null where it was stopped before every file was looked at. */
export async function findUnpushedSecrets(
  memory: Memory,
  tip: string,
  exclude: string | null,
  { onProgress, signal }: { readonly onProgress: OnProgress; readonly signal?: AbortSignal | undefined },
): Promise<readonly UnpushedSecret[] | null> {
  const { sync } = memory.repository;
  const files = await sync.newFiles(tip, exclude);
  if (files.length === 0) return [];
  const blobs = await sync.readBlobs([...new Set(files.map(({ blob }) => blob))]);
  const confirmed = await sync.state.confirmed();
  const found: UnpushedSecret[] = [];
  const turns = new Turns();
  for (const [done, { path, blob, commit }] of files.entries()) {
    if (turns.isOver) await turns.pass();
    if (signal?.aborted === true) return null;
    onProgress(done, files.length);
    const bytes = blobs.get(blob);
    if (bytes === undefined) continue;
    for (const { rule, line, fingerprint } of await findFileSecrets(bytes, confirmed)) {
      found.push({ path, line, rule, commit, fingerprint });
    }
  }
  return found;
}
