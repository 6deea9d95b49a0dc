import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OpenMemory } from './open-memory.ts';

async function forget(memory: OpenMemory, id: string): Promise<void> {
  const result = await memory.app.forget(await memory.app.userSession({ item: id }), id);
  expect(result.status).toBe('forgotten');
}

describe('restore', () => {
  it('overwrites no file that came to its place meanwhile', async () => {
    await using memory = await OpenMemory.make();
    const file = memory.path((await memory.keep('Standups are held at nine.'), memory.items()[0] ?? ''));
    const [, id = ''] = /\.([^.]+)\.md$/.exec(file) ?? [];
    await forget(memory, id);
    const note = 'A note that no commit has.\n';
    memory.write(file.slice(memory.root.length + 1), note);
    await expect(memory.app.restore(id, null)).rejects.toThrow(/another file is at/);
    expect(readFileSync(file, 'utf8')).toBe(note);
  });

  it('takes an item back to the space that it was in at that moment', async () => {
    await using memory = await OpenMemory.make();
    await memory.app.addSpace({ name: 'acme' });
    const id = await memory.keep('Acme signs users in with Auth0.', 'acme');
    const [before = ''] = memory.items();
    const then = (await memory.app.status()).head ?? '';
    const text = readFileSync(memory.path(before), 'utf8');
    rmSync(memory.path(before));
    // As a person moves it: by hand, to the personal items.
    memory.write('personal/auth0.md', text.replace('space: acme\n', ''));
    const later = await memory.open();
    await later.restore(id, then);
    expect(await later.locate(id)).toMatchObject({ path: before, item: { space: 'acme' } });
    expect((await later.status()).quarantined).toEqual([]);
  });
});
