// Many real servers write one memory, while a shell loop uses git in it and an editor saves.
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { run, TemporaryMemory, until, type Agent } from './temporary-memory.ts';
import { amount, randomOf, reportRuns, SEED } from './torture.ts';

const SERVERS = amount(3, 8);
const REMEMBERS = amount(8, 200);
const MINUTES = amount(2, 60);

/** What git may say when it finds a lock; anything else is damage. */
const BUSY = /Unable to create .*\.lock|index file open failed: Not a directory|cannot lock ref|could not lock/;

interface Acknowledged {
  readonly id: string;
  readonly agent: string;
}

/** Words enough that no two statements are near each other. */
function statementOf(random: () => number, tag: string): string {
  const word = () => Array.from({ length: 6 }, () => 'bcdfghklmnprstvz'[Math.floor(random() * 16)] ?? 'b').join('a');
  return `The ${word()} of ${word()} ${tag} belongs to ${word()} and ${word()}.`;
}

/** What a server that waited for its turn in vain says; the agent does as it is told. */
const TURNED_AWAY = /Nothing was written; try again/;

async function rememberAll(
  agent: Agent,
  name: string,
  seed: number,
): Promise<{ acknowledged: readonly Acknowledged[]; turnedAway: number }> {
  const random = randomOf(seed);
  const acknowledged: Acknowledged[] = [];
  let turnedAway = 0;
  for (let n = 0; n < REMEMBERS; n++) {
    const statement = statementOf(random, `${name}-${n}`);
    let stored = await agent.remember(statement, { keep_both: true });
    for (; stored.isError && TURNED_AWAY.test(stored.text); turnedAway++) {
      stored = await agent.remember(statement, { keep_both: true });
    }
    if (stored.isError || stored.id === '') throw new Error(`${name} ${n}: ${stored.text}`);
    acknowledged.push({ id: stored.id, agent: name });
  }
  return { acknowledged, turnedAway };
}

/** The user's terminal: commits of his own files, gc, status; stops when told. */
async function useGit(memory: TemporaryMemory, isOver: () => boolean): Promise<readonly string[]> {
  const committed: string[] = [];
  const git = async (...args: string[]): Promise<boolean> => {
    const outcome = await run('git', [
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      '-C',
      memory.root,
      ...args,
    ]);
    if (outcome.code !== 0 && !BUSY.test(outcome.stderr)) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}`);
    return outcome.code === 0;
  };
  for (let round = 0; !isOver(); round++) {
    await git('status', '--porcelain');
    await writeFile(memory.path(`todo-${round}.txt`), `To do: ${round}\n`);
    const isCommitted =
      (await git('add', `todo-${round}.txt`)) &&
      (await git('commit', '-q', '-m', `todo ${round}`, '--', `todo-${round}.txt`));
    if (isCommitted) committed.push(`todo-${round}.txt`);
    if (round % 7 === 3) await git('-c', 'gc.auto=1', '-c', 'gc.autoDetach=false', 'gc', '--quiet');
  }
  return committed;
}

const DRAFT_LINES = 200;

/** An editor on one file, which saves all the time; of a long draft the oldest lines go. */
async function editAll(memory: TemporaryMemory, isOver: () => boolean): Promise<string> {
  let text = '';
  for (let round = 0; !isOver(); round++) {
    const now = round === 0 ? 'Draft.\n' : await memory.read('personal/draft.md');
    const start = now.indexOf('Draft.');
    const [first, ...lines] = now.slice(start).trimEnd().split('\n');
    text = `${now.slice(0, start)}${[first, ...lines.slice(-DRAFT_LINES), `Line ${round}.`].join('\n')}\n`;
    await memory.write('personal/draft.md', text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return text.slice(text.indexOf('Draft.'));
}

describe(`${SERVERS} servers that remember ${REMEMBERS} times each, beside git and an editor`, () => {
  it(
    'every acknowledged item is in HEAD once, the commits of the user are intact, and no reader fails',
    async () => {
      await using memory = await TemporaryMemory.make();
      await memory.write('machine.yaml', 'folders: {}\nembedder: none\n');
      await memory.write('stet.yaml', 'version: 1\ncommit:\n  quiet: 200ms\n');
      await memory.git('commit', '-q', '-a', '-m', 'settings');
      const names = Array.from({ length: SERVERS }, (_, n) => `agent-${n}`);
      const agents = await Promise.all(names.map((name) => memory.connect({ name })));
      const reader = await memory.connect({ name: 'reader' });

      let isOver = false;
      const over = () => isOver;
      const terminal = useGit(memory, over);
      const editor = editAll(memory, over);
      const recalls = (async () => {
        let count = 0;
        for (; !over(); count++)
          expect(await reader.recall(`What belongs to agent-${count % SERVERS}?`)).toContain('Space:');
        return count;
      })();
      const all = await Promise.all(agents.map((agent, n) => rememberAll(agent, names[n] ?? '', SEED + n))).finally(
        () => {
          isOver = true;
        },
      );
      const [todos, draft] = await Promise.all([terminal, editor]);
      expect(await recalls).toBeGreaterThan(0);

      const acknowledged = all.flatMap((each) => each.acknowledged);
      const turnedAway = all.reduce((sum, each) => sum + each.turnedAway, 0);
      expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(SERVERS * REMEMBERS);
      await until(
        () => memory.git('status', '--porcelain', '--', 'personal', 'forgotten', ':(glob)*.yaml'),
        (status) => status === '',
        60_000,
      );
      const paths = (await memory.git('ls-tree', '-r', '-z', '--name-only', 'HEAD')).split('\0');
      const inHead = new Map<string, number>();
      for (const path of paths) {
        const id = /\.([a-z0-9]{8})\.md$/.exec(path)?.[1];
        if (id !== undefined) inHead.set(id, (inHead.get(id) ?? 0) + 1);
      }
      expect(acknowledged.filter(({ id }) => inHead.get(id) !== 1)).toEqual([]);
      expect(todos.filter((path) => !paths.includes(path))).toEqual([]);
      for (const path of todos) expect(await memory.git('show', `HEAD:${path}`)).toBe(await memory.read(path));
      const subjects = (await memory.git('log', '--format=%s', '--author=Ada')).trim().split('\n');
      expect(subjects.filter((subject) => subject.startsWith('todo '))).toHaveLength(todos.length);
      expect(await memory.git('show', 'HEAD:personal/draft.md')).toContain(draft);
      const byAgent = (await memory.git('log', '--format=%an', '--grep=^remember: ')).trim().split('\n');
      for (const name of names)
        expect(byAgent.filter((author) => author === name).length).toBeGreaterThanOrEqual(REMEMBERS);
      await memory.git('fsck', '--strict');
      for (const agent of agents) expect(await agent.recall('What belongs to whom?')).toContain('Space:');
      reportRuns({
        what: `remembers of ${SERVERS} servers, beside ${todos.length} commits of the user (${turnedAway} told to try again)`,
        runs: acknowledged.length,
      });
    },
    MINUTES * 60_000,
  );
});
