// docs/sync.md: its commands for setting up are run as they stand there, on two machines. Addresses of hosts that are not here
// lead to bare repositories of the test (git's `insteadOf`); the transports themselves are tested in test/remotes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ENTRY, run, TemporaryMemory } from './temporary-memory.ts';

const TEXT = readFileSync(new URL('../docs/sync.md', import.meta.url), 'utf8');
/** A heading of a way to set up, and its commands. */
const WAYS = Array.from(
  TEXT.matchAll(/^### ([^\n]+)\n(?:(?!^#)[\s\S])*?```sh\n([\s\S]*?)```/gm),
  ([, title, block]) => ({
    title: title ?? '',
    lines: (block ?? '').trim().split('\n'),
  }),
);
/** Where each beginning of an address leads to, below the folder of the test. */
const PLACES = { 'git@github.com:ann/': 'hub', '/mnt/nas/': 'nas', 'ann@host:': 'host' };

class Documented {
  readonly memory = new TemporaryMemory();
  readonly #gitConfig = join(this.memory.folder, 'gitconfig');

  constructor() {
    const rules = Object.entries(PLACES).map(([from, to]) => {
      mkdirSync(join(this.memory.folder, to));
      return `[url "${this.#place(to)}/"]\n\tinsteadOf = ${from}\n`;
    });
    writeFileSync(this.#gitConfig, rules.join(''));
  }

  /** The one comment of a line says where it is typed. */
  async type(line: string): Promise<void> {
    const [commands = '', comment = ''] = line.split('#');
    const home = comment.includes('other machine') ? 'there' : 'here';
    for (const command of commands.split('&&')) {
      const { code, stderr } = await this.run(home, command.trim().split(/\s+/));
      if (code !== 0) throw new Error(`${command}: ${stderr}`);
    }
  }

  run(home: 'here' | 'there', [program = '', ...args]: readonly string[]) {
    const folder = join(this.memory.folder, home);
    mkdirSync(folder, { recursive: true });
    const env = {
      HOME: folder,
      USERPROFILE: folder,
      STET_HOME: join(folder, 'stet'),
      GIT_CONFIG_GLOBAL: this.#gitConfig,
    };
    const words = args.map((word) => word.replace(/^~(?=\/)/, folder));
    if (program === 'stet') return run(process.execPath, [ENTRY, ...words], { cwd: folder, env });
    if (program === 'git')
      return run(
        'git',
        words.map((word) => word.replace('/mnt/nas', this.#place('nas'))),
        { env },
      );
    if (program !== 'ssh') throw new Error(`docs/sync.md runs stet, git and ssh, not ${program}`);
    const [, remote = '', ...rest] = words;
    return run(remote, rest, { cwd: this.#place('host') });
  }

  #place(name: string): string {
    return join(this.memory.folder, name).replaceAll('\\', '/');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.memory[Symbol.asyncDispose]();
  }
}

it('shows three ways to set up', () => {
  expect(WAYS.map(({ title }) => title)).toEqual([
    'A private GitHub repository (or GitLab, Codeberg, …)',
    'A folder on a NAS or a stick',
    'A host with SSH and nothing else',
  ]);
});

it.each(WAYS)('sets two machines up as it says: $title', async ({ title, lines }) => {
  expect(lines).toHaveLength(3);
  await using documented = new Documented();
  // What the text asks for before its commands.
  if (title.includes('GitHub'))
    await documented.run('here', ['git', 'init', '-q', '--bare', join(documented.memory.folder, 'hub/stet.git')]);
  await documented.run('here', ['stet', 'init']);
  await documented.run('here', ['stet', 'remember', 'Tea is at four.']);
  for (const line of lines) await documented.type(line);
  expect((await documented.run('there', ['stet', 'list'])).stdout).toContain('Tea is at four.');
});
