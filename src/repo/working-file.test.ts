import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeFileSystem, type FileSystem } from './file-system.ts';
import { composeName } from './memory-path.ts';
import { WorkingFiles } from './working-file.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(os.tmpdir(), 'stet-working-'));
  mkdirSync(join(root, 'personal/Folder'), { recursive: true });
  writeFileSync(join(root, 'personal/Folder/A.md'), 'a\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Finds files and folders whatever the case, as macOS and Windows do: here everything there is has one spelling. */
function caseless(fs: FileSystem): FileSystem {
  const spell = (path: string): string =>
    path.replace(/personal\/folder/i, 'personal/Folder').replace(/a\.md$/i, 'A.md');
  return { ...fs, lstat: (path) => fs.lstat(spell(path)), readFile: (path) => fs.readFile(spell(path)) };
}

test('a file is read with what git records of it', async () => {
  const file = await new WorkingFiles(nodeFileSystem, root, false).read('personal/Folder/A.md');
  expect(file).toMatchObject({ kind: 'file', executable: false, bytes: Buffer.from('a\n'), stat: { size: 2 } });
});

test.each(['personal/Folder/a.md', 'personal/folder/A.md'])(
  '%s is gone when only its case is another',
  async (path) => {
    const fs = caseless(nodeFileSystem);
    expect(await new WorkingFiles(fs, root, true).read(path)).toEqual({ kind: 'gone' });
    expect(await new WorkingFiles(fs, root, true).read('personal/Folder/A.md')).toMatchObject({ kind: 'file' });
    // That the file system finds it all the same is what the comparison of names is for.
    expect(await new WorkingFiles(fs, root, false).read(path)).toMatchObject({ kind: 'file' });
  },
);

test.skipIf(process.platform === 'win32')(
  'nothing is read beyond a link, and a link is nothing to record',
  async () => {
    symlinkSync(join(root, 'personal/Folder'), join(root, 'personal/link'));
    symlinkSync('Folder/A.md', join(root, 'personal/link.md'));
    const working = new WorkingFiles(nodeFileSystem, root, false);
    expect(await working.read('personal/link/A.md')).toEqual({ kind: 'other' });
    expect(await working.read('personal/link.md')).toEqual({ kind: 'other' });
  },
);

test('what has a file for a folder is gone, and so is a folder', async () => {
  const working = new WorkingFiles(nodeFileSystem, root, false);
  expect(await working.read('personal/Folder/A.md/b.md')).toEqual({ kind: 'gone' });
  expect(await working.read('personal/Folder')).toEqual({ kind: 'gone' });
  expect(await working.read('nowhere/at/all.md')).toEqual({ kind: 'gone' });
});

test('a file that changes under every reading is busy, one that settles is read whole', async () => {
  let writes = 0;
  const changing = (times: number): FileSystem => ({
    ...nodeFileSystem,
    async readFile(path) {
      const bytes = await nodeFileSystem.readFile(path);
      if (writes < times) writeFileSync(path, 'x'.repeat(++writes + 10));
      return bytes;
    },
  });
  const settled = await new WorkingFiles(changing(3), root, false).read('personal/Folder/A.md');
  expect(settled).toMatchObject({ kind: 'file', bytes: Buffer.from('x'.repeat(13)) });
  await expect(new WorkingFiles(changing(1e9), root, false).read('personal/Folder/A.md')).rejects.toThrow(/EBUSY/);
});

test('names are composed on macOS, where both spellings are one file, and nowhere else', () => {
  expect(composeName('u\u0308.md', 'darwin')).toBe('ü.md');
  expect(composeName('u\u0308.md', 'linux')).toBe('u\u0308.md');
});
