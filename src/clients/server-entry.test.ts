import { describe, expect, it } from 'vitest';
import { entryName, isTemporaryInstall, serverCommand, stableNodePath, startsStet } from './server-entry.ts';

const BASE = { node: '/usr/bin/node', entry: '/opt/stet/dist/cli/main.js', memory: null, space: null, project: null };

describe('the command line of an entry', () => {
  it('names what the server cannot find by itself, and nothing else', () => {
    expect(serverCommand(BASE)).toEqual({
      name: 'stet',
      command: '/usr/bin/node',
      args: ['/opt/stet/dist/cli/main.js', 'mcp'],
    });
    const named = serverCommand({ ...BASE, memory: '/data/my stet', space: 'acme', project: '/work/shop' });
    expect(named.name).toBe('stet-acme');
    expect(named.args.slice(2)).toEqual(['--memory', '/data/my stet', '--space', 'acme', '--project', '/work/shop']);
  });

  it('is known as ours again, whatever way stet was started', () => {
    expect(startsStet(['/usr/bin/node', '/opt/stet/dist/cli/main.js', 'mcp', '--space', 'mcp'])).toBe(true);
    expect(startsStet(['C:\\node.exe', 'C:\\x\\dist\\cli\\main.js', 'mcp'])).toBe(true);
    expect(startsStet(['stet', 'mcp'])).toBe(true);
    expect(startsStet(['npx', '-y', 'stet-memory@1.2.3', 'mcp'])).toBe(true);
    expect(startsStet(['npx', '-y', 'stereo', 'mcp'])).toBe(false);
    expect(startsStet(['mcp', 'stet'])).toBe(false);
    expect(startsStet(['/usr/bin/node', '/opt/stet/dist/cli/main.js', 'list'])).toBe(false);
    expect(startsStet([])).toBe(false);
  });
});

describe('the name of an entry', () => {
  it('is made of what every client takes', () => {
    expect(entryName(null)).toBe('stet');
    expect(entryName('acme')).toBe('stet-acme');
    for (const space of ['Zürich', '東京', 'a b', 'x'.repeat(100)]) {
      expect(entryName(space)).toMatch(/^stet-[a-z0-9_-]{1,40}$/);
    }
  });

  it('is another one for another space', () => {
    const spaces = ['zürich', 'zurich', 'z-rich', '東京', '京都', 'x'.repeat(41), 'x'.repeat(42)];
    expect(new Set(spaces.map((space) => entryName(space))).size).toBe(spaces.length);
  });
});

describe('paths that vanish', () => {
  it('of Homebrew’s node become the one that stays', () => {
    const cellar = '/opt/homebrew/Cellar/node@22/22.1.0_1/bin/node';
    expect(stableNodePath(cellar, () => true)).toBe('/opt/homebrew/opt/node@22/bin/node');
    expect(stableNodePath(cellar, () => false)).toBe(cellar);
    expect(stableNodePath('/home/ana/.nvm/versions/node/v22.1.0/bin/node', () => true)).toBe(
      '/home/ana/.nvm/versions/node/v22.1.0/bin/node',
    );
  });

  it('of package runners are seen', () => {
    expect(isTemporaryInstall('/home/ana/.npm/_npx/4f2a/node_modules/stet-memory/dist/cli/main.js')).toBe(true);
    expect(isTemporaryInstall('C:\\Users\\ana\\npm-cache\\_npx\\4f2a\\node_modules\\x\\main.js')).toBe(true);
    expect(isTemporaryInstall('/home/ana/.cache/pnpm/dlx-123/node_modules/x/main.js')).toBe(true);
    expect(isTemporaryInstall('/usr/lib/node_modules/stet-memory/dist/cli/main.js')).toBe(false);
  });
});
