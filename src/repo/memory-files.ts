// Which files of the repository are the memory's own: those that stet commits by itself. All others are the user's.
import { isItemName, isPassedOver } from './working-tree.ts';

/** Folders of items, where only Markdown counts. */
export const ITEM_FOLDERS: readonly string[] = ['personal', 'spaces'];

/** Folders that stet alone fills, whatever the files are called. */
export const RECORD_FOLDERS: readonly string[] = ['forgotten', 'transcripts'];

/** Files beside the folders. `machine.yaml` is git-ignored and never among them. */
export const SETTING_FILES: readonly string[] = [
  'README.md',
  'spaces.yaml',
  'policies.yaml',
  'stet.yaml',
  '.gitattributes',
  '.gitignore',
];

/** The same for a path that a scan of these folders came upon: it passes over hidden names and editors' files itself. */
export function isScannedMemoryFile(path: string): boolean {
  return RECORD_FOLDERS.some((folder) => path.startsWith(folder)) || isItemName(path);
}

export function isMemoryFile(path: string): boolean {
  const slash = path.indexOf('/');
  if (slash < 0) return SETTING_FILES.includes(path);
  const folder = path.slice(0, slash);
  if (path.split('/').some((part) => isPassedOver(part))) return false;
  return ITEM_FOLDERS.includes(folder) ? isItemName(path) : RECORD_FOLDERS.includes(folder);
}
