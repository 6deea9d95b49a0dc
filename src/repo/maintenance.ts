// Packing what many commits leave behind: `git gc --auto`, in the background, when there are as many loose objects as
// git itself would pack. Without git nothing is packed, and everything still works.
import { join } from 'node:path';
import { errnoOf, type FileSystem } from './file-system.ts';
import type { GitConfig } from './git-config.ts';
import { startGit } from './git-program.ts';

/** git's default for `gc.auto` (git-gc). */
const DEFAULT_LOOSE_OBJECTS = 6_700;
const PAUSE_MS = 10 * 60_000;

export class Maintenance {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #lastStart = -Infinity;

  constructor(fs: FileSystem, root: string, env: Readonly<Record<string, string | undefined>>) {
    this.#fs = fs;
    this.#root = root;
    this.#env = env;
  }

  /** Says whether it started a gc. Costs one folder listing. */
  async startIfDue(config: GitConfig): Promise<boolean> {
    if (performance.now() - this.#lastStart < PAUSE_MS || !(await this.#isDue(config))) return false;
    this.#lastStart = performance.now();
    startGit(this.#root, ['gc', '--auto', '--quiet'], this.#env);
    return true;
  }

  /** git's own estimate: object names are evenly spread, so one of 256 folders tells of all. */
  async #isDue(config: GitConfig): Promise<boolean> {
    const limit = Number(config.get('gc.auto') ?? DEFAULT_LOOSE_OBJECTS);
    if (!(limit > 0)) return false;
    try {
      const sample = await this.#fs.readFolder(join(this.#root, '.git', 'objects', '17'));
      return sample.length > Math.ceil(limit / 256);
    } catch (error) {
      // No such folder yet, or one that cannot be read: nothing that should stop a write.
      if (errnoOf(error) === null) throw error;
      return false;
    }
  }
}
