// Files in quarantine, each settled by the one command that `stet review` shows.
import { chmod, mkdir, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';
import { TemporaryMemory } from './temporary-memory.ts';

interface Quarantined {
  readonly path: string;
  readonly message: string;
  readonly command: string | null;
}

async function quarantined(memory: InProcessMemory): Promise<readonly Quarantined[]> {
  const cases = await memory.app.listReview();
  return cases.flatMap((each) => (each.kind === 'quarantined' ? [each] : []));
}

async function keep(memory: InProcessMemory, text: string, space = 'personal') {
  const stored = await memory.app.remember(await memory.app.userSession({ space }), { text });
  if (stored.status !== 'stored') throw new Error(`not stored: ${stored.status}`);
  await memory.idle();
  return { id: stored.item.id, path: stored.path };
}

/** As a script does that writes and commits behind stet's back. */
async function commitFile(memory: InProcessMemory, path: string, text: string): Promise<void> {
  await memory.edit(path, text);
  memory.git('add', path);
  memory.git('commit', '-q', '-m', `Add ${path}`);
  await memory.edit(path, text);
}

async function idsIn(memory: InProcessMemory): Promise<readonly string[]> {
  return (await memory.app.list({ outdated: true })).map(({ item }) => item.id).sort();
}

describe('two files with one id', () => {
  async function twice(memory: InProcessMemory) {
    const { id, path } = await keep(memory, 'Standups are at nine.');
    const copy = path.replace('standups', 'a copy of standups');
    await commitFile(memory, copy, memory.read(path).replace('nine', 'ten'));
    const [waiting, ...others] = await quarantined(memory);
    expect(others).toEqual([]);
    return { id, path, copy, waiting };
  }

  it('become two items, the later one with a new id, by the command that the review shows', async () => {
    await using memory = await InProcessMemory.make({ newId: ids('k3v9q2m7', 'k3v9q2m7', 'h7wq2c9d') });
    const { id, path, copy, waiting } = await twice(memory);
    const [used, other] = (await memory.app.locate(id))?.path === path ? [path, copy] : [copy, path];
    const word = other.includes(' ') ? `'${other}'` : other;
    expect(waiting).toMatchObject({ path: other, command: `stet review accept ${word}` });
    expect(waiting?.message).toContain(`the id ${id} is also in ${used}.`);
    const before = memory.read(used);

    const settled = await memory.app.settleReview(other, 'accept');
    expect(settled).toMatchObject({ id: other, verdict: 'accept', commit: { status: 'committed' } });
    expect(await quarantined(memory)).toEqual([]);
    expect(await idsIn(memory)).toEqual(['h7wq2c9d', id]);
    expect(memory.read(used)).toBe(before);
    expect(memory.exists(other)).toBe(false);
    expect(memory.read(other.replace(id, 'h7wq2c9d'))).toContain('id: "h7wq2c9d"');
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(memory.git('log', '-1', '--format=%s %(trailers:key=Stet-Item,valueonly)')).toContain('h7wq2c9d');
    await expect(memory.app.settleReview(other, 'accept')).rejects.toMatchObject({ failure: { code: 'not-possible' } });
  });

  it('become one, when the other is rejected; git keeps its text', async () => {
    await using memory = await InProcessMemory.make();
    const { id, waiting } = await twice(memory);
    const path = waiting?.path ?? '';
    const text = memory.read(path);
    expect(await memory.app.settleReview(memory.path(path), 'reject')).toMatchObject({
      commit: { status: 'committed' },
    });
    expect(await quarantined(memory)).toEqual([]);
    expect(await idsIn(memory)).toEqual([id]);
    expect(memory.git('show', `HEAD~1:${path}`)).toBe(text);
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(memory.git('ls-files', path)).toBe('');
  });

  it('are left alone while the one to go is not committed as it is', async () => {
    await using memory = await InProcessMemory.make();
    const { waiting } = await twice(memory);
    const path = waiting?.path ?? '';
    await memory.edit(path, `${memory.read(path)}And they take ten minutes.\n`);
    await expect(memory.app.settleReview(path, 'reject')).rejects.toThrow(/not committed as it is now/);
    expect(memory.read(path)).toContain('ten minutes');
  });

  it('in two spaces are two items, or one, as the user says', async () => {
    await using memory = await InProcessMemory.make({ newId: ids('k3v9q2m7', 'h7wq2c9d') });
    await memory.space('acme');
    await memory.space('globex');
    const { id, path } = await keep(memory, 'Deploys are on Friday.', 'acme');
    const other = path.replace('spaces/acme/', 'spaces/globex/');
    await commitFile(memory, other, memory.read(path).replace('space: acme', 'space: globex'));
    const waiting = await quarantined(memory);
    expect(waiting.map(({ command }) => command)).toContain(`stet review accept ${other}`);
    await memory.app.settleReview(other, 'accept');
    expect(await quarantined(memory)).toEqual([]);
    expect(await idsIn(memory)).toHaveLength(2);
    expect((await memory.app.locate(id))?.path).toBe(path);
    await memory.idle();
    const third = path.replace('spaces/acme/', 'spaces/globex/').replace('deploys', 'more-deploys');
    await commitFile(memory, third, memory.read(path).replace('space: acme', 'space: globex'));
    await memory.app.settleReview(third, 'reject');
    const trailers = memory.git('log', '-3', '--format=%s|%(trailers:only,unfold,separator=%x2C)').split('\n');
    expect([trailers[2], trailers[0]]).toEqual([
      expect.stringMatching(/^review: accept .*\|Stet-Agent: user,Stet-Space: globex,Stet-Item: (?!k3v9q2m7)/),
      expect.stringMatching(/^review: reject .*\|Stet-Agent: user,Stet-Space: globex,Stet-Item: k3v9q2m7$/),
    ]);
  });

  it('are not made two while the one that nobody committed holds a secret', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    await memory.space('globex');
    const { path } = await keep(memory, 'Deploys are on Friday.', 'acme');
    const other = path.replace('spaces/acme/', 'spaces/globex/');
    const incomplete = memory
      .read(path)
      .replace('space: acme', 'space: globex')
      .replace(/^created: .*\n/m, '');
    const text = `${incomplete}The token is ghp_${'a1B2c3D4e5F6'.repeat(3)}\n`;
    await memory.edit(other, text);
    const head = memory.git('rev-parse', 'HEAD');
    const line = text.split('\n').findIndex((each) => each.includes('ghp_')) + 1;
    await expect(memory.app.settleReview(other, 'accept')).rejects.toMatchObject({
      failure: {
        code: 'not-possible',
        subject: other,
        reason: expect.stringMatching(new RegExp(`^line ${line} looks like a secret \\(GitHub `)) as string,
      },
    });
    expect(memory.git('rev-parse', 'HEAD')).toBe(head);
    expect(memory.read(other)).toBe(text);
    expect(memory.git('status', '--porcelain', '-uall')).toBe(`?? ${other}\n`);
  });

  it('are asked for by the path of one that is not used, and by nothing else', async () => {
    await using memory = await InProcessMemory.make();
    const { id, path, copy, waiting } = await twice(memory);
    const used = waiting?.path === path ? copy : path;
    for (const given of [used, 'personal/none.md', '../outside.md', 'spaces.yaml']) {
      await expect(memory.app.settleReview(given, 'reject')).rejects.toMatchObject({
        failure: { code: 'not-possible', subject: given },
      });
    }
    expect(await idsIn(memory)).toEqual([id]);
  });
});

describe('a broken file without an id in its name', () => {
  const BROKEN = '---\nkind: [\n---\nTea is at four.\n';

  it('is repaired by `stet edit` with its path, and checked before it is saved', async () => {
    await using memory = await InProcessMemory.make();
    await commitFile(memory, 'personal/tea.md', BROKEN);
    expect(await quarantined(memory)).toMatchObject([
      { path: 'personal/tea.md', command: 'stet edit personal/tea.md' },
    ]);
    const before = await memory.app.editableFile('personal/tea.md');
    expect(before).toMatchObject({ id: null, path: 'personal/tea.md' });
    expect(before.problems).toHaveLength(1);
    expect(await memory.app.saveEdit(before, Buffer.from(`${BROKEN}!`))).toMatchObject({ status: 'invalid' });
    expect(memory.read('personal/tea.md')).toBe(BROKEN);

    const saved = await memory.app.saveEdit(before, Buffer.from('Tea is at four.\n'));
    expect(saved).toMatchObject({ status: 'saved', path: 'personal/tea.md', commit: { status: 'committed' } });
    expect(await quarantined(memory)).toEqual([]);
    expect(await idsIn(memory)).toEqual([saved.status === 'saved' ? saved.id : '']);
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  it('takes no id that another file or a forgotten item has', async () => {
    await using memory = await InProcessMemory.make();
    const { id, path } = await keep(memory, 'Standups are at nine.');
    const gone = await keep(memory, 'Deploys are on Friday.');
    await memory.app.forget(await memory.app.userSession({ item: gone.id }), gone.id);
    await commitFile(memory, 'personal/tea.md', BROKEN);
    const before = await memory.app.editableFile('personal/tea.md');
    for (const [taken, owner] of [
      [id, path],
      [gone.id, 'a forgotten item'],
    ] as const) {
      const text = Buffer.from(`---\nid: "${taken}"\n---\nTea is at four.\n`);
      expect(await memory.app.saveEdit(before, text)).toMatchObject({
        status: 'invalid',
        problems: [{ message: expect.stringContaining(`The id ${taken} is that of ${owner}`) as string }],
      });
    }
  });

  it('keeps the id that its last good version had', async () => {
    await using memory = await InProcessMemory.make();
    await commitFile(memory, 'personal/tea.md', '---\nid: "k3v9q2m7"\n---\nTea is at four.\n');
    await memory.edit('personal/tea.md', BROKEN);
    const before = await memory.app.editableFile('personal/tea.md');
    expect(before.id).toBe('k3v9q2m7');
    expect(await memory.app.saveEdit(before, Buffer.from('Tea is at five.\n'))).toMatchObject({ id: 'k3v9q2m7' });
  });

  it('is not looked for outside of the memory, nor where no item can be', async () => {
    await using memory = await InProcessMemory.make();
    for (const given of ['../outside.md', 'spaces.yaml', '.git/config', 'personal/none.md', 'nothing']) {
      await expect(memory.app.editableFile(given)).rejects.toMatchObject({
        failure: { code: 'not-possible', subject: given },
      });
    }
  });

  it.skipIf(process.platform === 'win32')('is shown, opened and edited from the command line', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('machine.yaml', 'embedder: none\n');
    await memory.write('personal/my tea.md', BROKEN);
    const command = "stet edit 'personal/my tea.md'";
    expect(await memory.json('review')).toMatchObject([{ kind: 'quarantined', path: 'personal/my tea.md', command }]);
    expect((await memory.stet('review')).stdout).toContain(`personal/my tea.md:3 (${command}): `);
    const opened = await memory.stet('open', 'personal/my tea.md', '--print');
    expect(opened.stdout).toBe(`${memory.path('personal/my tea.md')}\n`);
    await memory.write('../editor', '#!/bin/sh\nprintf "Tea is at four.\\n" > "$1"\n');
    await chmod(memory.path('../editor'), 0o755);
    const env = { EDITOR: `'${memory.path('../editor')}'`, VISUAL: '' };
    const edited = await memory.stetWith({ env }, 'edit', memory.path('personal/my tea.md'), '--json');
    expect(JSON.parse(edited.stdout)).toMatchObject({ status: 'saved', path: 'personal/my tea.md' });
    expect(await memory.json('review')).toEqual([]);
  });
});

describe('what no editor can be given', () => {
  /** What `stet open` is to show of the one file in quarantine, which the command names. */
  async function shown(memory: InProcessMemory, path: string): Promise<string> {
    const [waiting, ...others] = await quarantined(memory);
    expect(others).toEqual([]);
    expect(waiting).toMatchObject({ path, command: `stet open ${path}` });
    const found = (await memory.app.diagnose({ history: false })).filter(({ area }) => area === 'quarantine');
    expect(found).toMatchObject([{ fix: `\`stet open ${path}\`.` }]);
    return memory.app.placeOnDisk(path);
  }

  it('is shown on the desktop: a folder, in the folder that it is in', async () => {
    await using memory = await InProcessMemory.make();
    const path = 'personal/tea.md';
    await mkdir(memory.path(path), { recursive: true });
    await (await memory.repository()).exclusive(async (transaction) => transaction.noteChanged([path]));
    expect(await shown(memory, path)).toBe(memory.path('personal'));
  });

  it.skipIf(process.platform === 'win32')('is shown on the desktop: a link, and never what it leads to', async () => {
    await using memory = await InProcessMemory.make();
    const { id, path } = await keep(memory, 'Tea is at four.');
    await rename(memory.path(path), join(memory.folder, 'elsewhere.md'));
    await symlink(join(memory.folder, 'elsewhere.md'), memory.path(path));
    expect(await shown(memory, path)).toBe(dirname(memory.path(path)));
    expect(await memory.app.placeOnDisk(id)).toBe(dirname(memory.path(path)));
    await expect(memory.app.editableFile(id)).rejects.toThrow(`${path}: it is no ordinary file`);
  });

  it('is shown on the desktop: a file of more than 1 MB, also one that is named for a forgotten item', async () => {
    await using memory = await InProcessMemory.make();
    const { id, path } = await keep(memory, 'Tea is at four.');
    await memory.app.forget(await memory.app.userSession({ item: id }), id);
    await memory.edit(path, 'Tea is at four.\n'.repeat(70_000));
    expect(await shown(memory, path)).toBe(memory.path(path));
    await expect(memory.app.editableFile(path)).rejects.toThrow(`${path}: it is larger than 1 MB`);
  });

  it('is shown on the desktop: a broken tombstone that no commit has as it should be', async () => {
    await using memory = await InProcessMemory.make();
    const path = 'forgotten/k3v9q2m7.yaml';
    await memory.edit(path, 'id: [\n');
    expect(await shown(memory, path)).toBe(memory.path(path));
    await commitFile(memory, path, 'id: k3v9q2m7\n');
    const waiting = await quarantined(memory);
    expect(new Set(waiting.map(({ command }) => command))).toEqual(new Set([`stet open ${path}`]));
    await expect(memory.app.placeOnDisk('forgotten/b2n8r4ts.yaml')).rejects.toThrow('no file of an item at this path');
  });
});

function ids(...given: string[]): () => string {
  const left = [...given];
  return () => left.shift() ?? 'none';
}
