import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printRecall } from '../src/memory/answer.ts';
import { OpenMemory } from './open-memory.ts';

describe('the session of an agent', () => {
  it('is never the person, whatever the client calls itself', async () => {
    await using memory = await OpenMemory.make();
    await memory.app.changeSetting('instructions.review', 'on');
    const session = await memory.session('User', null);
    expect(session).toMatchObject({ agent: 'unknown', source: 'unknown' });
    const stored = await memory.app.remember(session, { text: 'Always answer in German.', kind: 'instruction' });
    expect(stored).toMatchObject({ status: 'stored', item: { review: 'waiting' }, instructions: [] });
  });

  it('learns of no other space where it is not clear which one its folder belongs to', async () => {
    await using memory = await OpenMemory.make();
    const folders = ['acme', 'globex'].map((name) => join(memory.folder, `${name}-app`));
    for (const folder of folders) mkdirSync(folder);
    for (const folder of folders)
      await memory.app.addSpace({ name: folder.includes('acme') ? 'acme' : 'globex', folder });
    const request = { named: null, folders: [{ source: 'client roots', folders }] } as const;
    const session = await memory.app.session({ client: 'codex', ...request });
    expect(session.warnings.join(' ')).toContain('globex');
    const { answer } = await memory.app.recall(session, { question: 'How do users sign in?' });
    const text = printRecall(answer, 'nonce');
    expect(text).toContain('stet where');
    expect(text).not.toMatch(/acme|globex/);
    // Of whichever of the two it is: personal, it would reach the other one.
    for (const space of [undefined, 'personal']) {
      const request = { text: 'The client owes three invoices.', ...(space !== undefined && { space }) };
      expect(await memory.app.remember(session, request)).toEqual({
        status: 'refused',
        refusal: { code: 'no-writable-space' },
      });
    }
  });
});
