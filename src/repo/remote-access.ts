// Talking to a remote: the port, and the choice of who does it. The git program where there is one; without it the web
// addresses are served in process, and for the others it is said what to install.
import { existsSync } from 'node:fs';
import type { RemoteUrl } from '../memory/remote-url.ts';
import type { ObjectId } from './git-object.ts';
import type { OnProgress } from '../memory/progress.ts';
import { runGit, type GitLimits } from './git-program.ts';
import { tellProgress } from './git-progress.ts';
import type { GitConfig } from './git-config.ts';
import { HttpRemote } from './http-remote.ts';
import { remoteEnvironment } from './remote-environment.ts';
import { remoteFailed, type RemoteOutcome } from './remote-problem.ts';
import {
  fetchTask,
  listTask,
  pushTask,
  type GitTask,
  type FetchAnswer,
  type PushAnswer,
  type RemoteBranches,
  type TrackingBranch,
} from './remote-tasks.ts';

/** A remote as it is asked for: by its configured name, or by an address that is not configured (yet). */
export interface RemoteTarget {
  readonly name: string | null;
  readonly address: RemoteUrl;
}

export interface RemoteAccess {
  list(target: RemoteTarget): Promise<RemoteOutcome<RemoteBranches>>;
  /** Brings a branch into a remote-tracking branch of the same name, wherever the remote moved it. */
  fetch(target: RemoteTarget, into: TrackingBranch): Promise<RemoteOutcome<FetchAnswer>>;
  /** Never forces. */
  push(
    target: RemoteTarget & { readonly name: string },
    commit: ObjectId,
    branch: string,
  ): Promise<RemoteOutcome<PushAnswer>>;
}

export interface RemoteAccessParts {
  readonly root: string;
  readonly gitFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly config: () => GitConfig;
  readonly limits: GitLimits;
  /** Told what the git program tells; without it nothing is. */
  readonly onProgress?: OnProgress | undefined;
}

/** Patience with a remote: a minute of silence, ten minutes in all. */
export const REMOTE_LIMITS: GitLimits = { silenceMs: 60_000, totalMs: 600_000 };

export function openRemoteAccess(parts: RemoteAccessParts): RemoteAccess {
  const http = new HttpRemote(parts);
  const choose = async <T>(
    target: RemoteTarget,
    task: GitTask<T>,
    withoutGit: () => Promise<RemoteOutcome<T>>,
  ): Promise<RemoteOutcome<T>> => {
    const env = remoteEnvironment(parts.env, parts.config(), target.address);
    const { onProgress } = parts;
    const listener = onProgress === undefined ? {} : { stderr: tellProgress(onProgress) };
    const result = await runGit(parts.root, task.args, env, null, parts.limits, listener);
    if (result !== null) return orUnmounted(task.parse(result), target.address);
    if (target.address.kind === 'https' || target.address.kind === 'http') return withoutGit();
    return remoteFailed({ kind: 'needs-git', reason: INSTALL[target.address.kind] });
  };
  return {
    list: (target) => choose(target, listTask(nameOf(target)), () => http.list(target)),
    fetch: (target, into) => choose(target, fetchTask(nameOf(target), into), () => http.fetch(target, into)),
    push: (target, commit, branch) =>
      choose(target, pushTask(target.name, commit, branch), () => http.push(target, commit, branch)),
  };
}

/** A folder that is not there at all is one of a disk that is not: waiting helps. */
function orUnmounted<T>(outcome: RemoteOutcome<T>, address: RemoteUrl): RemoteOutcome<T> {
  if (outcome.ok || outcome.problem.kind !== 'missing' || address.kind !== 'path' || existsSync(address.path))
    return outcome;
  const reason = `there is no repository, because ${address.path} is not there. Mount it, or correct the address with \`stet remote set\``;
  return remoteFailed({ kind: 'offline', reason });
}

const INSTALL = {
  ssh: 'an SSH address needs the git program. Install git (https://git-scm.com/downloads), or use the https:// address with a token in STET_GIT_TOKEN',
  path: 'a folder as the remote needs the git program. Install git (https://git-scm.com/downloads)',
};

/** What git is told: the configured name where there is one, since the user may have configured more about it. */
function nameOf({ name, address }: RemoteTarget): string {
  return name ?? (address.kind === 'path' ? address.path : address.url);
}
