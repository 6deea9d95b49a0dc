// What a sync needs of the repository beyond reading and writing it: the remote, the relation of two histories, the files of
// three sides. The merging itself is a rule, in src/memory/merge.
import type { FileVersion, MemoryVersions } from '../memory/merge/memory-versions.ts';
import type { OnProgress } from '../memory/progress.ts';
import type { RemoteUrl } from '../memory/remote-url.ts';
import type { ConfiguredRemote } from './remote-config.ts';
import type { RemoteOutcome } from './remote-problem.ts';
import type { PushAnswer, RemoteBranches } from './remote-tasks.ts';
import type { SyncState } from './sync-state.ts';
import type { CommitRelation } from './commit-graph.ts';

/** A configured remote whose address can be used. */
export type UsableRemote = ConfiguredRemote & { readonly address: { readonly ok: true; readonly value: RemoteUrl } };

/** A commit, or one with some files otherwise: what several common ancestors come to. */
export interface Snapshot {
  /** Null is an empty memory. */
  readonly commit: string | null;
  readonly changed: ReadonlyMap<string, FileVersion | null>;
}

/** A file that a commit brought in. */
export interface NewFile {
  readonly path: string;
  readonly blob: string;
  readonly commit: string;
}

/** How a transfer is stopped, and whom it tells how far it is. */
export interface TransferOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface SyncPort {
  /** The remote of the branch that is checked out; null when there is none. */
  remote(): Promise<ConfiguredRemote | null>;
  /** Makes `url` the remote of this branch. */
  configure(url: string, remoteBranch: string): Promise<void>;
  /** What an address holds, and whether that can be seen by anybody: then without any credentials. */
  list(address: RemoteUrl, as: 'user' | 'anybody'): Promise<RemoteOutcome<RemoteBranches>>;
  /** The newest commit of the remote's branch, which is here then; null when the remote has no such branch. */
  fetch(remote: UsableRemote, options?: TransferOptions): Promise<RemoteOutcome<string | null>>;
  /** The same for an address that is not configured; no remote-tracking branch moves. */
  fetchFrom(address: RemoteUrl, branch: string): Promise<RemoteOutcome<string | null>>;
  /** Never forces. */
  push(remote: UsableRemote, commit: string, options?: TransferOptions): Promise<RemoteOutcome<PushAnswer>>;
  /** The remote's branch as it was fetched last; null when it never was. */
  lastFetched(remote: ConfiguredRemote): Promise<string | null>;
  relate(ours: string, theirs: string): Promise<CommitRelation>;
  /** Whether `commit` is here, and `tip` is it or descends from it. */
  includes(tip: string, commit: string): Promise<boolean>;
  /** The files that differ between a common ancestor and two sides; `keepsId` is for the caller to add. */
  versions(base: Snapshot, ours: string | null, theirs: string): Promise<Omit<MemoryVersions, 'keepsId'>>;
  /** The commits that `tip` has and `exclude` has not, newest first. */
  commitsBetween(tip: string, exclude: string | null): Promise<readonly string[]>;
  /** The files that the commits of `tip` brought in which `exclude` has not. */
  newFiles(tip: string, exclude: string | null): Promise<readonly NewFile[]>;
  readBlobs(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  readonly state: {
    read(): Promise<SyncState>;
    write(state: SyncState): Promise<void>;
    confirmed(): Promise<ReadonlySet<string>>;
    confirm(fingerprints: Iterable<string>): Promise<void>;
  };
  /** Runs `work` when no other sync of this memory runs; null when another process has not ended one after `waitMs`. */
  alone<T>(work: () => Promise<T>, waitMs: number): Promise<T | null>;
  /** Waits for what runs. */
  close(): Promise<void>;
}
