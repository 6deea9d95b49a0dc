// One writer at a time: calls of this process queue up, and the one whose turn it is holds `write.lock`.
// Invariant: between `run`'s start and its end no other stet process or call of this process writes.
//
//   idle ──run──▶ locked ──work ends, others wait──▶ locked (handed on, for a while: waits are unfair otherwise)
//                   └──work ends──▶ lingering ──run──▶ locked (for a while, likewise)
//                                      └──time is up, or close──▶ idle
//
// Held for that while, the lock is given back and lies free for a moment before this process asks for it again: one that
// writes again and again would otherwise keep every other out.
//
// Lingering: `index.lock` stays for some milliseconds after a commit. A `git commit` that read the index just before
// would otherwise write its old copy over the new one; finding the lock, it stops instead.
import { StetError } from '../memory/failure.ts';
import { orFileFailure } from './file-failure.ts';
import { errnoOf } from './file-system.ts';
import type { ProcessLock } from './process-lock.ts';

/** How long the lock is handed on inside this process before others get a chance. */
const MAX_HELD_MS = 100;
/** More than the pause of a waiting process, so that it finds the lock free. */
const STEP_ASIDE_MS = 8;
const RETRY_MS = 100;

export interface WriteSectionOptions {
  readonly lock: ProcessLock;
  readonly indexLockPath: string;
  /** After so long without the lock `run` throws `busy`. */
  readonly waitMs: number;
}

/** What the work is told, and may tell. */
export interface Turn {
  /** A process died while it held the lock. */
  readonly recovered: boolean;
  /** Keep git's index lock (if held) for so long after the work. */
  linger(ms: number): void;
}

export class WriteSection {
  readonly #options: WriteSectionOptions;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #heldSince: number | null = null;
  #lingering: NodeJS.Timeout | null = null;

  constructor(options: WriteSectionOptions) {
    this.#options = options;
  }

  /** Runs `work` when its turn has come. Throws `busy`, and whatever the work throws. */
  run<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    this.#waiting++;
    return this.#enqueue(async () => {
      this.#waiting--;
      const recovered = await this.#enter();
      let lingerMs = 0;
      try {
        return await work({ recovered, linger: (ms) => (lingerMs = Math.max(lingerMs, ms)) });
      } finally {
        await this.#leave(lingerMs);
      }
    });
  }

  /** Waits for what runs, and gives the lock back. */
  async close(): Promise<void> {
    await this.#enqueue(async () => {
      await this.#giveBack();
      await this.#options.lock.close();
    });
  }

  #enqueue<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(step);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #enter(): Promise<boolean> {
    this.#stopLingering();
    if (this.#heldSince !== null) {
      if (performance.now() - this.#heldSince < MAX_HELD_MS) return false;
      await this.#giveBack();
      await pause(STEP_ASIDE_MS);
    }
    const { lock, waitMs } = this.#options;
    const attempt = await orFileFailure('lock', lock.path, () => lock.acquire(performance.now() + waitMs));
    if (!attempt.ok) throw new StetError({ code: 'busy', holder: attempt.holder, waitedMs: waitMs });
    this.#heldSince = performance.now();
    return attempt.recovered;
  }

  async #leave(lingerMs: number): Promise<void> {
    const heldMs = performance.now() - (this.#heldSince ?? 0);
    if (this.#waiting > 0 && heldMs < MAX_HELD_MS) return;
    if (this.#waiting > 0) {
      await this.#giveBack();
      await pause(STEP_ASIDE_MS);
    } else if (lingerMs > 0) {
      this.#startLingering(lingerMs);
    } else {
      await this.#giveBack();
    }
  }

  async #endLingering(): Promise<void> {
    await this.#enqueue(async () => {
      // A call that came meanwhile has taken over, and will linger itself.
      if (this.#lingering !== null) await this.#giveBack();
    }).catch(() => undefined);
  }

  #startLingering(ms: number): void {
    this.#lingering = setTimeout(() => void this.#endLingering(), ms);
    this.#lingering.unref();
  }

  #stopLingering(): void {
    if (this.#lingering !== null) clearTimeout(this.#lingering);
    this.#lingering = null;
  }

  async #giveBack(): Promise<void> {
    this.#stopLingering();
    if (this.#heldSince === null) return;
    try {
      await this.#options.lock.free(this.#options.indexLockPath);
      await this.#options.lock.release();
      this.#heldSince = null;
    } catch (error) {
      if (errnoOf(error) === null) throw error;
      // The work is done all the same; the locks are given back by the next turn, or a little later.
      this.#startLingering(RETRY_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
