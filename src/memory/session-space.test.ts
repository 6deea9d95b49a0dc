import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithin, pathComponents } from './folder-path.ts';
import { type MappedFolder, type ProjectFolder, resolveSessionSpace, type SessionInputs } from './session-space.ts';

const SPACES = {
  entries: [
    { name: 'acme', aliases: ['acme-corp'], remotes: ['git@github.com:acme/app.git'] },
    { name: 'globex', aliases: [], remotes: ['https://github.com/globex/site'] },
    { name: 'web', aliases: [], remotes: [] },
  ],
};

function mapped(folder: string, space: string): MappedFolder {
  return { folder, realPath: folder, space };
}

function project(given: string, more: Partial<ProjectFolder> = {}): ProjectFolder {
  return { source: 'working directory', given, realPath: given, worktree: null, remote: null, ...more };
}

function resolve(inputs: Partial<SessionInputs>): ReturnType<typeof resolveSessionSpace> {
  return resolveSessionSpace({
    named: null,
    folders: [],
    mapped: [mapped('/home/me/work/acme', 'acme'), mapped('/home/me/work/globex', 'globex')],
    spaces: SPACES,
    home: '/home/me',
    paths: { windows: false, caseSensitive: true },
    ...inputs,
  });
}

function spaceOf(inputs: Partial<SessionInputs>): string | null {
  const session = resolve(inputs);
  if (!session.ok) throw new Error(session.failure.code);
  return session.space;
}

/** Whether what is said there may become personal. */
function isKnown(inputs: Partial<SessionInputs>): boolean {
  const session = resolve(inputs);
  return session.ok && session.isKnown;
}

function warningsOf(inputs: Partial<SessionInputs>): readonly string[] {
  const session = resolve(inputs);
  return session.ok ? session.warnings : [];
}

describe('a space that is named', () => {
  test('is taken, whatever the folder says', () => {
    expect(resolve({ named: { by: 'STET_SPACE', space: 'globex' }, folders: [project('/home/me/work/acme')] })).toEqual(
      {
        ok: true,
        space: 'globex',
        rule: 'STET_SPACE says globex.',
        warnings: [],
        isKnown: true,
      },
    );
  });

  test('may go by its old name, in any case', () => {
    expect(spaceOf({ named: { by: '--space', space: 'ACME-corp' } })).toBe('acme');
  });

  test('may be personal', () => {
    expect(
      spaceOf({ named: { by: '--space', space: 'personal' }, folders: [project('/home/me/work/acme')] }),
    ).toBeNull();
  });

  test.each(['umbrella', '*', '', '../acme'])('fails when there is no space %j, and guesses none', (space) => {
    const session = resolve({ named: { by: 'STET_SPACE', space }, folders: [project('/home/me/work/acme')] });
    expect(session).toMatchObject({ ok: false, failure: { code: 'bad-argument', argument: 'STET_SPACE' } });
  });
});

describe('a folder of machine.yaml', () => {
  test('gives its space to the folder itself and all below it', () => {
    expect(spaceOf({ folders: [project('/home/me/work/acme')] })).toBe('acme');
    expect(resolve({ folders: [project('/home/me/work/acme/app/src')] })).toEqual({
      ok: true,
      space: 'acme',
      rule: 'machine.yaml gives /home/me/work/acme to acme.',
      warnings: [],
      isKnown: true,
    });
  });

  test('matches by whole path components', () => {
    expect(spaceOf({ folders: [project('/home/me/work/acme-2')] })).toBeNull();
    expect(spaceOf({ folders: [project('/home/me/work')] })).toBeNull();
  });

  test('the longest path counts, and nested spaces do not see each other', () => {
    const nested = [mapped('/w', 'acme'), mapped('/w/web', 'web'), mapped('/w/web/globex', 'globex')];
    for (const order of [nested, [...nested].reverse()]) {
      expect(spaceOf({ mapped: order, folders: [project('/w/web/a')] })).toBe('web');
      expect(spaceOf({ mapped: order, folders: [project('/w/web/globex/b')] })).toBe('globex');
      expect(spaceOf({ mapped: order, folders: [project('/w/c')] })).toBe('acme');
    }
  });

  test('symlinks are resolved on both sides', () => {
    const folders = [project('/home/me/link/app', { realPath: '/data/acme/app' })];
    expect(spaceOf({ mapped: [{ folder: '~/link', realPath: '/data/acme', space: 'acme' }], folders })).toBe('acme');
    expect(
      spaceOf({ mapped: [{ folder: '/home/me/link', realPath: '/data/other', space: 'acme' }], folders }),
    ).toBeNull();
  });

  test('one that does not exist matches nothing', () => {
    expect(spaceOf({ mapped: [{ folder: '/w', realPath: null, space: 'acme' }], folders: [project('/w')] })).toBeNull();
  });

  test('may name its space by an old name', () => {
    expect(spaceOf({ mapped: [mapped('/w', 'acme-corp')], folders: [project('/w')] })).toBe('acme');
  });

  test('that names a space which does not exist leaves the session personal, with a warning', () => {
    const inputs = {
      mapped: [mapped('/w', 'umbrella')],
      folders: [project('/w', { remote: 'git@github.com:acme/app' })],
    };
    expect(spaceOf(inputs)).toBeNull();
    expect(warningsOf(inputs)).toEqual(['machine.yaml gives /w to umbrella, and there is no such space.']);
    expect(isKnown(inputs)).toBe(false);
  });

  test('that is listed under two names for two spaces leaves the session personal, with a warning', () => {
    const inputs = {
      mapped: [mapped('/w', 'acme'), { folder: '/link', realPath: '/w', space: 'globex' }],
      folders: [project('/w')],
    };
    expect(spaceOf(inputs)).toBeNull();
    expect(warningsOf(inputs)).toEqual(['machine.yaml gives one folder to acme (/w) and globex (/link).']);
    expect(isKnown(inputs)).toBe(false);
  });
});

describe('a git worktree', () => {
  const worktree = { root: '/tmp/wt/fix', main: '/home/me/work/acme' };

  test('is in the space of its repository, wherever it lies', () => {
    expect(spaceOf({ folders: [project('/tmp/wt/fix/src', { worktree })] })).toBe('acme');
    expect(
      spaceOf({
        folders: [project('/tmp/wt/fix', { worktree })],
        mapped: [mapped('/tmp/wt', 'web'), mapped('/home/me/work/acme', 'acme')],
      }),
    ).toBe('acme');
  });

  test('keeps the place below the top: a folder of the repository with a space of its own', () => {
    const folders = [project('/tmp/wt/fix/packages/web/src', { worktree })];
    expect(
      spaceOf({
        folders,
        mapped: [mapped('/home/me/work/acme', 'acme'), mapped('/home/me/work/acme/packages/web', 'web')],
      }),
    ).toBe('web');
  });

  test('that machine.yaml names itself is in that space', () => {
    const list = [mapped('/home/me/work/acme', 'acme'), mapped('/tmp/wt/fix', 'web')];
    expect(spaceOf({ folders: [project('/tmp/wt/fix/src', { worktree })], mapped: list })).toBe('web');
  });

  test('of a repository without a space is a folder like any other', () => {
    expect(spaceOf({ folders: [project('/tmp/wt/fix', { worktree })], mapped: [mapped('/tmp/wt', 'web')] })).toBe(
      'web',
    );
  });
});

describe('a remote', () => {
  const remote = 'https://user:token@github.com/Acme/App.git';

  test('gives its space to the folder', () => {
    expect(resolve({ folders: [project('/srv/checkout', { remote })] })).toEqual({
      ok: true,
      space: 'acme',
      rule: 'spaces.yaml gives the remote github.com/acme/app to acme.',
      warnings: [],
      isKnown: true,
    });
  });

  test('and a folder may agree', () => {
    expect(spaceOf({ folders: [project('/home/me/work/acme', { remote })] })).toBe('acme');
  });

  test('and a folder that name different spaces leave the session personal, with a warning', () => {
    const inputs = { folders: [project('/home/me/work/globex', { remote })] };
    expect(spaceOf(inputs)).toBeNull();
    expect(warningsOf(inputs)).toEqual([
      '/home/me/work/globex belongs to globex by machine.yaml, but its remote to acme by spaces.yaml.',
    ]);
    expect(isKnown(inputs)).toBe(false);
  });

  test('that two spaces have leaves the session personal, with a warning', () => {
    const spaces = { entries: [...SPACES.entries, { name: 'copy', aliases: [], remotes: ['github.com/acme/app'] }] };
    const inputs = { spaces, folders: [project('/srv/checkout', { remote })] };
    expect(spaceOf(inputs)).toBeNull();
    expect(warningsOf(inputs)).toEqual(['spaces.yaml gives the remote github.com/acme/app to acme and copy.']);
    expect(isKnown(inputs)).toBe(false);
  });

  test('that no space has says nothing', () => {
    expect(spaceOf({ folders: [project('/srv/checkout', { remote: 'git@github.com:acme/other' })] })).toBeNull();
    expect(spaceOf({ folders: [project('/home/me/work/acme', { remote: 'git@github.com:acme/other' })] })).toBe('acme');
  });

  test('never shows its password', () => {
    expect(JSON.stringify(resolve({ folders: [project('/srv/checkout', { remote })] }))).not.toContain('token');
  });
});

describe('the project folder', () => {
  const cwd = project('/home/me/work/acme');
  const roots = project('/home/me/work/globex', { source: 'client roots' });
  const env = project('/home/me/work/acme', { source: 'CLAUDE_PROJECT_DIR' });
  const flag = project('/home/me/work/globex', { source: '--project' });

  test('is --project, then CLAUDE_PROJECT_DIR, then the roots, then the working directory', () => {
    expect(spaceOf({ folders: [cwd, roots, env, flag] })).toBe('globex');
    expect(spaceOf({ folders: [cwd, roots, env] })).toBe('acme');
    expect(spaceOf({ folders: [cwd, roots] })).toBe('globex');
    expect(spaceOf({ folders: [cwd] })).toBe('acme');
    expect(spaceOf({ folders: [] })).toBeNull();
  });

  test('of a higher source counts even where no space has it', () => {
    const inputs = { folders: [cwd, project('/srv/other', { source: 'client roots' })] };
    expect(spaceOf(inputs)).toBeNull();
    expect(isKnown(inputs)).toBe(true);
  });

  test('of --project that does not exist leaves the session personal: the next one would be a guess', () => {
    const inputs = { folders: [cwd, project('${workspaceFolder}', { source: '--project', realPath: null })] };
    expect(spaceOf(inputs)).toBeNull();
    expect(warningsOf(inputs)).toEqual(['--project: there is no folder ${workspaceFolder}.']);
    expect(isKnown(inputs)).toBe(false);
  });

  test('of CLAUDE_PROJECT_DIR that does not exist is passed over, with a warning', () => {
    const inputs = { folders: [cwd, project('/gone', { source: 'CLAUDE_PROJECT_DIR', realPath: null })] };
    expect(spaceOf(inputs)).toBe('acme');
    expect(warningsOf(inputs)).toEqual(['CLAUDE_PROJECT_DIR: there is no folder /gone.']);
    expect(isKnown(inputs)).toBe(true);
  });

  test('several roots of one space, or of none, work in it', () => {
    const more = [
      roots,
      project('/srv/library', { source: 'client roots' }),
      project('/home/me/work/globex/x', { source: 'client roots' }),
    ];
    expect(spaceOf({ folders: more })).toBe('globex');
  });

  test('several roots of different spaces leave the session personal, with a warning', () => {
    const inputs = { folders: [roots, project('/home/me/work/acme', { source: 'client roots' })] };
    expect(spaceOf(inputs)).toBeNull();
    expect(warningsOf(inputs)).toEqual(["The project's folders belong to different spaces, globex and acme."]);
    expect(isKnown(inputs)).toBe(false);
  });

  test('one unclear root among several leaves the session personal', () => {
    const split = project('/home/me/work/acme', { source: 'client roots', remote: 'github.com/globex/site' });
    expect(spaceOf({ folders: [roots, split] })).toBeNull();
  });

  test.each([
    ['the root', '/'],
    ['the home folder itself', '/home/me'],
    ['the cache of npx', '/home/me/.npm/_npx/8a1b/node_modules/stet-memory'],
    ['a folder of node_modules', '/home/me/work/acme/node_modules/x'],
    ['a cache folder', '/home/me/.cache/uv/archive'],
    ['a Mac’s cache folder', '/home/me/Library/Caches/x'],
    ['Go’s modules', '/home/me/go/pkg/mod/a'],
  ])('is not %s: the next one is taken', (_, rejected) => {
    const everywhere = [mapped('/', 'web'), mapped('/home/me/work/acme', 'acme')];
    const first = project(rejected, { source: 'client roots' });
    expect(spaceOf({ mapped: everywhere, folders: [first, cwd] })).toBe('acme');
    expect(warningsOf({ mapped: everywhere, folders: [first, cwd] })).toHaveLength(1);
    expect(spaceOf({ mapped: everywhere, folders: [{ ...first, source: 'working directory' }] })).toBeNull();
  });

  test('may be a folder that is only called like a cache', () => {
    expect(spaceOf({ mapped: [mapped('/w', 'web')], folders: [project('/w/cache/node')] })).toBe('web');
  });

  test('in the working directory that is rejected is no warning: many clients start servers there', () => {
    expect(warningsOf({ folders: [project('/')] })).toEqual([]);
  });
});

describe('on Windows', () => {
  const windows = {
    paths: { windows: true, caseSensitive: false },
    home: 'C:\\Users\\Me',
    mapped: [mapped('C:\\Work\\Acme', 'acme'), mapped('\\\\nas\\share\\globex', 'globex'), mapped('D:\\', 'web')],
  };

  test.each([
    ['c:\\work\\acme\\src', 'acme'],
    ['C:/WORK/ACME', 'acme'],
    ['\\\\?\\C:\\Work\\Acme\\x', 'acme'],
    ['C:\\Work\\Acme2', null],
    ['\\\\NAS\\Share\\globex\\x', 'globex'],
    ['\\\\?\\UNC\\nas\\share\\globex', 'globex'],
    ['\\\\nas\\share', null],
    ['D:\\anything', 'web'],
    ['D:\\', null],
    ['C:\\Users\\Me', null],
    ['C:\\Users\\Me\\AppData\\Local\\npm-cache\\_npx\\1\\node_modules\\x', null],
  ])('%s is in %s', (given, space) => {
    expect(spaceOf({ ...windows, folders: [project(given)] })).toBe(space);
  });
});

describe('paths', () => {
  const mac = { windows: false, caseSensitive: false };
  const posix = { windows: false, caseSensitive: true };

  test('differ by case only where the file system tells it', () => {
    expect(spaceOf({ folders: [project('/home/me/Work/ACME')] })).toBeNull();
    expect(spaceOf({ paths: mac, folders: [project('/home/me/Work/ACME')] })).toBe('acme');
  });

  test('are one composed and decomposed', () => {
    expect(pathComponents('/Zu\u0308rich', posix)).toEqual(pathComponents('/Z\u00fcrich', posix));
  });

  test.each([
    ['/a/./b//c/../d/', ['/', 'a', 'b', 'd']],
    ['/..', ['/']],
    ['/a\\b', ['/', 'a\\b']],
    ['relative', null],
    ['', null],
  ])('%j has the components %j', (path, components) => {
    expect(pathComponents(path, posix)).toEqual(components);
  });

  test('lie in each other exactly when the one starts with the whole names of the other', () => {
    const name = fc.constantFrom('a', 'aa', 'b');
    const names = fc.array(name, { maxLength: 4 });
    fc.assert(
      fc.property(names, names, (a, b) => {
        const [inner, outer] = [`/${a.join('/')}`, `/${b.join('/')}`];
        const within = isWithin(pathComponents(inner, posix) ?? [], pathComponents(outer, posix) ?? []);
        expect(within).toBe(outer === '/' || `${inner}/`.startsWith(`${outer}/`));
      }),
    );
  });
});
