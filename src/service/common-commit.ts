// The newest commit that this clone and its remote both had: what tells a history that was rewritten from one that went on.
// Invariant: it is noted before anything moves the remote-tracking branch, from which it can be told where no note is.

import type { ConfiguredRemote } from '../repo/remote-config.ts';
import type { GitRepository } from '../repo/repository.ts';

/** From the last sync; of a clone that `git clone` made, or whose notes were lost, from what was fetched last. Null for none. */
export async function findCommonCommit(repository: GitRepository, remote: ConfiguredRemote): Promise<string | null> {
  const { sync } = repository;
  const { common } = await sync.state.read();
  if (common !== null) return common;
  const [ours, fetched] = [await repository.head(), await sync.lastFetched(remote)];
  if (ours === null || fetched === null) return null;
  return (await sync.includes(ours, fetched)) ? fetched : null;
}

/** The same, noted for the syncs to come. */
export async function noteCommonCommit(repository: GitRepository, remote: ConfiguredRemote): Promise<string | null> {
  const common = await findCommonCommit(repository, remote);
  const state = await repository.sync.state.read();
  if (common !== state.common) await repository.sync.state.write({ ...state, common });
  return common;
}
