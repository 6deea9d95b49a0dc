// The port to file events of a memory's folders. Events are hints, never truth: whoever receives a change set reads
// the files again. Paths are relative to the memory, with `/` on every system.
import type { WatchedArea } from './watched-area.ts';

/** What may have changed: some files, or so much (an overflow, a lost watch) that everything must be scanned. */
export type ChangeSet = { readonly paths: ReadonlySet<string> } | { readonly paths: 'everything' };

export interface WatcherHealth {
  /** `watching` by events, `polling` as fallback (or while the memory's folder is missing), `stopped`. */
  readonly state: 'starting' | 'watching' | 'polling' | 'stopped';
  /** Why it polls, in words; null while it watches. */
  readonly reason: string | null;
  /** Folders whose changes the system tells, the root included; 0 while polling. */
  readonly watchedFolders: number;
  readonly lastEventAt: Date | null;
  /** Why the last call of `onChange` failed, or what broke here; null once a call has succeeded again. */
  readonly lastError: string | null;
}

export interface Watcher {
  /**
   * Resolves once every folder is watched (or polled): what changes from then on is reported, so read the files after.
   * Never rejects: trouble is in `health()`. Never keeps the process alive.
   */
  readonly ready: Promise<void>;
  health(): WatcherHealth;
  /** Resolves when nothing runs any more, a call of `onChange` in flight included: not to be awaited inside one. */
  close(): Promise<void>;
}

export interface WatchOptions {
  /** Absolute path of the memory. */
  readonly root: string;
  /**
   * Called with what changed, in batches; never concurrently with itself. When it fails, it is called again with
   * `everything`, ever more slowly. Also called with `everything` every few minutes, for what the system did not tell.
   */
  readonly onChange: (changes: ChangeSet) => void | Promise<void>;
  /** Gathers events for this long before a call, so that a burst is one change set. Default 40. */
  readonly debounceMs?: number;
  /** What to look at. Default: `MEMORY_AREA` of watched-area.ts. */
  readonly area?: WatchedArea;
}
