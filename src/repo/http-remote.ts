// A remote over HTTPS without the git program, by isomorphic-git. Invariants: it writes packs and remote-tracking refs, and
// nothing else; every file whole or not at all; a token is used for the host it was given for.
import nodeFs from 'node:fs';
import { readFileSync } from 'node:fs';
import { rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RemoteUrl } from '../memory/remote-url.ts';
import { temporaryName } from './atomic-file.ts';
import type { ObjectId } from './git-object.ts';
import { ConnectionError, createHttpClient } from './http-client.ts';
import type { RemoteAccess, RemoteAccessParts, RemoteTarget } from './remote-access.ts';
import { TOKEN_USER, TOKEN_VARIABLE, USER_VARIABLE } from './remote-environment.ts';
import { explainHttpStatus, remoteFailed, type RemoteOutcome, type RemoteProblem } from './remote-problem.ts';
import type { FetchAnswer, PushAnswer, RemoteBranches, TrackingBranch } from './remote-tasks.ts';

type Credentials = { readonly username: string; readonly password: string };

export class HttpRemote implements RemoteAccess {
  readonly #parts: RemoteAccessParts;

  constructor(parts: RemoteAccessParts) {
    this.#parts = parts;
  }

  list({ address }: RemoteTarget): Promise<RemoteOutcome<RemoteBranches>> {
    return attempt(async () => {
      const { listServerRefs } = await import('isomorphic-git');
      // Protocol 1 tells of HEAD only if it has a commit; git's own program does no more.
      const refs = await listServerRefs({ ...this.#connection(address), protocolVersion: 1, symrefs: true });
      const branches = new Map<string, ObjectId>();
      let head: string | null = null;
      for (const { ref, oid, target } of refs) {
        if (ref.startsWith('refs/heads/')) branches.set(ref.slice('refs/heads/'.length), oid);
        if (ref === 'HEAD' && target !== undefined) head = target.replace(/^refs\/heads\//, '');
      }
      return { branches, head };
    });
  }

  fetch({ address }: RemoteTarget, { name, branch }: TrackingBranch): Promise<RemoteOutcome<FetchAnswer>> {
    return attempt(async () => {
      const { fetch } = await import('isomorphic-git');
      const { gitFolder } = this.#parts;
      const common = { ...this.#connection(address), fs: wholeFiles, dir: dirname(gitFolder), gitdir: gitFolder };
      const wanted = { remote: name, ref: branch, remoteRef: branch, singleBranch: true, tags: false, prune: false };
      try {
        const { fetchHead } = await fetch({ ...common, ...wanted });
        return fetchHead === null ? 'no-branch' : 'fetched';
      } catch (error) {
        if ((error as { code?: string }).code === 'NotFoundError') return 'no-branch';
        throw error;
      }
    });
  }

  push(
    { name, address }: RemoteTarget & { readonly name: string },
    commit: ObjectId,
    branch: string,
  ): Promise<RemoteOutcome<PushAnswer>> {
    return attempt(async () => {
      const { push } = await import('isomorphic-git');
      const { gitFolder } = this.#parts;
      // It pushes what a ref names, and the branch may move on while it does.
      const ref = 'refs/stet/push';
      const file = join(gitFolder, ref);
      await nodeFs.promises.mkdir(dirname(file), { recursive: true });
      await writeFile(file, `${commit}\n`);
      try {
        const common = { ...this.#connection(address), fs: wholeFiles, dir: dirname(gitFolder), gitdir: gitFolder };
        await push({ ...common, remote: name, ref, remoteRef: `refs/heads/${branch}`, force: false });
        return 'pushed';
      } catch (error) {
        if (isMoved(error)) return 'moved';
        throw error;
      } finally {
        await unlink(file);
      }
    });
  }

  #connection(address: RemoteUrl) {
    if (address.kind !== 'https' && address.kind !== 'http') throw new TypeError(`${address.kind} is not served here`);
    const { env, home } = this.#parts;
    return {
      http: createHttpClient(this.#parts.limits),
      url: address.url,
      // Asked once: what does not work will not work again.
      onAuth: () => findCredentials(address.url, env, home) ?? { cancel: true },
      onAuthFailure: () => ({ cancel: true }),
    };
  }
}

/** The token of the environment, else the file of `git credential-store`. */
export function findCredentials(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): Credentials | null {
  const token = env[TOKEN_VARIABLE] ?? '';
  if (token !== '') return { username: env[USER_VARIABLE] ?? TOKEN_USER, password: token };
  const files = [
    join(home, '.git-credentials'),
    join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'credentials'),
  ];
  for (const file of files) {
    const found = readLines(file)
      .map((line) => matchCredentials(line, new URL(url)))
      .find((each) => each !== null);
    if (found !== undefined) return found;
  }
  return null;
}

/** A line of the file: a URL with user and password, percent-encoded (git-credential-store, "Storage format"). */
function matchCredentials(line: string, wanted: URL): Credentials | null {
  const parsed = URL.canParse(line.trim()) ? new URL(line.trim()) : null;
  if (parsed === null || parsed.protocol !== wanted.protocol || parsed.host !== wanted.host) return null;
  const path = parsed.pathname.replace(/^\/|\/$/g, '');
  if (path !== '' && path !== wanted.pathname.replace(/^\/|\/$/g, '')) return null;
  if (wanted.username !== '' && wanted.username !== parsed.username) return null;
  return { username: decodeURIComponent(parsed.username), password: decodeURIComponent(parsed.password) };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    // No such file: nobody stored anything.
    return [];
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<RemoteOutcome<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return remoteFailed(explain(error));
  }
}

const BROKEN: Readonly<Record<ConnectionError['reason'], string>> = {
  unreachable: 'the remote cannot be reached',
  silent: 'the remote said nothing for too long',
  'too-long': 'it took too long',
  aborted: 'it was stopped',
  broken: 'the connection broke',
};

/** Errors of isomorphic-git are known by their `code`. */
function explain(error: unknown): RemoteProblem {
  const connection = findConnectionError(error);
  if (connection !== null) return { kind: 'offline', reason: BROKEN[connection.reason] };
  if (!(error instanceof Error)) throw error;
  const { code, data } = error as Error & { code?: string; data?: { statusCode?: number; prettyDetails?: string } };
  switch (code) {
    case 'HttpError': {
      const status = data?.statusCode ?? 0;
      if (status >= 300 && status < 400) {
        return { kind: 'failed', reason: 'the repository has another address now. Set that with `stet remote set`' };
      }
      return explainHttpStatus(status) ?? { kind: 'failed', reason: `the server answers ${status}` };
    }
    case 'UserCanceledError':
      return explainHttpStatus(401) ?? { kind: 'no-access', reason: '' };
    case 'GitPushError':
      return { kind: 'refused', reason: `it declined:${(data?.prettyDetails ?? '').replace(/\s+/g, ' ')}` };
    case 'SmartHttpError':
      return { kind: 'missing', reason: 'there is no git repository at this address' };
    case undefined:
      // A bug, here or there: not the remote's doing.
      throw error;
    default:
      return { kind: 'unsound', reason: `what it sent cannot be read (${code}); nothing of it was taken` };
  }
}

function findConnectionError(error: unknown): ConnectionError | null {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof ConnectionError) return each;
  return null;
}

function isMoved(error: unknown): boolean {
  const { code, data } = error as { code?: string; data?: { reason?: string; prettyDetails?: string } };
  if (code === 'PushRejectedError') return data?.reason === 'not-fast-forward';
  return (
    code === 'GitPushError' &&
    /fetch first|non-fast-forward|failed to update ref|cannot lock|stale|incorrect old value|already exists/.test(
      data?.prettyDetails ?? '',
    )
  );
}

/** Node's file system, but that a file is whole when it appears: a crash must not leave half an index of a pack. */
const wholeFiles = {
  promises: {
    ...nodeFs.promises,
    async writeFile(path: string, data: string | Uint8Array, options?: nodeFs.WriteFileOptions) {
      const temporary = join(dirname(path), temporaryName());
      const handle = await nodeFs.promises.open(temporary, 'wx');
      try {
        await handle.writeFile(data, typeof options === 'string' ? { encoding: options } : undefined);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, path);
    },
  },
};
