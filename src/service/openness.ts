// Whether other users of the machine can look into a memory. Windows has no such modes: there nothing is said.

import { chmodSync, statSync } from 'node:fs';

/** In words; null when nobody else can, or the system has no modes. */
export function describeOpenness(root: string, platform = process.platform): string | null {
  if (platform === 'win32') return null;
  const mode = statSync(root).mode & 0o777;
  return (mode & 0o077) === 0 ? null : `Other users of this machine can look into ${root} (mode ${mode.toString(8)}).`;
}

/** Closes the folder to everybody but its owner; what is inside is out of reach with it. */
export function closeToOthers(root: string): readonly string[] {
  if (describeOpenness(root) === null) return [];
  chmodSync(root, statSync(root).mode & 0o700);
  return [`Closed ${root} to other users.`];
}
