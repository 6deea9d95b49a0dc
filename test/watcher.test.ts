// The watcher on real files, changed as editors, shells and git change them.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { appendFile, mkdir, open, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangeSet } from '../src/watch/watcher.ts';
import { SOON, openScene } from './watch-scene.ts';
import type { WatchScene } from './watch-scene.ts';

const POSIX = process.platform !== 'win32';

/** How programs save: each changes `personal/a.md` in its way. */
const SAVES: Record<string, (scene: WatchScene) => Promise<void>> = {
  'truncating and writing in place': (scene) => writeFile(scene.at('personal/a.md'), 'Changed.\n'),
  'truncating, and writing only later': async (scene) => {
    const file = await open(scene.at('personal/a.md'), 'w');
    await expect.poll(() => scene.covers('personal/a.md'), SOON).toBe(true);
    scene.forget();
    await file.write('Changed.\n');
    await file.close();
  },
  appending: (scene) => appendFile(scene.at('personal/a.md'), 'More.\n'),
  'writing beside and renaming over it': async (scene) => {
    await writeFile(scene.at('personal/a.md.tmp-7f3a'), 'Changed.\n');
    await rename(scene.at('personal/a.md.tmp-7f3a'), scene.at('personal/a.md'));
  },
  'writing elsewhere and renaming over it': async (scene) => {
    await writeFile(join(scene.folder, 'a.md'), 'Changed.\n');
    await rename(join(scene.folder, 'a.md'), scene.at('personal/a.md'));
  },
  'renaming to a backup and writing anew, with a swap file and a probe, as vim does': async (scene) => {
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
  deleting: (scene) => unlink(scene.at('personal/a.md')),
};
if (POSIX) {
  SAVES['sed -i'] = async (scene) => {
    execFileSync('sed', ['-i.bak', 's/stands/stood/', scene.at('personal/a.md')]);
  };
}

describe('a saved file is told by its name, and nothing else is, when a program saves by', () => {
  it.each(Object.entries(SAVES))('%s', async (_, save) => {
    await using scene = await openScene();
    await save(scene);
    await expect.poll(() => scene.covers('personal/a.md'), SOON).toBe(true);
    expect(scene.names()).toEqual(['personal/a.md']);
  });
});

describe('what is watched', () => {
  it('tells of items, tombstones and settings, of nothing else', async () => {
    await using scene = await openScene();
    await scene.write('README.md');
    await scene.write('transcripts/t.md');
    await scene.write('deliveries/1.yaml');
    await scene.write('.stet/index.md');
    await scene.write('personal/.obsidian/workspace.md');
    await scene.write('personal/picture.png');
    await scene.write('personal/.#a.md');
    await scene.write('.hidden.yaml');
    await scene.write('forgotten/d.md');
    await scene.write('policies.yaml');
    await expect.poll(() => scene.covers('policies.yaml') && scene.covers('forgotten/d.md'), SOON).toBe(true);
    expect(scene.names()).toEqual(['forgotten/d.md', 'policies.yaml']);
  });

  it('keeps to the area that it is given', async () => {
    const area = { folders: ['notes'], isRootFile: () => false, isFile: (name: string) => name.endsWith('.txt') };
    await using scene = await openScene({ area, files: ['notes/a.txt', 'personal/a.md'] });
    await scene.write('personal/a.md', 'Changed.\n');
    await scene.write('stet.yaml');
    await scene.write('notes/a.md');
    await scene.write('notes/a.txt', 'Changed.\n');
    await expect.poll(() => scene.covers('notes/a.txt'), SOON).toBe(true);
    expect(scene.names()).toEqual(['notes/a.txt']);
  });

  it('reports names as they are, whatever is in them', async () => {
    await using scene = await openScene();
    const names = ['ž – 記憶 🧠.md', 'e\u0301.md', '-rf.md', "it's.md"];
    if (POSIX) names.push('a\nb.md', 'back\\slash.md', '"quoted".md', 'trailing .md');
    for (const name of names) await scene.write(`personal/${name}`);
    await expect.poll(() => scene.names(), SOON).toEqual(names.map((name) => `personal/${name}`).sort());
  });

  it.runIf(POSIX)('does not follow links to folders', async () => {
    await using scene = await openScene();
    await mkdir(join(scene.folder, 'outside'));
    await symlink(join(scene.folder, 'outside'), scene.at('personal/link'));
    await symlink(scene.at('personal'), scene.at('personal/circle'));
    await scene.write('personal/after.md');
    await expect.poll(() => scene.covers('personal/after.md'), SOON).toBe(true);
    scene.forget();
    await writeFile(join(scene.folder, 'outside', 'x.md'), 'Not ours.\n');
    await scene.write('personal/later.md');
    await expect.poll(() => scene.covers('personal/later.md'), SOON).toBe(true);
    expect(scene.names()).toEqual(['personal/later.md']);
    expect(scene.watcher.health().watchedFolders).toBe(5);
  });

  it('takes a memory that is reached through a link', async () => {
    await using scene = await openScene();
    await rename(scene.root, join(scene.folder, 'real'));
    await symlink(join(scene.folder, 'real'), scene.root, 'junction');
    await expect.poll(() => scene.covers('everything'), SOON).toBe(true);
    scene.forget();
    await expect.poll(() => scene.watcher.health().state, SOON).toBe('watching');
    await expect
      .poll(async () => {
        await scene.write('personal/a.md', 'Changed.\n');
        return scene.names();
      }, SOON)
      .toContain('personal/a.md');
  });
});

describe('folders', () => {
  it('tells the files of a new folder that were there before it could be watched, and watches it', async () => {
    await using scene = await openScene();
    await mkdir(join(scene.folder, 'notes/deep/er'), { recursive: true });
    await writeFile(join(scene.folder, 'notes/deep/er/x.md'), 'It stands.\n');
    await rename(join(scene.folder, 'notes'), scene.at('spaces/notes'));
    await expect.poll(() => scene.names(), SOON).toEqual(['spaces/notes/deep/er/x.md']);
    scene.forget();
    await writeFile(scene.at('spaces/notes/deep/er/x.md'), 'Changed.\n');
    await expect.poll(() => scene.names(), SOON).toEqual(['spaces/notes/deep/er/x.md']);
  });

  it('misses no file of many new folders, however soon it is written', async () => {
    await using scene = await openScene();
    const paths: string[] = [];
    for (let index = 0; index < 100; index += 1) {
      const path = `personal/n${index}/deep/x.md`;
      paths.push(path);
      await mkdir(scene.at(`personal/n${index}`));
      for (let turn = 0; turn < index % 7; turn += 1) await new Promise(setImmediate);
      await scene.write(path);
    }
    await expect.poll(() => paths.filter((path) => !scene.covers(path)), SOON).toEqual([]);
  });

  it('follows a renamed folder', async () => {
    await using scene = await openScene({ files: ['spaces/acme/deep/b.md'] });
    await rename(scene.at('spaces/acme'), scene.at('spaces/zenith'));
    await expect.poll(() => scene.covers('spaces/acme/deep/b.md'), SOON).toBe(true);
    await expect.poll(() => scene.covers('spaces/zenith/deep/b.md'), SOON).toBe(true);
    scene.forget();
    await scene.write('spaces/zenith/deep/b.md', 'Changed.\n');
    await expect.poll(() => scene.names(), SOON).toEqual(['spaces/zenith/deep/b.md']);
    expect(scene.watcher.health().watchedFolders).toBe(4);
  });

  it('follows a folder that is renamed by case alone', async () => {
    await using scene = await openScene();
    await rename(scene.at('spaces/acme'), scene.at('spaces/Acme'));
    await expect.poll(() => scene.covers('spaces/Acme/b.md'), SOON).toBe(true);
    scene.forget();
    await scene.write('spaces/Acme/b.md', 'Changed.\n');
    await expect.poll(() => scene.names(), SOON).toEqual(['spaces/Acme/b.md']);
  });

  it('tells both names of a file that is renamed, by case alone too', async () => {
    await using scene = await openScene();
    await rename(scene.at('personal/a.md'), scene.at('personal/A.md'));
    await expect.poll(() => scene.names(), SOON).toEqual(['personal/A.md', 'personal/a.md']);
  });

  it('watches a folder that was deleted and made again at once', async () => {
    await using scene = await openScene();
    for (let round = 0; round < 20; round += 1) {
      await rm(scene.at('spaces/acme'), { recursive: true });
      await scene.write('spaces/acme/b.md', `${round}`);
      await expect.poll(() => scene.covers('spaces/acme/b.md'), SOON).toBe(true);
      scene.forget();
      await scene.write('spaces/acme/b.md', `again ${round}`);
      await expect.poll(() => scene.covers('spaces/acme/b.md'), SOON).toBe(true);
    }
  });

  it('watches the folder that took the place of another', async () => {
    await using scene = await openScene({ files: ['spaces/acme/b.md', 'spaces/zenith/b.md'] });
    await rename(scene.at('spaces/acme'), join(scene.folder, 'old'));
    await rename(scene.at('spaces/zenith'), scene.at('spaces/acme'));
    await expect.poll(() => scene.covers('spaces/zenith/b.md') && scene.covers('spaces/acme/b.md'), SOON).toBe(true);
    // Both may have been told by the first rename alone, and what the second one makes be told comes later.
    await expect
      .poll(async () => {
        scene.forget();
        await writeFile(join(scene.folder, 'old', 'b.md'), 'Not ours any more.\n');
        await scene.write('spaces/acme/new.md');
        return scene.names();
      }, SOON)
      .toEqual(['spaces/acme/new.md']);
  });

  it('watches folders that were missing at the start', async () => {
    await using scene = await openScene({ files: ['stet.yaml'] });
    expect(scene.watcher.health().watchedFolders).toBe(1);
    await scene.write('spaces/acme/2026-09/b.md');
    await expect.poll(() => scene.covers('spaces/acme/2026-09/b.md'), SOON).toBe(true);
    scene.forget();
    await scene.write('spaces/acme/2026-09/b.md', 'Changed.\n');
    await expect.poll(() => scene.covers('spaces/acme/2026-09/b.md'), SOON).toBe(true);
  });
});

describe('a bulk change', () => {
  it('of 5,000 files by git checkout is told whole, and what follows too', async () => {
    await using scene = await openScene();
    const git = (args: readonly string[], input = '') =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: scene.root,
        input,
        encoding: 'utf8',
      }).trim();
    git(['init', '-q', '-b', 'main']);
    git(['add', '.']);
    git(['commit', '-qm', 'one']);
    // A commit of 50 folders with 100 files each, made of four objects: what takes time is the checkout alone.
    const tree = (entries: readonly string[]) => git(['mktree'], entries.join('\n'));
    const blob = git(['hash-object', '-w', '--stdin'], 'It stands, 5,000 times.\n');
    const month = tree(Array.from({ length: 100 }, (_, index) => `100644 blob ${blob}\t${index}.md`));
    const space = tree([`040000 tree ${month}\tm`]);
    const spaces = tree(Array.from({ length: 50 }, (_, index) => `040000 tree ${space}\ts${index}`));
    const commit = git(['commit-tree', '-p', 'main', '-m', 'many', tree([`040000 tree ${spaces}\tspaces`])]);
    const paths = Array.from({ length: 5000 }, (_, index) => `spaces/s${index % 50}/m/${Math.floor(index / 50)}.md`);
    git(['checkout', '-q', commit]);
    await expect.poll(() => paths.filter((path) => !scene.covers(path)), SOON).toEqual([]);
    // The root, spaces, and two for each space; git took the other folders away.
    await expect.poll(() => scene.watcher.health().watchedFolders, SOON).toBe(102);
    await expect
      .poll(async () => {
        scene.forget();
        await scene.write('spaces/s7/m/7.md', 'Changed.\n');
        return scene.names();
      }, SOON)
      .toEqual(['spaces/s7/m/7.md']);
  });

  it('that is more than the system queues, while the process is busy, loses nothing', async () => {
    await using scene = await openScene();
    // Blocks this process until all is written: 40,000 events on ten files, of which Linux drops those after 16,384.
    const script = `
      const { openSync, writeSync, mkdirSync, writeFileSync } = require('node:fs');
      const files = Array.from({ length: 10 }, (_, n) => openSync('personal/' + n + '.txt', 'a'));
      for (let n = 0; n < 40000; n += 1) writeSync(files[n % 10], 'x');
      mkdirSync('spaces/late');
      writeFileSync('spaces/late/x.md', 'x');`;
    execFileSync(process.execPath, ['-e', script], { cwd: scene.root });
    await expect.poll(() => scene.covers('spaces/late/x.md'), SOON).toBe(true);
    await expect
      .poll(async () => {
        scene.forget();
        await scene.write('spaces/late/x.md', 'Changed.\n');
        return scene.names();
      }, SOON)
      .toEqual(['spaces/late/x.md']);
  });
});

describe('the memory itself', () => {
  const BEAT = { beatMs: 20 };

  it('that is moved away is missed, told, and watched again when it is back', async () => {
    await using scene = await openScene({}, BEAT);
    await rename(scene.root, join(scene.folder, 'elsewhere'));
    await expect.poll(() => scene.watcher.health().reason, SOON).toContain('is missing');
    expect(scene.watcher.health()).toMatchObject({ state: 'polling', watchedFolders: 0 });
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    scene.forget();
    await rename(join(scene.folder, 'elsewhere'), scene.root);
    await expect.poll(() => scene.watcher.health(), SOON).toMatchObject({ state: 'watching', reason: null });
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    scene.forget();
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => scene.names(), SOON).toEqual(['personal/a.md']);
  });

  it('that is deleted and made anew is watched again', async () => {
    await using scene = await openScene({}, BEAT);
    await rm(scene.root, { recursive: true });
    await scene.write('personal/new.md');
    await expect.poll(() => scene.covers('personal/new.md'), SOON).toBe(true);
    await expect
      .poll(async () => {
        scene.forget();
        await scene.write('personal/new.md', 'Changed.\n');
        return scene.names();
      }, SOON)
      .toEqual(['personal/new.md']);
  });

  it('is noticed to be another one when a folder above it was replaced, which makes no event', async () => {
    const files = ['personal/a.md'];
    await using scene = await openScene({ files }, BEAT);
    await rename(scene.folder, `${scene.folder}-old`);
    await scene.write('personal/b.md');
    await expect.poll(() => scene.covers('personal/b.md'), SOON).toBe(true);
    await expect
      .poll(async () => {
        scene.forget();
        await scene.write('personal/b.md', 'Changed.\n');
        return scene.names();
      }, SOON)
      .toEqual(['personal/b.md']);
    await rm(`${scene.folder}-old`, { recursive: true });
  });

  it('may be missing at the start', async () => {
    await using scene = await openScene({ files: [] }, BEAT);
    expect(scene.watcher.health().reason).toContain('is missing');
    await scene.write('personal/a.md');
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    expect(scene.watcher.health().state).toBe('watching');
  });
});

describe('the watcher', () => {
  it('tells of everything now and then', async () => {
    await using scene = await openScene({}, { beatMs: 10, reconcileMs: 50 });
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    scene.forget();
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    expect(scene.watcher.health()).toMatchObject({ state: 'watching', watchedFolders: 5, lastError: null });
  });

  it('tells of everything less often where that costs the receiver much', async () => {
    const told: Array<ChangeSet['paths']> = [];
    const onChange = ({ paths }: ChangeSet) => {
      told.push(paths);
      if (paths !== 'everything') return;
      for (const startedAt = performance.now(); performance.now() < startedAt + 20;);
    };
    await using scene = await openScene({ onChange }, { beatMs: 5, reconcileMs: 20, reconcileShare: 1e-6 });
    await expect.poll(() => told, SOON).toEqual(['everything']);
    for (let round = 0; round < 20; round += 1) {
      const before = told.length;
      await scene.write(`personal/${round}.md`);
      await expect.poll(() => told.length, SOON).toBeGreaterThan(before);
    }
    expect(told.filter((paths) => paths === 'everything')).toHaveLength(1);
  });

  it('never calls while a call runs, and gathers meanwhile', async () => {
    let running = 0;
    let most = 0;
    const release: Array<() => void> = [];
    await using scene = await openScene({
      onChange: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => {
          release.push(resolve);
        });
        running -= 1;
      },
    });
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => release.length, SOON).toBe(1);
    scene.forget();
    await scene.write('personal/x.md');
    await scene.write('spaces/new/y.md');
    release[0]?.();
    await expect.poll(() => release.length, SOON).toBe(2);
    expect(scene.names()).toEqual(['personal/x.md', 'spaces/new/y.md']);
    expect(most).toBe(1);
    release[1]?.();
  });

  it('is silent after close, which waits for the call in flight', async () => {
    const release: Array<() => void> = [];
    await using scene = await openScene({
      onChange: () =>
        new Promise<void>((resolve) => {
          release.push(resolve);
        }),
    });
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => release.length, SOON).toBe(1);
    const order: string[] = [];
    const closing = (async () => {
      await scene.watcher.close();
      order.push('closed');
    })();
    await scene.write('personal/b.md');
    order.push('released');
    release[0]?.();
    await closing;
    expect(order).toEqual(['released', 'closed']);
    await scene.watcher.close();
    expect(release).toHaveLength(1);
    expect(scene.watcher.health()).toMatchObject({ state: 'stopped', watchedFolders: 0 });
  });

  it('says nothing more of what it has heard when it is closed', async () => {
    await using scene = await openScene({ debounceMs: 300 });
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => scene.watcher.health().lastEventAt, SOON).not.toBeNull();
    await scene.watcher.close();
    expect(scene.names()).toEqual([]);
  });

  it('becomes ready even if it is closed at once', async () => {
    await using scene = await openScene();
    await scene.watcher.close();
    await expect(scene.watcher.ready).resolves.toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('takes one watch a folder and none a file, and gives them back', async () => {
    const before = countInotifyWatches();
    const files = Array.from({ length: 300 }, (_, index) => `personal/f${index % 10}/${index}.md`);
    await using scene = await openScene({ files });
    expect(countInotifyWatches() - before).toBe(12);
    expect(scene.watcher.health().watchedFolders).toBe(12);
    await rm(scene.at('personal/f3'), { recursive: true });
    await expect.poll(() => countInotifyWatches() - before, SOON).toBe(11);
    await scene.watcher.close();
    await expect.poll(() => countInotifyWatches(), SOON).toBe(before);
  });
});

function countInotifyWatches(): number {
  const lines = readdirSync('/proc/self/fdinfo').flatMap((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\n');
    } catch {
      return [];
    }
  });
  return lines.filter((line) => line.startsWith('inotify ')).length;
}
