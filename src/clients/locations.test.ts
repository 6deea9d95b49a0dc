import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, configFiles, instructionsFile, traces, type ClientId, type Machine } from './locations.ts';

const LINUX: Machine = { platform: 'linux', home: '/home/ana', env: {}, packages: [] };
const MAC: Machine = { platform: 'darwin', home: '/Users/ana', env: {}, packages: [] };
const WINDOWS: Machine = { platform: 'win32', home: 'C:\\Users\\ana', env: {}, packages: [] };
const USER = { type: 'user' } as const;

describe('the files of a client', () => {
  it.each<[ClientId, string, string, string]>([
    ['claude-code', '/home/ana/.claude.json', '/Users/ana/.claude.json', 'C:\\Users\\ana\\.claude.json'],
    ['codex', '/home/ana/.codex/config.toml', '/Users/ana/.codex/config.toml', 'C:\\Users\\ana\\.codex\\config.toml'],
    ['cursor', '/home/ana/.cursor/mcp.json', '/Users/ana/.cursor/mcp.json', 'C:\\Users\\ana\\.cursor\\mcp.json'],
    [
      'vscode',
      '/home/ana/.config/Code/User/mcp.json',
      '/Users/ana/Library/Application Support/Code/User/mcp.json',
      'C:\\Users\\ana\\AppData\\Roaming\\Code\\User\\mcp.json',
    ],
    [
      'claude-desktop',
      '/home/ana/.config/Claude/claude_desktop_config.json',
      '/Users/ana/Library/Application Support/Claude/claude_desktop_config.json',
      'C:\\Users\\ana\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ],
    [
      'gemini-cli',
      '/home/ana/.gemini/settings.json',
      '/Users/ana/.gemini/settings.json',
      'C:\\Users\\ana\\.gemini\\settings.json',
    ],
    [
      'opencode',
      '/home/ana/.config/opencode/opencode.json',
      '/Users/ana/.config/opencode/opencode.json',
      'C:\\Users\\ana\\.config\\opencode\\opencode.json',
    ],
  ])('of the user stand, for %s, where it looks for them on each system', (client, linux, mac, windows) => {
    expect(configFiles(client, LINUX, USER)[0]).toBe(linux);
    expect(configFiles(client, MAC, USER)[0]).toBe(mac);
    expect(configFiles(client, WINDOWS, USER)[0]).toBe(windows);
  });

  it('cover every client', () => {
    for (const client of CLIENT_IDS) {
      expect(configFiles(client, LINUX, USER)).not.toEqual([]);
      expect(traces(client, LINUX)).not.toEqual([]);
    }
  });

  it('of a project stand in its folder, and Claude Desktop has none', () => {
    const project = { type: 'project', folder: '/work/shop' } as const;
    expect(Object.fromEntries(CLIENT_IDS.map((client) => [client, configFiles(client, LINUX, project)]))).toEqual({
      'claude-code': ['/work/shop/.mcp.json'],
      codex: ['/work/shop/.codex/config.toml'],
      cursor: ['/work/shop/.cursor/mcp.json'],
      vscode: ['/work/shop/.vscode/mcp.json'],
      'claude-desktop': [],
      'gemini-cli': ['/work/shop/.gemini/settings.json'],
      opencode: [
        '/work/shop/opencode.json',
        '/work/shop/opencode.jsonc',
        '/work/shop/.opencode/opencode.json',
        '/work/shop/.opencode/opencode.jsonc',
      ],
    });
    expect(configFiles('cursor', WINDOWS, { type: 'project', folder: 'D:\\shop' })).toEqual([
      'D:\\shop\\.cursor\\mcp.json',
    ]);
  });

  it.each<[ClientId, Record<string, string>, string]>([
    ['claude-code', { CLAUDE_CONFIG_DIR: '/x' }, '/x/.claude.json'],
    ['codex', { CODEX_HOME: '/x' }, '/x/config.toml'],
    ['gemini-cli', { GEMINI_CLI_HOME: '/x' }, '/x/.gemini/settings.json'],
    ['opencode', { XDG_CONFIG_HOME: '/x' }, '/x/opencode/opencode.json'],
    ['vscode', { XDG_CONFIG_HOME: '/x' }, '/x/Code/User/mcp.json'],
    ['claude-desktop', { XDG_CONFIG_HOME: '/x' }, '/x/Claude/claude_desktop_config.json'],
    ['cursor', { XDG_CONFIG_HOME: '/x' }, '/home/ana/.cursor/mcp.json'],
    ['codex', { CODEX_HOME: ' ' }, '/home/ana/.codex/config.toml'],
  ])('follow, for %s, what %o says', (client, env, file) => {
    expect(configFiles(client, { ...LINUX, env }, USER)[0]).toBe(file);
  });

  it('do not follow XDG_CONFIG_HOME on macOS, where desktop apps ignore it', () => {
    const mac = { ...MAC, env: { XDG_CONFIG_HOME: '/x' } };
    expect(configFiles('vscode', mac, USER)[0]).toBe('/Users/ana/Library/Application Support/Code/User/mcp.json');
  });

  it('of Claude Desktop from the Windows Store stand in its package, before those of the plain one', () => {
    const store = {
      ...WINDOWS,
      env: { APPDATA: 'R:\\Roaming', LOCALAPPDATA: 'L:\\Local' },
      packages: ['Microsoft.Paint_8wekyb', 'Claude_pzs8sxrjxfjjc'],
    };
    expect(configFiles('claude-desktop', store, USER)).toEqual([
      'L:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      'R:\\Roaming\\Claude\\claude_desktop_config.json',
    ]);
  });

  it('of VS Code Insiders come after those of VS Code', () => {
    expect(configFiles('vscode', LINUX, USER)[1]).toBe('/home/ana/.config/Code - Insiders/User/mcp.json');
  });
});

describe('the file of instructions', () => {
  it('is the one that each client reads for all projects, where it has one', () => {
    expect(Object.fromEntries(CLIENT_IDS.map((client) => [client, instructionsFile(client, LINUX, USER)]))).toEqual({
      'claude-code': '/home/ana/.claude/CLAUDE.md',
      codex: '/home/ana/.codex/AGENTS.md',
      cursor: null,
      vscode: null,
      'claude-desktop': null,
      'gemini-cli': '/home/ana/.gemini/GEMINI.md',
      opencode: '/home/ana/.config/opencode/AGENTS.md',
    });
  });

  it('is CLAUDE.md, GEMINI.md or AGENTS.md in a project', () => {
    const project = { type: 'project', folder: '/work/shop' } as const;
    expect(Object.fromEntries(CLIENT_IDS.map((client) => [client, instructionsFile(client, LINUX, project)]))).toEqual({
      'claude-code': '/work/shop/CLAUDE.md',
      codex: '/work/shop/AGENTS.md',
      cursor: '/work/shop/AGENTS.md',
      vscode: '/work/shop/AGENTS.md',
      'claude-desktop': null,
      'gemini-cli': '/work/shop/GEMINI.md',
      opencode: '/work/shop/AGENTS.md',
    });
  });
});
