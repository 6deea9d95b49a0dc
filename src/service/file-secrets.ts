// Secrets in whole files, and what a user's word that one is none is remembered by. Invariant: no operation commits what
// somebody typed into a file beside it, unless that was searched.

import { createHash } from 'node:crypto';
import { StetError } from '../memory/failure.ts';
import { findSecrets, type FoundSecret } from '../memory/secrets.ts';
import { readItemFile } from '../repo/working-tree.ts';
import type { Memory } from './memory.ts';

export interface FileSecret extends FoundSecret {
  /** What it is recognised by when it is confirmed to be none; tells nothing of it. */
  readonly fingerprint: string;
}

/** Larger files are no items, and nobody types secrets into them. */
const MAX_BYTES = 1_000_000;

/** Those that a file holds and nobody has confirmed; none where it is no text. */
export async function findFileSecrets(
  bytes: Uint8Array,
  confirmed: ReadonlySet<string>,
): Promise<readonly FileSecret[]> {
  if (bytes.length > MAX_BYTES || bytes.includes(0)) return [];
  const text = new TextDecoder().decode(bytes);
  return (await findSecrets(text))
    .map((found) => ({ ...found, fingerprint: fingerprintOf(text.slice(found.start, found.end)) }))
    .filter(({ fingerprint }) => !confirmed.has(fingerprint));
}

/** Throws `not-possible` where a file that an operation is about to commit holds one that no commit has. */
export async function refuseUncommittedSecrets({ repository }: Memory, paths: readonly string[]): Promise<void> {
  const wanted = new Set(paths);
  for (const { path } of await repository.status()) {
    const read = wanted.has(path) ? readItemFile(repository.root, path) : null;
    if (read?.status !== 'read') continue;
    const [secret] = await findSecrets(read.bytes.toString('utf8'));
    if (secret === undefined) continue;
    throw new StetError({
      code: 'not-possible',
      subject: path,
      reason: `line ${secret.line} looks like a secret (${secret.rule}), and it would be committed`,
      hint: 'Take it out, and try again. Nothing was changed.',
    });
  }
}

/** The same for one value wherever it stands: a rule may take the full stop of a sentence, or quotes, for a part of it. */
function fingerprintOf(found: string): string {
  const value = found.replace(/^["'`(<]+|["'`)>.,;:!?]+$/g, '');
  return createHash('sha256').update('stet: no secret\0').update(value).digest('hex');
}
