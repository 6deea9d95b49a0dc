// Who the user is, for the committer of every commit. Invariant: there is always somebody, and it is known whether git
// was told or stet had to make it up.
import os from 'node:os';
import type { Person } from './commit-object.ts';
import type { ConfigSurroundings, GitConfig } from './git-config.ts';

export interface Identity {
  readonly person: Person;
  /** `made-up`: neither git's configuration nor the environment names the user; name and email are the login's. */
  readonly from: 'git' | 'made-up';
}

/** Environment, then `committer.*`, then `user.*` (git-config), then the login name. */
export function findCommitter(config: GitConfig, { env }: ConfigSurroundings, fallback: Person | null): Identity {
  const name = firstSet(env['GIT_COMMITTER_NAME'], config.get('committer.name'), config.get('user.name'));
  const email = firstSet(
    env['GIT_COMMITTER_EMAIL'],
    config.get('committer.email'),
    config.get('user.email'),
    env['EMAIL'],
  );
  const madeUp = fallback ?? madeUpPerson();
  const from = name === null || email === null ? 'made-up' : 'git';
  return { person: { name: name ?? madeUp.name, email: email ?? madeUp.email }, from };
}

/** The author of the user's own changes; as {@link findCommitter}, with git's names for authors. */
export function findAuthor(config: GitConfig, surroundings: ConfigSurroundings, committer: Person): Person {
  const { env } = surroundings;
  return {
    name: firstSet(env['GIT_AUTHOR_NAME'], config.get('author.name'), config.get('user.name')) ?? committer.name,
    email: firstSet(env['GIT_AUTHOR_EMAIL'], config.get('author.email'), config.get('user.email')) ?? committer.email,
  };
}

/** The name of this machine stays out of a history that may be pushed. */
function madeUpPerson(): Person {
  let login = 'user';
  try {
    login = os.userInfo().username || login;
  } catch {
    // A container's user may have no entry in the system's list.
  }
  return { name: login, email: `${login.replaceAll(/\s+/g, '.')}@localhost` };
}

function firstSet(...values: ReadonlyArray<string | null | undefined>): string | null {
  return values.find((value) => value !== undefined && value !== null && value.trim() !== '') ?? null;
}
