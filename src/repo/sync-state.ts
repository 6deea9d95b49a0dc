// What is known of the last syncs, `.git/stet/sync.json`, and which finds of the secret scan the user has judged to be none.
// Of this clone alone. Invariant: whole or not at all; what cannot be read counts as nothing known.
import { join } from 'node:path';
import { replaceFile } from './atomic-file.ts';
import { orMissing, type FileSystem } from './file-system.ts';

export interface SyncState {
  /** The newest commit that this clone and the remote both had; null before the first sync. */
  readonly common: string | null;
  /** When the last sync ended well, and the last attempt; ISO 8601. */
  readonly syncedAt: string | null;
  readonly triedAt: string | null;
  /** Why the last attempt did not end well, in words. */
  readonly problem: string | null;
  /** Whether that takes a person, and not only time. */
  readonly isStopped: boolean;
  /** What merges here decided and nobody has looked at yet, in words, oldest first. */
  readonly decisions: readonly string[];
}

export const NEVER_SYNCED: SyncState = {
  common: null,
  syncedAt: null,
  triedAt: null,
  problem: null,
  isStopped: false,
  decisions: [],
};

export class SyncStateFile {
  readonly #fs: FileSystem;
  readonly #statePath: string;
  readonly #confirmedPath: string;

  constructor(fs: FileSystem, gitFolder: string) {
    this.#fs = fs;
    this.#statePath = join(gitFolder, 'stet', 'sync.json');
    this.#confirmedPath = join(gitFolder, 'stet', 'no-secrets.json');
  }

  async read(): Promise<SyncState> {
    const stored = await this.#readJson(this.#statePath);
    if (typeof stored !== 'object' || stored === null) return NEVER_SYNCED;
    const known = stored as Partial<Record<keyof SyncState, unknown>>;
    const text = (key: keyof SyncState): string | null => {
      const value = known[key];
      return typeof value === 'string' ? value : null;
    };
    return {
      common: text('common'),
      syncedAt: text('syncedAt'),
      triedAt: text('triedAt'),
      problem: text('problem'),
      isStopped: known.isStopped === true,
      decisions: texts(known.decisions),
    };
  }

  async write(state: SyncState): Promise<void> {
    await this.#writeJson(this.#statePath, state);
  }

  /** Fingerprints of finds that are no secrets. */
  async confirmed(): Promise<ReadonlySet<string>> {
    const stored = await this.#readJson(this.#confirmedPath);
    return new Set(texts(stored));
  }

  async confirm(fingerprints: Iterable<string>): Promise<void> {
    await this.#writeJson(this.#confirmedPath, [...(await this.confirmed()), ...fingerprints]);
  }

  async #readJson(path: string): Promise<unknown> {
    const bytes = await orMissing(this.#fs.readFile(path));
    try {
      return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as unknown);
    } catch {
      return null;
    }
  }

  async #writeJson(path: string, value: unknown): Promise<void> {
    await replaceFile(this.#fs, path, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
