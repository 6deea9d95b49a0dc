// What git is asked, to the letter, and what it answered when it was asked (git 2.39, OpenSSH 9.2, captured).
import { describe, expect, it } from 'vitest';
import type { GitResult } from './git-program.ts';
import { fetchTask, listTask, parseBranches, pushTask } from './remote-tasks.ts';

const ID = '1fbcf608fb54a53c92b918cb12863d005929c572';

const answer = (exitCode: number, stdout: string, stderr = '', ended?: GitResult['ended']): GitResult => ({
  exitCode,
  stdout: Buffer.from(stdout),
  stderr,
  ...(ended !== undefined && { ended }),
});

describe('the arguments of git', () => {
  it('are exactly these', () => {
    expect(listTask('https://host/a.git').args).toEqual([
      'ls-remote',
      '--symref',
      '--quiet',
      '--end-of-options',
      'https://host/a.git',
      'HEAD',
      'refs/heads/*',
    ]);
    expect(fetchTask('origin', { name: 'origin', branch: 'main' }).args.join(' ')).toBe(
      '-c fetch.fsckObjects=true -c transfer.fsckObjects=true -c advice.fetchShowForcedUpdates=false -c http.lowSpeedLimit=1000 -c http.lowSpeedTime=45 ' +
        'fetch --progress --no-tags --no-write-fetch-head --no-auto-maintenance --no-prune --no-recurse-submodules ' +
        '--no-show-forced-updates --refmap= --end-of-options origin +refs/heads/main:refs/remotes/origin/main',
    );
    expect(pushTask('origin', ID, 'main').args.join(' ')).toBe(
      '-c http.lowSpeedLimit=1000 -c http.lowSpeedTime=45 push --porcelain --progress --no-verify --no-follow-tags ' +
        `--no-signed --recurse-submodules=no --end-of-options origin ${ID}:refs/heads/main`,
    );
  });

  it('force nothing at the remote, and let no value pass for an option', () => {
    for (const task of [
      listTask('--upload-pack=x'),
      fetchTask('-x', { name: 'o', branch: '-y' }),
      pushTask('-x', ID, '-y'),
    ]) {
      const { args } = task;
      const end = args.indexOf('--end-of-options');
      expect(args.slice(0, end).filter((arg) => /^-[xy]|upload-pack/.test(arg))).toEqual([]);
      expect(args.join(' ')).not.toMatch(/--force|--mirror|--delete|--all|--tags /);
    }
    expect(pushTask('origin', ID, 'main').args.at(-1)).not.toMatch(/^\+/);
  });
});

describe('the branches of a remote', () => {
  it('come with the one that its HEAD names', () => {
    const text = `ref: refs/heads/trunk\tHEAD\n${ID}\tHEAD\n${ID}\trefs/heads/a/b\n${ID}\trefs/heads/trunk\n`;
    expect(parseBranches(text)).toEqual({
      head: 'trunk',
      branches: new Map([
        ['a/b', ID],
        ['trunk', ID],
      ]),
    });
  });

  it('are none in an empty repository', () => {
    expect(listTask('origin').parse(answer(0, ''))).toEqual({ ok: true, value: { branches: new Map(), head: null } });
  });
});

describe('a fetch', () => {
  it('tells a remote without the branch from one that fails', () => {
    const task = fetchTask('origin', { name: 'origin', branch: 'main' });
    expect(task.parse(answer(0, ''))).toEqual({ ok: true, value: 'fetched' });
    expect(task.parse(answer(128, '', "fatal: couldn't find remote ref refs/heads/main"))).toEqual({
      ok: true,
      value: 'no-branch',
    });
    expect(task.parse(answer(128, '', 'fatal: early EOF'))).toMatchObject({ ok: false, problem: { kind: 'offline' } });
  });
});

describe('a push', () => {
  const { parse } = pushTask('origin', ID, 'main');

  it.each([
    ['*\tHEAD:refs/heads/main\t[new branch]', 'pushed'],
    [' \tHEAD:refs/heads/main\t1fbcf60..2fbcf60', 'pushed'],
    ['=\tHEAD:refs/heads/main\t[up to date]', 'pushed'],
  ])('%j went through', (line, value) => {
    expect(parse(answer(0, `To ../r.git\n${line}\nDone\n`))).toEqual({ ok: true, value });
  });

  it.each([
    '!\tHEAD:refs/heads/main\t[rejected] (non-fast-forward)',
    '!\tHEAD:refs/heads/main\t[rejected] (fetch first)',
    "!\tHEAD:refs/heads/main\t[remote rejected] (cannot lock ref 'refs/heads/main': is at 2fbc but expected 1fbc)",
  ])('%j says that the remote moved', (line) => {
    expect(parse(answer(1, `To ../r.git\n${line}\nDone\n`, "error: failed to push some refs to '../r.git'"))).toEqual({
      ok: true,
      value: 'moved',
    });
  });

  /** What git 2.39 prints when a ref cannot be updated for this reason. */
  const notUpdated = (reason: string) =>
    answer(
      1,
      'To ../r.git\n!\tHEAD:refs/heads/main\t[remote rejected] (failed to update ref)\nDone\n',
      `remote: error: cannot lock ref 'refs/heads/main': ${reason}        \nerror: failed to push some refs to '../r.git'`,
    );

  it.each([
    ['git 2.39', notUpdated('is at 27f7a2d but expected d82362f')],
    ['git 2.39, for a new branch', notUpdated('reference already exists')],
    ['git 2.50', answer(1, '!\tHEAD:refs/heads/main\t[remote rejected] (incorrect old value provided)\nDone\n')],
  ])('that another one overtook says that the remote moved (%s)', (_, result) => {
    expect(parse(result)).toEqual({ ok: true, value: 'moved' });
  });

  it('that finds the branch locked says so; one that may not write there does not', () => {
    const locked = notUpdated("Unable to create '/nas/r.git/./refs/heads/main.lock': File exists.");
    expect(parse(locked)).toMatchObject({
      ok: false,
      problem: { kind: 'busy', reason: expect.stringContaining('/nas/r.git/./refs/heads/main.lock') as string },
    });
    const forbidden = notUpdated("Unable to create '/nas/r.git/./refs/heads/main.lock': Permission denied");
    expect(parse(forbidden)).toMatchObject({ ok: false, problem: { kind: 'refused' } });
  });

  it('that the remote declines says why, in its words', () => {
    const line = '!\tHEAD:refs/heads/main\t[remote rejected] (pre-receive hook declined)';
    expect(
      parse(answer(1, `To r\n${line}\nDone\n`, 'remote: no way        \nerror: failed to push some refs')),
    ).toEqual({
      ok: false,
      problem: { kind: 'refused', reason: 'it declined: pre-receive hook declined. It says: no way' },
    });
  });

  it.each([
    ['branch is currently checked out', 'bare repository'],
    ['protected branch hook declined', 'protected'],
  ])('into what takes none (%s) says what to do', (reason, says) => {
    const outcome = parse(answer(1, `!\tHEAD:refs/heads/main\t[remote rejected] (${reason})\nDone\n`));
    expect(outcome).toMatchObject({
      ok: false,
      problem: { kind: 'refused', reason: expect.stringContaining(says) as string },
    });
  });
});

describe('what failed', () => {
  const explain = (stderr: string, ended?: GitResult['ended']) => {
    const outcome = listTask('origin').parse(answer(128, '', stderr, ended));
    if (outcome.ok) throw new Error('it did not fail');
    return outcome.problem;
  };

  it.each([
    ["fatal: could not read Username for 'https://host': terminal prompts disabled", 'no-access', 'STET_GIT_TOKEN'],
    [
      "remote: Invalid username or password.\nfatal: Authentication failed for 'https://host/a.git/'",
      'no-access',
      'does not accept',
    ],
    [
      "fatal: unable to access 'https://host/a.git/': The requested URL returned error: 403",
      'no-access',
      'does not let you in',
    ],
    ["fatal: repository 'https://host/a.git/' not found", 'missing', 'stet remote set'],
    ["fatal: unable to access 'https://host/a.git/': The requested URL returned error: 500", 'offline', '500'],
    ["fatal: unable to access 'https://host/a.git/': The requested URL returned error: 429", 'offline', '429'],
    [
      "fatal: unable to access 'https://nohost.invalid/x/': Could not resolve host: nohost.invalid",
      'offline',
      'nohost.invalid',
    ],
    [
      'ssh: Could not resolve hostname nohost.invalid: Name or service not known\nfatal: Could not read from remote repository.',
      'offline',
      'nohost.invalid',
    ],
    [
      "fatal: unable to access 'http://127.0.0.1:1/x/': Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server",
      'offline',
      'cannot be reached',
    ],
    [
      'ssh: connect to host 10.0.0.1 port 22: Connection timed out\nfatal: Could not read from remote repository.',
      'offline',
      'cannot be reached',
    ],
    [
      'kex_exchange_identification: Connection closed by remote host\nConnection closed by 127.0.0.1 port 22',
      'offline',
      'cannot be reached',
    ],
    ["fatal: unable to access 'http://h/': transfer closed with outstanding read data remaining", 'offline', 'broke'],
    [
      'error: RPC failed; curl 18 transfer closed\nfetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF',
      'offline',
      'broke',
    ],
    [
      'ann@127.0.0.1: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      'no-access',
      'ssh-add',
    ],
    ['Host key verification failed.\nfatal: Could not read from remote repository.', 'no-access', 'not known to ssh'],
    [
      '@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@\nHost key verification failed.',
      'no-access',
      'somebody may be between',
    ],
    [
      "fatal: unable to access 'https://h/': SSL certificate problem: self-signed certificate",
      'no-access',
      'certificate',
    ],
    [
      "fatal: '/nonexistent' does not appear to be a git repository\nfatal: Could not read from remote repository.",
      'missing',
      'no repository',
    ],
    [
      "fatal: detected dubious ownership in repository at '/mnt/nas/stet.git'\nTo add an exception",
      'no-access',
      'safe.directory /mnt/nas/stet.git',
    ],
    [
      'error: insufficient permission for adding an object to repository database ./objects',
      'no-access',
      'may not write',
    ],
    [
      "error: object 4b825: hasDotgit: contains '.git'\nfatal: fsck error in packed object\nfatal: fetch-pack: invalid index-pack output",
      'unsound',
      "git's checks",
    ],
    [
      "error: cannot lock ref 'refs/remotes/origin/main': Unable to create '/m/.git/refs/remotes/origin/main.lock': File exists.\n\nAnother git process seems to be running",
      'busy',
      '/m/.git/refs/remotes/origin/main.lock',
    ],
    [
      "error: cannot lock ref 'refs/remotes/origin/main': is at 07ae8c4 but expected e25b406\n ! e25b406..07ae8c4  main -> origin/main  (unable to update local ref)",
      'busy',
      'another git',
    ],
    ['error: fetching ref refs/remotes/origin/main failed: incorrect old value provided', 'busy', 'another git'],
    [
      "error: cannot lock ref 'refs/remotes/origin/main': Unable to create '/m/.git/refs/remotes/origin/main.lock': Permission denied",
      'no-access',
      'may not write',
    ],
    [
      "error: cannot lock ref 'refs/remotes/origin/main/x': 'refs/remotes/origin/main' exists; cannot create it\n ! [new branch]  x -> origin/main/x  (unable to update local ref)\nwarning: too many unreachable loose objects",
      'failed',
      "error: cannot lock ref 'refs/remotes/origin/main/x'",
    ],
    ['fatal: something new that nobody has seen', 'failed', 'something new'],
  ])('%j is %s', (stderr, kind, says) => {
    expect(explain(stderr)).toEqual({ kind, reason: expect.stringContaining(says) as string });
  });

  it('because it was ended says why', () => {
    expect(explain('', 'silent')).toMatchObject({ kind: 'offline', reason: 'the remote said nothing for too long' });
    expect(explain('fatal: early EOF', 'too-long')).toMatchObject({ kind: 'offline', reason: 'it took too long' });
  });

  it('never shows a password', () => {
    const { reason } = explain("fatal: odd thing at 'https://ann:hunter2@host/a.git/' and ssh://ann:hunter2@host/b");
    expect(reason).toContain('odd thing');
    expect(reason).not.toContain('hunter2');
  });

  it('without a word has at least the exit code', () => {
    expect(explain('')).toEqual({ kind: 'failed', reason: 'git ended with 128' });
  });
});
