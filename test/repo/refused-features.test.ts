// Every feature that the writer does not know is made with the real git where it can make it, and refused before
// anything is written.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../src/repo/open-repository.ts';
import {
  gitIn,
  temporaryFolder,
  temporaryRepository,
  TEST_ENV,
  type TemporaryRepository,
} from './temporary-repository.ts';

interface Case {
  readonly name: string;
  /** Gives the repository the feature. It has one commit with `personal/a.md` already. */
  readonly make: (memory: TemporaryRepository) => void;
  readonly feature: RegExp;
  /** Does what the remedy says; then stet writes again. */
  readonly remedy?: (memory: TemporaryRepository) => void;
}

const CASES: readonly Case[] = [
  {
    name: 'an index of version 4',
    make: ({ git }) => git('update-index', '--index-version', '4'),
    feature: /index of version 4/,
    remedy({ git }) {
      git('config', 'index.version', '2');
      git('update-index', '--index-version', '2');
    },
  },
  {
    name: 'a split index',
    make({ git }) {
      git('config', 'core.splitIndex', 'true');
      git('update-index', '--split-index');
    },
    feature: /split index/,
    remedy({ git }) {
      git('config', 'core.splitIndex', 'false');
      git('update-index', '--no-split-index');
    },
  },
  {
    name: 'a sparse index',
    make({ git }) {
      git('sparse-checkout', 'set', '--cone', '--sparse-index', 'spaces');
      // Which is all that tells of it once its configuration is gone.
      git('config', '--unset', 'extensions.worktreeConfig');
    },
    feature: /sparse index/,
  },
  {
    name: 'a sparse checkout',
    make({ git }) {
      git('sparse-checkout', 'set', '--no-cone', '/personal/');
      git('config', '--unset', 'extensions.worktreeConfig');
      git('config', 'core.sparseCheckout', 'true');
    },
    feature: /sparse checkout/,
  },
  {
    name: 'an index without a checksum',
    make({ root }) {
      // index.skipHash came with git 2.40; what it writes is the same file with a checksum of zeros.
      const path = join(root, '.git/index');
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0, bytes.length - 20));
    },
    feature: /without a checksum/,
    remedy: ({ git }) => git('update-index', '--force-write-index'),
  },
  {
    name: 'configuration for each worktree',
    make: ({ git }) => git('config', 'extensions.worktreeConfig', 'true'),
    feature: /configuration for each worktree/,
    remedy: ({ git }) => git('config', '--unset', 'extensions.worktreeConfig'),
  },
  {
    name: 'an unknown extension',
    make: ({ git }) => git('config', 'extensions.marvel', 'true'),
    feature: /extension marvel/,
  },
  {
    name: 'a repository of a later format',
    make: ({ root }) => writeFileSync(join(root, '.git/config'), '[core]\n\trepositoryformatversion = 2\n'),
    feature: /format version 2/,
  },
  {
    name: 'branches kept as reftable',
    make({ root }) {
      // Made by git 2.45 and newer: a format 1 repository with this extension.
      writeFileSync(
        join(root, '.git/config'),
        '[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n',
      );
    },
    feature: /reftable/,
  },
  {
    name: 'a partial clone',
    make({ git }) {
      git('config', 'remote.origin.url', 'https://example.org/x.git');
      git('config', 'remote.origin.promisor', 'true');
    },
    feature: /partial clone/,
  },
  {
    name: 'objects borrowed from another repository',
    make: ({ root }) => writeFileSync(join(root, '.git/objects/info/alternates'), `${root}/.git/objects\n`),
    feature: /alternates/,
    remedy: ({ root }) => rmSync(join(root, '.git/objects/info/alternates')),
  },
  {
    name: 'grafted history',
    make: ({ root, git }) => writeFileSync(join(root, '.git/info/grafts'), `${git('rev-parse', 'HEAD')}\n`),
    feature: /grafted/,
    remedy: ({ root }) => rmSync(join(root, '.git/info/grafts')),
  },
  {
    name: 'replaced objects',
    make({ git }) {
      const other = git('commit-tree', '-m', 'other', 'HEAD^{tree}');
      git('replace', 'HEAD', other);
    },
    feature: /replaced objects/,
    remedy: ({ git }) => git('replace', '-d', git('replace', '-l')),
  },
  {
    name: 'replaced objects whose refs are packed',
    make({ git }) {
      git('replace', 'HEAD', git('commit-tree', '-m', 'other', 'HEAD^{tree}'));
      git('pack-refs', '--all');
    },
    feature: /replaced objects/,
  },
  {
    name: 'more than one worktree',
    make: ({ git, root }) => git('worktree', 'add', '--quiet', '-b', 'other', join(root, 'elsewhere')),
    feature: /more than one worktree/,
    remedy: ({ git, root }) => git('worktree', 'remove', join(root, 'elsewhere')),
  },
  {
    name: 'a bare repository',
    make: ({ git }) => git('config', 'core.bare', 'true'),
    feature: /bare/,
    remedy: ({ git }) => git('config', 'core.bare', 'false'),
  },
  {
    name: 'a working tree elsewhere',
    make: ({ git, root }) => git('config', 'core.worktree', root),
    feature: /core\.worktree/,
    remedy: ({ git }) => git('config', '--unset', 'core.worktree'),
  },
  {
    name: 'a repository shared between users',
    make: ({ git }) => git('config', 'core.sharedRepository', 'group'),
    feature: /core\.sharedRepository group/,
    remedy: ({ git }) => git('config', '--unset', 'core.sharedRepository'),
  },
  {
    name: 'a filter on items',
    make: ({ write }) => write('.gitattributes', '*.md filter=git-crypt diff=git-crypt\n'),
    feature: /"filter=git-crypt" on personal\/b\.md/,
    remedy: ({ write }) => write('.gitattributes', '*.md filter=git-crypt\n*.md -filter\n'),
  },
  {
    name: 'a filter by a macro in .git/info/attributes',
    make: ({ root }) =>
      writeFileSync(join(root, '.git/info/attributes'), '[attr]secret filter=lfs\npersonal/** secret\n'),
    feature: /"filter=lfs" on/,
  },
  {
    name: 'keyword expansion on items',
    make: ({ write }) => write('personal/.gitattributes', '*.md ident\n'),
    feature: /"ident" on/,
  },
  {
    name: 'another encoding on items',
    make: ({ write }) => write('.gitattributes', '*.md working-tree-encoding=UTF-16LE\n'),
    feature: /"working-tree-encoding=UTF-16LE" on/,
  },
  {
    name: 'HEAD as a symbolic link',
    make({ root }) {
      rmSync(join(root, '.git/HEAD'));
      symlinkSync('refs/heads/main', join(root, '.git/HEAD'));
    },
    feature: /HEAD as a symbolic link/,
  },
];

describe('stet does not write to a repository with', () => {
  test.each(CASES)('$name', async ({ make, feature, remedy }) => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    make(memory);
    const head = await memory.repository.head();
    await expect(memory.remember('personal/b.md', 'b\n')).rejects.toMatchObject({
      failure: {
        code: 'unsupported-repository',
        feature: expect.stringMatching(feature),
        remedy: expect.stringMatching(/./),
      },
    });
    expect(existsSync(join(memory.root, 'personal/b.md'))).toBe(false);
    expect(await memory.repository.head()).toBe(head);
    if (remedy === undefined) return;
    remedy(memory);
    expect(await memory.remember('personal/b.md', 'b\n')).toMatchObject({ status: 'committed' });
    memory.checkHealth();
  });

  test('object names by SHA-256', async () => {
    await using memory = await temporaryRepository({
      prepare: (root) => void gitIn(root)('init', '--quiet', '--object-format=sha256'),
    });
    await expect(memory.remember('personal/a.md', 'a\n')).rejects.toMatchObject({
      failure: { code: 'unsupported-repository', feature: 'object names by sha256' },
    });
  });

  test('an owner that git would not trust, until the user says so', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root can give a folder away');
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    chownSync(memory.root, 12345, 12345);
    expect(() => memory.git('status')).toThrow(/dubious ownership/);
    await expect(memory.remember('personal/b.md', 'b\n')).rejects.toMatchObject({
      failure: { code: 'unsupported-repository', feature: 'it belongs to another user' },
    });
    // The repository's own word on whether to trust it counts for nothing.
    execFileSync('git', ['config', '--file', join(memory.root, '.git/config'), 'safe.directory', memory.root]);
    await expect(memory.remember('personal/b.md', 'b\n')).rejects.toThrow(/another user/);
    const home = temporaryFolder();
    try {
      writeFileSync(join(home, '.gitconfig'), `[safe]\n\tdirectory = ${memory.root}\n`);
      const { GIT_CONFIG_GLOBAL: _, ...env } = TEST_ENV;
      const trusted = await openRepository(memory.root, { surroundings: { env, home }, lingerMs: 0 });
      await trusted.exclusive((transaction) => transaction.writeFile('personal/b.md', Buffer.from('b\n')));
      expect(memory.read('personal/b.md')).toBe('b\n');
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe('a folder is no memory of its own when it is', () => {
  test('a linked worktree', async () => {
    await using memory = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    memory.git('worktree', 'add', '--quiet', '-b', 'other', join(memory.root, 'elsewhere'));
    await expect(openRepository(join(memory.root, 'elsewhere'))).rejects.toThrow(/a linked worktree/);
  });

  test('a submodule', async () => {
    await using memory = await temporaryRepository();
    await using parent = await temporaryRepository();
    await memory.remember('personal/a.md', 'a\n');
    parent.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', memory.root, 'memory');
    await expect(openRepository(join(parent.root, 'memory'))).rejects.toThrow(/a submodule of another repository/);
  });

  test('a repository with its .git elsewhere', async () => {
    await using memory = await temporaryRepository();
    const folder = join(memory.root, 'checkout');
    mkdirSync(folder);
    gitIn(folder)('init', '--quiet', '--separate-git-dir', join(memory.root, 'git-folder'));
    await expect(openRepository(folder)).rejects.toThrow(/kept elsewhere/);
  });

  test('not there, or not a repository', async () => {
    const folder = temporaryFolder();
    try {
      await expect(openRepository(folder)).rejects.toMatchObject({ failure: { code: 'not-a-memory' } });
      await expect(openRepository(join(folder, 'missing'))).rejects.toMatchObject({
        failure: { code: 'not-a-memory' },
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
