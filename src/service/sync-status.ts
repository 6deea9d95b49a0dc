// How this memory stands to its remote, without asking the remote.

import { withoutPassword } from '../memory/remote-url.ts';
import type { Memory } from './memory.ts';

export interface SyncStatus {
  /** The address, as a person may see it, and the branch there. */
  readonly remote: string;
  readonly branch: string;
  /** Commits that only this memory has, and only the remote as it was fetched last; null before the first fetch. */
  readonly ahead: number | null;
  readonly behind: number | null;
  /** When the last sync ended well, and the last attempt; ISO 8601, null for never. */
  readonly syncedAt: string | null;
  readonly triedAt: string | null;
  /** Why the last attempt did not end well, in words. */
  readonly problem: string | null;
}

/** Null when there is no remote. */
export async function syncStatus({ repository }: Memory): Promise<SyncStatus | null> {
  const { sync } = repository;
  const remote = await sync.remote();
  if (remote === null) return null;
  const { syncedAt, triedAt, problem } = await sync.state.read();
  const [head, fetched] = [await repository.head(), await sync.lastFetched(remote)];
  const relation = head === null || fetched === null ? null : await sync.relate(head, fetched);
  return {
    remote: withoutPassword(remote.url),
    branch: remote.branch,
    ahead: relation?.ahead ?? null,
    behind: relation?.behind ?? null,
    syncedAt,
    triedAt,
    problem: remote.address.ok ? problem : `${remote.address.reason}. ${remote.address.hint}`,
  };
}
