// Gathers raw events until they are taken as one batch. Pure. Invariant: whatever cannot be told exactly (too much,
// or nameless) is told as too much, never as too little.

/** More paths than this in one batch are `everything`: one scan is cheaper for the receiver than that many reads. */
export const MAX_PATHS = 500;

/**
 * More events than this in one batch may mean that the system dropped some. Linux queues 16,384
 * (`fs.inotify.max_queued_events`) while the process is busy, then drops, and libuv does not tell; a full queue is
 * read in one go, so it always shows as a huge batch. Low, because administrators lower the limit too.
 */
export const MAX_EVENTS = 2_000;

export interface Batch {
  /** Files that may have changed. */
  readonly paths: Set<string>;
  /** Paths that appeared or vanished in a watched folder, so may be folders that did. */
  readonly entries: ReadonlySet<string>;
  /** Watched folders that were themselves moved, deleted or unmounted, or whose watch broke. */
  readonly broken: ReadonlySet<string>;
  /** The paths are not the whole story: everything must be scanned. */
  readonly everything: boolean;
  /** Events were lost, so folders may have appeared unseen: every watch must be opened again. */
  readonly lostEvents: boolean;
}

export class PendingChanges {
  #paths = new Set<string>();
  #entries = new Set<string>();
  #broken = new Set<string>();
  #events = 0;
  #everything = false;
  #lostEvents = false;

  /** Counts an event, whether or not it matters: the system's queue is shared by all. */
  countEvent(): void {
    this.#events += 1;
  }

  addPath(path: string): void {
    this.#paths.add(path);
  }

  addEntry(path: string): void {
    this.#entries.add(path);
  }

  addBroken(folder: string): void {
    this.#broken.add(folder);
  }

  addEverything(): void {
    this.#everything = true;
  }

  addLostEvents(): void {
    this.#lostEvents = true;
  }

  /** Whether there is nothing to act on. */
  get isEmpty(): boolean {
    return !(
      this.#everything ||
      this.#isOverflown ||
      this.#paths.size > 0 ||
      this.#entries.size > 0 ||
      this.#broken.size > 0
    );
  }

  /** Hands over what was gathered, and starts anew. */
  take(): Batch {
    const lostEvents = this.#isOverflown;
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

  get #isOverflown(): boolean {
    return this.#lostEvents || this.#events > MAX_EVENTS || this.#entries.size > MAX_PATHS;
  }
}
