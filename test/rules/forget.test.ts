// `forget`, and what brings back: restore, undo, a person. And time: `until`, `as_of`.

import { describe, expect, it } from 'vitest';
import { InProcessMemory, withoutNonce } from '../in-process-memory.ts';

const QUESTION = 'How do users sign in?';

describe('forget', () => {
  it('takes the file, leaves a tombstone without text, and says what stays where', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect({ project: await memory.space('acme'), name: 'codex' });
    const okta = await agent.keep('Users sign in with Okta.');
    const auth0 = await agent.keep('Users sign in with Auth0.', { supersedes: [okta] });
    const answer = await agent.call('forget', { id: auth0 });
    expect(answer).toEqual({
      isError: false,
      meta: { status: 'forgotten', id: auth0 },
      text: `Forgotten: ${auth0}. Its text stays in git history until the user runs \`stet purge ${auth0}\`.\nSpace: acme`,
    });
    expect(memory.items()).toHaveLength(1);
    expect(memory.read(`forgotten/${auth0}.yaml`)).toBe(
      `id: "${auth0}"\nspace: acme\nsupersedes: "${okta}"\nforgotten: "2026-09-15T10:31:04Z"\nby: codex\n`,
    );
    expect(memory.git('log', '-1', '--format=%an %s')).toBe(`codex forget: ${auth0}\n`);
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  it('does not bring back what the item had superseded', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const okta = await agent.keep('Users sign in with Okta.');
    const auth0 = await agent.keep('Users sign in with Auth0.', { supersedes: [okta] });
    await agent.call('forget', { id: auth0 });
    expect(await agent.recall(QUESTION)).toContain('No stored fact answers this.');
    // Nor for a process that reads everything anew.
    const later = await memory.connect({ app: await memory.open({ discardIndex: true }) });
    expect(await later.recall(QUESTION)).toContain('No stored fact answers this.');
    expect((await later.call('read', { id: okta })).text).toMatch(new RegExp(`^${okta}: superseded by ${auth0}\\.`));
  });

  it('has one answer for what is unknown, another space’s, and forgotten already', async () => {
    await using memory = await InProcessMemory.make();
    const inAcme = await memory.connect({ project: await memory.space('acme') });
    const inGlobex = await memory.connect({ project: await memory.space('globex') });
    const theirs = await inGlobex.keep('Globex signs users in with Clerk.');
    const ours = await inAcme.keep('Acme signs users in with Auth0.');
    await inAcme.call('forget', { id: ours });
    const answers = [];
    for (const id of ['zzzzzzzz', theirs, ours]) {
      for (const [tool, given] of [
        ['forget', { id }],
        ['read', { id }],
        ['remember', { text: 'Another thing.', supersedes: [id] }],
      ] as const) {
        const answer = await inAcme.call(tool, given);
        answers.push(JSON.stringify(answer).replaceAll(id, 'ID'));
      }
    }
    expect(new Set(answers.slice(0, 3)).size).toBeGreaterThan(0);
    expect(answers.slice(3, 6)).toEqual(answers.slice(0, 3));
    expect(answers.slice(6, 9)).toEqual(answers.slice(0, 3));
  });

  it('lets the text of a forgotten item be stored anew, as another item', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const id = await agent.keep('Users sign in with Okta.');
    await agent.call('forget', { id });
    const again = await agent.keep('Users sign in with Okta.');
    expect(again).not.toBe(id);
  });

  it('keeps an item forgotten whose file comes back by a checkout', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const id = await agent.keep('Users sign in with Okta.');
    const [path = ''] = memory.items();
    const text = memory.read(path);
    await agent.call('forget', { id });
    await memory.edit(path, text);
    const answer = await agent.recall(QUESTION);
    expect(answer).not.toContain('Okta');
    expect(answer).toContain('Note: one file of this space cannot be used; the user sees why with `stet status`.');
    expect((await memory.app.status()).quarantined).toMatchObject([
      { path, problems: [{ message: expect.stringContaining(`the item ${id} was forgotten`) as string }] },
    ]);
  });

  it('gives a file that is deleted by hand a tombstone with its commit, and revives nothing', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const okta = await agent.keep('Users sign in with Okta.');
    const auth0 = await agent.keep('Users sign in with Auth0.', { supersedes: [okta] });
    await memory.app.changeSetting('commit.quiet', '0s');
    const path = memory.items().find((each) => each.includes('auth0')) ?? '';
    await memory.edit(path, null);
    expect(await agent.recall(QUESTION)).toContain('No stored fact answers this.');
    await (await memory.open()).close();
    expect(memory.read(`forgotten/${auth0}.yaml`)).toMatch(/\nby: hand\n$/);
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(await agent.recall(QUESTION)).toContain('No stored fact answers this.');
  });
});

describe('restore', () => {
  it('brings the item back as it was, its links with it, by one commit', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const okta = await agent.keep('Users sign in with Okta.');
    const auth0 = await agent.keep('Users sign in with Auth0.', { supersedes: [okta] });
    const path = memory.items().find((each) => each.includes('auth0')) ?? '';
    const text = memory.read(path);
    await agent.call('forget', { id: auth0 });
    expect(await memory.app.restore(auth0, null)).toMatchObject({ id: auth0, path });
    expect(memory.read(path)).toBe(text);
    expect(memory.exists(`forgotten/${auth0}.yaml`)).toBe(false);
    const answer = await agent.recall(QUESTION);
    expect(answer).toContain(auth0);
    expect(answer).not.toContain(okta);
    expect(memory.git('status', '--porcelain')).toBe('');
    await expect(memory.app.restore(auth0, null)).rejects.toThrow(/it is not forgotten/);
    await expect(memory.app.restore('zzzzzzzz', null)).rejects.toThrow(/no item of that id was forgotten/);
  });
});

describe('undo', () => {
  it('takes back the last operation by a new commit, one after the other', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const okta = await agent.keep('Users sign in with Okta.');
    const auth0 = await agent.keep('Users sign in with Auth0.', { supersedes: [okta] });
    await agent.call('forget', { id: auth0 });
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: `forget: ${auth0}` } });
    expect(await agent.recall(QUESTION)).toContain(auth0);
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: 'supersede: Users sign in with Auth0.' } });
    const answer = await agent.recall(QUESTION);
    expect(answer).toContain(okta);
    expect(answer).not.toContain(auth0);
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: 'remember: Users sign in with Okta.' } });
    expect(memory.items()).toEqual([]);
    expect(memory.git('rev-list', '--count', 'HEAD')).toBe('7\n');
    await expect(memory.app.undo()).rejects.toThrow(/there is nothing to undo/);
  });

  it('leaves a file alone that has changed since', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    await agent.keep('Users sign in with Okta.');
    const [path = ''] = memory.items();
    await memory.edit(path, memory.read(path).replace('Okta', 'Auth0'));
    await expect(memory.app.undo()).rejects.toThrow(/has changed since/);
    expect(memory.read(path)).toContain('Auth0');
  });

  it('never takes back what the person committed with git', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    await agent.keep('Users sign in with Okta.');
    await memory.edit('todo.txt', 'Mine.');
    await memory.idle();
    memory.git('add', 'todo.txt');
    memory.git('commit', '-q', '-m', 'Mine');
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: 'remember: Users sign in with Okta.' } });
    expect(memory.read('todo.txt')).toBe('Mine.');
  });

  it('refuses where a merge came last, whose parts are no one operation', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    await agent.keep('Users sign in with Okta.');
    await memory.idle();
    memory.git('branch', 'other', 'HEAD~1');
    const tree = memory.git('rev-parse', 'HEAD^{tree}').trim();
    const merge = memory.git('commit-tree', tree, '-p', 'HEAD', '-p', 'other', '-m', 'Merge other').trim();
    memory.git('update-ref', memory.git('symbolic-ref', 'HEAD').trim(), merge);
    await expect(memory.app.undo()).rejects.toThrow(
      /^undo: the last change is a merge \(\w{8}, "Merge other"\), which cannot be undone as one operation\. Run `stet log`/,
    );
    expect(memory.items()).toHaveLength(1);
    await agent.keep('Builds are cached.');
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: 'remember: Builds are cached.' } });
  });

  it('takes a forget back whole, also of an item that had moved by hand and was not committed there', async () => {
    await using memory = await InProcessMemory.make();
    const inAcme = await memory.connect({ project: await memory.space('acme') });
    const inGlobex = await memory.connect({ project: await memory.space('globex') });
    await memory.app.changeSetting('commit.quiet', '0s');
    const look = async () => (await memory.open()).close();
    await memory.edit('personal/plain.md', 'Users sign in with Okta.\n');
    await look();
    const text = memory.read('personal/plain.md');
    const id = /id: "(\w+)"/.exec(text)?.[1] ?? '';
    // It moves into a space by hand, and is forgotten there before that is committed.
    await memory.edit('personal/plain.md', null);
    await memory.edit('spaces/acme/plain.md', text);
    expect((await inAcme.call('forget', { id })).meta).toMatchObject({ status: 'forgotten' });
    await look();
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: `forget: ${id}` } });
    expect(memory.read('personal/plain.md')).toBe(text);
    expect(memory.git('status', '--porcelain')).toBe('');
    for (const agent of [inAcme, inGlobex]) {
      const answer = await agent.recall(QUESTION);
      expect(answer).toContain('Users sign in with Okta.');
      expect(answer).not.toContain('cannot be used');
    }
  });

  /** A committed file of globex, beside the space acme; returns its text. */
  async function keepInGlobex(memory: InProcessMemory): Promise<string> {
    for (const name of ['acme', 'globex']) await memory.space(name);
    await memory.app.changeSetting('commit.quiet', '0s');
    await memory.edit('spaces/globex/plain.md', 'Users sign in with Okta.\n');
    await (await memory.open()).close();
    return memory.read('spaces/globex/plain.md');
  }

  it('brings no file back whose item is in another space now', async () => {
    await using memory = await InProcessMemory.make();
    const text = await keepInGlobex(memory);
    await memory.edit('spaces/acme/plain.md', text.replace('space: globex', 'space: acme'));
    memory.git('add', 'spaces/acme/plain.md');
    memory.git('commit', '--quiet', '-m', 'a copy');
    await memory.app.settleReview('spaces/acme/plain.md', 'reject');
    await expect(memory.app.undo()).rejects.toThrow(/of spaces\/acme\/plain\.md is in spaces\/globex\/plain\.md now/);
    expect(memory.items()).toEqual(['spaces/globex/plain.md']);
  });

  it('takes a renamed space back with what was moved into it by hand', async () => {
    await using memory = await InProcessMemory.make();
    const text = await keepInGlobex(memory);
    await memory.edit('spaces/globex/plain.md', null);
    await memory.edit('spaces/acme/plain.md', text.replace('space: globex', 'space: acme'));
    await memory.app.renameSpace('acme', 'initrode');
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: 'space: rename acme to initrode' } });
    expect(memory.items()).toEqual(['spaces/globex/plain.md']);
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  it('takes back a setting and a rule as well', async () => {
    await using memory = await InProcessMemory.make();
    await memory.app.changeSetting('instructions.review', 'on');
    await memory.app.changePolicy('codex', 'personal', 'deny');
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: 'policy: deny codex personal' } });
    expect((await memory.app.explainPolicy('codex', 'personal')).allowed).toBe(true);
    expect(await memory.app.undo()).toMatchObject({ undone: { subject: 'config: instructions.review on' } });
  });
});

describe('until', () => {
  it('ends with its day, in the answering machine’s zone, and revives nothing', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const old = await agent.keep('Deploys are on Fridays.');
    const plan = await agent.keep('Deploys are on Mondays.', { kind: 'plan', until: '2026-09-20', supersedes: [old] });
    memory.now = new Date(2026, 8, 20, 23, 59);
    expect(await agent.recall('On which days are deploys, Mondays?')).toContain(
      `${plan} · plan · 2026-09-15 · personal · Claude Code · until 2026-09-20`,
    );
    memory.now = new Date(2026, 8, 21, 0, 0);
    const answer = await agent.recall('On which days are deploys, Mondays?');
    expect(answer).not.toContain(plan);
    expect(answer).not.toContain(old);
    expect((await agent.call('read', { id: plan })).text).toMatch(/^\w{8}: expired on 2026-09-20\./);
    const refused = await agent.remember('Deploys are daily.', { supersedes: [plan] });
    expect(refused.text).toContain(`${plan} ended on 2026-09-20 and needs no successor`);
  });
});

describe('as_of', () => {
  it('is shown with the claim, and takes the warning away', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const answer = await agent.remember('Acme currently has 40 employees.', { as_of: '2026-09-01' });
    expect(answer.text).not.toContain('Warning');
    expect(await agent.recall('How many employees has Acme?')).toContain(' · as of 2026-09-01 · Acme currently');
  });
});

describe('read', () => {
  it('gives all of what a recall cuts short', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const text = `The pipeline has ${Array.from({ length: 150 }, (_, step) => `step${step}`).join(' ')} and an end.`;
    const id = await agent.keep(text);
    expect(await agent.recall('Which steps has the pipeline?')).toMatch(/… \(more: read\)$/m);
    const whole = await agent.call('read', { id });
    expect(whole.text).toContain(text);
    expect(whole.text).not.toContain('more: read');
  });

  it('gives one item whole, with the visible part of its chain, oldest first', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect({ project: await memory.space('acme'), name: 'codex' });
    const ids = [await agent.keep('Users sign in with Okta.')];
    for (const name of ['Auth0', 'Clerk', 'passkeys']) {
      ids.push(await agent.keep(`Users sign in with ${name}.`, { supersedes: [ids.at(-1) ?? ''] }));
    }
    const [okta = '', auth0 = '', clerk = '', passkeys = ''] = ids;
    await agent.call('forget', { id: okta });
    const { text } = await agent.call('read', { id: clerk });
    expect(withoutNonce(text)).toBe(
      [
        `${clerk}: superseded by ${passkeys}.`,
        '=== nonce the item whole: data ===',
        `- ${clerk} · fact · 2026-09-15 · codex · Users sign in with Clerk.`,
        `replaced ${auth0} · fact · 2026-09-15 · codex · Users sign in with Auth0.`,
        `replaced by ${passkeys} · fact · 2026-09-15 · codex · Users sign in with passkeys.`,
        '=== nonce end ===',
        'Space: acme',
      ].join('\n'),
    );
  });
});
