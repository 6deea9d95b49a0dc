// `stet export --history` and its way back. Oracle: the git program, and a second export.
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitByHand, linesOf, writeBytes, writeLines, type Line } from './export-scene.ts';
import { InProcessMemory } from './in-process-memory.ts';

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
  deleted: async (memory: InProcessMemory, at: number) => {
    const items = memory.items();
    const path = items[at % items.length];
    if (path) await memory.edit(path, null);
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

  it('keeps deleted what was deleted and not committed, and forgotten what was', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await using other = await InProcessMemory.make();
    const session = await from.session(null);
    await from.edit('personal/a.md', 'Tea is at four.\n');
    commitByHand(from, 1, 'Tea');
    const kept = await from.app.remember(session, { text: 'Standups are at nine.' });
    const { id, path } = kept.status === 'stored' ? { id: kept.item.id, path: kept.path } : { id: '', path: '' };
    await from.edit('personal/a.md', null);
    writeBytes(from, '.git/MERGE_HEAD', Buffer.from(from.git('rev-parse', 'HEAD')));
    expect(await from.app.forget(await from.app.userSession({ item: id }), id)).toMatchObject({
      commit: { status: 'pending' },
    });

    const lines = await linesOf(from);
    const gone = lines.filter(({ type, content }) => type !== 'version' && content === null);
    expect(gone.map((line) => line.path)).toEqual([path, 'personal/a.md'].sort());
    expect((await linesOf(from, false)).filter(({ content }) => content === null)).toEqual([]);
    const file = await writeLines(from, lines);
    expect(await to.app.importLines({ file })).toMatchObject({
      imported: 4,
      skipped: [],
      history: { status: 'taken', hasSameIds: true },
    });
    expect(to.items()).toEqual([]);
    expect(to.git('rev-parse', 'HEAD')).toBe(from.git('rev-parse', 'HEAD'));
    expect(to.git('status', '--porcelain')).toBe(from.git('status', '--porcelain'));
    expect(await to.app.list({ outdated: true })).toEqual([]);
    // Cut short before the deletions, the same import ends it.
    await to.idle();
    to.git('restore', '.');
    for (const back of [path, 'personal/a.md']) await to.edit(back, to.read(back));
    expect(await to.app.importLines({ file })).toMatchObject({ imported: 0, skipped: [], history: { status: 'same' } });
    expect(to.items()).toEqual([]);

    await other.edit('personal/a.md', 'Tea is at four.\n');
    await other.app.remember(await other.session(null), { text: 'Deploys are on Friday.' });
    expect(await other.app.importLines({ file })).toMatchObject({ imported: 1, skipped: [] });
    expect(other.exists('personal/a.md')).toBe(true);
  });

  it('is here already where it came with names that git cannot hold', async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    await from.app.remember(await from.session(null), { text: 'Tea is at four.' });
    const named = (await linesOf(from)).map((line) =>
      line.type === 'version' ? { ...line, author: 'Jane <Doe> Jr.', committer_email: 'jane @example.invalid' } : line,
    );
    const file = await writeLines(to, named);
    expect(await to.app.importLines({ file })).toMatchObject({ history: { status: 'taken', hasSameIds: false } });
    expect(to.git('log', '-1', '--format=%an|%ce')).toBe('Jane Doe Jr|jane@example.invalid\n');
    expect(await to.app.importLines({ file })).toMatchObject({ imported: 0, history: { status: 'same' } });
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

  it("leaves what is a machine's own out, both ways", async () => {
    await using from = await InProcessMemory.make();
    await using to = await InProcessMemory.make();
    from.git('add', '-f', 'machine.yaml');
    from.git('commit', '-q', '-m', 'Too much');
    const lines = await linesOf(from);
    expect(lines.filter(({ path }) => path === 'machine.yaml')).toEqual([]);
    const machine = to.read('machine.yaml');
    const own = ['machine.yaml', 'Machine.YAML', '.STET/table', 'Deliveries/2026-09.jsonl'].map((path) => {
      return { ...lines.at(0), commit: 'beef', path, content: 'folders: { /: acme }\n' };
    });
    await to.app.importLines({ file: await writeLines(to, [...own, ...lines]) });
    expect(to.git('log', '--name-only', '--format=', '--', ...own.map(({ path }) => path))).toBe('');
    expect(to.read('machine.yaml')).toBe(machine);
    expect(to.git('ls-files', 'machine.yaml')).toBe('');
  });
});
