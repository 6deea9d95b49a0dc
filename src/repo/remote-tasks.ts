// What is asked of the git program about a remote: each task is its arguments and the reading of its output. Running is done
// elsewhere. Invariants: nothing is ever forced, no hook runs, no tag or submodule comes along; a value cannot pass for an
// option.
import { isObjectId, type ObjectId } from './git-object.ts';
import type { GitResult } from './git-program.ts';
import { explainGitFailure, remoteFailed, type RemoteOutcome } from './remote-problem.ts';

export interface GitTask<T> {
  readonly args: readonly string[];
  readonly parse: (result: GitResult) => RemoteOutcome<T>;
}

/** The branches of a remote, and the one that its HEAD names. */
export interface RemoteBranches {
  readonly branches: ReadonlyMap<string, ObjectId>;
  /** Null where the remote does not say. */
  readonly head: string | null;
}

/** `remote`: a configured name, or an address that was checked. */
export function listTask(remote: string): GitTask<RemoteBranches> {
  return {
    args: ['ls-remote', '--symref', '--quiet', '--end-of-options', remote, 'HEAD', 'refs/heads/*'],
    parse: (result) =>
      result.exitCode === 0 ? { ok: true, value: parseBranches(result.stdout.toString('utf8')) } : failed(result),
  };
}

/** `no-branch`: the remote is empty, or has no branch of this name. */
export type FetchAnswer = 'fetched' | 'no-branch';

/** `refs/remotes/<name>/<branch>`. */
export interface TrackingBranch {
  readonly name: string;
  readonly branch: string;
}

/** Brings a branch of a remote into the remote-tracking branch of the same name, wherever the remote moved it. */
export function fetchTask(remote: string, { name, branch }: TrackingBranch): GitTask<FetchAnswer> {
  return {
    args: [
      // Objects that no git makes, `.git` in trees and the like, end here.
      ...words('-c fetch.fsckObjects=true -c transfer.fsckObjects=true -c advice.fetchShowForcedUpdates=false'),
      ...SLOW_IS_BROKEN,
      ...words(
        'fetch --progress --no-tags --no-write-fetch-head --no-auto-maintenance --no-prune --no-recurse-submodules',
      ),
      ...words('--no-show-forced-updates --refmap= --end-of-options'),
      remote,
      `+refs/heads/${branch}:refs/remotes/${name}/${branch}`,
    ],
    parse: (result) => {
      if (result.exitCode === 0) return { ok: true, value: 'fetched' };
      return /couldn't find remote ref/.test(result.stderr) ? { ok: true, value: 'no-branch' } : failed(result);
    },
  };
}

export type PushAnswer =
  | 'pushed'
  /** The remote has commits that this clone has not: to be fetched and merged first. */
  | 'moved';

/** Moves a branch of the remote to a commit that follows on it. */
export function pushTask(name: string, commit: ObjectId, branch: string): GitTask<PushAnswer> {
  return {
    args: [
      ...SLOW_IS_BROKEN,
      ...words('push --porcelain --progress --no-verify --no-follow-tags --no-signed --recurse-submodules=no'),
      '--end-of-options',
      name,
      `${commit}:refs/heads/${branch}`,
    ],
    parse: (result) => parsePush(result),
  };
}

/** libcurl's own patience: under 1 kB in a second for so many seconds is a broken connection. */
const SLOW_IS_BROKEN = words('-c http.lowSpeedLimit=1000 -c http.lowSpeedTime=45');

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** `ref: refs/heads/main\tHEAD` and `<id>\trefs/heads/<name>`, one a line (git-ls-remote). */
export function parseBranches(text: string): RemoteBranches {
  const branches = new Map<string, ObjectId>();
  let head: string | null = null;
  for (const line of text.split('\n')) {
    const [what = '', ref = ''] = line.split('\t');
    const named = /^ref: refs\/heads\/(.+)$/.exec(what)?.[1];
    if (named !== undefined && ref === 'HEAD') head = named;
    const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1];
    if (branch !== undefined && isObjectId(what)) branches.set(branch, what);
  }
  return { branches, head };
}

const MOVED =
  /\[rejected\]|cannot lock ref|\((?:fetch first|non-fast-forward|stale info|incorrect old value provided|reference already exists)\)/;
const OVERTAKEN = /^remote: .*cannot lock ref '[^'\n]*': (?:is at \S+ but expected|reference already exists)/m;

/** `<flag>\t<from>:<to>\t<summary> (<reason>)` (git-push, `--porcelain`). */
function parsePush(result: GitResult): RemoteOutcome<PushAnswer> {
  const line = result.stdout
    .toString('utf8')
    .split('\n')
    .find((each) => /^[ +*=!-]\t/.test(each));
  if (result.exitCode === 0 && line !== undefined && /^[ *=]/.test(line)) return { ok: true, value: 'pushed' };
  if (line?.startsWith('!') !== true) return failed(result);
  // Another push that overtakes this one: the line tells it or, up to git 2.49, says `failed to update ref`, and stderr tells.
  if (MOVED.test(line) || OVERTAKEN.test(result.stderr)) return { ok: true, value: 'moved' };
  const lock = /^remote: .*Unable to create '([^'\n]+\.lock)': File exists/m.exec(result.stderr)?.[1];
  if (lock !== undefined) {
    const left = `If it stays so, a git that died there left the lock ${lock}: remove that file there`;
    return remoteFailed({ kind: 'busy', reason: `somebody else is sending to the remote. ${left}` });
  }
  const reason = /\[remote rejected\] \((.*)\)/.exec(line)?.[1] ?? line.slice(2);
  return remoteFailed({ kind: 'refused', reason: explainRefusal(reason, remarks(result.stderr)) });
}

function explainRefusal(reason: string, said: string): string {
  if (/checked out branch|working directory|branch is currently checked out/.test(reason)) {
    return 'it has a working tree of its own. Make a bare repository (`git init --bare`) and sync with that';
  }
  if (/protected branch/.test(reason))
    return `its branch is protected (${reason}): allow pushes, or sync with another branch`;
  return said === '' ? `it declined: ${reason}` : `it declined: ${reason}. It says: ${said}`;
}

/** What the other side printed for people. */
function remarks(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1]?.trim() ?? []);
  return lines
    .filter((line) => line !== '' && !/^[A-Z][a-z]+ (?:objects|deltas)/.test(line))
    .join(' ')
    .slice(0, 300);
}

function failed<T>(result: GitResult): RemoteOutcome<T> {
  return remoteFailed(explainGitFailure(result));
}
