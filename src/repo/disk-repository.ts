// The repository on disk behind the port: reading here, writing in turns.
import { StetError } from '../memory/failure.ts';
import { parseCommit } from './commit-object.ts';
import { DiskTransaction, type TransactionParts } from './disk-transaction.ts';
import { orFileFailure } from './file-failure.ts';
import type { ObjectId } from './git-object.ts';
import { findCommit, readBlobs } from './bulk-read.ts';
import { walkHistory } from './history-walk.ts';
import { describeCommit, readHistoryByGit } from './history.ts';
import { checkMemoryPath } from './memory-path.ts';
import { clearUp, restoreBranch } from './recovery.ts';
import { refuse } from './repository-checks.ts';
import type {
  ChangeCursor,
  ChangesSince,
  CommitEntry,
  FileChange,
  GitRepository,
  HistoryEntry,
  PendingCommit,
  RecordedCommit,
  StatusEntry,
  Transaction,
} from './repository.ts';
import { readStatus } from './status.ts';
import { diffTrees } from './tree-diff.ts';
import { findInTree, listTree, type TreeFile } from './tree-store.ts';
import type { SyncPort } from './sync-port.ts';
import type { WorkingTreeScan } from './working-tree.ts';
import type { Turn, WriteSection } from './write-section.ts';

export interface DiskRepositoryParts extends TransactionParts {
  readonly section: WriteSection;
  readonly foreignLockWaitMs: number;
  readonly sync: SyncPort;
}

export class DiskRepository implements GitRepository {
  readonly root: string;
  readonly sync: SyncPort;
  readonly #parts: DiskRepositoryParts;

  constructor(parts: DiskRepositoryParts) {
    this.root = parts.root;
    this.sync = parts.sync;
    this.#parts = parts;
  }

  exclusive<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(work);
  }

  async commitPending(): Promise<{ committed: number; stillPending: readonly PendingCommit[] }> {
    return this.#inTurn(async (transaction) => {
      const committed = await transaction.commitPending();
      return { committed, stillPending: await this.pending() };
    });
  }

  obstacle(): Promise<string | null> {
    return this.#parts.writer.findObstacle();
  }

  pending(): Promise<readonly PendingCommit[]> {
    return this.#parts.pending.list();
  }

  changesSince(cursor: ChangeCursor | null): ChangesSince {
    return this.#parts.journal.since(cursor);
  }

  async readHead(path: string): Promise<Uint8Array | null> {
    const commit = await this.head();
    return commit === null ? null : this.readAt(commit, path);
  }

  async readAt(commit: ObjectId, path: string): Promise<Uint8Array | null> {
    checkMemoryPath(path);
    const file = await findInTree(this.#parts.store, await this.#treeOf(commit), path);
    return file === null || !file.mode.startsWith('100') ? null : this.#parts.store.read(file.id, 'blob');
  }

  async listAt(commit: ObjectId): Promise<readonly string[]> {
    return [...(await listTree(this.#parts.store, await this.#treeOf(commit))).keys()];
  }

  async readAllAt(commit: ObjectId, wants: (path: string) => boolean): Promise<Array<readonly [string, Uint8Array]>> {
    const files = await listTree(this.#parts.store, await this.#treeOf(commit));
    const wanted = [...files].filter(([path, { mode }]) => mode.startsWith('100') && wants(path));
    const blobs = await readBlobs(
      { root: this.root, store: this.#parts.store, env: this.#parts.env },
      wanted.map(([, { id }]) => id),
    );
    return wanted.flatMap(([path, { id }]) => {
      const bytes = blobs.get(id);
      return bytes === undefined ? [] : [[path, bytes] as const];
    });
  }

  async findCommit(name: string): Promise<ObjectId | null> {
    return findCommit({ root: this.root, store: this.#parts.store, env: this.#parts.env }, name, this.commits());
  }

  async committedAt(commit: ObjectId): Promise<Date> {
    return new Date(parseCommit(await this.#parts.store.read(commit, 'commit')).committedAt * 1_000);
  }

  async head(): Promise<ObjectId | null> {
    return (await this.#parts.refs.readHead()).commit;
  }

  async firstParentAt(date: Date): Promise<ObjectId | null> {
    const latest = date.getTime() / 1000;
    let commit = await this.head();
    while (commit !== null) {
      const object = await this.#parts.store.find(commit);
      // A shallow clone ends somewhere.
      if (object?.type !== 'commit') return null;
      const { committedAt, parents } = parseCommit(object.bytes);
      if (committedAt <= latest) return commit;
      commit = parents[0] ?? null;
    }
    return null;
  }

  async *commits(): AsyncIterable<CommitEntry> {
    for (let commit = await this.head(); commit !== null;) {
      const object = await this.#parts.store.find(commit);
      // A shallow clone ends somewhere.
      if (object?.type !== 'commit') return;
      const parsed = parseCommit(object.bytes);
      const parent = parsed.parents[0] ?? null;
      const { path: _, ...entry } = describeCommit(commit, parsed, null);
      yield { ...entry, parent, isMerge: parsed.parents.length > 1 };
      commit = parent;
    }
  }

  async readCommit(commit: ObjectId): Promise<RecordedCommit> {
    const parsed = parseCommit(await this.#parts.store.read(commit, 'commit'));
    const { author, authored, committer, committed, message } = parsed;
    return { author, authored, committer, committed, message };
  }

  async changesIn(commit: ObjectId): Promise<readonly FileChange[]> {
    const { store } = this.#parts;
    const [parent] = parseCommit(await store.read(commit, 'commit')).parents;
    const before = parent === undefined ? null : await this.#treeOf(parent);
    const isOrdinary = (file: TreeFile | null): file is TreeFile => file?.mode.startsWith('100') === true;
    const read = async (file: TreeFile | null): Promise<Uint8Array | null> =>
      isOrdinary(file) ? store.read(file.id, 'blob') : null;
    const changes: FileChange[] = [];
    for (const { path, before: was, after: is } of await diffTrees(store, before, await this.#treeOf(commit))) {
      if (!isOrdinary(was) && !isOrdinary(is)) continue;
      changes.push({ path, before: await read(was), after: await read(is), executable: is?.mode === '100755' });
    }
    return changes;
  }

  async status(items?: WorkingTreeScan): Promise<readonly StatusEntry[]> {
    const { root, store, clean, settings, index } = this.#parts;
    settings.refresh();
    const isIgnored = (path: string): boolean => settings.isIgnored(path);
    return readStatus({ root, store, clean, isIgnored, index }, await this.head(), await index.peek(), items);
  }

  async log(path: string, from?: string): Promise<readonly HistoryEntry[]> {
    checkMemoryPath(path);
    const start = from ?? (await this.head());
    if (start === null) return [];
    const { store } = this.#parts;
    return (await readHistoryByGit(this.#parts, path, start)) ?? (await walkHistory(store, start, path));
  }

  identity(): { name: string; email: string; from: 'git' | 'made-up' } {
    this.#parts.settings.refresh();
    const { person, from } = this.#parts.settings.committer();
    return { ...person, from };
  }

  async close(): Promise<void> {
    await this.sync.close();
    await this.#parts.section.close();
  }

  #inTurn<T>(work: (transaction: DiskTransaction) => Promise<T>): Promise<T> {
    return this.#parts.section.run(async (turn) => {
      await orFileFailure('write to', this.root, () => this.#prepare(turn));
      const transaction = new DiskTransaction(this.#parts, turn);
      try {
        await transaction.recoverMerge();
        return await work(transaction);
      } finally {
        await transaction.end();
      }
    });
  }

  /** Throws what forbids writing, before anything is written, and clears up after a crash. */
  async #prepare(turn: Turn): Promise<void> {
    const { settings, index, refs, pending, foreignLockWaitMs } = this.#parts;
    settings.refresh();
    settings.checkWritable();
    const { problem } = await index.peek();
    if (problem?.kind === 'feature') throw refuse(problem);
    const head = await refs.readHead();
    if (turn.recovered) await clearUp(this.#parts, head, index.lockPath);
    await restoreBranch(this.#parts, head, performance.now() + foreignLockWaitMs);
    await pending.adoptIntent();
  }

  async #treeOf(commit: ObjectId): Promise<ObjectId> {
    const object = await this.#parts.store.find(commit);
    if (object?.type === 'commit') return parseCommit(object.bytes).tree;
    throw new StetError({
      code: 'bad-argument',
      argument: commit,
      reason: 'there is no such commit',
      hint: 'Give the full id of a commit, as `git log` shows it.',
    });
  }
}
