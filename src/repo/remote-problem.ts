// Why another machine could not be talked to, whoever tried: git, ssh, or the HTTP client here. Invariant: a reason never holds
// a password, and says what to do where something can be done.
import { withoutPassword } from '../memory/remote-url.ts';
import type { GitResult } from './git-program.ts';
import { describeForeignLock } from './process-lock.ts';

export type RemoteProblem =
  /** Not reachable now: no network, the server is down or slow. Waiting helps. */
  | { readonly kind: 'offline'; readonly reason: string }
  /** Reached, and not let in. */
  | { readonly kind: 'no-access'; readonly reason: string }
  /** Reached, and there is no repository at this address. */
  | { readonly kind: 'missing'; readonly reason: string }
  /** Another git is at work in this repository. Waiting helps. */
  | { readonly kind: 'busy'; readonly reason: string }
  /** The remote does not take what is sent to it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** What it sent is damaged, or made to do harm. */
  | { readonly kind: 'unsound'; readonly reason: string }
  /** This address needs the git program, and there is none. */
  | { readonly kind: 'needs-git'; readonly reason: string }
  /** Anything else, in the words of who failed. */
  | { readonly kind: 'failed'; readonly reason: string };

export type RemoteOutcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: RemoteProblem };

export function remoteFailed<T>(problem: RemoteProblem): RemoteOutcome<T> {
  return { ok: false, problem: { ...problem, reason: withoutPassword(problem.reason) } };
}

/** From the answer of a web server; null for one that is none. */
export function explainHttpStatus(status: number): RemoteProblem | null {
  if (status === 401) return { kind: 'no-access', reason: WANTS_PASSWORD };
  if (status === 403) return { kind: 'no-access', reason: FORBIDDEN };
  if (status === 404 || status === 410) return { kind: 'missing', reason: NOT_FOUND };
  if (status === 429 || status >= 500)
    return { kind: 'offline', reason: `the server answers ${status}; it is tried again later` };
  return status >= 400 ? { kind: 'failed', reason: `the server answers ${status}` } : null;
}

const WANTS_PASSWORD =
  'the server asks for a user and password. Let git know them (`git credential approve`, or your credential helper), or put a token into the environment variable STET_GIT_TOKEN';
const REJECTED =
  'the server does not accept your user and password or token. Correct what your credential helper has (`git credential reject`), or the token in the environment variable STET_GIT_TOKEN';
const FORBIDDEN =
  'the server knows you and does not let you in: your user or token may not read, or not write, this repository';
const NOT_FOUND =
  'there is no repository at this address, or you may not see it. Make an empty private one there, or correct the address with `stet remote set`';

/** What a failed git command says (messages of git 2.38 to 2.50, OpenSSH 8 to 10 and libcurl, in English). */
export function explainGitFailure({ stderr, exitCode, ended }: GitResult): RemoteProblem {
  if (ended !== undefined) return { kind: 'offline', reason: ENDED[ended] };
  for (const [pattern, explain] of KNOWN) {
    const match = pattern.exec(stderr);
    if (match !== null) return explain(match);
  }
  const reason = lastLines(stderr);
  return { kind: 'failed', reason: reason === '' ? `git ended with ${exitCode}` : reason };
}

const ENDED: Readonly<Record<NonNullable<GitResult['ended']>, string>> = {
  silent: 'the remote said nothing for too long',
  'too-long': 'it took too long',
  aborted: 'it was stopped',
  killed: 'git was killed before it was done',
};

const KNOWN: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => RemoteProblem]> = [
  [
    /Unable to create '([^'\n]+\.lock)': File exists/,
    ([, lock = '']) => ({ kind: 'busy', reason: describeForeignLock(lock) }),
  ],
  [
    // Up to git 2.49, and since.
    /cannot lock ref '[^'\n]*': is at \S+ but expected|incorrect old value provided/,
    () => ({ kind: 'busy', reason: 'another git is fetching from the same remote' }),
  ],
  [/could not read (?:Username|Password) for/, () => ({ kind: 'no-access', reason: WANTS_PASSWORD })],
  [/Authentication failed for|HTTP Basic: Access denied/, () => ({ kind: 'no-access', reason: REJECTED })],
  [
    /requested URL returned error: (\d{3})/,
    ([, status]) => explainHttpStatus(Number(status)) ?? { kind: 'failed', reason: `the server answers ${status}` },
  ],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    () => ({
      kind: 'no-access',
      reason:
        'the host shows another key than before: somebody may be between you and it. Ask who runs it, then correct your known_hosts file',
    }),
  ],
  [
    /Host key verification failed/,
    () => ({
      kind: 'no-access',
      reason: 'the host is not known to ssh yet. Connect once by hand (`ssh HOST`), and compare its key',
    }),
  ],
  [
    /SSL certificate problem|certificate verification failed|certificate subject name/,
    () => ({ kind: 'no-access', reason: 'the certificate of the server cannot be verified' }),
  ],
  [
    /Permission denied \(/,
    () => ({
      kind: 'no-access',
      reason: 'ssh has no key that the host accepts. Load it into the agent (`ssh-add`), and try `ssh HOST`',
    }),
  ],
  [
    /detected dubious ownership in repository at '(.*)'/,
    ([, path]) => ({
      kind: 'no-access',
      reason: `the folder belongs to another user. If you trust it: \`git config --global --add safe.directory ${path}\``,
    }),
  ],
  [
    /(?:Permission denied|insufficient permission|unable to create temporary|Read-only file system)/,
    () => ({ kind: 'no-access', reason: 'you may not write there' }),
  ],
  [
    /repository '.*' not found|does not appear to be a git repository|Repository not found|not a git repository|No such file or directory/,
    () => ({ kind: 'missing', reason: NOT_FOUND }),
  ],
  [
    /Could not resolve host(?:name)?:? ?([^\s:;]*)/i,
    ([, host]) => ({ kind: 'offline', reason: `the name ${host} is not found: there may be no network` }),
  ],
  [
    /Failed to connect|Connection (?:refused|timed out|reset|closed)|Network is unreachable|No route to host|Operation timed out|Couldn't connect/i,
    () => ({ kind: 'offline', reason: 'the remote cannot be reached' }),
  ],
  [
    /(?:fsck error|error in (?:tree|commit|blob|tag) [0-9a-f]+:|fatal: fsck|did not receive expected object|bad object)([^\n]*)/,
    ([line]) => ({
      kind: 'unsound',
      reason: `what it sent does not pass git's checks (${line.trim()}); nothing of it was taken`,
    }),
  ],
  [
    /died of signal|transfer closed|Empty reply|hung up unexpectedly|unexpected disconnect|early EOF|RPC failed|curl \d+|kex_exchange_identification|Broken pipe|index-pack failed|Recv failure|Could not read from remote/,
    () => ({ kind: 'offline', reason: 'the connection broke' }),
  ],
];

/** The end of what git says, without hints and progress, on one line: what it calls an error, if anything. */
function lastLines(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:hint:|warning:|(?:remote: )?[A-Z][a-z]+ objects)/.test(line));
  const errors = lines.filter((line) => /^(?:error|fatal):/.test(line));
  return (errors.length > 0 ? errors : lines).slice(-3).join(' ').slice(0, 400);
}
