// A progress bar on stderr, only for a person at a terminal.

import type { SingleBar } from 'cli-progress';
import type { Io } from './io.ts';

export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

export function createProgress(io: Io, label: string): Progress {
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
