import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isMemoryFile } from './memory-files.ts';
import { MAX_ITEM_BYTES, readItemFile, sameStamp, scanWorkingTree } from './working-tree.ts';

const POSIX = process.platform !== 'win32';
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(os.tmpdir(), 'stet-tree-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string | Uint8Array = 'x\n'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function makeFifo(path: string): void {
  spawnSync('mkfifo', [join(root, path)]);
}

/** Nothing is forbidden to root. */
function asAnybody(work: () => void): void {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

const scan = () => scanWorkingTree(root, ['personal', 'spaces']);

describe('a scan', () => {
  test('finds the item files of any depth, and nothing else', () => {
    const items = [
      'personal/a.md',
      'personal/B.MD',
      'personal/-x.md',
      'spaces/acme/2026-09/c.md',
      'spaces/é/emoji 🧠.md',
    ];
    const others = [
      'personal/a.txt',
      'personal/.hidden.md',
      'personal/.obsidian/x.md',
      'personal/a.md~',
      'personal/#a.md#',
      'personal/~$a.md',
      'personal/.a.md.swp',
      'personal/.stet-0123456789ab.tmp',
      'README.md',
      'transcripts/t.md',
    ];
    for (const path of [...items, ...others]) write(path);
    expect([...scan().files.keys()].sort()).toEqual(items.sort());
    expect(scan()).toMatchObject({ skipped: [], unreadable: [] });
  });

  test('stamps change with every way of saving', () => {
    write('personal/a.md', 'one\n');
    const first = scan().files.get('personal/a.md');
    write('personal/.a.tmp', 'two\n');
    renameSync(join(root, 'personal/.a.tmp'), join(root, 'personal/a.md'));
    const second = scan().files.get('personal/a.md');
    expect(first !== undefined && second !== undefined && sameStamp(first, second)).toBe(false);
    const third = scan().files.get('personal/a.md');
    expect(third !== undefined && second !== undefined && sameStamp(third, second)).toBe(true);
  });

  test.runIf(POSIX)('reports what is named like an item and is none, and follows no link', async () => {
    write('outside.md');
    write('personal/dir.md/inside.md');
    mkdirSync(join(root, 'spaces/loop'), { recursive: true });
    symlinkSync(join(root, 'outside.md'), join(root, 'personal/link.md'));
    symlinkSync(join(root, 'spaces'), join(root, 'spaces/loop/round'));
    symlinkSync('nowhere', join(root, 'personal/broken.md'));
    makeFifo('personal/fifo.md');
    const server = createServer().listen(join(root, 'personal/socket.md'));
    await new Promise((resolve) => server.once('listening', resolve));
    const { files, skipped } = scan();
    server.close();
    expect([...files.keys()]).toEqual(['personal/dir.md/inside.md']);
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      'personal/broken.md symbolic-link',
      'personal/dir.md folder',
      'personal/fifo.md special-file',
      'personal/link.md symbolic-link',
      'personal/socket.md special-file',
      'spaces/loop/round symbolic-link',
    ]);
  });

  test('reports a repository within the memory, and looks no further into it', () => {
    write('spaces/other/.git/HEAD');
    write('spaces/other/a.md');
    expect(scan()).toMatchObject({ skipped: [{ path: 'spaces/other', reason: 'nested-repository' }] });
    expect(scan().files.size).toBe(0);
  });

  test('of folders that are not there finds nothing, and nothing amiss', () => {
    expect(scan()).toMatchObject({ skipped: [], unreadable: [] });
  });

  test('of a file in the place of a folder says so', () => {
    write('personal');
    expect(scan().unreadable).toEqual([{ path: 'personal', errno: 'ENOTDIR' }]);
  });

  test.runIf(POSIX)('says which folders and files it could not read, and takes nothing in them for deleted', () => {
    write('personal/locked/a.md');
    write('personal/b.md');
    chmodSync(root, 0o755);
    chmodSync(join(root, 'personal/locked'), 0o000);
    chmodSync(join(root, 'personal/b.md'), 0o000);
    asAnybody(() => {
      expect(scan().unreadable).toEqual([{ path: 'personal/locked', errno: 'EACCES' }]);
      expect(readItemFile(root, 'personal/b.md')).toEqual({ status: 'unreadable', errno: 'EACCES' });
      expect(readItemFile(root, 'personal/locked/a.md')).toEqual({ status: 'unreadable', errno: 'EACCES' });
    });
    chmodSync(join(root, 'personal/locked'), 0o700);
  });

  test.runIf(process.platform === 'linux')('reports a name that is not UTF-8', () => {
    write('personal/a.md');
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'personal/b')), Buffer.from([0xff]), Buffer.from('.md')]), 'x');
    expect(scan().skipped).toEqual([{ path: 'personal/b\uFFFD.md', reason: 'name-not-utf8' }]);
    expect([...scan().files.keys()]).toEqual(['personal/a.md']);
  });
});

describe('reading one file', () => {
  test('gives its bytes as they are, and the stamp that a scan gives', () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff, 0x0d, 0x0a]);
    write('personal/a.md', bytes);
    expect(readItemFile(root, 'personal/a.md')).toEqual({
      status: 'read',
      bytes,
      stamp: scan().files.get('personal/a.md'),
    });
  });

  test('tells what is gone from what is not readable', () => {
    write('personal/a.md');
    expect(readItemFile(root, 'personal/none.md')).toEqual({ status: 'gone' });
    expect(readItemFile(root, 'nowhere/none.md')).toEqual({ status: 'gone' });
    expect(readItemFile(root, 'personal/a.md/x.md')).toEqual({ status: 'gone' });
    expect(readItemFile(root, `personal/${'n'.repeat(300)}.md`)).toEqual({
      status: 'unreadable',
      errno: 'ENAMETOOLONG',
    });
  });

  test('does not swallow what is too large', () => {
    write('personal/a.md', Buffer.alloc(MAX_ITEM_BYTES + 1, 'x'));
    expect(readItemFile(root, 'personal/a.md')).toMatchObject({
      status: 'too-large',
      stamp: { size: MAX_ITEM_BYTES + 1 },
    });
    write('personal/a.md', Buffer.alloc(MAX_ITEM_BYTES, 'x'));
    expect(readItemFile(root, 'personal/a.md').status).toBe('read');
  });

  test.runIf(POSIX)('opens neither links nor FIFOs nor folders', () => {
    write('outside.md', 'secret\n');
    mkdirSync(join(root, 'personal/folder.md'), { recursive: true });
    symlinkSync(join(root, 'outside.md'), join(root, 'personal/link.md'));
    makeFifo('personal/fifo.md');
    expect(statSync(join(root, 'personal/fifo.md')).isFIFO()).toBe(true);
    expect(readItemFile(root, 'personal/link.md')).toEqual({ status: 'not-a-regular-file', type: 'symbolic-link' });
    expect(readItemFile(root, 'personal/fifo.md')).toEqual({ status: 'not-a-regular-file', type: 'special-file' });
    expect(readItemFile(root, 'personal/folder.md')).toEqual({ status: 'not-a-regular-file', type: 'folder' });
  });
});

test.each([
  ['personal/a.md', true],
  ['spaces/acme/deep/a.md', true],
  ['personal/picture.png', false],
  ['personal/.obsidian/a.md', false],
  ['forgotten/k3v9q2m7.yaml', true],
  ['transcripts/2026/a.jsonl', true],
  ['transcripts/.a.swp', false],
  ['spaces.yaml', true],
  ['.gitattributes', true],
  ['machine.yaml', false],
  ['notes/a.md', false],
  ['a.md', false],
])('%s is the memory’s own file: %s', (path, isOwn) => {
  expect(isMemoryFile(path)).toBe(isOwn);
});
