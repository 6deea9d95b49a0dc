// The sync port on disk: puts together what the modules around it do.
import os from 'node:os';
import { join } from 'node:path';
import type { MemoryVersions } from '../memory/merge/memory-versions.ts';
import type { RemoteUrl } from '../memory/remote-url.ts';
import { discard, removeFile } from './atomic-file.ts';
import { readBlobs } from './bulk-read.ts';
import { listCommitsBetween, relateCommits, type CommitRelation, type GraphSource } from './commit-graph.ts';
import { orFileFailure } from './file-failure.ts';
import { orMissing, type FileSystem } from './file-system.ts';
import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { ProcessLock } from './process-lock.ts';
import type { Refs } from './refs.ts';
import { openRemoteAccess, REMOTE_LIMITS, type RemoteAccess, type RemoteTarget } from './remote-access.ts';
import { TOKEN_VARIABLE } from './remote-environment.ts';
import { listNewFiles, readSides } from './side-versions.ts';
import { configureRemote, findRemote, type ConfiguredRemote } from './remote-config.ts';
import type { RemoteOutcome } from './remote-problem.ts';
import type { FetchAnswer, PushAnswer, RemoteBranches, TrackingBranch } from './remote-tasks.ts';
import type { RepositorySettings } from './repository-settings.ts';
import type { NewFile, Snapshot, SyncPort, TransferOptions, UsableRemote } from './sync-port.ts';
import { SyncStateFile } from './sync-state.ts';

export interface DiskSyncParts {
  readonly fs: FileSystem;
  readonly root: string;
  readonly gitFolder: string;
  readonly store: ObjectStore;
  readonly refs: Refs;
  /** Held while a sync runs. */
  readonly lock: ProcessLock;
  readonly settings: RepositorySettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export class DiskSync implements SyncPort {
  readonly state: SyncStateFile;
  readonly #parts: DiskSyncParts;
  readonly #source: GraphSource;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: DiskSyncParts) {
    this.#parts = parts;
    this.#source = { root: parts.root, store: parts.store, env: parts.env };
    this.state = new SyncStateFile(parts.fs, parts.gitFolder);
  }

  async remote(): Promise<ConfiguredRemote | null> {
    const { settings } = this.#parts;
    settings.refresh();
    const branch = await this.#branch();
    return branch === null ? null : findRemote(settings.config(), branch);
  }

  async configure(url: string, remoteBranch: string): Promise<void> {
    const { fs, gitFolder } = this.#parts;
    await configureRemote(fs, gitFolder, url, (await this.#branch()) ?? 'main', remoteBranch);
  }

  list(address: RemoteUrl, as: 'user' | 'anybody'): Promise<RemoteOutcome<RemoteBranches>> {
    const env = as === 'user' ? this.#parts.env : withoutCredentials(this.#parts.env);
    return this.#access({}, env).list({ name: null, address });
  }

  async fetch(remote: UsableRemote, options: TransferOptions = {}): Promise<RemoteOutcome<ObjectId | null>> {
    const { name, branch } = remote;
    const fetched = await this.#fetch({ name, address: remote.address.value }, { name, branch }, options);
    if (!fetched.ok) return fetched;
    return { ok: true, value: fetched.value === 'no-branch' ? null : await this.lastFetched(remote) };
  }

  async fetchFrom(address: RemoteUrl, branch: string): Promise<RemoteOutcome<ObjectId | null>> {
    const { fs, gitFolder, refs } = this.#parts;
    const into = { name: CANDIDATE, branch };
    const fetched = await this.#fetch({ name: null, address }, into);
    if (!fetched.ok) return fetched;
    const ref = trackingRef(into);
    const tip = fetched.value === 'no-branch' ? null : await refs.readRef(ref);
    await discard(fs, join(gitFolder, ref));
    return { ok: true, value: tip };
  }

  push(remote: UsableRemote, commit: ObjectId, options: TransferOptions = {}): Promise<RemoteOutcome<PushAnswer>> {
    return this.#access(options).push({ name: remote.name, address: remote.address.value }, commit, remote.branch);
  }

  lastFetched(remote: ConfiguredRemote): Promise<ObjectId | null> {
    return this.#parts.refs.readRef(trackingRef(remote));
  }

  commitsBetween(tip: ObjectId, exclude: ObjectId | null): Promise<readonly ObjectId[]> {
    return listCommitsBetween(this.#source, tip, exclude);
  }

  relate(ours: ObjectId, theirs: ObjectId): Promise<CommitRelation> {
    return relateCommits(this.#source, ours, theirs);
  }

  async includes(tip: ObjectId, commit: ObjectId): Promise<boolean> {
    if (tip === commit) return true;
    if ((await this.#parts.store.find(commit)) === null) return false;
    return (await this.relate(tip, commit)).bases.includes(commit);
  }

  versions(base: Snapshot, ours: ObjectId | null, theirs: ObjectId): Promise<Omit<MemoryVersions, 'keepsId'>> {
    return readSides(this.#source, base, ours, theirs);
  }

  newFiles(tip: ObjectId, exclude: ObjectId | null): Promise<readonly NewFile[]> {
    return listNewFiles(this.#source, tip, exclude);
  }

  readBlobs(ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, Uint8Array>> {
    return readBlobs(this.#source, ids);
  }

  alone<T>(work: () => Promise<T>, waitMs: number): Promise<T | null> {
    const turn = this.#turn.then(() => this.#alone(work, waitMs));
    // A failure is its caller's.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    await this.#turn;
    await this.#parts.lock.close();
  }

  async #alone<T>(work: () => Promise<T>, waitMs: number): Promise<T | null> {
    const { lock } = this.#parts;
    const { ok } = await orFileFailure('lock', lock.path, () => lock.acquire(performance.now() + waitMs));
    if (!ok) return null;
    try {
      return await work();
    } finally {
      await orFileFailure('unlock', lock.path, () => lock.release());
    }
  }

  async #fetch(
    target: RemoteTarget,
    into: TrackingBranch,
    options: TransferOptions = {},
  ): Promise<RemoteOutcome<FetchAnswer>> {
    const access = this.#access(options);
    const fetched = await access.fetch(target, into);
    if (fetched.ok || fetched.problem.kind !== 'busy' || !(await this.#breakDeadLock(into))) return fetched;
    return access.fetch(target, into);
  }

  /**
   * A git that is killed, or loses power, leaves its lock on the remote-tracking branch, and no fetch would ever succeed
   * again. It holds that lock for the moment of one write; and if one should live after all, the next fetch writes the same.
   */
  async #breakDeadLock(into: TrackingBranch): Promise<boolean> {
    const { fs, gitFolder } = this.#parts;
    const lock = join(gitFolder, `${trackingRef(into)}.lock`);
    const seen = await orMissing(fs.lstat(lock));
    if (seen === null || Math.abs(Date.now() - Number(seen.mtimeMs)) < DEAD_AFTER_MS) return false;
    return removeFile(fs, lock);
  }

  #access({ signal, onProgress }: TransferOptions = {}, env = this.#parts.env): RemoteAccess {
    const { root, gitFolder, home, settings } = this.#parts;
    return openRemoteAccess({
      root,
      gitFolder,
      env,
      home,
      config: () => settings.config(),
      limits: { ...REMOTE_LIMITS, signal },
      onProgress,
    });
  }

  /** The branch that is checked out, without `refs/heads/`; null for a detached HEAD. */
  async #branch(): Promise<string | null> {
    const head = await this.#parts.refs.readHead();
    return head.kind === 'branch' ? head.ref.replace(/^refs\/heads\//, '') : null;
  }
}

/** So long no git writes one branch file, on any disk. */
const DEAD_AFTER_MS = 60_000;

function trackingRef({ name, branch }: TrackingBranch): string {
  return `refs/remotes/${name}/${branch}`;
}

/** The name under which the branch of an address that is looked at is kept for a moment. */
const CANDIDATE = 'stet-candidate';

/** Nobody's keys: what is readable then, anybody can read. */
function withoutCredentials(env: DiskSyncParts['env']): DiskSyncParts['env'] {
  const own = Object.entries(env).filter(([name]) => name !== TOKEN_VARIABLE && name !== 'GIT_ASKPASS');
  return {
    ...Object.fromEntries(own),
    GIT_CONFIG_GLOBAL: os.devNull,
    GIT_CONFIG_SYSTEM: os.devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '0',
  };
}
