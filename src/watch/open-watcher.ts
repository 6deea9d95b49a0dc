// Watches a memory by the system's events, or by polling where there are none. Invariant: what changes after `ready`
// is in some later change set, by name or as `everything`; one flow does all the work, so nothing overlaps.
import { lstat, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ChangeCalls, wordsOf } from './change-calls.ts';
import { FolderWatches, WatchRefused, errnoOf } from './folder-watches.ts';
import { MAX_PATHS, PendingChanges, folderOf } from './pending-changes.ts';
import type { Batch } from './pending-changes.ts';
import { compareLooks, scanTree } from './scan-tree.ts';
import type { TreeLook } from './scan-tree.ts';
import { startTimer } from './time-spent.ts';
import { Wake } from './wake.ts';
import { describeState } from './watch-state.ts';
import type { PollReason, WatchState } from './watch-state.ts';
import { WATCH_TUNING } from './watch-tuning.ts';
import type { WatchTuning } from './watch-tuning.ts';
import { MEMORY_AREA } from './watched-area.ts';
import type { WatchedArea } from './watched-area.ts';
import type { ChangeSet, WatchOptions, Watcher, WatcherHealth } from './watcher.ts';

const DEBOUNCE_MS = 40;

/** A poll may take this part of the time: at 10,000 files that is one in seven seconds. */
const POLL_SHARE = 1 / 100;
const MAX_POLL_MS = 30_000;
const MAX_RECONCILE_MS = 30 * 60_000;

/** How long an event may be on its way before it counts as missed. */
const GRACE_MS = 200;

/** More broken watches, or roots that became another folder, than this between two reconciles: polling does better. */
const MAX_BROKEN = 20;
const MAX_REPLACED = 5;

/** Watches a memory until closed. Never throws and never crashes the process; see {@link Watcher}. */
export function openWatcher(options: WatchOptions, tuning: Partial<WatchTuning> = {}): Watcher {
  return new FolderWatcher(options, { ...WATCH_TUNING, ...tuning });
}

//                   ┌──────── root replaced, events lost, a watch dead ────────┐
//                   ▼                                                          │
//  ┌─ root back ─► starting ───────────── every folder watched ────────────► watching
//  │                │ │  ▲                                                    │   │
//  │      root gone │ │  └─ time to try again ─┐                              │   │
//  │ ┌──────────────┘ └─ watch refused ────► polling ◄── watch refused, ───────┘   │
//  │ ▼                                          │        events do not arrive      │
//  away ◄───────────────── root gone ───────────┴──────────────────────────────────┘
//
// close() leads from each to stopped. Every state entered after the first wait owes the receiver `everything`, because
// nobody can tell what happened in between.
class FolderWatcher implements Watcher {
  readonly ready: Promise<void>;
  readonly #root: string;
  readonly #area: WatchedArea;
  readonly #debounceMs: number;
  readonly #tuning: WatchTuning;
  readonly #watches: FolderWatches;
  readonly #pending: PendingChanges;
  readonly #calls: ChangeCalls;
  readonly #wake = new Wake();
  /** What the last `everything` cost the receiver. */
  #everythingMs = 0;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #state: WatchState = { name: 'starting' };
  #markReady: () => void = () => {};
  #refusal: WatchRefused | null = null;
  #brokenWatches = 0;
  #replacedRoots = 0;
  #silentAudits = 0;
  #lastEventAt: Date | null = null;
  #lastError: string | null = null;

  constructor(options: WatchOptions, tuning: WatchTuning) {
    const root = resolve(options.root);
    const area = options.area ?? MEMORY_AREA;
    const { beatMs, reconcileMs, recursive, open } = tuning;
    this.#root = root;
    this.#area = area;
    this.#debounceMs = options.debounceMs ?? DEBOUNCE_MS;
    this.#tuning = tuning;
    this.#pending = new PendingChanges({ area, rootName: basename(root) });
    this.#watches = new FolderWatches({
      root,
      area,
      recursive,
      open,
      onEvent: (event) => {
        this.#watches.touch(folderOf(event));
        this.#pending.hear(event);
        if (this.#pending.isEmpty) return;
        this.#lastEventAt = new Date();
        this.#wake.ring();
      },
      onError: (folder, error) => this.#hearError(folder, errnoOf(error)),
    });
    this.#calls = new ChangeCalls({ onChange: options.onChange, firstPauseMs: beatMs, longestPauseMs: reconcileMs });
    this.ready = new Promise((resolve) => {
      this.#markReady = resolve;
    });
    this.#ended = this.#live();
  }

  health(): WatcherHealth {
    return {
      ...describeState(this.#state, this.#root),
      watchedFolders: this.#watches.size,
      lastEventAt: this.#lastEventAt,
      lastError: this.#calls.lastError ?? this.#lastError,
    };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake.ring();
    await this.#ended;
  }

  async #live(): Promise<void> {
    let isReady = false;
    while (!this.#isStopping) {
      this.#state = await this.#step(this.#state);
      if (this.#state.name === 'starting') continue;
      if (isReady) this.#pending.addEverything();
      isReady = true;
    }
    this.#watches.drop('');
    this.#state = { name: 'stopped' };
    this.#markReady();
  }

  /** Stays in a state until it is over; returns the next. */
  async #step(state: WatchState): Promise<WatchState> {
    try {
      switch (state.name) {
        case 'starting':
          return await this.#start();
        case 'watching':
          return await this.#watch();
        case 'polling':
          return await this.#poll(state.triesAgain);
        case 'away':
          return await this.#seek();
        case 'stopped':
          return state;
      }
    } catch (error) {
      if (error instanceof WatchRefused) return this.#giveUp({ code: 'refused', errno: error.errno });
      // Not foreseen. Polling needs least of the system, and comes back here, after a pause, if even that fails.
      this.#lastError = wordsOf(error);
      this.#markReady();
      await this.#wake.sleep(this.#tuning.pollMs);
      return this.#giveUp({ code: 'broken', words: this.#lastError });
    }
  }

  #giveUp(why: PollReason): WatchState {
    this.#watches.drop('');
    return { name: 'polling', why, triesAgain: why.code !== 'silent' };
  }

  async #start(): Promise<WatchState> {
    this.#watches.drop('');
    this.#pending.take();
    this.#refusal = null;
    if (!(await isFolder(this.#root))) return { name: 'away' };
    await this.#watches.add('', this.#stop.signal);
    if (!this.#watches.has('')) return { name: 'away' };
    this.#lastError = null;
    return { name: 'watching' };
  }

  async #watch(): Promise<WatchState> {
    const { beatMs } = this.#tuning;
    this.#markReady();
    let beatAt = performance.now() + beatMs;
    let reconciledAt = performance.now();
    while (!this.#isStopping) {
      if (this.#pending.isEmpty) await this.#wake.sleep(beatMs);
      else {
        // From the first event on, not after the last: an editor that saves all the time is heard all the same.
        await pause(this.#debounceMs, undefined, { ref: false });
        const changes = await this.#settle(this.#pending.take());
        if (changes === null) return { name: 'starting' };
        await this.#call(changes);
      }
      if (this.#refusal) throw this.#refusal;
      if (this.#calls.isDue()) this.#pending.addEverything();
      const now = performance.now();
      if (now >= beatAt) {
        beatAt = now + beatMs;
        // Moving a folder above the memory makes no event in it.
        if (!(await this.#watches.isAlive(''))) return this.#replaceRoot();
      }
      if (now >= reconciledAt + this.#reconcilePauseMs()) {
        reconciledAt = now;
        const next = await this.#reconcile();
        if (next) return next;
      }
    }
    return { name: 'stopped' };
  }

  async #poll(triesAgain: boolean): Promise<WatchState> {
    const { pollMs, reconcileMs } = this.#tuning;
    const tryAgainAt = performance.now() + reconcileMs;
    let { look: before, tookMs } = await this.#look();
    this.#markReady();
    while (!this.#isStopping) {
      if (before === null) return { name: 'away' };
      await this.#callPending();
      await this.#wake.sleep(Math.min(Math.max(pollMs, tookMs / POLL_SHARE), MAX_POLL_MS));
      if (triesAgain && performance.now() >= tryAgainAt) return { name: 'starting' };
      const { look: after, tookMs: tookNowMs } = await this.#look();
      if (this.#isStopping) break;
      for (const path of after === null ? [] : compareLooks(before, after)) {
        this.#pending.addPath(path);
        this.#lastEventAt = new Date();
      }
      before = after;
      tookMs = tookNowMs;
    }
    return { name: 'stopped' };
  }

  async #look(): Promise<{ look: TreeLook | null; tookMs: number }> {
    const tookMs = startTimer();
    const look = await scanTree(this.#root, this.#area, this.#stop.signal);
    return { look, tookMs: tookMs() };
  }

  async #seek(): Promise<WatchState> {
    this.#markReady();
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

  #hearError(folder: string, errno: string): void {
    this.#brokenWatches += 1;
    const isExhausted = ['ENOSPC', 'EMFILE', 'ENFILE'].includes(errno);
    if (isExhausted || this.#brokenWatches > MAX_BROKEN) this.#refusal = new WatchRefused(errno);
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
        if (await this.#watches.isAlive(path)) continue;
        letGo(path);
      }
      if (!(await isFolderItself(join(this.#root, path)))) continue;
      for (const file of await this.#watches.add(path, this.#stop.signal)) paths.add(file);
      // Where names differ by case alone, this may be a known folder under its former name.
      if (this.#tuning.recursive) everything = true;
    }
    return { paths: everything || paths.size > MAX_PATHS ? 'everything' : paths };
  }

  #replaceRoot(): WatchState {
    this.#replacedRoots += 1;
    return this.#replacedRoots > MAX_REPLACED ? this.#giveUp({ code: 'restless' }) : { name: 'starting' };
  }

  /** Looks for what events missed. Returns the next state when watching does not do. */
  async #reconcile(): Promise<WatchState | null> {
    this.#brokenWatches = 0;
    this.#replacedRoots = 0;
    this.#pending.addEverything();
    const startedAt = performance.now();
    const { replaced, silent, heard } = await this.#watches.audit();
    if (silent.length > 0) await pause(GRACE_MS, undefined, { ref: false });
    if (silent.some((folder) => !this.#watches.heardSince(folder, startedAt))) {
      this.#silentAudits += 1;
      return this.#silentAudits > 1 ? this.#giveUp({ code: 'silent' }) : { name: 'starting' };
    }
    if (heard > 0) this.#silentAudits = 0;
    return replaced ? { name: 'starting' } : null;
  }

  async #callPending(): Promise<void> {
    if (this.#calls.isDue()) this.#pending.addEverything();
    const { everything, paths } = this.#pending.take();
    await this.#call({ paths: everything ? 'everything' : paths });
  }

  async #call(changes: ChangeSet): Promise<void> {
    if (this.#isStopping) return;
    const tookMs = startTimer();
    await this.#calls.call(changes);
    if (changes.paths === 'everything') this.#everythingMs = tookMs();
  }

  /** Rarer where it costs more: at 100,000 files the receiver looks for seconds. */
  #reconcilePauseMs(): number {
    const { reconcileMs, reconcileShare } = this.#tuning;
    return Math.max(reconcileMs, Math.min(this.#everythingMs / reconcileShare, MAX_RECONCILE_MS));
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/** Whether it is a folder and not a link to one. */
async function isFolderItself(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}
