// What long work tells of itself: stages that it really went through, and counts of what is really there.
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OnProgress } from '../src/memory/progress.ts';
import { InProcessMemory } from './in-process-memory.ts';
import { run } from './temporary-memory.ts';

afterEach(() => vi.unstubAllEnvs());

/** The stages in the order in which they came, each with the largest count that it told. */
class Stages {
  readonly all = new Map<string, string>();
  readonly hear: OnProgress = (done, total, stage = '') => {
    if (done > total) throw new Error(`${done} of ${total}: ${stage}`);
    this.all.set(stage, `${done}/${total}`);
  };

  get names(): readonly string[] {
    return [...this.all.keys()];
  }

  /** Without those of the git program, which depend on its version. */
  get own(): readonly string[] {
    return this.names.filter((name) => !/(?:objects|deltas)$/.test(name));
  }
}

async function keep(memory: InProcessMemory, text: string): Promise<string> {
  const stored = await memory.app.remember(await memory.app.userSession({ space: 'personal' }), { text });
  if (stored.status !== 'stored') throw new Error(stored.status);
  return stored.item.id;
}

describe('a sync', () => {
  it('tells what it commits, fetches, merges, looks through and sends', async () => {
    await using memory = await InProcessMemory.make();
    const remote = join(memory.folder, 'remote.git');
    await run('git', ['init', '-q', '--bare', remote]);
    await memory.app.setRemote({ url: remote, folder: memory.folder, join: false });
    await keep(memory, 'Tea is at four.');
    const sending = new Stages();
    expect(await memory.app.sync({ onProgress: sending.hear })).toMatchObject({ outcome: { status: 'synced' } });
    expect(sending.own).toEqual(['committing what was edited', 'fetching', 'looking for secrets', 'sending']);
    expect(sending.names).toContain('writing objects');
    // The item, and the files of a new memory.
    expect(sending.all.get('looking for secrets')).toMatch(/^[1-9]\d*\/[1-9]\d*$/);

    await using other = await InProcessMemory.make({ copyOf: memory.root });
    await keep(memory, 'Standups are at nine.');
    await memory.app.sync({});
    const receiving = new Stages();
    const report = await other.app.sync({ onProgress: receiving.hear });
    expect(report).toMatchObject({ outcome: { status: 'synced' }, received: 1, sent: 0 });
    expect(receiving.own).toEqual(['committing what was edited', 'fetching', 'comparing the histories', 'merging']);
  });
});

describe('a purge', () => {
  it('tells of the backup, of every commit that is rewritten and of every object that is searched', async () => {
    await using memory = await InProcessMemory.make();
    const id = await keep(memory, 'The garden gate is painted green.');
    const more = Array.from({ length: 250 }, (_, at) => {
      const from = at === 0 ? 'from refs/heads/main^0\n' : '';
      return `commit refs/heads/main\ncommitter Ann <ann@example.invalid> ${1_790_000_000 + at} +0000\ndata 1\nx\n${from}\n`;
    });
    memory.gitWith(more.join(''), 'fast-import', '--quiet');
    const commits = Number(memory.git('rev-list', '--count', 'HEAD'));

    const planning = new Stages();
    await memory.app.purge({ ids: [id], dryRun: true, onProgress: planning.hear });
    expect(planning.names).toEqual(['listing every version', 'reading versions', 'counting the commits to rewrite']);

    const purging = new Stages();
    // Where the backup goes.
    vi.stubEnv('HOME', memory.folder);
    vi.stubEnv('USERPROFILE', memory.folder);
    const plan = await memory.app.purge({ ids: [id], dryRun: false, onProgress: purging.hear });
    expect(plan).toMatchObject({ versions: 1, left: [] });
    expect(purging.own).toEqual([
      'listing every version',
      'reading versions',
      'writing the backup',
      'reading commits',
      'rewriting commits',
      'removing what nothing refers to',
      'searching objects for what is left',
    ]);
    // Forgetting it is one commit more; every hundredth is told.
    expect(purging.all.get('rewriting commits')).toBe(`200/${commits + 1}`);
    expect(Number(memory.git('rev-list', '--count', 'HEAD'))).toBe(commits + 1);
  });
});
