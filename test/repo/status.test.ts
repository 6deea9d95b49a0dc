// The status by our own stat scan, against what git says of HEAD, index and each file's content.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { readIndex } from '../../src/repo/git-index.ts';
import { patchIndex } from '../../src/repo/index-patch.ts';
import { isMemoryFile } from '../../src/repo/memory-files.ts';
import { openRepository } from '../../src/repo/open-repository.ts';
import type { GitRepository, StatusEntry } from '../../src/repo/repository.ts';
import { Turns } from '../../src/repo/turns.ts';
import { toEntryStat } from '../../src/repo/working-file.ts';
import { scanWorkingTree } from '../../src/repo/working-tree.ts';
import { says, temporaryRepository, TEST_ENV, type TemporaryRepository } from './temporary-repository.ts';

const NAMES = [
  'personal/a.md',
  'personal/b.md',
  'spaces/acme/c.md',
  'spaces/acme/x/d.md',
  'spaces.yaml',
  'notes.txt',
  'personal/e.txt',
];
const TEXTS = ['one\n', 'two\n', 'six\n', 'longer than these\n'];

const operation = fc.record({
  what: fc.constantFrom(
    'edit',
    'edit',
    'delete',
    'git add',
    'git rm --cached',
    'git commit',
    'stet',
    'git add -N',
    'status',
  ),
  path: fc.constantFrom(...NAMES),
  text: fc.constantFrom(...TEXTS),
});

async function perform(
  memory: TemporaryRepository,
  { what, path, text }: { what: string; path: string; text: string },
) {
  const isThere = existsSync(join(memory.root, path));
  const isTracked = memory.git('ls-files', '--', path) !== '';
  if (what === 'edit') memory.write(path, text);
  if (what === 'delete') rmSync(join(memory.root, path), { force: true });
  if (what === 'git add' && isThere) memory.git('add', path);
  if (what === 'git add -N' && isThere && !isTracked) memory.git('add', '--intent-to-add', path);
  if (what === 'git rm --cached' && isTracked) memory.git('rm', '--quiet', '--force', '--cached', path);
  if (what === 'git commit') memory.git('commit', '--quiet', '--allow-empty', '-m', 'mine');
  if (what === 'stet' && isMemoryFile(path)) await memory.remember(path, text);
  if (what === 'status') memory.git('status');
}

/** From first principles: every file is hashed, HEAD and index are listed. */
function statusByGit(memory: TemporaryRepository): StatusEntry[] {
  const hasHead = memory.git('for-each-ref') !== '';
  const committed = new Map(
    (hasHead ? memory.git('ls-tree', '-r', 'HEAD') : '')
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [meta = '', path = ''] = line.split('\t');
        return [path, meta.split(' ')[2] ?? ''] as const;
      }),
  );
  const staged = new Set(memory.git('diff', '--cached', '--name-only', '--no-renames').split('\n').filter(Boolean));
  const files = readdirSync(memory.root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => isMemoryFile(path) && statSync(join(memory.root, path)).isFile(),
  );
  const hashes = execFileSync('git', ['-C', memory.root, 'hash-object', '--stdin-paths'], {
    input: files.join('\n'),
    encoding: 'utf8',
    env: TEST_ENV,
  }).split('\n');
  const present = new Map(files.map((path, at) => [path, hashes[at] ?? '']));
  return [...new Set([...committed.keys(), ...files])]
    .filter(isMemoryFile)
    .sort()
    .flatMap((path) => {
      const [before, now] = [committed.get(path), present.get(path)];
      if (before === now) return [];
      const state = before === undefined ? 'added' : now === undefined ? 'deleted' : 'modified';
      return [{ path, state, ...(staged.has(path) && { staged: true as const }) }];
    });
}

test('status is what hashing every file would say, after anything that user and stet did', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      await using memory = await temporaryRepository();
      for (const each of operations) {
        await perform(memory, each);
        // One process made it, another knows what the first noted down.
        await using other = await openAgain(memory);
        const status = statusByGit(memory);
        expect(await other.repository.status()).toEqual(status);
        expect(await memory.repository.status()).toEqual(status);
      }
    }),
    { numRuns: 12 },
  );
});

test('others have their turn while entries are compared of which no file is read', async () => {
  await using memory = await temporaryRepository();
  // How often others had a turn. Only the clock is not real: each slice of time is over when it is looked at.
  const countTurns = async (): Promise<number> => {
    const items = scanWorkingTree(memory.root, ['personal', 'spaces']);
    const pass = vi.spyOn(Turns.prototype, 'pass');
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    try {
      expect(await memory.repository.status(items)).toEqual([]);
      return pass.mock.calls.length;
    } finally {
      pass.mockRestore();
      clock.mockRestore();
    }
  };
  await memory.remember('personal/a.md', 'one\n');
  const before = await countTurns();
  for (let at = 0; at < 256; at++) {
    memory.write(`personal/${at}.md`, `${at}\n`);
    utimesSync(join(memory.root, `personal/${at}.md`), 1_700_000_000, 1_700_000_000);
  }
  memory.git('add', '-A');
  memory.git('commit', '-q', '-m', 'mine');
  expect((await countTurns()) - before).toBeGreaterThanOrEqual(3);
});

async function openAgain({ root }: TemporaryRepository): Promise<AsyncDisposable & { repository: GitRepository }> {
  const repository = await openRepository(root, { surroundings: { env: TEST_ENV, home: root }, lingerMs: 0 });
  return { repository, [Symbol.asyncDispose]: () => repository.close() };
}

/** What a note looks like that claims, falsely, that nothing is staged. */
function falseNote({ root, git }: TemporaryRepository): Buffer {
  const checksum = readFileSync(join(root, '.git/index')).subarray(-20).toString('hex');
  const claim = `${checksum} ${git('rev-parse', 'HEAD^{tree}')}`;
  return Buffer.from(`${claim} ${createHash('sha1').update(claim).digest('hex')}\n`);
}

test.each([
  { what: 'torn', change: (note: Buffer) => note.subarray(0, 82) },
  { what: 'mixed of two', change: (note: Buffer) => Buffer.concat([note.subarray(0, 100), Buffer.alloc(22, '0')]) },
  { what: 'empty', change: () => Buffer.alloc(0) },
])('a note of what the index is, $what, is not believed', async ({ change }) => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  memory.write('personal/a.md', 'edited\n');
  memory.git('add', 'personal/a.md');
  const path = join(memory.root, '.git/stet/mirror');
  writeFileSync(path, falseNote(memory));
  await using deceived = await openAgain(memory);
  expect(await deceived.repository.status()).toEqual([]);
  writeFileSync(path, change(falseNote(memory)));
  await using other = await openAgain(memory);
  expect(await other.repository.status()).toEqual([{ path: 'personal/a.md', state: 'modified', staged: true }]);
});

test('what is staged later shows, whatever was noted of the index before', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  expect(await memory.repository.status()).toEqual([]);
  expect(memory.read('.git/stet/mirror')).toContain(memory.git('rev-parse', 'HEAD^{tree}'));
  memory.write('personal/a.md', 'edited\n');
  memory.git('add', 'personal/a.md');
  await using other = await openAgain(memory);
  expect(await other.repository.status()).toEqual([{ path: 'personal/a.md', state: 'modified', staged: true }]);
});

test('with a scan of a moment ago, status tells what it was then; the other files are looked at', async () => {
  await using memory = await temporaryRepository();
  for (const name of ['a', 'b', 'c', 'd']) await memory.remember(`personal/${name}.md`, `${name}\n`);
  memory.write('personal/a.md', 'edited before\n');
  rmSync(join(memory.root, 'personal/b.md'));
  memory.write('spaces/acme/e.md', 'new\n');
  const items = scanWorkingTree(memory.root, ['personal', 'spaces']);
  memory.write('personal/f.md', 'new later\n');
  rmSync(join(memory.root, 'personal/c.md'));
  memory.write('stet.yaml', 'version: 1\n');
  const changes = [
    { path: 'personal/a.md', state: 'modified' },
    { path: 'personal/b.md', state: 'deleted' },
    { path: 'spaces/acme/e.md', state: 'added' },
    { path: 'stet.yaml', state: 'added' },
  ];
  expect(await memory.repository.status(items)).toEqual(changes);
  const later = [...changes, { path: 'personal/c.md', state: 'deleted' }, { path: 'personal/f.md', state: 'added' }];
  expect(await memory.repository.status()).toEqual(later.sort((a, b) => (a.path < b.path ? -1 : 1)));
});

test('an edit in the tick of the clock in which the file was committed shows', async () => {
  await using memory = await temporaryRepository();
  for (let round = 0; round < 30; round++) {
    await memory.repository.exclusive(async (transaction) => {
      await transaction.writeFile('personal/a.md', Buffer.from(`agent ${round}\n`));
      await transaction.commit(['personal/a.md'], says('remember: a'));
      memory.write('personal/a.md', `human ${round}\n`);
    });
    expect(await memory.repository.status()).toEqual([{ path: 'personal/a.md', state: 'modified' }]);
  }
});

test.each([
  {
    what: 'a change',
    stage: ({ write, git }: TemporaryRepository): void => {
      write('personal/a.md', 'edited\n');
      git('add', 'personal/a.md');
    },
    status: { path: 'personal/a.md', state: 'modified', staged: true },
  },
  {
    what: 'a new file',
    stage: ({ write, git }: TemporaryRepository): void => {
      write('personal/new.md', 'new\n');
      git('add', 'personal/new.md');
    },
    status: { path: 'personal/new.md', state: 'added', staged: true },
  },
  {
    what: 'a deletion, though the file is there and edited',
    stage: ({ write, git }: TemporaryRepository): void => {
      git('rm', '--quiet', '--cached', 'personal/a.md');
      write('personal/a.md', 'edited\n');
    },
    status: { path: 'personal/a.md', state: 'modified', staged: true },
  },
])('that the user staged $what shows at every look, and after a commit of stet’s', async ({ stage, status }) => {
  await using memory = await temporaryRepository();
  for (const name of ['a', 'b']) await memory.remember(`personal/${name}.md`, `${name}\n`);
  expect(await memory.repository.status()).toEqual([]);
  stage(memory);
  expect(await memory.repository.status()).toEqual([status]);
  expect(await memory.repository.status()).toEqual([status]);
  await memory.remember('personal/c.md', 'c\n');
  expect(await memory.repository.status()).toEqual([status]);
  expect(await memory.repository.status()).toEqual([status]);
});

test('an entry vouches for a file only if its stat data are older than the index by more than a tick', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'agent\n');
  const id = memory.git('rev-parse', 'HEAD:personal/a.md');
  memory.write('personal/a.md', 'human\n');
  // As if the edit had come in the very tick in which the file was committed: the entry has its stat data.
  const stat = toEntryStat(lstatSync(join(memory.root, 'personal/a.md'), { bigint: true }));
  const path = join(memory.root, '.git/index');
  const { index } = readIndex(readFileSync(path));
  writeFileSync(
    path,
    patchIndex(index, { changes: new Map([['personal/a.md', { mode: 0o100644, id, stat }]]), smudge: new Set() }),
  );
  const modified = statSync(join(memory.root, 'personal/a.md')).mtimeMs / 1000;
  utimesSync(path, modified, modified + 0.005);
  expect(await memory.repository.status()).toEqual([{ path: 'personal/a.md', state: 'modified' }]);
  // Later it is taken at its word, which is what makes the scan fast.
  utimesSync(path, modified, modified + 0.5);
  expect(await memory.repository.status()).toEqual([]);
});

test('what cannot be read is not called deleted', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/locked/a.md', 'a\n');
  await memory.remember('personal/b.md', 'b\n');
  await memory.remember('personal/c/x.md', 'c\n');
  rmSync(join(memory.root, 'personal/b.md'));
  symlinkSync('elsewhere.md', join(memory.root, 'personal/b.md'));
  mkdirSync(join(memory.root, 'personal/c/.git'));
  chmodSync(memory.root, 0o755);
  chmodSync(join(memory.root, 'personal/locked'), 0o000);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(await memory.repository.status()).toEqual([]);
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(join(memory.root, 'personal/locked'), 0o700);
  }
});

test('a split or otherwise unknown index hides no difference from HEAD', async () => {
  await using memory = await temporaryRepository();
  await memory.remember('personal/a.md', 'a\n');
  memory.git('update-index', '--index-version', '4');
  memory.write('personal/a.md', 'edited\n');
  expect((await memory.repository.status()).map(({ path, state }) => [path, state])).toEqual([
    ['personal/a.md', 'modified'],
  ]);
});
