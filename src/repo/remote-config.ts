// Which remote a memory syncs with: what git's configuration says of the branch that is checked out.
import { join } from 'node:path';
import { readRemoteUrl, type RemoteUrlCheck } from '../memory/remote-url.ts';
import { editConfigFile } from './config-edit.ts';
import type { FileSystem } from './file-system.ts';
import type { GitConfig } from './git-config.ts';

/** The remote that stet sets up, as git does. */
export const ORIGIN = 'origin';

export interface ConfiguredRemote {
  /** Its name in git's configuration. */
  readonly name: string;
  /** As configured; may hold what must not be shown. */
  readonly url: string;
  /** The address, or why it cannot be used. */
  readonly address: RemoteUrlCheck;
  /** The branch of the remote, without `refs/heads/`. */
  readonly branch: string;
}

/** Null when the branch has no remote. `branch`: the one that is checked out, without `refs/heads/`. */
export function findRemote(config: GitConfig, branch: string): ConfiguredRemote | null {
  const name = config.get(`branch.${branch}.remote`) ?? ORIGIN;
  // `.` is this repository itself; other odd names cannot come from `git remote add`.
  if (!/^[A-Za-z0-9_][\w.+-]*$/.test(name)) return null;
  const url = config.get(`remote.${name}.url`);
  if (url === null) return null;
  const pushUrl = config.get(`remote.${name}.pushurl`);
  const address = readRemoteUrl(url);
  const pushAddress = pushUrl === null ? address : readRemoteUrl(pushUrl);
  const upstream = /^refs\/heads\/(.+)$/.exec(config.get(`branch.${branch}.merge`) ?? '')?.[1] ?? branch;
  return { name, url, address: pushAddress.ok ? address : pushAddress, branch: upstream };
}

/** Makes `url` the remote of this branch, as `git clone` would have configured it. */
export async function configureRemote(
  fs: FileSystem,
  gitFolder: string,
  url: string,
  branch: string,
  remoteBranch: string,
): Promise<void> {
  const remote = { section: 'remote', subsection: ORIGIN };
  const upstream = { section: 'branch', subsection: branch };
  await editConfigFile(fs, join(gitFolder, 'config'), [
    { ...remote, key: 'url', value: url },
    { ...remote, key: 'fetch', value: `+refs/heads/*:refs/remotes/${ORIGIN}/*` },
    { ...upstream, key: 'remote', value: ORIGIN },
    { ...upstream, key: 'merge', value: `refs/heads/${remoteBranch}` },
  ]);
}
