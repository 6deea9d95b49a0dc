// What becomes of files that people edit, add, move and delete: by themselves they become commits.
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  futimesSync,
  mkdirSync,
  openSync,
  renameSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { setTimeout as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { forget } from '../src/service/forget.ts';
import { userSession } from '../src/service/sessions.ts';
import { MemoryScene } from './memory-scene.ts';

const NOTE = 'personal/standup.md';
const ITEM = 'personal/2026-09/standup.k3v9q2m7.md';

/** A memory with one committed item. */
async function openWithItem(item: { supersedes?: readonly string[]; text?: string } = {}): Promise<MemoryScene> {
  const scene = await MemoryScene.open();
  scene.writeItem(ITEM, { id: 'k3v9q2m7', kind: 'decision', text: 'Standups are at nine.', ...item });
  await scene.settle();
  expect(scene.git('status', '--porcelain')).toBe('');
  return scene;
}

function idIn(text: string): string {
  return /^id: "?([a-z0-9]{8})"?$/m.exec(text)?.[1] ?? '';
}

describe('a new file', () => {
  it('is adopted and committed together, by the user, with every other byte as it was', async () => {
    await using scene = await MemoryScene.open();
    scene.write(NOTE, '---\ntitle: "Standup"   # mine\n---\r\nStandups are at nine.\r\n\r\nBring coffee.');
    await scene.settle();
    const text = scene.read(NOTE);
    const id = idIn(text);
    expect(text.replace(/\d{4}-[\d:T-]+Z/, 'TIME')).toBe(
      `---\ntitle: "Standup"   # mine\nid: "${id}"\nsource: hand\ncreated: "TIME"\n---\r\nStandups are at nine.\r\n\r\nBring coffee.`,
    );
    expect(scene.delivered()).toEqual([id]);
    expect(scene.subjects()).toEqual(['add: Standups are at nine.']);
    expect(scene.lastCommit()).toEqual([`A ${NOTE}`]);
    expect(scene.git('log', '-1', '--format=%an=%cn|%(trailers:only,unfold,separator=%x2C)')).toBe(
      `${scene.git('log', '-1', '--format=%cn=%cn')}|Stet-Agent: user,Stet-Space: personal,Stet-Item: ${id}`,
    );
    expect(scene.git('status', '--porcelain')).toBe('');
    scene.git('fsck', '--strict');
  });

  it('is recallable at once and left alone while it is not quiet', async () => {
    await using scene = await MemoryScene.open();
    // However slow the machine is, it is not quiet for that long.
    scene.write('stet.yaml', 'version: 1\ncommit:\n  quiet: 30m\n');
    scene.write(NOTE, 'Standups are at nine.\n');
    await scene.notice('stet.yaml', NOTE);
    expect(scene.delivered()).toHaveLength(1);
    await scene.hand.look();
    expect(scene.read(NOTE)).toBe('Standups are at nine.\n');
    expect(scene.subjects()).toEqual([]);
    expect(await scene.why(NOTE, 'now')).toBe('it is committed once it is quiet');
  });

  it('that goes on changing while very many others are committed has its turn after them', async () => {
    await using scene = await MemoryScene.open();
    scene.write('stet.yaml', 'version: 1\ncommit:\n  quiet: 1s\n');
    for (let n = 0; n < 250; n++) scene.write(`personal/many/${n}.md`, `Room ${n} has ${n * 7} chairs.\n`);
    scene.writeItem('personal/last.md', { id: 'zzzzzzzz', text: 'Standups are at nine.' });
    await scene.notice();
    const editedUntil = Date.now() + 1_500;
    const deadline = editedUntil + 60_000;
    const committed = () => scene.git('ls-tree', '-r', '--name-only', 'HEAD', 'personal').split('\n');
    let isFollowing = false;
    while (committed().length < 250) {
      expect(Date.now()).toBeLessThan(deadline);
      utimesSync(scene.at('personal/last.md'), new Date(), new Date());
      if (!isFollowing && Date.now() > editedUntil) {
        // Now all the others are quiet.
        scene.hand.follow();
        isFollowing = true;
      }
      await nextTurn(20);
    }
    while (committed().length < 251) {
      expect(Date.now()).toBeLessThan(deadline);
      await nextTurn(20);
    }
    await scene.hand.look();
    expect(scene.git('status', '--porcelain')).toBe('');
  }, 90_000);

  it('that git was told to commit without keys is adopted by a commit of its own', async () => {
    await using scene = await MemoryScene.open();
    scene.write(NOTE, 'Standups are at nine.\n');
    scene.git('add', NOTE);
    scene.git('commit', '-q', '-m', 'mine');
    await scene.settle();
    expect(scene.subjects()).toEqual(['edit: Standups are at nine.', 'mine']);
    expect(scene.git('status', '--porcelain')).toBe('');
  });

  it('with the path and text of a forgotten one is an item of its own', async () => {
    await using scene = await MemoryScene.open();
    scene.write(NOTE, 'Standups are at nine.\n');
    await scene.settle();
    const [first] = scene.delivered();
    scene.remove(NOTE);
    await scene.settle();
    scene.write(NOTE, 'Standups are at nine.\n');
    await scene.notice(NOTE);
    const [second] = scene.delivered();
    expect(second).toMatch(/^[a-z]/);
    expect(second).not.toBe(first);
    await scene.settle();
    expect(scene.delivered()).toEqual([second]);
    expect(scene.subjects().slice(0, 2)).toEqual(['add: Standups are at nine.', `forget: ${first}`]);
  });
});

describe('an edit', () => {
  it('is committed under the words of the item, by the user', async () => {
    await using scene = await openWithItem();
    scene.write(ITEM, scene.read(ITEM).replace('nine', 'ten'));
    await scene.settle();
    expect(scene.subjects()).toEqual(['edit: Standups are at ten.', 'add: Standups are at nine.']);
    expect(scene.lastCommit()).toEqual([`M ${ITEM}`]);
  });

  it('from a stale buffer that lost the frontmatter keeps id, date and links', async () => {
    await using scene = await openWithItem({ supersedes: ['h7wq2c9d'] });
    const before = scene.read(ITEM);
    scene.write(ITEM, 'Standups are at ten.\n');
    await scene.settle();
    expect(scene.read(ITEM)).toBe(before.replace('nine', 'ten'));
    expect(scene.subjects()[0]).toBe('edit: Standups are at ten.');
  });

  it('that breaks the file stays uncommitted, and its links stay in force even without a snapshot', async () => {
    await using scene = await openWithItem({ supersedes: ['h7wq2c9d'] });
    scene.write(ITEM, `${scene.read(ITEM)}<<<<<<< HEAD\n`);
    await scene.settle();
    expect(scene.subjects()).toHaveLength(1);
    expect(await scene.why(ITEM)).toContain('conflict marker');
    await scene.reopen({ withoutSnapshot: true });
    expect([...scene.memory.table.links(new Set(['personal']))]).toMatchObject([
      { from: 'k3v9q2m7', to: ['h7wq2c9d'] },
    ]);
  });

  it('that holds a secret stays uncommitted and is reported, and others are committed', async () => {
    await using scene = await openWithItem();
    const secret = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
    scene.write(ITEM, `${scene.read(ITEM)}\nThe token is ${secret}.\n`);
    scene.write(NOTE, 'Retros are on Friday.\n');
    await scene.settle();
    expect(scene.subjects()[0]).toBe('add: Retros are on Friday.');
    expect(await scene.why(ITEM)).toMatch(/line \d+ looks like a secret \(GitHub token\)/);
    expect(scene.git('log', '-p', '--all')).not.toContain(secret);
    scene.write(ITEM, scene.read(ITEM).replace(secret, 'in the vault'));
    await scene.settle();
    expect(scene.subjects()[0]).toBe('edit: Standups are at nine.');
  });

  it('that the user staged is left to the user, file and index', async () => {
    await using scene = await openWithItem();
    scene.write(ITEM, scene.read(ITEM).replace('nine', 'ten'));
    scene.write(NOTE, 'Retros are on Friday.\n');
    scene.git('add', ITEM, NOTE);
    scene.write(NOTE, 'Retros are on Monday.\n');
    const before = scene.git('diff', '--cached');
    await scene.settle();
    expect(scene.subjects()).toHaveLength(1);
    expect(scene.git('diff', '--cached')).toBe(before);
    expect(scene.read(NOTE)).toBe('Retros are on Monday.\n');
    expect(await scene.why(NOTE)).toBe('you staged it, so the commit is yours');
  });

  it('of a file that git ignores is never committed', async () => {
    await using scene = await openWithItem();
    scene.write('.git/info/exclude', 'personal/private/\n');
    scene.write('personal/private/diary.md', 'Dear diary.\n');
    await scene.settle();
    expect(scene.subjects()).toHaveLength(1);
    expect(scene.delivered()).toHaveLength(2);
    expect(await scene.why('personal/private/diary.md')).toContain('git ignores it');
  });

  it('while commit.hand is off is left to the user', async () => {
    await using scene = await openWithItem();
    scene.write('stet.yaml', 'commit:\n  hand: off\n');
    scene.write(NOTE, 'Retros are on Friday.\n');
    await scene.settle();
    expect(scene.subjects()).toHaveLength(1);
    expect(scene.read(NOTE)).toBe('Retros are on Friday.\n');
    expect(await scene.why(NOTE)).toContain('`commit.hand` is off');
  });

  it('of the rules is committed when they are sound, and not when they are broken or gone', async () => {
    await using scene = await openWithItem();
    scene.write('policies.yaml', 'policies:\n  - agent: codex\n    space: "*"\n    effect: deny\n');
    await scene.settle();
    expect(scene.subjects()[0]).toBe('edit: policies.yaml');
    scene.write('policies.yaml', 'policies: [\n');
    await scene.settle();
    expect(await scene.why('policies.yaml')).toMatch(/^line \d/);
    scene.remove('policies.yaml');
    await scene.settle();
    expect(await scene.why('policies.yaml')).toContain('it is missing');
    expect(scene.subjects()).toHaveLength(2);
  });
});

describe('a deletion', () => {
  it('is committed with its tombstone, and what the item had replaced never comes back', async () => {
    await using scene = await openWithItem({ supersedes: ['h7wq2c9d'] });
    scene.writeItem('personal/old.md', { id: 'h7wq2c9d', text: 'Standups are at eight.' });
    await scene.settle();
    const isOutdated = () => scene.memory.viewOf(['personal']).current('h7wq2c9d') === undefined;
    expect(isOutdated()).toBe(true);
    scene.remove(ITEM);
    await scene.notice(ITEM);
    expect(scene.delivered()).toEqual(['h7wq2c9d']);
    expect(isOutdated()).toBe(true);
    await scene.reopen({ withoutSnapshot: true });
    expect(isOutdated()).toBe(true);
    await scene.settle();
    expect(scene.subjects()[0]).toBe('forget: k3v9q2m7');
    expect(scene.lastCommit()).toEqual(['A forgotten/k3v9q2m7.yaml', `D ${ITEM}`]);
    expect(scene.read('forgotten/k3v9q2m7.yaml')).toMatch(
      /^id: "k3v9q2m7"\nsupersedes: "h7wq2c9d"\nforgotten: .*\nby: hand\n$/,
    );
    expect(isOutdated()).toBe(true);
  });

  it('by way of an id that was overwritten with another item is one too', async () => {
    await using scene = await openWithItem();
    scene.writeItem('personal/other.md', { id: 'h7wq2c9d', text: 'Retros are on Friday.' });
    await scene.settle();
    renameSync(scene.at('personal/other.md'), scene.at(ITEM));
    await scene.settle();
    expect(scene.lastCommit()).toEqual(['A forgotten/k3v9q2m7.yaml', `M ${ITEM}`, 'D personal/other.md']);
    expect(scene.delivered()).toEqual(['h7wq2c9d']);
  });

  it('of a tombstone is an edit', async () => {
    await using scene = await openWithItem();
    scene.remove(ITEM);
    await scene.settle();
    scene.remove('forgotten/k3v9q2m7.yaml');
    await scene.settle();
    expect(scene.subjects()[0]).toBe('edit: forgotten/k3v9q2m7.yaml');
  });
});

describe('a file that was moved', () => {
  it('keeps its id and leaves no tombstone', async () => {
    await using scene = await openWithItem();
    mkdirSync(scene.at('personal/team'));
    renameSync(scene.at(ITEM), scene.at('personal/team/standup.md'));
    await scene.settle();
    expect(scene.delivered()).toEqual(['k3v9q2m7']);
    expect(scene.subjects()[0]).toBe('edit: Standups are at nine.');
    expect(scene.lastCommit()).toEqual([`D ${ITEM}`, 'A personal/team/standup.md']);
  });

  it('keeps its id when nobody has told of the new file yet, quiet or not', async () => {
    await using scene = await openWithItem();
    mkdirSync(scene.at('personal/team'));
    renameSync(scene.at(ITEM), scene.at('personal/team/standup.md'));
    await scene.notice(ITEM);
    await scene.hand.look();
    await scene.lookLater();
    expect(scene.delivered()).toEqual(['k3v9q2m7']);
    expect(scene.lastCommit()).toEqual([`D ${ITEM}`, 'A personal/team/standup.md']);
  });

  it('is not forgotten when it was broken meanwhile, and nobody has told of the new file yet', async () => {
    await using scene = await openWithItem();
    scene.remove(ITEM);
    scene.write('personal/team/standup.md', '---\nid: "k3v9q2m7"\nkind: [\n---\nStandups are at nine.\n');
    await scene.notice(ITEM);
    await scene.lookLater();
    expect(scene.git('ls-files', 'forgotten')).toBe('');
    expect(await scene.why(ITEM)).toContain('it belongs to personal/team/standup.md');
  });

  it('and forgotten before that was committed leaves no file in the history, old or new', async () => {
    await using scene = await openWithItem();
    mkdirSync(scene.at('personal/team'));
    renameSync(scene.at(ITEM), scene.at('personal/team/standup.md'));
    await scene.notice();
    await forget(scene.memory, await userSession(scene.memory, { item: 'k3v9q2m7' }), 'k3v9q2m7');
    expect(scene.lastCommit()).toEqual(['A forgotten/k3v9q2m7.yaml', `D ${ITEM}`]);
    expect(scene.git('status', '--porcelain')).toBe('');
  });

  it('from personal into a space gets its key rewritten, and keeps its id', async () => {
    await using scene = await MemoryScene.open();
    scene.write('personal/auth.md', '---\nid: k3v9q2m7\nspace: personal\n---\nAcme signs users in with Auth0.\n');
    await scene.settle();
    mkdirSync(scene.at('spaces/acme'), { recursive: true });
    renameSync(scene.at('personal/auth.md'), scene.at('spaces/acme/auth.md'));
    await scene.settle();
    expect(scene.read('spaces/acme/auth.md')).toContain('\nspace: acme\n');
    expect(scene.lastCommit()).toEqual(['D personal/auth.md', 'A spaces/acme/auth.md']);
    expect([...scene.memory.table.inSpaceKey('space:acme')].map(({ file }) => file.item.id)).toEqual(['k3v9q2m7']);
  });

  it('to a space that its key contradicts stays uncommitted with its deletion, and is not forgotten', async () => {
    await using scene = await MemoryScene.open();
    scene.writeItem('spaces/acme/auth.md', { id: 'k3v9q2m7', space: 'acme', supersedes: ['h7wq2c9d'] });
    await scene.settle();
    mkdirSync(scene.at('spaces/globex'));
    renameSync(scene.at('spaces/acme/auth.md'), scene.at('spaces/globex/auth.md'));
    await scene.settle();
    expect(scene.subjects()).toHaveLength(1);
    expect(await scene.why('spaces/globex/auth.md')).toContain('disagrees with the folder');
    expect(await scene.why('spaces/acme/auth.md')).toContain('it belongs to spaces/globex/auth.md');
    expect([...scene.memory.table.links(new Set(['space:acme']))]).toMatchObject([{ from: 'k3v9q2m7' }]);
    scene.write('spaces/globex/auth.md', scene.read('spaces/globex/auth.md').replace('space: acme', 'space: globex'));
    await scene.settle();
    expect(scene.lastCommit()).toEqual(['D spaces/acme/auth.md', 'A spaces/globex/auth.md']);
  });
});

describe('a file that was copied', () => {
  it('within its space becomes an item of its own, and the original stays as it is', async () => {
    await using scene = await openWithItem();
    const before = scene.read(ITEM);
    copyFileSync(scene.at(ITEM), scene.at('personal/retro.md'));
    appendFileSync(scene.at('personal/retro.md'), '\nRetros too.\n');
    await scene.settle();
    const id = idIn(scene.read('personal/retro.md'));
    expect(scene.delivered()).toEqual(['k3v9q2m7', id].sort());
    expect(id).not.toBe('k3v9q2m7');
    expect(scene.read('personal/retro.md')).toContain('\nsource: hand\n');
    expect(scene.read(ITEM)).toBe(before);
    expect(scene.lastCommit()).toEqual(['A personal/retro.md']);
    expect(scene.git('log', '-1', '--format=%(trailers:key=Stet-Item,valueonly)')).toContain(id);
  });

  it('into another space is delivered to nobody and stays uncommitted', async () => {
    await using scene = await openWithItem();
    mkdirSync(scene.at('spaces/acme'), { recursive: true });
    copyFileSync(scene.at(ITEM), scene.at('spaces/acme/standup.md'));
    await scene.settle();
    expect(scene.subjects()).toHaveLength(1);
    expect(await scene.why('spaces/acme/standup.md')).toContain(`${ITEM} has the id k3v9q2m7 too`);
  });
});

describe('many changes', () => {
  it('of one kind are one commit, and each kind has its own', async () => {
    await using scene = await openWithItem();
    scene.writeItem('personal/b.md', { id: 'h7wq2c9d', text: 'Retros are on Friday.' });
    await scene.settle();
    scene.remove(ITEM);
    scene.write('personal/b.md', scene.read('personal/b.md').replace('Friday', 'Monday'));
    scene.write('personal/c.md', 'Deploys are on Tuesday.\n');
    scene.write('personal/d.md', 'Lunch is at noon.\n');
    await scene.settle();
    expect(scene.subjects().slice(0, 3)).toEqual([
      'add: 2 files, Deploys are on Tuesday.',
      'edit: Retros are on Monday.',
      'forget: k3v9q2m7',
    ]);
    expect(scene.git('status', '--porcelain')).toBe('');
  });

  it('by the hundred are committed in turns', async () => {
    await using scene = await MemoryScene.open();
    for (let n = 0; n < 450; n++) scene.write(`personal/notes/${n}.md`, `Note number ${n}.\n`);
    await scene.settle();
    expect(scene.subjects()).toHaveLength(3);
    expect(scene.git('status', '--porcelain')).toBe('');
    expect(scene.delivered()).toHaveLength(450);
    const incomplete = Array.from(scene.memory.table.all()).filter(({ file }) => file.missing.length > 0);
    expect(incomplete).toEqual([]);
  });
});

describe('while git is busy', () => {
  it.each([
    ['a merge', (scene: MemoryScene) => scene.write('.git/MERGE_HEAD', `${scene.git('rev-parse', 'HEAD')}\n`)],
    ['a detached HEAD', (scene: MemoryScene) => scene.git('checkout', '-q', '--detach')],
  ])('with %s, no file is touched, and the commit is made later', async (_, makeBusy) => {
    await using scene = await openWithItem();
    makeBusy(scene);
    scene.write(NOTE, 'Retros are on Friday.\n');
    scene.write(ITEM, scene.read(ITEM).replace('nine', 'ten'));
    await scene.settle();
    expect(scene.read(NOTE)).toBe('Retros are on Friday.\n');
    expect(scene.subjects()).toHaveLength(1);
    if (scene.git('rev-parse', '--abbrev-ref', 'HEAD') === 'HEAD') scene.git('checkout', '-q', 'main');
    else scene.remove('.git/MERGE_HEAD');
    await scene.settle();
    expect(scene.subjects().slice(0, 2)).toEqual(['add: Retros are on Friday.', 'edit: Standups are at ten.']);
  });
});

describe('a file that a program has open while it is adopted', () => {
  it('keeps what the program writes later', async () => {
    await using scene = await MemoryScene.open();
    scene.write(NOTE, 'Standups are at nine.\n');
    const open = openSync(scene.at(NOTE), 'a');
    await scene.settle();
    const id = idIn(scene.read(NOTE));
    writeSync(open, '\nBring coffee.\n');
    closeSync(open);
    await scene.lookLater();
    expect(scene.read(NOTE)).toMatch(/^---\nid: .*\n---\nStandups are at nine\.\n\nBring coffee\.\n$/s);
    expect(idIn(scene.read(NOTE))).toBe(id);
    await scene.settle();
    expect(scene.git('show', `HEAD:${NOTE}`)).toContain('Bring coffee.');
  });

  it('keeps it also where the clock was set back since', async () => {
    await using scene = await MemoryScene.open();
    scene.write(NOTE, 'Standups are at nine.\n');
    const open = openSync(scene.at(NOTE), 'a');
    await scene.settle();
    writeSync(open, '\nBring coffee.\n');
    const tomorrow = new Date(Date.now() + 86_400_000);
    futimesSync(open, tomorrow, tomorrow);
    closeSync(open);
    await scene.reopen();
    expect(scene.read(NOTE)).toContain('Standups are at nine.\n\nBring coffee.\n');
  });

  it('keeps it in a file of its own when the note was changed meanwhile too', async () => {
    await using scene = await MemoryScene.open();
    scene.write(NOTE, 'Standups are at nine.\n');
    const open = openSync(scene.at(NOTE), 'a');
    await scene.settle();
    scene.write(NOTE, scene.read(NOTE).replace('nine', 'ten'));
    writeSync(open, '\nBring coffee.\n');
    closeSync(open);
    await scene.lookLater();
    await scene.settle();
    expect(scene.read(NOTE)).toContain('Standups are at ten.');
    expect(scene.read('personal/standup.late.md')).toContain('Standups are at nine.\n\nBring coffee.\n');
    expect(scene.delivered()).toHaveLength(2);
  });
});
