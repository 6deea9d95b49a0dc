// The user's home folder, as far as it can be relied on. Invariant: nothing is read or written below a home that is the
// working directory by accident, which an empty or relative HOME makes it.

import { StetError } from './failure.ts';

/** The folder as it is, where its path is absolute; else throws `bad-argument`. `home` is what the system says. */
export function reliableHome(home: string): string {
  if (/^(?:\/|[A-Za-z]:[\\/]|[\\/]{2}[^\\/])/.test(home)) return home;
  throw new StetError({
    code: 'bad-argument',
    argument: 'HOME',
    reason: home === '' ? 'it is empty' : `"${home}" is no absolute path`,
    hint: 'Set it to your home folder. Nothing was changed.',
  });
}
