// The look of a tree that polling compares, on real files.
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareLooks, scanTree } from '../src/watch/scan-tree.ts';
import { MEMORY_AREA } from '../src/watch/watched-area.ts';

const go = new AbortController().signal;

async function makeTree() {
  const root = await mkdtemp(join(tmpdir(), 'stet-scan-'));
  await mkdir(join(root, 'personal/deep'), { recursive: true });
  await mkdir(join(root, 'personal/.git'));
  await writeFile(join(root, 'personal/deep/a.md'), 'one');
  await writeFile(join(root, 'personal/.git/a.md'), 'one');
  await writeFile(join(root, 'stet.yaml'), '');
  await writeFile(join(root, 'README.md'), '');
  return {
    root,
    at: (path: string) => join(root, path),
    look: async () => (await scanTree(root, MEMORY_AREA, go)) ?? new Map<string, string>(),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

describe('a look', () => {
  it('is at the files that are reported, and follows no links', async () => {
    await using tree = await makeTree();
    await symlink(tree.root, tree.at('personal/circle'), 'junction');
    expect(Array.from((await tree.look()).keys()).sort()).toEqual(['personal/deep/a.md', 'stet.yaml']);
  });

  it('of a root that is gone is no empty one', async () => {
    expect(await scanTree(join(tmpdir(), 'stet-nowhere'), MEMORY_AREA, go)).toBeNull();
  });

  it('differs by what was added, removed and written, even if size and time of writing are the same', async () => {
    await using tree = await makeTree();
    await writeFile(tree.at('personal/gone.md'), '');
    await utimes(tree.at('personal/deep/a.md'), 1, 1);
    const before = await tree.look();
    expect(compareLooks(before, await tree.look())).toEqual(new Set());
    await rm(tree.at('personal/gone.md'));
    await writeFile(tree.at('personal/new.md'), '');
    await writeFile(tree.at('personal/deep/a.md'), 'two');
    await utimes(tree.at('personal/deep/a.md'), 1, 1);
    expect(compareLooks(before, await tree.look())).toEqual(
      new Set(['personal/gone.md', 'personal/new.md', 'personal/deep/a.md']),
    );
  });

  it('takes more files than one slice', async () => {
    await using tree = await makeTree();
    for (let index = 0; index < 600; index += 1) await writeFile(tree.at(`personal/${index}.md`), '');
    expect((await tree.look()).size).toBe(602);
  });
});
