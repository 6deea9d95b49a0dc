// A real sshd on loopback, of this user alone, with keys of its own. Where sshd is not installed there is none, and tests
// that need one say so.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { until } from '../temporary-memory.ts';

const SSHD = ['/usr/sbin/sshd', '/usr/bin/sshd', '/opt/homebrew/sbin/sshd'].find((path) => existsSync(path)) ?? null;

/** Why there can be no server here; null when there can. */
export const WHY_NO_SSHD: string | null = SSHD === null ? 'sshd is not installed' : null;

export class SshServer {
  readonly port: number;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, port: number, child: ChildProcess) {
    this.#folder = folder;
    this.port = port;
    this.#child = child;
  }

  /** `folder`: an empty one, of this server alone. */
  static async start(folder: string): Promise<SshServer> {
    if (SSHD === null) throw new Error('sshd is not installed');
    mkdirSync(folder, { recursive: true });
    const key = (name: string) =>
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
    for (const name of ['host', 'user', 'stranger']) key(name);
    writeFileSync(join(folder, 'authorized_keys'), readFileSync(join(folder, 'user.pub')));
    const port = await freePort();
    writeFileSync(
      join(folder, 'sshd_config'),
      [
        `Port ${port}`,
        'ListenAddress 127.0.0.1',
        `HostKey "${join(folder, 'host')}"`,
        `AuthorizedKeysFile "${join(folder, 'authorized_keys')}"`,
        `PidFile "${join(folder, 'pid')}"`,
        'PasswordAuthentication no',
        'KbdInteractiveAuthentication no',
        'UsePAM no',
        'StrictModes no',
        '',
      ].join('\n'),
    );
    // What sshd started by hand misses where no service ever ran.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    const child = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const server = new SshServer(folder, port, child);
    await until(
      () => Promise.resolve(said),
      (text) => text.includes('Server listening') || child.exitCode !== null,
    );
    if (child.exitCode !== null) throw new Error(`sshd: ${said}`);
    return server;
  }

  url(path: string): string {
    return `ssh://${os.userInfo().username}@127.0.0.1:${this.port}${encodeURI(path)}`;
  }

  /** The user's own ssh command, as configured for this server. `known`: whether the host's key is. */
  command({ key = 'user', known = true }: { key?: 'user' | 'stranger'; known?: boolean } = {}): string {
    const hosts = join(this.#folder, known ? 'known_hosts' : 'no_hosts');
    const [type, value] = readFileSync(join(this.#folder, 'host.pub'), 'utf8').split(' ');
    if (known) writeFileSync(hosts, `[127.0.0.1]:${this.port} ${type} ${value}\n`);
    chmodSync(join(this.#folder, key), 0o600);
    return `ssh -F none -i '${join(this.#folder, key)}' -o IdentitiesOnly=yes -o UserKnownHostsFile='"${hosts}"' -o GlobalKnownHostsFile=/dev/null`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode !== null) return;
    this.#child.kill();
    await ended;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
