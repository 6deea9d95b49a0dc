import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OpenMemory } from './open-memory.ts';
import { TemporaryMemory } from './temporary-memory.ts';

interface Line {
  type: string;
  path: string;
  content: string | null;
  subject?: string;
}

describe('stet export and stet import jsonl', () => {
  it('carry every item and tombstone to another memory, byte for byte, and again nothing', async () => {
    await using from = await TemporaryMemory.make();
    await using to = await TemporaryMemory.make();
    await from.stet('space', 'add', 'acme');
    await from.stet('remember', 'Acme signs users in with Auth0.', '--space', 'acme', '--kind', 'decision');
    await from.write('personal/by-hand.md', '\uFEFFStandups are at nine.\r\n');
    const { id } = await from.json<{ id: string }>('remember', 'Deploys are on Friday.');
    await from.stet('forget', id);
    const file = join(from.folder, 'memory.jsonl');
    await writeFile(file, (await from.stet('export')).stdout);

    const first = await to.json<{ imported: number; skipped: unknown[] }>('import', 'jsonl', file);
    expect(first).toMatchObject({ imported: 3, skipped: [] });
    for (const path of [...(await from.items()), `forgotten/${id}.yaml`]) {
      expect(await readFile(to.path(path))).toEqual(await readFile(from.path(path)));
    }
    expect((await to.stet('export')).stdout.split('\n').filter((line) => !line.includes('"config"'))).toEqual(
      (await readFile(file, 'utf8')).split('\n').filter((line) => !line.includes('"config"')),
    );
    expect(await to.json('import', 'jsonl', file)).toMatchObject({ imported: 0, unchanged: 3, commit: null });
    expect(await to.git('status', '--porcelain')).toBe('');
  });

  it('tell every version, oldest first, where history is wanted', async () => {
    await using memory = await TemporaryMemory.make();
    const { id, path } = await memory.json<{ id: string; path: string }>('remember', 'Deploys are on Friday.');
    await memory.stet('forget', id);
    const lines = (await memory.stet('export', '--history')).stdout.trim().split('\n');
    const versions = lines.map((line) => JSON.parse(line) as Line).filter((line) => line.path === path);
    expect(versions.map(({ subject, content }) => [subject, content === null])).toEqual([
      ['remember: Deploys are on Friday.', false],
      [`forget: ${id}`, true],
    ]);
  });

  it('copy to a folder, and never over a file', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.stet('remember', 'Deploys are on Friday.');
    const folder = join(memory.folder, 'copy');
    expect(await memory.json('export', '--folder', folder)).toMatchObject({ files: 4 });
    const again = await memory.stet('export', '--folder', folder);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain('is there already');
  });

  it('forget nothing that is here, and read nothing outside of the memory', async () => {
    await using memory = await OpenMemory.make();
    const id = await memory.keep('Deploys are on Friday.');
    await memory.app.forget(await memory.app.userSession({ item: id }), id);
    const lines = [];
    for await (const line of memory.app.exportLines(false)) lines.push(line);
    await memory.app.restore(id, null);
    await writeFile(join(memory.folder, 'outside.md'), 'Standups are at nine.\n');
    const outside = { type: 'item', path: '../outside.md', id: '', content: 'Standups are at nine.\n' };
    const file = join(memory.folder, 'memory.jsonl');
    const write = (all: readonly unknown[]) => writeFile(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await write([...lines, outside]);
    await expect(memory.app.importLines({ file })).rejects.toThrow('memory.jsonl:5: its path "../outside.md" is none');
    await write(lines);
    expect(await memory.app.importLines({ file })).toMatchObject({
      imported: 0,
      unchanged: 0,
      skipped: [{ path: `forgotten/${id}.yaml`, reason: `the item ${id} is here and not forgotten` }],
    });
  });

  it('end with exit code 1 where a history is not taken, which is said whatever is asked', async () => {
    await using from = await TemporaryMemory.make();
    await using to = await TemporaryMemory.make();
    await from.stet('remember', 'Deploys are on Friday.');
    await to.stet('remember', 'Standups are at nine.');
    const file = join(from.folder, 'my memory.jsonl');
    await writeFile(file, (await from.stet('export', '--history')).stdout);
    const quoted = process.platform === 'win32' ? `"${file}"` : `'${file}'`;
    for (const json of [[], ['--json']]) {
      const outcome = await to.stet('import', 'jsonl', file, '--quiet', ...json);
      expect(outcome.code).toBe(1);
      expect(outcome.stderr).toMatch(/^The history of the export \(2 commits\) was not taken: this memory holds /);
      expect(outcome.stderr).toContain(`\`stet import jsonl ${quoted} --memory FOLDER\``);
    }
    expect(await to.items()).toHaveLength(2);
  });

  it('say what is no file', async () => {
    await using memory = await TemporaryMemory.make();
    const outcome = await memory.stet('import', 'jsonl', memory.folder);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(`FILE: ${memory.folder} is a folder. Make one with`);
    await using open = await OpenMemory.make();
    await expect(open.app.importLines({ file: open.folder })).rejects.toMatchObject({
      failure: { code: 'file-system', operation: 'read', path: open.folder, errno: 'EISDIR' },
    });
  });

  it('name the line that is none', async () => {
    await using memory = await TemporaryMemory.make();
    const file = join(memory.folder, 'broken.jsonl');
    await writeFile(file, '{"type":"item","path":"personal/a.md","id":"","content":"A."}\n{"type":\n');
    const outcome = await memory.stet('import', 'jsonl', file);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain('broken.jsonl:2: this is no line of an export');
    expect(await memory.items()).toEqual([]);
  });
});
