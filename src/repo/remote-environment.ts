// The environment in which git talks to other machines. Invariants: nobody is ever asked anything; a token goes to the host
// of the remote alone, and is in no argument.
import type { RemoteUrl } from '../memory/remote-url.ts';
import type { GitConfig } from './git-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a token for the remote may be put, for machines without a credential helper. */
export const TOKEN_VARIABLE = 'STET_GIT_TOKEN';
/** The user that goes with the token; most hosts take any. */
export const USER_VARIABLE = 'STET_GIT_USER';
/** What GitHub, GitLab and Gitea take for a user beside a token. */
export const TOKEN_USER = 'x-access-token';

export function remoteEnvironment(env: Environment, config: GitConfig, remote: RemoteUrl): Environment {
  return {
    ...env,
    GIT_ALLOW_PROTOCOL: 'file:http:https:ssh',
    // Set and empty: neither git's nor ssh's program for asking is run. One that the user set is meant.
    GIT_ASKPASS: env['GIT_ASKPASS'] ?? '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_SSH_COMMAND: sshCommand(env, config),
    ...tokenSettings(env, remote),
  };
}

const SSH_OPTIONS = '-o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=3';

/** The user's own ssh command (git's order: environment, configuration, `GIT_SSH`), told not to ask. */
export function sshCommand(env: Environment, config: GitConfig): string {
  const { GIT_SSH_COMMAND: command, GIT_SSH: program } = env;
  const own = command ?? config.get('core.sshcommand') ?? (program === undefined ? 'ssh' : quote(program));
  const variant = env['GIT_SSH_VARIANT'] ?? config.get('ssh.variant') ?? nameOf(own);
  if (/^(?:tortoise)?plink$/.test(variant)) return `${own} -batch`;
  // A program of another kind might take these for something else: the time limit is there for it.
  return variant === 'ssh' ? `${own} ${SSH_OPTIONS}` : own;
}

/** The program that a shell would run, without folder and `.exe`. */
function nameOf(command: string): string {
  const [, single, double, bare] = /^\s*(?:'([^']*)'|"([^"]*)"|(\S+))/.exec(command) ?? [];
  const program = single ?? double ?? bare ?? '';
  return program
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Settings by environment (git-config, `GIT_CONFIG_COUNT`), behind those that are there. The shell reads the token. */
function tokenSettings(env: Environment, remote: RemoteUrl): Environment {
  const token = env[TOKEN_VARIABLE] ?? '';
  if (token === '' || (remote.kind !== 'https' && remote.kind !== 'http')) return {};
  const before = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const { protocol, host } = new URL(remote.url);
  const key = `credential.${protocol}//${host}.helper`;
  const print = `printf 'username=%s\\npassword=%s\\n' "\${${USER_VARIABLE}:-${TOKEN_USER}}" "$${TOKEN_VARIABLE}"`;
  return {
    GIT_CONFIG_COUNT: String(before + 2),
    // Empty first: the token is meant, so no other helper is asked, nor told.
    [`GIT_CONFIG_KEY_${before}`]: key,
    [`GIT_CONFIG_VALUE_${before}`]: '',
    [`GIT_CONFIG_KEY_${before + 1}`]: key,
    [`GIT_CONFIG_VALUE_${before + 1}`]: `!f() { test "$1" = get && ${print}; }; f`,
  };
}
