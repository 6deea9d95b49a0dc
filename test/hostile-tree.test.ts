// What one file cannot show: things that are no files, names that some system or program trips over, folders of others,
// and very many files at once. Each with its one right outcome, in the table, in git and beside the rest.
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryScene } from './memory-scene.ts';
import { amount, reportRuns } from './torture.ts';

const POSIX = process.platform !== 'win32';

/** A memory with one good item beside whatever comes. */
async function openWithOne(): Promise<MemoryScene> {
  const scene = await MemoryScene.open();
  scene.writeItem('personal/good.md', { id: 'k3v9q2m7', text: 'Standups are at nine.' });
  await scene.settle();
  return scene;
}

/** Nothing is disturbed: the good item is there, git is sound, and what is written now is committed. */
async function expectUndisturbed(scene: MemoryScene): Promise<void> {
  expect(scene.delivered()).toContain('k3v9q2m7');
  scene.write('personal/later.md', 'Lunch is at noon.\n');
  await scene.settle();
  expect(scene.subjects()[0]).toContain('Lunch is at noon.');
  scene.git('fsck', '--strict');
  const before = scene.delivered();
  await scene.reopen({ withoutSnapshot: true });
  expect(scene.delivered()).toEqual(before);
}

function problemAt(scene: MemoryScene, path: string): string | undefined {
  return scene.memory.table.quarantined().find((each) => each.path === path)?.problems[0]?.message;
}

describe.runIf(POSIX)('what is no file', () => {
  it.each<[string, (scene: MemoryScene, path: string) => void | Promise<void>, RegExp]>([
    ['a FIFO', (scene, path) => void execFileSync('mkfifo', [scene.at(path)]), /no regular file/],
    [
      'a socket',
      async (scene, path) => {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(scene.at('s'), resolve));
        renameSync(scene.at('s'), scene.at(path));
        server.unref();
      },
      /no regular file/,
    ],
    [
      'a link to a file inside',
      (scene, path) => symlinkSync('good.md', scene.at(path)),
      /symbolic link is not followed/,
    ],
    [
      'a link to a file outside',
      (scene, path) => symlinkSync('/etc/hosts', scene.at(path)),
      /symbolic link is not followed/,
    ],
    ['a link to itself', (scene, path) => symlinkSync('thing.md', scene.at(path)), /symbolic link is not followed/],
    ['a link to nothing', (scene, path) => symlinkSync('nowhere.md', scene.at(path)), /symbolic link is not followed/],
    ['a folder', (scene, path) => mkdirSync(scene.at(path)), /folder named like an item/],
  ])('%s named like an item is quarantined, and left alone', async (_, make, message) => {
    await using scene = await openWithOne();
    await make(scene, 'personal/thing.md');
    await scene.settle();
    expect(problemAt(scene, 'personal/thing.md')).toMatch(message);
    expect(scene.subjects()).toHaveLength(1);
    await expectUndisturbed(scene);
    expect(scene.git('ls-files')).not.toContain('thing.md');
  });

  it('a link to a folder is not entered, be it outside or in a circle', async () => {
    await using scene = await openWithOne();
    const outside = join(dirname(scene.root), 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.md'), 'Nobody may see this.\n');
    symlinkSync(outside, scene.at('personal/outside'));
    symlinkSync('.', scene.at('personal/circle'));
    symlinkSync(scene.root, scene.at('spaces/acme'));
    await scene.settle();
    await scene.notice('personal/outside/secret.md', 'personal/circle/good.md', 'spaces/acme/personal/good.md');
    expect(scene.delivered()).toEqual(['k3v9q2m7']);
    await expectUndisturbed(scene);
  });

  it('a link that takes the place of an item is not followed and not taken for a deletion', async () => {
    await using scene = await openWithOne();
    const outside = join(dirname(scene.root), 'outside.md');
    renameSync(scene.at('personal/good.md'), outside);
    symlinkSync(outside, scene.at('personal/good.md'));
    await scene.settle();
    expect(scene.delivered()).toEqual([]);
    expect(problemAt(scene, 'personal/good.md')).toMatch(/symbolic link/);
    expect(scene.subjects()).toHaveLength(1);
  });

  it('an item in a folder that is named like one is an item', async () => {
    await using scene = await openWithOne();
    scene.write('personal/notes.md/inside.md', 'Retros are on Friday.\n');
    await scene.settle();
    expect(scene.delivered()).toHaveLength(2);
    expect(scene.lastCommit()).toEqual(['A personal/notes.md/inside.md']);
  });
});

describe('a name', () => {
  const LONGEST = `${'x'.repeat(252)}.md`;

  it.each(
    [
      ...(POSIX
        ? [
            'new\nline.md',
            'tab\there.md',
            'double"quote.md',
            'back\\slash.md',
            'star*.md',
            'what?.md',
            'dot. .md',
            ' .md',
            'con.md',
            'CON.md',
            'a:b.md',
            'LPT1.md',
          ]
        : []),
      "single'quote.md",
      '-rf.md',
      '--help.md',
      '$(touch x).md',
      '`x`.md',
      'percent%20.md',
      'emoji 🧠.md',
      'nfc \u00e9.md',
      'nfd e\u0301.md',
      'עברית.md',
      '中文.md',
      'UPPER.MD',
      'two  blanks.md',
      'a.b.c.md',
      LONGEST,
    ].map((name) => [name]),
  )('%j is an item like any other', async (name) => {
    await using scene = await openWithOne();
    const path = `personal/${name}`;
    scene.write(path, 'Retros are on Friday.\n');
    await scene.settle();
    expect(scene.delivered()).toHaveLength(2);
    expect(scene.read(path)).toMatch(/^---\nid: /);
    expect(scene.git('ls-tree', '-z', '-r', '--name-only', 'HEAD').split('\0')).toContain(path);
    expect(scene.git('status', '--porcelain')).toBe('');
    await expectUndisturbed(scene);
    scene.remove(path);
    await scene.settle();
    expect(scene.subjects()[0]).toMatch(/^forget: /);
  });

  it.each([
    '.hidden.md',
    '.obsidian/workspace.md',
    'a.md~',
    '#a.md#',
    '.a.md.swp',
    '4913',
    'a.md.',
    'a.md ',
    'board.canvas',
    'a.orig.md',
    'a.sync-conflict-20260101-101010-ABCDEFG.md',
    'a (conflicted copy).md',
  ])('%j is no item, and no commit takes it', async (name) => {
    await using scene = await openWithOne();
    scene.write(`personal/${name}`, '---\nid: h7wq2c9d\n---\nRetros are on Friday.\n');
    await scene.settle();
    expect(scene.delivered()).toEqual(['k3v9q2m7']);
    expect(scene.subjects()).toHaveLength(1);
    await expectUndisturbed(scene);
  });

  it.runIf(process.platform === 'linux')('that differs in case alone is another item', async () => {
    await using scene = await openWithOne();
    scene.write('personal/Note.md', 'Retros are on Friday.\n');
    scene.write('personal/note.md', 'Lunch is at noon.\n');
    await scene.settle();
    expect(scene.delivered()).toHaveLength(3);
    expect(scene.git('status', '--porcelain')).toBe('');
    renameSync(scene.at('personal/Note.md'), scene.at('personal/NOTE.md'));
    await scene.settle();
    expect(scene.delivered()).toHaveLength(3);
    expect(scene.lastCommit()).toEqual(['A personal/NOTE.md', 'D personal/Note.md']);
  });

  it.runIf(process.platform === 'linux')('that is not UTF-8 is told and left alone', async () => {
    await using scene = await openWithOne();
    const path = Buffer.concat([Buffer.from(`${scene.root}/personal/caf`), Buffer.from([0xe9]), Buffer.from('.md')]);
    writeFileSync(path, 'Retros are on Friday.\n');
    await scene.settle();
    expect(scene.delivered()).toEqual(['k3v9q2m7']);
    expect([...scene.memory.unreadable.values()]).toEqual(['its name is not UTF-8']);
    await expectUndisturbed(scene);
  });
});

describe('a repository within the memory', () => {
  it('is not looked into, and its files are its own', async () => {
    await using scene = await openWithOne();
    execFileSync('git', ['init', '-q', scene.at('spaces/vendor')]);
    scene.write('spaces/vendor/note.md', 'This is of another repository.\n');
    scene.write('spaces/vendor/deep/note.md', 'This too.\n');
    await scene.settle();
    expect(scene.delivered()).toEqual(['k3v9q2m7']);
    expect(scene.memory.unreadable.get('spaces/vendor')).toBe('a git repository of its own');
    expect(scene.read('spaces/vendor/note.md')).toBe('This is of another repository.\n');
    await expectUndisturbed(scene);
  });
});

describe('very many files in one folder', () => {
  const COUNT = amount(1_500, 100_000);

  it('are read, found again, and committed beside', async () => {
    await using scene = await openWithOne();
    mkdirSync(scene.at('personal/many'));
    const letters = 'abcdefghjkmnpqrstvwxyz';
    const idOf = (n: number) =>
      `m${Array.from({ length: 7 }, (_, at) => letters[Math.floor(n / 22 ** at) % 22]).join('')}`;
    const textOf = (id: string, text: string) =>
      `---\nid: ${id}\nkind: fact\nsource: hand\ncreated: "2026-09-15T10:31:04Z"\n---\n${text}\n`;
    for (let n = 0; n < COUNT; n++)
      writeFileSync(scene.at(`personal/many/${n}.md`), textOf(idOf(n), `Note number ${n}.`));
    scene.git('add', '-A');
    scene.git('commit', '-q', '-m', 'many');
    await scene.notice();
    expect(scene.memory.table.size).toBe(COUNT + 1);
    await scene.reopen();
    expect(scene.memory.table.size).toBe(COUNT + 1);
    scene.write('personal/many/0.md', scene.read('personal/many/0.md').replace('Note', 'Remark'));
    await scene.settle();
    expect(scene.subjects()[0]).toBe('edit: Remark number 0.');
    expect(scene.git('status', '--porcelain')).toBe('');
    reportRuns({
      what: 'files in one folder, read, reopened, one edited and committed',
      runs: COUNT,
    });
  }, 900_000);
});
