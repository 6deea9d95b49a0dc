// The port to file events of a memory's folders. Events are hints, never truth: whoever receives a change set reads
// the files again. Paths are relative to the memory, with `/` on every system.

/** What may have changed: some files, or so much (an overflow, a lost watch) that everything must be scanned. */
export type ChangeSet = { readonly paths: ReadonlySet<string> } | { readonly paths: 'everything' };

export interface WatcherHealth {
  /** `watching` by events, `polling` as fallback, `stopped`. */
  readonly state: 'starting' | 'watching' | 'polling' | 'stopped';
  /** Why it polls, in words; null while it watches. */
  readonly reason: string | null;
  readonly watchedFolders: number;
  readonly lastEventAt: Date | null;
}

export interface Watcher {
  /** Resolves once every folder is watched: what changes from then on is reported. */
  readonly ready: Promise<void>;
  health(): WatcherHealth;
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Absolute path of the memory. */
  readonly root: string;
  /** Called with what changed, in batches; never concurrently with itself. */
  readonly onChange: (changes: ChangeSet) => void | Promise<void>;
  /** Gathers events for this long before a call, so that a burst is one change set. Default 40. */
  readonly debounceMs?: number;
}
