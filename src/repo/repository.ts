// The port to the git repository of a memory. Paths are relative to the memory, with `/` on every system.
// Invariant: a write that returns is fsynced in the working tree; its commit holds exactly the paths it names.

import type { FileVersion } from '../memory/merge/memory-versions.ts';
import type { ZonedTime } from '../memory/zoned-time.ts';
import type { SyncPort } from './sync-port.ts';
import type { WorkingTreeScan } from './working-tree.ts';

/** Who made a change, and in which words git tells it. */
export interface CommitMessage {
  /** `remember: …`, `supersede: …`, `forget: …`, `edit: …`; one line. */
  readonly subject: string;
  /** Trailer name to value, in order: `Stet-Agent`, `Stet-Space`, `Stet-Item`. */
  readonly trailers: ReadonlyArray<readonly [name: string, value: string]>;
  /** The agent that changed it; `null` when the user did. */
  readonly author: { readonly name: string; readonly email: string } | null;
}

export type CommitOutcome =
  /** `commit` is the full object id. */
  | { status: 'committed'; commit: string }
  /** The tree already says so: no commit was needed. `commit` is null before the first. */
  | { status: 'unchanged'; commit: string | null }
  /**
   * Written and safe on disk, but not committed: git is busy (a merge, a rebase, a foreign lock) and the commit is made
   * later; or the paths are not stet's to commit (git-ignored, or staged by the user). `reason` says which, in words.
   */
  | { status: 'pending'; reason: string };

/** The result of a merge, to be put in place of HEAD. */
export interface MergeRequest {
  /** HEAD when the merge was made; null before the first commit. */
  readonly head: string | null;
  /** What differs from HEAD in the result, by path; null for what goes. Content is named, or given if it is new. */
  readonly files: ReadonlyMap<string, FileVersion | null>;
  /** Paths of these that leave the history alone: their files on the disk are not touched. */
  readonly historyOnly: ReadonlySet<string>;
  /** Paths of these that the caller writes again: git is to look at their content, not at their size. */
  readonly unstamped?: ReadonlySet<string>;
  /** The parents of the commit that is made; or a commit with this very tree, to which the branch moves. */
  readonly result: { readonly parents: readonly string[] } | { readonly commit: string };
  readonly message: CommitMessage;
}

export type MergeOutcome =
  | { status: 'merged'; commit: string }
  /** HEAD is another commit by now: merge again. */
  | { status: 'moved' }
  /** Files that somebody changed, staged or made, and no commit has: nothing was touched. */
  | { status: 'blocked'; obstacles: readonly MergeObstacle[] }
  /** git is busy, or the disk full: nothing was touched. `reason` says which, in words. */
  | { status: 'waits'; reason: string };

export interface MergeObstacle {
  readonly path: string;
  readonly why: 'edited' | 'staged' | 'deleted' | 'in the way';
}

/** What git records of a commit, beside its files and parents. */
export interface RecordedCommit {
  readonly author: { readonly name: string; readonly email: string };
  readonly authored: ZonedTime;
  readonly committer: { readonly name: string; readonly email: string };
  readonly committed: ZonedTime;
  /** All of it, subject first. */
  readonly message: string;
}

/** A commit that another repository had, to be written anew. */
export interface ReplayedCommit {
  readonly record: RecordedCommit;
  /** What it changes against the one before, by path; null for what goes. */
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly executable: boolean } | null>;
}

/** The files and commits of one exclusive piece of work. */
export interface Transaction {
  /** Writes a whole file: temp file in the same folder, fsync, rename, folder fsync. Makes missing folders. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file durably; fine if it is already gone. */
  removeFile(path: string): Promise<void>;
  /**
   * Commits the present working-tree state of exactly these paths (a missing file is a deletion). A link, FIFO or socket
   * at a path leaves what HEAD has. What this transaction did not write is left to the user if it is staged or ignored.
   */
  commit(paths: readonly string[], message: CommitMessage): Promise<CommitOutcome>;
  /**
   * Commits these contents (null: a deletion) of files that others wrote. What is different on disk by now is left out,
   * and so is what the user staged or git ignores. When git is busy the commit is not remembered: the caller looks again.
   */
  commitExactly(files: ReadonlyMap<string, Uint8Array | null>, message: CommitMessage): Promise<CommitOutcome>;
  /** Puts the result of a merge in place: files, index and branch, or none of them. */
  merge(request: MergeRequest): Promise<MergeOutcome>;
  /**
   * Writes commits one after the other, the first without a parent, and returns their ids. No branch and no file has them
   * before a `merge` moves there; what a crash or `signal` (it throws an `AbortError`) leaves is for git to clear up.
   */
  replay(
    commits: readonly ReplayedCommit[],
    onWritten: (commits: number) => void,
    signal: AbortSignal | null,
  ): Promise<readonly string[]>;
  /** Tells the other processes of files that changed without `writeFile` (a merge by git). */
  noteChanged(paths: Iterable<string>): void;
}

/** Where a reader stands in the stream of changes that stet's processes acknowledge. Opaque; lives as long as its process. */
export type ChangeCursor = string;

export interface ChangesSince {
  readonly cursor: ChangeCursor;
  /** The paths written since; `everything` when the stream was cut (rotated, deleted, first call). */
  readonly paths: readonly string[] | 'everything';
}

/** A path whose working-tree state differs from HEAD. */
export interface StatusEntry {
  readonly path: string;
  readonly state: 'modified' | 'added' | 'deleted';
  /** The user staged something at this path, so stet does not commit it. */
  readonly staged?: true;
  /** git ignores it, so it is never committed. */
  readonly ignored?: true;
}

export interface Repository {
  /** Absolute path of the memory's folder, symlinks resolved. */
  readonly root: string;
  /**
   * Runs `work` alone: no other stet process or call writes meanwhile. Throws `busy` after some seconds. Never call it
   * from within `work`: it would wait for itself.
   */
  exclusive<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** What stet's processes wrote since `cursor`: one `stat` when nothing did. Synchronous, because every recall asks. */
  changesSince(cursor: ChangeCursor | null): ChangesSince;
  /** The bytes of a file at HEAD, or null when HEAD has none (or there is no commit yet). */
  readHead(path: string): Promise<Uint8Array | null>;
  /** Full id of HEAD's commit, or null before the first. */
  head(): Promise<string | null>;
  /**
   * Paths whose working-tree state differs from HEAD (own stat scan), with what differs. `items`: what a
   * scan of the item folders found a moment ago; they are not looked at again.
   */
  status(items?: WorkingTreeScan): Promise<readonly StatusEntry[]>;
}

/** A commit that waits for git. */
export interface PendingCommit {
  readonly paths: readonly string[];
  readonly message: CommitMessage;
  /** ISO 8601. */
  readonly since: string;
  /** Why it could not be made, in words. */
  readonly reason: string;
}

/** One commit in the history of a file. */
export interface HistoryEntry {
  readonly commit: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly at: Date;
  readonly subject: string;
  /** Trailer name to value, in order. */
  readonly trailers: ReadonlyArray<readonly [name: string, value: string]>;
  /** The file's path in that commit, or null where the commit removed it. */
  readonly path: string | null;
}

/** One commit of HEAD's first-parent line. */
export type CommitEntry = Omit<HistoryEntry, 'path'> & {
  /** First parent, or null for the first commit. */
  readonly parent: string | null;
  readonly isMerge: boolean;
};

/** A file that a commit changed against its first parent; null where there was, or is, no ordinary one. */
export interface FileChange {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** Whether it is a program after the commit. */
  readonly executable: boolean;
}

/** What the repository on disk offers beyond the port that rules and services need. */
export interface GitRepository extends Repository {
  /** Why no commit can be made just now (a merge in progress, a detached HEAD), in words; null when one can. */
  obstacle(): Promise<string | null>;
  /** The remote, and what a sync needs to know. */
  readonly sync: SyncPort;
  /** The commits that wait, oldest first. */
  pending(): Promise<readonly PendingCommit[]>;
  /**
   * Makes the commits that wait, heals what a concurrent `git commit` dropped, and clears up after a process that died.
   * Cheap when there is nothing to do. Call it at the start, and now and then while something is pending.
   */
  commitPending(): Promise<{ readonly committed: number; readonly stillPending: readonly PendingCommit[] }>;
  /** The bytes of a file at a commit, or null when that commit has none. Throws `bad-argument` for an unknown commit. */
  readAt(commit: string, path: string): Promise<Uint8Array | null>;
  /** The paths of all files at a commit. */
  listAt(commit: string): Promise<readonly string[]>;
  /** All ordinary files of a commit whose path is wanted, read in bulk; sorted by path. */
  readAllAt(
    commit: string,
    wants: (path: string) => boolean,
  ): Promise<ReadonlyArray<readonly [path: string, bytes: Uint8Array]>>;
  /** The full id of a commit by its id, the beginning of it, a tag or a branch; null when there is none. */
  findCommit(name: string): Promise<string | null>;
  /** When a commit was made. */
  committedAt(commit: string): Promise<Date>;
  /** The newest commit on HEAD's first-parent line that was made at or before `date`; null when there is none. */
  firstParentAt(date: Date): Promise<string | null>;
  /** The commits up to `from` (a full id; HEAD's) that changed one file, newest first, also from before it moved to its folder. */
  log(path: string, from?: string): Promise<readonly HistoryEntry[]>;
  /** The commits of HEAD's first-parent line, newest first; read as they are asked for. */
  commits(): AsyncIterable<CommitEntry>;
  /** Throws `damaged-repository` for an id that is no commit's. */
  readCommit(commit: string): Promise<RecordedCommit>;
  /** The ordinary files that a commit changed against its first parent, by path. */
  changesIn(commit: string): Promise<readonly FileChange[]>;
  /** Who commits, and whether git's configuration says so or stet had to make it up. */
  identity(): { readonly name: string; readonly email: string; readonly from: 'git' | 'made-up' };
  /** Gives back what is held; safe to call twice. */
  close(): Promise<void>;
}
