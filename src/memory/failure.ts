// Every way in which stet can refuse or fail, as data. Adapters and rules throw `StetError`; it is turned into words
// by `describeFailure` alone, and caught to be shown in two places only: the CLI's main and the MCP tool runner.

/** What went wrong. Each variant has one sentence of words in {@link describeFailure}. */
export type Failure =
  /** The folder holds no memory (no `.git`, or no `stet.yaml`). */
  | { code: 'not-a-memory'; folder: string; reason: string }
  /** An argument is unusable as it stands; `hint` says what to do. */
  | { code: 'bad-argument'; argument: string; reason: string; hint: string }
  /** What was asked for cannot be done as the memory stands: there is no such item, or a file changed since. */
  | { code: 'not-possible'; subject: string; reason: string; hint: string }
  /** A file of the memory cannot be used as it stands. */
  | { code: 'bad-file'; path: string; line: number; reason: string; hint: string }
  /** The file system refused (EACCES, ENOSPC, EROFS, …). */
  | { code: 'file-system'; operation: string; path: string; errno: string }
  /** The repository has a feature that stet does not write to. */
  | { code: 'unsupported-repository'; feature: string; remedy: string }
  /** An object, a ref or the index of git is damaged. */
  | { code: 'damaged-repository'; what: string; remedy: string }
  /** The git program failed at something that only it can do; `reason` is what it said. */
  | { code: 'git-failed'; command: string; reason: string }
  /** A remote cannot be reached, or refused; `address` without a password. */
  | { code: 'remote'; address: string; reason: string }
  /** Another process holds stet's own lock for longer than stet waits. */
  | { code: 'busy'; holder: string; waitedMs: number }
  /** The user stopped it (Ctrl-C); `left` says in what state things are, in whole sentences. */
  | { code: 'interrupted'; left: string };

/** The one error class of stet: it carries a {@link Failure}, and its message is that failure in words. */
export class StetError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(describeFailure(failure), options);
    this.name = 'StetError';
    this.failure = failure;
  }
}

/** What the system refuses whoever asks; anything else that it says may come of a mistake of stet's. */
const REFUSALS: ReadonlySet<string> = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT EIO EISDIR ENOTDIR ENAMETOOLONG EMFILE ENFILE ELOOP'.split(' '),
);

/** What the system said of a file, where nobody on the way knew what it was wanted for. Null for any other error. */
export function systemFailure(error: unknown): StetError | null {
  if (!(error instanceof Error) || error instanceof StetError) return null;
  const { code, path } = error as Error & { readonly code?: unknown; readonly path?: unknown };
  if (typeof code !== 'string' || typeof path !== 'string' || !REFUSALS.has(code)) return null;
  return new StetError({ code: 'file-system', operation: 'use', path, errno: code }, { cause: error });
}

/** What happened, to which file or argument, and what to do next. */
export function describeFailure(failure: Failure): string {
  switch (failure.code) {
    case 'not-a-memory':
      return `${failure.folder} is not a memory: ${failure.reason}. Run \`stet init ${failure.folder}\`, or name another folder with --memory or STET_HOME.`;
    case 'bad-argument':
      return `${failure.argument}: ${failure.reason}. ${failure.hint}`;
    case 'not-possible':
      return `${failure.subject}: ${failure.reason}. ${failure.hint}`;
    case 'bad-file':
      return `${failure.path}:${failure.line}: ${failure.reason}. ${failure.hint}`;
    case 'file-system':
      return `Cannot ${failure.operation} ${failure.path}: ${explainErrno(failure.errno)} (${failure.errno}). Nothing was half-written.`;
    case 'unsupported-repository':
      return `stet does not write to this repository: ${failure.feature}. ${failure.remedy}`;
    case 'damaged-repository':
      return `The git repository is damaged: ${failure.what}. ${failure.remedy}`;
    case 'git-failed':
      return `\`${failure.command}\` failed: ${failure.reason}`;
    case 'remote':
      return `${failure.address}: ${failure.reason}.`;
    case 'busy':
      return `Another process (${failure.holder}) is writing to this memory and did not finish within ${Math.round(failure.waitedMs / 1000)} s. Nothing was written; try again.`;
    case 'interrupted':
      return `Stopped. ${failure.left}`;
  }
}

function explainErrno(errno: string): string {
  const words: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'operation not permitted',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EROFS: 'the file system is read-only',
    EMFILE: 'too many open files',
    ENFILE: 'too many open files on this machine',
    EIO: 'input/output error',
    ENOENT: 'no such file or folder',
    ENOTDIR: 'a part of the path is not a folder',
    EISDIR: 'it is a folder',
    ENAMETOOLONG: 'the name is too long',
    ELOOP: 'too many symbolic links',
  };
  return words[errno] ?? 'the system refused';
}
