// Secrets in commits that the remote has not yet: the last moment at which they can be kept from it. A find that the user has
// judged to be none is not told again, wherever it stands.

import { createHash } from 'node:crypto';
import { findSecrets } from '../memory/secrets.ts';
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

/** Larger files are no items, and nobody types secrets into them. */
const MAX_BYTES = 1_000_000;

export async function findUnpushedSecrets(
  memory: Memory,
  tip: string,
  exclude: string | null,
): Promise<readonly UnpushedSecret[]> {
  const { sync } = memory.repository;
  const files = await sync.newFiles(tip, exclude);
  if (files.length === 0) return [];
  const blobs = await sync.readBlobs([...new Set(files.map(({ blob }) => blob))]);
  const confirmed = await sync.state.confirmed();
  const found: UnpushedSecret[] = [];
  for (const { path, blob, commit } of files) {
    const bytes = blobs.get(blob);
    if (bytes === undefined || bytes.length > MAX_BYTES || bytes.includes(0)) continue;
    const text = new TextDecoder().decode(bytes);
    for (const { rule, line, start, end } of await findSecrets(text)) {
      const fingerprint = fingerprintOf(text.slice(start, end));
      if (!confirmed.has(fingerprint)) found.push({ path, line, rule, commit, fingerprint });
    }
  }
  return found;
}

/** The same for one value wherever it stands: a rule may take the full stop of a sentence, or quotes, for a part of it. */
function fingerprintOf(found: string): string {
  const value = found.replace(/^["'`(<]+|["'`)>.,;:!?]+$/g, '');
  return createHash('sha256').update('stet: no secret\0').update(value).digest('hex');
}
