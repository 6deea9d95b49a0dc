// Makes stet git's merge driver in one clone: git does not take such a setting from a repository, so each clone has its own.
import { join } from 'node:path';
import { editConfigFile } from './config-edit.ts';
import { nodeFileSystem, type FileSystem } from './file-system.ts';

/** What a shell runs before the arguments of a merge: Node and the entry file of stet. */
export interface OwnCommand {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of stet's entry file. */
  readonly entry: string;
}

/** `root`: the memory. Says whether something changed. */
export async function configureMergeDriver(
  root: string,
  { node, entry }: OwnCommand,
  fs: FileSystem = nodeFileSystem,
): Promise<boolean> {
  const driver = { section: 'merge', subsection: 'stet' };
  return editConfigFile(fs, join(root, '.git', 'config'), [
    { ...driver, key: 'name', value: 'stet: items by key and by line' },
    { ...driver, key: 'driver', value: mergeDriverCommand({ node, entry }) },
  ]);
}

/**
 * The value of `merge.stet.driver`. git runs it by a POSIX shell on every system, puts paths in for `%O`, `%A`, `%B` and `%P`,
 * and quotes the last itself; `%%` is a percent sign.
 */
export function mergeDriverCommand({ node, entry }: OwnCommand, platform: NodeJS.Platform = process.platform): string {
  const words = [node, entry].map((path) => {
    // Only Windows has it for a separator; elsewhere it is a character like any other.
    const posix = platform === 'win32' ? path.replaceAll('\\', '/') : path;
    return `'${posix.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;
  });
  return `${words.join(' ')} merge-driver %O %A %B %P`;
}
