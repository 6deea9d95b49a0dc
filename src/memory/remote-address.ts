// One address for a git remote, however it is written: by it a repository is known on every machine.
// Invariant: an address holds no user name, password or token, and normalises to itself.

// Hosts that do not tell upper from lower case in the paths of repositories.
const CASE_BLIND_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'dev.azure.com']);
// Hosts that answer SSH under a second name.
const HOST_ALIASES: ReadonlyMap<string, string> = new Map([
  ['ssh.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
  ['ssh.dev.azure.com', 'dev.azure.com'],
  ['www.github.com', 'github.com'],
]);
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
  ['git', '9418'],
]);

/**
 * `host/path` of a remote: `git@host:a/b.git`, `https://user:token@host/a/b/`, `ssh://git@host:22/a/b` and `host/a/b`
 * are one. The port of SSH is dropped (it is another service than the web's), one of HTTP that is not its default is
 * kept. A path on this machine becomes `file:///…`. Null for what is no address: empty, or without a path.
 */
export function normaliseRemote(remote: string): string | null {
  const url = remote.trim();
  const local = /^file:\/\/(?:localhost)?(\/.*)$/iu.exec(url)?.[1] ?? /^(\/.*|[a-z]:[\\/].*|\\\\.+)$/iu.exec(url)?.[1];
  if (local !== undefined) {
    const path = trimPath(local.replaceAll('\\', '/'));
    return path === '' ? null : `file:///${path}`;
  }
  const withScheme = /^([a-z][a-z0-9+.-]*):\/\/(?:[^@/]*@)?([^/:@\s]+)(?::(\d+))?\/(.*)$/iu.exec(url);
  const scp = /^(?:[^@/\s]+@)?([^/:@\s]+):(?!\/\/)(.*)$/u.exec(url);
  const bare = /^([^/:@\s]+\.[^/:@\s]+)(?::(\d+))?\/(.*)$/u.exec(url);
  const [scheme, host, port, path] = withScheme
    ? [withScheme[1], withScheme[2], withScheme[3], withScheme[4]]
    : scp && !/^\d+\//u.test(scp[2] ?? '')
      ? ['ssh', scp[1], undefined, scp[2]]
      : ['https', bare?.[1], bare?.[2], bare?.[3]];
  if (host === undefined || path === undefined) return null;
  return address((scheme ?? '').toLowerCase(), host.toLowerCase().replace(/\.$/u, ''), port, path);
}

function address(scheme: string, host: string, port: string | undefined, path: string): string | null {
  const name = HOST_ALIASES.get(host) ?? host;
  const trimmed = trimPath(path);
  if (trimmed === '') return null;
  const cased = CASE_BLIND_HOSTS.has(name) ? trimmed.toLowerCase() : trimmed;
  const keptPort = /ssh/u.test(scheme) || port === undefined || port === DEFAULT_PORTS.get(scheme) ? '' : `:${port}`;
  return `${name}${keptPort}/${name === 'dev.azure.com' ? azurePath(cased) : cased}`;
}

/** Without slashes at the ends and doubled ones, query, percent codes, and the `.git` that is optional everywhere. */
function trimPath(path: string): string {
  const plain = decode(path.replace(/[?#].*$/u, ''));
  const parts = plain.split('/').filter((part) => part !== '');
  return parts.join('/').replace(/\.git$/iu, '');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path.normalize('NFC');
  }
}

// Azure writes v3/organisation/project/repository in SSH and organisation/project/_git/repository in HTTPS.
function azurePath(path: string): string {
  const [version, organisation, project, repository, ...rest] = path.split('/');
  const isSsh = version === 'v3' && organisation && project && repository && rest.length === 0;
  return isSsh ? `${organisation}/${project}/_git/${repository}` : path;
}
