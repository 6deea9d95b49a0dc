// The grammar of the command line: what every command has in common.
import { CommanderError } from 'commander';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS, TASKS } from '../src/cli/commands.ts';
import { JSON_SHAPES, WITHOUT_JSON } from '../src/cli/json-shapes.ts';
import { createProgram } from '../src/cli/program.ts';
import { runCommand } from './command-runner.ts';
import { InProcessMemory } from './in-process-memory.ts';
import { run } from './temporary-memory.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The words of an example, with the quotes that a shell takes away. */
function wordsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
}

/** What commander writes for this command line, and the name of the command that it would run. */
async function parse(argv: readonly string[]): Promise<{ says: string; ran: string | null }> {
  let says = '';
  let ran: string | null = null;
  const program = createProgram({ version: '1.2.3', act: async (spec) => void (ran = spec.name) });
  const output = { writeOut: (text: string) => void (says += text), writeErr: (text: string) => void (says += text) };
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)]) {
    command.configureOutput(output);
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return { says, ran };
}

describe('every command', () => {
  it.each(COMMANDS.map(({ name, example }) => [name, example]))(
    '%s has an example that is one of it',
    async (name, example) => {
      const [program, ...argv] = wordsOf(example.replace(/ >>? \S+$/, ''));
      expect(program).toBe('stet');
      expect((await parse(argv)).ran).toBe(name);
    },
  );

  it.each(COMMANDS.map((spec) => [spec.name, spec] as const))('%s explains itself with --help', async (name, spec) => {
    const { says, ran } = await parse([...name.split(' '), '--help']);
    expect(ran).toBeNull();
    expect(says).toContain(`$ ${spec.example}`);
    for (const flag of ['--json', '--quiet', '--memory <folder>', ...spec.options.map(({ flags }) => flags)]) {
      expect(says).toContain(flag);
    }
  });

  it('says what it prints with --json, and only what there is', () => {
    const names = COMMANDS.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name);
    expect(Object.keys(JSON_SHAPES).sort()).toEqual(names.filter((name) => !WITHOUT_JSON.has(name)).sort());
  });
});

describe('a slip', () => {
  it.each([
    { argv: ['recal', 'x'], says: 'Did you mean recall?' },
    { argv: ['space', 'lst'], says: 'Did you mean list?' },
    { argv: ['import', 'obsidain', '.'], says: 'Did you mean obsidian?' },
    { argv: ['list', '--knd', 'fact'], says: 'Did you mean --kind?' },
    { argv: ['list', '--jsno'], says: 'Did you mean --json?' },
  ])('is answered with what was probably meant: $argv', async ({ argv, says }) => {
    const said = await parse(argv);
    expect(said.says).toContain(says);
    expect(said.ran).toBeNull();
  });
});

it('shows no colour and no escape sequence, whatever the environment asks for', async () => {
  const env = { FORCE_COLOR: '1', CLICOLOR_FORCE: '1' };
  const { stdout } = await run(process.execPath, [join(ROOT, 'dist/cli/main.js'), '--help'], { env });
  expect(stdout).toContain('Usage: stet');
  expect(stdout).not.toContain('\u001b');
});

it('lists the groups of the help from the first steps to the rare ones', async () => {
  const { says } = await parse(['--help']);
  const headings = says.match(/^[A-Z][^\n]*:$/gm) ?? [];
  expect(headings.filter((heading) => heading in TASKS)).toEqual(Object.keys(TASKS));
});

it('has every command in one group of the help, and none that there is not', () => {
  const visible = COMMANDS.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name.split(' ', 1).join());
  expect(Object.values(TASKS).flat().toSorted()).toEqual([...new Set(visible)].toSorted());
});

it('has pages that say what the code says', async () => {
  const outcome = await run(process.execPath, [join(ROOT, 'scripts/docs.mjs'), '--check'], { cwd: ROOT });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
});

describe('--json', () => {
  it('has the fields that docs/cli.md says, for every command that works on a memory', async () => {
    await using memory = await InProcessMemory.make();
    const project = memory.project('acme');
    const seen = new Map<string, unknown>();
    const stet = async (line: string, ...more: string[]) => {
      const argv = [...wordsOf(line), ...more];
      const { json } = await runCommand(memory, [...argv, '--json']);
      const name = COMMANDS.map((spec) => spec.name)
        .filter((each) => `${line} `.startsWith(`${each} `))
        .toSorted((a, b) => b.length - a.length)[0];
      seen.set(name ?? line, json);
      expect({ line, keys: keysOf(json) }).toEqual({ line, keys: expected(name ?? '', argv, json) });
      return json as Record<string, string>;
    };
    writeFileSync(join(project, 'list.txt'), 'The office dog is called Rex.\n');
    writeFileSync(join(project, 'note.md'), 'The office plant is a ficus.\n');
    writeFileSync(join(project, 'AGENTS.md'), '- Use tabs in Makefiles.\n');
    writeFileSync(
      join(project, 'graph.jsonl'),
      '{"type":"entity","name":"Ana","entityType":"person","observations":["Likes tea"]}\n',
    );
    writeFileSync(join(project, 'export.jsonl'), '');

    await stet('space add acme --folder', project);
    const { id = '' } = await stet('remember "Acme signs users in with Okta." --space acme --kind decision');
    const { id: next = '' } = await stet('remember "Acme signs users in with Auth0." --space acme --supersedes', id);
    await stet('recall "How does Acme sign users in?" --space acme --trace');
    await expect.poll(() => memory.app.listDeliveries().length).toBe(1);
    await stet('list --all');
    await stet('show', next);
    await stet('tag', next, '+login');
    await stet('open acme --print');
    await stet('digest');
    await stet('lint');
    await stet('stats');
    await stet('status');
    await stet('doctor');
    await stet('import markdown', project);
    await stet('import obsidian', project);
    await stet('import basic-memory', project);
    await stet('import rules --yes', join(project, 'AGENTS.md'));
    await stet('import server-memory', join(project, 'graph.jsonl'));
    await stet('import list --dry-run', join(project, 'list.txt'));
    await stet('import jsonl', join(project, 'export.jsonl'));
    await stet('export --folder', join(memory.folder, 'copy'));
    await stet('space list');
    await stet('where', project);
    await stet('deny codex acme');
    await stet('allow codex acme');
    await stet('policy list');
    await stet('policy explain codex acme');
    await stet('log --last 3');
    await stet('diff', next);
    await stet('deliveries');
    await stet('why');
    await stet('preview "How does Acme sign users in?" --in', project);
    await stet('review');
    await stet('config');
    await run('git', ['init', '-q', '--bare', join(memory.folder, 'remote.git')]);
    await stet('remote set', join(memory.folder, 'remote.git'));
    await stet('sync');
    await stet('mv', next, 'personal');
    await stet('undo');
    await stet('space rename acme acme-corp');
    await stet('space add empty');
    await stet('space remove empty');
    await stet('forget', next);
    await stet('restore', next);
    await stet('purge', id);
    // Those left work without a memory or on the home folder, and have tests of their own.
    const left = Object.keys(JSON_SHAPES).filter((name) => !seen.has(name));
    expect(left.sort()).toEqual(['clone', 'edit', 'import claude-memory', 'index rebuild', 'init', 'setup']);
  });
});

/** The keys of an object, or of the first element of a list. */
function keysOf(json: unknown): readonly string[] {
  const value: unknown = Array.isArray(json) ? json[0] : json;
  return typeof value === 'object' && value !== null ? Object.keys(value).sort() : [];
}

/** The keys that a shape promises: those that must be there, and those that may be and are. */
function expected(name: string, argv: readonly string[], json: unknown): readonly string[] {
  const shape = JSON_SHAPES[name] ?? '';
  expect({ argv, isList: Array.isArray(json) }).toEqual({ argv, isList: shape.startsWith('[') });
  const present = keysOf(json);
  if (Array.isArray(json) && json.length === 0) return [];
  return outerKeys(shape)
    .filter((key) => !key.endsWith('?') || present.includes(key.slice(0, -1)))
    .map((key) => key.replace(/\?$/, ''))
    .sort();
}

/** The keys of the first object in a shape, without those of the objects in it. */
function outerKeys(shape: string): readonly string[] {
  let depth = 0;
  let outer = '';
  for (const character of shape.slice(shape.indexOf('{'))) {
    if (character === '}' && depth === 1) break;
    if ('}]'.includes(character)) depth -= 1;
    if (depth === 1) outer += character;
    if ('{['.includes(character)) depth += 1;
  }
  return outer.split(',').flatMap((part) => /\w+\??/.exec(part)?.[0] ?? []);
}
