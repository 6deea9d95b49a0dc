import { mkdtempSync, realpathSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vectorKey } from '../src/index/vector-cache.ts';
import { TemporaryMemory, run } from './temporary-memory.ts';

interface Plan {
  versions: number;
  commits: number;
  deliveries: number;
  bundle: string | null;
  left: string[];
}

/** Every byte that git keeps, and every file beside it, as one text. */
async function everything(memory: TemporaryMemory): Promise<string> {
  const objects = await run('git', ['-C', memory.root, 'cat-file', '--batch-all-objects', '--batch']);
  const files = await readdir(memory.root, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile() && !/[\\/]objects([\\/]|$)/.test(file.parentPath))
      .map(async (file) => `${file.name}\n${await readFile(join(file.parentPath, file.name), 'latin1')}`),
  );
  return objects.stdout + texts.join('\n');
}

/** The vector caches, as one text. */
async function vectors(memory: TemporaryMemory): Promise<string> {
  const names = (await readdir(memory.path('.stet'))).filter((name) => name.startsWith('vectors-'));
  return (await Promise.all(names.map((name) => readFile(memory.path(`.stet/${name}`), 'latin1')))).join();
}

describe('stet purge', () => {
  it('shows first what it would rewrite, and changes nothing', async () => {
    await using memory = await TemporaryMemory.make();
    const { id } = await memory.json<{ id: string }>('remember', 'The embargoed merger is with Globex Holdings.');
    const before = await memory.git('rev-parse', 'HEAD');
    const plan = await memory.json<Plan & { dryRun: boolean }>('purge', id);
    expect(plan).toMatchObject({ dryRun: true, versions: 1, commits: 1, bundle: null });
    expect(await memory.git('rev-parse', 'HEAD')).toBe(before);
  });

  it('leaves the text in no object, file, message or delivery, and everything else as it was', async () => {
    await using memory = await TemporaryMemory.make();
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'stet-home-')));
    const secret = 'The embargoed merger is with Globex Holdings.';
    const kept = await memory.json<{ id: string; path: string }>('remember', 'Standups are at nine.');
    const { id, path } = await memory.json<{ id: string; path: string }>('remember', secret);
    await writeFile(memory.path(path), (await memory.read(path)).replace('Holdings.', 'Holdings, in March.'));
    await memory.git('commit', '-qam', `hand: ${secret}`);
    await memory.git('tag', '-a', 'v1', '-m', 'a release');
    await memory.git('branch', 'side');
    await memory.stet('recall', secret, '--trace');
    await memory.json('recall', secret, '--at', (await memory.git('rev-parse', 'HEAD')).trim());
    const after = await memory.json<{ id: string }>('remember', 'Deploys are on Friday.');
    await memory.json('index', 'rebuild');
    const edited = Buffer.from(vectorKey(secret.replace('.', ', in March.')), 'hex').toString('latin1');
    expect(await vectors(memory)).toContain(edited);

    const outcome = await memory.stetWith({ env: { HOME: home, USERPROFILE: home } }, 'purge', id, '--yes', '--json');
    const plan = JSON.parse(outcome.stdout) as Plan;
    expect(plan).toMatchObject({ versions: 2, deliveries: 1, left: [] });
    expect(outcome.code).toBe(0);

    expect(await vectors(memory)).not.toContain(edited);
    const all = await everything(memory);
    expect(all).not.toContain('embargoed');
    expect(all).not.toContain('Globex Holdings');
    await memory.git('fsck', '--strict', '--no-dangling');
    expect(await memory.git('status', '--porcelain')).toBe('');
    expect(await memory.git('tag')).toBe('v1\n');
    const subjects = (await memory.git('log', '--format=%s')).trim().split('\n');
    expect(subjects).toEqual([
      'forget: (purged)',
      'remember: Deploys are on Friday.',
      'hand: (purged)',
      'remember: (purged)',
      'remember: Standups are at nine.',
      'init: a new memory',
    ]);
    const listed = await memory.json<Array<{ id: string }>>('list');
    expect(listed.map((item) => item.id).sort()).toEqual([kept.id, after.id].sort());
    expect((await memory.json<Array<{ id: string }>>('list', '--forgotten')).map((item) => item.id)).toEqual([id]);
    const heads = await run('git', ['bundle', 'list-heads', plan.bundle ?? '']);
    expect(heads.stdout).toContain('refs/heads/main');
    await rm(home, { recursive: true });
  });

  it('says where the text is still quoted: in other items, in transcripts', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('transcripts/2026/a.md', 'He said: The embargoed merger is with Globex Holdings.\n');
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'stet-home-')));
    const { id } = await memory.json<{ id: string }>('remember', 'The embargoed merger is with Globex Holdings.');
    const quoting = 'Legal says of the rule: The embargoed merger is with Globex Holdings. It must not be told.';
    await memory.json('remember', quoting, '--keep-both');
    const outcome = await memory.stetWith({ env: { HOME: home, USERPROFILE: home } }, 'purge', id, '--yes', '--json');
    expect(outcome.code).toBe(1);
    const { left } = JSON.parse(outcome.stdout) as Plan;
    expect(left.filter((each) => /^[0-9a-f]{40}$/.test(each)).length).toBeGreaterThan(0);
    expect(left).toContain('transcripts/2026/a.md');
    await rm(home, { recursive: true });
  });

  it('refuses to lose what is stashed', async () => {
    await using memory = await TemporaryMemory.make();
    const { id } = await memory.json<{ id: string }>('remember', 'The embargoed merger is with Globex Holdings.');
    for (const text of ['one', 'two']) {
      await writeFile(memory.path('README.md'), text);
      await memory.git('stash', '-q');
    }
    const [head, stashes] = [await memory.git('rev-parse', 'HEAD'), await memory.git('stash', 'list')];
    const outcome = await memory.stet('purge', id, '--yes');
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toContain('git stash list');
    expect(await memory.git('rev-parse', 'HEAD')).toBe(head);
    expect(await memory.git('stash', 'list')).toBe(stashes);
  });

  it('waits until git has let go of the file, and leaves no trace of it then', async () => {
    await using memory = await TemporaryMemory.make();
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'stet-home-')));
    const env = { HOME: home, USERPROFILE: home };
    const { id } = await memory.json<{ id: string }>('remember', 'The embargoed merger is with Globex Holdings.');
    const head = await memory.git('rev-parse', 'HEAD');
    await writeFile(memory.path('.git/index.lock'), '');
    const outcome = await memory.stetWith({ env }, 'purge', id, '--yes');
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toMatch(/index\.lock.*The history was not rewritten/);
    expect(await memory.git('rev-parse', 'HEAD')).toBe(head);
    await rm(memory.path('.git/index.lock'));
    const again = await memory.stetWith({ env }, 'purge', id, '--yes', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ left: [] });
    expect(await everything(memory)).not.toContain('embargoed');
    await rm(home, { recursive: true });
  });

  it('refuses an id that never was', async () => {
    await using memory = await TemporaryMemory.make();
    const outcome = await memory.stet('purge', 'zzzzzzzz', '--yes');
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toContain('never had such an item');
  });
});
