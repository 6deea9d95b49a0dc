// What a file was in the newest commit that has it usable. Invariant: the answer follows from the history alone, never
// from which process happened to look while the file was good.

import type { GitRepository } from '../repo/repository.ts';

/** `parse`: null for bytes that are not usable. `from`: the commit to begin with, HEAD unless given. */
export async function findLastGood<T>(
  repository: GitRepository,
  path: string,
  parse: (bytes: Uint8Array) => T | null,
  from?: string,
): Promise<T | null> {
  for (const entry of await repository.log(path, from)) {
    const bytes = entry.path === null ? null : await repository.readAt(entry.commit, entry.path);
    const good = bytes === null ? null : parse(bytes);
    if (good !== null) return good;
  }
  return null;
}
