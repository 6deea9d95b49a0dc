// git's configuration, read from its files (git-config, "SYNTAX"): enough of it to know who the user is and what the
// repository asks for. Invariant: the last value wins, as in git; a file that cannot be read says nothing.
import fs from 'node:fs';
import os from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

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

/** Everything that git would take into account in this repository, in its order. */
export function readConfig(gitFolder: string, surroundings: ConfigSurroundings): GitConfig {
  const { env } = surroundings;
  const context: IncludeContext = { gitFolder, home: surroundings.home };
  const files = [...userConfigFiles(surroundings), join(gitFolder, 'config')];
  const settings = files.flatMap((file) => readConfigFile(file, context, 0));
  for (let at = 0; at < Number(env['GIT_CONFIG_COUNT'] ?? 0); at++) {
    const key = env[`GIT_CONFIG_KEY_${at}`];
    if (key !== undefined) settings.push({ key: lowerKey(key), value: env[`GIT_CONFIG_VALUE_${at}`] ?? '' });
  }
  return new GitConfig(settings);
}

/** The repository's own file alone: what describes its format. */
export function readRepositoryConfig(gitFolder: string): GitConfig {
  return new GitConfig(readConfigFile(join(gitFolder, 'config'), null, 0));
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

function readConfigFile(path: string, context: IncludeContext | null, depth: number): ConfigSetting[] {
  const text = readText(path);
  if (text === null || depth > MAX_INCLUDE_DEPTH) return [];
  return parseConfig(text).flatMap((setting) => {
    if (context === null || !isIncludeThatHolds(setting, context, path)) return [setting];
    return [setting, ...readConfigFile(expand(setting.value ?? '', context, path), context, depth + 1)];
  });
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
  if (glob.startsWith('~/') || glob.startsWith('./')) glob = expand(glob, context, from).replaceAll('\\', '/');
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

function expand(path: string, context: IncludeContext, from: string): string {
  if (path.startsWith('~/')) return join(context.home, path.slice(2)) + (path.endsWith('/') ? '/' : '');
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
