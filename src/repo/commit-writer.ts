// Makes one commit of some paths: objects first, then git's locks, then reflog, index and branch, in this order.
// Invariants: parent and tree come from HEAD, never from the index; a crash between any two steps leaves a repository
// that `git fsck` finds clean, in which at worst the files of this commit are staged; what the user staged stays staged.
import { discard } from './atomic-file.ts';
import { makeIndexEntries, type CleanedFile } from './commit-entries.ts';
import { makeCommit, parseCommit, printMessage, zonedTime } from './commit-object.ts';
import type { CommitRecord } from './change-journal.ts';
import { isMissing, type FileSystem } from './file-system.ts';
import { makeObject, type GitObject, type ObjectId } from './git-object.ts';
import { entryCount, findEntry, isIntentToAdd, readEntry } from './git-index.ts';
import type { GitIndex, IndexEntry, IndexProblem } from './git-index.ts';
import type { CleanFile, IndexFile, LoadedIndex, PreparedIndex } from './index-file.ts';
import type { ObjectStore } from './object-store.ts';
import { findOperationInProgress } from './operation-in-progress.ts';
import { describeForeignLock, type ProcessLock } from './process-lock.ts';
import type { Head, Refs } from './refs.ts';
import { refuse } from './repository-checks.ts';
import type { RepositorySettings } from './repository-settings.ts';
import type { CommitMessage } from './repository.ts';
import { patchTree, TreeReader, type TreeFile } from './tree-store.ts';
import { WorkingFiles, type WorkingFile } from './working-file.ts';

export interface CommitWriterParts {
  readonly fs: FileSystem;
  readonly root: string;
  readonly gitFolder: string;
  readonly store: ObjectStore;
  readonly refs: Refs;
  readonly index: IndexFile;
  readonly lock: ProcessLock;
  readonly settings: RepositorySettings;
  readonly clean: CleanFile;
  readonly now: () => Date;
  /** How long to try for a lock that git holds. */
  readonly foreignLockWaitMs: number;
}

export interface CommitRequest {
  readonly paths: readonly string[];
  readonly message: CommitMessage;
  /** Those that stet itself wrote: they are committed even if the user has staged another version. */
  readonly written: ReadonlySet<string>;
  /** What must be durable before the branch moves, besides the objects. */
  readonly settled?: Promise<void>;
  /** What the files must hold, null where there must be none: a file that is different by now is left out. */
  readonly expected?: ReadonlyMap<string, Uint8Array | null>;
  /** Blobs to record in place of what lies in the working tree. */
  readonly recorded?: ReadonlyMap<string, ObjectId>;
  /** For the result of a merge. */
  readonly merge?: MergeResult;
}

/** What a merge came to. It is recorded as it is, whatever lies in the working tree or is staged meanwhile. */
export interface MergeResult {
  /** HEAD when it was made, and when it is committed. */
  readonly head: ObjectId | null;
  /** What each path of the request becomes; null for what goes. The blobs are there already. */
  readonly files: ReadonlyMap<string, TreeFile | null>;
  /** The parents of the commit to make; or the commit that has this very tree, to which the branch is moved. */
  readonly result: { readonly parents: readonly ObjectId[] } | { readonly commit: ObjectId };
  /** Paths whose files are written again at once: their entries in the index get no stat data. */
  readonly unstamped?: ReadonlySet<string>;
}

export type CommitResult =
  | { status: 'committed'; commit: ObjectId; record: CommitRecord; indexEntries: number }
  | { status: 'unchanged'; commit: ObjectId | null }
  /** git is in the way for now. */
  | { status: 'waits'; reason: string }
  /** Nothing here is stet's to commit. */
  | { status: 'left'; reason: string };

/** HEAD, index or ignore rules changed under the work: everything is judged again, so often. */
const TRIES = 20;

interface Plan {
  readonly head: Extract<Head, { kind: 'branch' }>;
  /** HEAD's tree. */
  readonly before: ObjectId | null;
  /** What the commit puts at each path that it changes. */
  readonly changes: ReadonlyMap<string, TreeFile | null>;
  readonly left: ReadonlyMap<string, 'staged' | 'ignored'>;
  /** Paths that neither HEAD nor the commit has; what the user staged there goes with the file that stet took away. */
  readonly unstaged: ReadonlySet<string>;
  readonly tree: ObjectId;
  readonly objects: readonly GitObject[];
}

interface Prepared {
  readonly loaded: LoadedIndex;
  readonly index: PreparedIndex;
  /** The file that becomes the branch. */
  readonly branch: string;
}

export class CommitWriter {
  readonly #parts: CommitWriterParts;

  constructor(parts: CommitWriterParts) {
    this.#parts = parts;
  }

  /** Only under `write.lock`. After `committed`, `index.lock` is still held: the caller frees it when it is safe. */
  async commit(request: CommitRequest): Promise<CommitResult> {
    const lookedAt = await this.#parts.index.readClock();
    const files = await this.#readFiles(request);
    for (let tries = 0; tries < TRIES; tries++) {
      const result = await this.#try(request, files, lookedAt);
      if (result !== 'again') return result;
    }
    return { status: 'waits', reason: 'git moves the branch faster than stet can follow' };
  }

  /** Why no commit can be made just now, in words; null when one can. */
  async findObstacle(): Promise<string | null> {
    return this.#findObstacleTo(await this.#parts.refs.readHead());
  }

  async #findObstacleTo(head: Head): Promise<string | null> {
    const { fs, gitFolder } = this.#parts;
    return (await findOperationInProgress(fs, gitFolder)) ?? (head.kind === 'detached' ? DETACHED : null);
  }

  async #try(
    request: CommitRequest,
    files: ReadonlyMap<string, CleanedFile>,
    lookedAt: number,
  ): Promise<CommitResult | 'again'> {
    const { store, refs, index, lock, foreignLockWaitMs } = this.#parts;
    const head = await refs.readHead();
    const obstacle = await this.#findObstacleTo(head);
    if (obstacle !== null || head.kind === 'detached') return { status: 'waits', reason: obstacle ?? DETACHED };
    const seen = await index.load();
    if (!seen.ok) return waitFor(seen.problem);
    const plan = await this.#plan(request, files, head, seen.loaded.index);
    if (request.merge !== undefined && request.merge.head !== head.commit) return { status: 'waits', reason: MOVED };
    if (request.merge === undefined && plan.changes.size === 0) return describeNothing(plan);
    const made = await this.#makeCommit(plan, request);
    await Promise.all([store.write(made.objects), request.settled]);

    const deadline = performance.now() + foreignLockWaitMs;
    const taken: string[] = [];
    let isDone = false;
    try {
      for (const path of [index.lockPath, ...refs.lockPaths(plan.head.ref)]) {
        const attempt = await this.#claim(path, plan.head.ref, deadline);
        if (!attempt.ok) return { status: 'waits', reason: describeForeignLock(path) };
        taken.push(path);
      }
      const now = await index.load();
      if (!now.ok) return waitFor(now.problem);
      const isSameIndex = now.loaded.index === seen.loaded.index;
      if (!(await this.#isStillTrue(plan, request, files, isSameIndex ? null : now.loaded.index))) return 'again';
      if (!(await lock.holds(lock.path))) return { status: 'waits', reason: 'stet was stopped for too long' };
      const entries = makeIndexEntries(plan, (path) =>
        request.merge?.unstamped?.has(path) === true ? undefined : files.get(path),
      );
      await this.#publish(plan, made, await this.#prepare(made.commit, now.loaded, entries, lookedAt), request.message);
      isDone = true;
      return {
        status: 'committed',
        commit: made.commit,
        record: makeRecord(made.commit, plan.changes),
        indexEntries: entryCount(now.loaded.index),
      };
    } finally {
      for (const path of taken.reverse()) if (!isDone || path !== index.lockPath) await lock.free(path);
    }
  }

  async #claim(path: string, ref: string, deadline: number): ReturnType<ProcessLock['claim']> {
    try {
      return await this.#parts.lock.claim(path, deadline);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.#parts.refs.makeBranchFolder(ref);
      return this.#parts.lock.claim(path, deadline);
    }
  }

  /** Whatever takes long, or can fail for want of space: done before the first step that anyone sees. */
  async #prepare(
    commit: ObjectId,
    loaded: LoadedIndex,
    entries: ReadonlyMap<string, IndexEntry | null>,
    lookedAt: number,
  ): Promise<Prepared> {
    const { fs, index, refs, store } = this.#parts;
    const [preparedIndex, branch, synced] = await Promise.allSettled([
      index.prepare(loaded, entries, lookedAt),
      refs.prepareBranch(commit),
      store.sync(),
    ]);
    if (preparedIndex.status === 'fulfilled' && branch.status === 'fulfilled' && synced.status === 'fulfilled') {
      return { loaded, index: preparedIndex.value, branch: branch.value };
    }
    if (preparedIndex.status === 'fulfilled') await discard(fs, preparedIndex.value.temporary);
    if (branch.status === 'fulfilled') await discard(fs, branch.value);
    throw [preparedIndex, branch, synced].find((step) => step.status === 'rejected')?.reason;
  }

  async #publish(plan: Plan, made: MadeCommit, prepared: Prepared, message: CommitMessage): Promise<void> {
    const { fs, refs, index, settings, now } = this.#parts;
    const { ref } = plan.head;
    const isMirror = await index.mirrors(prepared.loaded.index, plan.before);
    try {
      await refs.appendLog(ref, {
        before: plan.head.commit,
        after: made.commit,
        who: settings.people(message.author).committer,
        at: now(),
        message: `${made.operation}: ${message.subject}`,
      });
      // Index before branch: the other way round a crash would leave the file as a staged deletion, and the user's next
      // commit would take it out of HEAD.
      await index.publish(prepared.index, isMirror ? plan.tree : null);
      await refs.moveBranch(ref, prepared.branch);
    } catch (error) {
      await discard(fs, prepared.index.temporary);
      await discard(fs, prepared.branch);
      throw error;
    }
    await Promise.all([index.sync(), refs.sync(ref)]);
  }

  /** `index`: the one that is there now, if it is another than the plan was made from. */
  async #isStillTrue(
    plan: Plan,
    request: CommitRequest,
    files: ReadonlyMap<string, CleanedFile>,
    index: GitIndex | null,
  ): Promise<boolean> {
    const { refs, fs, gitFolder } = this.#parts;
    const head = await refs.readHead();
    if (head.kind !== 'branch' || head.ref !== plan.head.ref || head.commit !== plan.head.commit) return false;
    if ((await findOperationInProgress(fs, gitFolder)) !== null) return false;
    return index === null || (await this.#plan(request, files, plan.head, index)).tree === plan.tree;
  }

  async #readFiles({ paths, recorded, expected }: CommitRequest): Promise<Map<string, CleanedFile>> {
    const { fs, root, clean, settings } = this.#parts;
    const working = new WorkingFiles(fs, root, settings.ignoresCase());
    const files = new Map<string, CleanedFile>();
    for (const path of paths) {
      const file = await working.read(path);
      if (!isExpected(file, expected?.get(path))) continue;
      const isOwn = file.kind === 'file' && recorded?.has(path) !== true;
      if (isOwn) settings.checkPath(path);
      files.set(path, { file, blob: isOwn ? makeObject('blob', await clean(path, file.bytes)) : null });
    }
    return files;
  }

  async #plan(
    request: CommitRequest,
    files: ReadonlyMap<string, CleanedFile>,
    head: Extract<Head, { kind: 'branch' }>,
    index: GitIndex,
  ): Promise<Plan> {
    const { store } = this.#parts;
    const root = head.commit === null ? null : parseCommit(await store.read(head.commit, 'commit')).tree;
    const reader = new TreeReader(store);
    const changes = new Map<string, TreeFile | null>();
    const left = new Map<string, 'staged' | 'ignored'>();
    const unstaged = new Set<string>();
    const blobs: GitObject[] = [];
    for (const [path, cleaned] of files) {
      const before = await reader.find(root, path);
      const merged = request.merge?.files.get(path);
      if (merged !== undefined) {
        if (!isSameFile(before, merged)) changes.set(path, merged);
        continue;
      }
      const after = this.#decide(path, cleaned, before, request.recorded?.get(path));
      if (after === 'keep' || isSameFile(before, after)) {
        if (after === null && request.written.has(path)) unstaged.add(path);
        continue;
      }
      const claim = this.#findClaim(path, before, index, request.written);
      if (claim !== null) {
        left.set(path, claim);
        continue;
      }
      changes.set(path, after);
      if (after !== null && cleaned.blob !== null) blobs.push(cleaned.blob);
    }
    const patched = await patchTree(store, root, changes);
    return { head, before: root, changes, left, unstaged, tree: patched.id, objects: [...blobs, ...patched.objects] };
  }

  #decide(
    path: string,
    { file, blob }: CleanedFile,
    before: TreeFile | null,
    recorded: ObjectId | undefined,
  ): TreeFile | null | 'keep' {
    if (recorded !== undefined) return { mode: before?.mode ?? '100644', id: recorded };
    if (file.kind === 'other' || before?.mode === SUBMODULE) return 'keep';
    if (file.kind === 'gone' || blob === null) return null;
    const isFile = before?.mode === '100644' || before?.mode === '100755';
    const trusts = this.#parts.settings.trustsFileMode();
    const mode = trusts || !isFile ? modeOf(file.executable && trusts) : before.mode;
    return { mode, id: blob.id };
  }

  /** Whether a path is the user's to commit or nobody's. */
  #findClaim(
    path: string,
    before: TreeFile | null,
    index: GitIndex,
    written: ReadonlySet<string>,
  ): 'staged' | 'ignored' | null {
    const at = findEntry(index, Buffer.from(path, 'utf8'));
    const entry = at < 0 || isIntentToAdd(index, at) ? null : readEntry(index, at);
    if (at < 0 && before === null) return this.#parts.settings.isIgnored(path) ? 'ignored' : null;
    if (written.has(path)) return null;
    const staged = entry === null ? null : { mode: entry.mode.toString(8), id: entry.id };
    return isSameFile(before, staged) ? null : 'staged';
  }

  async #makeCommit(plan: Plan, { message, merge }: CommitRequest): Promise<MadeCommit> {
    const { settings, now, store } = this.#parts;
    const result = merge?.result ?? { parents: plan.head.commit === null ? [] : [plan.head.commit] };
    if ('commit' in result) {
      const { tree } = parseCommit(await store.read(result.commit, 'commit'));
      if (tree !== plan.tree) throw new Error(`${result.commit} has the tree ${tree}, not ${plan.tree}`);
      return { commit: result.commit, objects: [], operation: 'fast-forward' };
    }
    const at = zonedTime(now());
    const commit = makeCommit({
      tree: plan.tree,
      parents: result.parents,
      ...settings.people(message.author),
      authored: at,
      committed: at,
      message: printMessage(message),
    });
    const remark = plan.head.commit === null ? ' (initial)' : result.parents.length > 1 ? ' (merge)' : '';
    return { commit: commit.id, objects: [...plan.objects, commit], operation: `commit${remark}` };
  }
}

/** `expected`: undefined where anything is. */
function isExpected(file: WorkingFile, expected: Uint8Array | null | undefined): boolean {
  if (expected === undefined) return true;
  return expected === null ? file.kind === 'gone' : file.kind === 'file' && file.bytes.equals(expected);
}

interface MadeCommit {
  readonly commit: ObjectId;
  /** Everything that is new with it. */
  readonly objects: readonly GitObject[];
  /** For the reflog. */
  readonly operation: string;
}

const SUBMODULE = '160000';
const MOVED = 'the branch has moved since the merge was made';
const DETACHED = 'HEAD is detached: no branch would hold the commit (`git switch main`, or your branch)';

function waitFor(problem: IndexProblem): CommitResult {
  if (problem.kind === 'feature') throw refuse(problem);
  const reason = `${problem.path} has a conflict that is not resolved (\`git add\` it when it is)`;
  return { status: 'waits', reason };
}

function describeNothing({ left, head }: Plan): CommitResult {
  const [first] = left;
  if (first === undefined) return { status: 'unchanged', commit: head.commit };
  const [path, why] = first;
  const reason =
    why === 'ignored'
      ? `git ignores ${path} (.gitignore), so it stays out of the history`
      : `${path} is staged (\`git add\`); the commit is yours to make`;
  return { status: 'left', reason };
}

function isSameFile(a: TreeFile | null, b: TreeFile | null): boolean {
  return a === null || b === null ? a === b : a.id === b.id && a.mode === b.mode;
}

function modeOf(executable: boolean): string {
  return executable ? '100755' : '100644';
}

function makeRecord(commit: ObjectId, changes: ReadonlyMap<string, TreeFile | null>): CommitRecord {
  return { commit, files: Object.fromEntries([...changes].map(([path, file]) => [path, file?.id ?? null])) };
}
