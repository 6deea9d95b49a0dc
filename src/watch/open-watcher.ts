// Watches a memory by the system's events, or by polling where there are none. Invariant: what changes after `ready`
// is in some later change set, by name or as `everything`; one flow does all the work, so nothing overlaps.
import { lstat, stat } from 'node:fs/promises';
import { basename, join, posix, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FolderWatches, WatchRefused, errnoOf, openFolder } from './folder-watches.ts';
import type { FolderEvent, OpenFolder } from './folder-watches.ts';
import { MAX_PATHS, PendingChanges } from './pending-changes.ts';
import type { Batch } from './pending-changes.ts';
import { compareLooks, scanTree } from './scan-tree.ts';
import { Wake } from './wake.ts';
import { MEMORY_AREA, isEntered, isReported, pathIn } from './watched-area.ts';
import type { WatchedArea } from './watched-area.ts';
import type { ChangeSet, WatchOptions, Watcher, WatcherHealth } from './watcher.ts';

//                    ┌─────── root replaced, events lost, a watch dead ──────┐
//                    ▼                                                       │
//   ┌───────────► starting ───────────── every folder watched ──────────► watching
//   │              │ │  ▲                                                   │   │
//   │   root gone  │ │  └─ time to try again ─┐                             │   │
//   │ ┌────────────┘ └─ no watches left ──► polling ◄─── no watches left, ───┘   │
//   │ ▼                                        │        events do not arrive     │
//   └─ away ◄──────────── root gone ───────────┴─────────────────────────────────┘
//
// From every state, close() leads to stopped. Each new state but the first `starting` owes the receiver `everything`,
// because nobody can tell what happened in between.
type State =
  | { readonly name: 'starting' }
  | { readonly name: 'watching' }
  | { readonly name: 'polling'; readonly reason: string; readonly triesAgain: boolean }
  | { readonly name: 'away' }
  | { readonly name: 'stopped' };

/** How often things are looked at, and what the system is; only tests and benchmarks change these. */
export interface WatchTuning {
  /** How often the root is looked at: whether it is there and still the same folder. Default 2,000. */
  readonly beatMs: number;
  /** How often every folder is compared with what events told, and `everything` is sent. Default 120,000. */
  readonly reconcileMs: number;
  /** The shortest time between two polls, where it polls. Default 1,000. */
  readonly pollMs: number;
  readonly open: OpenFolder;
  /** One watch tells of a whole tree. Default: on macOS and Windows. */
  readonly recursive: boolean;
}

const TUNING: WatchTuning = {
  beatMs: 2_000,
  reconcileMs: 120_000,
  pollMs: 1_000,
  open: openFolder,
  // Elsewhere Node imitates it, with a watch a file. There, handles on single folders cost more than they tell: macOS
  // restarts its event stream for each, Windows then refuses to rename what is above one.
  recursive: process.platform === 'darwin' || process.platform === 'win32',
};

const DEBOUNCE_MS = 40;

/** A poll may take this part of the time: at 10,000 files that is one in some ten seconds. */
const POLL_SHARE = 1 / 200;
const MAX_POLL_MS = 30_000;

/** How long a missing event is waited for before it counts as missed. */
const GRACE_MS = 200;

/** So many broken watches between two reconciles, and watching is given up for polling. */
const MAX_BROKEN = 20;

/** Watches a memory until closed. Never throws and never crashes the process; see {@link Watcher}. */
export function openWatcher(options: WatchOptions, tuning: Partial<WatchTuning> = {}): Watcher {
  return new FolderWatcher(options, { ...TUNING, ...tuning });
}

class FolderWatcher implements Watcher {
  readonly ready: Promise<void>;
  readonly #root: string;
  readonly #area: WatchedArea;
  readonly #debounceMs: number;
  readonly #onChange: WatchOptions['onChange'];
  readonly #tuning: WatchTuning;
  readonly #pending = new PendingChanges();
  readonly #watches: FolderWatches;
  readonly #wake = new Wake();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #state: State = { name: 'starting' };
  #markReady: () => void = () => {};
  #refused: WatchRefused | null = null;
  #brokenSinceReconcile = 0;
  #silentAudits = 0;
  #failedCalls = 0;
  #callAgainAt = Number.POSITIVE_INFINITY;
  #lastEventAt: Date | null = null;
  #lastError: string | null = null;

  constructor(options: WatchOptions, tuning: WatchTuning) {
    this.#root = resolve(options.root);
    this.#area = options.area ?? MEMORY_AREA;
    this.#debounceMs = options.debounceMs ?? DEBOUNCE_MS;
    this.#onChange = options.onChange;
    this.#tuning = tuning;
    this.#watches = new FolderWatches({
      root: this.#root,
      area: this.#area,
      recursive: tuning.recursive,
      open: tuning.open,
      onEvent: (event) => this.#hear(event),
      onError: (folder, error) => this.#hearError(folder, error),
    });
    this.ready = new Promise((resolve) => {
      this.#markReady = resolve;
    });
    this.#ended = this.#live();
  }

  health(): WatcherHealth {
    const state = this.#state;
    const common = {
      watchedFolders: state.name === 'watching' ? this.#watches.size : 0,
      lastEventAt: this.#lastEventAt,
      lastError: this.#lastError,
    };
    switch (state.name) {
      case 'polling':
        return { ...common, state: 'polling', reason: state.reason };
      case 'away':
        return { ...common, state: 'polling', reason: `${this.#root} is missing; it is looked for until it is back` };
      case 'starting':
      case 'watching':
      case 'stopped':
        return { ...common, state: state.name, reason: null };
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake.ring();
    await this.#ended;
  }

  async #live(): Promise<void> {
    let isFirst = true;
    while (!this.#isStopping) {
      const next = await this.#step(this.#state);
      if (next.name !== 'starting') {
        if (!isFirst) this.#pending.addEverything();
        isFirst = false;
      }
      this.#state = next;
    }
    this.#watches.drop('');
    this.#state = { name: 'stopped' };
    this.#markReady();
  }

  /** Stays in a state until it is over; returns the next. */
  async #step(state: State): Promise<State> {
    try {
      switch (state.name) {
        case 'starting':
          return await this.#start();
        case 'watching':
          this.#markReady();
          return await this.#watch();
        case 'polling':
          return await this.#poll(state.triesAgain);
        case 'away':
          this.#markReady();
          return await this.#seek();
        case 'stopped':
          return state;
      }
    } catch (error) {
      if (error instanceof WatchRefused) {
        this.#watches.drop('');
        return { name: 'polling', reason: describeRefusal(error.errno), triesAgain: true };
      }
      // Not foreseen. Polling needs the least of the system, and comes back here after a pause if even that fails.
      this.#lastError = wordsOf(error);
      this.#watches.drop('');
      this.#markReady();
      await this.#wake.sleep(this.#tuning.pollMs);
      return { name: 'polling', reason: `watching failed (${this.#lastError})`, triesAgain: true };
    }
  }

  async #start(): Promise<State> {
    this.#watches.drop('');
    this.#pending.take();
    this.#refused = null;
    this.#brokenSinceReconcile = 0;
    if (!(await isFolder(this.#root))) return { name: 'away' };
    await this.#watches.add('', this.#stop.signal);
    return this.#watches.has('') ? { name: 'watching' } : { name: 'away' };
  }

  async #watch(): Promise<State> {
    const { beatMs, reconcileMs } = this.#tuning;
    let beatAt = performance.now() + beatMs;
    let reconcileAt = performance.now() + reconcileMs;
    while (!this.#isStopping) {
      if (this.#pending.isEmpty) await this.#wake.sleep(beatMs);
      else {
        // From the first event on, not after the last: an editor that saves all the time is heard all the same.
        await pause(this.#debounceMs, undefined, { ref: false });
        const changes = await this.#settle(this.#pending.take());
        if (changes === null) return { name: 'starting' };
        await this.#call(changes);
      }
      if (this.#refused) throw this.#refused;
      const now = performance.now();
      if (now >= this.#callAgainAt) this.#pending.addEverything();
      if (now >= beatAt) {
        beatAt = now + beatMs;
        // Moving a folder above the memory makes no event in it.
        if (!(await this.#watches.isSame(''))) return { name: 'starting' };
      }
      if (now >= reconcileAt) {
        reconcileAt = now + reconcileMs;
        const next = await this.#reconcile();
        if (next) return next;
      }
    }
    return { name: 'stopped' };
  }

  async #poll(triesAgain: boolean): Promise<State> {
    const { pollMs, reconcileMs } = this.#tuning;
    const tryAgainAt = performance.now() + reconcileMs;
    let before = await scanTree(this.#root, this.#area, this.#stop.signal);
    this.#markReady();
    let tookMs = 0;
    while (!this.#isStopping) {
      if (before === null) return { name: 'away' };
      await this.#callPending();
      await this.#wake.sleep(Math.min(Math.max(pollMs, tookMs / POLL_SHARE), MAX_POLL_MS));
      if (triesAgain && performance.now() >= tryAgainAt) return { name: 'starting' };
      const startedAt = performance.now();
      const after = await scanTree(this.#root, this.#area, this.#stop.signal);
      tookMs = performance.now() - startedAt;
      if (this.#isStopping) break;
      if (after !== null) {
        for (const path of compareLooks(before, after)) {
          this.#pending.addPath(path);
          this.#lastEventAt = new Date();
        }
      }
      before = after;
    }
    return { name: 'stopped' };
  }

  async #seek(): Promise<State> {
    while (!this.#isStopping) {
      await this.#callPending();
      await this.#wake.sleep(this.#tuning.beatMs);
      if (await isFolder(this.#root)) return { name: 'starting' };
    }
    return { name: 'stopped' };
  }

  get #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  #hear({ folder, type, name }: FolderEvent): void {
    this.#pending.countEvent();
    if (name === null) this.#pending.addLostEvents();
    else {
      const path = pathIn(folder, name);
      const parent = posix.dirname(path);
      this.#watches.touch(parent === '.' ? '' : parent);
      if (isReported(this.#area, path)) this.#pending.addPath(path);
      if (isEntered(this.#area, path)) {
        if (type === 'rename') this.#pending.addEntry(path);
        // Its permissions changed, so that it may be watched now. (On Windows, any change in it does this.)
        else if (!this.#tuning.recursive && this.#watches.has(path)) this.#pending.addBroken(path);
      }
      // A watched folder tells its own end by its own name, which may as well be that of an entry.
      if (type === 'rename' && name === basename(join(this.#root, folder))) this.#pending.addBroken(folder);
    }
    if (this.#pending.isEmpty) return;
    this.#lastEventAt = new Date();
    this.#wake.ring();
  }

  #hearError(folder: string, error: NodeJS.ErrnoException): void {
    const errno = errnoOf(error);
    this.#brokenSinceReconcile += 1;
    if (isExhausted(errno) || this.#brokenSinceReconcile > MAX_BROKEN) this.#refused = new WatchRefused(errno);
    this.#pending.addBroken(folder);
    this.#wake.ring();
  }

  /** Watches folders that appeared, lets go of those that are gone. Null when every watch must be opened again. */
  async #settle(batch: Batch): Promise<ChangeSet | null> {
    if (batch.lostEvents || batch.broken.has('')) return null;
    const { paths } = batch;
    let { everything } = batch;
    const letGo = (folder: string) => {
      this.#watches.drop(folder);
      // What was in it is gone or elsewhere, and nobody here keeps a list of files.
      everything = true;
    };
    for (const folder of batch.broken) letGo(folder);
    for (const path of new Set([...batch.broken, ...batch.entries])) {
      if (this.#watches.has(path)) {
        if (await this.#watches.isSame(path)) continue;
        letGo(path);
      }
      if (!(await isFolderItself(join(this.#root, path)))) continue;
      for (const file of await this.#watches.add(path, this.#stop.signal)) paths.add(file);
      // Where case does not distinguish names, this may be a known folder under its old name.
      if (this.#tuning.recursive) everything = true;
    }
    return everything || paths.size > MAX_PATHS ? { paths: 'everything' } : { paths };
  }

  /** Looks for what events missed. Returns the next state when watching does not do. */
  async #reconcile(): Promise<State | null> {
    this.#brokenSinceReconcile = 0;
    const startedAt = performance.now();
    const { replaced, silent, heard } = await this.#watches.audit();
    if (silent.length > 0) await pause(GRACE_MS, undefined, { ref: false });
    const missed = silent.filter((folder) => !this.#watches.heardSince(folder, startedAt));
    this.#pending.addEverything();
    if (missed.length > 0) {
      this.#silentAudits += 1;
      if (this.#silentAudits > 1) {
        this.#watches.drop('');
        return { name: 'polling', reason: SILENT, triesAgain: false };
      }
      return { name: 'starting' };
    }
    if (heard > 0) this.#silentAudits = 0;
    return replaced ? { name: 'starting' } : null;
  }

  async #callPending(): Promise<void> {
    if (performance.now() >= this.#callAgainAt) this.#pending.addEverything();
    if (this.#pending.isEmpty) return;
    const { everything, paths } = this.#pending.take();
    await this.#call({ paths: everything ? 'everything' : paths });
  }

  async #call(changes: ChangeSet): Promise<void> {
    if (this.#isStopping || (changes.paths !== 'everything' && changes.paths.size === 0)) return;
    try {
      await this.#onChange(changes);
      // Only `everything` makes up for a call that failed.
      if (changes.paths !== 'everything' && this.#failedCalls > 0) return;
      this.#failedCalls = 0;
      this.#callAgainAt = Number.POSITIVE_INFINITY;
      this.#lastError = null;
    } catch (error) {
      this.#lastError = wordsOf(error);
      this.#callAgainAt =
        performance.now() + Math.min(this.#tuning.reconcileMs, this.#tuning.beatMs * 2 ** this.#failedCalls);
      this.#failedCalls += 1;
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/** Whether it is a folder and not a link to one. */
async function isFolderItself(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

function isExhausted(errno: string): boolean {
  return errno === 'ENOSPC' || errno === 'EMFILE' || errno === 'ENFILE';
}

const SILENT =
  'the system does not tell of changes here (a network or virtual file system?); files are compared instead';

function describeRefusal(errno: string): string {
  switch (errno) {
    case 'ENOSPC':
      return 'no file watches are left on this system (fs.inotify.max_user_watches); files are compared instead';
    case 'EMFILE':
    case 'ENFILE':
      return 'no watch instances or file handles are left (fs.inotify.max_user_instances, ulimit -n); files are compared instead';
    default:
      return `the system refuses to watch this folder (${errno}); files are compared instead`;
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
