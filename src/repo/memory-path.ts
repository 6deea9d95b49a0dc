// Paths within a memory, checked before anything is done with them.
// Invariant: what passes leads to a file below the memory's folder and outside `.git`.
import { StetError } from '../memory/failure.ts';

/** Throws `bad-argument` unless `path` is relative, with `/`, and free of what git or a file system would turn elsewhere. */
export function checkMemoryPath(path: string, platform: NodeJS.Platform = process.platform): void {
  const problem = memoryPathProblem(path, platform);
  if (problem === null) return;
  const hint = 'Give a path relative to the memory, with `/`, such as `personal/2026-09/tea.k3v9q2m7.md`.';
  throw new StetError({ code: 'bad-argument', argument: JSON.stringify(path), reason: problem, hint });
}

/**
 * A file name as git records it: on macOS, where the same name may come composed or decomposed, always composed
 * (`core.precomposeUnicode`). Elsewhere the two are different files.
 */
export function composeName(name: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'darwin' ? name.normalize('NFC') : name;
}

/** The same for a path with `/`. */
export function composePath(path: string, platform: NodeJS.Platform = process.platform): string {
  return path
    .split('/')
    .map((part) => composeName(part, platform))
    .join('/');
}

/** Why a path cannot be one of a memory's files, in words; null when it can. */
export function memoryPathProblem(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (path.includes('\0')) return 'it holds a NUL character';
  if (platform === 'win32' && /[\\:]/.test(path)) return 'it holds a backslash or a colon';
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..') return 'it is no plain relative path';
    // git on Windows takes a backslash for a slash, and refuses such a history as a whole.
    if (part.split('\\').some(isGitFolderName)) return 'it leads into `.git`';
  }
  return null;
}

/** What some file system takes for `.git`: any case, NTFS's short name, HFS's invisible characters (git: verify_path). */
function isGitFolderName(part: string): boolean {
  // oxlint-disable-next-line no-misleading-character-class, no-control-regex -- the characters that HFS+ passes over
  const visible = part.replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, '').toLowerCase();
  return /^(\.git|git~1)[ .]*(:.*)?$/.test(visible);
}
