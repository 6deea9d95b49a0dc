// Which addresses a memory may be synced with. Invariant: what passes is one of the forms below, starts no option of git or
// ssh, names no program, and holds no password: addresses end up in configurations, arguments and logs.

export type RemoteUrl =
  | { readonly kind: 'https' | 'http'; readonly url: string; readonly host: string }
  /** `ssh://user@host:port/path`, or `user@host:path`. */
  | { readonly kind: 'ssh'; readonly url: string; readonly host: string }
  /** A folder of this machine, mounted or its own; as given. */
  | { readonly kind: 'path'; readonly path: string };

/** `reason`: a clause without a full stop; `hint`: what to do, a sentence. */
export type RemoteUrlCheck =
  | { readonly ok: true; readonly value: RemoteUrl }
  | { readonly ok: false; readonly reason: string; readonly hint: string };

const FORMS = 'Give `https://host/path`, `user@host:path`, `ssh://user@host/path`, or a folder.';

export function readRemoteUrl(given: string): RemoteUrlCheck {
  const url = given.trim();
  if (url === '') return refuse('it is empty', FORMS);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(url)) return refuse('it holds a control character', FORMS);
  if (url.startsWith('-')) return refuse('it begins with a hyphen, which git would take for an option', FORMS);
  if (/^[a-z][a-z0-9+.-]*::/i.test(url)) return refuse('it names a program that git would run', FORMS);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) return readScheme(scheme, url);
  if (/^[a-z]:[\\/]/i.test(url) || /^[\\/~.]/.test(url)) return { ok: true, value: { kind: 'path', path: url } };
  const scp = /^(?:([^@/:\s]+)@)?(\[[^\]]+\]|[^/:@\s]+):(.+)$/.exec(url);
  if (scp === null) return { ok: true, value: { kind: 'path', path: url } };
  const [, user, host = '', path = ''] = scp;
  if (user?.startsWith('-') || host.startsWith('-') || path.startsWith('-')) {
    return refuse('a part of it begins with a hyphen, which ssh would take for an option', FORMS);
  }
  return { ok: true, value: { kind: 'ssh', url, host: host.toLowerCase() } };
}

function readScheme(scheme: string, url: string): RemoteUrlCheck {
  switch (scheme) {
    case 'file': {
      const path = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(url)?.[1];
      if (path === undefined) return refuse('it names a folder of another host', 'Mount it, and give its path.');
      return { ok: true, value: { kind: 'path', path: /^\/[a-z]:/i.test(path) ? path.slice(1) : path } };
    }
    case 'https':
    case 'http':
    case 'ssh':
      return readAuthority(scheme, url);
    case 'git':
      return refuse('git:// is neither encrypted nor can it be written to', 'Give the https:// or ssh:// address.');
    default:
      return refuse(`${scheme}:// is not supported`, FORMS);
  }
}

function readAuthority(kind: 'https' | 'http' | 'ssh', url: string): RemoteUrlCheck {
  const match = /^[a-z]+:\/\/(?:([^@/]*)@)?(\[[^\]]+\]|[^/:@\s]+)(?::(\d+))?(\/.*)?$/i.exec(url);
  if (match === null) return refuse('it has no host', FORMS);
  const [, user = '', host = '', , path = ''] = match;
  if (user.includes(':') || (kind !== 'ssh' && looksLikeToken(user))) {
    return refuse(
      'it holds a password or token',
      'Leave it out; git asks your credential helper, and stet reads a token from the environment variable STET_GIT_TOKEN.',
    );
  }
  if (user.startsWith('-') || host.startsWith('-') || path.startsWith('/-')) {
    return refuse('a part of it begins with a hyphen, which ssh would take for an option', FORMS);
  }
  return { ok: true, value: { kind, url, host: host.toLowerCase() } };
}

/** Hosting services take a token in place of the user's name. */
function looksLikeToken(user: string): boolean {
  return user.length >= 30 || /^(?:gh[a-z]_|github_pat_|glpat-|gl[a-z]+-|ATBB|ATATT)/.test(user);
}

/** Hosts where anybody can make a repository that everybody can read. */
const PUBLIC_HOSTS = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'git.sr.ht',
  'dev.azure.com',
]);

export function isPublicHost(remote: RemoteUrl): boolean {
  return remote.kind !== 'path' && PUBLIC_HOSTS.has(remote.host.replace(/^(?:www|ssh|altssh)\./, ''));
}

export function isLoopback(remote: RemoteUrl): boolean {
  return remote.kind !== 'path' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(remote.host);
}

/**
 * A text as a person may see it: without the passwords of addresses, should one have come from elsewhere; of web addresses
 * without the user too, who may be a token.
 */
export function withoutPassword(text: string): string {
  return text
    .replace(/(https?:\/\/)[^@/\s]*@/gi, '$1***@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^@/\s:]*):[^@/\s]*@/gi, '$1:***@');
}

function refuse(reason: string, hint: string): RemoteUrlCheck {
  return { ok: false, reason, hint };
}
