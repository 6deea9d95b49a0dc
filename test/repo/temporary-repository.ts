// A repository in a temporary folder, opened by stet and driven by the real git program; gone at the end of the test.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { createRepository } from '../../src/repo/create-repository.ts';
import { openRepository, type OpenOptions } from '../../src/repo/open-repository.ts';
import type { CommitMessage, CommitOutcome, GitRepository } from '../../src/repo/repository.ts';

export const TEST_ENV: Readonly<Record<string, string | undefined>> = {
  ...process.env,
  GIT_CONFIG_GLOBAL: os.devNull,
  GIT_CONFIG_SYSTEM: os.devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

export const AGENT = { name: 'claude-code', email: 'claude-code@agents.stet' };

export function says(subject: string, author: CommitMessage['author'] = AGENT): CommitMessage {
  return { subject, trailers: [['Stet-Agent', 'claude-code']], author };
}

export interface TemporaryRepository extends AsyncDisposable {
  readonly root: string;
  readonly repository: GitRepository;
  /** Runs the real git, and returns what it prints, without the last newline. Throws when it fails. */
  readonly git: (...args: string[]) => string;
  /** Writes a file as an editor would, without stet. */
  readonly write: (path: string, text: string | Uint8Array) => void;
  readonly read: (path: string) => string;
  /** Writes and commits through stet, as an agent. */
  readonly remember: (path: string, text: string) => Promise<CommitOutcome>;
  /** Fails unless git finds the repository whole and its index in order. */
  readonly checkHealth: () => void;
}

export interface TemporaryOptions extends OpenOptions {
  /** Prepares the repository before stet opens it; by default `createRepository`. */
  readonly prepare?: (root: string) => void | Promise<void>;
}

export async function temporaryRepository(options: TemporaryOptions = {}): Promise<TemporaryRepository> {
  const root = temporaryFolder();
  const { prepare = createRepository, ...open } = options;
  await prepare(root);
  const git = gitIn(root);
  const repository = await openRepository(root, {
    surroundings: { env: TEST_ENV, home: root },
    // git commands of a test follow a commit at once, and would find the lock.
    lingerMs: 0,
    ...open,
  });
  return {
    root,
    repository,
    git,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    remember: (path, text) =>
      repository.exclusive(async (transaction) => {
        await transaction.writeFile(path, Buffer.from(text));
        return transaction.commit([path], says(`remember: ${path}`));
      }),
    checkHealth: () => checkHealth(root),
    async [Symbol.asyncDispose]() {
      await repository.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(os.tmpdir(), 'stet-repo-')));
}

export function gitIn(root: string): (...args: string[]) => string {
  return (...args) =>
    execFileSync('git', ['-C', root, '-c', 'gc.auto=0', ...args], {
      encoding: 'utf8',
      env: TEST_ENV,
      stdio: 'pipe',
    }).replace(/\n$/, '');
}

/** Throws unless `git fsck --strict` says nothing and git reads the index. */
export function checkHealth(root: string): void {
  const git = gitIn(root);
  const complaints = git('fsck', '--strict', '--no-dangling', '--no-progress');
  if (complaints !== '') throw new Error(`git fsck: ${complaints}`);
  git('ls-files', '--stage');
}
