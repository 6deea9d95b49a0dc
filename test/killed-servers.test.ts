// kill -9 at any moment of whole servers and whole commands: files stay whole, no lock needs a human, and what was
// acknowledged is there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ENTRY, TemporaryMemory, until } from './temporary-memory.ts';
import { amount, randomOf, reportRuns, SEED } from './torture.ts';

const SERVER_KILLS = amount(3, 40);
const COMMAND_KILLS = amount(6, 100);
const MINUTES = amount(3, 40);

/** How long the next writer took, its start included; the longest is reported. */
let longestWaitMs = 0;

async function makeMemory(): Promise<TemporaryMemory> {
  const memory = await TemporaryMemory.make();
  await memory.write('machine.yaml', 'folders: {}\nembedder: none\n');
  await memory.write('stet.yaml', 'version: 1\ncommit:\n  quiet: 100ms\n');
  await memory.git('commit', '-q', '-a', '-m', 'settings');
  return memory;
}

/** Ids of the items in HEAD, after what waits has been committed. */
async function committedIds(memory: TemporaryMemory): Promise<ReadonlySet<string>> {
  const paths = (await memory.git('ls-tree', '-r', '-z', '--name-only', 'HEAD')).split('\0');
  return new Set(paths.flatMap((path) => /\.([a-z0-9]{8})\.md$/.exec(path)?.[1] ?? []));
}

/** No human is needed: the next writer goes on at once, git too, and nothing is torn. */
async function expectSound(memory: TemporaryMemory, round: number): Promise<string> {
  const startedAt = performance.now();
  const made = await memory.json<{ id: string }>('remember', `Round ${round} of the trial went well.`, '--keep-both');
  longestWaitMs = Math.max(longestWaitMs, performance.now() - startedAt);
  await until(
    () => memory.stet('status'),
    ({ code }) => code === 0,
  );
  await memory.git('fsck', '--strict');
  await memory.git('commit', '-q', '--allow-empty', '-m', `by hand ${round}`);
  const status = await memory.json<{ quarantined: unknown[]; waiting: unknown[] }>('status');
  expect(status).toMatchObject({ quarantined: [], waiting: [] });
  return made.id;
}

describe('a server that is killed', () => {
  it(
    'at any moment loses nothing that it had acknowledged',
    async () => {
      const random = randomOf(SEED);
      await using memory = await makeMemory();
      const acknowledged = new Set<string>();
      for (let round = 0; round < SERVER_KILLS; round++) {
        const agent = await memory.connect({ name: `agent-${round}` });
        await agent.recall('What is there?');
        const afterMs = random() * 400;
        const killed = new Promise<void>((resolve) => {
          setTimeout(() => {
            if (agent.transport.pid !== null) process.kill(agent.transport.pid, 'SIGKILL');
            resolve();
          }, afterMs);
        });
        for (let n = 0; ; n++) {
          const stored = await agent
            .remember(`Pump ${round}-${n} has ${Math.floor(random() * 1e6)} hours.`, { keep_both: true })
            .catch(() => null);
          if (stored === null || stored.id === '') break;
          // Killed in the middle of a forgetting, it may be forgotten or not.
          if (n % 3 === 2) await agent.call('forget', { id: stored.id }).catch(() => null);
          else acknowledged.add(stored.id);
        }
        await killed;
        acknowledged.add(await expectSound(memory, round));
        const committed = await committedIds(memory);
        expect([...acknowledged].filter((id) => !committed.has(id))).toEqual([]);
      }
      reportRuns({
        what: `kill -9 of a server that remembers and forgets; the next writer took ${Math.round(longestWaitMs)} ms at most`,
        runs: SERVER_KILLS,
      });
    },
    MINUTES * 60_000,
  );
});

describe('a command that is killed', () => {
  it(
    'at any moment leaves everything whole, and what it had printed as done is done',
    async () => {
      const random = randomOf(SEED + 1);
      await using memory = await makeMemory();
      await memory.stet('space', 'add', 'acme');
      const present = new Set<string>();
      let space = 'acme';
      for (let round = 0; round < COMMAND_KILLS; round++) {
        const [victim = ''] = present;
        const renamed = `acme-${round}`;
        const commands: ReadonlyArray<readonly string[]> = [
          [
            'remember',
            `Valve ${round} opens at ${Math.floor(random() * 1e6)} bar.`,
            '--space',
            space,
            '--keep-both',
            '--json',
          ],
          ['forget', victim === '' ? 'aaaaaaaa' : victim],
          ['undo'],
          ['index', 'rebuild'],
          ['space', 'rename', space, renamed],
          ['config', 'deliveries.keep', `${round + 1}d`],
          ['import', 'markdown', memory.path('.git/hooks')],
        ];
        const command = commands[Math.floor(random() * commands.length)] ?? ['status'];
        const child = spawn(process.execPath, [ENTRY, ...command], {
          cwd: memory.folder,
          env: { ...process.env, STET_HOME: memory.root, STET_SPACE: '', CLAUDE_PROJECT_DIR: '' },
        });
        let output = '';
        child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
        const timer = setTimeout(() => child.kill('SIGKILL'), 150 + random() * 900);
        const [code] = (await once(child, 'close')) as [number | null];
        clearTimeout(timer);
        const isDone = code === 0;
        const id = /"id": "([a-z0-9]{8})"/.exec(output)?.[1];
        if (isDone && id !== undefined) present.add(id);
        present.add(await expectSound(memory, round));
        if (command[0] === 'space' || command[0] === 'undo') {
          const [first] = await memory.json<Array<{ name: string }>>('space', 'list');
          space = first?.name ?? space;
        }
        // What was under way may be done or not, but never half.
        const committed = await committedIds(memory);
        const lost = [...present].filter((each) => !committed.has(each));
        const mayLose = command[0] === 'forget' || command[0] === 'undo' ? 1 : 0;
        expect(lost.length).toBeLessThanOrEqual(mayLose);
        for (const each of lost) present.delete(each);
      }
      reportRuns({
        what: `kill -9 of commands; the next writer took ${Math.round(longestWaitMs)} ms at most`,
        runs: COMMAND_KILLS,
      });
    },
    MINUTES * 60_000,
  );
});
