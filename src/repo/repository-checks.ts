// Whether stet may write to a repository at all: every feature that its writer does not know is refused by name, with
// what to do. Invariant: checked before the first write of every turn, so that nothing is half-done.
import fs from 'node:fs';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import type { GitConfig } from './git-config.ts';

export interface RefusedFeature {
  readonly feature: string;
  readonly remedy: string;
}

/** Extensions in their one form that changes nothing. */
const HARMLESS_EXTENSIONS: Readonly<Record<string, string>> = {
  'extensions.objectformat': 'sha1',
  'extensions.refstorage': 'files',
  'extensions.worktreeconfig': 'false',
};

const CLONE_ANEW = 'Clone it anew without that, and use the clone as the memory.';

/** The first feature that the repository's own configuration asks for and stet does not write; null when there is none. */
export function findRefusedSetting(config: GitConfig): RefusedFeature | null {
  const version = Number(config.get('core.repositoryformatversion') ?? 0);
  if (!(version <= 1)) {
    return {
      feature: `a repository of format version ${version}`,
      remedy: 'Update stet, or make a new memory with `stet init`.',
    };
  }
  for (const { key, value } of config.settings) {
    if (key.startsWith('extensions.')) {
      const refused = describeExtension(key, value ?? 'true');
      if (refused !== null) return refused;
    }
    if (/^remote\..*\.(promisor|partialclonefilter)$/s.test(key) && value !== 'false') {
      return {
        feature: 'a partial clone',
        remedy: 'Clone it anew without `--filter`, and use the clone as the memory.',
      };
    }
  }
  if (config.isOn('core.bare', false)) {
    return { feature: 'a bare repository', remedy: 'Clone it with a working tree, and use the clone as the memory.' };
  }
  if (config.get('core.worktree') !== null) {
    return { feature: 'a working tree elsewhere (core.worktree)', remedy: 'Run `git config --unset core.worktree`.' };
  }
  if (config.isOn('core.sparsecheckout', false)) {
    return { feature: 'a sparse checkout', remedy: 'Run `git sparse-checkout disable` in the memory.' };
  }
  const shared = config.get('core.sharedrepository');
  if (shared !== null && !['umask', 'false', '0'].includes(shared)) {
    const remedy = 'Run `git config --unset core.sharedRepository`; give every user a clone of their own.';
    return { feature: `a repository shared between users (core.sharedRepository ${shared})`, remedy };
  }
  return null;
}

function describeExtension(key: string, value: string): RefusedFeature | null {
  if (HARMLESS_EXTENSIONS[key] === value.toLowerCase()) return null;
  if (key === 'extensions.objectformat') {
    return {
      feature: `object names by ${value}`,
      remedy: 'Make a new memory with `stet init`, and copy the files there.',
    };
  }
  if (key === 'extensions.refstorage') {
    const remedy = 'Run `git refs migrate --ref-format=files` in the memory (git 2.46 or newer).';
    return { feature: `branches kept as ${value}`, remedy };
  }
  if (key === 'extensions.partialclone') return { feature: 'a partial clone', remedy: CLONE_ANEW };
  if (key === 'extensions.worktreeconfig') {
    const remedy =
      'Run `git worktree list`, remove the other worktrees, and `git config --unset extensions.worktreeConfig`.';
    return { feature: 'configuration for each worktree', remedy };
  }
  return { feature: `the extension ${key.slice('extensions.'.length)}`, remedy: CLONE_ANEW };
}

/** The first feature that the layout of `.git` shows; null when there is none. */
export function findRefusedLayout(gitFolder: string): RefusedFeature | null {
  if (hasContent(gitFolder, 'objects/info/alternates') || hasContent(gitFolder, 'objects/info/http-alternates')) {
    const remedy = 'Run `git repack -a -d` in the memory, and remove `.git/objects/info/alternates`.';
    return { feature: 'objects borrowed from another repository (alternates)', remedy };
  }
  if (hasContent(gitFolder, 'info/grafts')) {
    return { feature: 'grafted history', remedy: 'Remove `.git/info/grafts`.' };
  }
  if (hasEntries(gitFolder, 'refs/replace') || readText(gitFolder, 'packed-refs').includes(' refs/replace/')) {
    return {
      feature: 'replaced objects',
      remedy: 'Run `git replace -l` in the memory, and `git replace -d` for each.',
    };
  }
  if (hasEntries(gitFolder, 'worktrees')) {
    const remedy = 'Run `git worktree list` in the memory, and `git worktree remove` for each other one.';
    return { feature: 'more than one worktree', remedy };
  }
  if (fs.existsSync(join(gitFolder, 'reftable'))) {
    const remedy = 'Run `git refs migrate --ref-format=files` in the memory (git 2.46 or newer).';
    return { feature: 'branches kept as reftable', remedy };
  }
  const head = fs.lstatSync(join(gitFolder, 'HEAD'), { throwIfNoEntry: false });
  if (head?.isSymbolicLink() === true) {
    return {
      feature: 'HEAD as a symbolic link',
      remedy: 'Replace `.git/HEAD` by a file with the line `ref: refs/heads/main`.',
    };
  }
  return null;
}

/** What `.git` is when it is no folder. */
export function describeGitFile(gitPath: string): RefusedFeature {
  const target = /^gitdir: (.*)$/m.exec(fs.readFileSync(gitPath, 'utf8'))?.[1] ?? '';
  if (/[\\/]modules[\\/]/.test(target)) {
    return {
      feature: 'a submodule of another repository',
      remedy: 'Clone it on its own, and use the clone as the memory.',
    };
  }
  if (/[\\/]worktrees[\\/]/.test(target)) {
    return {
      feature: 'a linked worktree',
      remedy: 'Use the main worktree (`git worktree list` names it first) as the memory.',
    };
  }
  return { feature: '`.git` kept elsewhere', remedy: 'Move that folder to `.git` in the memory.' };
}

/**
 * A repository that belongs to someone else, as git judges it ("dubious ownership", git-config `safe.directory`): git
 * refuses to work there, and so does stet, which would have to run git for history and gc.
 */
export function findForeignOwner(
  root: string,
  config: GitConfig,
  env: Readonly<Record<string, string | undefined>>,
): RefusedFeature | null {
  if (process.getuid === undefined) return null;
  const uids = new Set([process.getuid()]);
  // git trusts the user behind sudo too.
  if (process.getuid() === 0 && env['SUDO_UID'] !== undefined) uids.add(Number(env['SUDO_UID']));
  const owners = [root, join(root, '.git')].map((path) => fs.lstatSync(path).uid);
  if (owners.every((owner) => uids.has(owner)) || isDeclaredSafe(root, config)) return null;
  const remedy = `If you trust it, run \`git config --global --add safe.directory ${root}\`.`;
  return { feature: 'it belongs to another user', remedy };
}

function isDeclaredSafe(root: string, config: GitConfig): boolean {
  let isSafe = false;
  for (const { key, value } of config.settings) {
    if (key !== 'safe.directory') continue;
    if (value === '') isSafe = false;
    else if (
      value === '*' ||
      value === root ||
      (value?.endsWith('/*') === true && root.startsWith(value.slice(0, -1)))
    ) {
      isSafe = true;
    }
  }
  return isSafe;
}

export function refuse({ feature, remedy }: RefusedFeature): StetError {
  return new StetError({ code: 'unsupported-repository', feature, remedy });
}

function hasContent(gitFolder: string, path: string): boolean {
  return readText(gitFolder, path)
    .split('\n')
    .some((line) => line.trim() !== '' && !line.startsWith('#'));
}

function readText(gitFolder: string, path: string): string {
  const file = join(gitFolder, path);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}

function hasEntries(gitFolder: string, path: string): boolean {
  const folder = join(gitFolder, path);
  return fs.existsSync(folder) && fs.readdirSync(folder).length > 0;
}
