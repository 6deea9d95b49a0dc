// Ctrl-C in commands that take long: the first one asks the work to stop where it can, the second ends the process as it
// would any other. Invariant: what was begun under the write lock is ended, so nothing is left half-done.

import { StetError } from '../memory/failure.ts';

/** As a shell says it of a program that SIGINT ended. */
export const INTERRUPTED = 130;

export interface Interruptible<T> {
  readonly value: T;
  /** Ctrl-C came, and the work came to its end all the same. */
  readonly interrupted: boolean;
}

/**
 * Runs the work with a signal that Ctrl-C aborts. Throws `interrupted` where the work gave up its waiting for it (an
 * `AbortError`); `left` says in what state things are then.
 */
export async function untilInterrupted<T>(
  left: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Interruptible<T>> {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => controller.abort();
  process.once('SIGINT', stop);
  try {
    return { value: await work(signal), interrupted: signal.aborted };
  } catch (error) {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') {
      throw new StetError({ code: 'interrupted', left }, { cause: error });
    }
    throw error;
  } finally {
    process.off('SIGINT', stop);
  }
}
