// Calls the receiver of changes. Invariant: a call that failed is made up for by one with `everything`, after a pause
// that doubles; an error of the receiver goes no further than `lastError`.
import type { ChangeSet } from './watcher.ts';

export interface ChangeCallsOptions {
  readonly onChange: (changes: ChangeSet) => void | Promise<void>;
  /** The pause after the first failure. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export class ChangeCalls {
  readonly #options: ChangeCallsOptions;
  #failed = 0;
  #dueAt = Number.POSITIVE_INFINITY;
  #lastError: string | null = null;

  constructor(options: ChangeCallsOptions) {
    this.#options = options;
  }

  /** In words; null once a call has made up for it. */
  get lastError(): string | null {
    return this.#lastError;
  }

  /** Whether it is time to call with `everything`, for a call that failed. */
  isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** Resolves when the receiver is done. Never rejects. */
  async call(changes: ChangeSet): Promise<void> {
    const { onChange, firstPauseMs, longestPauseMs } = this.#options;
    if (changes.paths !== 'everything' && changes.paths.size === 0) return;
    try {
      await onChange(changes);
      if (changes.paths !== 'everything' && this.#failed > 0) return;
      this.#failed = 0;
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#lastError = null;
    } catch (error) {
      this.#lastError = wordsOf(error);
      this.#dueAt = performance.now() + Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failed);
      this.#failed += 1;
    }
  }
}

/** An error of any make, in words. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
