// The built server on a disk on which every call takes long. Whatever it waits for, it hears what its client says; and what it
// has acknowledged is there, even if it is killed at once.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ENTRY, TemporaryMemory, until } from './temporary-memory.ts';

const SLOW = new URL('slow-disk.mjs', import.meta.url);
const ITEMS = 60;

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: ReadonlyArray<{ readonly text: string }> };
}

class SlowServer implements Disposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** Of all answers so far, in the order in which they came. */
  readonly messages: Message[] = [];
  log = '';

  constructor(memory: TemporaryMemory) {
    const env = {
      ...process.env,
      STET_HOME: memory.root,
      STET_SPACE: '',
      CLAUDE_PROJECT_DIR: '',
      STET_SLOW: memory.root,
      STET_SLOW_MS: '4',
    };
    this.child = spawn(process.execPath, ['--import', SLOW.href, ENTRY, 'mcp'], { cwd: memory.folder, env });
    let rest = '';
    this.child.stdout.setEncoding('utf8').on('data', (data: string) => {
      const lines = (rest + data).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line) as Message);
    });
    this.child.stderr.setEncoding('utf8').on('data', (data: string) => void (this.log += data));
    this.child.stdin.on('error', () => undefined);
  }

  send(message: Record<string, unknown>): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  call(id: number, name: string, given: Record<string, unknown>): void {
    this.send({ id, method: 'tools/call', params: { name, arguments: given } });
  }

  async answer(id: number): Promise<string> {
    const find = () => Promise.resolve(this.messages.find((message) => message.id === id));
    const message = await until(find, (seen) => seen !== undefined, 60_000);
    return message?.result?.content?.map((part) => part.text).join('\n') ?? '';
  }

  /** Ids of all answers so far. */
  get answered(): readonly number[] {
    return this.messages.flatMap(({ id }) => (id === undefined ? [] : [id]));
  }

  [Symbol.dispose](): void {
    this.child.kill('SIGKILL');
  }
}

async function makeMemory(): Promise<TemporaryMemory> {
  const memory = await TemporaryMemory.make();
  await memory.write('machine.yaml', 'folders: {}\nembedder: none\n');
  for (let n = 0; n < ITEMS; n++) {
    const id = `k${String(n).padStart(7, '0')}`;
    const head = `id: "${id}"\nkind: fact\nsource: user\ncreated: "2026-01-01T00:00:00Z"`;
    await memory.write(`personal/2026-01/item.${id}.md`, `---\n${head}\n---\nShelf ${n} holds boxes.\n`);
  }
  await memory.git('add', '-A');
  await memory.git('commit', '-qm', 'items');
  return memory;
}

it('hears its client while it reads, and loses nothing that it has acknowledged', async () => {
  await using memory = await makeMemory();
  using server = new SlowServer(memory);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } };
  server.send({ id: 1, method: 'initialize', params });
  await server.answer(1);
  server.send({ method: 'notifications/initialized' });

  server.call(2, 'recall', { question: 'Which shelf holds boxes?' });
  server.call(3, 'recall', { question: 'Is anybody there?' });
  const words = ['amber', 'birch', 'cedar', 'delta'];
  for (const [at, word] of words.entries()) {
    server.call(10 + at, 'remember', { text: `The meeting room on floor ${at} is called ${word}.`, keep_both: true });
  }
  await until(
    () => Promise.resolve(server.log),
    (log) => log.includes('slow: an item is read'),
    30_000,
  );
  server.send({ method: 'notifications/cancelled', params: { requestId: 3, reason: 'the user pressed Escape' } });
  server.send({ id: 4, method: 'ping' });
  server.send({ id: 5, method: 'tools/list' });
  await server.answer(5);
  expect(server.answered).toEqual([1, 4, 5]);

  expect(await server.answer(2)).toContain('boxes');
  for (const at of words.keys()) expect(await server.answer(10 + at)).toContain('Saved');
  server.child.kill('SIGKILL');
  await once(server.child, 'close');
  expect(server.answered).not.toContain(3);

  await memory.git('fsck', '--strict');
  const kept = await Promise.all((await memory.items()).map((path) => memory.read(path)));
  for (const word of words) expect(kept.filter((text) => text.includes(` is called ${word}.`))).toHaveLength(1);
  // The next process brings into git what the killed one could not.
  await memory.json('status');
  expect(await memory.git('log', '--format=%s')).toContain('remember: The meeting room on floor 3 is called delta.');
  expect(await memory.git('status', '--porcelain')).toBe('');
});
