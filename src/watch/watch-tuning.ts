// How often a watcher looks at things, and how it reaches the system.
import { openFolder } from './folder-watches.ts';
import type { OpenFolder } from './folder-watches.ts';

/** Only tests and benchmarks change these. */
export interface WatchTuning {
  /** How often the root is looked at: whether it is there and still the same folder. Default 2,000. */
  readonly beatMs: number;
  /** How often every folder is compared with what events told, and `everything` is sent. Default 120,000. */
  readonly reconcileMs: number;
  /** The most of a core that reconciling may take; where the receiver needs long, it is done less often. Default 1/250. */
  readonly reconcileShare: number;
  /** The shortest time between two polls, where it polls. Default 1,000. */
  readonly pollMs: number;
  readonly open: OpenFolder;
  /** One watch tells of a whole tree. Default: on macOS and Windows. */
  readonly recursive: boolean;
}

export const WATCH_TUNING: WatchTuning = {
  beatMs: 2_000,
  reconcileMs: 120_000,
  reconcileShare: 1 / 250,
  pollMs: 1_000,
  open: openFolder,
  // Elsewhere Node imitates it, with a watch a file. There, handles on single folders cost more than they tell: macOS
  // restarts its event stream for each, Windows then refuses to rename what is above one.
  recursive: process.platform === 'darwin' || process.platform === 'win32',
};
