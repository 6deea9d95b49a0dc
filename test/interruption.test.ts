// Ctrl-C in what takes long: everything is whole afterwards, it is said what was done, and the work can be done again.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { FakeEmbedder } from './fake-embedder.ts';
import { InProcessMemory } from './in-process-memory.ts';
import { ENTRY, run, TemporaryMemory, until, type Outcome } from './temporary-memory.ts';

const STOPPED = { failure: { code: 'interrupted' } };

// Windows has no signal that another program could send.
it.runIf(process.platform !== 'win32')('ends an import with 130, and nothing is imported', async () => {
  await using memory = await TemporaryMemory.make();
  const list = Array.from({ length: 20_000 }, (_, at) => `- Item number ${at} is kept on shelf ${at * 7}.\n`).join('');
  const env = { ...process.env, STET_HOME: memory.root };
  const child = spawn(process.execPath, [ENTRY, 'import', 'list', '-'], { env, stdio: 'pipe' });
  const ended = once(child, 'exit');
  const said = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  // More than a pipe holds: when it is written the command is reading, and listens for the signal.
  await new Promise<void>((resolve) => {
    child.stdin.write(list, () => resolve());
  });
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(await said).toEqual(['', 'stet: Stopped. Nothing was imported.\n']);
  expect(await memory.items()).toEqual([]);
  expect(await memory.git('status', '--porcelain')).toBe('');
  await memory.git('fsck', '--strict');
  const again = await memory.stetWith({ input: 'Tea is at four.\n' }, 'import', 'list', '-');
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Imported 1,') as string });
});

it.each(['while it reads', 'before it stores'])('stops an import %s, and stores nothing', async (when) => {
  await using memory = await InProcessMemory.make();
  const head = memory.git('rev-parse', 'HEAD');
  const stop = new AbortController();
  const request = {
    format: 'list' as const,
    paths: [],
    text: 'Tea is at four.\nStandups are at nine.\n',
    confirm: () => {
      if (when === 'before it stores') stop.abort();
      return Promise.resolve(true);
    },
    onProgress: () => {
      if (when === 'while it reads') stop.abort();
    },
  };
  await expect(memory.app.importFrom({ ...request, signal: stop.signal })).rejects.toMatchObject(STOPPED);
  expect(memory.items()).toEqual([]);
  expect(memory.git('rev-parse', 'HEAD')).toBe(head);
  expect(await memory.app.importFrom(request)).toMatchObject({ imported: 2 });
});

it('stops the making of vectors, says how many there are, and goes on from there', async () => {
  const embedder = new FakeEmbedder();
  await using memory = await InProcessMemory.make({ embedder });
  const session = await memory.app.userSession({ space: 'personal' });
  await memory.app.remember(session, { text: 'Tea is at four.' });
  await memory.app.rebuildIndex(() => undefined);
  let open: () => void = () => undefined;
  embedder.gate = new Promise((resolve) => {
    open = resolve;
  });
  await memory.edit('personal/a.md', 'Standups are at nine.\n');
  const stop = new AbortController();
  const rebuilding = memory.app.rebuildIndex(() => undefined, stop.signal);
  stop.abort();
  await expect(rebuilding).rejects.toMatchObject({
    failure: { code: 'interrupted', left: expect.stringMatching(/^1 of 2 vectors are made\. /) as string },
  });
  open();
  expect(await memory.app.rebuildIndex(() => undefined)).toMatchObject({ items: 2, vectors: 2 });
});

/** How many bytes of vectors a memory has. */
async function vectorBytes(memory: TemporaryMemory): Promise<number> {
  const names = existsSync(memory.path('.stet')) ? await readdir(memory.path('.stet')) : [];
  const files = names.filter((name) => name.startsWith('vectors-'));
  const sizes = await Promise.all(files.map(async (name) => (await stat(memory.path(`.stet/${name}`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

it.runIf(process.platform !== 'win32')(
  'ends a rebuild with 130 and every vector that is made, and goes on',
  async () => {
    await using memory = await TemporaryMemory.make();
    const list = Array.from({ length: 100 }, (_, at) => `Item number ${at} is kept on shelf ${at * 7}.\n`).join('');
    expect(await memory.stetWith({ input: list }, 'import', 'list', '-')).toMatchObject({ code: 0 });
    const before = await vectorBytes(memory);
    const env = { ...process.env, STET_HOME: memory.root };
    const child = spawn(process.execPath, [ENTRY, 'index', 'rebuild'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    const said = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
    await until(
      () => vectorBytes(memory),
      (bytes) => bytes > before,
      60_000,
    );
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    const [stdout, stderr] = await said;
    expect(stdout).toBe('');
    const made = Number(/^stet: Stopped\. (\d+) of 100 vectors are made\. /.exec(stderr)?.[1]);
    expect(made).toBeGreaterThan(0);
    expect(await memory.stet('recall', 'Which shelf has item number 42?')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Item number 42 is kept on shelf 294.') as string,
    });
    const kept = await vectorBytes(memory);
    expect(await memory.json('index', 'rebuild')).toEqual({ items: 100, vectors: 100, problem: null });
    expect(await vectorBytes(memory)).toBeGreaterThan(kept);
    await memory.git('fsck', '--strict');
  },
);

it('stops a purge before anything is changed', async () => {
  await using memory = await InProcessMemory.make();
  const session = await memory.app.userSession({ space: 'personal' });
  const stored = await memory.app.remember(session, { text: 'Tea is at four.' });
  if (stored.status !== 'stored') throw new Error(stored.status);
  const head = memory.git('rev-parse', 'HEAD');
  const purge = memory.app.purge({ ids: [stored.item.id], dryRun: false, signal: AbortSignal.abort() });
  await expect(purge).rejects.toMatchObject(STOPPED);
  expect(memory.git('rev-parse', 'HEAD')).toBe(head);
  expect(memory.items()).toEqual([stored.path]);
});

it('stops a sync, and the next one does it all', async () => {
  await using memory = await InProcessMemory.make();
  const remote = join(memory.folder, 'remote.git');
  await run('git', ['init', '-q', '--bare', remote]);
  await memory.app.setRemote({ url: remote, folder: memory.folder, join: false });
  const stopped = await memory.app.sync({ signal: AbortSignal.abort() });
  expect(stopped).toMatchObject({
    outcome: { status: expect.stringMatching(/^(?:stopped|waits)$/) as string },
    sent: 0,
  });
  expect((await run('git', ['-C', remote, 'rev-list', '--all'])).stdout).toBe('');
  expect(await memory.app.sync({})).toMatchObject({ outcome: { status: 'synced' }, sent: 1 });
});

/** Runs a command under a git that halts at one of its commands, and presses Ctrl-C there. `goesOn`: git does, after that. */
async function pressAt(
  { gitCommand, goesOn }: { readonly gitCommand: string; readonly goesOn: boolean },
  memory: TemporaryMemory,
  ...args: string[]
): Promise<Outcome> {
  const bin = join(memory.folder, 'bin');
  const [halted, goOn] = [join(memory.folder, 'halted'), join(memory.folder, 'go-on')];
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const halt = `case " $* " in *" ${gitCommand} "*) : > '${halted}'; while [ ! -e '${goOn}' ]; do sleep 0.02; done;; esac`;
  await mkdir(bin);
  await writeFile(join(bin, 'git'), `#!/bin/sh\n${halt}\nexec '${git}' "$@"\n`);
  await chmod(join(bin, 'git'), 0o755);
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: {
      ...process.env,
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: memory.folder,
      STET_HOME: memory.root,
    },
    // The group of a terminal's job: Ctrl-C reaches all that is in it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const said = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  await until(
    () => Promise.resolve(existsSync(halted)),
    (isHalted) => isHalted,
    30_000,
  );
  process.kill(-(child.pid ?? 0), 'SIGINT');
  if (goesOn) await writeFile(goOn, '');
  const [code, signal] = await ended;
  const [stdout, stderr] = await said;
  return { code: code ?? -1, stdout, stderr: signal === null ? stderr : `${stderr}${signal}` };
}

it.runIf(process.platform !== 'win32')('ends a purge that has begun, and says so', async () => {
  await using memory = await TemporaryMemory.make();
  const { id } = await memory.json<{ id: string }>('remember', 'The garden gate is painted green.');
  const outcome = await pressAt({ gitCommand: 'fast-import', goesOn: true }, memory, 'purge', id, '--yes');
  expect(outcome).toMatchObject({
    code: 130,
    stdout: expect.stringContaining('Removed 1 version of 1 file, and rewrote ') as string,
    stderr: expect.stringContaining('It was too late to stop: this was done to its end.') as string,
  });
  expect(await memory.git('log', '--all', '-p')).not.toContain('garden gate');
  await memory.git('fsck', '--strict');
});

it.runIf(process.platform !== 'win32')(
  'ends a sync in the middle of a push with 130, and the next one goes on',
  async () => {
    await using memory = await TemporaryMemory.make();
    const remote = join(memory.folder, 'remote.git');
    await run('git', ['init', '-q', '--bare', remote]);
    await memory.json('remote', 'set', remote);
    const outcome = await pressAt({ gitCommand: 'push', goesOn: false }, memory, 'sync');
    expect(outcome).toMatchObject({ code: 130, stdout: expect.stringContaining('Not synced') as string });
    await memory.git('fsck', '--strict');
    expect(await memory.stet('sync')).toMatchObject({ code: 0 });
    expect((await run('git', ['-C', remote, 'log', '--format=%s', 'main'])).stdout).toContain('init: a new memory');
  },
);

it.runIf(process.platform !== 'win32').each([
  ['SIGINT', 130, 'stet: Stopped. `stet sync` goes on where it was.\n'],
  ['SIGTERM', 0, ''],
] as const)('ends `sync --watch` at %s with %i, and everything is whole', async (signal, code, words) => {
  await using memory = await TemporaryMemory.make();
  await memory.write('machine.yaml', 'embedder: none\n');
  const remote = join(memory.folder, 'remote.git');
  await run('git', ['init', '-q', '--bare', remote]);
  await memory.json('remote', 'set', remote);
  const state = memory.path('.git/stet/sync.json');
  for (const args of [[], ['--json', '--quiet']]) {
    await rm(state, { force: true });
    const child = spawn(process.execPath, [ENTRY, 'sync', '--watch', ...args], {
      env: { ...process.env, HOME: memory.folder, STET_HOME: memory.root },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    const said = Promise.all([readAll(child.stdout), readAll(child.stderr)]);
    try {
      await until(
        () => readFile(state, 'utf8').catch(() => ''),
        (text) => text.includes('"syncedAt": "'),
        30_000,
      );
    } finally {
      child.kill(signal);
    }
    expect(await ended).toEqual([code, null]);
    const [stdout, stderr] = await said;
    if (args.length > 0) expect([JSON.parse(stdout), stderr]).toMatchObject([{ outcome: { status: 'synced' } }, words]);
    else expect(stderr).toBe(`Syncing ${memory.root} until you stop it (Ctrl-C).\n${words}`);
  }
  await memory.git('fsck', '--strict');
  expect((await run('git', ['-C', remote, 'log', '--format=%s', 'main'])).stdout).toContain('init: a new memory');
});
