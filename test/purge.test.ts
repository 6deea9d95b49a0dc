import { mkdtempSync, realpathSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

    const outcome = await memory.stetWith({ env: { HOME: home, USERPROFILE: home } }, 'purge', id, '--yes', '--json');
    const plan = JSON.parse(outcome.stdout) as Plan;
    expect(plan).toMatchObject({ versions: 2, deliveries: 1, left: [] });
    expect(outcome.code).toBe(0);

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

  it('says where the text is still quoted', async () => {
    await using memory = await TemporaryMemory.make();
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'stet-home-')));
    const { id } = await memory.json<{ id: string }>('remember', 'The embargoed merger is with Globex Holdings.');
    const quoting = 'Legal says of the rule: The embargoed merger is with Globex Holdings. It must not be told.';
    await memory.json('remember', quoting, '--keep-both');
    const outcome = await memory.stetWith({ env: { HOME: home, USERPROFILE: home } }, 'purge', id, '--yes', '--json');
    expect(outcome.code).toBe(1);
    expect((JSON.parse(outcome.stdout) as Plan).left.length).toBeGreaterThan(0);
    await rm(home, { recursive: true });
  });

  it('refuses an id that never was', async () => {
    await using memory = await TemporaryMemory.make();
    const outcome = await memory.stet('purge', 'zzzzzzzz', '--yes');
    expect(outcome).toMatchObject({ code: 2 });
    expect(outcome.stderr).toContain('never had such an item');
  });
});
