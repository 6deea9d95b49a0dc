import { describe, expect, test } from 'vitest';
import { normaliseRemote } from './remote-address.ts';

describe('a remote has one address', () => {
  test.each([
    'git@github.com:acme/app.git',
    'git@github.com:acme/app',
    'git@github.com:/acme/app.git',
    'https://github.com/acme/app',
    'https://github.com/acme/app.git',
    'https://github.com/acme/app/',
    'https://user@github.com/acme/app.git',
    'https://user:secret-token@github.com/acme/app.git',
    'https://GitHub.com/Acme/App.git',
    'https://github.com:443/acme/app',
    'http://github.com/acme/app',
    'ssh://git@github.com/acme/app.git',
    'ssh://git@github.com:22/acme/app.git',
    'ssh://git@ssh.github.com:443/acme/app.git',
    'git+ssh://git@github.com/acme/app.git',
    'git://github.com/acme/app.git',
    'github.com/acme/app',
    '  github.com/acme/app\n',
    'https://github.com/acme/app?tab=readme#start',
  ])('%s is github.com/acme/app', (remote) => {
    expect(normaliseRemote(remote)).toBe('github.com/acme/app');
  });

  test.each([
    ['git@git.acme.example:Team/App.git', 'git.acme.example/Team/App'],
    ['ssh://git@git.acme.example:2222/Team/App.git', 'git.acme.example/Team/App'],
    ['https://git.acme.example:8443/Team/App.git', 'git.acme.example:8443/Team/App'],
    ['git.acme.example:8443/Team/App', 'git.acme.example:8443/Team/App'],
    ['git@gitbox:app.git', 'gitbox/app'],
    ['https://gitlab.com/group/sub/app.git', 'gitlab.com/group/sub/app'],
    ['git@ssh.dev.azure.com:v3/acme/shop/api', 'dev.azure.com/acme/shop/_git/api'],
    ['https://acme@dev.azure.com/acme/shop/_git/api', 'dev.azure.com/acme/shop/_git/api'],
    ['https://dev.azure.com/acme/my%20shop/_git/api', 'dev.azure.com/acme/my shop/_git/api'],
    ['/srv/git/app.git', 'file:///srv/git/app'],
    ['file:///srv/git/app.git', 'file:///srv/git/app'],
    ['C:\\git\\app.git', 'file:///C:/git/app'],
    ['file:///C:/git/app.git', 'file:///C:/git/app'],
  ])('%s is %s', (remote, address) => {
    expect(normaliseRemote(remote)).toBe(address);
  });

  test('which normalises to itself', () => {
    for (const remote of ['git@github.com:acme/app.git', 'https://git.acme.example:8443/a/b', '/srv/git/app.git']) {
      const address = normaliseRemote(remote) ?? '';
      expect(normaliseRemote(address)).toBe(address);
    }
  });

  test.each([
    ['git@github.com:acme/app.git', 'git@github.com:acme/app2.git'],
    ['git@github.com:acme/app.git', 'git@gitlab.com:acme/app.git'],
    ['git@github.com:acme/app.git', 'git@github.com:acme/app/more.git'],
    ['https://git.acme.example:8443/a/b', 'https://git.acme.example:9443/a/b'],
    ['git@git.acme.example:a/b', 'git@git.acme.example:A/b'],
  ])('%s and %s are two', (a, b) => {
    expect(normaliseRemote(a)).not.toBe(normaliseRemote(b));
  });

  test.each(['', ' ', 'acme', 'https://github.com', 'https://github.com/', '/', 'git@github.com:'])(
    '%j is no address',
    (text) => {
      expect(normaliseRemote(text)).toBeNull();
    },
  );
});
