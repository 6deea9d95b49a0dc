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

/** Items, tombstones, and the settings of the root. */
export const MEMORY_AREA: WatchedArea = {
  folders: ['personal', 'spaces', 'forgotten'],
  isRootFile: (name) => /^[^.].*\.yaml$/i.test(name),
  isFile: (name) => /\.(?:md|yaml)$/i.test(name),
};

/** Whether a change of the file at `path` is reported. */
export function isReported(area: WatchedArea, path: string): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  if (parts.length === 0) return area.isRootFile(name);
  return isEntered(area, parts.join('/')) && area.isFile(name);
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
