import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryMemory } from './temporary-memory.ts';

interface Remembered {
  status: string;
  id: string;
  path: string;
  commit: string;
  similar: unknown[];
  warnings: string[];
}

interface Recalled {
  agent: string;
  space: string | null;
  instructions: Array<{ id: string; text: string }>;
  facts: Array<{
    id: string;
    text: string;
    score: number;
    space: string | null;
    kind: string;
    source: string;
    created: string;
  }>;
}

describe('the command line', () => {
  it('remembers, recalls, lists, shows and forgets', async () => {
    await using memory = await TemporaryMemory.make();
    const stored = await memory.json<Remembered>(
      'remember',
      'Invoices go out on the last working day.',
      '--kind',
      'preference',
    );
    expect(stored).toMatchObject({ status: 'stored', similar: [], warnings: [] });
    expect(stored.path).toMatch(/^personal\/\d{4}-\d{2}\/invoices-go-out-[a-z-]*\.[a-z][0-9a-z]{7}\.md$/);
    expect(stored.commit).toBe((await memory.git('rev-parse', 'HEAD')).trim());

    const recalled = await memory.json<Recalled>('recall', 'when are invoices sent?');
    expect(recalled).toMatchObject({ agent: 'user', space: null, instructions: [] });
    expect(recalled.facts).toHaveLength(1);
    expect(Object.keys(recalled.facts[0] ?? {})).toEqual(['id', 'kind', 'space', 'source', 'created', 'text', 'score']);
    expect(recalled.facts[0]).toMatchObject({ id: stored.id, kind: 'preference', space: null, source: 'user' });

    expect((await memory.stet('list')).stdout).toContain(stored.id);
    const shown = await memory.json<Record<string, unknown>>('show', stored.id);
    expect(shown).toMatchObject({ id: stored.id, path: stored.path, outdated: null, uncommitted: false, chain: [] });

    expect((await memory.stet('forget', stored.id)).code).toBe(0);
    expect((await memory.json<Recalled>('recall', 'when are invoices sent?')).facts).toEqual([]);
    expect(await memory.items()).toEqual([]);
    expect(await memory.read(`forgotten/${stored.id}.yaml`)).not.toContain('nvoices');
    expect((await memory.stet('forget', stored.id)).code).toBe(1);
  });

  it('takes the statement and the question from stdin for -', async () => {
    await using memory = await TemporaryMemory.make();
    const stored = await memory.stetWith({ input: 'Invoices go out on the last working day.\n' }, 'remember', '-');
    expect(stored).toMatchObject({ code: 0, stderr: '' });
    const asked = await memory.stetWith({ input: 'when are invoices sent?\n' }, 'recall', '-');
    expect(asked.stdout).toContain('Invoices go out on the last working day.');
    expect(await memory.stetWith({ input: '' }, 'remember', '-')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the text is empty') as string,
    });
    expect(await memory.stetWith({ input: 'x'.repeat(1024 * 1024 + 1) }, 'remember', '-')).toMatchObject({
      code: 2,
      stderr: 'stet: -: there is more than 1 MB on stdin. An item is one statement.\n',
    });
    expect(await memory.items()).toHaveLength(1);
  });

  it.each(['', 'relative/home'])('reads and writes nothing below a home folder that is none: "%s"', async (home) => {
    await using memory = await TemporaryMemory.make();
    const options = { env: { HOME: home, USERPROFILE: home, STET_HOME: '' } };
    const before = await readdir(memory.folder);
    for (const args of [['init'], ['setup', 'cursor'], ['setup', 'cursor', '--memory', memory.root]]) {
      const outcome = await memory.stetWith(options, ...args);
      expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(/^stet: HOME: /) as string });
    }
    expect(await readdir(memory.folder)).toEqual(before);
  });

  it('says why nothing was stored, --quiet or not', async () => {
    await using memory = await TemporaryMemory.make();
    const outcome = await memory.stet('remember', 'The release is due tomorrow.', '--quiet');
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('"tomorrow" means') as string });
    const forgotten = await memory.stet('forget', 'zzzzzzzz', '--quiet');
    expect(forgotten).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no item') as string });
  });

  it('prints a file that looks as the format says', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.stet('space', 'add', 'acme');
    const old = await memory.json<Remembered>(
      'remember',
      'Acme signs users in with Okta.',
      '--kind',
      'decision',
      '--space',
      'acme',
    );
    const args = ['--supersedes', old.id, '--tag', 'login', '--as-of', '2026-09-15'];
    const stored = await memory.json<Remembered>('remember', 'Acme signs users in with Auth0.', ...args);
    const created = /created: "(.*)"/.exec(await memory.read(stored.path))?.[1] ?? '';
    expect(await memory.read(stored.path)).toBe(
      `---\nid: "${stored.id}"\nkind: decision\nspace: acme\nsource: user\ncreated: "${created}"\nsupersedes: "${old.id}"\nas_of: 2026-09-15\ntags: login\n---\nAcme signs users in with Auth0.\n`,
    );
    expect(created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const recalled = await memory.json<Recalled>('recall', 'How does Acme sign users in?', '--space', 'acme');
    expect(recalled.facts.map((fact) => fact.id)).toEqual([stored.id]);
    expect((await memory.stet('list', '--all')).stdout).toContain(`superseded by ${stored.id}`);
  });

  it('recalls in a space what is personal and what is the space’s, and nothing of another space', async () => {
    await using memory = await TemporaryMemory.make();
    for (const space of ['acme', 'globex']) await memory.stet('space', 'add', space);
    await memory.stet('remember', 'Acme signs users in with Auth0.', '--space', 'acme');
    await memory.stet('remember', 'Globex signs users in with Clerk.', '--space', 'globex');
    await memory.stet('remember', 'The user signs in with a passkey.');
    const texts = async (...args: string[]) =>
      (await memory.json<Recalled>('recall', 'Who signs users in?', ...args)).facts.map((fact) => fact.text).sort();
    expect(await texts('--space', 'acme')).toEqual([
      'Acme signs users in with Auth0.',
      'The user signs in with a passkey.',
    ]);
    expect(await texts('--space', 'globex')).toEqual([
      'Globex signs users in with Clerk.',
      'The user signs in with a passkey.',
    ]);
    expect(await texts()).toEqual(['The user signs in with a passkey.']);
  });

  it('works in the space of the folder it is called from', async () => {
    await using memory = await TemporaryMemory.make();
    const project = await memory.project('acme-shop');
    await memory.stet('space', 'add', 'acme', '--folder', project);
    const stored = await memory.stetWith({ cwd: project }, 'remember', 'The shop runs on Postgres.', '--json');
    expect((JSON.parse(stored.stdout) as Remembered).path).toMatch(/^spaces\/acme\//);
    expect(await memory.git('status', '--porcelain')).toBe('');
  });

  it('says in status what is quarantined, with file and line, and uses the rest', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('personal/broken.md', '---\nkind: [\n---\nA statement.\n');
    await memory.write('personal/good.md', 'Standups are at nine.\n');
    const status = await memory.stet('status');
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/personal\/broken\.md:\d+: /);
    expect((await memory.json<Recalled>('recall', 'When are standups?')).facts).toHaveLength(1);
  });
});

describe('bad input', () => {
  it.each([
    { args: ['remember', '   '], code: 1, says: 'the text is empty' },
    { args: ['remember', 'x'.repeat(2_001)], code: 1, says: '2001 characters' },
    { args: ['remember', 'A thing.', '--kind', 'rumour'], code: 1, says: 'there is no kind "rumour"' },
    { args: ['remember', 'A thing.', '--space', 'nowhere'], code: 2, says: 'there is no space "nowhere"' },
    { args: ['remember', 'A plan.', '--until', '2026-02-30'], code: 1, says: 'not a day' },
    { args: ['remember', 'A thing.', '--supersedes', 'zzzzzzzz'], code: 1, says: 'there is no item zzzzzzzz' },
    { args: ['forget', 'zzzzzzzz'], code: 1, says: 'there is no item zzzzzzzz' },
    { args: ['show', 'zzzzzzzz'], code: 1, says: 'there is no item zzzzzzzz' },
    { args: ['restore', 'zzzzzzzz'], code: 1, says: 'no item of that id was forgotten' },
    { args: ['log', 'zzzzzzzz'], code: 1, says: 'never had such an item' },
    { args: ['why'], code: 1, says: 'there is no delivery yet' },
    { args: ['deliveries', '--last', 'all'], code: 2, says: '"all" is no count' },
    { args: ['recall', 'x', '--at', 'HEAD', '--policies', 'new'], code: 2, says: 'neither "then" nor "now"' },
    { args: ['recal', 'x'], code: 2, says: 'Did you mean recall?' },
    { args: ['recall', 'x', '--spcae', 'acme'], code: 2, says: 'Did you mean --space?' },
    { args: ['remember', '-5 degrees is cold'], code: 2, says: 'begins with a dash goes after `--`' },
    { args: ['policy', 'explain', 'codex', 'nowhere'], code: 2, says: 'SPACE: there is no space "nowhere"' },
    { args: ['space', 'remove', 'nowhere'], code: 2, says: 'NAME: there is no space "nowhere"' },
    { args: ['log', '--since', 'whenever'], code: 2, says: '--since whenever: it is neither' },
    { args: ['diff', 'zzzzzzzz', '2001-01-01'], code: 1, says: 'never had such an item' },
    { args: ['import', 'list', '.'], code: 2, says: 'is a folder' },
    { args: ['remember'], code: 2, says: "missing required argument 'text'" },
    { args: ['space', 'add', '../x'], code: 2, says: 'letters, digits' },
    { args: ['space', 'add', 'acme', '--folder', '/no/such/folder'], code: 2, says: 'there is no folder' },
    { args: ['where', '/no/such/folder'], code: 2, says: 'FOLDER: there is no folder' },
    { args: ['preview', 'x', '--as', 'codex', '--in', '/no/such/folder'], code: 2, says: '--in: there is no folder' },
    { args: ['import', 'markdown', '/no/such/folder'], code: 2, says: 'there is no folder' },
    { args: ['list', '--kind', 'rumour'], code: 2, says: 'there is no kind "rumour"' },
  ])('answers $args with what is wrong and exit code $code', async ({ args, code, says }) => {
    await using memory = await TemporaryMemory.make();
    const outcome = await memory.stet(...args);
    expect(outcome.stderr).toContain(says);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
    expect(await memory.items()).toEqual([]);
    expect(await memory.git('status', '--porcelain')).toBe('');
  });

  it('names what is missing when the folder is no memory', async () => {
    await using memory = await TemporaryMemory.make();
    const empty = await memory.project('empty');
    const outcome = await memory.stet('list', '--memory', empty);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('is not a memory: it is not a git repository. Run `stet init');
  });

  it.each([
    { name: 'Latin-1', bytes: Buffer.from('Caf\xe9 orders are on Monday.', 'latin1') },
    { name: 'UTF-16', bytes: Buffer.from('﻿Standups are at nine.', 'utf16le') },
    { name: '0 bytes', bytes: Buffer.alloc(0) },
    { name: '5 MB', bytes: Buffer.alloc(5_000_000, 'word ') },
    { name: 'NUL bytes', bytes: Buffer.from('Standups\0are at nine.') },
  ])('quarantines a file of $name, and everything else still works', async ({ bytes }) => {
    await using memory = await TemporaryMemory.make();
    await memory.write('personal/odd.md', bytes);
    const status = await memory.json<{ quarantined: Array<{ path: string; problems: unknown[] }> }>('status');
    expect(status.quarantined).toMatchObject([
      { path: 'personal/odd.md', problems: [{ line: expect.any(Number) as number }] },
    ]);
    expect((await memory.json<Remembered>('remember', 'Standups are at nine.')).status).toBe('stored');
    expect((await memory.json<Recalled>('recall', 'When are standups?')).facts).toHaveLength(1);
  });

  it('names what the system does not let it read, and calls it no bug', async () => {
    await using memory = await TemporaryMemory.make();
    await mkdir(memory.path('.git/stet/pending.json'));
    const { code, stderr } = await memory.stet('status');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^stet: Cannot use .*pending\.json: it is a folder \(EISDIR\)\./);
  });

  it('refuses a secret before anything touches the disk', async () => {
    await using memory = await TemporaryMemory.make();
    const token = ['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_');
    const outcome = await memory.stet('remember', `The deploy token is ${token}.`);
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toContain('looks like a secret');
    expect(outcome.stderr).not.toContain(token);
    expect(await memory.items()).toEqual([]);
  });

  it('stores a statement once', async () => {
    await using memory = await TemporaryMemory.make();
    const first = await memory.json<Remembered>('remember', 'Standups are at nine.');
    const second = await memory.json<Remembered>('remember', 'Standups  are at nine');
    expect(second).toMatchObject({ status: 'identical', id: first.id, path: null });
    expect(await memory.items()).toHaveLength(1);
  });

  it('leaves another file where it was', async () => {
    await using memory = await TemporaryMemory.make();
    await writeFile(join(memory.root, 'todo.txt'), 'mine');
    await memory.stet('remember', 'Standups are at nine.');
    expect(await memory.git('status', '--porcelain')).toBe('?? todo.txt\n');
  });
});
