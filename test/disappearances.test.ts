// What is not there is not always gone: failed reads, folders that vanish as a whole, git that takes files away.
import { mkdirSync, renameSync, rmSync, symlinkSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskTree, type WorkingTree } from '../src/service/working-tree-port.ts';
import { forgetMissing, restoreMissing } from '../src/service/settle-missing.ts';
import { MemoryScene } from './memory-scene.ts';

const IDS = Array.from({ length: 10 }, (_, n) => `a${n}bcdefg`.slice(0, 8));

function pathOf(n: number): string {
  return `${n < 8 ? 'personal/notes' : 'spaces/acme'}/${n}.md`;
}

async function openWithTen(tree?: (root: string) => WorkingTree): Promise<MemoryScene> {
  const scene = await MemoryScene.open(tree);
  for (const [n, id] of IDS.entries()) scene.writeItem(pathOf(n), { id, space: n < 8 ? null : 'acme' });
  await scene.settle();
  expect(scene.git('status', '--porcelain')).toBe('');
  return scene;
}

describe('when more than half of the items vanish', () => {
  it('they are answered as they were, no commit removes them, and the user is told', async () => {
    await using scene = await openWithTen();
    scene.remove('personal/notes');
    await scene.settle();
    expect(scene.delivered()).toEqual(IDS);
    expect(scene.subjects()).toHaveLength(1);
    expect(scene.memory.doubt?.missing.size).toBe(8);
    expect(await scene.why(pathOf(0))).toContain('more than half is missing');
    expect(scene.memory.notesOn(scene.memory.viewOf(['personal'])).join()).toContain('8 files are missing');
    expect(scene.memory.notesOn(scene.memory.viewOf(['space:acme']))).toEqual([]);
  });

  it('a memory that is opened then, with or without a snapshot, answers the same', async () => {
    await using scene = await openWithTen();
    scene.remove('personal/notes');
    for (const withoutSnapshot of [false, true]) {
      await scene.reopen({ withoutSnapshot });
      expect(scene.delivered()).toEqual(IDS);
      expect(scene.memory.doubt?.missing.size).toBe(8);
    }
  });

  it('vanishing one by one makes no difference', async () => {
    await using scene = await openWithTen();
    for (let n = 0; n < 6; n++) {
      scene.remove(pathOf(n));
      await scene.notice(pathOf(n));
    }
    expect(scene.delivered()).toEqual(IDS);
    await scene.lookLater();
    expect(scene.subjects()).toHaveLength(1);
  });

  it('never having been committed makes none either', async () => {
    await using scene = await MemoryScene.open();
    for (const [n, id] of IDS.entries()) scene.writeItem(pathOf(n), { id, space: n < 8 ? null : 'acme' });
    await scene.notice();
    scene.remove('personal/notes');
    await scene.notice();
    expect(scene.delivered()).toEqual(IDS);
    await restoreMissing(scene.memory);
    await scene.settle();
    expect(scene.git('ls-files').split('\n')).toContain(pathOf(0));
    expect(scene.memory.doubt).toBe(null);
  });

  it('all is well when they come back', async () => {
    await using scene = await openWithTen();
    renameSync(scene.at('personal/notes'), scene.at('away'));
    await scene.notice();
    renameSync(scene.at('away'), scene.at('personal/notes'));
    await scene.settle();
    expect(scene.memory.doubt).toBe(null);
    expect(scene.delivered()).toEqual(IDS);
    expect(scene.git('status', '--porcelain')).toBe('');
  });

  it('the user can bring them back', async () => {
    await using scene = await openWithTen();
    scene.remove('personal/notes');
    await scene.notice();
    expect((await restoreMissing(scene.memory)).paths).toHaveLength(8);
    expect(scene.git('status', '--porcelain')).toBe('');
    expect(scene.memory.doubt).toBe(null);
  });

  it('the user can forget them, and other processes believe it', async () => {
    await using scene = await openWithTen();
    scene.remove('personal/notes');
    await scene.notice();
    expect((await forgetMissing(scene.memory)).commit?.status).toBe('committed');
    expect(scene.delivered()).toEqual(IDS.slice(8));
    expect(scene.git('status', '--porcelain')).toBe('');
    await scene.reopen();
    expect(scene.delivered()).toEqual(IDS.slice(8));
    expect(scene.memory.doubt).toBe(null);
  });

  it('forgets those for good that were not answered any more either', async () => {
    await using scene = await MemoryScene.open();
    const spaces = ['acme', 'globex', 'initech'];
    for (const [n, space] of spaces.entries()) {
      for (let m = 0; m < 5; m++) {
        const supersedes = m === 0 ? [`a${n}4bcdef`] : [];
        scene.writeItem(`spaces/${space}/${m}.md`, { id: `a${n}${m}bcdef`, space, supersedes });
      }
    }
    await scene.settle();
    // Three of five in each: few of a space, too much of the memory.
    for (const space of spaces) for (let m = 0; m < 3; m++) scene.remove(`spaces/${space}/${m}.md`);
    await scene.notice();
    expect(scene.memory.doubt?.answered.size).toBe(0);
    expect((await forgetMissing(scene.memory)).paths).toHaveLength(9);
    expect(scene.memory.table.isForgotten('a00bcdef')).toBe(true);
    expect(scene.memory.viewOf(['space:acme']).current('a03bcdef')).toBeDefined();
    expect(scene.memory.viewOf(['space:acme']).current('a04bcdef')).toBeUndefined();
  });

  it('nothing is doubted when git took them away', async () => {
    await using scene = await openWithTen();
    scene.git('checkout', '-q', '-b', 'small');
    scene.git('rm', '-q', '-r', 'personal/notes');
    // The files are gone and HEAD still has them, as in the middle of a checkout.
    await scene.notice();
    expect(scene.delivered()).toEqual(IDS);
    scene.git('commit', '-q', '-m', 'small');
    await scene.memory.refresh();
    expect(scene.delivered()).toEqual(IDS.slice(8));
    expect(scene.memory.doubt).toBe(null);
    scene.git('checkout', '-q', 'main');
    await scene.notice();
    expect(scene.delivered()).toEqual(IDS);
  });

  it('nothing is doubted when they only moved', async () => {
    await using scene = await openWithTen();
    renameSync(scene.at('personal/notes'), scene.at('personal/archive'));
    await scene.settle();
    expect(scene.memory.doubt).toBe(null);
    expect(scene.subjects()[0]).toMatch(/^edit: 8 files/);
    expect(scene.delivered()).toEqual(IDS);
  });

  it('half is believed, and so is a handful of few', async () => {
    await using scene = await openWithTen();
    for (let n = 0; n < 4; n++) scene.remove(pathOf(n));
    await scene.settle();
    expect(scene.delivered()).toEqual(IDS.slice(4));
    for (let n = 4; n < 7; n++) scene.remove(pathOf(n));
    await scene.settle();
    expect(scene.delivered()).toEqual(IDS.slice(7));
    expect(scene.memory.doubt).toBe(null);
  });

  it('what a space answers depends on its own files alone, and what is committed on all of them', async () => {
    await using scene = await openWithTen();
    const theirs = Array.from({ length: 6 }, (_, n) => `g${n}bcdefg`);
    for (const [n, id] of theirs.entries()) scene.writeItem(`spaces/globex/${n}.md`, { id, space: 'globex' });
    await scene.settle();
    const commits = scene.subjects().length;
    // Half of what is personal: gone for every answer, whatever else is missing.
    for (let n = 0; n < 4; n++) scene.remove(pathOf(n));
    scene.remove('spaces/globex');
    await scene.settle();
    expect(scene.delivered()).toEqual([...IDS.slice(4), ...theirs]);
    expect(scene.memory.doubt?.missing.size).toBe(10);
    expect(scene.subjects()).toHaveLength(commits);
    expect(scene.memory.notesOn(scene.memory.viewOf(['personal', 'space:acme']))).toEqual([]);
    expect(scene.memory.notesOn(scene.memory.viewOf(['space:globex'])).join()).toContain('6 files are missing');
    await restoreMissing(scene.memory);
    expect(scene.delivered()).toEqual([...IDS, ...theirs]);
  });

  it('tombstones are kept too', async () => {
    await using scene = await openWithTen();
    for (let n = 0; n < 4; n++) scene.remove(pathOf(n));
    await scene.settle();
    scene.remove('forgotten');
    await scene.settle();
    expect(scene.memory.table.isForgotten(IDS[0] ?? '')).toBe(true);
    expect(scene.subjects()).toHaveLength(2);
    await scene.reopen({ withoutSnapshot: true });
    expect(scene.memory.table.isForgotten(IDS[0] ?? '')).toBe(true);
  });
});

describe('a file that was committed broken, and goes', () => {
  const [okta, auth0] = ['k1bcdefg', 'k2bcdefg'];

  /** In acme, what replaced Okta, broken in the last commit. */
  async function openBroken(): Promise<{ scene: MemoryScene; good: string }> {
    const scene = await openWithTen();
    scene.writeItem('spaces/acme/okta.md', { id: okta, space: 'acme' });
    scene.writeItem('spaces/acme/auth0.md', { id: auth0, space: 'acme', supersedes: [okta] });
    await scene.settle();
    const good = scene.read('spaces/acme/auth0.md');
    scene.write('spaces/acme/auth0.md', '---\nkind: [\n---\n');
    scene.git('commit', '-q', '-am', 'broken');
    await scene.notice();
    return { scene, good };
  }

  async function expectOutdated(scene: MemoryScene): Promise<void> {
    for (const reopens of [false, true]) {
      if (reopens) await scene.reopen({ withoutSnapshot: true });
      expect(scene.memory.viewOf(['space:acme']).item(okta)).toBeDefined();
      expect(scene.memory.viewOf(['space:acme']).current(okta)).toBeUndefined();
    }
  }

  it('does not bring back what it replaced, and leaves its tombstone', async () => {
    const { scene } = await openBroken();
    await using _ = scene;
    scene.remove('spaces/acme/auth0.md');
    await scene.notice();
    await expectOutdated(scene);
    await scene.settle();
    expect(scene.lastCommit()).toEqual([`A forgotten/${auth0}.yaml`, 'D spaces/acme/auth0.md']);
    await expectOutdated(scene);
  });

  it('does not either when it strays to the folder of another space, broken or good', async () => {
    const { scene, good } = await openBroken();
    await using _ = scene;
    scene.remove('spaces/acme/auth0.md');
    for (const strayed of ['---\nkind: [\n---\n', good]) {
      scene.write('spaces/globex/auth0.md', strayed);
      await scene.notice();
      await expectOutdated(scene);
      await scene.settle();
      await expectOutdated(scene);
    }
  });

  it('keeps its id when somebody writes it anew without one', async () => {
    const { scene } = await openBroken();
    await using _ = scene;
    scene.write('spaces/acme/auth0.md', 'Users sign in with Auth0.\n');
    await scene.settle();
    expect(scene.read('spaces/acme/auth0.md')).toContain(auth0);
    await expectOutdated(scene);
  });
});

/** A working tree in which paths fail to be read, or whole folders to be listed. */
function failing(failures: { readonly paths: Map<string, string> }): (root: string) => WorkingTree {
  return (root) => {
    const disk = diskTree(root);
    const errnoOf = (path: string) =>
      [...failures.paths].find(([failed]) => path === failed || path.startsWith(`${failed}/`))?.[1];
    return {
      ...disk,
      scanItems: async (folders) => {
        const scan = await disk.scanItems(folders);
        const files = new Map([...scan.files].filter(([path]) => errnoOf(path) === undefined));
        return { ...scan, files, unreadable: Array.from(failures.paths, ([path, errno]) => ({ path, errno })) };
      },
      read: (path) => {
        const errno = errnoOf(path);
        return errno === undefined ? disk.read(path) : { status: 'unreadable', errno };
      },
    };
  };
}

describe('what cannot be read', () => {
  it.each(['EACCES', 'EIO', 'EMFILE', 'ESTALE'])('is not gone (%s)', async (errno) => {
    const failures = { paths: new Map<string, string>() };
    await using scene = await openWithTen(failing(failures));
    failures.paths.set('personal/notes', errno).set(pathOf(9), errno);
    scene.write(pathOf(0), scene.read(pathOf(0)).replace('Statement', 'A new statement'));
    await scene.notice();
    await scene.notice(...IDS.map((_, n) => pathOf(n)));
    expect(scene.delivered()).toEqual(IDS);
    expect(scene.memory.unreadable.get(pathOf(9))).toBe(errno);
    await scene.lookLater();
    expect(scene.subjects()).toHaveLength(1);
    failures.paths.clear();
    await scene.settle();
    expect(scene.memory.unreadable.size).toBe(0);
    expect(scene.memory.table.get(IDS[0] ?? '')?.file.item.text).toContain('A new statement');
    expect(scene.subjects()[0]).toMatch(/^edit: A new statement/);
  });

  it('behind a link is not read, and not gone', async () => {
    await using scene = await openWithTen();
    renameSync(scene.at('spaces/acme'), join(dirname(scene.root), 'elsewhere'));
    symlinkSync(join(dirname(scene.root), 'elsewhere'), scene.at('spaces/acme'));
    await scene.settle();
    expect(scene.delivered()).toEqual(IDS.slice(0, 8));
    expect(scene.memory.table.quarantined().map(({ path }) => path)).toEqual([pathOf(8), pathOf(9)]);
    expect(scene.subjects()).toHaveLength(1);
  });

  it('in a repository within the memory is not read, and not gone', async () => {
    await using scene = await openWithTen();
    mkdirSync(scene.at('spaces/acme/.git'));
    await scene.settle();
    expect(scene.memory.table.quarantined().map(({ path }) => path)).toEqual([pathOf(8), pathOf(9)]);
    expect(scene.memory.unreadable.get('spaces/acme')).toBe('a git repository of its own');
    expect(scene.subjects()).toHaveLength(1);
    rmSync(scene.at('spaces/acme/.git'), { recursive: true });
    await scene.settle();
    expect(scene.delivered()).toEqual(IDS);
  });
});

describe('a reading that fails half-way', () => {
  it('is done again by the next look, though no file has changed since', async () => {
    await using scene = await openWithTen();
    const { repository } = scene;
    const { readHead } = repository;
    repository.readHead = () => Promise.reject(new Error('this pack cannot be read'));
    scene.write('personal/new.md', 'The pool opens at six.\n');
    await expect(scene.notice()).rejects.toThrow('this pack');
    repository.readHead = readHead;
    await scene.notice();
    expect(scene.delivered()).toHaveLength(11);
    await scene.reopen();
    expect(scene.delivered()).toHaveLength(11);
  });
});

describe('a memory that is moved away while it is open', () => {
  it('answers as it did, under the rules that it had, and nothing takes its place', async () => {
    await using scene = await openWithTen();
    scene.write('policies.yaml', 'policies:\n  - agent: codex\n    space: acme\n    effect: deny\n');
    await scene.settle();
    const { policies } = scene.memory.config;
    const away = join(dirname(scene.root), 'moved');
    renameSync(scene.root, away);
    await scene.settle();
    await scene.notice(pathOf(0), 'policies.yaml', 'stet.yaml');
    expect(scene.delivered()).toEqual(IDS);
    expect(scene.memory.config.policies).toEqual(policies);
    expect(scene.memory.notesOn(scene.memory.viewOf(['personal'])).join()).toContain('folder of the memory is missing');
    await scene.memory.save();
    expect(existsSync(scene.root)).toBe(false);
    renameSync(away, scene.root);
    await scene.settle();
    expect(scene.memory.absence).toBe(null);
    expect(scene.delivered()).toEqual(IDS);
    expect(scene.git('status', '--porcelain')).toBe('');
  });

  it('and replaced by an empty folder is not taken for one that lost everything', async () => {
    await using scene = await openWithTen();
    const away = join(dirname(scene.root), 'moved');
    renameSync(scene.root, away);
    mkdirSync(join(scene.root, 'personal'), { recursive: true });
    await scene.settle();
    expect(scene.delivered()).toEqual(IDS);
    rmSync(scene.root, { recursive: true });
    renameSync(away, scene.root);
  });
});
