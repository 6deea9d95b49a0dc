// One open memory: the item table, the index that follows it, and the repository below. Whatever changes a file comes
// through `take`: changed paths → read → parse → table → partitions.
// Invariants: what another process acknowledged is in the table before a question is answered; a file that cannot be
// read keeps what it held.

import type { MemoryIndex } from '../index/memory-index.ts';
import { StetError } from '../memory/failure.ts';
import type { SpaceDelta, TableChange } from '../memory/item-table.ts';
import type { OnProgress } from '../memory/progress.ts';
import { spaceKeyOf } from '../memory/space-key.ts';
import { tombstonedId } from '../memory/tombstone.ts';
import type { View } from '../memory/view.ts';
import type { ChangeCursor, GitRepository } from '../repo/repository.ts';
import type { WorkingTreeScan } from '../repo/working-tree.ts';
import type { ChangeSet } from '../watch/watcher.ts';
import { DeliveryLog } from '../repo/delivery-log.ts';
import { loadConfig, type Config } from './config.ts';
import { Disappearances, type Doubt } from './disappearances.ts';
import { FileReader } from './file-reader.ts';
import { Reading, toDocument } from './reading.ts';
import { loadTableSnapshot, saveTableSnapshot } from './table-snapshot.ts';
import { diskTree, type WorkingTree } from './working-tree-port.ts';

export interface MemoryParts {
  readonly repository: GitRepository;
  /** Opens the index that the memory's settings ask for. */
  readonly openIndex: (config: Config) => MemoryIndex;
  /** Absolute path of the folder that holds what makes the next start fast. */
  readonly derived: string;
  readonly now: () => Date;
  readonly newId: () => string;
  /** The files; those on disk unless given. */
  readonly tree?: WorkingTree;
}

export interface RebuildSummary {
  readonly items: number;
  readonly vectors: number;
  /** Why there are no vectors, in words; null while all is well. */
  readonly problem: string | null;
}

/** Which ids were forgotten before their tombstones changed. */
type Forgotten = Map<string, boolean>;

const PROGRESS_MS = 200;

/** Config files: a change of one of these is followed like a change of an item. */
const CONFIG_FILES: ReadonlySet<string> = new Set(['spaces.yaml', 'policies.yaml', 'stet.yaml', 'machine.yaml']);

/** Paths read in one go; between batches questions are answered. */
const BATCH = 200;

export class Memory extends Reading {
  readonly newId: () => string;
  readonly tree: WorkingTree;
  readonly deliveries: DeliveryLog;
  /** Paths that could not be read, with the error; what they held stays in force. */
  readonly unreadable = new Map<string, string>();
  /** What went wrong last in work that nobody waits for; null while nothing did. */
  backgroundProblem: string | null = null;
  /** Why changes by hand could not be committed just now; null when they could. */
  handProblem: string | null = null;

  readonly #reader: FileReader;
  readonly #disappearances: Disappearances;
  readonly #derived: string;
  readonly #background = new Set<Promise<unknown>>();
  #config: Config;
  #cursor: ChangeCursor | null = null;
  #dirty: Set<string> | 'everything' = new Set();
  /** Those of the dirty paths that stet's own processes wrote or took away. */
  #told = new Set<string>();
  #work: Promise<void> = Promise.resolve();
  #savedVersion = -1;
  #openingLook: WorkingTreeScan | undefined;

  private constructor(parts: MemoryParts, config: Config) {
    super({ repository: parts.repository, index: parts.openIndex(config), now: parts.now });
    this.newId = parts.newId;
    this.tree = parts.tree ?? diskTree(parts.repository.root);
    this.deliveries = new DeliveryLog(parts.repository.root);
    this.#derived = parts.derived;
    this.#config = config;
    this.#reader = new FileReader({
      repository: parts.repository,
      table: this.table,
      presentName: (space) => this.#config.findSpace(space) ?? space,
      tree: this.tree,
    });
    this.#disappearances = new Disappearances(parts.repository, this.table, this.#reader);
  }

  /** Opens a memory from its snapshot and reads only what changed since. */
  static async open(parts: MemoryParts): Promise<Memory> {
    const memory = new Memory(parts, await loadConfig(parts.repository));
    memory.#cursor = parts.repository.changesSince(null).cursor;
    const snapshot = loadTableSnapshot(parts.derived, aliasesOf(memory.#config));
    if (snapshot) {
      memory.table.apply(snapshot.changes);
      memory.#reader.adoptStamps(snapshot.stamps, snapshot.savedAtMs);
      memory.#savedVersion = memory.table.version;
    }
    await memory.#disappearances.begin();
    memory.#openingLook = await memory.#scan(snapshot ? [] : await memory.#disappearances.pathsAtHead());
    return memory;
  }

  override get config(): Config {
    return this.#config;
  }

  /** Why the memory's own folder could not be read when it was last looked at; null while it could. */
  get absence(): string | null {
    return this.unreadable.get(this.repository.root) ?? null;
  }

  /** What there was in the folders of items when this was opened, for whoever looks at once; told once, because it grows old. */
  takeOpeningLook(): WorkingTreeScan | undefined {
    const look = this.#openingLook;
    this.#openingLook = undefined;
    return look;
  }

  /** What is missing and not believed to be gone; null while nothing is. */
  get doubt(): Doubt | null {
    return this.#disappearances.doubt;
  }

  /** Marks paths as changed; they are read before the next answer. Called by the watcher. */
  async noticed(changes: ChangeSet): Promise<void> {
    this.takeOpeningLook();
    this.#mark(changes.paths);
    await this.refresh();
  }

  /** Takes in what other processes and the watcher reported. One `stat` when nothing happened. */
  override refresh(): Promise<void> {
    const since = this.repository.changesSince(this.#cursor);
    this.#cursor = since.cursor;
    this.#mark(since.paths);
    if (since.paths !== 'everything') for (const path of since.paths) this.#told.add(path);
    if (this.#dirty === 'everything' || this.#dirty.size > 0) return this.#queue(() => this.#takeDirty());
    return this.#isComplete() ? this.#work : this.#queue(() => this.#judgeAgain());
  }

  /** Reads these paths now, which stet itself wrote or took away. */
  async take(paths: Iterable<string>): Promise<void> {
    const told = new Set(paths);
    try {
      await this.#queue(() => this.#takePaths([...told], told));
    } catch (error) {
      this.#mark(told);
      throw error;
    }
  }

  /** What HEAD has at a path, as the table would learn it; null when that is no usable item or tombstone. */
  readAtHead(path: string): Promise<TableChange | null> {
    return this.#reader.readAtHead(path);
  }

  /** The same of the newest commit that has a usable version of this file, as long as HEAD has the file at all. */
  readLastGood(path: string): Promise<TableChange | null> {
    return this.#reader.readLastGood(path);
  }

  /** What an agent should pass on of the files themselves; never anything of a space that the view does not see. */
  override notesOn(view: View): readonly string[] {
    const notes: string[] = [];
    if (this.absence !== null)
      notes.push('the folder of the memory is missing; this is what it held when it was last read.');
    const missing = [...(this.doubt?.answered ?? [])].filter((path) => {
      const entry = this.table.at(path);
      return entry !== undefined && view.sees(entry.kind === 'item' ? entry.file.item.space : entry.space);
    });
    if (missing.length > 0) {
      notes.push(
        `${missing.length} files are missing and answered as they were; the user settles it with \`stet doctor\`.`,
      );
    }
    return notes;
  }

  /** Opens every partition and waits for all vectors; `onProgress` counts vectors. */
  async rebuildIndex(onProgress: OnProgress, signal: AbortSignal | null): Promise<RebuildSummary> {
    await this.refresh();
    await this.openPartitions([...this.table.spaceKeys()]);
    const report = () => {
      const { vectors, waiting } = this.index.health();
      onProgress(vectors, vectors + waiting);
    };
    const timer = setInterval(report, PROGRESS_MS);
    try {
      await (signal === null ? this.index.settled() : Promise.race([this.index.settled(), aborted(signal)]));
    } finally {
      clearInterval(timer);
    }
    report();
    const { vectors, waiting, problem } = this.index.health();
    if (signal?.aborted === true && waiting > 0) {
      const left = `${vectors} of ${vectors + waiting} vectors are made. Recall goes by words where one is missing; the next \`stet index rebuild\` or server makes the rest.`;
      throw new StetError({ code: 'interrupted', left });
    }
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

  /** What makes the next start fast; nothing where the memory is gone, or an empty folder would take its place. */
  async save(): Promise<void> {
    if (this.tree.whyAbsent() !== null) return;
    await this.index.save();
    if (this.#savedVersion === this.table.version) return;
    const version = this.table.version;
    const problem = saveTableSnapshot(this.#derived, aliasesOf(this.#config), this.#reader.stamps(), this.table);
    if (problem === null) this.#savedVersion = version;
    else this.backgroundProblem = problem;
  }

  async close(): Promise<void> {
    await this.#work;
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
    const next = this.#work.then(work);
    // Whoever comes later waits for it; its failure is its caller's.
    this.#work = next.catch(() => undefined);
    return next;
  }

  async #takeDirty(): Promise<void> {
    const [dirty, told] = [this.#dirty, this.#told];
    this.#dirty = new Set();
    this.#told = new Set();
    try {
      if (dirty === 'everything') await this.#scan([], told);
      else await this.#takePaths([...dirty], told);
    } catch (error) {
      this.#mark(dirty);
      for (const path of told) this.#told.add(path);
      throw error;
    }
  }

  /** `expected`: paths to read even if neither the table nor the disk has them. */
  async #scan(
    expected: readonly string[],
    told: ReadonlySet<string> = new Set(),
  ): Promise<WorkingTreeScan | undefined> {
    const found = await this.#reader.scan();
    this.unreadable.clear();
    for (const { path, errno } of found.unreadable) this.unreadable.set(path, errno);
    // Where the memory itself is gone, the rules that it had hold on.
    if (this.absence !== null) return undefined;
    await this.#reloadConfig();
    await this.#readPaths([...new Set([...found.changed, ...expected])], told);
    return found.items ?? undefined;
  }

  async #takePaths(paths: readonly string[], told: ReadonlySet<string>): Promise<void> {
    if (this.tree.whyAbsent() !== null) {
      await this.#scan([]);
      return;
    }
    if (paths.some((path) => CONFIG_FILES.has(path))) await this.#reloadConfig();
    await this.#readPaths(paths, told);
  }

  /** Where a space goes by another name now, its items are read again: they belong to the new one. */
  async #reloadConfig(): Promise<void> {
    const before = aliasesOf(this.#config);
    this.#config = await loadConfig(this.repository);
    if (aliasesOf(this.#config) === before) return;
    await this.#readPaths(
      Array.from(this.table.entries(), ({ path }) => path),
      new Set(),
    );
  }

  async #readPaths(paths: readonly string[], told: ReadonlySet<string>): Promise<void> {
    const forgotten: Forgotten = new Map();
    const gone = await this.#readAll(paths, forgotten);
    // Last, when it is known what only moved.
    await this.#judge(gone, told, forgotten);
    await this.#nameAgain(forgotten);
    this.#follow(this.table.apply(await this.#reader.settleContested()));
  }

  /** Returns the paths that are gone. */
  async #readAll(paths: readonly string[], forgotten: Forgotten): Promise<readonly string[]> {
    const gone: string[] = [];
    for (let at = 0; at < paths.length; at += BATCH) {
      const changes: TableChange[] = [];
      const { reads, stamps } = await this.#reader.read(paths.slice(at, at + BATCH));
      for (const read of reads) {
        if (read.kind === 'unreadable') {
          this.unreadable.set(read.path, read.errno);
          continue;
        }
        this.unreadable.delete(read.path);
        if (read.kind === 'gone') gone.push(read.path);
        else changes.push(read);
      }
      this.#apply(changes, forgotten);
      this.#reader.accept(stamps);
    }
    return gone;
  }

  /**
   * A file without an id has the first that follows from its path and text and is not forgotten: where other ids are forgotten
   * now, it may be another one. Whichever was read first, every process comes to the same.
   */
  async #nameAgain(before: Forgotten): Promise<void> {
    const changed = [...before].filter(([id, wasForgotten]) => this.table.isForgotten(id) !== wasForgotten);
    const isRevived = changed.some(([, wasForgotten]) => wasForgotten);
    const candidates = isRevived
      ? Array.from(this.table.entries(), ({ path }) => path)
      : changed.flatMap(([id]) => this.table.pathsOf(id));
    const nameless = candidates.filter((path) => {
      const entry = this.table.at(path);
      return entry?.kind === 'item' && entry.file.missing.includes('id');
    });
    // What is gone by now is told by the next look.
    await this.#readAll(nameless, new Map());
  }

  async #judge(gone: readonly string[], told: ReadonlySet<string>, forgotten: Forgotten): Promise<void> {
    if (gone.length === 0 && this.#isComplete()) return;
    const absence = this.tree.whyAbsent();
    if (absence !== null) this.unreadable.set(absence.path, absence.errno);
    else this.#apply(await this.#disappearances.judge(gone, told), forgotten);
  }

  #apply(changes: readonly TableChange[], forgotten: Forgotten): void {
    for (const { path } of changes) {
      const id = tombstonedId(path);
      if (id !== null && !forgotten.has(id)) forgotten.set(id, this.table.isForgotten(id));
    }
    this.#follow(this.table.apply(changes));
  }

  /** Whether nothing is missing of what HEAD has. */
  #isComplete(): boolean {
    const [missing] = this.table.missing();
    return missing === undefined && this.doubt === null;
  }

  /** git may have moved HEAD since, and so settled what was missing. */
  async #judgeAgain(): Promise<void> {
    if (!(await this.#disappearances.isOutdated())) return;
    const forgotten: Forgotten = new Map();
    await this.#judge([], new Set(), forgotten);
    await this.#nameAgain(forgotten);
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

/** Resolves when it is aborted. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
