// `stet export --history` and its way back. Oracle: the git program, and a second export.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';
import { ENTRY, TemporaryMemory } from './temporary-memory.ts';

type Line = Record<string, unknown> & { type: string; path: string | null; content?: string | null };

async function linesOf(memory: InProcessMemory, history = true): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of memory.app.exportLines(history)) lines.push({ ...line });
  return lines;
}

async function writeLines(memory: InProcessMemory, lines: readonly unknown[]): Promise<string> {
  const file = join(memory.folder, 'memory.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** What somebody commits beside stet, as themselves, at a time and in a zone of their own. */
function commitByHand(memory: InProcessMemory, at: number, message: string): void {
  const when = `${1_790_000_000 + at * 3_600} ${['+0100', '-0530', '+0000'][at % 3] ?? ''}`;
  const env = { ...process.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: `${1_790_000_100 + at * 3_600} +0200` };
  const who = [
    '-c',
    'user.name=Ann Ødegård',
    '-c',
    'user.email=ann@example.invalid',
    '-c',
    'gc.auto=0',
    '-c',
    'core.safecrlf=false',
  ];
  execFileSync('git', [...who, '-C', memory.root, 'add', '-A'], { env });
  execFileSync('git', [...who, '-C', memory.root, 'commit', '-q', '--allow-empty', '-m', message], { env });
}

function writeBytes(memory: InProcessMemory, path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(memory.path(path)), { recursive: true });
  writeFileSync(memory.path(path), bytes);
}

async function noteChanged(memory: InProcessMemory): Promise<void> {
  const gone = memory.git('diff', '--name-only', '--no-renames', 'HEAD~1');
  const paths = `${memory.git('ls-files')}${gone}`.split('\n').filter((path) => path !== '');
  await (await memory.repository()).exclusive(async (transaction) => transaction.noteChanged(paths));
}

const STEPS = {
  remember: async (memory: InProcessMemory, at: number) => {
    await memory.app.remember(await memory.session(at % 2 === 0 ? 'acme' : null), {
      text: `Shelf ${at} holds ${at * 7} jars.`,
    });
  },
  supersede: async (memory: InProcessMemory, at: number) => {
    const session = await memory.session('acme');
    const [old] = (await memory.app.visibleItems(session)).filter(({ space }) => space !== null);
    if (old)
      await memory.app.remember(session, { text: `Row ${at} is painted ${at * 3} times.`, supersedes: [old.id] });
  },
  forget: async (memory: InProcessMemory) => {
    const session = await memory.app.userSession({ space: 'acme' });
    const [item] = await memory.app.visibleItems(session);
    if (item) await memory.app.forget(session, item.id);
  },
  edit: async (memory: InProcessMemory, at: number) => {
    const [path] = memory.items();
    if (path) writeBytes(memory, path, Buffer.from(`${memory.read(path)}\nEdited at ${at}.\n`));
    commitByHand(memory, at, `Edit by hand\n\nWith a body: ${at}.\n\nRefs: #${at}\n`);
    await noteChanged(memory);
  },
  rename: async (memory: InProcessMemory, at: number) => {
    const path = memory.items().find((each) => each.startsWith('personal/2026'));
    if (path) memory.git('mv', path, path.replace(/^personal\/(.*\/)?/, `personal/moved-${at}-`));
    commitByHand(memory, at, 'Rename');
    await noteChanged(memory);
  },
  bytes: async (memory: InProcessMemory, at: number) => {
    writeBytes(memory, `spaces/acme/bytes-${at % 3}.md`, Buffer.from([0x54, 0xff, 0xfe, at, 0x0a]));
    writeBytes(memory, `attachments/${at % 3}.bin`, Buffer.from([0, 1, 2, at]));
    commitByHand(memory, at, 'Bytes');
    await noteChanged(memory);
  },
  lineEnds: async (memory: InProcessMemory, at: number) => {
    writeBytes(memory, `personal/by-hand-${at % 3}.md`, Buffer.from(`\uFEFFTea is at ${at}.\r\nMilk first.\r\n`));
    await noteChanged(memory);
    await memory.open().then((app) => app.status());
  },
  settings: async (memory: InProcessMemory, at: number) => {
    await memory.app.changePolicy('codex', 'acme', at % 2 === 0 ? 'deny' : 'allow');
  },
  nothing: (memory: InProcessMemory, at: number) => {
    commitByHand(memory, at, 'Nothing');
    return Promise.resolve();
  },
  uncommitted: async (memory: InProcessMemory, at: number) => {
    await memory.edit('personal/broken.md', `---\nkind: [\n---\nBroken ${at}.\n`);
  },
} satisfies Record<string, (memory: InProcessMemory, at: number) => Promise<void>>;

const histories = fc.array(fc.constantFrom(...(Object.keys(STEPS) as Array<keyof typeof STEPS>)), {
  minLength: 1,
  maxLength: 12,
});

function filesOf(memory: InProcessMemory): ReadonlyMap<string, string> {
  const paths = [...memory.git('-c', 'core.quotePath=off', 'ls-files', '-z').split('\0'), 'personal/broken.md'];
  return new Map(
    paths
      .filter((path) => path !== '' && memory.exists(path))
      .map((path) => [path, readFileSync(memory.path(path), 'latin1')]),
  );
}

describe('an export with history', () => {
  it('makes the same memory again, with the ids of its commits, whatever its history', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        await using from = await InProcessMemory.make();
        await using to = await InProcessMemory.make();
        await from.space('acme');
        for (const [at, step] of steps.entries()) {
          from.now = new Date(from.now.getTime() + 60_000);
          await from.idle();
          await STEPS[step](from, at);
        }
        await from.idle();
        const lines = await linesOf(from);
        const commits = Number(from.git('rev-list', '--count', 'HEAD'));
        const result = await to.app.importLines({ file: await writeLines(from, lines) });
        expect(result).toMatchObject({
          skipped: [],
          unchanged: 0,
          history: { status: 'taken', commits, merges: 0, hasSameIds: true },
        });
        expect(to.git('rev-parse', 'HEAD')).toBe(from.git('rev-parse', 'HEAD'));
        expect(to.git('fsck', '--strict', '--no-dangling')).toBe('');
        expect(to.git('status', '--porcelain')).toBe(from.git('status', '--porcelain'));
        expect(filesOf(to)).toEqual(filesOf(from));
        expect(await linesOf(to)).toEqual(lines);
        expect(await to.app.log({ limit: 100 })).toEqual(await from.app.log({ limit: 100 }));
        expect(await to.app.list({ outdated: true })).toEqual(await from.app.list({ outdated: true }));
      }),
      { numRuns: Number(process.env['STET_EXPORT_RUNS'] ?? 8) },
    );
  }, 300_000);

  it('answers of the past, and takes back the last operation, as where it was made', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await from.space('acme');
    const session = await from.session('acme');
    const first = await from.app.remember(session, { text: 'Acme signs users in with Auth0.' });
    const id = first.status === 'stored' ? first.item.id : '';
    const before = from.git('rev-parse', 'HEAD').trim();
    const second = await from.app.remember(session, { text: 'Acme signs users in with Clerk.', supersedes: [id] });
    const newer = second.status === 'stored' ? second.item.id : '';
    const path = from.items().find((each) => each.includes(newer)) ?? '';
    await from.app.tagItem(newer, ['login'], []);
    await to.app.importLines({ file: await writeLines(to, await linesOf(from)) });

    const past = await to.app.at(before, 'then');
    try {
      const { facts } = await past.recall(await past.userSession({ space: 'acme' }), {
        question: 'How do users sign in?',
      });
      expect(facts.map(({ item }) => item.text)).toEqual(['Acme signs users in with Auth0.']);
      expect(await past.read(await past.userSession({ item: id }), id)).toMatchObject({
        status: 'found',
        outdated: null,
      });
    } finally {
      await past.close();
    }
    expect((await to.app.diff(newer, undefined)).patch).toContain('+tags: login');
    await to.app.undo();
    expect(to.read(path)).not.toContain('login');
    expect(to.git('show', `HEAD~2:${path}`)).toBe(to.read(path));
    expect(to.git('fsck', '--strict')).toBe('');
  });

  it('makes ordinary commits of merges, and says so', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await from.edit('personal/a.md', 'Tea is at four.\n');
    commitByHand(from, 1, 'Tea');
    from.git('switch', '-q', '-c', 'side', 'HEAD~1');
    await from.edit('personal/b.md', 'Standups are at nine.\n');
    commitByHand(from, 2, 'Standups');
    from.git('switch', '-q', 'main');
    from.git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side');
    const lines = await linesOf(from);
    const result = await to.app.importLines({ file: await writeLines(to, lines) });
    expect(result.history).toEqual({ status: 'taken', commits: 3, merges: 1, hasSameIds: false });
    expect(to.git('log', '--format=%an <%ae> %ai %cn <%ce> %ci%n%B')).toBe(
      from.git('log', '--first-parent', '--format=%an <%ae> %ai %cn <%ce> %ci%n%B'),
    );
    expect(to.git('rev-parse', 'HEAD^{tree}')).toBe(from.git('rev-parse', 'HEAD^{tree}'));
    const bare = (line: Line) => ({ ...line, commit: '', merge: false });
    expect((await linesOf(to)).map(bare)).toEqual(lines.map(bare));
  });

  it('is taken from a stet that told neither addresses nor messages', async () => {
    await using to = await InProcessMemory.make();
    const version = {
      type: 'version',
      commit: 'c0ffee',
      time: '2026-09-15T10:31:04.000Z',
      author: 'Ann',
      subject: 'init: x',
    };
    const file = await writeLines(to, [
      { ...version, path: 'stet.yaml', content: 'version: 1\n' },
      {
        ...version,
        commit: 'beef',
        author: 'codex',
        subject: 'remember: Tea',
        path: 'personal/a.md',
        content: 'Tea is at four.\n',
      },
    ]);
    expect((await to.app.importLines({ file })).history).toMatchObject({ status: 'taken', commits: 2 });
    expect(to.git('log', '--format=%an <%ae> %cI %s')).toBe(
      'codex <unknown@export.invalid> 2026-09-15T10:31:04+00:00 remember: Tea\nAnn <unknown@export.invalid> 2026-09-15T10:31:04+00:00 init: x\n',
    );
    expect(to.read('personal/a.md')).toBe('Tea is at four.\n');
  });

  it('is left where a memory holds something, which is said; the present state comes', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await from.app.remember(await from.session(null), { text: 'Tea is at four.' });
    await to.app.remember(await to.session(null), { text: 'Standups are at nine.' });
    const file = await writeLines(to, await linesOf(from));
    const head = to.git('rev-parse', 'HEAD').trim();
    expect(await to.app.importLines({ file })).toMatchObject({
      imported: 1,
      skipped: [],
      history: {
        status: 'left',
        commits: 2,
        why: expect.stringMatching(/^this memory holds personal.* already$/) as string,
      },
    });
    expect(to.git('rev-parse', 'HEAD~1').trim()).toBe(head);
  });

  it.each([
    ['a history of its own', 'this memory has a history of its own already', (to: InProcessMemory) => to.space('acme')],
    [
      "files of somebody else's",
      "this memory's history holds notes/mine.txt already",
      (to: InProcessMemory) => {
        writeBytes(to, 'notes/mine.txt', Buffer.from('Mine.\n'));
        to.git('add', 'notes');
        to.git('commit', '-q', '--amend', '--no-edit');
        return Promise.resolve('');
      },
    ],
    [
      'been synced',
      'this memory has been synced already',
      async (to: InProcessMemory) => {
        const { state } = (await to.repository()).sync;
        await state.write({ ...(await state.read()), common: to.git('rev-parse', 'HEAD').trim() });
        return '';
      },
    ],
  ])('is left where a memory has %s', async (_, why, prepare) => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await from.app.remember(await from.session(null), { text: 'Tea is at four.' });
    await prepare(to);
    const result = await to.app.importLines({ file: await writeLines(to, await linesOf(from)) });
    expect(result).toMatchObject({ imported: 1, history: { status: 'left', why } });
  });

  it('overwrites no file that somebody changed or made', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    writeBytes(from, 'notes.txt', Buffer.from('Theirs.\n'));
    commitByHand(from, 1, 'Notes');
    writeBytes(to, 'notes.txt', Buffer.from('Mine.\n'));
    const head = to.git('rev-parse', 'HEAD');
    const file = await writeLines(to, await linesOf(from));
    await expect(to.app.importLines({ file })).rejects.toThrow(
      /notes\.txt: this file is in the way \(in the way\).*Nothing was imported\. Import into a new memory\.$/,
    );
    expect([to.git('rev-parse', 'HEAD'), to.read('notes.txt')]).toEqual([head, 'Mine.\n']);
  });

  it('is refused with a secret in any version, unless the user says that it is none', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await from.edit('personal/a.md', `Tea.\n\nThe token is ${token}\n`);
    commitByHand(from, 1, 'Oops');
    await from.edit('personal/a.md', 'Tea is at four.\n');
    commitByHand(from, 2, 'Take it out');
    const lines = await linesOf(from);
    const file = await writeLines(to, lines);
    const line = lines.findIndex(({ content }) => content?.includes(token)) + 1;
    const head = to.git('count-objects');
    await expect(to.app.importLines({ file })).rejects.toMatchObject({
      failure: {
        code: 'bad-file',
        path: file,
        line,
        reason: expect.stringMatching(
          /^line 3 of personal\/a\.md in the commit [0-9a-f]{8} looks like a secret \(GitHub .*\)$/,
        ) as string,
      },
    });
    expect(to.git('count-objects')).toBe(head);
    expect(await to.app.importLines({ file, noSecrets: true })).toMatchObject({ history: { status: 'taken' } });
    expect([...(await (await to.repository()).sync.state.confirmed())]).toHaveLength(1);
  });

  const version = {
    type: 'version',
    commit: 'c0ffee',
    time: '2026-09-15T10:31:04Z',
    author: 'Ann',
    subject: 'init: x',
    path: 'stet.yaml',
    content: 'version: 1\n',
  };
  const other = { ...version, commit: 'beef' };
  it.each([
    ['its path "../outside.md" is none in a memory: it is no plain relative path', { ...other, path: '../outside.md' }],
    ['its path "/etc/passwd" is none in a memory: it is no plain relative path', { ...other, path: '/etc/passwd' }],
    ['its path ".git/config" is none in a memory: it leads into `.git`', { ...other, path: '.git/config' }],
    ['its path "a/.GIT/config" is none in a memory: it leads into `.git`', { ...other, path: 'a/.GIT/config' }],
    ['its path ".git\\\\config" is none in a memory: it ', { ...other, path: '.git\\config' }],
    ['its path "a\\u0000b" is none in a memory: it holds a NUL character', { ...other, path: 'a\0b' }],
    ['its path is missing, or no text', { ...other, path: 7 }],
    ['"spaces.yaml" is no path of a line of type item', { type: 'item', path: 'spaces.yaml', content: '' }],
    ['"machine.yaml" is no path of a line of type config', { type: 'config', path: 'machine.yaml', content: '' }],
    ['"forgotten/x.yaml" is no path of a line of type', { type: 'tombstone', path: 'forgotten/x.yaml', content: '' }],
    ['"link" is no type of a line', { type: 'link', path: 'personal/a.md', content: '' }],
    ['this is no line of an export', { path: 'personal/a.md', content: '' }],
    ['this is no line of an export', ['version']],
    ['its content is no base64', { ...other, encoding: 'base64', content: 'no base64' }],
    ['its encoding "rot13" is unknown', { ...other, encoding: 'rot13' }],
    ['its content is missing, or no text', { ...other, content: 7 }],
    ['its time, "yesterday", is no time', { ...other, time: 'yesterday' }],
    ['its authored, "2026-02-31T10:00:00Z", is no time', { ...other, authored: '2026-02-31T10:00:00Z' }],
    ['its message holds a NUL character', { ...other, message: 'a\0b' }],
    ['its author is missing, or no text', { ...other, author: null }],
    ['the commit c0ffee has "stet.yaml" twice', version],
    ['it tells of the commit c0ffee what its other lines do not', { ...version, path: 'a.txt', author: 'Eve' }],
  ])('is refused, and nothing is written, since %s', async (reason, line) => {
    await using to = await InProcessMemory.make();
    const before = [to.git('rev-parse', 'HEAD'), to.git('count-objects'), to.git('status', '--porcelain')];
    const file = await writeLines(to, [version, line]);
    await expect(to.app.importLines({ file })).rejects.toMatchObject({
      failure: {
        code: 'bad-file',
        path: file,
        line: 2,
        reason: expect.stringContaining(reason) as string,
      },
    });
    expect([to.git('rev-parse', 'HEAD'), to.git('count-objects'), to.git('status', '--porcelain')]).toEqual(before);
  });

  it('is refused where bytes are no text, lines of a commit are apart, or no memory comes of it', async () => {
    await using to = await InProcessMemory.make();
    const file = join(to.folder, 'memory.jsonl');
    await writeFile(
      file,
      Buffer.concat([Buffer.from('{"type":"config","path":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
    );
    await expect(to.app.importLines({ file })).rejects.toThrow('memory.jsonl:1: this is no line of an export');
    await writeLines(to, [version, other, { ...version, path: 'b.txt' }]);
    await expect(to.app.importLines({ file })).rejects.toThrow(
      ':3: the lines of the commit c0ffee do not stand together',
    );
    await writeLines(to, [version, { ...other, path: 'stet.yaml', content: null }]);
    await expect(to.app.importLines({ file })).rejects.toThrow(':2: this is no whole history of a memory');
    expect(to.git('rev-list', '--count', 'HEAD')).toBe('1\n');
  });

  it("leaves what is a machine's own out, both ways", async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    from.git('add', '-f', 'machine.yaml');
    from.git('commit', '-q', '-m', 'Too much');
    const lines = await linesOf(from);
    expect(lines.filter(({ path }) => path === 'machine.yaml')).toEqual([]);
    const machine = to.read('machine.yaml');
    const own = { ...lines.at(0), commit: 'beef', path: 'machine.yaml', content: 'folders: { /: acme }\n' };
    await to.app.importLines({ file: await writeLines(to, [own, ...lines]) });
    expect(to.read('machine.yaml')).toBe(machine);
    expect(to.git('ls-files', 'machine.yaml')).toBe('');
  });

  it('stops when it is asked to, with nothing imported', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await from.app.remember(await from.session(null), { text: 'Tea is at four.' });
    const file = await writeLines(to, await linesOf(from));
    const head = to.git('rev-parse', 'HEAD');
    for (const step of [1, 2]) {
      const stop = new AbortController();
      const onProgress = (done: number) => {
        if (done === step) stop.abort();
      };
      await expect(to.app.importLines({ file, onProgress, signal: stop.signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
    }
    expect([to.git('rev-parse', 'HEAD'), to.items()]).toEqual([head, []]);
    expect(await to.app.importLines({ file })).toMatchObject({ imported: 4, history: { status: 'taken' } });
    expect(await to.app.importLines({ file })).toMatchObject({
      imported: 0,
      unchanged: 4,
      history: { status: 'same' },
    });
  });

  const CRASHES: ReadonlyArray<[string, (root: string, head: string) => boolean]> = [
    ['while commits are written', (root) => readdirSync(join(root, '.git', 'objects')).length > 100],
    ['while files are put in place', (root) => existsSync(join(root, '.git', 'stet', 'merge.json'))],
    ['when HEAD has moved', (root, head) => readFileSync(join(root, '.git', 'refs', 'heads', 'main'), 'utf8') !== head],
  ];
  it.runIf(process.platform !== 'win32')('ends with 130 at Ctrl-C, and nothing is imported', async () => {
    await using from = await InProcessMemory.make();
    for (let at = 0; at < 60; at++) {
      await from.app.remember(await from.session(null), {
        text: `Shelf ${at} holds ${at * 7} jars of ${at * 3} kinds.`,
      });
    }
    const file = await writeLines(from, await linesOf(from));
    await using to = await TemporaryMemory.make();
    const env = { ...process.env, STET_HOME: to.root };
    const child = spawn(process.execPath, [ENTRY, 'import', 'jsonl', file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    const said = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
    while (child.exitCode === null && readdirSync(to.path('.git/objects')).length < 60) await setImmediate();
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(await said).toEqual(['', 'stet: Stopped. Nothing was imported.\n']);
    expect(await to.items()).toEqual([]);
    expect(await to.git('rev-list', '--count', 'HEAD')).toBe('1\n');
    expect(await to.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it.runIf(process.platform !== 'win32').each(CRASHES)(
    'is ended by the same command after kill -9 %s, also without git',
    async (_, isThere) => {
      await using from = await InProcessMemory.make();
      for (let at = 0; at < 60; at++) {
        await from.app.remember(await from.session(null), {
          text: `Shelf ${at} holds ${at * 7} jars of ${at * 3} kinds.`,
        });
      }
      writeBytes(from, 'personal/by-hand.md', Buffer.from('Tea is at four.\r\n'));
      await from.open();
      const file = await writeLines(from, await linesOf(from));
      await using to = await TemporaryMemory.make();
      const head = await readFile(to.path('.git/refs/heads/main'), 'utf8');
      const env = { ...process.env, STET_HOME: to.root, PATH: '/nowhere' };
      const child = spawn(process.execPath, [ENTRY, 'import', 'jsonl', file], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      while (child.exitCode === null && !isThere(to.root, head)) await setImmediate();
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);

      const again = await to.stetWith({ env: { PATH: '/nowhere' } }, 'import', 'jsonl', file, '--json');
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(again.stdout)).toMatchObject({ skipped: [], history: { commits: 62 } });
      expect((await to.git('rev-parse', 'HEAD')).trim()).toBe(from.git('rev-parse', 'HEAD').trim());
      expect(await to.git('fsck', '--strict', '--no-dangling')).toBe('');
      expect(await to.git('status', '--porcelain')).toBe('');
      for (const path of from.items()) expect(await readFile(to.path(path))).toEqual(readFileSync(from.path(path)));
      expect((await to.stet('export', '--history')).stdout).toBe(await readFile(file, 'utf8'));
    },
  );
});
