// Two machines and their remote: real git remotes, real files; the commands as users type them where their words count.
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initMemory } from '../src/app.ts';
import { Machine, machinePair as pair, settle, type MachinePair } from './machine-pair.ts';
import { HttpGitServer } from './remotes/http-git-server.ts';
import { run, TemporaryMemory, until, type Outcome } from './temporary-memory.ts';

interface Recalled {
  facts: Array<{ id: string; text: string; space: string | null }>;
}

/** Purges here, with a home of its own for the backup. */
async function purge({ memory, here }: Pick<MachinePair, 'memory' | 'here'>, id: string): Promise<Outcome> {
  const home = await memory.project('home');
  const env = { STET_HOME: here.root, HOME: home, USERPROFILE: home };
  return memory.stetWith({ env }, 'purge', id, '--yes', '--json');
}

/** The command, as arguments of git, that a stopped sync says replaces the remote. */
async function replacingPush(machine: Machine): Promise<string[]> {
  const { stdout } = await machine.stet('sync');
  return /`git (push [^`]+)`/.exec(stdout)?.[1]?.split(' ') ?? [];
}

/** Lets the remote have something new, and locks the branch that a fetch there writes. Gives the lock's path. */
async function lockFetching({ here, there }: MachinePair, text: string): Promise<string> {
  await here.remember(text);
  await here.sync();
  const lock = join(there.root, '.git/refs/remotes/origin/main.lock');
  await writeFile(lock, '');
  return lock;
}

describe('stet clone', () => {
  it('makes a second machine in one command: files, folders, merge driver, answers', async () => {
    await using machines = await pair();
    const { here, there, remote } = machines;
    await here.remember('Invoices go out on the last working day.');
    await settle(machines);
    expect(existsSync(join(there.root, 'machine.yaml'))).toBe(true);
    expect(await there.git('config', 'merge.stet.driver')).toMatch(/main\.js' merge-driver %O %A %B %P$/);
    expect(await there.git('remote', 'get-url', 'origin')).toBe(remote);
    expect(await there.git('rev-parse', '--abbrev-ref', 'main@{upstream}')).toBe('origin/main');
    const { facts } = await there.json<Recalled>('recall', 'When do invoices go out?');
    expect(facts.map(({ text }) => text)).toEqual(['Invoices go out on the last working day.']);
  });

  it.each([
    { what: 'an empty repository', make: ['init', '-q', '--bare'], says: 'it is empty' },
    { what: 'no repository', make: ['--version'], says: 'no repository' },
  ])('leaves nothing behind where there is $what', async ({ make, says }) => {
    await using memory = await TemporaryMemory.make();
    const other = join(memory.folder, 'other.git');
    await run('git', [...make, ...(make[0] === 'init' ? [other] : [])]);
    const target = join(memory.folder, 'new');
    const outcome = await memory.stet('clone', other, target);
    expect(outcome.code).not.toBe(0);
    expect(outcome.stderr).toContain(says);
    expect(existsSync(target)).toBe(false);
  });

  it('makes the memory of a machine that has none, where it looks for one', async () => {
    await using machines = await pair();
    const { memory, remote } = machines;
    await memory.json('remember', 'Deploys are on Fridays.');
    await memory.json('sync');
    const home = { env: { STET_HOME: join(memory.folder, 'home') } };
    expect((await memory.stetWith(home, 'clone', remote)).code).toBe(0);
    expect((await memory.stetWith(home, 'list')).stdout).toContain('Deploys are on Fridays.');
    expect((await memory.stetWith(home, 'clone', remote)).stderr).toContain('home');
  });

  it('refuses a repository that is no memory, and a folder that holds something', async () => {
    await using machines = await pair();
    const { memory, remote } = machines;
    const plain = join(memory.folder, 'plain');
    await run('git', ['init', '-q', '-b', 'main', plain]);
    await writeFile(join(plain, 'a.txt'), 'a');
    await run('git', ['-C', plain, 'add', '.']);
    await run('git', ['-C', plain, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x']);
    const target = join(memory.folder, 'new');
    expect((await memory.stet('clone', plain, target)).stderr).toContain('no memory');
    expect(existsSync(target)).toBe(false);
    expect((await memory.stet('clone', remote, plain)).stderr).toContain('it holds other things');
    expect(existsSync(join(plain, 'a.txt'))).toBe(true);
  });

  it('never takes over the settings of another machine, even if they were committed', async () => {
    await using machines = await pair();
    const { here, memory, remote } = machines;
    await here.git('add', '-f', 'machine.yaml');
    await here.git('commit', '-qm', 'by mistake');
    await here.git('push', '-q', 'origin', 'main');
    const third = new Machine(memory, 'third');
    await third.stet('clone', remote, third.root);
    expect(await third.git('ls-files', 'machine.yaml')).toBe('');
    expect(await third.sync()).toMatchObject({ outcome: { status: 'synced' } });
    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' }, received: 1 });
    expect(await here.git('ls-files', 'machine.yaml')).toBe('');
    expect(existsSync(join(here.root, 'machine.yaml'))).toBe(true);
  });
});

describe('stet remote set', () => {
  it('refuses what cannot be reached, what holds another memory, and a password', async () => {
    await using machines = await pair();
    const { here, memory, remote } = machines;
    const [nowhere, other] = [join(memory.folder, 'nowhere.git'), new Machine(memory, 'other')];
    expect((await here.stet('remote', 'set', nowhere)).stderr).toContain('no repository');
    expect((await here.stet('remote', 'set', 'https://ann:hunter2@host.example/x.git')).stderr).not.toContain(
      'hunter2',
    );
    await initMemory(other.root);
    const refused = await other.stet('remote', 'set', remote);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('holds another memory');
    expect((await other.gitOutcome('remote', 'get-url', 'origin')).code).not.toBe(0);
    expect(await here.git('remote', 'get-url', 'origin')).toBe(remote);
  });

  it('warns of a repository that anybody can read', async () => {
    await using memory = await TemporaryMemory.make();
    await run('git', ['init', '-q', '--bare', join(memory.folder, 'open.git')]);
    await using open = await HttpGitServer.start({ root: memory.folder });
    expect((await memory.stet('remote', 'set', open.url('open.git'))).stderr).toContain('Anybody');
    await using closed = await HttpGitServer.start({
      root: memory.folder,
      credentials: { user: 'x-access-token', password: 'pw' },
    });
    const set = await memory.stetWith({ env: { STET_GIT_TOKEN: 'pw' } }, 'remote', 'set', closed.url('open.git'));
    expect(set).toMatchObject({ code: 0, stderr: '' });
  });

  it('puts two memories together when that is meant', async () => {
    await using machines = await pair();
    const { here, memory, remote } = machines;
    const other = new Machine(memory, 'other');
    // Two first commits of one second are one commit, and their memories have something in common.
    const began = Number((await here.git('log', '--format=%ct')).split('\n').at(-1));
    await until(
      () => Promise.resolve(Date.now()),
      (now) => now >= (began + 1) * 1_000,
    );
    await initMemory(other.root);
    await here.remember('Tea is at four.');
    await other.remember('Coffee is at ten.');
    await here.sync();
    expect(await other.stet('remote', 'set', remote, '--join')).toMatchObject({ code: 0 });
    expect(await other.sync()).toMatchObject({ outcome: { status: 'stopped', why: 'unrelated' } });
    expect(await other.sync({ join: true })).toMatchObject({ outcome: { status: 'synced' } });
    expect(await other.texts()).toEqual(['Coffee is at ten.', 'Tea is at four.']);
    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' } });
    expect(await here.list()).toHaveLength(2);
  });
});

describe('stet sync', () => {
  it('brings what each machine stored to the other, merged, and says what it did', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    await here.remember('Tea is at four.');
    await there.remember('Coffee is at ten.');
    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' }, received: 0, sent: 1 });
    expect(await there.sync()).toMatchObject({ outcome: { status: 'synced' }, received: 1, sent: 2, decisions: [] });
    await settle(machines);
    for (const machine of [here, there]) {
      expect(await machine.texts()).toEqual(['Coffee is at ten.', 'Tea is at four.']);
    }
    expect(await there.git('log', '-1', '--format=%s%n%(trailers:key=Stet-Sync,valueonly)')).toContain(
      'sync: merge\nmerge',
    );
  });

  it('follows a space by its remote, on machines with different folders', async () => {
    await using machines = await pair();
    const { here, there, memory } = machines;
    const project = async (name: string) => {
      const folder = await memory.project(name);
      await run('git', ['init', '-q', folder]);
      await run('git', ['-C', folder, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git']);
      return folder;
    };
    const [mine, yours] = [await project('work/shop'), await project('elsewhere/acme-shop')];
    await here.stet('space', 'add', 'acme', '--folder', mine, '--remote', 'git@github.com:acme/shop.git');
    const inFolder = (machine: Machine, cwd: string, ...args: string[]) =>
      memory.stetWith({ cwd, env: { STET_HOME: machine.root } }, ...args);
    await inFolder(here, mine, 'remember', 'The shop runs on Postgres.');
    await settle(machines);
    const recalled = await inFolder(there, yours, 'recall', 'What does the shop run on?', '--json');
    expect((JSON.parse(recalled.stdout) as Recalled).facts).toMatchObject([
      { text: 'The shop runs on Postgres.', space: 'acme' },
    ]);
    expect(await there.read('machine.yaml')).not.toContain('shop');
  });

  it('merges edits of one item, keeps both of one line, and lists them in review', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { id, path } = await here.remember('Tea is at four.');
    await settle(machines);
    await here.replace(path, '---\nTea', 'topic: tea\n---\nTea');
    await there.replace(path, 'at four.', 'at four.\n\nIn the garden.');
    expect(await settle(machines)).toEqual([]);
    expect(await there.read(path)).toContain('topic: tea');
    expect(await here.read(path)).toContain('In the garden.');

    await here.replace(path, 'at four.', 'at five.');
    await there.replace(path, 'at four.', 'at six.');
    const decisions = await settle(machines);
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toContain(`${id} has two versions, because both sides changed the same lines`);
    const texts = (await here.list()).map(({ text }) => text.split('\n')[0] ?? '');
    expect(texts.sort()).toEqual(['Tea is at five.', 'Tea is at six.']);
    const other = (await here.list()).find((item) => item.id !== id);
    expect(await here.read(other?.path ?? '')).toContain(`conflicts_with: "${id}"`);
    const review = await there.json<Array<{ kind: string; items: Array<{ id: string }> }>>('review');
    expect(review.map(({ kind, items }) => [kind, items.map((item) => item.id).sort()])).toEqual([
      ['contradiction', [id, other?.id ?? ''].sort()],
    ]);
    await there.remember('Tea is at half past five.', id, other?.id ?? '');
    await settle(machines);
    expect(await here.json('review')).toEqual([]);
  });

  it('lets forgotten win over edited, and names the command that brings the edit back', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { id, path } = await here.remember('Tea is at four.');
    await settle(machines);
    await here.forget(id);
    await there.replace(path, 'at four.', 'at five.');
    const decisions = await settle(machines);
    expect(await there.list()).toEqual([]);
    const command = /`stet (restore \w+ --at \w+)`/.exec(decisions.join(' '))?.[1]?.split(' ') ?? [];
    expect(await there.stet(...command)).toMatchObject({ code: 0 });
    expect(await there.texts()).toEqual(['Tea is at five.']);
  });

  it('keeps a denial that one machine made, whatever the other allows', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    for (const machine of [here]) await machine.stet('space', 'add', 'acme');
    await settle(machines);
    await here.stet('allow', 'codex', 'acme');
    await there.stet('deny', 'codex', '*');
    expect((await settle(machines)).join(' ')).toContain('denied');
    for (const machine of [here, there]) {
      expect(await machine.json('policy', 'explain', 'codex', 'acme')).toMatchObject({ allowed: false });
    }
  });

  it('waits when it is offline, says so, and goes on later', async () => {
    await using machines = await pair();
    const { here, there, remote } = machines;
    await rename(remote, `${remote}.away`);
    await here.remember('Tea is at four.');
    const outcome = await here.stet('sync');
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('Mount it');
    // What is there instead takes a person.
    await mkdir(remote);
    expect(await here.sync()).toMatchObject({ outcome: { status: 'stopped', why: 'remote' } });
    await rm(remote, { recursive: true });
    await rename(`${remote}.away`, remote);
    await settle(machines);
    expect(await there.list()).toHaveLength(1);
  });

  it('is no error without a network', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.git('remote', 'add', 'origin', 'http://127.0.0.1:1/stet.git');
    const outcome = await memory.stet('sync');
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain('Everything is stored here');
    const status = await memory.json<{ sync: { problem: string } }>('status');
    expect(status.sync.problem).toContain('cannot be reached');
  });

  it('tells on a dry run what it would do, and does nothing', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    await here.remember('Tea is at four.');
    await here.sync();
    await there.remember('Coffee is at ten.');
    const before = await there.git('rev-parse', 'HEAD');
    expect(await there.sync({ dryRun: true })).toMatchObject({ outcome: { status: 'planned' }, received: 1, sent: 1 });
    expect(await there.git('rev-parse', 'HEAD')).toBe(before);
    expect(await there.list()).toHaveLength(1);
  });

  it('stops at a secret in a commit that the remote has not, and asks once', async () => {
    await using machines = await pair();
    const { here, remote } = machines;
    const token = ['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_');
    await here.write('personal/deploy.md', `The deploy token is ${token}.\n`);
    const before = await run('git', ['-C', remote, 'rev-parse', 'main']);
    const left = await here.sync();
    expect(left).toMatchObject({ outcome: { status: 'synced' }, left: [{ path: 'personal/deploy.md' }] });
    await here.git('add', 'personal/deploy.md');
    await here.git('commit', '-qm', 'by hand');
    const stopped = await here.stet('sync');
    expect(stopped.code).toBe(1);
    expect(stopped.stdout).toContain('personal/deploy.md');
    expect(stopped.stdout + stopped.stderr).not.toContain(token);
    expect(await run('git', ['-C', remote, 'rev-parse', 'main'])).toEqual(before);
    expect(await here.sync({ noSecrets: true })).toMatchObject({ outcome: { status: 'synced' } });
    await here.write('personal/again.md', `Again: ${token}.\n`);
    await here.git('add', 'personal/again.md');
    await here.git('commit', '-qm', 'by hand');
    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' } });
  });

  it('never merges back what a purge removed', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { id } = await here.remember('The word is abracadabra.');
    await settle(machines);
    await there.remember('Tea is at four.');
    expect((await purge(machines, id)).code).toBe(0);
    const stopped = await here.sync();
    expect(stopped.outcome).toMatchObject({ status: 'stopped', why: 'rewritten-here' });
    await here.git('push', '-q', '--force', 'origin', 'HEAD:main');
    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' } });

    expect((await there.sync()).outcome).toMatchObject({ status: 'stopped', why: 'rewritten-there' });
    expect(await there.sync({ follow: true })).toMatchObject({ outcome: { status: 'synced' } });
    await settle(machines);
    expect(await here.texts()).toEqual(['Tea is at four.']);
    const found = await there.git('log', '--all', '--format=%s', '-S', 'abracadabra', '--', 'personal', 'spaces');
    expect(found).toBe('');
    expect(await there.git('log', '--format=%P', '-1')).not.toContain(' ');
  });

  it('leaves no trace of what was purged when its remote is replaced as purge says', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { id } = await here.remember('The word is abracadabra.');
    await settle(machines);
    const { push } = JSON.parse((await purge(machines, id)).stdout) as { push: string };
    await here.git(...push.split(' ').slice(1));
    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' }, received: 0, sent: 0 });
    const objects = await here.git('cat-file', '--batch-all-objects', '--batch');
    expect(objects).not.toContain('abracadabra');
    expect(await there.sync({ follow: true })).toMatchObject({ outcome: { status: 'synced' } });
    await settle(machines);
  });

  it('loses nothing that others send before the remote of a purge is replaced', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { id } = await here.remember('The word is abracadabra.');
    await settle(machines);
    expect((await purge(machines, id)).code).toBe(0);
    await there.remember('Tea is at four.');
    await there.sync();
    const outdated = await replacingPush(here);
    await there.remember('Lunch is at noon.');
    await there.sync();
    // It was printed before lunch was sent.
    expect(await here.gitOutcome(...outdated)).toMatchObject({ code: 1 });
    const push = await replacingPush(here);
    const head = await here.git('rev-parse', 'HEAD');
    expect(await here.sync()).toMatchObject({ received: 0, outcome: { status: 'stopped', why: 'rewritten-here' } });
    expect(await here.git('rev-parse', 'HEAD')).toBe(head);
    expect(await here.gitOutcome(...push)).toMatchObject({ code: 0 });

    expect(await here.sync()).toMatchObject({ outcome: { status: 'synced' } });
    expect(await there.sync({ follow: true })).toMatchObject({ outcome: { status: 'synced' }, decisions: [] });
    await settle(machines);
    expect(await there.texts()).toEqual(['Lunch is at noon.', 'Tea is at four.']);
    const found = await here.git('log', 'HEAD', 'origin/main', '--format=%s', '-S', 'abracadabra', '--', 'personal');
    expect(found).toBe('');
  });

  it('puts a history that was reset by mistake together again as it says', async () => {
    await using machines = await pair();
    const { here } = machines;
    await here.remember('Tea is at four.');
    await settle(machines);
    await here.git('reset', '-q', '--hard', 'HEAD~1');
    await here.remember('Lunch is at noon.');
    const { stdout } = await here.stet('sync');
    const command = /`git (merge [^`]+)`/.exec(stdout)?.[1]?.split(' ') ?? [];
    await here.git(...command, '--no-edit');
    await settle(machines);
    expect(await here.texts()).toEqual(['Lunch is at noon.', 'Tea is at four.']);
  });

  it.each(['clone', 'init'])('never merges back what a purge removed, in a clone that git made (%s)', async (kind) => {
    await using machines = await pair();
    const { memory, here, remote } = machines;
    const { id } = await here.remember('The word is abracadabra.');
    await here.sync();
    const third = new Machine(memory, 'third');
    expect(await run('git', ['clone', '-q', remote, third.root])).toMatchObject({ code: 0 });
    if (kind === 'init') expect(await third.stet('init')).toMatchObject({ code: 0 });
    const { push } = JSON.parse((await purge(machines, id)).stdout) as { push: string };
    await here.git(...push.split(' ').slice(1));
    for (const _ of ['first', 'again'])
      expect((await third.sync()).outcome).toMatchObject({ status: 'stopped', why: 'rewritten-there' });
    expect(await third.sync({ follow: true })).toMatchObject({ outcome: { status: 'synced' } });
    expect(await third.git('log', 'HEAD', '--format=%s', '-S', 'abracadabra', '--', 'personal')).toBe('');
  });

  it('lets a purge in a clone that git made replace the history of the remote', async () => {
    await using machines = await pair();
    const { memory, here, remote } = machines;
    const { id } = await here.remember('The word is abracadabra.');
    await here.sync();
    const third = new Machine(memory, 'third');
    await run('git', ['clone', '-q', remote, third.root]);
    expect((await purge({ ...machines, here: third }, id)).code).toBe(0);
    expect((await third.sync()).outcome).toMatchObject({ status: 'stopped', why: 'rewritten-here' });
  });

  it('names the command that brings back what a commit of git’s deleted, on whichever side', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    for (const machine of [here, there]) {
      const { path } = await machine.remember('Tea is at four.');
      await settle(machines);
      await machine.git('rm', '-q', path);
      await machine.git('commit', '-qm', 'by hand');
      await here.remember(`Said in ${path}: one.`);
      await there.remember(`Said in ${path}: two.`);
      const decisions = await settle(machines);
      const command = /`stet (restore [^`]+)`/.exec(decisions.join(' '))?.[1]?.split(' ') ?? [];
      expect(await there.stet(...command)).toMatchObject({ code: 0 });
      expect(await there.texts()).toContain('Tea is at four.');
      const [, id = ''] = command;
      await there.forget(id);
      await settle(machines);
      expect(await here.stet('restore', id)).toMatchObject({ code: 0 });
      await here.forget(id);
      await settle(machines);
    }
  });

  it('never overwrites a file that somebody staged', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { path } = await here.remember('Tea is at four.');
    await settle(machines);
    await here.replace(path, 'four', 'five');
    await here.sync();
    await there.replace(path, 'four', 'six');
    await there.git('add', path);
    const report = await there.sync();
    expect(report.outcome).toMatchObject({ status: 'waits', why: 'files', obstacles: [{ path, why: 'staged' }] });
    expect(await there.read(path)).toContain('six');
    await there.git('commit', '-qm', 'mine');
    await settle(machines);
    expect(await here.list()).toHaveLength(2);
  });

  it('survives being killed at any moment', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    for (let round = 0; round < 12; round++) {
      await here.remember(`Fact number ${round} is from here.`);
      await here.sync();
      await there.remember(`Note number ${round} is from there.`);
      await there.syncKilledAfter(150 + round * 40);
    }
    await settle(machines);
    expect(await there.list()).toHaveLength(24);
  });

  it('goes on when another git fetches at the same time, or died while it did', async () => {
    await using machines = await pair();
    const { there } = machines;
    const left = await lockFetching(machines, 'Tea is at four.');
    const anHourAgo = Date.now() / 1000 - 3600;
    await utimes(left, anHourAgo, anHourAgo);
    expect((await there.sync()).outcome).toEqual({ status: 'synced' });

    const held = await lockFetching(machines, 'Lunch is at noon.');
    const waiting = there.sync();
    setTimeout(() => void rm(held), 1_000);
    expect((await waiting).outcome).toEqual({ status: 'synced' });
    await settle(machines);
    expect(await there.list()).toHaveLength(2);
  });

  it('goes on when another machine is sending at the same moment', async () => {
    await using machines = await pair();
    const { there, remote } = machines;
    const lock = join(remote, 'refs/heads/main.lock');
    await there.remember('Tea is at four.');
    await writeFile(lock, '');
    const sending = there.sync();
    setTimeout(() => void rm(lock), 1_000);
    expect((await sending).outcome).toEqual({ status: 'synced' });
    await settle(machines);
  });

  it('leaves a lock that is fresh, waits, and names it', async () => {
    await using machines = await pair();
    const lock = await lockFetching(machines, 'Tea is at four.');
    const { outcome } = await machines.there.sync();
    expect(outcome).toMatchObject({ status: 'waits', why: 'busy', reason: expect.stringContaining(lock) as string });
    await rm(lock);
    await settle(machines);
  });

  it('leaves a repository that the remote refuses as it was, and says why', async () => {
    await using machines = await pair();
    const { here, remote } = machines;
    const hook = join(remote, 'hooks/pre-receive');
    await writeFile(hook, '#!/bin/sh\necho "closed for today" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await here.remember('Tea is at four.');
    const outcome = await here.stet('sync');
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('closed for today');
    expect(await here.list()).toHaveLength(1);
  });
});

describe('stet status', () => {
  it('tells how far the remote is ahead and behind, and when the last sync was', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    await here.remember('Tea is at four.');
    await here.remember('Coffee is at ten.');
    await there.remember('Lunch is at noon.');
    await there.sync();
    await here.git('fetch', '-q');
    const { sync } = await here.json<{ sync: { ahead: number; behind: number; remote: string; syncedAt: string } }>(
      'status',
    );
    expect(sync).toMatchObject({
      ahead: 2,
      behind: 1,
      remote: machines.remote,
      syncedAt: expect.any(String) as string,
    });
    expect((await here.stet('status')).stdout).toMatch(/Remote .*2 ahead, 1 behind/);
  });

  it('says that there is no remote', async () => {
    await using memory = await TemporaryMemory.make();
    expect(await memory.json('status')).toMatchObject({ sync: null });
  });
});

describe('git by hand', () => {
  it('merges as stet does, by the merge driver that init and clone set up', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { path } = await here.remember('Tea is at four.');
    await settle(machines);
    await here.replace(path, '---\nTea', 'tags: [a]\n---\nTea');
    await here.sync();
    await there.replace(path, '---\nTea', 'tags: [b]\n---\nTea');
    await there.git('commit', '-qam', 'mine');
    await there.git('pull', '-q', '--no-rebase', '--no-edit');
    expect(await there.read(path)).toContain('tags: [a, b]');
    await settle(machines);
  });

  it('asks about one line that both changed, and delivers nothing of it until it is answered', async () => {
    await using machines = await pair();
    const { here, there } = machines;
    const { path } = await here.remember('Tea is at four.');
    await settle(machines);
    await here.replace(path, 'four', 'five');
    await here.sync();
    await there.replace(path, 'four', 'six');
    await there.git('commit', '-qam', 'mine');
    const pulled = await there.gitOutcome('pull', '-q', '--no-rebase', '--no-edit');
    expect(pulled.stdout).toContain('CONFLICT');
    expect(await there.read(path)).toContain('<<<<<<< ours\nTea is at six.\n=======\nTea is at five.\n>>>>>>> theirs');
    expect(await there.list()).toEqual([]);
    expect(await there.sync()).toMatchObject({ outcome: { status: 'waits', why: 'busy' } });
    await there.git('merge', '--abort');
    await settle(machines);
    expect(await there.list()).toHaveLength(2);
  });
});

describe('a running server', () => {
  it('finds in its next recall what a sync brought', async () => {
    await using machines = await pair();
    const { here, there, memory } = machines;
    const agent = await memory.connect();
    expect(await agent.recall('When is tea?')).not.toContain('four');
    await there.remember('Tea is at four.');
    await there.sync();
    await here.sync();
    expect(await agent.recall('When is tea?')).toContain('Tea is at four.');
  });

  it('syncs by itself after a write, and takes in what others wrote', async () => {
    await using machines = await pair();
    const { here, there, memory } = machines;
    await here.withApp((app) => app.changeSetting('sync.quiet', '200ms'));
    await here.withApp((app) => app.changeSetting('sync.every', '1s'));
    const agent = await memory.connect();
    await agent.remember('Tea is at four.');
    await until(
      async () => (await there.sync()) && there.texts(),
      (texts) => texts.includes('Tea is at four.'),
      30_000,
    );
    await there.remember('Coffee is at ten.');
    await there.sync();
    await until(
      () => agent.recall('When is coffee?'),
      (answer) => answer.includes('Coffee is at ten.'),
      30_000,
    );
  });

  it('sends nothing while `sync.auto` is off, and does once it is on', async () => {
    await using quiet = await pair();
    await using lively = await pair();
    for (const { here } of [quiet, lively]) {
      await here.withApp(async (app) => {
        await app.changeSetting('sync.auto', here === quiet.here ? 'off' : 'on');
        await app.changeSetting('sync.quiet', '100ms');
        await app.changeSetting('sync.every', '300ms');
      });
    }
    const sentBy = async ({ remote }: MachinePair) => (await run('git', ['-C', remote, 'rev-parse', 'main'])).stdout;
    const before = await sentBy(quiet);
    const [silent, sender] = [await quiet.memory.connect(), await lively.memory.connect()];
    await silent.remember('Tea is at four.');
    // The other server is the clock: as long as it takes to send three times, one that is on would have sent as well.
    for (const hour of ['nine', 'ten', 'eleven']) {
      const last = await sentBy(lively);
      await sender.remember(`Standups are at ${hour} on some days.`, { keep_both: true });
      await until(
        () => sentBy(lively),
        (commit) => commit !== last,
        30_000,
      );
    }
    expect(await sentBy(quiet)).toBe(before);
    await quiet.here.withApp((app) => app.changeSetting('sync.auto', 'on'));
    await until(
      () => sentBy(quiet),
      (commit) => commit !== before,
      30_000,
    );
    expect(await quiet.there.sync()).toMatchObject({ outcome: { status: 'synced' } });
    expect(await quiet.there.texts()).toEqual(['Tea is at four.']);
  });
});
