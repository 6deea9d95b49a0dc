// What stet makes of configuration, attributes, ignore files and line ends, against what the real git makes of them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Attributes } from '../../src/repo/attributes.ts';
import { ConfigReader } from '../../src/repo/git-config.ts';
import { IgnoreRules } from '../../src/repo/ignore-rules.ts';
import { gitIn, says, temporaryFolder, temporaryRepository, TEST_ENV } from './temporary-repository.ts';

const PATHS = [
  'a.md',
  'personal/a.md',
  'personal/b c.md',
  'personal/.hidden.md',
  'personal/deep/er/a.md',
  'personal/deep/x.txt',
  'spaces/acme/a.md',
  'spaces/acme/2026-09/acme-signs-in.k3v9q2m7.md',
  'spaces/AcMe/B.MD',
  'spaces/[x]/a*.md',
  'spaces/é/ü.md',
];

const SEGMENTS = [
  '*',
  '**',
  '*.md',
  'a.md',
  '?.md',
  '[ab].md',
  '[!a]*',
  '[a-c]?*',
  'personal',
  'spaces',
  'acme',
  'deep',
  'x*',
  '\\[x\\]',
  'a\\*.md',
  '[[:alpha:]]*',
  '[[:upper:]]*',
  '*e*',
  'é',
  '[]x]',
  'B.MD',
  '***',
  'a**',
  '[z-a]',
  'b\\ c.md',
  'b c.md',
];

const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', '/', '!'),
    fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '', '/', '/**', '/*'),
  )
  .map(([before, segments, after]) => `${before}${segments.join('/')}${after}`);

describe('like git, stet', () => {
  test('ignores what the ignore files say', async () => {
    await using memory = await temporaryRepository();
    for (const path of PATHS) memory.write(path, 'x\n');
    const options = {
      root: memory.root,
      gitFolder: join(memory.root, '.git'),
      userFile: join(memory.root, 'user-ignore'),
    };
    const line = fc.oneof(
      pattern,
      fc.constantFrom('# comment', '', 'trailing   ', '\\#x', '\\!a.md', 'a.md\r', '\uFEFFx'),
    );
    const lines = fc.array(line, { maxLength: 4 });
    fc.assert(
      fc.property(lines, lines, lines, fc.boolean(), (top, nested, exclude, ignoreCase) => {
        memory.write('.gitignore', top.join('\n'));
        memory.write('spaces/.gitignore', nested.join('\n'));
        memory.write('.git/info/exclude', exclude.join('\n'));
        memory.git('config', 'core.ignoreCase', String(ignoreCase));
        const ignored = linesOf(memory.root, ['check-ignore', '--no-index', '--stdin', '-z'], PATHS);
        const rules = new IgnoreRules({ ...options, ignoreCase });
        expect(PATHS.filter((path) => rules.isIgnored(path))).toEqual(ignored);
      }),
      { numRuns: 150 },
    );
  });

  test('reads attributes', async () => {
    await using memory = await temporaryRepository();
    for (const path of PATHS) memory.write(path, 'x\n');
    const options = {
      root: memory.root,
      gitFolder: join(memory.root, '.git'),
      userFile: join(memory.root, 'user-attributes'),
    };
    const words = [
      'text',
      '-text',
      'text=auto',
      '!text',
      'eol=lf',
      'eol=crlf',
      'filter=x',
      '-filter',
      'binary',
      'mine',
      '-mine',
      '!eol',
      'crlf',
      '-crlf',
    ];
    const line = fc.oneof(
      fc
        .tuple(pattern, fc.subarray(words, { minLength: 1, maxLength: 3 }))
        .map(([glob, given]) => `${glob.replace(' ', '?')} ${given.join(' ')}`),
      fc.constantFrom(
        '[attr]mine text eol=lf',
        '"personal/b c.md" eol=crlf',
        '"spaces/\\303\\251/*" filter=q',
        '# x',
        '',
      ),
    );
    const lines = fc.array(line, { maxLength: 4 });
    fc.assert(
      fc.property(lines, lines, lines, (top, nested, info) => {
        memory.write('.gitattributes', top.join('\n'));
        memory.write('spaces/.gitattributes', nested.filter((text) => !text.startsWith('[attr]')).join('\n'));
        memory.write('.git/info/attributes', info.join('\n'));
        const names = ['text', 'eol', 'filter', 'crlf', 'mine'];
        const told = linesOf(memory.root, ['check-attr', '-z', '--stdin', ...names], PATHS);
        const attributes = new Attributes({ ...options, ignoreCase: false });
        const ours = PATHS.flatMap((path) =>
          names.flatMap((name) => [path, name, printAttribute(attributes.of(path).get(name))]),
        );
        expect(ours).toEqual(told);
      }),
      { numRuns: 150 },
    );
  });

  test('stores line ends as attributes and core.autocrlf ask', async () => {
    await using memory = await temporaryRepository();
    const line = fc.constantFrom(
      'a\n',
      'a\r\n',
      'a\r',
      '\r\n',
      '\n',
      'é\r\n',
      '\0',
      '\x01\r\n',
      'x'.repeat(130),
      '\x1a',
      '---\r\n',
    );
    const text = fc.array(line, { maxLength: 6 }).map((parts) => parts.join(''));
    const attributes = fc.constantFrom(
      '',
      '*.md text',
      '*.md text eol=lf',
      '*.md eol=crlf',
      '*.md text=auto',
      '*.md text=auto eol=lf',
      '*.md -text',
      '*.md binary',
      '*.md crlf=input',
      '*.md -crlf eol=lf',
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        attributes,
        fc.constantFrom('true', 'false', 'input'),
        async (first, second, given, autocrlf) => {
          const ours = `personal/ours-${round}.md`;
          const gits = `personal/gits-${round++}.md`;
          memory.git('config', 'core.autocrlf', autocrlf);
          memory.write('.gitattributes', `${given}\n`);
          for (const content of [first, second]) {
            memory.write(gits, content);
            memory.git('add', gits);
            await memory.remember(ours, content);
            expect(memory.git('rev-parse', `HEAD:${ours}`)).toBe(memory.git('rev-parse', `:${gits}`));
            const status = await memory.repository.status();
            expect(status.filter(({ path }) => path === ours)).toEqual([]);
          }
          memory.git('reset', '--quiet');
        },
      ),
      { numRuns: 25 },
    );
    memory.checkHealth();
  });

  test('reads its configuration', async () => {
    const folder = temporaryFolder();
    try {
      const gitFolder = join(folder, 'repo/.git');
      gitIn(folder)('init', '--quiet', '--initial-branch=main', 'repo');
      writeFileSync(
        join(folder, 'included'),
        '[user]\n\temail = included@example.org\n[include]\n\tpath = nested/deeper\n',
      );
      mkdirSync(join(folder, 'nested'));
      writeFileSync(join(folder, 'nested/deeper'), '[deep]\n\tnested = yes\n');
      writeFileSync(join(folder, '.gitconfig'), HOME_CONFIG);
      writeFileSync(
        join(gitFolder, 'config'),
        `${REPOSITORY_CONFIG}\n[includeIf "onbranch:ma*"]\n\tpath = ../../included\n`,
      );
      const { GIT_CONFIG_GLOBAL: _, ...rest } = TEST_ENV;
      const env = {
        ...rest,
        HOME: folder,
        XDG_CONFIG_HOME: join(folder, 'xdg'),
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'User.Name',
        GIT_CONFIG_VALUE_0: 'From env',
      };
      const told = execFileSync('git', ['-C', join(folder, 'repo'), 'config', '--list', '-z'], {
        env,
        encoding: 'utf8',
      })
        .split('\0')
        .filter(Boolean)
        .map((entry) => (entry.includes('\n') ? splitOnce(entry) : [entry, null]));
      const settings = new ConfigReader(gitFolder, { env, home: folder }).all().settings;
      expect(settings.map(({ key, value }) => [key, value])).toEqual(told);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('a file that is in git with CRLF is committed as git would, by attributes that came later', async () => {
  await using memory = await temporaryRepository();
  memory.write('personal/a.md', 'one\r\ntwo\r\n');
  memory.git('add', 'personal/a.md');
  memory.git('commit', '--quiet', '-m', 'crlf');
  memory.write('.gitattributes', '*.md text eol=lf\n');
  memory.write('personal/a.md', 'one\r\ntwo\r\nthree\r\n');
  await memory.repository.exclusive((transaction) => transaction.commit(['personal/a.md'], says('edit: a', null)));
  expect(memory.git('show', 'HEAD:personal/a.md')).toBe('one\ntwo\nthree');
  expect(memory.git('status', '--porcelain', 'personal')).toBe('');
});

test('a file that is in git with CRLF keeps it where git would only guess that it is text', async () => {
  await using memory = await temporaryRepository();
  for (const name of ['ours', 'gits']) memory.write(`personal/${name}.md`, 'one\r\ntwo\r\n');
  memory.git('add', '-A');
  memory.git('commit', '--quiet', '-m', 'crlf');
  memory.git('config', 'core.autocrlf', 'true');
  for (const name of ['ours', 'gits']) memory.write(`personal/${name}.md`, 'one\r\ntwo\r\nthree\r\n');
  memory.git('add', 'personal/gits.md');
  await memory.repository.exclusive((transaction) => transaction.commit(['personal/ours.md'], says('edit: a', null)));
  expect(memory.git('rev-parse', 'HEAD:personal/ours.md')).toBe(memory.git('rev-parse', ':personal/gits.md'));
  expect(memory.git('cat-file', '-s', 'HEAD:personal/ours.md')).toBe('17');
});

/** What a git command that reads NUL-terminated paths prints for these. */
function linesOf(root: string, args: readonly string[], paths: readonly string[]): string[] {
  try {
    const input = paths.map((path) => `${path}\0`).join('');
    const options = { input, encoding: 'utf8', env: { ...TEST_ENV, HOME: root }, stdio: 'pipe' } as const;
    return execFileSync(
      'git',
      [
        '-C',
        root,
        '-c',
        `core.excludesFile=${root}/user-ignore`,
        '-c',
        `core.attributesFile=${root}/user-attributes`,
        ...args,
      ],
      options,
    )
      .split('\0')
      .slice(0, -1);
  } catch (error) {
    // `check-ignore` says 1 for none.
    if (error instanceof Error && 'status' in error && error.status === 1) return [];
    throw error;
  }
}

function printAttribute(value: string | boolean | undefined): string {
  if (value === undefined) return 'unspecified';
  if (typeof value === 'string') return value;
  return value ? 'set' : 'unset';
}

function splitOnce(entry: string): [string, string] {
  const at = entry.indexOf('\n');
  return [entry.slice(0, at), entry.slice(at + 1)];
}

const HOME_CONFIG = `[user]
	name = "Ada \\"the\\" Countess" ; comment
	email = ada@example.org # comment
[core] excludesFile = ~/ignore
[alias]
	long = one \\
two
	tab = a\\tb
[includeIf "gitdir:~/repo/"]
	path = included
[includeIf "gitdir:elsewhere/"]
	path = included
[includeIf "gitdir/i:**/REPO/.git"]
	path = included
`;

const REPOSITORY_CONFIG = `[core]
	bare = false
	bareWord
[filter "Git-Crypt"]
	clean = "git-crypt clean"
[remote "a.b \\"c\\\\"]
	url = x;y
	Push = a  b   
[Section.Sub]
	key = " padded " tail
`;
