import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configureMergeDriver, mergeDriverCommand } from './merge-driver-config.ts';

describe('the command line of the merge driver', () => {
  const END = ' merge-driver %O %A %B %P';
  it.each([
    ['linux', '/usr/bin/node', '/opt/stet/main.js', `'/usr/bin/node' '/opt/stet/main.js'`],
    ['linux', '/home/it’s me/node', "/opt/ann's/main.js", `'/home/it’s me/node' '/opt/ann'\\''s/main.js'`],
    ['linux', '/opt/a\\b/node', '/x/$HOME/`id`/"main".js', `'/opt/a\\b/node' '/x/$HOME/\`id\`/"main".js'`],
    ['linux', '/opt/100%A/node', '/x/main.js', `'/opt/100%%A/node' '/x/main.js'`],
    ['darwin', '/Applications/My App/node', '/x/main.js', `'/Applications/My App/node' '/x/main.js'`],
    [
      'win32',
      'C:\\Program Files\\nodejs\\node.exe',
      '\\\\nas\\share\\stet\\main.js',
      `'C:/Program Files/nodejs/node.exe' '//nas/share/stet/main.js'`,
    ],
  ] as const)('on %s, of %s and %s', (platform, node, entry, command) => {
    expect(mergeDriverCommand({ node, entry }, platform)).toBe(command + END);
  });

  it.runIf(process.platform !== 'win32')('is run by git as it is meant, whatever the folders are called', async () => {
    const folder = mkdtempSync(join(os.tmpdir(), 'stet-driver-'));
    try {
      const odd = join(folder, `it's 100%A "odd" $HOME a\\b`);
      mkdirSync(odd);
      const node = join(odd, 'node');
      symlinkSync(process.execPath, node);
      const entry = join(odd, 'main.js');
      const told = join(folder, 'told.json');
      const script = `require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.argv.slice(2)));`;
      writeFileSync(entry, script);
      const env = { ...process.env, GIT_CONFIG_GLOBAL: os.devNull };
      const git = (...args: string[]) =>
        execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
          env,
          stdio: 'ignore',
        });
      git('init', '-q', '-b', 'main');
      await configureMergeDriver(folder, { node, entry });
      writeFileSync(join(folder, '.gitattributes'), '*.md merge=stet\n');
      const commit = (text: string) => {
        writeFileSync(join(folder, 'a b.md'), text);
        git('add', '.gitattributes', 'a b.md');
        git('commit', '-qm', 'x');
      };
      commit('base\n');
      git('checkout', '-qb', 'side');
      commit('theirs\n');
      git('checkout', '-q', 'main');
      commit('ours\n');
      git('merge', '-q', 'side');
      expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual([
        'merge-driver',
        expect.any(String),
        expect.any(String),
        expect.any(String),
        'a b.md',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
