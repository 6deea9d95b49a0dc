// The built server against clients that misbehave: what they send, how much of it, and how they go.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ENTRY, TemporaryMemory, until } from './temporary-memory.ts';

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: ReadonlyArray<{ readonly text: string }>; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

async function makeMemory(): Promise<TemporaryMemory> {
  const memory = await TemporaryMemory.make();
  await memory.write('machine.yaml', 'embedder: none\n');
  return memory;
}

/** A server whose pipes the test holds itself. */
class RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: Message[] = [];
  #rest = '';

  constructor(memory: TemporaryMemory) {
    const env = { ...process.env, STET_HOME: memory.root, STET_SPACE: '', CLAUDE_PROJECT_DIR: '' };
    this.child = spawn(process.execPath, [ENTRY, 'mcp'], { cwd: memory.folder, env });
    this.child.stdin.on('error', () => undefined);
    this.child.stdout.setEncoding('utf8').on('data', (data: string) => {
      const lines = (this.#rest + data).split('\n');
      this.#rest = lines.pop() ?? '';
      // Throws where stdout holds anything but the protocol.
      for (const line of lines) this.messages.push(JSON.parse(line) as Message);
    });
  }

  send(message: Record<string, unknown>): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  initialize(): Promise<Message> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } };
    this.send({ id: 1, method: 'initialize', params });
    this.send({ method: 'notifications/initialized' });
    return this.answer(1);
  }

  call(id: number, name: string, given: Record<string, unknown>): void {
    this.send({ id, method: 'tools/call', params: { name, arguments: given } });
  }

  answer(id: number): Promise<Message> {
    const look = () => Promise.resolve(this.messages.find((message) => message.id === id));
    return until(look, (seen) => seen !== undefined, 30_000) as Promise<Message>;
  }

  /** Resolves with whether it ended within the time. */
  ended(withinMs: number): Promise<boolean> {
    const look = () => Promise.resolve(this.child.exitCode !== null || this.child.signalCode !== null);
    return until(look, (seen) => seen, withinMs);
  }

  [Symbol.dispose](): void {
    this.child.kill('SIGKILL');
  }
}

const text = (message: Message) => message.result?.content?.map((part) => part.text).join('\n') ?? '';

describe('a server', () => {
  it('answers calls that come at once, each with its own answer, and stores each once', async () => {
    await using memory = await makeMemory();
    using server = new RawServer(memory);
    await server.initialize();
    const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heath'];
    for (const [at, word] of words.entries()) {
      server.call(10 + at, 'remember', { text: `The meeting room on floor ${at} is called ${word}.`, keep_both: true });
    }
    for (const at of words.keys()) expect(text(await server.answer(10 + at))).toContain('Saved');
    for (const [at, word] of words.entries()) server.call(30 + at, 'recall', { question: `Where is ${word}?` });
    for (const [at, word] of words.entries()) expect(text(await server.answer(30 + at))).toContain(`called ${word}`);
    expect(await memory.items()).toHaveLength(words.length);
    expect(await memory.git('status', '--porcelain')).toBe('');
  });

  it('goes on after a call was cancelled, and does not answer that one twice', async () => {
    await using memory = await makeMemory();
    using server = new RawServer(memory);
    await server.initialize();
    server.call(2, 'recall', { question: 'Where are standups held?' });
    server.send({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'changed my mind' } });
    server.send({ method: 'notifications/cancelled', params: { requestId: 99 } });
    server.call(3, 'remember', { text: 'Standups are held in the kitchen.' });
    expect(text(await server.answer(3))).toContain('Saved');
    expect(server.messages.filter(({ id }) => id === 2).length).toBeLessThanOrEqual(1);
  });

  it('outlives garbage, half a message and a line of 10 MB, and puts nothing but the protocol on stdout', async () => {
    await using memory = await makeMemory();
    using server = new RawServer(memory);
    await server.initialize();
    for (const garbage of ['hello', '', '{"jsonrpc":"2.0"', '[]', 'null', '{"id":{}}', '\u0000\u0001\ufffd']) {
      server.child.stdin.write(`${garbage}\n`);
    }
    server.child.stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
    server.call(2, 'remember', { text: 'x'.repeat(10_000_000) });
    server.child.stdin.write(`${'y'.repeat(10_000_000)}\n`);
    server.call(3, 'remember', { text: 'Standups are held in the kitchen.' });
    expect((await server.answer(2)).result?.isError ?? true).toBe(true);
    expect(text(await server.answer(3))).toContain('Saved');
    expect(await memory.items()).toHaveLength(1);
  });

  it('starts twice at once for a client that probes, and both serve', async () => {
    await using memory = await makeMemory();
    using first = new RawServer(memory);
    using second = new RawServer(memory);
    await Promise.all([first.initialize(), second.initialize()]);
    first.call(2, 'remember', { text: 'Standups are held in the kitchen.' });
    expect(text(await first.answer(2))).toContain('Saved');
    second.call(2, 'recall', { question: 'Where are standups held?' });
    expect(text(await second.answer(2))).toContain('kitchen');
    first.child.stdin.end();
    expect(await first.ended(5_000)).toBe(true);
    second.call(3, 'recall', { question: 'Where are standups held?' });
    expect(text(await second.answer(3))).toContain('kitchen');
  });
});

describe.runIf(process.platform !== 'win32')('a client that is killed', () => {
  it('leaves no server behind after five seconds, though somebody else holds its pipes open', async () => {
    await using memory = await makeMemory();
    // The client is a shell whose server inherits pipes that this test keeps open, as a crashed app's helpers do.
    const line = `"${process.execPath}" "${ENTRY}" mcp <&3 & echo $!; wait`;
    const env = { ...process.env, STET_HOME: memory.root };
    const client = spawn('sh', ['-c', line], { env, cwd: memory.folder, stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    let said = '';
    client.stdout?.on('data', (data: Buffer) => void (said += data.toString()));
    const pid = Number(
      await until(
        () => Promise.resolve(/^\d+/.exec(said)?.[0] ?? ''),
        (seen) => seen !== '',
      ),
    );
    const input = client.stdio[3] as NodeJS.WritableStream;
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    await until(
      () => Promise.resolve(said),
      (seen) => seen.includes('"serverInfo"'),
      20_000,
    );
    client.kill('SIGKILL');
    expect(
      await until(
        () => Promise.resolve(isAlive(pid)),
        (alive) => !alive,
        5_000,
      ),
    ).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
