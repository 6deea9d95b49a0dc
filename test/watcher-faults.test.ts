// The watcher on a system that refuses watches, breaks them, or keeps silent.
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderWatches, openFolder } from '../src/watch/folder-watches.ts';
import type { FolderListener, OpenFolder } from '../src/watch/folder-watches.ts';
import { MEMORY_AREA } from '../src/watch/watched-area.ts';
import { SOON, openScene } from './watch-scene.ts';

/** Real watches, as long as `refuses` names no error for the path. */
function openUnless(refuses: (path: string) => string | null): OpenFolder {
  return (path, recursive, listener) => {
    const errno = refuses(path);
    if (errno !== null) throw Object.assign(new Error(errno), { code: errno });
    return openFolder(path, recursive, listener);
  };
}

describe('a system without watches left', () => {
  const files = ['personal/a.md', 'spaces/acme/b.md', 'spaces/zenith/c.md'];

  it.each(['ENOSPC', 'EMFILE'])('(%s) is polled, and says why', async (errno) => {
    const open = openUnless((path) => (path.endsWith('zenith') ? errno : null));
    await using scene = await openScene({ files }, { open, recursive: false, pollMs: 10 });
    const health = scene.watcher.health();
    expect(health).toMatchObject({ state: 'polling', watchedFolders: 0 });
    expect(health.reason).toContain('fs.inotify.max_user_');
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => scene.names(), SOON).toEqual(['personal/a.md']);
    scene.forget();
    await scene.write('spaces/acme/deep/new.md');
    await expect.poll(() => scene.names(), SOON).toEqual(['spaces/acme/deep/new.md']);
    scene.forget();
    await rename(scene.at('spaces/zenith'), scene.at('spaces/nadir'));
    await expect.poll(() => scene.names(), SOON).toEqual(['spaces/nadir/c.md', 'spaces/zenith/c.md']);
  });

  it('is polled from when they run out, and what happened in between is told', async () => {
    const open = openUnless((path) => (path.endsWith('late') ? 'ENOSPC' : null));
    await using scene = await openScene({ files }, { open, recursive: false, pollMs: 10 });
    expect(scene.watcher.health().state).toBe('watching');
    await scene.write('spaces/late/d.md');
    await expect.poll(() => scene.watcher.health().state, SOON).toBe('polling');
    await expect.poll(() => scene.covers('spaces/late/d.md'), SOON).toBe(true);
    scene.forget();
    await scene.write('spaces/late/d.md', 'Changed.\n');
    await expect.poll(() => scene.covers('spaces/late/d.md'), SOON).toBe(true);
  });

  it('is watched again once there are some', async () => {
    let isFull = true;
    const open = openUnless(() => (isFull ? 'ENOSPC' : null));
    await using scene = await openScene({ files }, { open, recursive: false, pollMs: 5, reconcileMs: 20 });
    expect(scene.watcher.health().state).toBe('polling');
    isFull = false;
    await expect.poll(() => scene.watcher.health(), SOON).toMatchObject({ state: 'watching', reason: null });
    await expect.poll(() => scene.names(), SOON).toContain('everything');
  });

  it('does not take a missing memory for an empty one', async () => {
    await using scene = await openScene(
      { files },
      { open: openUnless(() => 'ENOSPC'), recursive: false, pollMs: 5, beatMs: 5 },
    );
    await rename(scene.root, join(scene.folder, 'elsewhere'));
    await expect.poll(() => scene.watcher.health().reason, SOON).toContain('is missing');
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    await rename(join(scene.folder, 'elsewhere'), scene.root);
    await expect.poll(() => scene.watcher.health().reason, SOON).toContain('max_user_watches');
  });
});

describe('a folder that may not be read', () => {
  it.runIf(process.platform === 'linux')(
    'does not keep the others from being watched, and is watched once it may',
    async () => {
      let isLocked = true;
      const open = openUnless((path) => (isLocked && path.endsWith('locked') ? 'EACCES' : null));
      await using scene = await openScene(
        { files: ['spaces/locked/a.md', 'spaces/open/b.md'] },
        { open, recursive: false },
      );
      await scene.write('spaces/open/b.md', 'Changed.\n');
      await expect.poll(() => scene.names(), SOON).toEqual(['spaces/open/b.md']);
      isLocked = false;
      // Which Linux tells the parent's watch.
      await chmod(scene.at('spaces/locked'), 0o700);
      await expect.poll(() => scene.names(), SOON).toContain('everything');
      scene.forget();
      await scene.write('spaces/locked/a.md', 'Changed.\n');
      await expect.poll(() => scene.names(), SOON).toEqual(['spaces/locked/a.md']);
    },
  );

  it('sends the watcher to polling when it is the memory itself', async () => {
    await using scene = await openScene({}, { open: openUnless(() => 'EACCES'), pollMs: 10 });
    expect(scene.watcher.health().reason).toContain('EACCES');
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => scene.names(), SOON).toEqual(['personal/a.md']);
  });
});

describe('a watch', () => {
  it('that dies with an error is replaced', async () => {
    const listeners = new Map<string, FolderListener>();
    const open: OpenFolder = (path, recursive, listener) => {
      listeners.set(path, listener);
      return openFolder(path, recursive, listener);
    };
    await using scene = await openScene({}, { open, recursive: false });
    const first = listeners.get(scene.at('personal'));
    first?.onError(Object.assign(new Error('gone'), { code: 'EPERM' }));
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    expect(listeners.get(scene.at('personal'))).not.toBe(first);
    scene.forget();
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => scene.names(), SOON).toEqual(['personal/a.md']);
    expect(scene.watcher.health().state).toBe('watching');
  });

  it('that dies again and again is given up for polling', async () => {
    const open: OpenFolder = (path, recursive, listener) => {
      if (path.endsWith('personal'))
        setImmediate(() => listener.onError(Object.assign(new Error('no'), { code: 'EIO' })));
      return openFolder(path, recursive, listener);
    };
    await using scene = await openScene({ debounceMs: 1 }, { open, recursive: false, pollMs: 10 });
    await expect.poll(() => scene.watcher.health().state, SOON).toBe('polling');
    expect(scene.watcher.health().reason).toContain('EIO');
  });

  it('is opened for folders, not for files that are replaced', async () => {
    const opened: string[] = [];
    const open: OpenFolder = (path, recursive, listener) => {
      opened.push(path);
      return openFolder(path, recursive, listener);
    };
    await using scene = await openScene({ files: ['personal/a.md'] }, { open, recursive: false });
    await scene.write('personal/a.tmp');
    await rename(scene.at('personal/a.tmp'), scene.at('personal/a.md'));
    await expect.poll(() => scene.names(), SOON).toEqual(['personal/a.md']);
    expect(opened).toEqual([scene.root, scene.at('personal')]);
  });

  it('that says of an event only that there was one makes everything be looked at', async () => {
    const listeners = new Map<string, FolderListener>();
    const open: OpenFolder = (path, recursive, listener) => {
      listeners.set(path, listener);
      return openFolder(path, recursive, listener);
    };
    await using scene = await openScene({}, { open, recursive: false });
    const first = listeners.get(scene.at('personal'));
    first?.onEvent('change', null);
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    expect(listeners.get(scene.at('personal'))).not.toBe(first);
  });

  it('that has gone silent is noticed, opened again, and then given up for polling', async () => {
    let opened = 0;
    const open: OpenFolder = () => {
      opened += 1;
      return { close: () => {} };
    };
    const reconcileMs = 50;
    await using scene = await openScene({}, { open, recursive: false, beatMs: 5, reconcileMs, pollMs: 10 });
    expect(opened).toBe(5);
    await scene.write('personal/unheard.md');
    await expect.poll(() => opened, SOON).toBe(10);
    await expect.poll(() => scene.watcher.health().state, SOON).toBe('watching');
    await scene.write('personal/unheard-too.md');
    await expect.poll(() => scene.watcher.health().state, SOON).toBe('polling');
    expect(scene.watcher.health().reason).toContain('does not tell of changes');
    scene.forget();
    await writeFile(scene.at('personal/unheard.md'), 'Changed.\n');
    await expect.poll(() => scene.covers('personal/unheard.md'), SOON).toBe(true);
    // For longer than until the next reconcile, when other causes would be tried again.
    for (const startedAt = performance.now(); performance.now() < startedAt + 4 * reconcileMs;) {
      scene.forget();
      await writeFile(scene.at('personal/unheard.md'), `${performance.now()}`);
      await expect.poll(() => scene.names(), SOON).toEqual(['personal/unheard.md']);
    }
    expect(opened).toBe(10);
  });

  it('that tells of its folder is not taken for silent', async () => {
    await using scene = await openScene({}, { beatMs: 5, reconcileMs: 20 });
    for (let round = 0; round < 50; round += 1) {
      await scene.write(`personal/${round}.md`);
      await expect.poll(() => scene.covers(`personal/${round}.md`), SOON).toBe(true);
      scene.forget();
    }
    expect(scene.watcher.health().state).toBe('watching');
  });

  it('on a memory that becomes another folder again and again is given up for polling', async () => {
    await using scene = await openScene({}, { beatMs: 5, pollMs: 10, open: () => ({ close: () => {} }) });
    await expect
      .poll(async () => {
        await rename(scene.root, join(scene.folder, 'old'));
        await scene.write('personal/a.md');
        await rm(join(scene.folder, 'old'), { recursive: true });
        return scene.watcher.health().reason;
      }, SOON)
      .toContain('does not keep its folders apart');
  });
});

it('a folder that is added again has one watch', async () => {
  await using scene = await openScene();
  let isOpen = 0;
  const watches = new FolderWatches({
    root: scene.root,
    area: MEMORY_AREA,
    recursive: false,
    open: () => {
      isOpen += 1;
      return { close: () => (isOpen -= 1) };
    },
    onEvent: () => {},
    onError: () => {},
  });
  const files = ['forgotten/c.md', 'personal/a.md', 'spaces/acme/b.md', 'stet.yaml'];
  for (let round = 0; round < 2; round += 1) {
    expect(Array.from(await watches.add('', new AbortController().signal)).sort()).toEqual(files);
    expect(isOpen).toBe(5);
  }
  watches.drop('spaces');
  expect(isOpen).toBe(3);
  watches.drop('');
  expect(isOpen).toBe(0);
});

describe('a receiver that fails', () => {
  it('is called again with everything until it succeeds', async () => {
    let failures = 3;
    await using scene = await openScene(
      {
        onChange: ({ paths }) => {
          failures -= 1;
          if (failures >= 0) throw new Error(`could not read ${paths === 'everything' ? paths : 'some'}`);
        },
      },
      { beatMs: 5 },
    );
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => failures, SOON).toBe(-1);
    expect(scene.names()).toEqual(['everything', 'personal/a.md']);
    await expect.poll(() => scene.watcher.health().lastError, SOON).toBeNull();
  });

  it('has its error in the health', async () => {
    await using scene = await openScene({ onChange: () => Promise.reject(new Error('the index is broken')) });
    await scene.write('personal/a.md', 'Changed.\n');
    await expect.poll(() => scene.watcher.health().lastError, SOON).toBe('the index is broken');
    expect(scene.watcher.health().state).toBe('watching');
  });
});

describe('where one watch tells of a whole tree', () => {
  /** Watches that only the test speaks through; paths as macOS and Windows give them. */
  async function openTree() {
    const listeners = new Map<string, FolderListener>();
    const open: OpenFolder = (path, recursive, listener) => {
      listeners.set(`${path}${recursive ? '/**' : ''}`, listener);
      return { close: () => {} };
    };
    const scene = await openScene({ files: ['personal/x/a.md', 'spaces/acme/b.md'] }, { open, recursive: true });
    const say = (top: string, type: 'rename' | 'change', name: string) =>
      listeners.get(top === '' ? scene.root : scene.at(`${top}/**`))?.onEvent(type, name);
    return { scene, say, listeners };
  }

  it('opens one for the root and one for each folder in it', async () => {
    const { scene, listeners } = await openTree();
    await using _ = scene;
    expect(Array.from(listeners.keys()).sort()).toEqual(
      [scene.root, scene.at('personal/**'), scene.at('spaces/**')].sort(),
    );
  });

  it('tells a changed file deep down by its name', async () => {
    const { scene, say } = await openTree();
    await using _ = scene;
    say('spaces', 'change', 'acme');
    say('spaces', 'change', 'acme/b.md');
    await expect.poll(() => scene.names(), SOON).toEqual(['spaces/acme/b.md']);
  });

  it('tells everything when a folder appears or vanishes, since files in it have no events', async () => {
    const { scene, say } = await openTree();
    await using _ = scene;
    await scene.write('personal/new/n.md');
    say('personal', 'rename', 'new');
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    scene.forget();
    await rm(scene.at('personal/new'), { recursive: true });
    say('personal', 'rename', 'new');
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
  });

  it('watches a folder of the root that appears later', async () => {
    const { scene, say, listeners } = await openTree();
    await using _ = scene;
    await scene.write('forgotten/c.md');
    say('', 'rename', 'forgotten');
    await expect.poll(() => scene.names(), SOON).toEqual(['everything']);
    expect(listeners.has(scene.at('forgotten/**'))).toBe(true);
  });
});
