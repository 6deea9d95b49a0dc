// A memory in a throw-away folder, driven as a user drives it: the built command line, a real MCP client over stdio,
// the real git. `await using` cleans up.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ENTRY = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a program and gives back what it said, whatever its exit code. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [...args],
      { cwd: options.cwd, env: { ...process.env, ...options.env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number' && error.signal === null) reject(error);
        else resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
      },
    );
    // A program that never reads its input may be gone before the input is closed.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input ?? '');
  });
}

export class TemporaryMemory {
  /** Everything of this test; the memory is `root` inside. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'stet-test-')));
  readonly root = join(this.folder, 'memory');
  readonly #clients: Client[] = [];

  static async make(): Promise<TemporaryMemory> {
    const memory = new TemporaryMemory();
    const made = await memory.stet('init', memory.root);
    if (made.code !== 0) throw new Error(made.stderr);
    return memory;
  }

  async stet(...args: string[]): Promise<Outcome> {
    return this.stetWith({}, ...args);
  }

  async stetWith(options: RunOptions, ...args: string[]): Promise<Outcome> {
    return run(process.execPath, [ENTRY, ...args], {
      cwd: this.folder,
      ...options,
      env: { STET_HOME: this.root, STET_SPACE: '', CLAUDE_PROJECT_DIR: '', ...options.env },
    });
  }

  /** The one JSON value that a command prints; throws when the command failed. */
  async json<T>(...args: string[]): Promise<T> {
    const outcome = await this.stet(...args, '--json');
    if (outcome.code !== 0) throw new Error(`stet ${args.join(' ')}: ${outcome.stderr}`);
    return JSON.parse(outcome.stdout) as T;
  }

  async git(...args: string[]): Promise<string> {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'gc.auto=0'];
    const outcome = await run('git', [...identity, '-C', this.root, ...args]);
    if (outcome.code !== 0) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}`);
    return outcome.stdout;
  }

  path(relative: string): string {
    return join(this.root, relative);
  }

  async read(relative: string): Promise<string> {
    return readFile(this.path(relative), 'utf8');
  }

  async write(relative: string, text: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.path(relative)), { recursive: true });
    await writeFile(this.path(relative), text);
  }

  /** Paths of all items, sorted. */
  async items(): Promise<readonly string[]> {
    const all = await readdir(this.root, { recursive: true });
    return all
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /^(personal|spaces)\/.*\.md$/.test(path))
      .sort();
  }

  /** A folder beside the memory, as a project of the user. */
  async project(name: string): Promise<string> {
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** A real client on a server of its own; closed with the memory. */
  async connect(
    options: { name?: string; args?: readonly string[]; cwd?: string; modern?: boolean } = {},
  ): Promise<Agent> {
    const client = new Client(
      { name: options.name ?? 'Claude Code', version: '1.0.0' },
      options.modern === true ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [ENTRY, 'mcp', ...(options.args ?? [])],
      cwd: options.cwd ?? this.folder,
      env: { ...process.env, STET_HOME: this.root, STET_SPACE: '', CLAUDE_PROJECT_DIR: '' },
      stderr: 'pipe',
    });
    await client.connect(transport);
    this.#clients.push(client);
    return new Agent(client, transport);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One connected client. */
export class Agent {
  readonly client: Client;
  readonly transport: StdioClientTransport;

  constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
  }

  async call(name: string, given: Record<string, unknown>): Promise<{ text: string; isError: boolean; id: string }> {
    const result = await this.client.callTool({ name, arguments: given });
    const { _meta: meta = {} } = result;
    const parts = result.content as ReadonlyArray<{ type: string; text?: string }>;
    return {
      text: parts.map((part) => part.text ?? '').join('\n'),
      isError: result.isError === true,
      id: typeof meta['id'] === 'string' ? meta['id'] : '',
    };
  }

  async recall(question: string): Promise<string> {
    return (await this.call('recall', { question })).text;
  }

  async remember(
    text: string,
    more: Record<string, unknown> = {},
  ): Promise<{ text: string; isError: boolean; id: string }> {
    return this.call('remember', { text, ...more });
  }
}

/**
 * Polls until the condition holds; throws after the deadline, which is there to end a hang, with what it last said. A look
 * that starts a command takes seconds on a busy machine.
 */
export async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean, deadlineMs = 30_000): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > end) throw new Error(`still not so after ${deadlineMs} ms: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
