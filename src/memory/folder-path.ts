// Paths of folders as lists of components, of POSIX and of Windows alike, without asking a file system.
// Invariant: one folder lies in another only by whole components: /work/acme-2 is not in /work/acme.

/** How the machine whose paths are compared writes them. */
export interface PathStyle {
  readonly windows: boolean;
  /** False where the file system takes `Acme` and `acme` for one name (Windows, macOS by default). */
  readonly caseSensitive: boolean;
}

/**
 * The root and the names below it, made comparable: NFC (macOS stores names decomposed), lower case where the file
 * system does not care, `.` and `..` resolved. Null for a path that is not absolute. `/` and `C:\` are one component.
 */
export function pathComponents(path: string, style: PathStyle): readonly string[] | null {
  const cased = style.caseSensitive ? path : path.toLowerCase();
  const [root, rest] = style.windows ? splitWindowsRoot(cased) : cased.startsWith('/') ? ['/', cased] : [null, ''];
  if (root === null) return null;
  const isLiteral = style.windows && /^[\\/]{2}\?[\\/]/u.test(path);
  const names: string[] = [];
  for (const given of rest.normalize('NFC').split(style.windows ? /[\\/]+/u : /\/+/u)) {
    if (given === '..') {
      names.pop();
      continue;
    }
    // Windows drops them from every name, but where the path begins with `\\?\`.
    const name = style.windows && !isLiteral ? given.replace(/[ .]+$/u, '') : given;
    if (name !== '' && name !== '.') names.push(name);
  }
  return [root, ...names];
}

/** Whether `folder` is `ancestor` or lies below it. */
export function isWithin(folder: readonly string[], ancestor: readonly string[]): boolean {
  return ancestor.length <= folder.length && ancestor.every((name, place) => name === folder[place]);
}

/** `C:`, or `\\server\share`, and what follows; the `\\?\` of long paths is dropped. */
function splitWindowsRoot(path: string): [string | null, string] {
  const plain = path.replace(/^[\\/]{2}[?.][\\/](?:unc(?=[\\/])[\\/])?/iu, (prefix) =>
    /unc/iu.test(prefix) ? '\\\\' : '',
  );
  const drive = /^([a-z]:)(?=[\\/]|$)/iu.exec(plain)?.[1];
  if (drive !== undefined) return [drive.toUpperCase(), plain.slice(2)];
  const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/u.exec(plain);
  if (share === null) return [null, ''];
  return [`\\\\${share[1] ?? ''}\\${share[2] ?? ''}`.toLowerCase(), plain.slice(share[0].length)];
}
