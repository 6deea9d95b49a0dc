import { describe, expect, it } from 'vitest';
import { isLoopback, isPublicHost, readRemoteUrl, withoutPassword } from './remote-url.ts';

describe('an address to sync with', () => {
  it.each([
    ['https://github.com/ann/stet.git', { kind: 'https', host: 'github.com' }],
    ['https://ann@Host.example:8443/stet', { kind: 'https', host: 'host.example' }],
    ['http://127.0.0.1:8000/stet.git', { kind: 'http', host: '127.0.0.1' }],
    ['ssh://ann@host.example:2222/~/stet.git', { kind: 'ssh', host: 'host.example' }],
    ['git@github.com:ann/stet.git', { kind: 'ssh', host: 'github.com' }],
    ['nas:stet.git', { kind: 'ssh', host: 'nas' }],
    ['ann@[::1]:stet.git', { kind: 'ssh', host: '[::1]' }],
    ['/mnt/nas/stet.git', { kind: 'path', path: '/mnt/nas/stet.git' }],
    ['file:///mnt/nas/stet.git', { kind: 'path', path: '/mnt/nas/stet.git' }],
    ['file:///C:/nas/stet.git', { kind: 'path', path: 'C:/nas/stet.git' }],
    ['C:\\nas\\stet.git', { kind: 'path', path: 'C:\\nas\\stet.git' }],
    ['\\\\nas\\stet.git', { kind: 'path', path: '\\\\nas\\stet.git' }],
    ['../stet.git', { kind: 'path', path: '../stet.git' }],
    ['stet.git', { kind: 'path', path: 'stet.git' }],
  ])('%s is understood', (given, expected) => {
    expect(readRemoteUrl(given)).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    ['', 'empty'],
    ['--upload-pack=touch /tmp/x', 'hyphen'],
    ['-oProxyCommand=touch /tmp/x', 'hyphen'],
    ['ssh://-oProxyCommand=touch/x', 'hyphen'],
    ['-oProxyCommand=x@host:path', 'hyphen'],
    ['ann@-oProxyCommand=x:path', 'hyphen'],
    ['host:-oProxyCommand=x', 'hyphen'],
    ['ssh://host/-x', 'hyphen'],
    ['ext::sh -c touch% /tmp/x', 'program'],
    ['fd::3', 'program'],
    ['git://host/stet', 'neither encrypted'],
    ['ftp://host/stet', 'not supported'],
    ['file://nas/stet', 'another host'],
    ['https:///stet', 'no host'],
    ['https://ann:hunter2@host/stet', 'password'],
    ['https://:token@host/stet', 'password'],
    [`https://ghp_${'x'.repeat(20)}@host/stet`, 'token'],
    [`https://${'0123456789abcdef'.repeat(2)}@host/stet`, 'token'],
    ['ssh://ann:hunter2@host/stet', 'password'],
    ['https://host/stet\n--upload-pack=x', 'control character'],
    ['host\0:x', 'control character'],
  ])('%j is refused', (given, says) => {
    const check = readRemoteUrl(given);
    expect(check).toMatchObject({ ok: false, reason: expect.stringContaining(says) as string });
    expect(JSON.stringify(check)).not.toContain('hunter2');
  });

  it('is known to be on a host where anybody may read, or on this machine', () => {
    const read = (url: string) => {
      const check = readRemoteUrl(url);
      if (!check.ok) throw new Error(check.reason);
      return check.value;
    };
    expect(isPublicHost(read('git@ssh.github.com:ann/stet.git'))).toBe(true);
    expect(isPublicHost(read('https://git.example.org/stet'))).toBe(false);
    expect(isPublicHost(read('/github.com/stet'))).toBe(false);
    expect(isLoopback(read('http://localhost:3000/stet'))).toBe(true);
    expect(isLoopback(read('https://127.0.0.1.example.org/stet'))).toBe(false);
  });

  it('is shown without a password that came from elsewhere', () => {
    expect(withoutPassword("fatal: unable to access 'https://ann:hunter2@host/stet/': 403")).toBe(
      "fatal: unable to access 'https://***@host/stet/': 403",
    );
    expect(withoutPassword('https://tok@h/x and ssh://a:b@c/d')).toBe('https://***@h/x and ssh://a:***@c/d');
    expect(withoutPassword('git@github.com:ann/stet.git at 10:31')).toBe('git@github.com:ann/stet.git at 10:31');
  });
});
