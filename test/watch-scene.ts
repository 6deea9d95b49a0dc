// A throw-away memory with a watcher on it, and what the watcher told so far.
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openWatcher } from '../src/watch/open-watcher.ts';
import type { WatchTuning } from '../src/watch/watch-tuning.ts';
import type { ChangeSet, WatchOptions, Watcher } from '../src/watch/watcher.ts';

export interface WatchScene extends AsyncDisposable {
  /** The folder that holds the memory and nothing else. */
  readonly folder: string;
  readonly root: string;
  readonly watcher: Watcher;
  /** Absolute path of a file in the memory. */
  at(path: string): string;
  /**
   * Writes a file and its missing folders. The file is put in place at once: on a busy machine its text could otherwise come
   * long after its name, as a change of its own.
   */
  write(path: string, text?: string): Promise<void>;
  /** Whether a change set since the last `forget` covers the path. */
  covers(path: string): boolean;
  /** Every path told since the last `forget`, once; `everything` for itself. */
  names(): string[];
  /** Forgets what was told. */
  forget(): void;
}

/** For `expect.poll`: looks often, gives up late. */
export const SOON = { interval: 5, timeout: 20_000 };

export async function openScene(
  options: Partial<WatchOptions> & { readonly files?: readonly string[] } = {},
  tuning: Partial<WatchTuning> = {},
): Promise<WatchScene> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'stet-watch-')));
  const root = join(folder, 'memory');
  const at = (path: string) => join(root, path);
  let written = 0;
  const write = async (path: string, text = 'It stands.\n') => {
    const beside = join(folder, `new-${written++}`);
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(beside, text);
    await rename(beside, at(path));
  };
  for (const path of options.files ?? ['personal/a.md', 'spaces/acme/b.md', 'forgotten/c.md', 'stet.yaml']) {
    await write(path);
  }
  const told: ChangeSet[] = [];
  const watcher = openWatcher(
    {
      root,
      ...options,
      onChange: (changes) => {
        told.push(changes);
        return options.onChange?.(changes);
      },
    },
    // The files are few: everything may be told as often as a test asks.
    { reconcileShare: 1, ...tuning },
  );
  await watcher.ready;
  return {
    folder,
    root,
    watcher,
    at,
    write,
    covers: (path) => told.some(({ paths }) => paths === 'everything' || paths.has(path)),
    names: () =>
      Array.from(new Set(told.flatMap(({ paths }) => (paths === 'everything' ? [paths] : Array.from(paths))))).sort(),
    forget: () => {
      told.length = 0;
    },
    async [Symbol.asyncDispose]() {
      await watcher.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
