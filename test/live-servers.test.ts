// Real servers on one memory that people and git work in at the same time.
import { closeSync, existsSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { TemporaryMemory, until, type Agent } from './temporary-memory.ts';

/** Commits of hand edits come soon, and no model is loaded: this is about files. */
async function makeMemory(quiet = '300ms'): Promise<TemporaryMemory> {
  const memory = await TemporaryMemory.make();
  await memory.write('machine.yaml', 'folders: {}\nembedder: none\n');
  await memory.write('stet.yaml', `version: 1\ncommit:\n  quiet: ${quiet}\n`);
  await memory.git('commit', '-q', '-a', '-m', 'settings');
  return memory;
}

async function connectAll(memory: TemporaryMemory, count: number): Promise<readonly Agent[]> {
  const agents = await Promise.all(Array.from({ length: count }, (_, n) => memory.connect({ name: `agent-${n}` })));
  // Nothing is opened, and nothing watched, before the first call.
  await Promise.all(agents.map((agent) => agent.recall('What is there?')));
  return agents;
}

async function subjects(memory: TemporaryMemory): Promise<readonly string[]> {
  return (await memory.git('log', '--format=%s')).trim().split('\n');
}

describe('five servers that watch', () => {
  it('commit a hand edit once', async () => {
    await using memory = await makeMemory();
    await connectAll(memory, 5);
    const done = (subject: string) =>
      until(
        () => subjects(memory),
        (all) => all.includes(subject),
        30_000,
      );
    await memory.write('personal/standup.md', 'Standups are held at nine.\n');
    await done('add: Standups are held at nine.');
    const adopted = await memory.read('personal/standup.md');
    await memory.write('personal/standup.md', adopted.replace('nine', 'ten'));
    await done('edit: Standups are held at ten.');
    await rm(memory.path('personal/standup.md'));
    const id = /^id: "(.*)"$/m.exec(adopted)?.[1] ?? '';
    await done(`forget: ${id}`);
    expect(await subjects(memory)).toEqual([
      `forget: ${id}`,
      'edit: Standups are held at ten.',
      'add: Standups are held at nine.',
      'settings',
      'init: a new memory',
    ]);
    expect(await memory.git('status', '--porcelain')).toBe('');
    await memory.git('fsck', '--strict');
  });
});

describe('stet status', () => {
  it('tells which servers follow the files, how, and until when each has', async () => {
    await using memory = await makeMemory();
    const [agent, killed] = await connectAll(memory, 2);
    const servers = async () =>
      (await memory.json<{ servers: ReadonlyArray<{ pid: number; state: string; lookedAt: string }> }>('status'))
        .servers;
    const both = await until(servers, (seen) => seen.length === 2);
    expect(both.map(({ state }) => state)).toEqual(['watching', 'watching']);
    const changedAt = new Date().toISOString();
    await memory.write('personal/lunch.md', 'Lunch is at noon.\n');
    await until(servers, (seen) => seen.every(({ lookedAt }) => lookedAt > changedAt));
    const pid = killed?.transport.pid ?? null;
    if (pid !== null) process.kill(pid, 'SIGKILL');
    await until(servers, (seen) => seen.length === 1);
    await agent?.client.close();
    await until(servers, (seen) => seen.length === 0);
  });
});

describe('adoption beside an editor that goes on saving', () => {
  const saves: ReadonlyArray<readonly [string, (path: string, text: string) => Promise<void>]> = [
    ['in place', (path, text) => writeFile(path, text)],
    [
      'by a file beside it',
      async (path, text) => {
        await writeFile(`${path}.tmp`, text);
        await rename(`${path}.tmp`, path);
      },
    ],
    [
      'with a backup, as vim does',
      async (path, text) => {
        await rename(path, `${path}~`);
        await writeFile(path, text);
        await unlink(`${path}~`);
      },
    ],
  ];

  it.each(saves)('loses no save (%s)', async (_, save) => {
    await using memory = await makeMemory('30ms');
    await connectAll(memory, 2);
    const path = memory.path('personal/draft.md');
    await writeFile(path, 'Draft.\n');
    let body = 'Draft.\n';
    for (let round = 0; round < 40; round++) {
      // What the editor has in its buffer: it reloads when it finds the file changed, as they do, and saves at any moment.
      const seen = await readFile(path, 'utf8');
      body += `Line ${round}.\n`;
      await save(path, `${headOf(seen)}${body}`);
      await new Promise((resolve) => setTimeout(resolve, (round * 37) % 90));
      // A save that went into the file which adoption had just replaced is taken over a moment later.
      await until(
        () => readFile(path, 'utf8'),
        (text) => bodyOf(text) === body,
      );
    }
    await until(
      () => memory.git('status', '--porcelain'),
      (status) => status === '',
      30_000,
    );
    expect(bodyOf(await memory.git('show', 'HEAD:personal/draft.md'))).toBe(body);
  });

  it('loses nothing of a program that has the file open', async () => {
    await using memory = await makeMemory('100ms');
    await connectAll(memory, 2);
    const open = openSync(memory.path('personal/log.md'), 'a');
    writeSync(open, 'The log begins.\n');
    await until(
      () => memory.read('personal/log.md'),
      (text) => text.startsWith('---\n'),
      30_000,
    );
    writeSync(open, 'It goes on.\n');
    closeSync(open);
    await until(
      () => memory.git('show', 'HEAD:personal/log.md').catch(() => ''),
      (text) => bodyOf(text) === 'The log begins.\nIt goes on.\n',
      30_000,
    );
  });
});

function headOf(text: string): string {
  return text.startsWith('---\n') ? text.slice(0, text.indexOf('\n---\n') + 5) : '';
}

function bodyOf(text: string): string {
  return text.slice(headOf(text).length);
}

describe('what one process acknowledges', () => {
  it('is in the next answer of every other, whoever wrote it and whatever it was', async () => {
    await using memory = await makeMemory('1h');
    const agents = await connectAll(memory, 3);
    const [first, second, third] = agents;
    if (!first || !second || !third) throw new Error('three were asked for');
    /** What every server answers to a question in the words of the statement. */
    const everyone = (statement: string) => Promise.all(agents.map((agent) => agent.recall(statement)));
    for (let round = 0; round < 3; round++) {
      const [isRed, isBlue] = [
        `Lorry HH-${round}-4711 is red since May.`,
        `Lorry HH-${round}-4711 is blue since June.`,
      ];
      const red = await first.remember(isRed);
      for (const answer of await everyone(isRed)) expect(answer).toContain(red.id);
      const blue = await second.remember(isBlue, { supersedes: [red.id] });
      for (const answer of await everyone(isBlue)) expect(answer).toContain(blue.id);
      for (const answer of await everyone(isRed)) expect(answer).not.toContain(red.id);
      expect((await third.call('forget', { id: blue.id })).isError).toBe(false);
      for (const answer of [...(await everyone(isBlue)), ...(await everyone(isRed))]) {
        expect(answer).not.toContain(blue.id);
        expect(answer).not.toContain(red.id);
      }
    }
    const made = await memory.json<{ id: string }>('remember', 'The canteen closes at three.');
    for (const answer of await everyone('The canteen closes at three.')) expect(answer).toContain(made.id);
    await memory.stet('restore', (await memory.json<Array<{ id: string }>>('list', '--forgotten'))[0]?.id ?? '');
    for (const answer of await everyone('Lorry HH-2-4711 is blue since June.')) expect(answer).toContain('blue');
    await memory.stet('deny', 'agent-1', 'personal');
    expect(await second.recall('The canteen closes at three.')).not.toContain(made.id);
  });
});

describe('under a running server', () => {
  it('the derived index can be deleted at any time', async () => {
    await using memory = await makeMemory('1h');
    const [agent] = await connectAll(memory, 1);
    const stored = await agent?.remember('Standups are held at nine.');
    await rm(memory.path('.stet'), { recursive: true, force: true });
    expect(await agent?.recall('Standups are held at nine.')).toContain(stored?.id);
    const later = await agent?.remember('Retros are held on Friday.');
    await agent?.client.close();
    await until(
      async () => existsSync(memory.path('.stet')),
      (isThere) => isThere,
    );
    const [other] = await connectAll(memory, 1);
    expect(await other?.recall('Retros are held on Friday.')).toContain(later?.id);
  });

  it('the memory can be moved away and back: nothing is lost, made up, or put in its place', async () => {
    await using memory = await makeMemory();
    const [agent] = await connectAll(memory, 1);
    const stored = await agent?.remember('Standups are held at nine.');
    const away = `${memory.root}-moved`;
    renameSync(memory.root, away);
    const answer = (await agent?.recall('Standups are held at nine.')) ?? '';
    expect(answer).toContain(stored?.id);
    expect(answer).toContain('the folder of the memory is missing');
    const refused = await agent?.remember('Retros are held on Friday.');
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Cannot') as string });
    expect(existsSync(memory.root)).toBe(false);
    writeFileSync(`${away}/personal/lunch.md`, 'Lunch is at noon.\n');
    renameSync(away, memory.root);
    await until(
      async () => (await agent?.recall('Lunch is at noon.')) ?? '',
      (seen) => seen.includes('noon') && !seen.includes('is missing'),
    );
    expect((await agent?.remember('Retros are held on Friday.'))?.isError).toBe(false);
    await until(
      () => memory.git('status', '--porcelain'),
      (status) => status === '',
      30_000,
    );
  });

  it('the memory can be deleted: the server says so, and makes nothing', async () => {
    await using memory = await makeMemory();
    const [agent] = await connectAll(memory, 1);
    await rm(memory.root, { recursive: true, maxRetries: 5 });
    expect(await agent?.recall('What is there?')).toContain('the folder of the memory is missing');
    expect((await agent?.remember('Retros are held on Friday.'))?.isError).toBe(true);
    await agent?.client.close();
    expect(existsSync(memory.root)).toBe(false);
  });
});
