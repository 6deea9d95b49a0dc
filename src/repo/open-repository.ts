// Opens the git repository of a memory: puts the parts of this folder together behind the port.
// Invariant: all openers of one repository in a process share one write section, or they would wait for themselves.
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { ChangeJournal } from './change-journal.ts';
import type { Person } from './commit-object.ts';
import { CommitWriter } from './commit-writer.ts';
import { DiskRepository } from './disk-repository.ts';
import { DiskSync } from './disk-sync.ts';
import { errnoOf, nodeFileSystem, orMissing, type FileSystem } from './file-system.ts';
import { realSurroundings, type ConfigSurroundings } from './git-config.ts';
import { findEntry, readEntry } from './git-index.ts';
import { IndexFile, type CleanFile } from './index-file.ts';
import { Maintenance } from './maintenance.ts';
import { ObjectStore } from './object-store.ts';
import { PendingCommits } from './pending-commits.ts';
import { ProcessLock } from './process-lock.ts';
import { Reconciler } from './reconcile.ts';
import { Refs } from './refs.ts';
import { describeGitFile, refuse } from './repository-checks.ts';
import { RepositorySettings } from './repository-settings.ts';
import type { GitRepository } from './repository.ts';
import { WriteSection } from './write-section.ts';

export interface OpenOptions {
  /** The user, where git's configuration does not say; by default the login name. */
  readonly fallbackUser?: Person;
  readonly now?: () => Date;
  /** How long `exclusive` waits for another stet process before it throws `busy`. Default 15,000. */
  readonly lockWaitMs?: number;
  /** How long a commit waits for a lock that git holds before it is put off. Default 3,000. */
  readonly foreignLockWaitMs?: number;
  /** How long a lock of another host or container may show no sign of life. Default 8,000. */
  readonly lockSilenceMs?: number;
  /**
   * How long `index.lock` stays after a commit, so that a `git commit` that read the index just before stops instead of
   * writing its old copy back. By default git's window between reading and locking, measured: 15, and 40 at 10,000 entries.
   */
  readonly lingerMs?: number;
  readonly fs?: FileSystem;
  readonly surroundings?: ConfigSurroundings;
}

/** The repository whose top folder is `root`. Throws `not-a-memory` when there is none, and
 * `unsupported-repository` for a submodule or linked worktree. Other features are refused by the first write: reading
 * does not depend on them. */
export async function openRepository(root: string, options: OpenOptions = {}): Promise<GitRepository> {
  const fs = options.fs ?? nodeFileSystem;
  const now = options.now ?? (() => new Date());
  const surroundings = options.surroundings ?? realSurroundings;
  const foreignLockWaitMs = options.foreignLockWaitMs ?? 3_000;
  const { realRoot, gitFolder } = await locate(root, fs);
  const stetFolder = join(gitFolder, 'stet');
  const store = new ObjectStore(fs, gitFolder);
  const refs = new Refs(fs, gitFolder, store);
  const settings = new RepositorySettings({
    root: realRoot,
    gitFolder,
    surroundings,
    fallbackUser: options.fallbackUser ?? null,
  });
  const index = new IndexFile(fs, realRoot, gitFolder, (path, bytes) => clean(path, bytes));
  const clean: CleanFile = (path, bytes) => settings.clean(path, bytes, () => readStaged(index, store, path));
  const { lock, section } = shareWriting(fs, stetFolder, index.lockPath, options);
  const journal = new ChangeJournal(fs, stetFolder);
  await journal.begin();
  const writer = new CommitWriter({
    fs,
    root: realRoot,
    gitFolder,
    store,
    refs,
    index,
    lock,
    settings,
    clean,
    now,
    foreignLockWaitMs,
  });
  return new DiskRepository({
    fs,
    root: realRoot,
    gitFolder,
    writer,
    section,
    lock,
    store,
    refs,
    index,
    settings,
    clean,
    journal,
    pending: new PendingCommits(fs, stetFolder),
    maintenance: new Maintenance(fs, realRoot, surroundings.env),
    reconciler: new Reconciler({ fs, root: realRoot, store, clean }),
    env: surroundings.env,
    sync: new DiskSync({
      fs,
      root: realRoot,
      gitFolder,
      store,
      refs,
      lock: new ProcessLock({ fs, folder: stetFolder, silenceMs: silenceMsOf(options), name: 'sync.lock' }),
      settings,
      env: surroundings.env,
      home: surroundings.home,
    }),
    foreignLockWaitMs,
    lingerMs: (entries) => options.lingerMs ?? Math.min(100, 15 + entries / 400),
    now,
  });
}

async function readStaged(index: IndexFile, store: ObjectStore, path: string): Promise<Uint8Array | null> {
  const { index: entries } = await index.peek();
  const at = findEntry(entries, Buffer.from(path, 'utf8'));
  return at < 0 ? null : ((await store.find(readEntry(entries, at).id))?.bytes ?? null);
}

async function locate(root: string, fs: FileSystem): Promise<{ realRoot: string; gitFolder: string }> {
  const realRoot = await orMissing(realpath(root));
  const gitFolder = join(realRoot ?? root, '.git');
  const stat = realRoot === null ? null : await orMissing(fs.lstat(gitFolder));
  if (realRoot === null || stat === null) {
    const reason = realRoot === null ? 'there is no such folder' : 'there is no git repository in it';
    throw new StetError({ code: 'not-a-memory', folder: root, reason });
  }
  if (stat.isFile()) throw refuse(describeGitFile(gitFolder));
  try {
    await mkdir(join(gitFolder, 'stet'), { recursive: true });
  } catch (error) {
    // A read-only memory can be read; the first write says what is wrong.
    if (errnoOf(error) === null) throw error;
  }
  return { realRoot, gitFolder };
}

function silenceMsOf(options: OpenOptions): number {
  return options.lockSilenceMs ?? 8_000;
}

const writing = new Map<string, { lock: ProcessLock; section: WriteSection }>();

function shareWriting(fs: FileSystem, folder: string, indexLockPath: string, options: OpenOptions) {
  const known = writing.get(folder);
  if (known !== undefined) return known;
  const lock = new ProcessLock({ fs, folder, silenceMs: silenceMsOf(options) });
  const section = new WriteSection({ lock, indexLockPath, waitMs: options.lockWaitMs ?? 15_000 });
  const made = { lock, section };
  writing.set(folder, made);
  return made;
}
