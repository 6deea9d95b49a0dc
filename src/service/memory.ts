// One open memory: the item table, the index that follows it, and the repository below. Whatever changes a file comes
// through `take`: changed paths → read → parse → table → partitions.
// Invariants: what another process acknowledged is in the table before a question is answered; a file that cannot be
// read keeps what it held.

import type { MemoryIndex } from '../index/memory-index.ts';
import type { SpaceDelta, TableChange } from '../memory/item-table.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import type { ChangeCursor, GitRepository } from '../repo/repository.ts';
import type { ChangeSet } from '../watch/watcher.ts';
import { DeliveryLog } from '../repo/delivery-log.ts';
import { loadConfig, type Config } from './config.ts';
import { FileReader } from './file-reader.ts';
import { Reading, toDocument } from './reading.ts';
import { loadTableSnapshot, saveTableSnapshot } from './table-snapshot.ts';

export interface MemoryParts {
  readonly repository: GitRepository;
  /** Opens the index that the memory's settings ask for. */
  readonly openIndex: (config: Config) => MemoryIndex;
  /** Absolute path of the file that makes the next start fast. */
  readonly snapshotFile: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

export interface RebuildSummary {
  readonly items: number;
  readonly vectors: number;
  /** Why there are no vectors, in words; null while all is well. */
  readonly problem: string | null;
}

const PROGRESS_MS = 200;

/** Config files: a change of one of these is followed like a change of an item. */
const CONFIG_FILES: ReadonlySet<string> = new Set(['spaces.yaml', 'policies.yaml', 'stet.yaml', 'machine.yaml']);

/** Paths read in one go; between batches questions are answered. */
const BATCH = 200;

export class Memory extends Reading {
  readonly newId: () => string;
  readonly deliveries: DeliveryLog;
  /** Paths that could not be read, with the error; what they held stays in force. */
  readonly unreadable = new Map<string, string>();
  /** What the user should know about the last scan. */
  scanWarning: string | null = null;
  /** What went wrong last in work that nobody waits for; null while nothing did. */
  backgroundProblem: string | null = null;

  readonly #reader: FileReader;
  readonly #snapshotFile: string;
  readonly #background = new Set<Promise<unknown>>();
  #config: Config;
  #cursor: ChangeCursor | null = null;
  #dirty: Set<string> | 'everything' = new Set();
  #work: Promise<void> = Promise.resolve();
  #savedVersion = -1;

  private constructor(parts: MemoryParts, config: Config) {
    super({ repository: parts.repository, index: parts.openIndex(config), now: parts.now });
    this.newId = parts.newId;
    this.deliveries = new DeliveryLog(parts.repository.root);
    this.#snapshotFile = parts.snapshotFile;
    this.#config = config;
    this.#reader = new FileReader(parts.repository, this.table, (space) => this.#config.findSpace(space) ?? space);
  }

  /** Opens a memory from its snapshot and reads only what changed since. */
  static async open(parts: MemoryParts): Promise<Memory> {
    const memory = new Memory(parts, await loadConfig(parts.repository));
    memory.#cursor = parts.repository.changesSince(null).cursor;
    const snapshot = await loadTableSnapshot(parts.snapshotFile, aliasesOf(memory.#config));
    if (snapshot) {
      memory.table.apply(snapshot.changes);
      memory.#reader.adoptStamps(snapshot.stamps, snapshot.savedAtMs);
      memory.#savedVersion = memory.table.version;
    }
    await memory.#scan();
    return memory;
  }

  override get config(): Config {
    return this.#config;
  }

  /** Marks paths as changed; they are read before the next answer. Called by the watcher. */
  async noticed(changes: ChangeSet): Promise<void> {
    this.#mark(changes.paths);
    await this.refresh();
  }

  /** Takes in what other processes and the watcher reported. One `stat` when nothing happened. */
  override refresh(): Promise<void> {
    const since = this.repository.changesSince(this.#cursor);
    this.#cursor = since.cursor;
    this.#mark(since.paths);
    return isEmpty(this.#dirty) ? this.#work : this.#queue(() => this.#takeDirty());
  }

  /** Reads these paths now, whatever reported them. */
  take(paths: Iterable<string>): Promise<void> {
    return this.#queue(() => this.#takePaths([...paths]));
  }

  /** Opens every partition and waits for all vectors; `onProgress` counts vectors. */
  async rebuildIndex(onProgress: (done: number, total: number) => void): Promise<RebuildSummary> {
    await this.refresh();
    await this.openPartitions([...this.table.spaceKeys()]);
    const report = () => {
      const { vectors, waiting } = this.index.health();
      onProgress(vectors, vectors + waiting);
    };
    const timer = setInterval(report, PROGRESS_MS);
    try {
      await this.index.settled();
    } finally {
      clearInterval(timer);
    }
    report();
    const { vectors, problem } = this.index.health();
    return { items: this.table.size, vectors, problem };
  }

  /** Runs what nobody waits for; `close` does. A failure is told in `stet status`. */
  inBackground(work: () => Promise<unknown>): void {
    const running = work().then(
      () => undefined,
      (error: unknown) => {
        this.backgroundProblem = error instanceof Error ? error.message : String(error);
      },
    );
    this.#background.add(running);
    void running.finally(() => this.#background.delete(running));
  }

  async save(): Promise<void> {
    await this.index.save();
    if (this.#savedVersion === this.table.version) return;
    const version = this.table.version;
    await saveTableSnapshot(this.#snapshotFile, aliasesOf(this.#config), this.#reader.stamps(), this.table);
    this.#savedVersion = version;
  }

  async close(): Promise<void> {
    await this.#work.catch(() => undefined);
    await Promise.all(this.#background);
    await this.save();
    await this.index.close();
  }

  #mark(paths: Iterable<string> | 'everything'): void {
    if (paths === 'everything') this.#dirty = 'everything';
    else if (this.#dirty !== 'everything') for (const path of paths) this.#dirty.add(path);
  }

  /** Runs one intake after the other, so that an older reading never overwrites a newer one. */
  #queue(work: () => Promise<void>): Promise<void> {
    const next = this.#work.catch(() => undefined).then(work);
    this.#work = next;
    return next;
  }

  async #takeDirty(): Promise<void> {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    try {
      if (dirty === 'everything') await this.#scan();
      else await this.#takePaths([...dirty]);
    } catch (error) {
      this.#mark(dirty);
      throw error;
    }
  }

  async #scan(): Promise<void> {
    const found = this.#reader.scan();
    for (const path of this.unreadable.keys()) this.unreadable.delete(path);
    for (const { path, errno } of found.unreadable) this.unreadable.set(path, errno);
    this.scanWarning = found.warning;
    await this.#reloadConfig();
    await this.#readPaths(found.changed);
  }

  async #takePaths(paths: readonly string[]): Promise<void> {
    if (paths.some((path) => CONFIG_FILES.has(path))) await this.#reloadConfig();
    await this.#readPaths(paths);
  }

  /** Where a space goes by another name now, its items are read again: they belong to the new one. */
  async #reloadConfig(): Promise<void> {
    const before = aliasesOf(this.#config);
    this.#config = await loadConfig(this.repository);
    if (aliasesOf(this.#config) !== before) await this.#readPaths(Array.from(this.table.entries(), ({ path }) => path));
  }

  async #readPaths(paths: readonly string[]): Promise<void> {
    for (let at = 0; at < paths.length; at += BATCH) {
      const changes: TableChange[] = [];
      for (const read of await this.#reader.read(paths.slice(at, at + BATCH))) {
        if (read.kind === 'unreadable') {
          this.unreadable.set(read.path, read.errno);
          continue;
        }
        this.unreadable.delete(read.path);
        changes.push(read);
      }
      this.#follow(this.table.apply(changes));
    }
    this.#follow(this.table.apply(await this.#reader.settleContested()));
  }

  #follow(deltas: readonly SpaceDelta[]): void {
    this.index.apply(
      deltas.map(({ space, put, remove }) => ({
        partition: spaceKeyOf(space),
        put: put.map((item) => toDocument(item)),
        remove,
      })),
    );
  }
}

export function aliasesOf(config: Config): string {
  return JSON.stringify(config.spaces.entries.map(({ name, aliases }) => [name, aliases]));
}

function isEmpty(dirty: ReadonlySet<string> | 'everything'): boolean {
  return dirty !== 'everything' && dirty.size === 0;
}
