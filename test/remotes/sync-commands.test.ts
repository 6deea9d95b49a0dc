// Two machines that sync through a server, by the commands that a user types: the built command line, real servers on
// loopback. What the transport does by itself is tested beside this.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, TemporaryMemory, type Outcome } from '../temporary-memory.ts';
import { HttpGitServer } from './http-git-server.ts';
import { SshServer, WHY_NO_SSHD } from './ssh-server.ts';

const TOKEN = 'hunter2-is-no-token';

type Environment = Readonly<Record<string, string>>;

/** One machine: a memory of its own, and the environment that its user has set. */
class Machine {
  readonly root: string;
  readonly #memory: TemporaryMemory;
  readonly #env: Environment;

  constructor(memory: TemporaryMemory, name: string, env: Environment) {
    this.root = join(memory.folder, name);
    this.#memory = memory;
    this.#env = env;
  }

  /** Whatever its exit code. */
  try(...args: readonly string[]): Promise<Outcome> {
    return this.#memory.stetWith({ env: { ...this.#env, STET_HOME: this.root } }, ...args);
  }

  /** What it printed; throws when it failed. */
  async stet(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(...args);
    if (code !== 0) throw new Error(`stet ${args.join(' ')}: ${stderr}${stdout}`);
    return `${stdout}${stderr}`;
  }

  /** From now on no model is loaded: this is about what goes over the wire. */
  wordsOnly(): Promise<void> {
    return writeFile(join(this.root, 'machine.yaml'), 'embedder: none\n');
  }

  async texts(): Promise<readonly string[]> {
    const listed = JSON.parse(await this.stet('list', '--json')) as ReadonlyArray<{ text: string }>;
    return listed.map(({ text }) => text).sort();
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', ['-C', this.root, ...args], { encoding: 'utf8' }).trim();
  }
}

/** A folder with an empty bare repository, `stet.git`, and nothing else. */
async function makeRemote(memory: TemporaryMemory): Promise<{ readonly folder: string; readonly bare: string }> {
  const folder = join(memory.folder, 'remotes');
  const bare = join(folder, 'stet.git');
  await mkdir(folder);
  await run('git', ['init', '-q', '--bare', '--initial-branch=main', bare]);
  return { folder, bare };
}

/** The whole way of a memory to a second machine and back. Everything that was said on the way. */
async function goRound(here: Machine, there: Machine, url: string): Promise<string> {
  const said = [await here.stet('init', here.root)];
  await here.wordsOnly();
  said.push(
    await here.stet('remote', 'set', url),
    await here.stet('remember', 'Tea is at four.'),
    await here.stet('sync'),
    await there.stet('clone', url, there.root),
  );
  await there.wordsOnly();
  said.push(
    await there.stet('remember', 'Coffee is at ten.'),
    await here.stet('remember', 'Lunch is at noon.'),
    await there.stet('sync'),
    await here.stet('sync'),
    await there.stet('sync'),
    await here.stet('status'),
  );
  for (const machine of [here, there]) {
    expect(await machine.texts()).toEqual(['Coffee is at ten.', 'Lunch is at noon.', 'Tea is at four.']);
    expect(machine.git('status', '--porcelain')).toBe('');
    expect(machine.git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
  }
  expect(here.git('rev-parse', 'HEAD')).toBe(there.git('rev-parse', 'HEAD'));
  return said.join('\n');
}

const hasBackend = existsSync(
  join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend'),
);

describe.skipIf(!hasBackend)(
  `stet sync over HTTP${hasBackend ? '' : ' (not run: git http-backend is not installed)'}`,
  () => {
    test.each([
      { by: 'the git program', env: {} },
      { by: 'stet itself, where there is no git', env: { PATH: join('/', 'nowhere') } },
    ])('goes round by $by, with a token of the environment that is told nowhere', async ({ env }) => {
      await using memory = new TemporaryMemory();
      const { folder, bare } = await makeRemote(memory);
      await using server = await HttpGitServer.start({
        root: folder,
        credentials: { user: 'x-access-token', password: TOKEN },
      });
      const withToken = { ...env, STET_GIT_TOKEN: TOKEN };
      const [here, there] = [new Machine(memory, 'here', withToken), new Machine(memory, 'there', withToken)];
      const said = await goRound(here, there, server.url('stet.git'));
      expect(execFileSync('git', ['-C', bare, 'rev-parse', 'main'], { encoding: 'utf8' }).trim()).toBe(
        here.git('rev-parse', 'HEAD'),
      );

      await here.stet('remember', 'Dinner is at eight.');
      const stranger = new Machine(memory, 'here', { ...env, STET_GIT_TOKEN: `${TOKEN}-wrong` });
      const refused = await stranger.try('sync');
      expect(refused.code).toBe(1);
      expect(`${refused.stdout}${refused.stderr}`).toContain('STET_GIT_TOKEN');
      expect(await here.stet('sync')).toContain('sent 1 commit');
      expect(`${said}${refused.stdout}${refused.stderr}`).not.toContain(TOKEN);
      for (const { root } of [here, there, { root: bare }]) {
        const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
        expect(files.length).toBeGreaterThan(20);
        const telling = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(TOKEN));
        expect(telling).toEqual([]);
      }
    });
  },
);

describe.skipIf(WHY_NO_SSHD !== null)(
  `stet sync over SSH${WHY_NO_SSHD === null ? '' : ` (not run: ${WHY_NO_SSHD})`}`,
  () => {
    test("goes round with the user's own key, and stops before a stranger's", async () => {
      await using memory = new TemporaryMemory();
      const { bare } = await makeRemote(memory);
      await using server = await SshServer.start(join(memory.folder, 'ssh'));
      const as = (command: string) => ({ GIT_SSH_COMMAND: command });
      const [here, there] = [
        new Machine(memory, 'here', as(server.command())),
        new Machine(memory, 'there', as(server.command())),
      ];
      await goRound(here, there, server.url(bare));
      await here.stet('remember', 'Dinner is at eight.');
      const refused = await new Machine(memory, 'here', as(server.command({ key: 'stranger' }))).try('sync');
      expect(refused.code).toBe(1);
      expect(`${refused.stdout}${refused.stderr}`).toContain('ssh-add');
      await here.stet('sync');
      expect(execFileSync('git', ['-C', bare, 'rev-parse', 'main'], { encoding: 'utf8' }).trim()).toBe(
        here.git('rev-parse', 'HEAD'),
      );
    });
  },
);
