// What git knows of a folder that is somebody's project: where it really is, which repository a linked worktree belongs
// to, and its remote `origin`. Reads git's files; runs nothing, because a project is not ours to run anything in.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { ConfigReader, realSurroundings, type ConfigSurroundings } from './git-config.ts';

export interface ProjectFacts {
  /** With symlinks resolved; null if there is no such folder. */
  readonly realPath: string | null;
  /** For a folder in a linked git worktree: that worktree's top and its repository's main one, real paths. */
  readonly worktree: { readonly root: string; readonly main: string } | null;
  /** The URL of the remote `origin`; null without a repository or such a remote. */
  readonly remote: string | null;
}

export function inspectProject(folder: string, surroundings: ConfigSurroundings = realSurroundings): ProjectFacts {
  const realPath = resolveFolder(folder);
  if (realPath === null) return { realPath, worktree: null, remote: null };
  for (let root = realPath; ; root = dirname(root)) {
    const git = findGitFolders(root);
    if (git) {
      const main = basename(git.common) === '.git' ? resolveFolder(dirname(git.common)) : null;
      const worktree = git.common === git.own || main === null ? null : { root, main };
      return { realPath, worktree, remote: new ConfigReader(git.common, surroundings).all().get('remote.origin.url') };
    }
    if (root === dirname(root)) return { realPath, worktree: null, remote: null };
  }
}

/** The folder with symlinks resolved, or null if there is none. */
export function resolveFolder(folder: string): string | null {
  try {
    const path = realpathSync.native(folder);
    return statSync(path).isDirectory() ? path : null;
  } catch {
    return null;
  }
}

/** The git folder of a work tree, and the one that it shares with its repository (gitrepository-layout(5)). */
function findGitFolders(root: string): { own: string; common: string } | null {
  const path = join(root, '.git');
  try {
    const own = statSync(path).isDirectory() ? path : followGitFile(root, path);
    if (own === null || !statSync(join(own, 'HEAD')).isFile()) return null;
    return { own, common: commonFolder(own) };
  } catch {
    return null;
  }
}

function followGitFile(root: string, path: string): string | null {
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return target === undefined ? null : resolve(root, target);
}

function commonFolder(own: string): string {
  try {
    const path = readFileSync(join(own, 'commondir'), 'utf8').trim();
    return isAbsolute(path) ? path : resolve(own, path);
  } catch {
    return own;
  }
}
