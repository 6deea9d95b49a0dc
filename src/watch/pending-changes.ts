// What events mean, gathered until it is taken as one batch. Pure. Invariant: whatever cannot be told exactly (too
// much, or nameless) is told as too much, never as too little.
import type { FolderEvent } from './folder-watches.ts';
import { isEntered, isReported, parentOf, pathIn } from './watched-area.ts';
import type { WatchedArea } from './watched-area.ts';

/** More paths than this in one batch are `everything`: one scan is cheaper for the receiver than that many reads. */
export const MAX_PATHS = 500;

/**
 * More events than this in one batch may mean that the system dropped some. Linux queues 16,384
 * (`fs.inotify.max_queued_events`) while the process is busy, then drops, and libuv does not tell; a full queue is
 * read in one go, so it always shows as a huge batch. Far lower, because administrators lower the limit too.
 */
export const MAX_EVENTS = 2_000;

export interface Batch {
  /** Files that may have changed. */
  readonly paths: Set<string>;
  /** Paths that appeared or vanished in a watched folder, and so may be folders that did. */
  readonly entries: ReadonlySet<string>;
  /** Watched folders that were themselves moved, deleted or unmounted, or whose watch broke. */
  readonly broken: ReadonlySet<string>;
  /** The paths are not the whole story: everything must be scanned. */
  readonly everything: boolean;
  /** Events were lost, so that folders may have appeared unseen: every watch must be opened again. */
  readonly lostEvents: boolean;
}

export interface PendingChangesOptions {
  readonly area: WatchedArea;
  /** The name of the memory's own folder. */
  readonly rootName: string;
}

export class PendingChanges {
  readonly #options: PendingChangesOptions;
  #paths = new Set<string>();
  #entries = new Set<string>();
  #broken = new Set<string>();
  #events = 0;
  #everything = false;
  #lostEvents = false;

  constructor(options: PendingChangesOptions) {
    this.#options = options;
  }

  /** Takes in what the system says. */
  hear({ folder, type, name }: FolderEvent): void {
    const { area, rootName } = this.#options;
    // Also what does not matter counts: the system's queue is one for all.
    this.#events += 1;
    if (name === null) {
      this.#lostEvents = true;
      return;
    }
    const path = pathIn(folder, name);
    if (isReported(area, path)) this.#paths.add(path);
    // (On Linux, a folder whose permissions changed is a `rename` too.)
    if (type === 'rename' && isEntered(area, path)) this.#entries.add(path);
    // A watched folder tells its own end by its own name, which may as well be the name of an entry.
    const ownName = folder === '' ? rootName : folder.slice(folder.lastIndexOf('/') + 1);
    if (type === 'rename' && name === ownName) this.#broken.add(folder);
  }

  addPath(path: string): void {
    this.#paths.add(path);
  }

  addBroken(folder: string): void {
    this.#broken.add(folder);
  }

  addEverything(): void {
    this.#everything = true;
  }

  /** Whether there is nothing to act on. */
  get isEmpty(): boolean {
    const gathered = this.#paths.size + this.#entries.size + this.#broken.size;
    return gathered === 0 && !this.#everything && !this.#hasLostEvents;
  }

  /** Hands over what was gathered, and starts anew. */
  take(): Batch {
    const lostEvents = this.#hasLostEvents;
    const batch: Batch = {
      paths: this.#paths,
      entries: this.#entries,
      broken: this.#broken,
      everything: this.#everything || lostEvents || this.#paths.size > MAX_PATHS,
      lostEvents,
    };
    this.#paths = new Set();
    this.#entries = new Set();
    this.#broken = new Set();
    this.#events = 0;
    this.#everything = false;
    this.#lostEvents = false;
    return batch;
  }

  get #hasLostEvents(): boolean {
    return this.#lostEvents || this.#events > MAX_EVENTS || this.#entries.size > MAX_PATHS;
  }
}

/** The folder whose entry an event is about. */
export function folderOf({ folder, name }: FolderEvent): string {
  return name === null ? folder : parentOf(pathIn(folder, name));
}
