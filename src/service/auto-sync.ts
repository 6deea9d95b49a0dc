// Syncs by itself while a server runs, if `sync.auto` is on and there is a remote: some time after a commit, and now and then.
// Never on the path of a remember or recall; of several servers one does it, and the others find it done.
//
//              ┌──────────────── time ────────────────┐
//   waiting ───┴─ HEAD is new to the remote, and quiet ─┴─▶ syncing ──synced──▶ waiting (the usual time)
//      ▲                                                     └──offline, busy──▶ waiting (longer each time)
//      │                                                     └──stopped: it takes a person──▶ waiting (longest)
//   close() aborts what runs.

import { setTimeout as wait } from 'node:timers/promises';
import { durationMs } from '../memory/settings.ts';
import type { HandCommits } from './hand-commits.ts';
import type { Memory } from './memory.ts';
import type { SyncReport } from './sync-report.ts';
import { syncMemory } from './sync.ts';

export interface AutoSyncOptions {
  /** Whatever `sync.auto` says. */
  readonly always?: boolean;
  /** Told of every sync. */
  readonly onReport?: (report: SyncReport) => void;
}

/** Two reads of small files each time. */
const LONGEST_LOOK_MS = 5_000;
const SHORTEST_LOOK_MS = 20;
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 60 * 60_000;
const DEFAULT_EVERY_MS = 5 * 60_000;
const DEFAULT_QUIET_MS = 20_000;

export class AutoSync {
  readonly #memory: Memory;
  readonly #hand: HandCommits;
  readonly #options: AutoSyncOptions;
  readonly #stop = new AbortController();
  /** Servers that start together do not march in step. */
  readonly #jitter = 0.8 + 0.4 * Math.random();
  readonly #running: Promise<void>;
  /** HEAD when it was last seen to move, and when that was. */
  #head: { readonly commit: string | null; readonly sinceMs: number };
  /** HEAD when a sync last was tried: what did not go then is not tried again before its time. */
  #tried: string | null = null;
  #dueAtMs: number;
  #retryMs = FIRST_RETRY_MS;

  constructor(memory: Memory, hand: HandCommits, options: AutoSyncOptions = {}) {
    this.#memory = memory;
    this.#hand = hand;
    this.#options = options;
    const now = performance.now();
    this.#head = { commit: null, sinceMs: now };
    // Soon after the start: other machines may have written while this one was off.
    this.#dueAtMs = now + this.#quietMs();
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (await this.#pause()) {
      try {
        if (await this.#isTime()) await this.#sync();
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#memory.backgroundProblem = error instanceof Error ? error.message : String(error);
        this.#plan('waits');
      }
    }
  }

  /** False when it is over. */
  async #pause(): Promise<boolean> {
    const ms = Math.max(SHORTEST_LOOK_MS, Math.min(LONGEST_LOOK_MS, this.#quietMs() / 4));
    try {
      await wait(ms, undefined, { signal: this.#stop.signal, ref: false });
    } catch {
      // Aborted: it is asked below.
    }
    return !this.#stop.signal.aborted;
  }

  async #isTime(): Promise<boolean> {
    const { config, repository } = this.#memory;
    if (this.#options.always !== true && config.setting('sync.auto') !== 'on') return false;
    const now = performance.now();
    const commit = await repository.head();
    if (commit !== this.#head.commit) this.#head = { commit, sinceMs: now };
    const isDue = now >= this.#dueAtMs;
    const isNews = commit !== this.#tried && now - this.#head.sinceMs >= this.#quietMs();
    if (!isDue && !isNews) return false;
    const remote = await repository.sync.remote();
    // Another server may have sent it.
    const isSent = remote !== null && (await repository.sync.lastFetched(remote)) === commit;
    if (remote !== null && (isDue || !isSent)) return true;
    this.#tried = commit;
    if (isDue) this.#plan('synced');
    return false;
  }

  async #sync(): Promise<void> {
    this.#tried = this.#head.commit;
    const report = await syncMemory(this.#memory, this.#hand, { signal: this.#stop.signal });
    if (this.#stop.signal.aborted) return;
    this.#plan(report.outcome.status);
    this.#options.onReport?.(report);
  }

  #plan(status: SyncReport['outcome']['status']): void {
    const now = performance.now();
    switch (status) {
      case 'synced':
      case 'planned':
        this.#retryMs = FIRST_RETRY_MS;
        this.#dueAtMs = now + this.#every();
        return;
      case 'waits':
        this.#dueAtMs = now + this.#retryMs * this.#jitter;
        this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
        return;
      case 'stopped':
        this.#dueAtMs = now + LONGEST_RETRY_MS * this.#jitter;
    }
  }

  #every(): number {
    return this.#setting('sync.every', DEFAULT_EVERY_MS) * this.#jitter;
  }

  #quietMs(): number {
    return this.#setting('sync.quiet', DEFAULT_QUIET_MS) * this.#jitter;
  }

  #setting(name: string, fallback: number): number {
    return durationMs(this.#memory.config.setting(name)) ?? fallback;
  }
}
