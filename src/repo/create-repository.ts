// A new git repository, as `git init -b main` makes it, without needing git.
// Invariant: an existing repository is never changed; a half-made one (a crash) is completed.
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { replaceFile } from './atomic-file.ts';
import { errnoOf, nodeFileSystem, orMissing, type FileSystem } from './file-system.ts';

const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks', 'stet'];

const EXCLUDE = '# What only this clone ignores; see gitignore(5).\n';
const DESCRIPTION = "Unnamed repository; edit this file 'description' to name the repository.\n";

/** Makes `root` (if needed) a git repository with the unborn branch `main`. Throws `bad-argument` when it is one. */
export async function createRepository(root: string, fs: FileSystem = nodeFileSystem): Promise<void> {
  const gitFolder = join(root, '.git');
  try {
    await mkdir(root, { recursive: true });
    if ((await orMissing(lstat(join(gitFolder, 'HEAD')))) !== null) throw alreadyThere(root);
    for (const folder of FOLDERS) await mkdir(join(gitFolder, folder), { recursive: true });
    await replaceFile(fs, join(gitFolder, 'config'), Buffer.from(await makeConfig(gitFolder)));
    await replaceFile(fs, join(gitFolder, 'description'), Buffer.from(DESCRIPTION));
    await replaceFile(fs, join(gitFolder, 'info', 'exclude'), Buffer.from(EXCLUDE));
    // HEAD last: without it git sees no repository, and this function starts over.
    await replaceFile(fs, join(gitFolder, 'HEAD'), Buffer.from('ref: refs/heads/main\n'));
    await fs.syncFolder(root);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw new StetError(
      { code: 'file-system', operation: 'make a repository in', path: root, errno },
      { cause: error },
    );
  }
}

/** What git finds out about the file system when it makes a repository (init-db.c). */
async function makeConfig(gitFolder: string): Promise<string> {
  const lines = [
    '[core]',
    '\trepositoryformatversion = 0',
    `\tfilemode = ${process.platform !== 'win32'}`,
    '\tbare = false',
  ];
  lines.push('\tlogallrefupdates = true');
  if (process.platform === 'win32') lines.push('\tsymlinks = false');
  const ignoresCase = (await orMissing(lstat(join(gitFolder, 'OBJECTS')))) !== null;
  if (ignoresCase) lines.push('\tignorecase = true');
  if (process.platform === 'darwin') lines.push('\tprecomposeunicode = true');
  return `${lines.join('\n')}\n`;
}

function alreadyThere(root: string): StetError {
  return new StetError({
    code: 'bad-argument',
    argument: root,
    reason: 'it is a git repository already',
    hint: 'Name another folder, or use this one as it is.',
  });
}
