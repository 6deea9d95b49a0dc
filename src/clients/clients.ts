// The clients, as data: what each is called, how its file lists servers, and the command of its own that does it.

import type { ConfigFormat, EntryKeys } from './config-format.ts';
import { jsonConfig } from './json-config.ts';
import type { ClientId, Scope } from './locations.ts';
import type { ServerCommand } from './server-entry.ts';
import { tomlConfig } from './toml-config.ts';

/** A command line of a client, as a program and its arguments. */
export interface OwnCommand {
  /** Looked up on PATH. */
  readonly program: string;
  /** The scopes that it can write to. */
  readonly scopes: readonly Scope['type'][];
  add(server: ServerCommand, keys: EntryKeys, scope: Scope['type']): readonly string[];
  remove(name: string, scope: Scope['type']): readonly string[];
}

export interface Client {
  readonly id: ClientId;
  /** As its makers write it. */
  readonly title: string;
  /** Other names that people give it. */
  readonly aliases: readonly string[];
  /** Programs that show that it is installed, by name. */
  readonly programs: readonly string[];
  readonly format: ConfigFormat;
  /** An entry as this client's file has it. */
  readonly entry: (server: ServerCommand) => EntryKeys;
  /** Null where it has no command that adds and removes. */
  readonly own: OwnCommand | null;
  /** Whether the project folder has to be written into an entry of a project, because the client may not tell it. */
  readonly needsProject: boolean;
  /** Whether it starts servers of the user's scope outside of any project. */
  readonly hasNoFolder: boolean;
}

const plainEntry = ({ command, args }: ServerCommand): EntryKeys => ({ command, args });
const typedEntry = ({ command, args }: ServerCommand): EntryKeys => ({ type: 'stdio', command, args });

export const CLIENTS: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    aliases: ['claude'],
    programs: ['claude'],
    // A file with a comment or a comma too much is set aside by Claude Code as corrupt, and a new one begun.
    format: jsonConfig({ servers: ['mcpServers'], takes: 'json' }),
    entry: typedEntry,
    own: {
      program: 'claude',
      scopes: ['user', 'project'],
      add: ({ name }, keys, scope) => ['mcp', 'add-json', '--scope', scope, name, JSON.stringify(keys)],
      remove: (name, scope) => ['mcp', 'remove', '--scope', scope, name],
    },
    needsProject: false,
    hasNoFolder: false,
  },
  {
    id: 'codex',
    title: 'Codex',
    aliases: ['codex-cli'],
    programs: ['codex'],
    format: tomlConfig('mcp_servers'),
    entry: plainEntry,
    own: {
      program: 'codex',
      scopes: ['user'],
      add: ({ name, command, args }) => ['mcp', 'add', name, '--', command, ...args],
      remove: (name) => ['mcp', 'remove', name],
    },
    needsProject: false,
    hasNoFolder: false,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    aliases: [],
    programs: ['cursor', 'cursor-agent'],
    format: jsonConfig({ servers: ['mcpServers'], takes: 'comments-and-trailing-commas' }),
    // It tells the transport from the other keys, and does not read a `type`.
    entry: plainEntry,
    own: null,
    // Some versions announce roots and do not answer for them; servers of the user's file start in the home folder.
    needsProject: true,
    hasNoFolder: true,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    aliases: ['vs-code', 'code'],
    programs: ['code', 'code-insiders'],
    format: jsonConfig({ servers: ['servers'], takes: 'comments-and-trailing-commas' }),
    entry: typedEntry,
    // `code --add-mcp` adds, but there is none that removes.
    own: null,
    needsProject: false,
    hasNoFolder: false,
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    aliases: [],
    programs: [],
    format: jsonConfig({ servers: ['mcpServers'], takes: 'comments-and-trailing-commas' }),
    entry: plainEntry,
    own: null,
    needsProject: false,
    hasNoFolder: true,
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    aliases: ['gemini'],
    programs: ['gemini'],
    format: jsonConfig({ servers: ['mcpServers'], takes: 'comments' }),
    entry: plainEntry,
    own: {
      program: 'gemini',
      scopes: ['user', 'project'],
      add: ({ name, command, args }, _, scope) => ['mcp', 'add', '--scope', scope, name, command, '--', ...args],
      remove: (name, scope) => ['mcp', 'remove', '--scope', scope, name],
    },
    needsProject: false,
    hasNoFolder: false,
  },
  {
    id: 'opencode',
    title: 'opencode',
    aliases: ['open-code'],
    programs: ['opencode'],
    // Its second version lists servers below `mcp.servers`, and reads the first version's place too.
    format: jsonConfig({
      servers: ['mcp'],
      otherServers: ['mcp', 'servers'],
      takes: 'comments-and-trailing-commas',
    }),
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
    // `opencode mcp add` adds, but there is none that removes.
    own: null,
    needsProject: false,
    hasNoFolder: false,
  },
];

/** A client by its id or by another name that people give it. */
export function findClient(name: string): Client | undefined {
  const wanted = name.trim().toLowerCase();
  return CLIENTS.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}

/** The command line in an entry: `command` and `args`, or a `command` that is a list of both; empty without one. */
export function commandWords(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { command, args } = entry as { command?: unknown; args?: unknown };
  return [command, args].flat().filter((word) => typeof word === 'string');
}
