// Commits that wait for git, `.git/stet/pending.json`: which paths, in which words, since when, so that any process can
// make them later. Also the commit in the making, so that a crash in its middle only makes it late.
// Invariant: read and written only under `write.lock`, whole or not at all.
import { join } from 'node:path';
import { discard, replaceFile } from './atomic-file.ts';
import { errnoOf, orMissing, type FileSystem } from './file-system.ts';
import type { CommitMessage, PendingCommit } from './repository.ts';

/** What is kept of a commit that waits. */
export interface StoredCommit extends PendingCommit {
  /** The paths that stet itself wrote. */
  readonly written: readonly string[];
}

export class PendingCommits {
  readonly #fs: FileSystem;
  readonly #path: string;
  readonly #intentPath: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#path = join(folder, 'pending.json');
    this.#intentPath = join(folder, 'intent.json');
  }

  /** What waits, oldest first. */
  async list(): Promise<readonly StoredCommit[]> {
    const bytes = await orMissing(this.#fs.readFile(this.#path));
    return bytes === null ? [] : (parseList(bytes.toString('utf8')) ?? []);
  }

  async add(commit: StoredCommit): Promise<void> {
    await this.#save([...(await this.list()), commit]);
  }

  /** Forgets the oldest. */
  async removeFirst(): Promise<void> {
    await this.#save((await this.list()).slice(1));
  }

  /** Before a commit touches git's files: what it is about to do. Not durable: a process dies here, not a machine. */
  async begin(intent: StoredCommit): Promise<void> {
    await this.#fs.overwriteFile(this.#intentPath, Buffer.from(JSON.stringify([intent])));
  }

  /** The commit is made, or has been given up: nothing is left to do. */
  async end(): Promise<void> {
    try {
      await this.#fs.overwriteFile(this.#intentPath, Buffer.alloc(0));
    } catch (error) {
      // Made again, such a commit finds nothing to change.
      if (errnoOf(error) === null) throw error;
    }
  }

  /** After a crash: the commit that was in the making waits from now on. */
  async adoptIntent(): Promise<void> {
    const bytes = await orMissing(this.#fs.readFile(this.#intentPath));
    if (bytes === null || bytes.length === 0) return;
    const [intent] = parseList(bytes.toString('utf8')) ?? [];
    // The crash may have come when the index already had the new entries: they must not pass for the user's.
    if (intent !== undefined) await this.add({ ...intent, written: intent.paths });
    await this.end();
  }

  async #save(commits: readonly StoredCommit[]): Promise<void> {
    if (commits.length === 0) await discard(this.#fs, this.#path);
    else await replaceFile(this.#fs, this.#path, Buffer.from(`${JSON.stringify(commits, null, 2)}\n`));
  }
}

function parseList(text: string): StoredCommit[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(isPendingCommit) ? value : null;
  } catch {
    return null;
  }
}

function isPendingCommit(value: unknown): value is StoredCommit {
  if (typeof value !== 'object' || value === null) return false;
  const { paths, written, message, since, reason } = value as Partial<Record<keyof StoredCommit, unknown>>;
  return (
    isStringList(paths) &&
    isStringList(written) &&
    typeof since === 'string' &&
    typeof reason === 'string' &&
    isMessage(message)
  );
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

function isMessage(value: unknown): value is CommitMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { subject, trailers, author } = value as Partial<Record<keyof CommitMessage, unknown>>;
  return typeof subject === 'string' && Array.isArray(trailers) && (author === null || typeof author === 'object');
}
