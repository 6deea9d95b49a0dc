// Merges put in place: files, index and branch together, or nothing of it; over nobody's work; and after a crash too.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileVersion } from '../../src/memory/merge/memory-versions.ts';
import { StetError } from '../../src/memory/failure.ts';
import type { MergeOutcome, MergeRequest } from '../../src/repo/repository.ts';
import { bundle } from './bundle.ts';
import { faultyFileSystem } from './faulty-file-system.ts';
import { says, temporaryRepository, TEST_ENV, type TemporaryRepository } from './temporary-repository.ts';

const WINDOWS = process.platform === 'win32';

const text = (content: string, mode = '100644'): FileVersion => ({ mode, blob: null, bytes: Buffer.from(content) });

/** A commit beside HEAD, made by git: HEAD's files, with these changed; its id. */
function commitBeside(
  memory: TemporaryRepository,
  changes: Readonly<Record<string, string | null>>,
  parent = 'HEAD',
): string {
  memory.git('switch', '--quiet', '--detach', parent);
  for (const [path, content] of Object.entries(changes)) {
    if (content === null) memory.git('rm', '--quiet', path);
    else {
      memory.write(path, content);
      memory.git('add', '--force', path);
    }
  }
  memory.git('commit', '--quiet', '--allow-empty', '-m', 'theirs');
  const commit = memory.git('rev-parse', 'HEAD');
  memory.git('switch', '--quiet', 'main');
  return commit;
}

async function merge(
  memory: TemporaryRepository,
  files: Readonly<Record<string, FileVersion | null>>,
  more: Partial<MergeRequest> = {},
): Promise<MergeOutcome> {
  const head = more.head === undefined ? await memory.repository.head() : more.head;
  return memory.repository.exclusive((transaction) =>
    transaction.merge({
      head,
      files: new Map(Object.entries(files)),
      historyOnly: new Set(),
      result: { parents: head === null ? [] : [head] },
      message: says('sync: merge', null),
      ...more,
    }),
  );
}

async function startingWith(files: Readonly<Record<string, string>>): Promise<TemporaryRepository> {
  const memory = await temporaryRepository();
  for (const [path, content] of Object.entries(files)) await memory.remember(path, content);
  return memory;
}

describe('a merge', () => {
  test('makes a commit of two parents with exactly its result, and leaves index and files clean', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n', 'personal/old/b.md': 'b\n', 'c.txt': 'c\n' });
    const theirs = commitBeside(memory, { 'personal/a.md': 'A\n' });
    const ours = memory.git('rev-parse', 'HEAD');
    const { cursor } = memory.repository.changesSince(null);
    const outcome = await merge(
      memory,
      { 'personal/a.md': text('both\n'), 'personal/old/b.md': null, 'spaces/x/new/d.md': text('d\n') },
      { result: { parents: [ours, theirs] } },
    );
    expect(outcome).toEqual({ status: 'merged', commit: memory.git('rev-parse', 'HEAD') });
    expect(memory.git('log', '-1', '--format=%P %s')).toBe(`${ours} ${theirs} sync: merge`);
    expect(memory.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual([
      'c.txt',
      'personal/a.md',
      'spaces/x/new/d.md',
    ]);
    expect(memory.read('personal/a.md')).toBe('both\n');
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(memory.root, 'personal/old'))).toBe(false);
    expect(memory.git('reflog', '-1', '--format=%gs')).toBe('commit (merge): sync: merge');
    const told = new Set(memory.repository.changesSince(cursor).paths);
    expect([...told].sort()).toEqual(['personal/a.md', 'personal/old/b.md', 'spaces/x/new/d.md']);
    expect(existsSync(join(memory.root, '.git/stet/merge.json'))).toBe(false);
    memory.checkHealth();
  });

  test('that changes nothing still joins the two histories', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n' });
    const theirs = commitBeside(memory, {});
    const ours = memory.git('rev-parse', 'HEAD');
    expect(await merge(memory, {}, { result: { parents: [ours, theirs] } })).toMatchObject({ status: 'merged' });
    expect(memory.git('merge-base', '--is-ancestor', theirs, 'HEAD')).toBe('');
    memory.checkHealth();
  });

  test('that is a fast-forward moves the branch to the commit that is there', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n' });
    const theirs = commitBeside(memory, { 'personal/a.md': 'A\n', 'personal/b.md': 'b\n' });
    const blob = (path: string): FileVersion => ({
      mode: '100644',
      blob: memory.git('rev-parse', `${theirs}:${path}`),
      bytes: null,
    });
    const files = { 'personal/a.md': blob('personal/a.md'), 'personal/b.md': blob('personal/b.md') };
    expect(await merge(memory, files, { result: { commit: theirs } })).toEqual({ status: 'merged', commit: theirs });
    expect(memory.git('rev-parse', 'main')).toBe(theirs);
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(memory.git('reflog', '-1', '--format=%gs')).toBe('fast-forward: sync: merge');
    memory.checkHealth();
  });

  test('never moves the branch to a commit with other files', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n' });
    const theirs = commitBeside(memory, { 'personal/a.md': 'A\n' });
    await expect(merge(memory, { 'personal/a.md': text('other\n') }, { result: { commit: theirs } })).rejects.toThrow(
      'has the tree',
    );
    await memory.repository.exclusive(() => Promise.resolve());
    expect(memory.read('personal/a.md')).toBe('a\n');
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  test('makes the first commit of a branch that has none', async () => {
    await using memory = await temporaryRepository();
    expect(await merge(memory, { 'personal/a.md': text('a\n') })).toMatchObject({ status: 'merged' });
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(memory.git('log', '--format=%s')).toBe('sync: merge');
  });

  test('is made again when HEAD has moved', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n' });
    const head = memory.git('rev-parse', 'HEAD');
    await memory.remember('personal/b.md', 'b\n');
    expect(await merge(memory, { 'personal/a.md': text('A\n') }, { head })).toEqual({ status: 'moved' });
    expect(memory.read('personal/a.md')).toBe('a\n');
  });

  test('waits while a merge of the user is under way, and touches nothing', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n' });
    memory.git('switch', '--quiet', '-c', 'other');
    memory.write('personal/a.md', 'other\n');
    memory.git('commit', '--quiet', '-am', 'other');
    memory.git('switch', '--quiet', 'main');
    memory.write('personal/a.md', 'main\n');
    memory.git('commit', '--quiet', '-am', 'main');
    expect(() => memory.git('merge', 'other')).toThrow('merge other');
    expect(memory.read('personal/a.md')).toContain('<<<<<<<');
    expect(await merge(memory, { 'personal/b.md': text('b\n') })).toMatchObject({ status: 'waits' });
    expect(existsSync(join(memory.root, 'personal/b.md'))).toBe(false);
  });

  test('waits while git holds the index, and takes back what it wrote', async () => {
    await using memory = await temporaryRepository({ foreignLockWaitMs: 50 });
    await memory.remember('personal/a.md', 'a\n');
    memory.write('.git/index.lock', '');
    expect(await merge(memory, { 'personal/a.md': text('A\n'), 'personal/b.md': text('b\n') })).toMatchObject({
      status: 'waits',
    });
    unlinkSync(join(memory.root, '.git/index.lock'));
    expect(memory.read('personal/a.md')).toBe('a\n');
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  test('takes files out of the history alone', async () => {
    await using memory = await startingWith({ 'machine.yaml': 'mine\n', 'personal/a.md': 'a\n' });
    expect(await merge(memory, { 'machine.yaml': null }, { historyOnly: new Set(['machine.yaml']) })).toMatchObject({
      status: 'merged',
    });
    expect(memory.read('machine.yaml')).toBe('mine\n');
    expect(memory.git('ls-files')).toBe('personal/a.md');
  });

  test('refuses a path that leads elsewhere', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n' });
    for (const path of ['../x.md', '.git/config', 'personal/.GIT/config', '/etc/x']) {
      await expect(merge(memory, { [path]: text('x') })).rejects.toMatchObject({ failure: { code: 'bad-argument' } });
    }
  });
});

describe('files of other kinds', () => {
  test.skipIf(WINDOWS)('come as git has them: executables, links, other repositories', async () => {
    await using memory = await startingWith({ 'run.sh': 'old\n', 'plain.sh': 'x\n' });
    chmodSync(join(memory.root, 'plain.sh'), 0o755);
    memory.git('commit', '--quiet', '-am', 'executable');
    const outcome = await merge(memory, {
      'run.sh': text('new\n', '100755'),
      'plain.sh': text('x\n', '100644'),
      link: text('run.sh', '120000'),
      module: { mode: '160000', blob: 'a'.repeat(40), bytes: null },
    });
    expect(outcome).toMatchObject({ status: 'merged' });
    expect(statSync(join(memory.root, 'run.sh')).mode & 0o111).toBe(0o111 & ~process.umask());
    expect(statSync(join(memory.root, 'plain.sh')).mode & 0o111).toBe(0);
    expect(readlinkSync(join(memory.root, 'link'))).toBe('run.sh');
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(await merge(memory, { link: text('no link\n'), module: null })).toMatchObject({ status: 'merged' });
    expect(lstatSync(join(memory.root, 'link')).isFile()).toBe(true);
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  test('change places: a file becomes a folder, and a folder a file', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'file\n', 'personal/b.md/x.md': 'in folder\n' });
    const outcome = await merge(memory, {
      'personal/a.md': null,
      'personal/a.md/y.md': text('now in a folder\n'),
      'personal/b.md/x.md': null,
      'personal/b.md': text('now a file\n'),
    });
    expect(outcome).toMatchObject({ status: 'merged' });
    expect(memory.read('personal/a.md/y.md')).toBe('now in a folder\n');
    expect(memory.read('personal/b.md')).toBe('now a file\n');
    expect(memory.git('status', '--porcelain')).toBe('');
    memory.checkHealth();
  });
});

describe('what somebody has changed and no commit has', () => {
  test.each<{ why: string; prepare: (memory: TemporaryRepository) => void; path?: string }>([
    { why: 'edited', prepare: (memory) => memory.write('personal/a.md', 'mine\n') },
    { why: 'deleted', prepare: (memory) => rmSync(join(memory.root, 'personal/a.md')) },
    {
      why: 'staged',
      prepare: (memory) => {
        memory.write('personal/a.md', 'mine\n');
        memory.git('add', 'personal/a.md');
        memory.write('personal/a.md', 'a\n');
      },
    },
    { why: 'in the way', path: 'personal/new.md', prepare: (memory) => memory.write('personal/new.md', 'mine\n') },
    {
      why: 'in the way',
      path: 'personal/new.md',
      prepare: (memory) => memory.write('personal/new.md/mine.txt', 'mine\n'),
    },
    {
      why: 'in the way',
      path: 'spaces/acme/new.md',
      prepare: (memory) => {
        mkdirSync(join(memory.root, 'elsewhere'));
        symlinkSync(join(memory.root, 'elsewhere'), join(memory.root, 'spaces'));
      },
    },
    { why: 'in the way', path: 'spaces/acme/new.md', prepare: (memory) => memory.write('spaces', 'a file\n') },
  ])('is never overwritten ($why)', async ({ why, prepare, path = 'personal/a.md' }) => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n', 'personal/z.md': 'z\n' });
    prepare(memory);
    const before = memory.git('status', '--porcelain', '--untracked-files=all');
    const outcome = await merge(memory, { [path]: text('theirs\n'), 'personal/z.md': text('theirs\n') });
    expect(outcome).toEqual({ status: 'blocked', obstacles: [{ path, why }] });
    expect(memory.git('status', '--porcelain', '--untracked-files=all')).toBe(before);
    expect(memory.read('personal/z.md')).toBe('z\n');
    expect(memory.git('rev-list', '--count', 'HEAD')).toBe('2');
  });

  test('is no obstacle where it is what the merge brings', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n', 'personal/b.md': 'b\n' });
    memory.write('personal/a.md', 'theirs\n');
    rmSync(join(memory.root, 'personal/b.md'));
    memory.write('personal/c.md', 'c\n');
    const files = { 'personal/a.md': text('theirs\n'), 'personal/b.md': null, 'personal/c.md': text('c\n') };
    expect(await merge(memory, files)).toMatchObject({ status: 'merged' });
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  test('stays staged beside a merge of other files', async () => {
    await using memory = await startingWith({ 'personal/a.md': 'a\n', 'personal/b.md': 'b\n' });
    memory.write('personal/b.md', 'mine\n');
    memory.git('add', 'personal/b.md');
    expect(await merge(memory, { 'personal/a.md': text('theirs\n') })).toMatchObject({ status: 'merged' });
    expect(memory.git('status', '--porcelain')).toBe('M  personal/b.md');
  });
});

/** Everything that a merge can do to files, in one. */
const MANY: Readonly<Record<string, FileVersion | null>> = {
  'personal/edited.md': text('theirs\n'),
  'personal/gone.md': null,
  'personal/moved/from.md': null,
  'spaces/acme/to.md': text('moved\n'),
  'personal/file.md': null,
  'personal/file.md/inside.md': text('inside\n'),
  'machine.yaml': null,
};
const START = {
  'personal/edited.md': 'ours\n',
  'personal/gone.md': 'gone\n',
  'personal/moved/from.md': 'moved\n',
  'personal/file.md': 'file\n',
  'machine.yaml': 'mine\n',
};

/** After whatever happened, and one more turn of a stet process: all of the merge or nothing, and nothing lost. */
function checkAllOrNothing(memory: TemporaryRepository): string {
  const subject = memory.git('log', '-1', '--format=%s');
  const isMerged = subject === 'sync: merge';
  expect(memory.git('status', '--porcelain', '--untracked-files=all').replace('?? machine.yaml', '').trim()).toBe('');
  expect(memory.read('machine.yaml')).toBe('mine\n');
  expect(memory.read('personal/edited.md')).toBe(isMerged ? 'theirs\n' : 'ours\n');
  expect(existsSync(join(memory.root, '.git/stet/merge.json'))).toBe(false);
  memory.checkHealth();
  return subject;
}

describe('when the process is killed', () => {
  test('at any call to the file system, the next turn ends the merge or takes it back', async () => {
    using program = await bundle(new URL('merge-process.ts', import.meta.url));
    await using start = await startingWith(START);
    const endings = new Set<string>();
    for (let calls = 0, killed = true; killed; calls += 9) {
      await using memory = await temporaryRepository({
        prepare: (root) => cpSync(start.root, root, { recursive: true }),
      });
      killed = await runKilled(program.path, memory.root, calls);
      await memory.repository.exclusive(() => Promise.resolve());
      endings.add(checkAllOrNothing(memory));
    }
    // Otherwise the crashes missed what they were to hit.
    expect([...endings].sort()).toEqual(['remember: machine.yaml', 'sync: merge']);
  }, 300_000);
});

/** Whether it died; with `calls` as its lifetime. */
function runKilled(program: string, root: string, calls: number): Promise<boolean> {
  const request = JSON.stringify(
    Object.entries(MANY).map(([path, version]) => [path, version?.bytes?.toString() ?? null]),
  );
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, root, request, String(calls)], { env: TEST_ENV }, (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL') resolve(true);
      else if (stdout === 'merged\n') resolve(false);
      else reject(new Error(stdout + stderr));
    });
  });
}

describe.each([
  ['ENOSPC', true],
  ['EIO', false],
  ['EACCES', true],
] as const)('when the file system says %s (lasting: %s)', (errno, lasting) => {
  test('at any call, the merge is done or taken back', async () => {
    const faults = faultyFileSystem();
    const endings = new Set<string>();
    await using start = await startingWith(START);
    for (let call = 0, hasFailed = true; hasFailed; call += 5) {
      const prepare = (root: string) => cpSync(start.root, root, { recursive: true });
      await using memory = await temporaryRepository({ fs: faults.fs, prepare });
      const head = memory.git('rev-parse', 'HEAD');
      faults.arm(errno, call, lasting);
      try {
        await merge(memory, MANY, { head, historyOnly: new Set(['machine.yaml']), result: { parents: [head] } });
      } catch (error) {
        if (!(error instanceof StetError)) throw error;
      }
      hasFailed = faults.disarm();
      await memory.repository.exclusive(() => Promise.resolve());
      endings.add(checkAllOrNothing(memory));
    }
    expect([...endings].sort()).toEqual(['remember: machine.yaml', 'sync: merge']);
  }, 120_000);
});
