// The status by our own stat scan, against what git says of HEAD, index and each file's content.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMemoryFile } from '../../src/repo/memory-files.ts';
import type { StatusEntry } from '../../src/repo/repository.ts';
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
        expect(await memory.repository.status()).toEqual(statusByGit(memory));
      }
    }),
    { numRuns: 12 },
  );
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
