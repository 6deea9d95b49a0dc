// git's configuration, read from its files (git-config, "SYNTAX"): enough of it to know who the user is and what the
// repository asks for. Invariant: the last value wins, as in git; a file that cannot be read says nothing.
import fs from 'node:fs';
import os from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { RuleFiles } from './rule-files.ts';

/** Where values come from that git would read too; tests give their own. */
export interface ConfigSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export const realSurroundings: ConfigSurroundings = { env: process.env, home: os.homedir() };

export interface ConfigSetting {
  /** Section and key in lower case, the subsection between them as it is: `user.name`, `filter.lfs.clean`. */
  readonly key: string;
  /** Null for a key without `=`: true. */
  readonly value: string | null;
}

/** An included file may include another; more than this is a circle. */
const MAX_INCLUDE_DEPTH = 10;

export class GitConfig {
  readonly settings: readonly ConfigSetting[];

  constructor(settings: readonly ConfigSetting[]) {
    this.settings = settings;
  }

  /** The last value of a key, or null when it is set nowhere. A key without a value is `true`. */
  get(key: string): string | null {
    const setting = this.settings.findLast((candidate) => candidate.key === key);
    return setting === undefined ? null : (setting.value ?? 'true');
  }

  /** `true`, `yes`, `on`, any number but 0 (git-config, "boolean"). */
  isOn(key: string, byDefault: boolean): boolean {
    const value = this.get(key)?.toLowerCase();
    if (value === undefined) return byDefault;
    if (['true', 'yes', 'on'].includes(value)) return true;
    if (['false', 'no', 'off', ''].includes(value)) return false;
    return Number(value) !== 0;
  }
}

/** Reads the configuration of one repository, again and again; a file is parsed anew when it has changed. */
export class ConfigReader {
  readonly #gitFolder: string;
  readonly #surroundings: ConfigSurroundings;
  readonly #files = new RuleFiles(parseConfig);

  constructor(gitFolder: string, surroundings: ConfigSurroundings) {
    this.#gitFolder = gitFolder;
    this.#surroundings = surroundings;
  }

  /** Everything that git would take into account in this repository, in its order. */
  all(): GitConfig {
    return new GitConfig([...this.users().settings, ...this.#read(this.#ownFile(), true, 0), ...this.#environment()]);
  }

  /** What the user and the system say, without the repository: the only voices on whether to trust it. */
  users(): GitConfig {
    return new GitConfig(userConfigFiles(this.#surroundings).flatMap((file) => this.#read(file, true, 0)));
  }

  /** The repository's own file alone: what describes its format. */
  repository(): GitConfig {
    return new GitConfig(this.#read(this.#ownFile(), false, 0));
  }

  #ownFile(): string {
    return join(this.#gitFolder, 'config');
  }

  #read(path: string, withIncludes: boolean, depth: number): readonly ConfigSetting[] {
    if (depth > MAX_INCLUDE_DEPTH) return [];
    const settings = this.#files.read(path, { followsLinks: true });
    if (!withIncludes) return settings;
    const context: IncludeContext = { gitFolder: this.#gitFolder, home: this.#surroundings.home };
    return settings.flatMap((setting) => {
      if (!isIncludeThatHolds(setting, context, path)) return [setting];
      return [setting, ...this.#read(expand(setting.value ?? '', context.home, path), true, depth + 1)];
    });
  }

  #environment(): ConfigSetting[] {
    const { env } = this.#surroundings;
    return Array.from({ length: Number(env['GIT_CONFIG_COUNT'] ?? 0) }, (_, at) => ({
      key: lowerKey(env[`GIT_CONFIG_KEY_${at}`] ?? ''),
      value: env[`GIT_CONFIG_VALUE_${at}`] ?? '',
    }));
  }
}

/** System and user files, in git's order. */
export function userConfigFiles({ env, home }: ConfigSurroundings): string[] {
  const files: string[] = [];
  const noSystem = new GitConfig([{ key: 'no', value: env['GIT_CONFIG_NOSYSTEM'] ?? 'false' }]).isOn('no', false);
  if (env['GIT_CONFIG_SYSTEM'] !== undefined) files.push(env['GIT_CONFIG_SYSTEM']);
  else if (!noSystem) files.push(...SYSTEM_FILES);
  if (env['GIT_CONFIG_GLOBAL'] !== undefined) return [...files, env['GIT_CONFIG_GLOBAL']];
  return [...files, join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'config'), join(home, '.gitconfig')];
}

/** Where the usual builds of git look: distributions, Homebrew on both processors, Git for Windows. */
const SYSTEM_FILES =
  process.platform === 'win32'
    ? ['C:/Program Files/Git/etc/gitconfig']
    : ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];

interface IncludeContext {
  readonly gitFolder: string;
  readonly home: string;
}

function isIncludeThatHolds({ key, value }: ConfigSetting, context: IncludeContext, from: string): boolean {
  if (value === null) return false;
  if (key === 'include.path') return true;
  const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1];
  const gitdir = /^gitdir(\/i)?:(.*)$/s.exec(condition ?? '');
  if (gitdir !== null) return matchesGitFolder(gitdir[2] ?? '', gitdir[1] !== undefined, context, from);
  const branch = /^onbranch:(.*)$/s.exec(condition ?? '')?.[1];
  if (branch === undefined) return false;
  const head = /^ref: refs\/heads\/(.*)$/.exec(readText(join(context.gitFolder, 'HEAD'))?.trim() ?? '')?.[1];
  return head !== undefined && globToExpression(branch.endsWith('/') ? `${branch}**` : branch, false).test(head);
}

function matchesGitFolder(pattern: string, ignoreCase: boolean, context: IncludeContext, from: string): boolean {
  let glob = pattern.replaceAll('\\', '/');
  if (glob.startsWith('~/') || glob.startsWith('./')) glob = expand(glob, context.home, from).replaceAll('\\', '/');
  else if (!isAbsolute(glob)) glob = `**/${glob}`;
  if (pattern.endsWith('/')) glob = `${glob.replace(/\/$/, '')}/**`;
  return globToExpression(glob, ignoreCase).test(context.gitFolder.replaceAll('\\', '/'));
}

function globToExpression(glob: string, ignoreCase: boolean): RegExp {
  const source = glob.replaceAll(/[.+^${}()|\\]/g, '\\$&').replaceAll(/\/\*\*\/|^\*\*\/|\/\*\*$|\*|\?/g, (token) => {
    if (token === '/**/') return '/(?:.*/)?';
    if (token === '**/') return '(?:.*/)?';
    if (token === '/**') return '/.*';
    return token === '*' ? '[^/]*' : '[^/]';
  });
  return new RegExp(`^${source}$`, ignoreCase ? 'isu' : 'su');
}

/** `~/` is the home folder; other relative paths are relative to the file that holds them. */
export function expand(path: string, home: string, from: string): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(dirname(from), path);
}

function readText(path: string): string | null {
  try {
    return fs.statSync(path).isFile() ? fs.readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}

/** The settings of one file, in order. Lines that git would reject are passed over. */
export function parseConfig(text: string): ConfigSetting[] {
  const settings: ConfigSetting[] = [];
  let section = '';
  for (const line of joinContinuations(text)) {
    let rest = line.trim();
    const header = /^\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/s.exec(rest);
    if (header !== null) {
      const subsection = header[2]?.replaceAll(/\\(.)/gs, '$1');
      section = `${(header[1] ?? '').toLowerCase()}${subsection === undefined ? '' : `.${subsection}`}`;
      rest = rest.slice(header[0].length).trim();
    }
    const assignment = /^([A-Za-z][A-Za-z0-9-]*)\s*(=?)(.*)$/s.exec(rest);
    if (assignment === null || section === '') continue;
    const key = `${section}.${(assignment[1] ?? '').toLowerCase()}`;
    settings.push({ key, value: assignment[2] === '=' ? parseValue(assignment[3] ?? '') : null });
  }
  return settings;
}

function joinContinuations(text: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const endsOpen = (/\\*$/.exec(line)?.[0].length ?? 0) % 2 === 1;
    if (endsOpen) {
      open += line.slice(0, -1);
      continue;
    }
    lines.push(open + line);
    open = '';
  }
  return open === '' ? lines : [...lines, open];
}

/** Quotes group, a backslash escapes, `#` and `;` outside quotes begin a comment, blanks at the ends go. */
function parseValue(text: string): string {
  let value = '';
  let kept = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') quoted = !quoted;
    else if (char === '\\') value += ESCAPES[text[++at] ?? ''] ?? text[at] ?? '';
    else if (!quoted && (char === '#' || char === ';')) break;
    else if (!quoted && /\s/.test(char)) {
      if (value !== '') value += char;
      continue;
    } else value += char;
    kept = value.length;
  }
  return value.slice(0, kept);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

function lowerKey(key: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  return `${key.slice(0, first).toLowerCase()}${key.slice(first, last)}${key.slice(last).toLowerCase()}`;
}
