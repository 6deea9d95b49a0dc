import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OpenMemory } from './open-memory.ts';

describe('renaming a space', () => {
  it('changes no file when one of them cannot be edited', async () => {
    await using memory = await OpenMemory.make();
    await memory.app.addSpace({ name: 'acme' });
    const before = readFileSync(memory.path('spaces.yaml'), 'utf8');
    memory.write('policies.yaml', 'rules: [\n');
    await expect(memory.app.renameSpace('acme', 'corp')).rejects.toThrow(/policies\.yaml:\d+: .*Nothing was changed/s);
    expect(readFileSync(memory.path('spaces.yaml'), 'utf8')).toBe(before);
  });

  it('leaves the files where they are when the names differ by case alone, which most systems hold for one folder', async () => {
    await using memory = await OpenMemory.make();
    await memory.app.addSpace({ name: 'acme' });
    const id = await memory.keep('Acme signs users in with Auth0.', 'acme');
    const before = memory.items();
    expect(await memory.app.renameSpace('acme', 'Acme')).toMatchObject({ name: 'Acme', items: 1 });
    expect(memory.items()).toEqual(before);
    expect(await memory.app.locate(id)).toMatchObject({ item: { space: 'Acme' }, uncommitted: false });
    expect((await memory.app.status()).quarantined).toEqual([]);
  });

  it('overwrites no file that has the new path already', async () => {
    await using memory = await OpenMemory.make();
    await memory.app.addSpace({ name: 'acme' });
    memory.write('spaces/acme/login.md', '---\nid: "k3v9q2m7"\n---\nAcme signs users in with Auth0.\n');
    const first = await memory.open();
    await first.renameSpace('acme', 'corp');
    memory.write('spaces/acme/login.md', '---\nid: "h7wq2c9d"\n---\nAcme pays with Stripe.\n');
    const later = await memory.open();
    await later.renameSpace('corp', 'acme');
    const texts = (await later.list({ space: 'acme', outdated: false })).map(({ item }) => item.text);
    expect(texts.sort()).toEqual(['Acme pays with Stripe.', 'Acme signs users in with Auth0.']);
  });
});

describe('adding a space', () => {
  it('adds none when its folder cannot be written down', async () => {
    await using memory = await OpenMemory.make();
    memory.write('machine.yaml', 'folders: [\n');
    await expect(memory.app.addSpace({ name: 'acme', folder: memory.folder })).rejects.toThrow(/machine\.yaml/);
    expect(await memory.app.listSpaces()).toEqual([]);
    expect(execFileSync('git', ['-C', memory.root, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('');
  });
});
