// The port to the git repository of a memory. Paths are relative to the memory, with `/` on every system.
// Invariant: a write that returns is fsynced in the working tree; its commit holds exactly the paths it names.

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
  /** The tree already says so: no commit was needed. */
  | { status: 'unchanged'; commit: string }
  /** Written and safe on disk, but git is busy (a merge, a rebase, a foreign lock); the commit is made later. */
  | { status: 'pending'; reason: string };

/** The files and commits of one exclusive piece of work. */
export interface Transaction {
  /** Writes a whole file: temp file in the same folder, fsync, rename, folder fsync. Makes missing folders. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file durably; fine if it is already gone. */
  removeFile(path: string): Promise<void>;
  /** Commits the present working-tree state of exactly these paths (a missing file is a deletion). */
  commit(paths: readonly string[], message: CommitMessage): Promise<CommitOutcome>;
}

/** Where a reader stands in the stream of changes that stet's processes acknowledge. Opaque. */
export type ChangeCursor = string;

export interface ChangesSince {
  readonly cursor: ChangeCursor;
  /** The paths written since; `everything` when the stream was cut (rotated, deleted, first call). */
  readonly paths: readonly string[] | 'everything';
}

export interface Repository {
  /** Absolute path of the memory's folder, symlinks resolved. */
  readonly root: string;
  /** Runs `work` alone: no other stet process or call writes meanwhile. Throws `busy` after some seconds. */
  exclusive<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** What stet's processes wrote since `cursor`: one `stat` when nothing did. Synchronous, because every recall asks. */
  changesSince(cursor: ChangeCursor | null): ChangesSince;
  /** The bytes of a file at HEAD, or null when HEAD has none (or there is no commit yet). */
  readHead(path: string): Promise<Uint8Array | null>;
  /** Full id of HEAD's commit, or null before the first. */
  head(): Promise<string | null>;
  /** Paths whose working-tree state differs from HEAD (own stat scan), with what differs. */
  status(): Promise<ReadonlyArray<{ path: string; state: 'modified' | 'added' | 'deleted' }>>;
}
