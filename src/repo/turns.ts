// Work that is made of many short synchronous calls: each is cheaper than its asynchronous kind, and together they may take
// seconds on a slow disk. Invariant: whatever else the process has to do (a ping, a cancellation) waits for one of them, or for
// a slice of time, never for all.

import { setImmediate as othersTurn } from 'node:timers/promises';

const SLICE_MS = 20;

export class Turns {
  #since = performance.now();

  /** To be awaited with `pass` only where it says so: an `await` for each of ten thousand files would be felt. */
  get isOver(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Lets everybody else have a turn. */
  async pass(): Promise<void> {
    await othersTurn();
    this.#since = performance.now();
  }
}
