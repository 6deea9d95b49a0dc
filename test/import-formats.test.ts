import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { claudeProjectName } from '../src/memory/import/claude-memory.ts';
import { TemporaryMemory, type Outcome } from './temporary-memory.ts';

interface Summary {
  imported: number;
  unchanged: number;
  skipped: Array<{ path: string; reason: string }>;
  commit: string | null;
  dry_run?: boolean;
  items?: Array<{ id: string; kind: string; space: string | null; source: string; text: string; from: string }>;
}

const FIXTURES = fileURLToPath(new URL('fixtures/import', import.meta.url));

/** A memory with the folder of a test as home folder, so that nothing of the real one is read. */
class Imports {
  readonly memory: TemporaryMemory;

  private constructor(memory: TemporaryMemory) {
    this.memory = memory;
  }

  static async make(): Promise<Imports> {
    return new Imports(await TemporaryMemory.make());
  }

  run(...args: string[]): Promise<Outcome> {
    return this.given('', ...args);
  }

  given(input: string, ...args: string[]): Promise<Outcome> {
    const env = { HOME: this.memory.folder, USERPROFILE: this.memory.folder, CLAUDE_CONFIG_DIR: '' };
    return this.memory.stetWith({ env, input }, 'import', ...args);
  }

  async json(...args: string[]): Promise<Summary> {
    const outcome = await this.run(...args, '--json');
    if (outcome.code !== 0) throw new Error(outcome.stderr);
    return JSON.parse(outcome.stdout) as Summary;
  }

  async write(path: string, text: string): Promise<string> {
    const file = join(this.memory.folder, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  /** The text of the item whose path has this word. */
  async item(word: string): Promise<string> {
    const path = (await this.memory.items()).find((each) => each.includes(word));
    return this.memory.read(path ?? `no item has ${word}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.memory[Symbol.asyncDispose]();
  }
}

describe('an import', () => {
  it('shows with --dry-run what it would store, and stores nothing', async () => {
    await using imports = await Imports.make();
    const head = await imports.memory.git('rev-parse', 'HEAD');
    const shown = await imports.run('server-memory', join(FIXTURES, 'server-memory.jsonl'), '--dry-run');
    expect(shown.stdout).toContain('John_Smith: Speaks fluent Spanish');
    expect(shown.stdout).toContain('server-memory.jsonl:1]');
    expect(shown.stdout).toContain('Would import 8, 0 known already, 1 skipped.');
    const {
      items,
      dry_run: dryRun,
      imported,
      commit,
    } = await imports.json('markdown', join(FIXTURES, 'obsidian'), '--dry-run');
    expect({ dryRun, imported, commit }).toEqual({ dryRun: true, imported: 0, commit: null });
    expect(items?.map(({ from }) => from)).toEqual(['Daily/2026-01-05.md', 'Stand-ups.md']);
    expect(await imports.memory.items()).toEqual([]);
    expect(await imports.memory.git('rev-parse', 'HEAD')).toBe(head);
  });

  it('is one commit, and a second run stores nothing again', async () => {
    await using imports = await Imports.make();
    const args = ['server-memory', join(FIXTURES, 'server-memory.jsonl')];
    const first = await imports.json(...args);
    expect(first).toMatchObject({
      imported: 8,
      unchanged: 0,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    });
    expect(await imports.memory.git('log', '-1', '--format=%s')).toBe('import: 8 items from server-memory.jsonl\n');
    expect(await imports.memory.git('status', '--porcelain')).toBe('');
    expect(await imports.json(...args)).toMatchObject({ imported: 0, unchanged: 8, commit: null });
    const recalled = await imports.memory.json<{ facts: Array<{ text: string }> }>('recall', 'who speaks Spanish?');
    expect(recalled.facts[0]?.text).toBe('John_Smith: Speaks fluent Spanish');
  });

  it('keeps who stored it, where it stood and when', async () => {
    await using imports = await Imports.make();
    const list = await imports.write('from/chat gpt.txt', '[2025-03-01] - Prefers tabs over blanks.\n');
    await imports.json('list', list, '--source', 'ChatGPT', '--kind', 'preference');
    const text = await imports.item('prefers-tabs');
    expect(text.replace(/id: "\w{8}"/, 'id: "x"')).toBe(
      '---\nid: "x"\nkind: preference\nsource: ChatGPT\ncreated: "2025-03-01T00:00:00Z"\noriginal_path: "~/from/chat gpt.txt:1"\n---\nPrefers tabs over blanks.\n',
    );
  });

  it('leaves out what was forgotten, what is known, and what holds a secret', async () => {
    await using imports = await Imports.make();
    const key = ['AKIA', 'Q3EGRIZXTVWFQ2PL'].join('');
    const lines = [
      'Likes tea.',
      'Lives in Bern.',
      `The key is aws_access_key_id = ${key}`,
      'Likes  tea',
      'x'.repeat(2_001),
    ];
    const list = await imports.write('list.txt', lines.join('\n'));
    await imports.memory.stet('remember', 'Lives in Bern.');
    const first = await imports.json('list', list);
    expect(first.imported).toBe(1);
    expect(first.skipped.map(({ path }) => path)).toEqual([2, 3, 4, 5].map((line) => `~/list.txt:${line}`));
    const [id = ''] = (await imports.memory.json<Array<{ id: string; text: string }>>('list'))
      .filter(({ text }) => text === 'Likes tea.')
      .map((item) => item.id);
    await imports.memory.stet('forget', id);
    const again = await imports.json('list', list);
    expect(again.imported).toBe(0);
    expect(again.skipped.find(({ path }) => path.endsWith(':1'))?.reason).toBe('it was forgotten before');
    expect((await imports.memory.git('log', '-p', '--all')).includes(key)).toBe(false);
  });

  it('reads a list from stdin', async () => {
    await using imports = await Imports.make();
    const outcome = await imports.given('- Likes tea.\n- Lives in Bern.\n', 'list', '-');
    expect(outcome.stdout).toContain('Imported 2, 0 known already, 0 skipped.');
    expect(await imports.item('likes-tea')).toContain('original_path: stdin:1\n');
  });

  it.each([
    { args: ['list', '/no/such/file'], says: 'there is no file or folder' },
    { args: ['obsidian', '/no/such/folder'], says: 'there is no folder' },
    { args: ['claude-memory', '/no/such/folder'], says: 'there is no file or folder' },
    { args: ['list', '-', '--kind', 'rumour'], says: 'there is no kind "rumour"' },
    { args: ['list', '-', '--space', 'nowhere'], says: 'there is no space "nowhere"' },
  ])('of $args ends with what is wrong', async ({ args, says }) => {
    await using imports = await Imports.make();
    const outcome = await imports.run(...args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(says);
  });
});

describe('a vault', () => {
  it('of Obsidian keeps every byte, with its tags, its day and where it stood', async () => {
    await using imports = await Imports.make();
    const vault = join(imports.memory.folder, 'vault');
    await cp(join(FIXTURES, 'obsidian'), vault, { recursive: true });
    expect(await imports.json('obsidian', vault)).toMatchObject({ imported: 2, skipped: [] });
    const text = await imports.item('stand-ups');
    expect(text).toMatch(
      /^---\naliases: \[daily\]\ntags: \[ ?team, meetings\/daily ?\]\ndate: 2025-11-04\nrating: 5 # mine\nid: /,
    );
    expect(text).toContain('source: obsidian\ncreated: "2025-11-04T00:00:00Z"\n');
    expect(text).toContain('original_path: "~/vault/Stand-ups.md"\n');
    expect(text.endsWith('#meetings/daily\n\n```sh\necho "#nottag"\n```\n')).toBe(true);
    expect((await imports.memory.items()).some((path) => path.startsWith('personal/2025-11/'))).toBe(true);
    expect(await imports.json('obsidian', vault)).toMatchObject({ imported: 0, unchanged: 2 });
  });

  it('of basic-memory becomes its observations, relations and prose', async () => {
    await using imports = await Imports.make();
    const args = ['basic-memory', join(FIXTURES, 'basic-memory')];
    expect(await imports.json(...args)).toMatchObject({ imported: 8, skipped: [] });
    expect(await imports.item('tokens-instead')).toMatch(
      /kind: decision\nsource: basic-memory\ncreated: "2026-03-02T00:00:00Z"\ntags:/,
    );
    expect(await imports.json(...args)).toMatchObject({ imported: 0, unchanged: 8 });
  });
});

describe('what Claude Code has learned', () => {
  it('goes to the space of its project, and nowhere where that is not known', async () => {
    await using imports = await Imports.make();
    const project = await imports.memory.project('acme-shop');
    await imports.memory.stet('space', 'add', 'acme', '--folder', project);
    for (const name of [claudeProjectName(project), '-somewhere-else']) {
      const folder = join(imports.memory.folder, '.claude/projects', name, 'memory');
      await cp(join(FIXTURES, 'claude-memory'), folder, { recursive: true });
    }
    const { imported, skipped } = await imports.json('claude-memory');
    expect(imported).toBe(3);
    const places = skipped.map(({ path }) => path.replace(/^.*\/projects\/[^/]*/, ''));
    expect(places.sort()).toEqual(['/memory', '/memory/MEMORY.md:3', '/memory/MEMORY.md:4']);
    expect((await imports.memory.items()).every((path) => path.startsWith('spaces/acme/'))).toBe(true);
    expect(await imports.item('releases-are-tracked')).toMatch(/kind: pointer\nspace: acme\nsource: Claude Code\n/);
    expect(await imports.json('claude-memory', project)).toMatchObject({ imported: 0, unchanged: 3 });
  });
});

describe('rules', () => {
  it('become instructions of the space whose folder they stand in, once the user agrees', async () => {
    await using imports = await Imports.make();
    const project = await imports.memory.project('acme-shop');
    await imports.memory.stet('space', 'add', 'acme', '--folder', project);
    await imports.write('acme-shop/AGENTS.md', '# AGENTS.md\n\n- Test first.\n');
    await imports.write('acme-shop/.cursor/rules/deep/ts.mdc', '---\nglobs: *.ts\n---\nUse types.\n');
    const refused = await imports.run('rules', project);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--yes');
    expect(await imports.memory.items()).toEqual([]);

    const { items } = await imports.json('rules', project, '--dry-run');
    expect(items?.map(({ kind, space, source, text }) => [kind, space, source, text])).toEqual([
      ['instruction', 'acme', 'AGENTS.md', 'Test first.'],
      ['instruction', 'acme', 'ts.mdc', 'In *.ts: Use types.'],
    ]);
    expect(await imports.json('rules', project, '--yes')).toMatchObject({ imported: 2 });
    const recalled = await imports.memory.json<{ instructions: Array<{ text: string }> }>(
      'recall',
      'anything',
      '--space',
      'acme',
    );
    expect(recalled.instructions.map(({ text }) => text).sort()).toEqual(['In *.ts: Use types.', 'Test first.']);
    expect(await imports.json('rules', project, '--yes')).toMatchObject({ imported: 0, unchanged: 2 });
  });

  it('of a folder without a space go nowhere by themselves; the user’s own are personal', async () => {
    await using imports = await Imports.make();
    await imports.write('other/GEMINI.md', 'Be brief.\n');
    const own = await imports.write('.claude/CLAUDE.md', 'Be kind.\n');
    const folder = join(imports.memory.folder, 'other');
    const { imported, skipped } = await imports.json('rules', folder, own, '--yes');
    expect(imported).toBe(1);
    expect(skipped).toMatchObject([
      { path: '~/other/GEMINI.md', reason: expect.stringContaining('--space') as string },
    ]);
    expect(await imports.item('be-kind')).toContain('kind: instruction\nsource: CLAUDE.md\n');
    expect((await imports.json('rules', folder, '--space', 'personal', '--yes')).imported).toBe(1);
  });

  it.runIf(process.platform !== 'win32')('of two names for one file count once', async () => {
    await using imports = await Imports.make();
    await imports.write('p/AGENTS.md', 'Be brief.\n');
    await symlink('AGENTS.md', join(imports.memory.folder, 'p/CLAUDE.md'));
    const folder = join(imports.memory.folder, 'p');
    const { items, skipped } = await imports.json('rules', folder, '--space', 'personal', '--dry-run');
    expect(items?.map(({ from }) => from)).toEqual(['~/p/AGENTS.md:1']);
    expect(skipped).toEqual([]);
  });
});
