import { chmod, readFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';
import { TemporaryMemory, type Outcome } from './temporary-memory.ts';

interface Stored {
  id: string;
  path: string;
}

/** A memory that answers by words alone: nothing here is about meaning, and the model takes a second to load. */
async function makeMemory(): Promise<TemporaryMemory> {
  const memory = await TemporaryMemory.make();
  await memory.write('machine.yaml', 'embedder: none\n');
  return memory;
}

/** Runs `stet edit` with an editor that is this line of shell; `$1` is the file. */
async function edit(memory: TemporaryMemory, id: string, shell: string, ...args: string[]): Promise<Outcome> {
  await memory.write('../editor', `#!/bin/sh\n${shell}\n`);
  await chmod(memory.path('../editor'), 0o755);
  const env = { EDITOR: `'${memory.path('../editor')}'`, VISUAL: '' };
  return memory.stetWith({ env }, 'edit', id, ...args);
}

/** Stores a statement in process, as the user, and says where. */
async function keep(memory: InProcessMemory, text: string, more: Record<string, unknown> = {}): Promise<Stored> {
  const { space, ...request } = more as { space?: string; supersedes?: readonly string[] };
  const session = await memory.app.userSession({ space: space ?? 'personal' });
  const stored = await memory.app.remember(session, { text, ...request });
  if (stored.status !== 'stored') throw new Error(`not stored: ${stored.status}`);
  return { id: stored.item.id, path: stored.path };
}

async function save(memory: InProcessMemory, id: string, change: (text: string) => string) {
  const before = await memory.app.editableFile(id);
  return memory.app.saveEdit(before, Buffer.from(change(Buffer.from(before.bytes).toString())));
}

/** What is current in a space, personal items included. */
async function idsIn(memory: InProcessMemory, space: string): Promise<readonly string[]> {
  const items = await memory.app.visibleItems(await memory.app.userSession({ space }));
  return items.map((item) => item.id);
}

// What the editor is, is a line of POSIX shell here; the command line of Windows is tested as data beside the code.
describe.skipIf(process.platform === 'win32')('stet edit', () => {
  it('saves what the editor saved, in one commit of the user', async () => {
    await using memory = await makeMemory();
    const { id, path } = await memory.json<Stored>('remember', 'Standups are at nine.');
    const outcome = await edit(memory, id, `sed -i.bak 's/nine/ten/' "$1"`, '--json');
    expect(outcome.code).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({ status: 'saved', id, path, draft: null });
    expect(await memory.read(path)).toContain('\nStandups are at ten.\n');
    const subjects = await memory.git('log', '--format=%s', '-2');
    expect(subjects).toBe('edit: Standups are at ten.\nremember: Standups are at nine.\n');
    expect(await memory.git('log', '-1', '--format=%(trailers:key=Stet-Item,valueonly)')).toContain(id);
    expect(await memory.git('status', '--porcelain')).toBe('');
    expect(await edit(memory, id, 'true')).toMatchObject({ code: 0, stdout: 'Nothing was changed.\n' });
  });

  it('keeps the file as it was when the text is no item, and says where the text is', async () => {
    await using memory = await makeMemory();
    const { id, path } = await memory.json<Stored>('remember', 'Standups are at nine.');
    const before = await memory.read(path);
    const outcome = await edit(memory, id, `sed -i.bak 's/^kind:.*/kind: [/' "$1"`, '--json');
    expect(outcome.code).toBe(1);
    expect(await memory.read(path)).toBe(before);
    const { status, draft } = JSON.parse(outcome.stdout) as { status: string; draft: string };
    expect(status).toBe('invalid');
    expect(outcome.stderr).toMatch(/\.md:\d+: /);
    expect(outcome.stderr).toContain(`Your text is in ${draft}`);
    expect(await readFile(draft, 'utf8')).toContain('kind: [');
  });

  it('says what to do when the editor fails, and keeps the text', async () => {
    await using memory = await makeMemory();
    const { id } = await memory.json<Stored>('remember', 'Standups are at nine.');
    const outcome = await edit(memory, id, 'exit 3');
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/the editor ended with 3, and nothing was saved\. Set VISUAL or EDITOR/);
    expect(await readFile(/Your text is in (.*\.md)/.exec(outcome.stderr)?.[1] ?? '', 'utf8')).toContain('nine');
  });
});

describe('a saved edit', () => {
  it.each([
    { what: 'a broken frontmatter', from: /kind: fact/, to: 'kind: [', says: /Not valid YAML/ },
    { what: 'another id', from: /id: "\w+"/, to: 'id: "zzzz2222"', says: /keeps its id/ },
    { what: 'another space', from: /source:/, to: 'space: acme\nsource:', says: /disagrees/ },
    { what: 'no text', from: /Standups.*/, to: '', says: /No text/ },
    {
      what: 'a secret',
      from: /nine/,
      to: ['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_'),
      says: /looks like a secret/,
    },
  ])('is refused for $what, and the file stays as it was', async ({ from, to, says }) => {
    await using memory = await InProcessMemory.make();
    const { id, path } = await keep(memory, 'Standups are at nine.');
    const before = memory.read(path);
    const saved = await save(memory, id, (text) => text.replace(from, to));
    expect(saved).toMatchObject({ status: 'invalid', problems: [{ message: expect.stringMatching(says) as string }] });
    expect(memory.read(path)).toBe(before);
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  it('does not overwrite what somebody else saved meanwhile', async () => {
    await using memory = await InProcessMemory.make();
    const { id, path } = await keep(memory, 'Standups are at nine.');
    const before = await memory.app.editableFile(id);
    writeFileSync(memory.path(path), memory.read(path).replace('nine', 'eleven'));
    const saved = await memory.app.saveEdit(before, Buffer.from(memory.read(path).replace('eleven', 'ten')));
    expect(saved).toEqual({ status: 'overtaken', path });
    expect(memory.read(path)).toContain('at eleven.');
  });

  it('repairs a file in quarantine, which says what is wrong with it', async () => {
    await using memory = await InProcessMemory.make();
    const { id, path } = await keep(memory, 'Standups are at nine.');
    await memory.edit(path, memory.read(path).replace('kind: fact', 'kind: rumour'));
    expect(await memory.app.locate(id)).toBeNull();
    const { problems } = await memory.app.editableFile(id);
    expect(problems).toMatchObject([{ line: 3, message: expect.stringContaining('"rumour" is not a kind') as string }]);
    expect(await save(memory, id, (text) => text.replace('rumour', 'fact'))).toMatchObject({ status: 'saved', path });
    expect(await idsIn(memory, 'personal')).toEqual([id]);
  });
});

describe('stet tag', () => {
  it('adds and removes tags, and leaves every other byte', async () => {
    await using memory = await makeMemory();
    const { id, path } = await memory.json<Stored>('remember', 'Standups are at nine.', '--tag', 'draft');
    const before = await memory.read(path);
    const tagged = await memory.json<{ tags: string[]; commit: string }>('tag', id, '+team', '-draft', '+daily');
    expect(tagged.tags).toEqual(['team', 'daily']);
    expect(await memory.read(path)).toBe(before.replace('tags: draft', 'tags: [team, daily]'));
    expect(tagged.commit).toBe((await memory.git('rev-parse', 'HEAD')).trim());
    expect((await memory.json<{ tags: string[] }>('tag', id, '-team', '-daily')).tags).toEqual([]);
    expect(await memory.read(path)).not.toContain('tags');
    expect(await memory.json('tag', id, '-team')).toMatchObject({ tags: [], commit: null });
    const tooMany = Array.from({ length: 21 }, (_, place) => `+tag${place}`);
    for (const [changes, says] of [
      [[`+${'x'.repeat(101)}`], 'a tag has 101 characters, and 100 is the most'],
      [tooMany, 'there would be 21 tags, and 20 is the most'],
    ] as const) {
      expect(await memory.stet('tag', id, ...changes)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(says) as string,
      });
    }
    for (const change of ['login', '--draft', '+', '-']) {
      const outcome = await memory.stet('tag', id, change);
      expect(outcome.code).toBe(2);
      expect(outcome.stderr).toContain('+NAME');
    }
  });
});

describe('stet mv', () => {
  it('moves the file and its key in one commit, and the item answers in its new space alone', async () => {
    await using memory = await InProcessMemory.make();
    for (const space of ['acme', 'globex']) await memory.space(space);
    const { id, path } = await keep(memory, 'Invoices go out on Friday.', { space: 'acme' });
    await memory.edit(path, memory.read(path).replace('source:', '# mine\nsource:'));
    const to = path.replace('spaces/acme/', 'spaces/globex/');
    expect(await memory.app.moveItem(id, 'globex')).toMatchObject({ space: 'globex', moved: [{ id, from: path, to }] });
    expect(memory.items()).toEqual([to]);
    expect(memory.read(to)).toContain('space: globex\n# mine\n');
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(memory.git('show', '--format=', '--name-status', '-M50', 'HEAD')).toMatch(/^R\d+\t/);
    expect([await idsIn(memory, 'acme'), await idsIn(memory, 'globex')]).toEqual([[], [id]]);
    expect(await memory.app.moveItem(id, 'personal')).toMatchObject({ space: null });
    expect(memory.read(path.replace('spaces/acme/', 'personal/'))).not.toContain('space:');
    expect(await memory.app.moveItem(id, 'personal')).toEqual({ space: null, moved: [], commit: null });
  });

  it('takes along what the item replaced, so that it does not come back', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    const first = await keep(memory, 'Invoices go out on Thursday.', { space: 'acme' });
    const second = await keep(memory, 'Invoices go out on Friday.', { space: 'acme', supersedes: [first.id] });
    const last = await keep(memory, 'Invoices go out on Monday.', { space: 'acme', supersedes: [second.id] });
    await expect(memory.app.moveItem(second.id, 'personal')).rejects.toThrow(`Move ${last.id}`);
    const { moved } = await memory.app.moveItem(last.id, 'personal');
    expect(moved.map(({ id }) => id).sort()).toEqual([first.id, second.id, last.id].sort());
    for (const space of ['acme', 'personal']) {
      expect(await idsIn(memory, space)).toEqual([last.id]);
    }
  });

  it('keeps the id of a file that was never adopted, and gives way to a file that is there', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    await memory.edit('personal/notes.md', 'Invoices go out on Friday.\n');
    await memory.edit('spaces/acme/notes.md', 'Standups are at nine.\n');
    const [listed] = await memory.app.list({ space: 'personal', outdated: false });
    const id = listed?.item.id ?? '';
    const { moved } = await memory.app.moveItem(id, 'acme');
    expect(moved[0]?.to).toMatch(new RegExp(`^spaces/acme/[^/]+/invoices-go-out-on-friday\\.${id}\\.md$`));
    expect(memory.read('spaces/acme/notes.md')).toBe('Standups are at nine.\n');
    expect((await memory.app.list({ space: 'acme', outdated: false })).map(({ item }) => item.id)).toContain(id);
  });
});

describe('stet open', () => {
  it('says where an item, a space and the memory are', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    const { id, path } = await keep(memory, 'Standups are at nine.');
    expect(await memory.app.placeOnDisk(id)).toBe(memory.path(path));
    expect(await memory.app.placeOnDisk('acme')).toBe(memory.path('spaces/acme'));
    expect(await memory.app.placeOnDisk('personal')).toBe(memory.path('personal'));
    expect(await memory.app.placeOnDisk(undefined)).toBe(memory.root);
    await expect(memory.app.placeOnDisk('nowhere')).rejects.toThrow('there is no space "nowhere"');
  });

  it.skipIf(process.platform === 'win32')('says where it is when nothing here can open it', async () => {
    await using memory = await makeMemory();
    expect(await memory.json('open', '--print')).toEqual({ path: memory.root });
    const outcome = await memory.stetWith({ env: { PATH: '/nowhere' } }, 'open');
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(`could open ${memory.root}`);
  });
});
