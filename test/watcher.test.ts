// The watcher on real files, changed as editors, shells and git change them.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { SOON, openScene } from './watch-scene.ts';
import type { WatchScene } from './watch-scene.ts';

/** How programs save: each changes `personal/a.md` in its way. */
const SAVES: Record<string, (scene: WatchScene) => Promise<void>> = {
  'truncating and writing in place': (scene) => writeFile(scene.at('personal/a.md'), 'Changed.\n'),
  'truncating, and writing a moment later': async (scene) => {
    const file = await open(scene.at('personal/a.md'), 'w');
    await expect.poll(() => scene.covers('personal/a.md'), SOON).toBe(true);
    scene.forget();
    await file.write('Changed.\n');
    await file.close();
  },
  appending: (scene) => appendFile(scene.at('personal/a.md'), 'More.\n'),
  'writing beside and renaming over it': async (scene) => {
    await writeFile(scene.at('personal/.a.md.tmp'), 'Changed.\n');
    await rename(scene.at('personal/.a.md.tmp'), scene.at('personal/a.md'));
  },
  'writing in another folder and renaming over it': async (scene) => {
    await writeFile(scene.at('a.md.tmp'), 'Changed.\n');
    await rename(scene.at('a.md.tmp'), scene.at('personal/a.md'));
  },
  'renaming to a backup and writing anew, as vim does': async (scene) => {
    await writeFile(scene.at('personal/.a.md.swp'), '');
    await writeFile(scene.at('personal/4913'), '');
    await unlink(scene.at('personal/4913'));
    await rename(scene.at('personal/a.md'), scene.at('personal/a.md~'));
    await writeFile(scene.at('personal/a.md'), 'Changed.\n');
    await unlink(scene.at('personal/a.md~'));
    await unlink(scene.at('personal/.a.md.swp'));
  },
  'deleting and making again': async (scene) => {
    await unlink(scene.at('personal/a.md'));
    await writeFile(scene.at('personal/a.md'), 'Changed.\n');
  },
};

describe('a saved file is told by its name', () => {
  it.each(Object.entries(SAVES))('by %s', async (_, save) => {
    await using scene = await openScene();
    await save(scene);
    await expect.poll(() => scene.covers('personal/a.md'), SOON).toBe(true);
    expect(scene.names()).toEqual(['personal/a.md']);
  });

  it.skipIf(process.platform === 'win32')('by sed -i', async () => {
    await using scene = await openScene();
    execFileSync('sed', ['-i.bak', 's/stands/stood/', scene.at('personal/a.md')]);
    await expect.poll(() => scene.covers('personal/a.md'), SOON).toBe(true);
    expect(scene.names()).toEqual(['personal/a.md']);
  });
});

describe('folders', () => {
  it('tells files of a new folder that were there before it could be watched', async () => {
    await using scene = await openScene();
    await mkdir(scene.at('outside/deep/er'), { recursive: true });
    await scene.write('outside/deep/er/x.md');
    await rename(scene.at('outside'), scene.at('spaces/inside'));
    await expect.poll(() => scene.covers('spaces/inside/deep/er/x.md'), SOON).toBe(true);
    scene.forget();
    await writeFile(scene.at('spaces/inside/deep/er/x.md'), 'Changed.\n');
    await expect.poll(() => scene.covers('spaces/inside/deep/er/x.md'), SOON).toBe(true);
  });

  it('watches a folder that was deleted and made again at once', async () => {
    await using scene = await openScene();
    for (let round = 0; round < 20; round += 1) {
      await rm(scene.at('spaces/acme'), { recursive: true });
      await scene.write('spaces/acme/b.md', `${round}`);
      await expect.poll(() => scene.covers('spaces/acme/b.md'), SOON).toBe(true);
      scene.forget();
      await writeFile(scene.at('spaces/acme/b.md'), `again ${round}`);
      await expect.poll(() => scene.covers('spaces/acme/b.md'), SOON).toBe(true);
    }
  });
});
