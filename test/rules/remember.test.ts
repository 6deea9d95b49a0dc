// The rules of DESIGN §3 that need more than one value: files, commits, several processes, clients.

import { describe, expect, it, vi } from 'vitest';
import { describeRefusal } from '../../src/memory/refusal.ts';
import { remember } from '../../src/service/remember.ts';
import { userSession } from '../../src/service/sessions.ts';
import { InProcessMemory } from '../in-process-memory.ts';
import { MemoryScene } from '../memory-scene.ts';

describe('rule 1: who and where', () => {
  it('an agent in a folder writes the space of that folder, and says so', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect({ project: await memory.space('acme') });
    const answer = await agent.remember('Acme signs users in with Auth0.');
    expect(answer.text).toMatch(/^Saved as \w{8} \(fact, space acme\)\.\nSpace: acme$/);
    expect(memory.items()).toEqual([expect.stringMatching(/^spaces\/acme\/2026-09\/acme-signs-.*\.md$/)]);
  });

  it('an agent that is denied its space gets an error on every write, and nothing is saved elsewhere', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect({ project: await memory.space('acme'), name: 'codex' });
    const personal = await (await memory.connect()).keep('Users indent with tabs.');
    await memory.app.changePolicy('codex', 'acme', 'deny');
    for (const [tool, given] of [
      ['remember', { text: 'Acme signs users in with Auth0.' }],
      ['remember', { text: 'The user indents with spaces.', space: 'personal' }],
      ['remember', { text: 'The user indents with spaces.', supersedes: [personal] }],
      ['forget', { id: personal }],
    ] as const) {
      const answer = await agent.call(tool, given);
      expect(answer).toMatchObject({ isError: true, meta: {} });
      expect(answer.text).toMatch(/^Nothing was changed: this folder has no space you can write to\./);
    }
    expect(memory.items()).toHaveLength(1);
    expect(await agent.recall('How do users indent?')).toContain(personal);
  });

  it('a personal write from inside a space is listed in `stet review` until the user has seen it', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect({ project: await memory.space('acme') });
    const id = await agent.keep('Users indent with tabs.', { space: 'personal' });
    expect(await memory.app.listReview()).toMatchObject([{ kind: 'unseen', item: { id } }]);
    // In force meanwhile, everywhere.
    expect(await (await memory.connect()).recall('How do users indent?')).toContain(id);
    await memory.app.settleReview(id, 'accept');
    expect(await memory.app.listReview()).toEqual([]);
    expect(await agent.recall('How do users indent?')).toContain(id);
  });

  it('a personal write that names the space by its name, an old name or its repository is refused', async () => {
    await using memory = await InProcessMemory.make();
    const project = await memory.space('acme');
    await memory.app.addSpace({ name: 'acme', remote: 'git@github.com:acme-inc/shop.git' });
    await memory.app.renameSpace('acme', 'initrode');
    const agent = await memory.connect({ project });
    for (const name of ['Initrode', 'Acme', 'acme-inc/shop', 'github.com/acme-inc/shop']) {
      const answer = await agent.remember(`The user writes short messages for ${name}.`, { space: 'personal' });
      expect(answer.text, name).toMatch(/so it belongs to the space initrode, not to personal/);
    }
    expect(memory.items()).toEqual([]);
  });
});

describe('rule 2: fit to keep', () => {
  it.each([
    { text: '' },
    { text: 'x'.repeat(2_001) },
    { text: 'Acme deploys tomorrow.' },
    { text: `The token is ${['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_')}.` },
    { text: 'A runbook.', target: `https://user:${['hunter2', 'Xk9'].join('-')}@db.example.com/runbook` },
    { text: 'A plan.', until: '2026-02-30' },
  ])('what is refused touches neither the disk nor the history: $text', async (request) => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const before = memory.git('log', '--format=%H');
    const answer = await agent.remember(request.text, request);
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toMatch(/^Nothing was saved: /);
    expect(memory.git('log', '--format=%H')).toBe(before);
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  it('a text that is too long is refused for that, and nothing of it is looked into', async () => {
    await using memory = await InProcessMemory.make();
    const request = {
      text: 'word '.repeat(500),
      get target(): string {
        throw new Error('looked into');
      },
    };
    expect(await memory.app.remember(await memory.session(null), request)).toMatchObject({
      status: 'refused',
      refusal: { code: 'too-long' },
    });
  });

  it.each([
    { more: { target: `https://wiki.test/${'x'.repeat(2_000)}` }, says: 'the target has 2018 characters' },
    { more: { tags: ['login', 'x'.repeat(101)] }, says: 'a tag has 101 characters' },
    { more: { tags: Array.from({ length: 21 }, (_, place) => `tag${place}`) }, says: 'there would be 21 tags' },
  ])('more than an item may have is refused: $says', async ({ more, says }) => {
    await using memory = await InProcessMemory.make();
    const session = await memory.app.userSession({});
    const before = memory.git('rev-parse', 'HEAD');
    const result = await memory.app.remember(session, { text: 'The runbook is in the wiki.', ...more });
    expect(result).toMatchObject({ status: 'refused', refusal: { code: 'too-much' } });
    expect(result.status === 'refused' ? describeRefusal(result.refusal) : '').toContain(`Nothing was saved: ${says}`);
    expect(memory.git('rev-parse', 'HEAD')).toBe(before);
    const most = { target: 'x'.repeat(2_000), tags: Array.from({ length: 20 }, (_, place) => `${place}`.repeat(50)) };
    expect(await memory.app.remember(session, { text: 'The runbook is in the wiki.', ...most })).toMatchObject({
      status: 'stored',
    });
  });

  it('what only ages is stored with a warning', async () => {
    await using memory = await InProcessMemory.make();
    const answer = await (await memory.connect()).remember('Sessions expire in two weeks.');
    expect(answer).toMatchObject({ isError: false, meta: { status: 'stored' } });
    expect(answer.text).toContain('\nWarning: "in two weeks" is relative');
  });
});

describe('rules 3 and 4: identical and near-identical', () => {
  it('the answer has the id, and says plainly that nothing was saved', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const id = await agent.keep('Standups are held at nine.');
    const identical = await agent.remember('Standups  are held at nine');
    expect(identical).toEqual({
      isError: false,
      meta: { status: 'identical', id },
      text: `Already known as ${id}; nothing needed saving.\nSpace: none (personal only)`,
    });
    const near = await agent.remember('The standups are held at nine!');
    expect(near).toMatchObject({ isError: false, meta: { status: 'near-identical', id } });
    expect(near.text).toMatch(
      new RegExp(`^Nothing was saved: ${id} says nearly the same\\.\n=== \\w{8} the stored item`),
    );
    expect(near.text).toContain(
      `call again with supersedes ["${id}"]; if both are true and differ, with keep_both true`,
    );
    expect(memory.items()).toHaveLength(1);
    await agent.keep('The standups are held at nine!', { keep_both: true });
    expect(memory.items()).toHaveLength(2);
  });

  it('what a similar list advises works: the new text again replaces the older, and none of the two stays', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const older = await agent.keep('Standups are held at nine.', { kind: 'decision' });
    const first = await agent.remember('Standups are held at ten.', { kind: 'decision', as_of: '2026-09-01' });
    expect(first.text).toContain('remember the new text again with supersedes');
    const again = await agent.remember('Standups are held at ten.', { supersedes: [older] });
    expect(again.text).toContain(`\nSuperseded: ${older}, ${String(first.meta['id'])}.\n`);
    const answer = await agent.recall('Are standups held at ten or at nine?');
    const facts = answer.split('\n').filter((line) => line.startsWith('- '));
    expect(facts).toEqual([expect.stringMatching(/· decision · .* · as of 2026-09-01 · Standups are held at ten\.$/)]);
    const retry = await agent.remember('Standups are held at ten.', { supersedes: [older] });
    expect(retry.meta).toEqual({ status: 'identical', id: again.meta['id'] });
  });

  it('a duplicate gives back what else the call was to replace', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const id = await agent.keep('Standups are held at nine.');
    const other = await agent.keep('The team meets in the kitchen.');
    const near = await agent.remember('The standups are held at nine!', { supersedes: [other] });
    expect(near.text).toContain(`call again with supersedes ["${id}", "${other}"]`);
  });

  it('of two processes that store one sentence at once, one does', async () => {
    await using memory = await InProcessMemory.make();
    const agents = await Promise.all(
      [1, 2, 3].map(async (n) => memory.connect({ name: `agent ${n}`, app: await memory.open() })),
    );
    const answers = await Promise.all(agents.map((agent) => agent.remember('Standups are held at nine.')));
    const statuses = answers.map(({ meta }) => String(meta['status'])).sort();
    expect(statuses).toEqual(['identical', 'identical', 'stored']);
    expect(new Set(answers.map(({ meta }) => meta['id'])).size).toBe(1);
    expect(memory.items()).toHaveLength(1);
  });

  it('a decision can be reverted: the text of a superseded item is new', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const okta = await agent.keep('Users sign in with Okta.');
    const auth0 = await agent.keep('Users sign in with Auth0.', { supersedes: [okta] });
    const again = await agent.keep('Users sign in with Okta.', { supersedes: [auth0] });
    expect(again).not.toBe(okta);
    const answer = await agent.recall('How do users sign in?');
    expect(answer).toContain(again);
    expect(answer).not.toContain(okta);
    expect(answer).not.toContain('Auth0');
  });
});

describe('rule 5: supersedes', () => {
  it('leaves the superseded file untouched, byte for byte', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const okta = await agent.keep('Users sign in with Okta.');
    const [path = ''] = memory.items();
    const before = memory.read(path);
    await agent.keep('Users sign in with Auth0.', { supersedes: [okta] });
    expect(memory.read(path)).toBe(before);
    expect(memory.git('log', '-1', '--format=%s', '--name-status')).toMatch(/^supersede: .*\n\nA\t[^\n]+\n$/);
  });

  it('a target that another process superseded between the check and the write is refused, with the new head', async () => {
    await using memory = await InProcessMemory.make();
    const [one, two] = [await memory.connect(), await memory.connect({ app: await memory.open() })];
    const okta = await one.keep('Users sign in with Okta.');
    const [first, second] = await Promise.all([
      one.remember('Users sign in with Auth0.', { supersedes: [okta] }),
      two.remember('Users sign in with passkeys alone.', { supersedes: [okta] }),
    ]);
    const [stored, refused] = first.isError ? [second, first] : [first, second];
    expect(stored.meta).toMatchObject({ status: 'stored' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain(`${okta} is already superseded. Supersede the newest of its chain instead`);
    expect(refused.text).toContain(String(stored.meta['id']));
    expect(memory.items()).toHaveLength(2);
  });

  it('a target that a hand edit superseded while similar items were looked for is refused', async () => {
    await using scene = await MemoryScene.open();
    const { memory } = scene;
    scene.writeItem('personal/okta.md', { id: 'k1v9q2m7', text: 'Users sign in with Okta.' });
    await scene.notice();
    const similar = memory.index.similar.bind(memory.index);
    const search = vi.spyOn(memory.index, 'similar').mockImplementation(async (request) => {
      const found = await similar(request);
      // The first search is before the lock, the second one behind it.
      if (search.mock.calls.length < 2) return found;
      scene.writeItem('personal/auth0.md', {
        id: 'a1v9q2m7',
        text: 'Users sign in with Auth0.',
        supersedes: ['k1v9q2m7'],
      });
      await scene.notice();
      return found;
    });
    const session = await userSession(memory, { space: 'personal' });
    const request = { text: 'Users sign in with passkeys alone.', supersedes: ['k1v9q2m7'] };
    expect(await remember(memory, session, request)).toMatchObject({
      status: 'refused',
      refusal: { code: 'already-superseded', heads: [{ id: 'a1v9q2m7' }] },
    });
  });

  it('several are replaced at once, or none', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const old = [await agent.keep('Users sign in with Okta.'), await agent.keep('The shop keeps sessions in Redis.')];
    const refused = await agent.remember('Login moved to Auth0.', { supersedes: [...old, 'zzzzzzzz'] });
    expect(refused.text).toContain('there is no item zzzzzzzz here');
    expect(memory.items()).toHaveLength(2);
    const answer = await agent.remember('Login moved to Auth0.', { supersedes: old });
    expect(answer.text).toContain(`Superseded: ${old.join(', ')}.`);
    const shown = await agent.call('read', { id: String(answer.meta['id']) });
    for (const id of old) expect(shown.text).toContain(`replaced ${id}`);
  });

  it('a personal item that a space shadows stays current everywhere else', async () => {
    await using memory = await InProcessMemory.make();
    const [acme, globex] = [await memory.space('acme'), await memory.space('globex')];
    const inAcme = await memory.connect({ project: acme });
    const others = [await memory.connect({ project: globex }), await memory.connect()];
    const tabs = await inAcme.keep('Users indent with tabs.', { space: 'personal' });
    // What a recall kept of the personal items must not outlive what is stored in the space.
    expect(await inAcme.recall('How do users indent?')).toContain(tabs);
    const spaces = await inAcme.keep('Users indent with spaces here.', { space: 'acme', supersedes: [tabs] });
    const answer = await inAcme.recall('How do users indent?');
    expect(answer).toContain(spaces);
    expect(answer).not.toContain(tabs);
    for (const other of others) {
      const there = await other.recall('How do users indent?');
      expect(there).toContain(tabs);
      expect(there).not.toContain(spaces);
      expect((await other.call('read', { id: tabs })).text).toMatch(new RegExp(`^${tabs}: current\\.`));
    }
  });

  it('a circle that a merge made counts for nothing, and is shown to the user', async () => {
    await using memory = await InProcessMemory.make();
    await memory.edit('personal/a.md', '---\nid: "a1v9q2m7"\nsupersedes: b1v9q2m7\n---\nUsers sign in with Okta.\n');
    await memory.edit('personal/b.md', '---\nid: "b1v9q2m7"\nsupersedes: a1v9q2m7\n---\nUsers sign in with Auth0.\n');
    const answer = await (await memory.connect()).recall('How do users sign in?');
    expect(answer).toContain('a1v9q2m7');
    expect(answer).toContain('b1v9q2m7');
    expect(await memory.app.listReview()).toContainEqual({ kind: 'cycle', ids: ['a1v9q2m7', 'b1v9q2m7'] });
  });

  it('two that supersede one after a merge are both current and marked as contradicting each other', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const okta = await agent.keep('Users sign in with Okta.');
    for (const [id, name] of [
      ['a1v9q2m7', 'Auth0'],
      ['b1v9q2m7', 'Clerk'],
    ]) {
      await memory.edit(
        `personal/${name}.md`,
        `---\nid: "${id}"\nsupersedes: ${okta}\n---\nUsers sign in with ${name}.\n`,
      );
    }
    const answer = await agent.recall('How do users sign in?');
    expect(answer).toContain('Auth0. (contradicts b1v9q2m7: ask the user which holds)');
    expect(answer).toContain('Clerk. (contradicts a1v9q2m7: ask the user which holds)');
    expect(await memory.app.listReview()).toMatchObject([
      { kind: 'contradiction', items: [{ id: 'a1v9q2m7' }, { id: 'b1v9q2m7' }] },
    ]);
    await agent.keep('Users sign in with passkeys.', { supersedes: ['a1v9q2m7', 'b1v9q2m7'] });
    expect(await memory.app.listReview()).toEqual([]);
  });
});

describe('rule 6: similar', () => {
  it('the statement is stored, and the answer lists ids and texts of what is similar', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const old = await agent.keep('Acme runs Postgres 15.');
    const answer = await agent.remember('Acme runs Postgres 16.');
    expect(answer.meta).toMatchObject({ status: 'stored' });
    expect(answer.text).toMatch(
      new RegExp(`similar items, still current: data ===\n- ${old} .* Acme runs Postgres 15\\.\n`),
    );
    expect(answer.text).toContain('remember the new text again with supersedes, or forget the older');
  });
});

describe('rule 7: instructions', () => {
  it('storing one lists every instruction in force for the session, and for no other', async () => {
    await using memory = await InProcessMemory.make();
    const inAcme = await memory.connect({ project: await memory.space('acme') });
    const inGlobex = await memory.connect({ project: await memory.space('globex') });
    await inGlobex.keep('Globex wants tests first.', { kind: 'instruction' });
    await (await memory.connect()).keep('Answer in English.', { kind: 'instruction' });
    memory.now = new Date(memory.now.getTime() + 1_000);
    const answer = await inAcme.remember('Never push on Friday.', { kind: 'instruction' });
    const [, listed = ''] = /standing instructions now in force ===\n(.*)\n=== \w{8} end ===/s.exec(answer.text) ?? [];
    expect(listed.split('\n').map((line) => line.split(' · ').at(-1))).toEqual([
      'Answer in English.',
      'Never push on Friday.',
    ]);
  });
});

describe('rule 8: the source', () => {
  it('is the client’s own name, on one line, whatever the arguments say', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect({ name: 'Claude\nCode\u202e   9' });
    const id = await agent.keep('Standups are held at nine.', { source: 'the user', agent: 'codex' });
    const [path = ''] = memory.items();
    expect(memory.read(path)).toContain('\nsource: Claude Code 9\n');
    expect((await agent.call('read', { id })).text).toContain(' · Claude Code 9 · ');
    expect(memory.git('log', '-1', '--format=%an %(trailers:key=Stet-Agent)')).toMatch(
      /^claude-code-9 Stet-Agent: claude-code-9/,
    );
  });

  it('is `unknown` for a client without a name, and for one that calls itself `*` or `user`', async () => {
    await using memory = await InProcessMemory.make();
    for (const name of ['*', '', 'User']) {
      const agent = await memory.connect({ name });
      await agent.keep(`Client ${JSON.stringify(name)} was here.`, { keep_both: true });
    }
    expect(memory.git('log', '-3', '--format=%an')).toBe('unknown\nunknown\nunknown\n');
  });
});

describe('acknowledged', () => {
  it('means on disk and committed, one commit of one path with the agent as its author', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect({ project: await memory.space('acme'), name: 'codex-mcp-client' });
    const id = await agent.keep('Acme signs users in with Auth0.', { kind: 'decision' });
    expect(memory.git('status', '--porcelain')).toBe('');
    expect(memory.git('log', '-1', '--format=%an|%s|%(trailers:only,unfold,separator=%x2C)')).toBe(
      `codex|remember: Acme signs users in with Auth0.|Stet-Agent: codex,Stet-Space: acme,Stet-Item: ${id}\n`,
    );
    memory.git('fsck', '--strict');
  });

  it('means on disk where git is busy, and the answer says that the commit waits', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const head = memory.git('rev-parse', 'HEAD');
    await memory.edit('.git/MERGE_HEAD', head);
    const answer = await agent.remember('Standups are held at nine.');
    expect(answer.text).toMatch(
      /^Saved as \w{8} \(fact, personal\) \(commit pending; the user sees why with `stet status`\)\./,
    );
    expect(await agent.recall('Are standups held at nine?')).toContain(String(answer.meta['id']));
    expect((await memory.app.status()).waiting).toMatchObject([{ reason: 'a merge is in progress' }]);
    await memory.edit('.git/MERGE_HEAD', null);
    await agent.keep('Retrospectives are on Fridays.');
    expect((await memory.app.status()).waiting).toEqual([]);
    expect(memory.git('log', '-2', '--format=%s')).toBe(
      'remember: Retrospectives are on Fridays.\nremember: Standups are held at nine.\n',
    );
  });

  it('tells no agent which file of another space git stumbles over', async () => {
    await using memory = await InProcessMemory.make();
    const inAcme = await memory.connect({ project: await memory.space('acme') });
    const inGlobex = await memory.connect({ project: await memory.space('globex') });
    await inGlobex.keep('Globex signs users in with Clerk.');
    const [path = ''] = memory.items();
    const blob = memory.git('rev-parse', `HEAD:${path}`).trim();
    // As a conflict stands in the index that nobody has resolved.
    const stages = [1, 2, 3].map((stage) => `100644 ${blob} ${stage}\t${path}\n`).join('');
    await memory.idle();
    memory.gitWith(stages, 'update-index', '--index-info');
    const answer = await inAcme.remember('Acme signs users in with Auth0.');
    expect(answer.text).toContain('commit pending');
    expect(answer.text).not.toMatch(/globex|clerk/i);
    expect((await memory.app.status()).waiting).toMatchObject([{ reason: expect.stringContaining(path) as string }]);
  });
});
