// A progress bar on stderr, only for a person at a terminal that can draw one. Invariant: whatever ends the process, the
// terminal is as it was: no setting of it is changed, and no signal is caught.

import type { GenericFormatter, SingleBar } from 'cli-progress';
import type { OnProgress } from '../memory/progress.ts';
import type { Io } from './io.ts';

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
  if (io.quiet || io.json || !process.stderr.isTTY || process.env['TERM'] === 'dumb') {
    return { update: () => undefined, stop: () => undefined };
  }
  let bar: SingleBar | null = null;
  let stopped = false;
  let latest: Parameters<OnProgress> = [0, 0];
  const show = (): void => {
    const [done, total, stage] = latest;
    bar?.setTotal(total);
    bar?.update(done, { label, stage });
  };
  const start = async () => {
    const {
      default: { Format, SingleBar, Presets },
    } = await import('cli-progress');
    if (stopped) return;
    bar = new SingleBar(
      {
        format: (options, params, payload: Shown) =>
          Format.Formatter(
            { ...options, format: formatOf(payload, params.total), barsize: barSize(payload, params) },
            params,
            payload,
          ),
        stream: process.stderr,
        clearOnComplete: true,
        // It would take SIGTERM, and the process would live on; what it restores then is not changed here.
        gracefulExit: false,
        linewrap: true,
        hideCursor: false,
      },
      Presets.shades_classic,
    );
    bar.start(latest[1], 0, { label });
    show();
  };
  void start();
  return {
    update: (...progress) => {
      latest = progress;
      show();
    },
    stop: () => {
      stopped = true;
      bar?.stop();
    },
  };
}

interface Shown {
  readonly label: string;
  readonly stage?: string | undefined;
}

/** How long it takes is guessed where there is one stage; one stage tells nothing of the next. */
function formatOf({ stage }: Shown, total: number): string {
  const what = stage === undefined ? '{label}' : '{label}: {stage}';
  if (total === 0) return `${what}…`;
  return `${what} {bar} {value}/{total}${stage === undefined ? ' {eta_formatted}' : ''}`;
}

const LONGEST_BAR = 40;
const SHORTEST_BAR = 4;

/** What a line has left for the bar. */
function barSize({ label, stage = '' }: Shown, { total, maxWidth }: Parameters<GenericFormatter>[1]): number {
  const others = `${label}: ${stage}  ${total}/${total} 00h00m`.length;
  return Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, maxWidth - others));
}
