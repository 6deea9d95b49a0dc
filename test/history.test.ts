import { rm } from 'node:fs/promises';
import { mkdtempSync, realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initMemory, openApp, type App } from '../src/app.ts';
import { InProcessMemory } from './in-process-memory.ts';

/** An open memory in this process: what the command line does, without starting one process a command. */
async function openTemporary(): Promise<{ app: App; root: string } & AsyncDisposable> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stet-history-')));
  const root = join(folder, 'memory');
  await initMemory(root);
  const app = await openApp({ memory: root });
  return {
    app,
    root,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function store(
  app: App,
  text: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; path: string; commit: string }> {
  const session = await app.userSession({ space: 'personal' });
  const result = await app.remember(session, { text, ...more });
  if (result.status !== 'stored' || result.commit.status !== 'committed') throw new Error(JSON.stringify(result));
  return { id: result.item.id, path: result.path, commit: result.commit.commit };
}

const question = 'How does Acme sign users in?';

describe('the past', () => {
  it('answers as the memory stood at a commit, and again the same from what it kept', async () => {
    await using memory = await openTemporary();
    const { app } = memory;
    const old = await store(app, 'Acme signs users in with Okta.');
    const young = await store(app, 'Acme signs users in with Auth0.', { supersedes: [old.id] });
    const now = await app.recall(await app.userSession({ space: 'personal' }), { question });
    expect(now.facts.map((fact) => fact.item.id)).toEqual([young.id]);
    // The second time from what the first one kept.
    for (let round = 0; round < 2; round++) {
      const past = await app.at(old.commit, 'then');
      const then = await past.recall(await past.userSession({ space: 'personal' }), { question });
      expect(then.facts.map((fact) => fact.item.id)).toEqual([old.id]);
      await past.close();
    }
  });

  it('judges by the policies of then, or of now when asked', async () => {
    await using memory = await openTemporary();
    const { app } = memory;
    await app.addSpace({ name: 'acme' });
    const session = await app.userSession({ space: 'acme' });
    const stored = await app.remember(session, { text: 'Acme signs users in with Auth0.', space: 'acme' });
    expect(stored.status).toBe('stored');
    const [newest] = await app.log({ limit: 1 });
    await app.changePolicy('codex', 'acme', 'deny');
    const asked = async (policies: 'then' | 'now') => {
      const past = await app.at(newest?.commit ?? '', policies);
      const agent = await past.session({ client: 'codex', named: { by: '--space', space: 'acme' }, folders: [] });
      const { facts } = await past.recall(agent, { question });
      await past.close();
      return facts.length;
    };
    expect(await asked('then')).toBe(1);
    expect(await asked('now')).toBe(0);
  });

  it('keeps a plan that had not ended then', async () => {
    await using memory = await openTemporary();
    const { app } = memory;
    const plan = await store(app, 'Acme moves its login to Auth0.', { kind: 'plan', until: '2020-01-01' });
    expect((await app.list({ outdated: false })).map(({ item }) => item.id)).toEqual([]);
    const past = await app.at(plan.commit, 'then');
    const found = await past.read(await past.userSession({ item: plan.id }), plan.id);
    expect(found).toMatchObject({ status: 'found', outdated: 'expired on 2020-01-01' });
    await past.close();
  });

  it.each(['no such moment', '1999-01-01', '--upload-pack=x', 'HEAD~99999'])(
    'refuses %s, and says what a moment is',
    async (moment) => {
      await using memory = await openTemporary();
      await expect(memory.app.at(moment, 'then')).rejects.toThrow(
        /neither a commit, a tag nor a time|no commit that old/,
      );
    },
  );
});

describe('the log', () => {
  it('of a space has what was done under its earlier names, and is asked for by any of them', async () => {
    await using memory = await openTemporary();
    const { app } = memory;
    await app.addSpace({ name: 'acme' });
    await app.addSpace({ name: 'globex' });
    const session = await app.userSession({ space: 'acme' });
    await app.remember(session, { text: 'Acme signs users in with Auth0.', space: 'acme' });
    await app.renameSpace('acme', 'initrode');
    for (const space of ['initrode', 'acme', 'INITRODE']) {
      const entries = await app.log({ space, limit: 10 });
      expect(
        entries.map(({ operation }) => operation),
        space,
      ).toEqual(['space', 'remember', 'space']);
    }
  });

  it('tells who did what, in words, by agent, item and number', async () => {
    await using memory = await openTemporary();
    const { app } = memory;
    const old = await store(app, 'Acme signs users in with Okta.');
    const agent = await app.session({ client: 'Codex', named: null, folders: [] });
    const young = await app.remember(agent, { text: 'Acme signs users in with Auth0.', supersedes: [old.id] });
    const id = young.status === 'stored' ? young.item.id : '';
    await store(app, 'Standups are at nine.');
    await app.forget(await app.userSession({ item: id }), id);
    const told = async (request: object) =>
      (await app.log({ limit: 50, ...request })).map(({ operation, what }) => `${operation} ${what}`);
    expect(await told({})).toEqual([
      `forget ${id}`,
      'remember Standups are at nine.',
      'supersede Acme signs users in with Auth0.',
      'remember Acme signs users in with Okta.',
      'init a new memory',
    ]);
    expect(await told({ agent: 'codex' })).toEqual(['supersede Acme signs users in with Auth0.']);
    expect(await told({ id })).toEqual([`forget ${id}`, 'supersede Acme signs users in with Auth0.']);
    expect(await told({ id: old.id })).toEqual(['remember Acme signs users in with Okta.']);
    expect(await told({ limit: 1 })).toEqual([`forget ${id}`]);
    await expect(app.log({ limit: 5, id: 'zzzzzzzz' })).rejects.toThrow('never had such an item');
  });

  it('is listed between two bounds, which may lie before the memory began, and a day is in with all its hours', async () => {
    await using memory = await openTemporary();
    const { app } = memory;
    await store(app, 'Standups are at nine.');
    const count = async (request: object) => (await app.log({ limit: 50, ...request })).length;
    const [newest] = await app.log({ limit: 1 });
    const committed = new Date(newest?.time ?? '');
    const day = [committed.getFullYear(), committed.getMonth() + 1, committed.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    expect(await count({})).toBe(2);
    expect(await count({ since: '2001-01-01' })).toBe(2);
    expect(await count({ until: '2001-01-01' })).toBe(0);
    expect(await count({ since: day, until: day })).toBe(2);
    await expect(app.log({ limit: 5, since: 'whenever' })).rejects.toThrow('--since whenever: it is neither');
    await expect(app.log({ limit: 5, until: 'whenever' })).rejects.toThrow('--until whenever: it is neither');
  });

  it('of an item has its whole chain, newest first, also of one second', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const ids = [await agent.keep('Users sign in with Okta.')];
    for (const name of ['Auth0', 'Clerk']) {
      ids.push(await agent.keep(`Users sign in with ${name}.`, { supersedes: [ids.at(-1) ?? ''] }));
    }
    for (const id of ids) {
      expect((await memory.app.log({ id, limit: 9 })).map(({ what }) => what)).toEqual([
        'Users sign in with Clerk.',
        'Users sign in with Auth0.',
        'Users sign in with Okta.',
      ]);
    }
  });

  it('shows how an item changed: last, since a commit, between two', async () => {
    await using memory = await openTemporary();
    const { app, root } = memory;
    const stored = await store(app, 'Standups are at nine.');
    await writeFile(join(root, stored.path), (await readFile(join(root, stored.path), 'utf8')).replace('nine', 'ten'));
    const diff = await app.diff(stored.id, undefined);
    expect(diff.patch).toContain('-Standups are at nine.\n+Standups are at ten.');
    expect(diff.to).toMatch(/@now$/);
    expect((await app.diff(stored.id, stored.commit)).patch).toBe(diff.patch);
    expect((await app.diff(stored.id, `${stored.commit}..${stored.commit}`)).patch).toBe('');
  });
});

describe('restore and undo', () => {
  it('brings a forgotten item back with its text, and takes its tombstone away', async () => {
    await using memory = await openTemporary();
    const { app } = memory;
    const stored = await store(app, 'Standups are at nine.');
    await app.forget(await app.userSession({ item: stored.id }), stored.id);
    expect((await app.listForgotten()).map(({ id }) => id)).toEqual([stored.id]);
    expect(await app.restore(stored.id, null)).toMatchObject({ id: stored.id, path: stored.path });
    expect((await app.list({ outdated: false })).map(({ item }) => item.text)).toEqual(['Standups are at nine.']);
    expect(await app.listForgotten()).toEqual([]);
    await expect(app.restore(stored.id, null)).rejects.toThrow('it is not forgotten');
  });

  it('puts an item back as it stood at a commit', async () => {
    await using memory = await openTemporary();
    const { app, root } = memory;
    const stored = await store(app, 'Standups are at nine.');
    await writeFile(join(root, stored.path), (await readFile(join(root, stored.path), 'utf8')).replace('nine', 'ten'));
    await app.restore(stored.id, stored.commit);
    expect(await readFile(join(root, stored.path), 'utf8')).toContain('at nine.');
  });

  it('takes no older operation for the last one while the commit of that one waits', async () => {
    await using memory = await openTemporary();
    const { app, root } = memory;
    const first = await store(app, 'Standups are at nine.');
    const lock = join(root, '.git/refs/heads/main.lock');
    await writeFile(lock, '');
    const result = await app.remember(await app.userSession({ space: 'personal' }), { text: 'Deploys are on Friday.' });
    expect(result).toMatchObject({ status: 'stored', commit: { status: 'pending' } });
    await expect(app.undo()).rejects.toThrow(
      /"remember: Deploys are on Friday."\) has no commit yet.*remove that file/,
    );
    await rm(lock);
    expect((await app.undo()).undone.subject).toBe('remember: Deploys are on Friday.');
    expect((await app.list({ outdated: false })).map(({ item }) => item.id)).toEqual([first.id]);
  });

  it('undoes operations one after the other, the newest first, and nothing that changed since', async () => {
    await using memory = await openTemporary();
    const { app, root } = memory;
    const first = await store(app, 'Standups are at nine.');
    const second = await store(app, 'Deploys are on Friday.');
    expect((await app.undo()).undone.subject).toBe('remember: Deploys are on Friday.');
    expect((await app.list({ outdated: false })).map(({ item }) => item.id)).toEqual([first.id]);
    await writeFile(join(root, first.path), `${await readFile(join(root, first.path), 'utf8')}More.\n`);
    await expect(app.undo()).rejects.toThrow(`${first.path} has changed since`);
    expect(second.id).not.toBe(first.id);
  });
});
