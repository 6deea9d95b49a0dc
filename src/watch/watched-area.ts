// Which paths of a memory are watched and reported. Pure; one place, so that watching and polling agree.

/** What a watcher looks at. Names are single path components; hidden folders (`.git`, `.obsidian`) are never entered. */
export interface WatchedArea {
  /** Folders directly in the root that are watched with everything below. */
  readonly folders: readonly string[];
  /** Which files directly in the root are reported. */
  readonly isRootFile: (name: string) => boolean;
  /** Which files below the folders are reported; leaves out swap files, backups and temp files of editors. */
  readonly isFile: (name: string) => boolean;
}

/** Items, tombstones, and the settings in the root. */
export const MEMORY_AREA: WatchedArea = {
  folders: ['personal', 'spaces', 'forgotten'],
  isRootFile: (name) => /\.yaml$/i.test(name) && !name.startsWith('.'),
  // `.#a.md` is Emacs' lock on a.md, `._a.md` what macOS leaves beside it on other file systems.
  isFile: (name) => /\.(?:md|yaml)$/i.test(name) && !/^\.[#_]/.test(name),
};

/** Whether a change of the file at `path` is reported. */
export function isReported(area: WatchedArea, path: string): boolean {
  const folder = parentOf(path);
  const name = path.slice(folder === '' ? 0 : folder.length + 1);
  return folder === '' ? area.isRootFile(name) : isEntered(area, folder) && area.isFile(name);
}

/** Whether a folder at `path` is watched; the root is `''`. */
export function isEntered(area: WatchedArea, path: string): boolean {
  if (path === '') return true;
  const [top = '', ...below] = path.split('/');
  return area.folders.includes(top) && !below.some((name) => name.startsWith('.'));
}

/** The path of an entry of a folder, where the root is `''`. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The folder that holds a path, `''` when that is the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
