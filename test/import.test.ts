import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryMemory } from './temporary-memory.ts';

interface Summary {
  imported: number;
  unchanged: number;
  skipped: Array<{ path: string; reason: string }>;
  commit: string | null;
}

async function makeNotes(memory: TemporaryMemory, notes: Record<string, string | Uint8Array>): Promise<string> {
  const folder = join(memory.folder, 'notes');
  for (const [path, text] of Object.entries(notes)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

describe('stet import markdown', () => {
  it('makes one item of one note, in one commit, and keeps what the note had', async () => {
    await using memory = await TemporaryMemory.make();
    const folder = await makeNotes(memory, {
      'plain.md': 'Standups are at nine.\n',
      'deep/er/titled.md': '# Rotating logs\n\nUse logrotate with copytruncate.\n',
      'with-keys.md': '---\ntags: [ops, linux]\nrating: 5 # mine\n---\nThe pager is in drawer 3.\n',
      'README.md': 'How these notes are kept.\n',
    });
    const summary = await memory.json<Summary>('import', 'markdown', folder);
    expect(summary).toMatchObject({ imported: 4, unchanged: 0, skipped: [] });
    expect(await memory.git('log', '-1', '--format=%s')).toBe('import: 4 notes from notes\n');
    expect(await memory.git('status', '--porcelain')).toBe('');
    const items = await memory.items();
    expect(items).toHaveLength(4);
    const kept = items.find((path) => path.includes('pager')) ?? '';
    expect(await memory.read(kept)).toContain('rating: 5 # mine\n');
    expect(await memory.read(kept)).toContain('source: import\n');
    expect(items.some((path) => path.includes('rotating-logs'))).toBe(true);
    const recalled = await memory.json<{ facts: Array<{ text: string }> }>('recall', 'how do I rotate logs?');
    expect(recalled.facts[0]?.text).toContain('logrotate');
  });

  it('imports nothing again on a second run, and only what is new on a third', async () => {
    await using memory = await TemporaryMemory.make();
    const folder = await makeNotes(memory, { 'a.md': 'Standups are at nine.\n', 'b.md': 'Deploys are on Friday.\n' });
    await memory.json<Summary>('import', 'markdown', folder);
    expect(await memory.json<Summary>('import', 'markdown', folder)).toEqual({
      imported: 0,
      unchanged: 2,
      skipped: [],
      commit: null,
    });
    await writeFile(join(folder, 'c.md'), 'The pager is in drawer 3.\n');
    expect(await memory.json<Summary>('import', 'markdown', folder)).toMatchObject({ imported: 1, unchanged: 2 });
  });

  it('goes to the space that is named', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.stet('space', 'add', 'acme');
    const folder = await makeNotes(memory, { 'a.md': 'Standups are at nine.\n' });
    await memory.json<Summary>('import', 'markdown', folder, '--space', 'acme');
    expect((await memory.items()).every((path) => path.startsWith('spaces/acme/'))).toBe(true);
  });

  it('says of every note that it skipped why', async () => {
    await using memory = await TemporaryMemory.make();
    const key = ['AKIA', 'Q3EGRIZXTVWFQ2PL'].join('');
    const folder = await makeNotes(memory, {
      'good.md': 'Standups are at nine.\n',
      'empty.md': '',
      'latin.md': Buffer.from('Caf\xe9.', 'latin1'),
      'broken.md': '---\nkind: [\n---\nText.\n',
      'secret.md': `aws_access_key_id = ${key}\n`,
      'twin.md': 'Standups are at nine.\n',
    });
    const { imported, skipped } = await memory.json<Summary>('import', 'markdown', folder);
    expect(imported).toBe(1);
    expect(skipped.map(({ path }) => path)).toEqual(['broken.md', 'empty.md', 'latin.md', 'secret.md', 'twin.md']);
    const reasons = Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]));
    expect(reasons['latin.md']).toContain('UTF-8');
    expect(reasons['secret.md']).toContain('secret');
    expect(reasons['twin.md']).toContain('says the same as good.md');
    expect((await memory.git('log', '-p', '--all')).includes(key)).toBe(false);
  });
});
