// A file of the memory by the path that somebody gave, and a path as a command line takes it.

import { isAbsolute, join, posix, relative, sep } from 'node:path';
import { composePath } from '../repo/memory-path.ts';

/** Relative to the memory, with `/`, as git spells it; an absolute path is one below the memory's folder. */
export function givenPath(root: string, given: string, platform: NodeJS.Platform = process.platform): string {
  const below = isAbsolute(given) ? relative(root, given) : relative(root, join(root, given));
  return composePath(posix.normalize(below.split(sep).join('/')), platform);
}

/** One word of a command line, quoted where the shell would take it for several or for something else. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\p{L}\p{N}_./@+-]+$/u.test(text)) return text;
  return platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}
