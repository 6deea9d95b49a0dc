// A memory in a throw-away folder, driven in this process: the real service, files and git, and the real MCP server over
// linked transports. The clock and, where a test asks, the ids are the test's own. `await using` cleans up.

import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, vi } from 'vitest';
import { initMemory, openApp, type App, type AppOptions, type Session } from '../src/app.ts';
import { createServer } from '../src/mcp/server.ts';
import { openRepository } from '../src/repo/open-repository.ts';
import type { GitRepository } from '../src/repo/repository.ts';

export interface InProcessOptions {
  readonly embedder?: NonNullable<AppOptions['embedder']>;
  readonly newId?: () => string;
  /** A memory to start from, instead of an empty one. Nobody has it open. */
  readonly copyOf?: string;
  /** Where its folder is made; the system's folder for temporary files unless given. */
  readonly under?: string;
}

export interface ConnectOptions {
  /** What the client calls itself; nothing when null. */
  readonly name?: string | null;
  /** As `--space`. */
  readonly space?: string;
  /** As `--project`; a folder of no space unless given. */
  readonly project?: string;
  readonly app?: App;
}

/** What a client receives, but for what the transport adds. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Made once a test file: every memory starts as a copy of it. */
let template: Promise<string> | null = null;

async function makeTemplate(): Promise<string> {
  const root = join(mkdtempSync(join(tmpdir(), 'stet-template-')), 'memory');
  await initMemory(root);
  return root;
}

afterAll(async () => {
  if (template !== null) await rm(dirname(await template), { recursive: true, force: true, maxRetries: 5 });
});

export class InProcessMemory {
  /** Everything of this test; the memory is `root` inside. */
  readonly folder: string;
  readonly root: string;
  /** What the memory takes for the present. */
  now = new Date('2026-09-15T10:31:04Z');
  readonly #options: InProcessOptions;
  readonly #apps: App[] = [];
  readonly #clients: Client[] = [];
  #repository: GitRepository | null = null;

  private constructor(options: InProcessOptions) {
    this.#options = options;
    this.folder = realpathSync(mkdtempSync(join(options.under ?? tmpdir(), 'stet-test-')));
    this.root = join(this.folder, 'memory');
  }

  static async make(options: InProcessOptions = {}): Promise<InProcessMemory> {
    const memory = new InProcessMemory(options);
    template ??= makeTemplate();
    cpSync(options.copyOf ?? (await template), memory.root, { recursive: true });
    await memory.open();
    return memory;
  }

  /** The first app on the memory. */
  get app(): App {
    const [app] = this.#apps;
    if (!app) throw new Error('the memory is closed');
    return app;
  }

  /** One more app on the same memory, as another process would have it. Words only unless the test has a model. */
  async open(more: Partial<AppOptions> = {}): Promise<App> {
    const { embedder = 'none', newId } = this.#options;
    const app = await openApp({
      memory: this.root,
      now: () => this.now,
      embedder,
      ...(newId === undefined ? {} : { newId }),
      ...more,
    });
    this.#apps.push(app);
    return app;
  }

  /** The repository as another process of stet has it. */
  async repository(): Promise<GitRepository> {
    this.#repository ??= await openRepository(this.root);
    return this.#repository;
  }

  path(relative: string): string {
    return join(this.root, relative);
  }

  exists(relative: string): boolean {
    return existsSync(this.path(relative));
  }

  read(relative: string): string {
    return readFileSync(this.path(relative), 'utf8');
  }

  /** Paths of all items, sorted. */
  items(): readonly string[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /^(personal|spaces)\/.*\.md$/.test(path))
      .sort();
  }

  /** Writes (or with null deletes) a file as an editor would, and tells the apps as a watcher would. */
  async edit(relative: string, text: string | null): Promise<void> {
    if (text === null) await rm(this.path(relative), { force: true });
    else {
      mkdirSync(dirname(this.path(relative)), { recursive: true });
      await writeFile(this.path(relative), text);
    }
    if (relative.startsWith('.git/')) return;
    const repository = await this.repository();
    await repository.exclusive(async (transaction) => transaction.noteChanged([relative]));
  }

  /** What the git program says. */
  git(...args: readonly string[]): string {
    return this.gitWith('', ...args);
  }

  /** The same, with an input. */
  gitWith(input: string, ...args: readonly string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'gc.auto=0'];
    return execFileSync('git', [...identity, '-C', this.root, ...args], { encoding: 'utf8', input });
  }

  /** Waits until stet has let go of git's index, which it holds for some milliseconds after a commit. */
  async idle(): Promise<void> {
    await vi.waitUntil(() => !this.exists('.git/index.lock'), { timeout: 20_000, interval: 5 });
  }

  /** A folder beside the memory, as a project of the user. */
  project(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** A space with a project folder of its own name. */
  async space(name: string): Promise<string> {
    const folder = this.project(name);
    await this.app.addSpace({ name, folder });
    return folder;
  }

  /** The session of an agent in a space, or without one. */
  session(space: string | null, client = 'Claude Code'): Promise<Session> {
    return this.app.session({
      client,
      named: space === null ? null : { by: '--space', space },
      folders: [],
    });
  }

  /** A real client on the real server, linked in this process. */
  async connect(options: ConnectOptions = {}): Promise<InProcessAgent> {
    const app = options.app ?? this.app;
    const { name = 'Claude Code', space, project } = options;
    const server = createServer({
      version: '0.0.0',
      open: () => Promise.resolve(app),
      named: space === undefined ? null : { by: '--space', space },
      project: project ?? this.project('elsewhere'),
      inFlight: new Set(),
    });
    const client = new Client({ name: name ?? '', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    this.#clients.push(client);
    return new InProcessAgent(client);
  }

  /** Ends all clients and apps; the files stay. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    await Promise.all(this.#apps.splice(0).map((app) => app.close()));
    await this.#repository?.close();
    this.#repository = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One connected client. */
export class InProcessAgent {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** The result as it comes, `_meta` and all. */
  raw(name: string, given: Record<string, unknown>): ReturnType<Client['callTool']> {
    return this.client.callTool({ name, arguments: given });
  }

  async call(name: string, given: Record<string, unknown>): Promise<Answer> {
    const result = await this.raw(name, given);
    const { _meta: meta = {} } = result;
    const parts = result.content as ReadonlyArray<{ type: string; text?: string }>;
    return {
      text: parts.map((part) => part.text ?? '').join('\n'),
      isError: result.isError === true,
      meta,
    };
  }

  async recall(question: string): Promise<string> {
    return (await this.call('recall', { question })).text;
  }

  remember(text: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.call('remember', { text, ...more });
  }

  /** Remembers what must be stored, and gives back its id. */
  async keep(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const { text: said, meta } = await this.remember(text, more);
    if (meta['status'] !== 'stored') throw new Error(`not stored: ${said}`);
    return String(meta['id']);
  }
}

/** An answer with its random nonce made fixed. */
export function withoutNonce(text: string): string {
  return text.replaceAll(/^=== [0-9a-f]{8} /gm, '=== nonce ');
}
