import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initMemory } from '../src/app.ts';
import { run, TemporaryMemory } from './temporary-memory.ts';

describe('stet init', () => {
  it('makes a git repository with the template in its first commit, clean and sound', async () => {
    await using memory = await TemporaryMemory.make();
    expect((await memory.git('ls-files')).trim().split('\n')).toEqual([
      '.gitattributes',
      '.gitignore',
      'README.md',
      'policies.yaml',
      'spaces.yaml',
      'stet.yaml',
    ]);
    expect(await memory.git('status', '--porcelain')).toBe('');
    expect(await memory.git('log', '--format=%s')).toBe('init: a new memory\n');
    await memory.git('fsck', '--strict');
  });

  it.runIf(process.platform !== 'win32')(
    'keeps other users of the machine out, and its parents as they are',
    async () => {
      await using memory = await TemporaryMemory.make();
      const root = join(memory.folder, 'deep', 'memory');
      expect(await memory.stet('init', root)).toMatchObject({ code: 0 });
      expect(statSync(root).mode & 0o777).toBe(0o700);
      expect(statSync(join(memory.folder, 'deep')).mode & 0o777).toBe(0o777 & ~process.umask());
      await memory.stet('clone', memory.root, join(memory.folder, 'clone'));
      expect(statSync(join(memory.folder, 'clone')).mode & 0o777).toBe(0o700);
    },
  );

  it('makes memories that have nothing in common, however soon one after the other', async () => {
    await using memory = new TemporaryMemory();
    const made = [];
    for (const name of ['acme', 'globex', 'initech']) made.push(await initMemory(join(memory.folder, name)));
    expect(new Set(made.map((result) => result.status === 'created' && result.commit)).size).toBe(3);
  });

  it('completes what an existing memory lacks on this machine, and says so', async () => {
    await using memory = await TemporaryMemory.make();
    await rm(memory.path('machine.yaml'));
    await rm(memory.path('deliveries'), { recursive: true });
    const again = await memory.json<{ status: string; completed: string[] }>('init');
    expect(again).toMatchObject({ status: 'completed', completed: ['deliveries/', 'machine.yaml'] });
    expect(existsSync(memory.path('machine.yaml'))).toBe(true);
    expect((await memory.json<{ completed: string[] }>('init')).completed).toEqual([]);
    expect((await memory.git('log', '--format=%s')).trim().split('\n')).toHaveLength(1);
  });

  it('refuses a folder that holds other things, and leaves it as it was', async () => {
    await using memory = await TemporaryMemory.make();
    const other = join(memory.folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'thesis.txt'), 'mine');
    const refused = await memory.stet('init', other);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('it holds other things (thesis.txt, …)');
    expect(await readdir(other)).toEqual(['thesis.txt']);
  });

  it('refuses a folder inside another repository, at any depth', async () => {
    await using memory = await TemporaryMemory.make();
    const repository = join(memory.folder, 'repository');
    await run('git', ['init', '-q', repository]);
    const refused = await memory.stet('init', join(repository, 'a', 'b'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('it lies inside the git repository');
    expect(existsSync(join(repository, 'a'))).toBe(false);
  });

  it('refuses a path that is a file', async () => {
    await using memory = await TemporaryMemory.make();
    const file = join(memory.folder, 'file');
    await writeFile(file, 'x');
    const refused = await memory.stet('init', file);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('it is a file');
  });
});
