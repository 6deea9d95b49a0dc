// One contract for whoever talks to a remote: the git program, and the HTTP client of stet where there is no git. Real servers
// on loopback: a folder, `git http-backend` behind HTTP, sshd.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRemoteUrl, type RemoteUrl } from '../../src/memory/remote-url.ts';
import { ConfigReader } from '../../src/repo/git-config.ts';
import { openRemoteAccess, REMOTE_LIMITS, type RemoteAccess } from '../../src/repo/remote-access.ts';
import { gitFailed, runGit, type GitLimits } from '../../src/repo/git-program.ts';
import { explainGitFailure } from '../../src/repo/remote-problem.ts';
import { gitIn, temporaryRepository, TEST_ENV, type TemporaryRepository } from '../repo/temporary-repository.ts';
import { HttpGitServer } from './http-git-server.ts';
import { SshServer, WHY_NO_SSHD } from './ssh-server.ts';

/** Without a git to be found: what a machine has where none is installed. */
const NO_GIT = { ...TEST_ENV, PATH: '/nowhere' };

interface Scene extends AsyncDisposable {
  readonly memory: TemporaryRepository;
  /** A bare repository beside it, with the memory's first commit on `main`. */
  readonly bare: string;
  /** The folder of everything. */
  readonly folder: string;
  access(env?: Readonly<Record<string, string | undefined>>, limits?: Partial<GitLimits>): RemoteAccess;
}

async function scene(): Promise<Scene> {
  const memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  const folder = join(memory.root, '.git', 'test');
  mkdirSync(folder);
  const bare = join(folder, 'remote.git');
  memory.git('init', '--quiet', '--bare', '--initial-branch=main', bare);
  memory.git('push', '--quiet', bare, 'HEAD:main');
  return {
    memory,
    bare,
    folder,
    access: (env = TEST_ENV, limits = {}) =>
      openRemoteAccess({
        root: memory.root,
        gitFolder: join(memory.root, '.git'),
        env,
        home: folder,
        config: () => new ConfigReader(join(memory.root, '.git'), { env, home: folder }).all(),
        limits: { ...REMOTE_LIMITS, ...limits },
      }),
    [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
  };
}

function address(url: string): RemoteUrl {
  const check = readRemoteUrl(url);
  if (!check.ok) throw new Error(check.reason);
  return check.value;
}

const target = (url: string) => ({ name: null, address: address(url) });

function configure({ memory }: Scene, url: string) {
  memory.git('remote', 'add', 'origin', url);
  return { name: 'origin', address: address(url) };
}

/** Commits to the remote from elsewhere, and gives the commit. */
function commitElsewhere({ bare, folder }: Scene, text: string): string {
  const clone = join(folder, 'elsewhere');
  if (!existsSync(clone)) gitIn(folder)('clone', '--quiet', bare, clone);
  const git = gitIn(clone);
  git('pull', '--quiet', '--ff-only');
  writeFileSync(join(clone, 'b.txt'), text);
  git('add', 'b.txt');
  git('commit', '--quiet', '-m', text);
  git('push', '--quiet', 'origin', 'HEAD:main');
  return git('rev-parse', 'HEAD');
}

const ADAPTERS: ReadonlyArray<readonly [name: string, env: Readonly<Record<string, string | undefined>>]> = [
  ['the git program', TEST_ENV],
  ['stet itself', NO_GIT],
];

describe.each(ADAPTERS)('%s, over HTTP', (_, env) => {
  const ORIGIN = { name: 'origin', branch: 'main' };

  test('lists, fetches and pushes', async () => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({ root: stage.folder });
    const access = stage.access(env);
    const remote = configure(stage, server.url('remote.git'));
    const first = stage.memory.git('rev-parse', 'HEAD');
    expect(await access.list(target(server.url('remote.git')))).toEqual({
      ok: true,
      value: { branches: new Map([['main', first]]), head: 'main' },
    });
    const second = commitElsewhere(stage, 'from elsewhere');
    expect(await access.fetch(remote, ORIGIN)).toEqual({ ok: true, value: 'fetched' });
    expect(stage.memory.git('rev-parse', 'refs/remotes/origin/main')).toBe(second);
    expect(stage.memory.git('rev-parse', 'main')).toBe(first);
    stage.memory.git('reset', '--quiet', '--hard', second);
    await stage.memory.remember('personal/c.md', 'c\n');
    const third = stage.memory.git('rev-parse', 'HEAD');
    expect(await access.push(remote, third, 'main')).toEqual({ ok: true, value: 'pushed' });
    expect(gitIn(stage.bare)('rev-parse', 'main')).toBe(third);
    expect(stage.memory.git('rev-parse', 'refs/remotes/origin/main')).toBe(third);
    expect(stage.memory.git('for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      'refs/heads/main',
      'refs/remotes/origin/main',
    ]);
    expect(existsSync(join(stage.memory.root, '.git/FETCH_HEAD'))).toBe(false);
    stage.memory.checkHealth();
    gitIn(stage.bare)('fsck', '--strict');
  });

  test('pushes the very commit that it is given, and nothing when the remote moved', async () => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({ root: stage.folder });
    const remote = configure(stage, server.url('remote.git'));
    await stage.memory.remember('personal/c.md', 'c\n');
    const ours = stage.memory.git('rev-parse', 'HEAD');
    await stage.memory.remember('personal/later.md', 'later\n');
    const theirs = commitElsewhere(stage, 'faster');
    expect(await stage.access(env).push(remote, ours, 'main')).toEqual({ ok: true, value: 'moved' });
    expect(gitIn(stage.bare)('rev-parse', 'main')).toBe(theirs);
    stage.memory.git('push', '--quiet', '--force', stage.bare, `${stage.memory.git('rev-parse', 'HEAD~2')}:main`);
    expect(await stage.access(env).push(remote, ours, 'main')).toEqual({ ok: true, value: 'pushed' });
    expect(gitIn(stage.bare)('rev-parse', 'main')).toBe(ours);
  });

  test('knows an empty remote, and fills it', async () => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({ root: stage.folder });
    stage.memory.git('init', '--quiet', '--bare', '--initial-branch=main', join(stage.folder, 'empty.git'));
    const remote = configure(stage, server.url('empty.git'));
    const access = stage.access(env);
    expect(await access.list(remote)).toEqual({ ok: true, value: { branches: new Map(), head: null } });
    expect(await access.fetch(remote, ORIGIN)).toEqual({ ok: true, value: 'no-branch' });
    expect(await access.push(remote, stage.memory.git('rev-parse', 'HEAD'), 'main')).toEqual({
      ok: true,
      value: 'pushed',
    });
    expect(await access.fetch(remote, { name: 'origin', branch: 'other' })).toEqual({ ok: true, value: 'no-branch' });
  });

  test.each([
    { what: 'a token in the environment', more: { STET_GIT_TOKEN: 's3cret-t0ken', STET_GIT_USER: 'ann' }, file: '' },
    { what: 'the credential file', more: {}, file: 'http://ann:s3cret-t0ken@HOST\n' },
  ])('comes in with $what', async ({ more, file }) => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({
      root: stage.folder,
      credentials: { user: 'ann', password: 's3cret-t0ken' },
    });
    const url = server.url('remote.git');
    writeFileSync(join(stage.folder, '.git-credentials'), file.replace('HOST', new URL(url).host));
    // git reads the file by its own helper, if the user has configured that.
    stage.memory.git('config', 'credential.helper', `store --file '${join(stage.folder, '.git-credentials')}'`);
    const remote = configure(stage, url);
    const access = stage.access({ ...env, ...more });
    expect(await access.list(remote)).toMatchObject({ ok: true });
    await stage.memory.remember('personal/c.md', 'c\n');
    expect(await access.push(remote, stage.memory.git('rev-parse', 'HEAD'), 'main')).toEqual({
      ok: true,
      value: 'pushed',
    });
    expect(server.requests.map(({ line }) => line).join()).not.toContain('s3cret');
  });

  test.each([
    { what: 'no credentials', more: {} },
    { what: 'the wrong ones', more: { STET_GIT_TOKEN: 'wr0ng-t0ken' } },
  ])('is not let in with $what, asks nobody, and says nothing of them', async ({ more }) => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({
      root: stage.folder,
      credentials: { user: 'ann', password: 's3cret-t0ken' },
    });
    const outcome = await stage.access({ ...env, ...more }).list(target(server.url('remote.git')));
    expect(outcome).toMatchObject({ ok: false, problem: { kind: 'no-access' } });
    expect(JSON.stringify(outcome)).not.toContain('wr0ng');
  });

  test('gives its token to no other host', async () => {
    await using stage = await scene();
    await using elsewhere = await HttpGitServer.start({
      root: stage.folder,
      credentials: { user: 'x', password: 'y' },
    });
    await using server = await HttpGitServer.start({ root: stage.folder });
    server.behaviour = { kind: 'redirect', to: elsewhere.url('').replace(/\/$/, '') };
    const outcome = await stage
      .access({ ...env, STET_GIT_TOKEN: 's3cret-t0ken' })
      .list(target(server.url('remote.git')));
    expect(outcome.ok).toBe(false);
    expect(elsewhere.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });

  test.each([
    [401, 'no-access'],
    [403, 'no-access'],
    [404, 'missing'],
    [429, 'offline'],
    [500, 'offline'],
    [503, 'offline'],
  ] as const)('takes %d for %s', async (status, kind) => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({ root: stage.folder });
    const remote = configure(stage, server.url('remote.git'));
    server.behaviour = { kind: 'status', status };
    const access = stage.access(env);
    for (const outcome of [
      await access.list(remote),
      await access.fetch(remote, ORIGIN),
      await access.push(remote, stage.memory.git('rev-parse', 'HEAD'), 'main'),
    ]) {
      expect(outcome).toMatchObject({ ok: false, problem: { kind } });
    }
  });

  test('takes a connection that breaks anywhere for being offline, and is none the worse for it', async () => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({ root: stage.folder });
    const remote = configure(stage, server.url('remote.git'));
    commitElsewhere(stage, 'x'.repeat(10_000));
    const access = stage.access(env);
    const kinds = new Set<string>();
    for (const afterBytes of [0, 3, 40, 150, 300]) {
      server.behaviour = { kind: 'drop', afterBytes };
      const outcome = await access.fetch(remote, ORIGIN);
      kinds.add(outcome.ok ? 'fetched' : outcome.problem.kind);
    }
    expect([...kinds]).toEqual(['offline']);
    server.behaviour = { kind: 'well' };
    expect(await access.fetch(remote, ORIGIN)).toEqual({ ok: true, value: 'fetched' });
    stage.memory.checkHealth();
  });

  test('gives up on a server that says nothing', async () => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({ root: stage.folder });
    server.behaviour = { kind: 'hang' };
    const outcome = await stage.access(env, { silenceMs: 300 }).list(target(server.url('remote.git')));
    expect(outcome).toEqual({
      ok: false,
      problem: { kind: 'offline', reason: 'the remote said nothing for too long' },
    });
  });

  test('is stopped by its signal', async () => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({ root: stage.folder });
    server.behaviour = { kind: 'hang' };
    const stop = new AbortController();
    const outcome = stage.access(env, { signal: stop.signal }).list(target(server.url('remote.git')));
    stop.abort();
    expect(await outcome).toEqual({ ok: false, problem: { kind: 'offline', reason: 'it was stopped' } });
  });

  test('is offline where nobody listens', async () => {
    await using stage = await scene();
    expect(await stage.access(env).list(target('http://127.0.0.1:1/stet.git'))).toMatchObject({
      ok: false,
      problem: { kind: 'offline' },
    });
  });
});

describe('the git program, with a folder', () => {
  test('fetches and pushes', async () => {
    await using stage = await scene();
    const remote = configure(stage, stage.bare);
    const second = commitElsewhere(stage, 'from elsewhere');
    expect(await stage.access().fetch(remote, { name: 'origin', branch: 'main' })).toEqual({
      ok: true,
      value: 'fetched',
    });
    expect(stage.memory.git('rev-parse', 'refs/remotes/origin/main')).toBe(second);
  });

  test('follows a remote that was rewritten, and never pushes over it', async () => {
    await using stage = await scene();
    const remote = configure(stage, stage.bare);
    const elsewhere = commitElsewhere(stage, 'first');
    await stage.access().fetch(remote, { name: 'origin', branch: 'main' });
    gitIn(stage.bare)('update-ref', 'refs/heads/main', stage.memory.git('rev-parse', 'HEAD'));
    const rewritten = commitElsewhere2(stage);
    expect(await stage.access().fetch(remote, { name: 'origin', branch: 'main' })).toEqual({
      ok: true,
      value: 'fetched',
    });
    expect(stage.memory.git('rev-parse', 'refs/remotes/origin/main')).toBe(rewritten);
    expect(await stage.access().push(remote, elsewhere, 'main')).toEqual({ ok: true, value: 'moved' });
  });

  test('says what a repository with a working tree lacks, and what one that is missing', async () => {
    await using stage = await scene();
    gitIn(stage.folder)('clone', '--quiet', stage.bare, 'tree');
    const remote = configure(stage, join(stage.folder, 'tree'));
    await stage.memory.remember('personal/c.md', 'c\n');
    const outcome = await stage.access().push(remote, stage.memory.git('rev-parse', 'HEAD'), 'main');
    expect(outcome).toMatchObject({
      ok: false,
      problem: { kind: 'refused', reason: expect.stringContaining('--bare') as string },
    });
    expect(await stage.access().list(target(stage.folder))).toMatchObject({ ok: false, problem: { kind: 'missing' } });
    // Of a disk that is not mounted.
    expect(await stage.access().list(target(join(stage.folder, 'nothing')))).toMatchObject({
      ok: false,
      problem: { kind: 'offline', reason: expect.stringContaining('Mount it') as string },
    });
  });

  test.runIf(process.platform !== 'win32')(
    'counts a git that somebody kills as broken off, not as refused',
    async () => {
      await using stage = await scene();
      const alias = ['-c', 'alias.die=!kill -9 $PPID', 'die'];
      const killed = await runGit(stage.memory.root, alias, TEST_ENV, null, REMOTE_LIMITS);
      expect(killed).toMatchObject({ ended: 'killed' });
      expect(killed && explainGitFailure(killed)).toMatchObject({
        kind: 'offline',
        reason: 'git was killed before it was done',
      });
      const unlimited = await runGit(stage.memory.root, alias, TEST_ENV);
      expect(unlimited && gitFailed('git die', unlimited).message).toContain('try again');
    },
  );

  test('knows a push that another one overtakes', async () => {
    await using stage = await scene();
    const remote = configure(stage, stage.bare);
    await stage.memory.remember('personal/c.md', 'c\n');
    const git = gitIn(stage.bare);
    const overtaking = git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'faster');
    // The branch moves while what is sent is taken in.
    const move = `#!/bin/sh\nunset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/main ${overtaking}\n`;
    writeFileSync(join(stage.bare, 'hooks/pre-receive'), move, { mode: 0o755 });
    const push = stage.access().push(remote, stage.memory.git('rev-parse', 'HEAD'), 'main');
    expect(await push).toEqual({ ok: true, value: 'moved' });
    expect(git('rev-parse', 'main')).toBe(overtaking);
  });

  test('passes on why a hook of the remote declines', async () => {
    await using stage = await scene();
    writeFileSync(join(stage.bare, 'hooks/pre-receive'), '#!/bin/sh\necho "no pushes on Sundays" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const remote = configure(stage, stage.bare);
    await stage.memory.remember('personal/c.md', 'c\n');
    const outcome = await stage.access().push(remote, stage.memory.git('rev-parse', 'HEAD'), 'main');
    expect(outcome).toMatchObject({
      ok: false,
      problem: { kind: 'refused', reason: expect.stringContaining('no pushes on Sundays') as string },
    });
  });

  test('takes nothing of a remote whose trees lead into .git', async () => {
    await using stage = await scene();
    const git = gitIn(stage.bare);
    const blob = git('hash-object', '-w', join(stage.bare, 'config'));
    const inner = writeTree(stage.bare, '100644', 'config', blob);
    const commit = git('commit-tree', writeTree(stage.bare, '40000', '.git', inner), '-m', 'hostile');
    git('update-ref', 'refs/heads/main', commit);
    const remote = configure(stage, stage.bare);
    const outcome = await stage.access().fetch(remote, { name: 'origin', branch: 'main' });
    expect(outcome).toMatchObject({ ok: false, problem: { kind: 'unsound' } });
  });

  test('runs no hook of the memory, and no program that an address names', async () => {
    await using stage = await scene();
    const mark = join(stage.folder, 'ran');
    writeFileSync(join(stage.memory.root, '.git/hooks/pre-push'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const remote = configure(stage, stage.bare);
    await stage.memory.remember('personal/c.md', 'c\n');
    expect(await stage.access().push(remote, stage.memory.git('rev-parse', 'HEAD'), 'main')).toMatchObject({
      ok: true,
    });
    for (const url of [`ext::sh -c "touch% ${mark}"`, `--upload-pack=touch ${mark};`]) {
      const hostile = { name: null, address: { kind: 'path', path: url } } as const;
      stage.memory.git('config', 'protocol.ext.allow', 'always');
      expect(await stage.access().list(hostile)).toMatchObject({ ok: false });
    }
    expect(existsSync(mark)).toBe(false);
  });
});

describe.skipIf(WHY_NO_SSHD !== null)(
  `the git program, over SSH${WHY_NO_SSHD === null ? '' : ` (not run: ${WHY_NO_SSHD})`}`,
  () => {
    test('uses the keys of the user, and asks nobody', async () => {
      await using stage = await scene();
      await using server = await SshServer.start(join(stage.folder, 'ssh'));
      const url = server.url(stage.bare);
      const remote = configure(stage, url);
      const as = (command: string) => stage.access({ ...TEST_ENV, GIT_SSH_COMMAND: command });
      expect(await as(server.command()).list(remote)).toMatchObject({ ok: true });
      const second = commitElsewhere(stage, 'from elsewhere');
      expect(await as(server.command()).fetch(remote, { name: 'origin', branch: 'main' })).toEqual({
        ok: true,
        value: 'fetched',
      });
      stage.memory.git('reset', '--quiet', '--hard', second);
      await stage.memory.remember('personal/c.md', 'c\n');
      const third = stage.memory.git('rev-parse', 'HEAD');
      expect(await as(server.command()).push(remote, third, 'main')).toEqual({ ok: true, value: 'pushed' });
      expect(gitIn(stage.bare)('rev-parse', 'main')).toBe(third);
      expect(await as(server.command({ key: 'stranger' })).list(remote)).toMatchObject({
        ok: false,
        problem: { kind: 'no-access', reason: expect.stringContaining('ssh-add') as string },
      });
      expect(await as(server.command({ known: false })).list(remote)).toMatchObject({
        ok: false,
        problem: { kind: 'no-access', reason: expect.stringContaining('not known') as string },
      });
      expect(await as(server.command()).list(target(server.url('/nowhere.git')))).toMatchObject({
        ok: false,
        problem: { kind: 'missing' },
      });
    });

    test('reads the command from the configuration too', async () => {
      await using stage = await scene();
      await using server = await SshServer.start(join(stage.folder, 'ssh'));
      stage.memory.git('config', 'core.sshCommand', server.command());
      expect(await stage.access().list(target(server.url(stage.bare)))).toMatchObject({ ok: true });
    });

    test('is offline where nobody listens', async () => {
      await using stage = await scene();
      const url = `ssh://${os.userInfo().username}@127.0.0.1:1${stage.bare}`;
      expect(await stage.access({ ...TEST_ENV, GIT_SSH_COMMAND: 'ssh -F none' }).list(target(url))).toMatchObject({
        ok: false,
        problem: { kind: 'offline' },
      });
    });
  },
);

describe('stet itself, without git', () => {
  test.each([
    ['ssh://ann@host/stet.git', 'SSH'],
    ['/mnt/nas/stet.git', 'folder'],
  ])('says what to install for %s', async (url, says) => {
    await using stage = await scene();
    expect(await stage.access(NO_GIT).list(target(url))).toEqual({
      ok: false,
      problem: { kind: 'needs-git', reason: expect.stringMatching(new RegExp(`${says}.*Install git`)) as string },
    });
  });

  test('uses credentials of the file for their host and path alone', async () => {
    await using stage = await scene();
    await using server = await HttpGitServer.start({
      root: stage.folder,
      credentials: { user: 'ann', password: 'p%w' },
    });
    const { host } = new URL(server.url(''));
    const look = async (line: string) => {
      writeFileSync(join(stage.folder, '.git-credentials'), line);
      return (await stage.access(NO_GIT).list(target(server.url('remote.git')))).ok;
    };
    expect(
      await look(`https://ann:p%25w@${host}\nhttp://bob:x@${host}/other.git\nhttp://ann:p%25w@${host}/remote.git\n`),
    ).toBe(true);
    expect(await look(`http://ann:p%25w@elsewhere.example\nhttp://ann:p%25w@${host}/other.git\n`)).toBe(false);
  });
});

/** Another commit than the last one of elsewhere, on the same parent. */
function commitElsewhere2(stage: Scene): string {
  const clone = join(stage.folder, 'elsewhere');
  gitIn(clone)('reset', '--quiet', '--hard', 'HEAD~1');
  return commitElsewhere(stage, 'second');
}

/** A tree object of one entry, by its bytes: `git mktree` would not make every one. */
function writeTree(bare: string, mode: string, name: string, id: string): string {
  const file = join(bare, 'tree-bytes');
  writeFileSync(file, Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]));
  return gitIn(bare)('hash-object', '-t', 'tree', '-w', '--literally', file);
}
