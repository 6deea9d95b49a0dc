// A progress bar on stderr, only for a person at a terminal.

import type { SingleBar } from 'cli-progress';
import type { Io } from './io.ts';

type OnProgress = (done: number, total: number) => void;

interface Progress {
  update: OnProgress;
  stop(): void;
}

/**
 * Runs the work under a bar, which goes when the work ends or fails: its timer would keep the process alive. The work may
 * take it away before, to ask something.
 */
export async function withProgress<T>(
  io: Pick<Io, 'quiet' | 'json'>,
  label: string,
  work: (onProgress: OnProgress, stop: () => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(io, label);
  try {
    return await work(progress.update, () => progress.stop());
  } finally {
    progress.stop();
  }
}

function createProgress(io: Pick<Io, 'quiet' | 'json'>, label: string): Progress {
  if (io.quiet || io.json || !process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  let bar: SingleBar | null = null;
  let stopped = false;
  let latest: [done: number, total: number] = [0, 1];
  const start = async () => {
    const {
      default: { SingleBar, Presets },
    } = await import('cli-progress');
    if (stopped) return;
    bar = new SingleBar(
      { format: `${label} {bar} {value}/{total} {eta_formatted}`, stream: process.stderr, clearOnComplete: true },
      Presets.shades_classic,
    );
    bar.start(latest[1], latest[0]);
  };
  void start();
  return {
    update: (done, total) => {
      latest = [done, total];
      bar?.setTotal(total);
      bar?.update(done);
    },
    stop: () => {
      stopped = true;
      bar?.stop();
    },
  };
}
