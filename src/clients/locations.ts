// Where every client keeps its files, on macOS, Linux and Windows: pure functions of a machine's facts.
// Sources: the clients' own documentation, and their programs run with an empty home folder (see docs/clients.md).

import path from 'node:path';

export const CLIENT_IDS = [
  'claude-code',
  'codex',
  'cursor',
  'vscode',
  'claude-desktop',
  'gemini-cli',
  'opencode',
] as const;

export type ClientId = (typeof CLIENT_IDS)[number];

/** What decides where files are. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On Windows the names of the folders in `%LOCALAPPDATA%\Packages`: where apps of the Store keep their files. */
  readonly packages: readonly string[];
}

/** For all projects of the user, or for the one of this folder. */
export type Scope = { readonly type: 'user' } | { readonly type: 'project'; readonly folder: string };

/** In order of preference: the first that exists is used, else the first whose folder exists, else the first. */
export type Candidates = readonly string[];

/** The files that list a client's MCP servers; empty where it has none in this scope. */
export function configFiles(client: ClientId, machine: Machine, scope: Scope): Candidates {
  if (scope.type === 'project')
    return projectConfig(client).map((file) => joinPath(machine, scope.folder, ...file.split('/')));
  switch (client) {
    case 'claude-code':
      return [joinPath(machine, value(machine, 'CLAUDE_CONFIG_DIR') ?? machine.home, '.claude.json')];
    case 'codex':
      return [joinPath(machine, codexHome(machine), 'config.toml')];
    case 'cursor':
      return [joinPath(machine, machine.home, '.cursor', 'mcp.json')];
    case 'vscode':
      return vscodeUserFolders(machine).map((folder) => joinPath(machine, folder, 'mcp.json'));
    case 'claude-desktop':
      return claudeDesktopFolders(machine).map((folder) => joinPath(machine, folder, 'claude_desktop_config.json'));
    case 'gemini-cli':
      return [joinPath(machine, geminiHome(machine), 'settings.json')];
    case 'opencode':
      return ['opencode.json', 'opencode.jsonc'].map((name) => joinPath(machine, opencodeHome(machine), name));
  }
}

/** The file of standing instructions that a client reads; null where it has none that can be edited as a file. */
export function instructionsFile(client: ClientId, machine: Machine, scope: Scope): string | null {
  if (scope.type === 'project') {
    const name = projectInstructions(client);
    return name === null ? null : joinPath(machine, scope.folder, name);
  }
  switch (client) {
    case 'claude-code':
      return joinPath(
        machine,
        value(machine, 'CLAUDE_CONFIG_DIR') ?? joinPath(machine, machine.home, '.claude'),
        'CLAUDE.md',
      );
    case 'codex':
      return joinPath(machine, codexHome(machine), 'AGENTS.md');
    case 'gemini-cli':
      return joinPath(machine, geminiHome(machine), 'GEMINI.md');
    case 'opencode':
      return joinPath(machine, opencodeHome(machine), 'AGENTS.md');
    case 'cursor':
    case 'vscode':
    case 'claude-desktop':
      // Kept in the app's settings, not in a file of their own.
      return null;
  }
}

/** Files and folders that are there once the client has run on this machine. */
export function traces(client: ClientId, machine: Machine): readonly string[] {
  switch (client) {
    case 'claude-code':
      return [...configFiles(client, machine, { type: 'user' }), joinPath(machine, machine.home, '.claude')];
    case 'codex':
      return [codexHome(machine)];
    case 'cursor':
      return [joinPath(machine, machine.home, '.cursor')];
    case 'vscode':
      return vscodeUserFolders(machine);
    case 'claude-desktop':
      return claudeDesktopFolders(machine);
    case 'gemini-cli':
      return [geminiHome(machine)];
    case 'opencode':
      return [opencodeHome(machine)];
  }
}

/** Where Claude Code keeps, below a folder a project, what it has learned of it. */
export function claudeProjectsFolder(machine: Machine): string {
  return joinPath(
    machine,
    value(machine, 'CLAUDE_CONFIG_DIR') ?? joinPath(machine, machine.home, '.claude'),
    'projects',
  );
}

/** Joins paths as that machine writes them, whatever machine this code runs on. */
export function joinPath(machine: Pick<Machine, 'platform'>, ...parts: readonly string[]): string {
  return (machine.platform === 'win32' ? path.win32 : path.posix).join(...parts);
}

/** Relative to the project folder, with `/`. */
function projectConfig(client: ClientId): Candidates {
  switch (client) {
    case 'claude-code':
      return ['.mcp.json'];
    case 'codex':
      return ['.codex/config.toml'];
    case 'cursor':
      return ['.cursor/mcp.json'];
    case 'vscode':
      return ['.vscode/mcp.json'];
    case 'claude-desktop':
      return [];
    case 'gemini-cli':
      return ['.gemini/settings.json'];
    case 'opencode':
      return ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'];
  }
}

function projectInstructions(client: ClientId): string | null {
  switch (client) {
    case 'claude-code':
      return 'CLAUDE.md';
    case 'codex':
    case 'cursor':
    case 'vscode':
    case 'opencode':
      return 'AGENTS.md';
    case 'gemini-cli':
      return 'GEMINI.md';
    case 'claude-desktop':
      return null;
  }
}

function codexHome(machine: Machine): string {
  return value(machine, 'CODEX_HOME') ?? joinPath(machine, machine.home, '.codex');
}

/** GEMINI_CLI_HOME stands for the home folder, not for `.gemini`. */
function geminiHome(machine: Machine): string {
  return joinPath(machine, value(machine, 'GEMINI_CLI_HOME') ?? machine.home, '.gemini');
}

/** `~/.config/opencode` on every system, Windows too. */
function opencodeHome(machine: Machine): string {
  return joinPath(machine, value(machine, 'XDG_CONFIG_HOME') ?? joinPath(machine, machine.home, '.config'), 'opencode');
}

function vscodeUserFolders(machine: Machine): readonly string[] {
  return ['Code', 'Code - Insiders'].map((name) => joinPath(machine, appData(machine), name, 'User'));
}

/** As a package of the Store, the app sees its own copy of `%APPDATA%`, and reads nothing else. */
function claudeDesktopFolders(machine: Machine): readonly string[] {
  const local = value(machine, 'LOCALAPPDATA') ?? joinPath(machine, machine.home, 'AppData', 'Local');
  const packaged = machine.packages
    .filter((name) => /^Claude_/i.test(name))
    .map((name) => joinPath(machine, local, 'Packages', name, 'LocalCache', 'Roaming', 'Claude'));
  return [...packaged, joinPath(machine, appData(machine), 'Claude')];
}

/** Where desktop apps keep their settings. */
function appData(machine: Machine): string {
  switch (machine.platform) {
    case 'win32':
      return value(machine, 'APPDATA') ?? joinPath(machine, machine.home, 'AppData', 'Roaming');
    case 'darwin':
      return joinPath(machine, machine.home, 'Library', 'Application Support');
    default:
      return value(machine, 'XDG_CONFIG_HOME') ?? joinPath(machine, machine.home, '.config');
  }
}

/** An environment variable that says something. */
function value(machine: Machine, name: string): string | null {
  const found = machine.env[name]?.trim();
  return found === undefined || found === '' ? null : found;
}
