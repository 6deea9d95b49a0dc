// The files and commits of one turn in the write section.
// Invariants: every path that was written or removed is in the journal before the turn ends, also when the work fails;
// a commit that cannot be made now is remembered with its words.
import { dirname, join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { makeFolders, placeFile, removeFile } from './atomic-file.ts';
import type { ChangeJournal, CommitRecord } from './change-journal.ts';
import type { CommitRequest, CommitResult, CommitWriter } from './commit-writer.ts';
import { orFileFailure } from './file-failure.ts';
import { errnoOf, type FileSystem } from './file-system.ts';
import type { CleanFile, IndexFile } from './index-file.ts';
import type { Maintenance } from './maintenance.ts';
import { checkMemoryPath, composePath } from './memory-path.ts';
import type { ObjectStore } from './object-store.ts';
import type { PendingCommits, StoredCommit } from './pending-commits.ts';
import type { ProcessLock } from './process-lock.ts';
import type { Reconciler } from './reconcile.ts';
import type { Refs } from './refs.ts';
import type { RepositorySettings } from './repository-settings.ts';
import { putMerge, recoverMerge, type MergeTransactionParts } from './merge-transaction.ts';
import { replayCommits } from './replay-commits.ts';
import type {
  CommitMessage,
  CommitOutcome,
  MergeOutcome,
  MergeRequest,
  ReplayedCommit,
  Transaction,
} from './repository.ts';
import type { Turn } from './write-section.ts';

export interface TransactionParts {
  readonly fs: FileSystem;
  readonly root: string;
  readonly gitFolder: string;
  readonly lock: ProcessLock;
  readonly refs: Refs;
  readonly store: ObjectStore;
  readonly index: IndexFile;
  readonly clean: CleanFile;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: RepositorySettings;
  readonly writer: CommitWriter;
  readonly pending: PendingCommits;
  readonly journal: ChangeJournal;
  readonly maintenance: Maintenance;
  readonly reconciler: Reconciler;
  /** How long to keep `index.lock` after a commit, by the number of entries. */
  readonly lingerMs: (indexEntries: number) => number;
  readonly now: () => Date;
}

/** The item is written; that git's files cannot be (a full disk, no permission) only puts the commit off. */
function waitForDisk(error: unknown): CommitResult {
  const errno = errnoOf(error);
  if (errno === null) throw error;
  return { status: 'waits', reason: `git's files cannot be written now (${errno})` };
}

function describeOutcome(result: CommitResult): CommitOutcome {
  switch (result.status) {
    case 'committed':
      return { status: 'committed', commit: result.commit };
    case 'unchanged':
      return result;
    case 'left':
    case 'waits':
      return { status: 'pending', reason: result.reason };
  }
}

export class DiskTransaction implements Transaction {
  readonly #parts: TransactionParts;
  readonly #turn: Turn;
  readonly #written = new Set<string>();
  readonly #untold = new Set<string>();
  /** Folders whose new names are not durable yet: that is made up for beside the writing of objects, or at the end. */
  readonly #unsynced = new Set<string>();
  readonly #records: CommitRecord[] = [];
  #hasReplayed = false;
  #isOver = false;

  constructor(parts: TransactionParts, turn: Turn) {
    this.#parts = parts;
    this.#turn = turn;
  }

  async writeFile(given: string, bytes: Uint8Array): Promise<void> {
    const path = this.#check(given);
    const { fs, root, settings } = this.#parts;
    settings.checkPath(path);
    await this.#change('write', path, async () => {
      await makeFolders(fs, root, path);
      await placeFile(fs, join(root, path), bytes);
      this.#unsynced.add(dirname(join(root, path)));
    });
  }

  async removeFile(given: string): Promise<void> {
    const path = this.#check(given);
    const { fs, root } = this.#parts;
    await this.#change('remove', path, async () => {
      if (await removeFile(fs, join(root, path))) this.#unsynced.add(dirname(join(root, path)));
    });
  }

  noteChanged(paths: Iterable<string>): void {
    for (const path of paths) this.#untold.add(path);
  }

  async commit(paths: readonly string[], message: CommitMessage): Promise<CommitOutcome> {
    const request = this.#request(paths, message);
    const result = await this.#commitInOrder(request);
    if (result.status === 'waits') await this.#remember({ ...request, reason: result.reason });
    return describeOutcome(result);
  }

  async commitExactly(files: ReadonlyMap<string, Uint8Array | null>, message: CommitMessage): Promise<CommitOutcome> {
    const expected = new Map(Array.from(files, ([path, bytes]) => [this.#check(path), bytes] as const));
    return describeOutcome(await this.#commitInOrder(this.#request([...expected.keys()], message), expected));
  }

  async merge(request: MergeRequest): Promise<MergeOutcome> {
    for (const path of request.files.keys()) this.#check(path);
    const { root, pending } = this.#parts;
    return orFileFailure('merge into', root, async () => {
      await this.commitPending();
      const [waiting] = await pending.list();
      if (waiting !== undefined) return { status: 'waits', reason: waiting.reason };
      this.noteChanged(request.files.keys());
      const outcome = await putMerge(this.#mergeParts(), request);
      await this.#tell();
      return outcome;
    });
  }

  async replay(
    commits: readonly ReplayedCommit[],
    onWritten: (commits: number) => void,
    signal: AbortSignal | null,
  ): Promise<readonly string[]> {
    const { root, store } = this.#parts;
    const checked = commits.map((commit) => ({
      ...commit,
      files: new Map(Array.from(commit.files, ([path, file]) => [this.#check(path), file] as const)),
    }));
    this.#hasReplayed = true;
    return orFileFailure('write to', root, () => replayCommits(store, checked, onWritten, signal));
  }

  /** Ends a merge that a process which died had begun. */
  async recoverMerge(): Promise<void> {
    this.noteChanged(await orFileFailure('write to', this.#parts.root, () => recoverMerge(this.#mergeParts())));
  }

  #mergeParts(): MergeTransactionParts {
    return { ...this.#parts, commit: (request) => this.#commitGuarded(request) };
  }

  /**
   * Makes again what a concurrent `git commit` dropped, then what waits, oldest first, until git is in the way again.
   * Returns how many commits it made.
   */
  async commitPending(): Promise<number> {
    const { pending } = this.#parts;
    let committed = await this.#reconcile();
    for (const waiting of await pending.list()) {
      const result = await this.#commitWaiting(waiting);
      if (result.status === 'waits') break;
      await pending.removeFirst();
      if (result.status === 'committed') committed++;
    }
    return committed;
  }

  /** The work is done, or failed: tells the other processes what it changed. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#settle();
    const hasWritten = this.#records.length > 0 || this.#hasReplayed;
    await this.#tell();
    if (hasWritten) await this.#parts.maintenance.startIfDue(this.#parts.settings.config());
  }

  #request(given: readonly string[], message: CommitMessage): StoredCommit {
    const paths = given.map((path) => this.#check(path));
    const written = paths.filter((path) => this.#written.has(path));
    return { paths, message, written, since: this.#parts.now().toISOString(), reason: '' };
  }

  /** Tells what was written, and makes what waits first. */
  async #commitInOrder(request: StoredCommit, expected?: CommitRequest['expected']): Promise<CommitResult> {
    await this.#tell();
    const settled = this.#settle();
    const commit = async (): Promise<CommitResult> => {
      try {
        await this.commitPending();
        return await this.#commitNow(request, { settled, ...(expected !== undefined && { expected }) });
      } catch (error) {
        return waitForDisk(error);
      }
    };
    const [result] = await Promise.all([commit(), settled]);
    return result;
  }

  async #commitNow(
    request: StoredCommit,
    more: Pick<CommitRequest, 'settled' | 'expected'> = {},
  ): Promise<CommitResult> {
    const { pending } = this.#parts;
    await pending.begin(request);
    try {
      return await this.#commitGuarded({ ...request, written: new Set(request.written), ...more });
    } finally {
      await pending.end();
    }
  }

  /** One that will never be made (a filter has been set on its files) must not stand in the way of all that come after. */
  async #commitWaiting(waiting: StoredCommit): Promise<CommitResult> {
    try {
      return await this.#commitNow(waiting);
    } catch (error) {
      if (!(error instanceof StetError) || error.failure.code !== 'unsupported-repository') throw error;
      return { status: 'left', reason: error.message };
    }
  }

  async #commitGuarded(request: CommitRequest): Promise<CommitResult> {
    const { writer, reconciler } = this.#parts;
    try {
      const result = await writer.commit(request);
      if (result.status === 'committed') {
        this.#records.push(result.record);
        this.#turn.linger(this.#parts.lingerMs(result.indexEntries));
        reconciler.settle(result.commit);
      }
      return result;
    } catch (error) {
      return waitForDisk(error);
    }
  }

  async #reconcile(): Promise<number> {
    const { refs, journal, reconciler } = this.#parts;
    const head = await refs.readHead();
    if (head.kind !== 'branch' || head.commit === null) return 0;
    let committed = 0;
    for (const request of await reconciler.findDropped(head.commit, () => journal.records())) {
      const result = await this.#commitGuarded(request);
      if (result.status === 'waits') return committed;
      if (result.status === 'committed') committed++;
    }
    if (committed === 0) reconciler.settle(head.commit);
    return committed;
  }

  /** On a full disk it may not be remembered; then the file is still there, and the next look at the status finds it. */
  async #remember(commit: StoredCommit): Promise<void> {
    try {
      await this.#parts.pending.add(commit);
    } catch (error) {
      if (errnoOf(error) === null) throw error;
    }
  }

  async #change(operation: string, path: string, work: () => Promise<void>): Promise<void> {
    this.#written.add(path);
    this.#untold.add(path);
    await orFileFailure(operation, path, work);
  }

  async #settle(): Promise<void> {
    const folders = [...this.#unsynced];
    this.#unsynced.clear();
    await Promise.all(folders.map((folder) => orFileFailure('write', folder, () => this.#parts.fs.syncFolder(folder))));
  }

  async #tell(): Promise<void> {
    await this.#parts.journal.append(this.#untold, this.#records);
    this.#untold.clear();
    this.#records.length = 0;
  }

  /** The path as git spells it. */
  #check(path: string): string {
    if (this.#isOver) throw new Error('This transaction is over: its work has returned already.');
    checkMemoryPath(path);
    return composePath(path);
  }
}
