// Two machines and the remote between them: two homes with their own folders, a bare repository. What a machine does runs in
// this process, as another process of stet would do it; `stet` is the built command line.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cloneMemory, initMemory, openApp, type App, type SyncReport } from '../src/app.ts';
import { ENTRY, run, TemporaryMemory, type Outcome } from './temporary-memory.ts';

/** How git starts the built stet, as its merge driver. */
const OWN_COMMAND = { node: process.execPath, entry: ENTRY };

export class Machine {
  readonly root: string;
  readonly #memory: TemporaryMemory;

  constructor(memory: TemporaryMemory, name: string) {
    this.#memory = memory;
    this.root = join(memory.folder, name);
  }

  stet(...args: string[]): Promise<Outcome> {
    return this.#memory.stetWith({ env: { STET_HOME: this.root } }, ...args);
  }

  async json<T>(...args: string[]): Promise<T> {
    const outcome = await this.stet(...args, '--json');
    if (outcome.stdout === '') throw new Error(`stet ${args.join(' ')}: ${outcome.stderr}`);
    return JSON.parse(outcome.stdout) as T;
  }

  /** Words only: no model is loaded. */
  async withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
    const app = await openApp({ memory: this.root, embedder: 'none' });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  }

  sync(request: Parameters<App['sync']>[0] = {}): Promise<SyncReport> {
    return this.withApp((app) => app.sync({ patient: true, ...request }));
  }

  /** `stet sync` in a process of its own, killed after so long. */
  syncKilledAfter(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const env = { ...process.env, STET_HOME: this.root };
      const child = execFile(process.execPath, [ENTRY, 'sync'], { env }, () => resolve());
      setTimeout(() => child.kill('SIGKILL'), ms);
    });
  }

  /** Stores a statement of the user's, and gives its id and path. */
  remember(text: string, ...supersedes: string[]): Promise<{ id: string; path: string }> {
    return this.withApp(async (app) => {
      const session = await app.userSession({ item: supersedes[0] });
      const result = await app.remember(session, { text, supersedes });
      if (result.status !== 'stored') throw new Error(`${text}: ${result.status}`);
      return { id: result.item.id, path: result.path };
    });
  }

  forget(id: string): Promise<unknown> {
    return this.withApp(async (app) => app.forget(await app.userSession({ item: id }), id));
  }

  /** The current items, by their text. */
  list(): Promise<ReadonlyArray<{ id: string; path: string; text: string }>> {
    return this.withApp(async (app) => {
      const listed = await app.list({ outdated: false });
      return listed
        .map(({ item, path }) => ({ id: item.id, path, text: item.text }))
        .sort((a, b) => (a.text < b.text ? -1 : 1));
    });
  }

  async texts(): Promise<readonly string[]> {
    return (await this.list()).map(({ text }) => text);
  }

  async git(...args: string[]): Promise<string> {
    const outcome = await this.gitOutcome(...args);
    if (outcome.code !== 0) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}${outcome.stdout}`);
    return outcome.stdout.trim();
  }

  gitOutcome(...args: string[]): Promise<Outcome> {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=t@example.invalid', '-c', 'gc.auto=0'];
    return run('git', [...identity, '-C', this.root, ...args]);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }

  write(path: string, text: string): Promise<void> {
    return writeFile(join(this.root, path), text);
  }

  /** As an editor would. */
  async replace(path: string, old: string, text: string): Promise<void> {
    await this.write(path, (await this.read(path)).replace(old, text));
  }
}

export interface MachinePair extends AsyncDisposable {
  /** The folder of both, with `here` as its memory. */
  readonly memory: TemporaryMemory;
  readonly remote: string;
  readonly here: Machine;
  readonly there: Machine;
}

/** Two machines in step, and their bare repository. */
export async function machinePair(): Promise<MachinePair> {
  const memory = new TemporaryMemory();
  const remote = join(memory.folder, 'remote.git');
  await run('git', ['init', '-q', '--bare', '--initial-branch=main', remote]);
  const [here, there] = [new Machine(memory, 'memory'), new Machine(memory, 'there')];
  await initMemory(here.root, OWN_COMMAND);
  await here.withApp(async (app) => {
    // Edits of tests are meant to be synced at once.
    await app.changeSetting('commit.quiet', '0s');
    await app.setRemote({ url: remote, folder: memory.folder, join: false });
    expect(await app.sync({})).toMatchObject({ outcome: { status: 'synced' } });
  });
  await cloneMemory({ url: remote, from: memory.folder, folder: there.root, ownCommand: OWN_COMMAND });
  return { memory, remote, here, there, [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose]() };
}

/** Syncs until neither side has anything new, checks that both have the same, and gives the decisions on the way. */
export async function settle({ here, there }: MachinePair): Promise<string[]> {
  const decisions: string[] = [];
  for (const machine of [here, there, here]) {
    const report = await machine.sync();
    expect(report.outcome).toEqual({ status: 'synced' });
    decisions.push(...report.decisions);
  }
  expect(await here.git('rev-parse', 'HEAD')).toBe(await there.git('rev-parse', 'HEAD'));
  for (const machine of [here, there]) {
    expect(await machine.git('status', '--porcelain')).toBe('');
    expect(await machine.git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
  }
  return decisions;
}
