// What waits for the user: `instructions.review`, `personal.review`, `stet review`.

import { describe, expect, it } from 'vitest';
import { InProcessMemory, type InProcessAgent } from '../in-process-memory.ts';

const ASK = 'What is the capital of France?';

async function scene(setting: 'instructions.review' | 'personal.review'): Promise<{
  memory: InProcessMemory;
  agent: InProcessAgent;
}> {
  const memory = await InProcessMemory.make();
  const agent = await memory.connect({ project: await memory.space('acme') });
  await memory.app.changeSetting(setting, 'on');
  return { memory, agent };
}

describe('with `instructions.review` on', () => {
  it('a new instruction changes nothing until the user accepts it', async () => {
    const { memory, agent } = await scene('instructions.review');
    await using _ = memory;
    const answer = await agent.remember('Always answer in French.', { kind: 'instruction' });
    const id = String(answer.meta['id']);
    expect(answer.text).toContain('It waits for the user (`stet review`) and changes nothing until then.');
    expect(answer.text).not.toContain('standing instructions now in force');
    expect(await agent.recall(ASK)).not.toContain('French');
    expect(await memory.app.listReview()).toMatchObject([{ kind: 'waiting', item: { id } }]);
    await memory.app.settleReview(id, 'accept');
    expect(await agent.recall(ASK)).toContain('Always answer in French.');
    expect(await memory.app.listReview()).toEqual([]);
    expect(memory.git('log', '-1', '--format=%s')).toBe(`review: accept ${id}\n`);
  });

  it('a new instruction that the user rejects is forgotten', async () => {
    const { memory, agent } = await scene('instructions.review');
    await using _ = memory;
    const id = await agent.keep('Always answer in French.', { kind: 'instruction' });
    await memory.app.settleReview(id, 'reject');
    expect(memory.exists(`forgotten/${id}.yaml`)).toBe(true);
    expect(await agent.recall(ASK)).not.toContain('French');
  });

  it('superseding one leaves the old one in force until the user accepts, be the new one a fact', async () => {
    const { memory, agent } = await scene('instructions.review');
    await using _ = memory;
    const user = await memory.app.userSession({ space: 'acme' });
    const kept = await memory.app.remember(user, { text: 'Never push on Friday.', kind: 'instruction' });
    const old = kept.status === 'stored' ? kept.item.id : '';
    expect(await agent.recall(ASK)).toContain('Never push on Friday.');
    for (const kind of ['instruction', 'fact']) {
      const id = await agent.keep(`Push on Friday as ${kind}.`, { kind, supersedes: [old] });
      expect(await agent.recall(ASK)).toContain('Never push on Friday.');
      await memory.app.settleReview(id, 'reject');
      expect(await agent.recall(ASK)).toContain('Never push on Friday.');
    }
    const id = await agent.keep('Push on Friday before noon.', { kind: 'instruction', supersedes: [old] });
    await memory.app.settleReview(id, 'accept');
    const answer = await agent.recall(ASK);
    expect(answer).toContain('Push on Friday before noon.');
    expect(answer).not.toContain('Never push on Friday.');
  });

  it('forgetting one waits: it stays in force until the user accepts, and for good when not', async () => {
    const { memory, agent } = await scene('instructions.review');
    await using _ = memory;
    await memory.app.changeSetting('instructions.review', 'off');
    const id = await agent.keep('Never push on Friday.', { kind: 'instruction' });
    await memory.app.changeSetting('instructions.review', 'on');
    const ask = async () => {
      const answer = await agent.call('forget', { id });
      expect(answer).toEqual({
        isError: false,
        meta: { status: 'waiting', id },
        text: `The user has to agree (\`stet review\`); until then ${id} stays in force.\nSpace: acme`,
      });
      expect(await agent.recall(ASK)).toContain(id);
      expect(await memory.app.listReview()).toMatchObject([
        { kind: 'forget-requested', item: { id }, by: 'Claude Code' },
      ]);
    };
    await ask();
    await memory.app.settleReview(id, 'reject');
    expect(await agent.recall(ASK)).toContain(id);
    expect(await memory.app.listReview()).toEqual([]);
    await ask();
    await memory.app.settleReview(id, 'accept');
    expect(await agent.recall(ASK)).not.toContain(id);
    expect(memory.exists(`forgotten/${id}.yaml`)).toBe(true);
  });

  it('the user’s own instructions and forgetting wait for nobody, nor do facts', async () => {
    const { memory, agent } = await scene('instructions.review');
    await using _ = memory;
    const user = await memory.app.userSession({ space: 'acme' });
    const kept = await memory.app.remember(user, { text: 'Never push on Friday.', kind: 'instruction' });
    const id = kept.status === 'stored' ? kept.item.id : '';
    expect(await agent.recall(ASK)).toContain(id);
    expect(await memory.app.forget(user, id)).toMatchObject({ status: 'forgotten' });
    const fact = await agent.keep('Deploys are on Mondays.');
    expect(await agent.recall('Are deploys on Mondays?')).toContain(fact);
    expect(await agent.call('forget', { id: fact })).toMatchObject({ meta: { status: 'forgotten' } });
  });
});

describe('with `personal.review` on', () => {
  it('what an agent writes as personal from inside a space waits, and what it writes elsewhere does not', async () => {
    const { memory, agent } = await scene('personal.review');
    await using _ = memory;
    const everywhere = await memory.connect();
    const waiting = await agent.keep('Users indent with tabs.', { space: 'personal' });
    for (const asking of [agent, everywhere]) {
      expect(await asking.recall('How do users indent?')).not.toContain(waiting);
    }
    await memory.app.settleReview(waiting, 'accept');
    for (const asking of [agent, everywhere]) {
      expect(await asking.recall('How do users indent?')).toContain(waiting);
    }
    const plain = await everywhere.keep('Users commit in English.');
    expect(await agent.recall('Do users commit in English?')).toContain(plain);
    const own = await agent.keep('Acme deploys on Mondays.');
    expect(await agent.recall('Deploys on Mondays?')).toContain(own);
    expect(await memory.app.listReview()).toEqual([]);
  });
});

describe('stet review', () => {
  it('says what to do where nothing waits', async () => {
    await using memory = await InProcessMemory.make();
    const id = await (await memory.connect()).keep('Standups are held at nine.');
    for (const each of [id, 'zzzzzzzz']) {
      await expect(memory.app.settleReview(each, 'accept')).rejects.toThrow(
        /nothing waits for you at this item.*`stet review`/s,
      );
    }
  });

  it('lists quarantined files with line and reason', async () => {
    await using memory = await InProcessMemory.make();
    await memory.edit('personal/broken.md', '---\nkind: rumour\n---\nA thing.\n');
    expect(await memory.app.listReview()).toMatchObject([
      {
        kind: 'quarantined',
        path: 'personal/broken.md',
        line: 2,
        message: expect.stringContaining('rumour') as string,
        command: 'stet edit personal/broken.md',
      },
    ]);
  });

  it('gives for a broken item, a forgotten one that is back, and a broken tombstone the command that settles it', async () => {
    await using memory = await InProcessMemory.make();
    const agent = await memory.connect();
    const [broken, back, gone] = [
      await agent.keep('Tea is at four.'),
      await agent.keep('Lunch is at noon.'),
      await agent.keep('Invoices go out in May.'),
    ];
    const pathOf = (id: string) => memory.items().find((path) => path.includes(id)) ?? '';
    const [brokenPath, backPath] = [pathOf(broken), pathOf(back)];
    const text = memory.read(backPath);
    for (const id of [back, gone]) await memory.app.forget(await memory.app.userSession({ item: id }), id);
    await memory.edit(brokenPath, `---\nid: "${broken}"\nkind: rumour\n---\nTea is at four.\n`);
    await memory.edit(backPath, text);
    await memory.edit(`forgotten/${gone}.yaml`, 'id: [\n');
    const commands = async () =>
      (await memory.app.listReview()).flatMap((each) =>
        each.kind === 'quarantined' ? [`${each.path}: ${each.command}`] : [],
      );
    expect((await commands()).sort()).toEqual(
      [
        `${brokenPath}: stet edit ${broken}`,
        `${backPath}: stet restore ${back}`,
        `forgotten/${gone}.yaml: git checkout -- forgotten/${gone}.yaml`,
      ].sort(),
    );
    // They do.
    memory.git('checkout', '--', `forgotten/${gone}.yaml`);
    // What a watcher would tell.
    await memory.edit(`forgotten/${gone}.yaml`, memory.read(`forgotten/${gone}.yaml`));
    await memory.app.restore(back, null);
    const before = await memory.app.editableFile(broken);
    await memory.app.saveEdit(before, Buffer.from(new TextDecoder().decode(before.bytes).replace('rumour', 'fact')));
    expect(await commands()).toEqual([]);
  });
});
