// What two machines can do to one memory without knowing of each other, through real remotes: each case ends with the same files
// on both, and what a person has to decide stands in the review.
import { symlinkSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReviewCase } from '../src/app.ts';
import { machinePair, settle, type Machine, type MachinePair } from './machine-pair.ts';
import { run } from './temporary-memory.ts';

const review = (machine: Machine): Promise<readonly ReviewCase[]> => machine.withApp((app) => app.listReview());

async function put(machine: Machine, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(machine.root, path)), { recursive: true });
  await writeFile(join(machine.root, path), text);
}

/** Ids that an agent receives in a space, of all that is visible. */
async function delivered(machine: Machine, space: string | null): Promise<readonly string[]> {
  return machine.withApp(async (app) => {
    const named = space === null ? null : ({ by: '--space', space } as const);
    const session = await app.session({ client: 'codex', named, folders: [] });
    return (await app.visibleItems(session)).map(({ text }) => text).sort();
  });
}

/** Commits files from a clone without stet, and pushes. */
async function commitForeign({ memory, remote }: MachinePair, change: (folder: string) => Promise<void>) {
  const folder = join(memory.folder, 'foreign');
  const git = async (...args: string[]) => {
    const outcome = await run('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', ...args]);
    if (outcome.code !== 0) throw new Error(outcome.stderr);
  };
  await git('clone', '-q', remote, folder);
  await change(folder);
  await git('-C', folder, 'add', '-A');
  await git('-C', folder, 'commit', '-qm', 'from elsewhere');
  await git('-C', folder, 'push', '-q', 'origin', 'HEAD:main');
}

describe('one item on both sides', () => {
  it('edited here and moved there is edited where it went', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    const { path } = await here.remember('Tea is at four.');
    await settle(machines);
    await here.replace(path, 'four', 'five');
    await mkdir(join(there.root, 'personal/drinks'));
    await rename(join(there.root, path), join(there.root, 'personal/drinks/tea.md'));
    await settle(machines);
    expect(await here.list()).toMatchObject([{ text: 'Tea is at five.', path: 'personal/drinks/tea.md' }]);
  });

  it('renamed twice has one of the two names', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    const { path } = await here.remember('Tea is at four.');
    await settle(machines);
    await rename(join(here.root, path), join(here.root, 'personal/tea-here.md'));
    await rename(join(there.root, path), join(there.root, 'personal/tea-there.md'));
    await settle(machines);
    const [item, ...others] = await here.list();
    expect(others).toEqual([]);
    expect(['personal/tea-here.md', 'personal/tea-there.md']).toContain(item?.path);
  });

  it('moved to two spaces is delivered in neither, until one file is deleted', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    await here.withApp(async (app) => {
      await app.addSpace({ name: 'acme' });
      await app.addSpace({ name: 'globex' });
    });
    const { path } = await here.remember('Tea is at four.');
    await settle(machines);
    const move = async (machine: Machine, space: string) => {
      await machine.replace(path, '---\n', `---\nspace: ${space}\n`);
      await rename(join(machine.root, path), join(machine.root, `spaces/${space}/tea.md`));
    };
    for (const machine of [here, there]) {
      for (const space of ['acme', 'globex']) await mkdir(join(machine.root, 'spaces', space), { recursive: true });
    }
    await move(here, 'acme');
    await move(there, 'globex');
    await settle(machines);
    for (const space of [null, 'acme', 'globex']) expect(await delivered(here, space)).toEqual([]);
    expect((await review(here)).map(({ kind }) => kind)).toEqual(['quarantined', 'quarantined']);
    await rm(join(here.root, 'spaces/acme/tea.md'));
    await settle(machines);
    expect(await delivered(there, 'globex')).toEqual(['Tea is at four.']);
    expect(await review(there)).toEqual([]);
  });

  it('superseded on both has two heads that contradict each other, until one item replaces them', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    const { id } = await here.remember('Tea is at four.');
    await settle(machines);
    const one = await here.remember('Tea moved to five.', id);
    const two = await there.remember('Tea is served at half past six now.', id);
    await settle(machines);
    for (const machine of [here, there]) {
      const [found] = await review(machine);
      if (found?.kind !== 'contradiction') throw new Error(`${found?.kind}`);
      expect(found.items.map((item) => item.id).sort()).toEqual([one.id, two.id].sort());
      const { facts } = await machine.withApp(async (app) => {
        const { answer } = await app.recall(await app.userSession({}), {
          question: 'Did tea move to five, or is it served at half past six?',
        });
        return answer;
      });
      expect(Object.fromEntries(facts.map(({ item, contradicts }) => [item.id, contradicts]))).toEqual({
        [one.id]: [two.id],
        [two.id]: [one.id],
      });
    }
    await there.remember('Tea is at seven, both agreed.', one.id, two.id);
    await settle(machines);
    expect(await review(here)).toEqual([]);
    expect(await here.texts()).toEqual(['Tea is at seven, both agreed.']);
  });
});

describe('files made on both sides', () => {
  it('by hand and the same are one item; otherwise they are two', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    for (const machine of [here, there]) await put(machine, 'personal/same.md', 'Lunch is at noon.\n');
    await put(here, 'personal/note.md', 'Tea is at four.\n');
    await put(there, 'personal/note.md', 'Coffee is at ten.\n');
    await settle(machines);
    expect(await there.texts()).toEqual(['Coffee is at ten.', 'Lunch is at noon.', 'Tea is at four.']);
  });

  it('with one id are two items', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    const file = (text: string) => `---\nid: "k3v9q2m7"\ncreated: "2026-09-15T10:31:04Z"\n---\n${text}\n`;
    await put(here, 'personal/tea.k3v9q2m7.md', file('Tea is at four.'));
    await put(there, 'personal/coffee.k3v9q2m7.md', file('Coffee is at ten.'));
    await settle(machines);
    expect(await here.texts()).toEqual(['Coffee is at ten.', 'Tea is at four.']);
    expect(new Set((await here.list()).map(({ id }) => id)).size).toBe(2);
  });
});

describe('settings on both sides', () => {
  it('that give one name to two spaces stop the sync, until one is renamed', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    await here.withApp((app) => app.addSpace({ name: 'old-acme' }));
    await here.withApp((app) => app.addSpace({ name: 'old-globex' }));
    await settle(machines);
    await here.withApp((app) => app.renameSpace('old-acme', 'client'));
    await there.withApp((app) => app.renameSpace('old-globex', 'client'));
    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' } });
    expect(await there.sync()).toMatchObject({ outcome: { status: 'stopped', why: 'spaces' } });
    expect(await review(there)).toMatchObject([
      { kind: 'sync-stopped', problem: expect.stringContaining('stet space rename client') as string },
    ]);
    await there.withApp((app) => app.renameSpace('client', 'globex'));
    await settle(machines);
    expect(await review(there)).toEqual([]);
    const spaces = await here.withApp((app) => app.listSpaces());
    expect(spaces.map(({ name }) => name).sort()).toEqual(['client', 'globex']);
  });

  it('that allow and deny the same deny it, and the decision is in the review until it was seen', async () => {
    await using machines = await machinePair();
    const { here, there } = machines;
    await here.withApp((app) => app.addSpace({ name: 'acme' }));
    await settle(machines);
    await here.withApp((app) => app.changePolicy('codex', 'acme', 'allow'));
    await here.sync();
    await there.withApp((app) => app.changePolicy('codex', 'acme', 'deny'));
    await settle(machines);
    expect(await here.withApp((app) => app.explainPolicy('codex', 'acme'))).toMatchObject({ allowed: false });
    const [decided] = await review(there);
    expect(decided).toMatchObject({ kind: 'sync-decided' });
    expect((await there.stet('review')).stdout).toContain('stet review accept sync');
    expect(await there.stet('review', 'accept', 'sync')).toMatchObject({ code: 0 });
    expect(await review(there)).toEqual([]);
  });
});

describe('a commit made without stet', () => {
  it('with conflict markers or broken frontmatter is taken over, and its files are delivered to nobody', async () => {
    await using machines = await machinePair();
    const { here } = machines;
    const { path } = await here.remember('Tea is at four.');
    await here.remember('Coffee is at ten.');
    await settle(machines);
    await commitForeign(machines, async (folder) => {
      const marked = '<<<<<<< HEAD\nTea is at five.\n=======\nTea is at six.\n>>>>>>> other\n';
      await writeFile(join(folder, path), `---\nid: "k3v9q2m7"\n---\n${marked}`);
      await writeFile(join(folder, 'personal/broken.md'), '---\nkind: [\n---\nLunch is at noon.\n');
    });
    await settle(machines);
    expect(await here.texts()).toEqual(['Coffee is at ten.']);
    const kinds = (await review(here)).map((each) => (each.kind === 'quarantined' ? each.path : each.kind));
    expect(new Set(kinds)).toEqual(new Set([path, 'personal/broken.md']));
  });

  it('with files made to do harm changes nothing outside of the memory, and nothing of this machine', async () => {
    await using machines = await machinePair();
    const { here, memory } = machines;
    const outside = join(memory.folder, 'outside.md');
    await writeFile(outside, 'Mine.\n');
    const own = await here.read('machine.yaml');
    await commitForeign(machines, async (folder) => {
      for (const name of ['personal', 'spaces', '.stet']) await mkdir(join(folder, name), { recursive: true });
      symlinkSync(outside, join(folder, 'personal/link.md'));
      symlinkSync(memory.folder, join(folder, 'spaces/linked'));
      await writeFile(join(folder, '.stet/table.json'), 'theirs');
      await writeFile(join(folder, 'machine.yaml'), 'folders: {evil: /}\n');
      await run('git', ['-C', folder, 'add', '-f', '.stet/table.json', 'machine.yaml']);
    });
    await settle(machines);
    expect(await here.read('machine.yaml')).toBe(own);
    expect((await run('git', ['-C', here.root, 'ls-files', '.stet', 'machine.yaml'])).stdout).toBe('');
    expect(await here.list()).toEqual([]);
    await here.remember('Tea is at four.');
    await settle(machines);
    expect(await memory.read('../outside.md')).toBe('Mine.\n');
  });
});
