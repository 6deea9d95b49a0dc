import { describe, expect, it } from 'vitest';
import { GitConfig } from './git-config.ts';
import { remoteEnvironment, sshCommand } from './remote-environment.ts';

const NOTHING = new GitConfig([]);
const OPTIONS = '-o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=3';

describe('ssh', () => {
  it.each([
    [{}, [], `ssh ${OPTIONS}`],
    [{ GIT_SSH_COMMAND: 'ssh -i "my key"' }, [], `ssh -i "my key" ${OPTIONS}`],
    [{ GIT_SSH_COMMAND: "'/opt/my ssh/bin/ssh' -v" }, [], `'/opt/my ssh/bin/ssh' -v ${OPTIONS}`],
    [{}, [['core.sshcommand', 'ssh -p 2222']], `ssh -p 2222 ${OPTIONS}`],
    [{ GIT_SSH: 'C:\\Program Files\\OpenSSH\\ssh.exe' }, [], `'C:\\Program Files\\OpenSSH\\ssh.exe' ${OPTIONS}`],
    [{ GIT_SSH_COMMAND: 'plink.exe' }, [], 'plink.exe -batch'],
    [{ GIT_SSH_COMMAND: 'my-wrapper' }, [], 'my-wrapper'],
    [{ GIT_SSH_COMMAND: 'my-wrapper', GIT_SSH_VARIANT: 'ssh' }, [], `my-wrapper ${OPTIONS}`],
  ])('%j with %j is run as %s', (env, settings, expected) => {
    const config = new GitConfig(settings.map(([key = '', value = '']) => ({ key, value })));
    expect(sshCommand(env, config)).toBe(expected);
  });
});

describe('the environment in which git talks to a remote', () => {
  const https = { kind: 'https', url: 'https://ann@host.example:8443/stet.git', host: 'host.example' } as const;

  it('asks nobody, and runs no transport that a repository could bring along', () => {
    expect(remoteEnvironment({ PATH: '/bin', SSH_ASKPASS: '/usr/bin/ask' }, NOTHING, https)).toMatchObject({
      PATH: '/bin',
      GIT_ALLOW_PROTOCOL: 'file:http:https:ssh',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      SSH_ASKPASS_REQUIRE: 'never',
      GCM_INTERACTIVE: 'never',
    });
    expect(remoteEnvironment({ GIT_ASKPASS: '/my/askpass' }, NOTHING, https)['GIT_ASKPASS']).toBe('/my/askpass');
  });

  it('gives a token to the host of the remote alone, and never as a value of its own', () => {
    const env = remoteEnvironment(
      { STET_GIT_TOKEN: 'hunter2', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b' },
      NOTHING,
      https,
    );
    expect(env).toMatchObject({
      GIT_CONFIG_COUNT: '3',
      GIT_CONFIG_KEY_0: 'a.b',
      GIT_CONFIG_KEY_1: 'credential.https://host.example:8443.helper',
      GIT_CONFIG_VALUE_1: '',
      GIT_CONFIG_KEY_2: 'credential.https://host.example:8443.helper',
    });
    const { STET_GIT_TOKEN: token, ...others } = env;
    expect(token).toBe('hunter2');
    expect(JSON.stringify(others)).not.toContain('hunter2');
  });

  it('has no token for a remote that takes none', () => {
    const env = remoteEnvironment({ STET_GIT_TOKEN: 'hunter2' }, NOTHING, { kind: 'path', path: '/mnt/nas/stet.git' });
    expect(Object.keys(env).filter((name) => name.startsWith('GIT_CONFIG'))).toEqual([]);
  });
});
