// Which space a session works in, from what its client and this machine say. Nothing is asked here: the folders come
// with their real paths, worktrees and remotes. Invariant: where two answers are possible the session is personal
// only, with a warning, and known to be so for want of a better answer; where the user named a space that does not exist,
// it fails.
import type { Failure } from './failure.ts';
import { isWithin, pathComponents, type PathStyle } from './folder-path.ts';
import type { Space } from './item.ts';
import { normaliseRemote } from './remote-address.ts';
import { spaceKey } from './space-name.ts';
import { findSpace, type Spaces } from './spaces-file.ts';

/** Who named a project folder, in the order in which they are believed. */
const FOLDER_SOURCES = ['--project', 'CLAUDE_PROJECT_DIR', 'client roots', 'working directory'] as const;
export type FolderSource = (typeof FOLDER_SOURCES)[number];

export interface ProjectFolder {
  readonly source: FolderSource;
  /** As it was given. */
  readonly given: string;
  /** With symlinks resolved; null if there is no such folder. */
  readonly realPath: string | null;
  /** For a folder in a linked git worktree: that worktree's top and its repository's main one, real paths. */
  readonly worktree: { readonly root: string; readonly main: string } | null;
  /** The URL of the remote `origin`; null without a repository or such a remote. */
  readonly remote: string | null;
}

/** A line of machine.yaml's `folders`. */
export interface MappedFolder {
  readonly folder: string;
  /** With `~` and symlinks resolved; null if there is no such folder. */
  readonly realPath: string | null;
  readonly space: string;
}

export interface SessionInputs {
  /** `--space`, else STET_SPACE, where one is set and not blank. */
  readonly named: { readonly by: '--space' | 'STET_SPACE'; readonly space: string } | null;
  /** In any order; several of one source only as client roots. */
  readonly folders: readonly ProjectFolder[];
  readonly mapped: readonly MappedFolder[];
  /** Every space there is. */
  readonly spaces: Spaces;
  /** The home folder's real path. */
  readonly home: string;
  readonly paths: PathStyle;
}

/** `rule` says in words what decided, `warnings` what the user should look at; sentences with their full stops. */
export type SessionSpace =
  | {
      ok: true;
      space: Space;
      rule: string;
      warnings: readonly string[];
      /** False where the folder may well have a space: what is said there must not become personal. */
      isKnown: boolean;
    }
  | { ok: false; failure: Failure };

/** The session's space; null: personal only. */
export function resolveSessionSpace(inputs: SessionInputs): SessionSpace {
  return inputs.named ? byName(inputs.named, inputs.spaces) : byFolders(inputs);
}

function byName(named: NonNullable<SessionInputs['named']>, spaces: Spaces): SessionSpace {
  if (spaceKey(named.space) === 'personal') return decided(null, `${named.by} says personal.`);
  const space = findSpace(spaces, named.space);
  if (space !== null) return decided(space, `${named.by} says ${space}.`);
  return {
    ok: false,
    failure: {
      code: 'bad-argument',
      argument: named.by,
      reason: `there is no space ${named.space}`,
      hint: 'See `stet space list`, or make it with `stet space add`.',
    },
  };
}

function byFolders(inputs: SessionInputs): SessionSpace {
  const warnings: string[] = [];
  for (const source of FOLDER_SOURCES) {
    const given = inputs.folders.filter((folder) => folder.source === source);
    const missing = given.filter((folder) => folder.realPath === null);
    warnings.push(...missing.map((folder) => `${source}: there is no folder ${folder.given}.`));
    // An explicit folder that is not there is a mistake: taking the next one would be a guess.
    if (source === '--project' && missing.length > 0) {
      return undecided('The folder that --project names does not exist, so personal only.', warnings);
    }
    const usable = given.filter((folder) => {
      const reason = folder.realPath === null ? null : rejection(folder.realPath, inputs);
      if (reason !== null && source !== 'working directory') {
        warnings.push(`${source}: ${folder.given} is ${reason}, not a project.`);
      }
      return folder.realPath !== null && reason === null;
    });
    if (usable.length > 0) return bySpacesOf(usable, inputs, warnings);
  }
  return decided(null, 'No project folder is known, so personal only.', warnings);
}

/** The space of one source's folders, if all that name one name the same. */
function bySpacesOf(folders: readonly ProjectFolder[], inputs: SessionInputs, warnings: string[]): SessionSpace {
  const claims = folders.map((folder) => claimOf(folder, inputs));
  warnings.push(...claims.flatMap((claim) => claim.warnings));
  if (claims.some((claim) => claim.unclear)) return undecided('The space is not clear, so personal only.', warnings);
  const named = claims.filter((claim) => claim.space !== null);
  const [first] = named;
  const where = folders.map((folder) => folder.given).join(', ');
  if (!first) return decided(null, `No space has the folder or the remote of ${where}, so personal only.`, warnings);
  const other = named.find((claim) => claim.space !== first.space);
  if (other) {
    warnings.push(`The project's folders belong to different spaces, ${first.space} and ${other.space}.`);
    return undecided('The space is not clear, so personal only.', warnings);
  }
  return decided(first.space, first.rule, warnings);
}

interface Claim {
  readonly space: Space;
  readonly rule: string;
  readonly warnings: readonly string[];
  /** Two spaces, or one that does not exist, are named: nothing may be taken for granted. */
  readonly unclear: boolean;
}

/** What machine.yaml and spaces.yaml say of one folder. */
function claimOf(folder: ProjectFolder, inputs: SessionInputs): Claim {
  const byFolder = claimByFolder(folder, inputs);
  const byRemote = claimByRemote(folder, inputs);
  const warnings = [...byFolder.warnings, ...byRemote.warnings];
  if (byFolder.unclear || byRemote.unclear) return { space: null, rule: '', warnings, unclear: true };
  if (byFolder.space !== null && byRemote.space !== null && byFolder.space !== byRemote.space) {
    const message = `${folder.given} belongs to ${byFolder.space} by machine.yaml, but its remote to ${byRemote.space} by spaces.yaml.`;
    return { space: null, rule: '', warnings: [...warnings, message], unclear: true };
  }
  const rules = [byFolder.rule, byRemote.rule].filter((rule) => rule !== '');
  return { space: byFolder.space ?? byRemote.space, rule: rules.join(' '), warnings, unclear: false };
}

const NO_CLAIM: Claim = { space: null, rule: '', warnings: [], unclear: false };

function claimByFolder(folder: ProjectFolder, inputs: SessionInputs): Claim {
  const best = longestMatches(folder, inputs);
  const [first] = best;
  if (!first) return NO_CLAIM;
  const space = findSpace(inputs.spaces, first.space);
  if (space === null)
    return unclear(`machine.yaml gives ${first.folder} to ${first.space}, and there is no such space.`);
  const other = best.find((mapped) => findSpace(inputs.spaces, mapped.space) !== space);
  if (other)
    return unclear(`machine.yaml gives one folder to ${space} (${first.folder}) and ${other.space} (${other.folder}).`);
  return { ...NO_CLAIM, space, rule: `machine.yaml gives ${first.folder} to ${space}.` };
}

/** The mapped folders of the longest path that holds this one: several where machine.yaml has it under two names. */
function longestMatches(folder: ProjectFolder, inputs: SessionInputs): MappedFolder[] {
  const own = components(folder.realPath, inputs);
  const root = components(folder.worktree?.root ?? null, inputs);
  const main = components(folder.worktree?.main ?? null, inputs);
  if (own === null) return [];
  const direct = longest(own, inputs);
  if (root === null || main === null || !isWithin(own, root)) return direct.matches;
  // A worktree is its repository wherever it lies, unless machine.yaml names the worktree itself.
  if (direct.length >= root.length) return direct.matches;
  const mapped = longest([...main, ...own.slice(root.length)], inputs);
  return mapped.matches.length > 0 ? mapped.matches : direct.matches;
}

function longest(path: readonly string[], inputs: SessionInputs): { length: number; matches: MappedFolder[] } {
  let best: { length: number; matches: MappedFolder[] } = { length: 0, matches: [] };
  for (const mapped of inputs.mapped) {
    const ancestor = components(mapped.realPath, inputs);
    if (ancestor === null || !isWithin(path, ancestor) || ancestor.length < best.length) continue;
    best = { length: ancestor.length, matches: [...(ancestor.length === best.length ? best.matches : []), mapped] };
  }
  return best;
}

function claimByRemote(folder: ProjectFolder, inputs: SessionInputs): Claim {
  const remote = folder.remote === null ? null : normaliseRemote(folder.remote);
  if (remote === null) return NO_CLAIM;
  const owners = inputs.spaces.entries.filter((space) => space.remotes.some((own) => normaliseRemote(own) === remote));
  const [first, other] = owners;
  if (!first) return NO_CLAIM;
  if (other) return unclear(`spaces.yaml gives the remote ${remote} to ${first.name} and ${other.name}.`);
  return { ...NO_CLAIM, space: first.name, rule: `spaces.yaml gives the remote ${remote} to ${first.name}.` };
}

function unclear(warning: string): Claim {
  return { space: null, rule: '', warnings: [warning], unclear: true };
}

// A server started without a folder, or by a package runner, stands in one of these: it says nothing of a project.
const CACHE_FOLDERS = [
  'node_modules',
  '_npx',
  '_cacache',
  '.npm',
  'npm-cache',
  '.pnpm-store',
  'pnpm/store',
  'pnpm/dlx',
  '.yarn/cache',
  '.yarn/berry',
  '.bun/install',
  '.cache',
  'library/caches',
  'site-packages',
  'uv/cache',
  'uv/tools',
  'pipx/venvs',
  '.cargo/registry',
  'go/pkg/mod',
  '.m2/repository',
  '.gradle/caches',
  '.nuget/packages',
].map((folder) => folder.split('/'));

function rejection(realPath: string, inputs: SessionInputs): string | null {
  const path = components(realPath, inputs);
  if (path === null) return 'no whole path';
  if (path.length === 1) return 'the root of the file system';
  const home = components(inputs.home, inputs);
  if (home !== null && home.length === path.length && isWithin(path, home)) return 'the home folder';
  const names = path.map((name) => name.toLowerCase());
  const cached = CACHE_FOLDERS.some((cache) => names.some((_, start) => isWithin(names.slice(start), cache)));
  return cached ? 'a package cache' : null;
}

function components(path: string | null, inputs: SessionInputs): readonly string[] | null {
  return path === null ? null : pathComponents(path, inputs.paths);
}

function decided(space: Space, rule: string, warnings: readonly string[] = []): SessionSpace {
  return { ok: true, space, rule, warnings, isKnown: true };
}

function undecided(rule: string, warnings: readonly string[]): SessionSpace {
  return { ok: true, space: null, rule, warnings, isKnown: false };
}
