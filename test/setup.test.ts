import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeConfigFile, writeConfigFile } from '../src/clients/config-file.ts';
import type { FileChange } from '../src/service/change-client-file.ts';
import { setupClients, type SetupReport, type SetupRequest } from '../src/service/setup-clients.ts';
import { ENTRY, run, type Outcome } from './temporary-memory.ts';

/** A home folder without any client, and a PATH with the programs that a test puts on it. */
class Home {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Home> {
    const home = new Home(await realpath(await mkdtemp(join(tmpdir(), 'stet-setup-'))));
    await mkdir(home.path('project'));
    return home;
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  async write(file: string, text: string): Promise<string> {
    await mkdir(dirname(this.path(file)), { recursive: true });
    await writeFile(this.path(file), text);
    return this.path(file);
  }

  async read(file: string): Promise<string> {
    return readFile(this.path(file), 'utf8');
  }

  /** A program of a client: a script that sees its arguments in `argv` and the home folder in `home`. */
  async program(name: string, script: string): Promise<void> {
    const head = `#!${process.execPath}\nconst fs = require('node:fs');\nconst home = process.env.HOME;\nconst argv = process.argv.slice(2);\n`;
    const path = await this.write(`bin/${name}`, head + script);
    chmodSync(path, 0o755);
  }

  /** The environment of a user who has nothing else set. */
  get env(): Record<string, string> {
    return { HOME: this.folder, USERPROFILE: this.folder, PATH: this.path('bin') };
  }

  /** Sets clients up in this home folder, by the file layout of Linux. */
  setup(clients: readonly string[], options: Partial<SetupRequest> = {}): Promise<SetupReport> {
    return setupClients({
      clients,
      mode: 'add',
      scope: { type: 'user' },
      space: null,
      instructions: false,
      dryRun: false,
      node: process.execPath,
      entry: ENTRY,
      memory: null,
      machine: { platform: 'linux', home: this.folder, env: this.env, packages: [] },
      now: () => new Date(),
      ...options,
    });
  }

  /** The same at the command line. */
  stet(...args: string[]): Promise<Outcome> {
    const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, '']));
    const kept = Object.fromEntries(['SystemRoot', 'TMPDIR', 'TEMP'].map((name) => [name, process.env[name] ?? '']));
    const options = { cwd: this.path('project'), env: { ...none, ...kept, ...this.env } };
    return run(process.execPath, [ENTRY, 'setup', ...args], options);
  }

  /** Every file below the home folder, with its text. */
  async files(): Promise<Record<string, string>> {
    const names = readdirSync(this.folder, { recursive: true }).map(String);
    const files = names.filter((name) => statSync(this.path(name)).isFile()).sort();
    return Object.fromEntries(await Promise.all(files.map(async (name) => [name, await this.read(name)] as const)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const COMMAND = { command: process.execPath, args: [ENTRY, 'mcp'] };
const MCP = '{\n  // mine\n  "mcpServers": {\n    "github": { "command": "gh" }, // tail\n  },\n}\n';
const POSIX = process.platform !== 'win32';

const PROJECT = (home: Home) => ({ scope: { type: 'project', folder: home.path('project') } }) as const;

function statuses({ servers }: SetupReport): ReadonlyArray<readonly [client: string, status: string]> {
  return servers.map(({ client, change }) => [client, change.status] as const);
}

function backupOf(change: FileChange | undefined): string {
  return (change !== undefined && 'backup' in change ? change.backup : null) ?? '';
}

function reasons({ servers }: SetupReport): string {
  return servers
    .map(({ change }) => ('reason' in change ? change.reason : (change.remark ?? '')))
    .filter((reason) => reason !== '')
    .join('\n');
}

describe('setting up clients', () => {
  it('adds an entry to those that are installed, once, and takes it out again', async () => {
    await using home = await Home.make();
    await home.write('.cursor/mcp.json', MCP);
    await home.write('.codex/config.toml', 'model = "x" # mine\n');
    const before = await home.files();

    const report = await home.setup([]);
    expect(statuses(report)).toEqual([
      ['codex', 'added'],
      ['cursor', 'added'],
    ]);
    const cursor = await home.read('.cursor/mcp.json');
    expect(cursor).toContain('"github": { "command": "gh" }, // tail');
    expect(cursor).toContain(JSON.stringify(ENTRY));
    expect(await home.read('.codex/config.toml')).toMatch(/^model = "x" # mine\n\n\[mcp_servers\.stet\]\n/);
    for (const { change } of report.servers) {
      expect(await readFile(backupOf(change), 'utf8')).toBe(before[(change.file ?? '').slice(home.folder.length + 1)]);
    }

    const files = await home.files();
    expect(statuses(await home.setup([]))).toEqual([
      ['codex', 'unchanged'],
      ['cursor', 'unchanged'],
    ]);
    expect(await home.files()).toEqual(files);

    expect(statuses(await home.setup([], { mode: 'remove' })).map(([, status]) => status)).toEqual([
      'removed',
      'removed',
    ]);
    const after = await home.files();
    expect(Object.fromEntries(Object.keys(before).map((name) => [name, after[name]]))).toEqual(before);
  });

  it('makes the file of a client that has none', async () => {
    await using home = await Home.make();
    await home.setup(['claude-code', 'gemini', 'opencode']);
    const entry = async (file: string) => JSON.parse(await home.read(file)) as unknown;
    expect(await entry('.claude.json')).toEqual({ mcpServers: { stet: { type: 'stdio', ...COMMAND } } });
    expect(await entry('.gemini/settings.json')).toEqual({ mcpServers: { stet: COMMAND } });
    expect(await entry('.config/opencode/opencode.json')).toEqual({
      mcp: { stet: { type: 'local', command: [process.execPath, ENTRY, 'mcp'] } },
    });
  });

  it('uses the file that is there, of those that a client reads', async () => {
    await using home = await Home.make();
    await home.write('.config/opencode/opencode.jsonc', '{\n  // mine\n}\n');
    await mkdir(home.path('.config/Code - Insiders/User'), { recursive: true });
    await home.setup(['opencode', 'vscode']);
    expect(Object.keys(await home.files()).filter((name) => !name.endsWith('.stet-backup'))).toEqual(
      ['.config/Code - Insiders/User/mcp.json', '.config/opencode/opencode.jsonc'].map((name) => join(name)),
    );
  });

  it('writes the files of a project, and tells Cursor which project that is', async () => {
    await using home = await Home.make();
    const report = await home.setup(['claude-code', 'codex', 'cursor', 'vscode', 'claude-desktop'], PROJECT(home));
    expect(statuses(report)).toEqual([
      ['claude-code', 'added'],
      ['codex', 'added'],
      ['cursor', 'added'],
      ['vscode', 'added'],
      ['claude-desktop', 'unsupported'],
    ]);
    expect(Object.keys(await home.files())).toEqual(
      ['.codex/config.toml', '.cursor/mcp.json', '.mcp.json', '.vscode/mcp.json'].map((name) => join('project', name)),
    );
    expect(JSON.parse(await home.read('project/.cursor/mcp.json'))).toEqual({
      mcpServers: { stet: { ...COMMAND, args: [ENTRY, 'mcp', '--project', home.path('project')] } },
    });
    expect(await home.read('project/.mcp.json')).not.toContain('--project');
  });

  it('leaves a broken file alone, says where it is broken, and sets up the others', async () => {
    await using home = await Home.make();
    const broken = await home.write('.cursor/mcp.json', '{\n  "mcpServers": {\n');
    const report = await home.setup(['cursor', 'gemini-cli']);
    expect(statuses(report)).toEqual([
      ['cursor', 'failed'],
      ['gemini-cli', 'added'],
    ]);
    expect(reasons(report)).toContain(`${broken}:3: The file is broken`);
    expect(await home.read('.cursor/mcp.json')).toBe('{\n  "mcpServers": {\n');
  });

  it('leaves a file that is not UTF-8 alone', async () => {
    await using home = await Home.make();
    const file = await home.write('.cursor/mcp.json', '');
    const bytes = Buffer.from('{ "caf\xe9": 1 }', 'latin1');
    await writeFile(file, bytes);
    expect(reasons(await home.setup(['cursor']))).toContain('it is not UTF-8 text');
    expect(await readFile(file)).toEqual(bytes);
  });

  it.runIf(POSIX)('writes through symbolic links, to files that are there or not, and keeps permissions', async () => {
    await using home = await Home.make();
    await home.write('dotfiles/mcp.json', MCP);
    chmodSync(home.path('dotfiles/mcp.json'), 0o600);
    await mkdir(home.path('.cursor'));
    await symlink('../dotfiles/mcp.json', home.path('.cursor/mcp.json'));
    await mkdir(home.path('.gemini'));
    await symlink(home.path('dotfiles/new.json'), home.path('.gemini/settings.json'));
    const [cursor] = (await home.setup(['cursor', 'gemini-cli'])).servers;
    for (const link of ['.cursor/mcp.json', '.gemini/settings.json']) {
      expect(lstatSync(home.path(link)).isSymbolicLink()).toBe(true);
      expect(await home.read(link)).toContain('"stet"');
    }
    expect(statSync(home.path('dotfiles/mcp.json')).mode & 0o777).toBe(0o600);
    expect(dirname(backupOf(cursor?.change))).toBe(home.path('dotfiles'));
    expect(statSync(backupOf(cursor?.change)).mode & 0o777).toBe(0o600);
  });

  it.runIf(POSIX)('uses a client’s own command, and looks at the file to see what it did', async () => {
    await using home = await Home.make();
    await home.program(
      'claude',
      `const [, verb, , scope, name, json] = argv;
const file = home + '/.claude.json';
const config = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file)) : {};
config.mcpServers ??= {};
if (verb === 'add-json') config.mcpServers[name] = JSON.parse(json); else delete config.mcpServers[name];
config.scope = scope;
fs.writeFileSync(file, JSON.stringify(config));`,
    );
    const [added] = (await home.setup(['claude-code'])).servers;
    const json = JSON.stringify({ type: 'stdio', ...COMMAND });
    expect(added?.change).toMatchObject({
      status: 'added',
      commands: [['claude', 'mcp', 'add-json', '--scope', 'user', 'stet', json]],
    });
    expect(JSON.parse(await home.read('.claude.json'))).toEqual({
      mcpServers: { stet: { type: 'stdio', ...COMMAND } },
      scope: 'user',
    });
    await home.setup(['claude-code'], { mode: 'remove' });
    expect(JSON.parse(await home.read('.claude.json'))).toEqual({ mcpServers: {}, scope: 'user' });
  });

  it.runIf(POSIX)('edits the file where the own command fails or does nothing, and says so', async () => {
    await using home = await Home.make();
    await home.program('codex', `console.error('unknown subcommand'); process.exit(2);`);
    await home.program('gemini', '');
    const report = await home.setup(['codex', 'gemini-cli']);
    expect(statuses(report).map(([, status]) => status)).toEqual(['added', 'added']);
    expect(reasons(report)).toContain('`codex mcp add` did not do it (unknown subcommand)');
    expect(reasons(report)).toContain('`gemini mcp add` did not do it; the file was edited instead');
    expect(await home.read('.codex/config.toml')).toContain('[mcp_servers.stet]');
    expect(await home.read('.gemini/settings.json')).toContain('"stet"');
  });

  it.runIf(POSIX)('never runs the own command on a file that is broken for the client, nor to update', async () => {
    await using home = await Home.make();
    await home.program('claude', `fs.writeFileSync(home + '/ran', '');`);
    await home.write('.claude.json', '{ "projects": {}, }');
    expect(statuses(await home.setup(['claude-code']))).toEqual([['claude-code', 'failed']]);
    await home.write('.claude.json', '{ "mcpServers": { "stet": { "command": "stet", "args": ["mcp"], "env": {} } } }');
    expect(statuses(await home.setup(['claude-code']))).toEqual([['claude-code', 'updated']]);
    expect(await home.read('.claude.json')).toContain('"env": {}');
    expect(existsSync(home.path('ran'))).toBe(false);
  });

  it('adds no instructions unless asked, and then one block to each file', async () => {
    await using home = await Home.make();
    await home.setup(['claude-code', 'codex'], PROJECT(home));
    expect(existsSync(home.path('project', 'AGENTS.md'))).toBe(false);
    await home.write('project/AGENTS.md', '# Rules\n');
    const all = ['claude-code', 'codex', 'cursor', 'opencode', 'claude-desktop'];
    const report = await home.setup(all, { ...PROJECT(home), instructions: true });
    expect(report.instructions.map(({ clients, change }) => [clients, change.status])).toEqual([
      [['claude-code'], 'added'],
      [['codex', 'cursor', 'opencode'], 'added'],
    ]);
    expect(report.withoutInstructions).toEqual(['Claude Desktop']);
    expect((await home.read('project/AGENTS.md')).match(/stet:start/g)).toHaveLength(1);

    const blockAlone = await home.setup(all, { ...PROJECT(home), instructions: true, mode: 'remove' });
    expect(blockAlone.servers).toEqual([]);
    expect(await home.read('project/AGENTS.md')).toBe('# Rules\n');
    expect(existsSync(home.path('project', 'CLAUDE.md'))).toBe(false);
    expect(await home.read('project/.mcp.json')).toContain('"stet"');
  });

  it('takes out one space’s entry and leaves the others and the instructions', async () => {
    await using home = await Home.make();
    await home.setup(['gemini-cli'], { instructions: true });
    await home.setup(['gemini-cli'], { space: 'acme' });
    await home.setup(['gemini-cli'], { space: 'acme', mode: 'remove' });
    expect(JSON.parse(await home.read('.gemini/settings.json'))).toEqual({ mcpServers: { stet: COMMAND } });
    expect(await home.read('.gemini/GEMINI.md')).toContain('stet:start');
  });

  it('refuses to write down a place that npm will clear', async () => {
    await using home = await Home.make();
    const entry = '/home/ana/.npm/_npx/4f2a/node_modules/stet-memory/dist/cli/main.js';
    await expect(home.setup(['cursor'], { entry })).rejects.toThrow('npm install --global stet-memory');
    expect(await home.files()).toEqual({});
  });
});

describe('stet setup', () => {
  it('shows with --dry-run what it would do, and does nothing', async () => {
    await using home = await Home.make();
    await home.write('.cursor/mcp.json', MCP);
    const before = await home.files();
    const { stdout, code } = await home.stet('cursor', 'opencode', '--dry-run', '--instructions');
    expect(code).toBe(0);
    expect(stdout).toContain(`Cursor: would be added to ${home.path('.cursor', 'mcp.json')}`);
    expect(stdout).toMatch(/^ {2}\+ {4}"stet": \{$/m);
    expect(stdout.split('\n')[1]).toBe(`  --- ${home.path('.cursor', 'mcp.json')}`);
    expect(stdout).toContain(home.path('.config', 'opencode', 'AGENTS.md'));
    expect(await home.files()).toEqual(before);
  });

  it('writes the memory into an entry where it is not the one in the home folder', async () => {
    await using home = await Home.make();
    await home.stet('cursor', '--memory', home.path('elsewhere'));
    expect(await home.read('.cursor/mcp.json')).toContain(JSON.stringify(home.path('elsewhere')));
    await home.stet('cursor', '--memory', home.path('stet'));
    expect(await home.read('.cursor/mcp.json')).not.toContain('--memory');
  });

  it('gives a space an entry of its own, by its present name, and knows the spaces', async () => {
    await using home = await Home.make();
    const memory = home.path('stet');
    await run(process.execPath, [ENTRY, 'init', memory]);
    await run(process.execPath, [ENTRY, 'space', 'add', 'acme', '--memory', memory]);
    const outcome = await home.stet('cursor', '--space', 'Acme', '--json');
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      dry_run: false,
      clients: [{ client: 'cursor', installed: false, status: 'added', file: home.path('.cursor', 'mcp.json') }],
      instructions: [],
    });
    expect(JSON.parse(await home.read('.cursor/mcp.json'))).toEqual({
      mcpServers: { 'stet-acme': { ...COMMAND, args: [ENTRY, 'mcp', '--space', 'acme'] } },
    });
    const unknown = await home.stet('cursor', '--space', 'nowhere');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('Known spaces: acme');
  });

  it('says that there is no memory yet, and nothing of it once there is one', async () => {
    await using home = await Home.make();
    const says = expect.stringContaining('`stet init` makes it') as string;
    expect(await home.stet('cursor')).toMatchObject({ code: 0, stderr: says });
    await run(process.execPath, [ENTRY, 'init', home.path('stet')]);
    expect((await home.stet('cursor')).stderr).not.toContain('stet init');
  });

  it('ends with 2 for a client that it does not know, and with 1 where nothing could be set up', async () => {
    await using home = await Home.make();
    const outcome = await home.stet('netscape');
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('Use one of claude-code, codex, cursor');
    const none = await home.stet();
    expect(none).toMatchObject({ code: 1 });
    expect(none.stderr).toContain('no client was found');
    await home.write('.cursor/mcp.json', '[]');
    expect(await home.stet('cursor')).toMatchObject({ code: 1 });
  });
});

describe('a file of a client', () => {
  it('that somebody else wrote to meanwhile is left as they wrote it', async () => {
    await using home = await Home.make();
    const file = await home.write('mcp.json', 'theirs');
    expect(writeConfigFile(file, 'as I read it', 'mine', new Date())).toEqual({ status: 'changed' });
    expect(writeConfigFile(file, null, 'mine', new Date())).toEqual({ status: 'changed' });
    expect(removeConfigFile(file, 'as I read it')).toEqual({ status: 'changed' });
    expect(await home.files()).toEqual({ 'mcp.json': 'theirs' });
  });

  it('has a backup for every change, and none is replaced', async () => {
    await using home = await Home.make();
    const file = await home.write('mcp.json', 'one');
    const now = new Date('2026-09-15T10:31:04Z');
    expect(writeConfigFile(file, 'one', 'two', now).status).toBe('written');
    expect(writeConfigFile(file, 'two', 'three', now).status).toBe('written');
    expect(await home.files()).toEqual({
      'mcp.json': 'three',
      'mcp.json.20260915T103104-2.stet-backup': 'two',
      'mcp.json.20260915T103104.stet-backup': 'one',
    });
  });

  it('that cannot be written says so and is as it was', async () => {
    await using home = await Home.make();
    const file = await home.write('folder', 'a file');
    expect(writeConfigFile(join(file, 'mcp.json'), null, 'x', new Date())).toMatchObject({ status: 'refused' });
    expect(await home.files()).toEqual({ folder: 'a file' });
  });
});
