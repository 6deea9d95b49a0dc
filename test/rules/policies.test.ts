// Who may see what, through the service and MCP: precedence, names, and failing closed.

import { describe, expect, it } from 'vitest';
import { InProcessMemory, withoutNonce, type InProcessAgent } from '../in-process-memory.ts';
import { until } from '../temporary-memory.ts';

const QUESTION = 'How do users sign in?';

interface Scene {
  readonly memory: InProcessMemory;
  readonly codex: InProcessAgent;
  /** Whether codex sees Acme's item, and a personal one. */
  readonly sees: () => Promise<{ acme: boolean; personal: boolean }>;
}

async function scene(): Promise<Scene> {
  const memory = await InProcessMemory.make();
  const project = await memory.space('acme');
  await memory.space('globex');
  const writer = await memory.connect({ project });
  await writer.keep('Acme signs users in with Auth0.');
  await writer.keep('The user signs in with a passkey.', { space: 'personal' });
  const codex = await memory.connect({ project, name: 'codex-mcp-client' });
  return {
    memory,
    codex,
    sees: async () => {
      const answer = await codex.recall(QUESTION);
      return { acme: answer.includes('Auth0'), personal: answer.includes('passkey') };
    },
  };
}

const BOTH = { acme: true, personal: true };
const PERSONAL_ONLY = { acme: false, personal: true };
const SPACE_ONLY = { acme: true, personal: false };

describe('policies', () => {
  it('allow where no rule speaks', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    expect(await sees()).toEqual(BOTH);
    expect(await memory.app.explainPolicy('codex', 'acme')).toEqual({
      agent: 'codex',
      space: 'acme',
      allowed: true,
      rule: 'no rule speaks of codex and acme, so it is allowed',
    });
  });

  it('are matched from the special to the general: (agent, space), (agent, *), (*, space), (*, *)', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    const { app } = memory;
    await app.changePolicy('*', '*', 'deny');
    expect(await sees()).toEqual(PERSONAL_ONLY);
    await app.changePolicy('*', 'acme', 'allow');
    expect(await sees()).toEqual(BOTH);
    await app.changePolicy('codex', '*', 'deny');
    expect(await sees()).toEqual(PERSONAL_ONLY);
    await app.changePolicy('codex', 'acme', 'allow');
    expect(await sees()).toEqual(BOTH);
    expect((await app.explainPolicy('codex', 'acme')).rule).toMatch(
      /^codex is allowed acme \(policies\.yaml, line \d+\)$/,
    );
    expect((await app.listPolicies()).rules).toHaveLength(4);
  });

  it('speak of personal only by that name', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    await memory.app.changePolicy('codex', '*', 'deny');
    expect(await sees()).toEqual(PERSONAL_ONLY);
    await memory.app.changePolicy('codex', 'personal', 'deny');
    expect(await sees()).toEqual({ acme: false, personal: false });
    await memory.app.changePolicy('codex', '*', 'allow');
    expect(await sees()).toEqual(SPACE_ONLY);
  });

  it.each(['codex', 'Codex', 'CODEX (via mcp-remote 0.1.29)', 'codex-mcp-client', 'Codex CLI 1.2.3'])(
    'know the agent by any of its names: %s',
    async (name) => {
      const { memory, sees } = await scene();
      await using _ = memory;
      await memory.app.changePolicy(name, 'ACME', 'deny');
      expect(await sees()).toEqual(PERSONAL_ONLY);
    },
  );

  it('follow a space to its new name, and take the old one as an alias', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    await memory.app.changePolicy('codex', 'acme', 'deny');
    await memory.app.renameSpace('acme', 'initrode');
    expect(memory.read('policies.yaml')).toContain('space: initrode');
    expect(await sees()).toEqual(PERSONAL_ONLY);
    await memory.app.changePolicy('codex', 'acme', 'allow');
    expect(await sees()).toEqual(BOTH);
  });

  it('are committed one by one, and unchanged ones not at all', async () => {
    const { memory } = await scene();
    await using _ = memory;
    expect(await memory.app.changePolicy('codex', 'acme', 'deny')).toMatchObject({ commit: { status: 'committed' } });
    expect(memory.git('log', '-1', '--format=%s')).toBe('policy: deny codex acme\n');
    expect(await memory.app.changePolicy('codex', 'acme', 'deny')).toMatchObject({ commit: null });
    expect(memory.git('status', '--porcelain')).toBe('');
  });

  it('warn when the agent that is denied was never seen', async () => {
    const { memory, codex } = await scene();
    await using _ = memory;
    expect((await memory.app.changePolicy('kodex', 'acme', 'deny')).warnings).toEqual([
      expect.stringContaining('No agent called kodex has been seen here'),
    ]);
    expect((await memory.app.changePolicy('codex', 'acme', 'deny')).warnings).toEqual([]);
    expect((await memory.app.changePolicy('*', 'acme', 'deny')).warnings).toEqual([]);
    // Who only asked has left its name in the deliveries.
    const asker = await memory.connect({ name: 'my-asker' });
    await asker.recall('Who was here?');
    await until(
      () => Promise.resolve(memory.app.listDeliveries().length),
      (count) => count > 0,
    );
    expect((await memory.app.changePolicy('my-asker', 'acme', 'deny')).warnings).toEqual([]);
    const own = await memory.connect({ name: 'my-own-agent' });
    await own.keep('My own agent was here.');
    expect((await memory.app.changePolicy('my-own-agent', 'acme', 'deny')).warnings).toEqual([]);
    expect(codex).toBeDefined();
  });

  it('take effect in every open process with the next call', async () => {
    const { memory } = await scene();
    await using _ = memory;
    const elsewhere = await memory.connect({
      project: memory.project('acme'),
      name: 'codex',
      app: await memory.open(),
    });
    expect(await elsewhere.recall(QUESTION)).toContain('Auth0');
    await memory.app.changePolicy('codex', 'acme', 'deny');
    expect(await elsewhere.recall(QUESTION)).not.toContain('Auth0');
  });
});

describe('a denial is complete', () => {
  it('in words and shape as where there is nothing, for every tool and argument', async () => {
    const { memory, codex } = await scene();
    await using _ = memory;
    const inGlobex = await memory.connect({ project: memory.project('globex'), name: 'codex' });
    const [theirs = ''] = (await memory.app.list({ space: 'acme', outdated: false })).map(({ item }) => item.id);
    await memory.app.changePolicy('codex', '*', 'deny');
    const said = async (agent: InProcessAgent, id: string): Promise<string> => {
      const answers = [
        await agent.recall('How does Acme sign users in?'),
        (await agent.call('read', { id })).text,
        (await agent.call('forget', { id })).text,
        (await agent.remember('Acme signs users in with Auth0.')).text,
        (await agent.remember('Something.', { supersedes: [id] })).text,
        JSON.stringify((await agent.client.listResources()).resources.map(({ uri }) => uri).sort()),
      ];
      return answers
        .join('\n')
        .replaceAll(id, 'ID')
        .replaceAll(/acme|globex/g, 'SPACE')
        .replaceAll(/=== \w{8} /g, '=== ');
    };
    expect(await said(codex, theirs)).toBe(await said(inGlobex, 'zzzzzzzz'));
  });

  it('and reads as a folder without a space does, but for the error of a write', async () => {
    const { memory, codex } = await scene();
    await using _ = memory;
    await memory.app.changePolicy('codex', 'acme', 'deny');
    const nowhere = await memory.connect({ name: 'codex' });
    const id = await nowhere.keep('Builds are cached.');
    for (const [tool, given] of [
      ['recall', { question: QUESTION }],
      ['recall', { question: 'Are builds cached?' }],
      ['read', { id }],
      ['read', { id: 'zzzzzzzz' }],
    ] as const) {
      const [denied, none] = [await codex.call(tool, given), await nowhere.call(tool, given)];
      expect(withoutNonce(denied.text), tool).toBe(withoutNonce(none.text));
      expect(denied.meta).toEqual(none.meta);
    }
    expect((await codex.remember('Builds are slow.')).text).toBe(
      'Nothing was changed: this folder has no space you can write to. Tell the user; do not store it elsewhere.\nSpace: none (personal only)',
    );
  });
});

describe('a policies file that cannot be used', () => {
  const DENIAL = 'policies:\n  - agent: codex\n    space: acme\n    effect: deny\n';

  it.each([
    { what: 'is broken', text: 'policies: [\n' },
    { what: 'has a key that nobody knows', text: `${DENIAL}other: 1\n` },
    {
      what: 'has a rule with a word of its own',
      text: 'policies:\n  - agent: codex\n    space: acme\n    effect: forbid\n',
    },
    { what: 'says two things at once', text: `${DENIAL}  - agent: codex\n    space: acme\n    effect: allow\n` },
    { what: 'is missing', text: null },
    { what: 'is empty', text: '' },
    { what: 'is blank, as a crash leaves it', text: '\n\0\0\0' },
  ])('and $what, leaves the last valid committed version in force, loudly', async ({ text }) => {
    const { memory, sees } = await scene();
    await using _ = memory;
    await memory.app.changePolicy('codex', 'acme', 'deny');
    await memory.edit('policies.yaml', text);
    expect(await sees()).toEqual(PERSONAL_ONLY);
    const { rules, closed, warnings } = await memory.app.listPolicies();
    expect({ rules: rules.length, closed }).toEqual({ rules: 1, closed: false });
    expect(warnings.join(' ')).toContain('The last valid committed version of policies.yaml stays in force.');
    expect((await memory.app.status()).warnings.join(' ')).toContain('policies.yaml');
    // Also for a process that starts then.
    const later = await memory.connect({ project: memory.project('acme'), name: 'codex', app: await memory.open() });
    expect(await later.recall(QUESTION)).not.toContain('Auth0');
  });

  it('and was committed so, leaves the version before it in force', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    await memory.app.changePolicy('codex', 'acme', 'deny');
    for (const text of ['policies: [\n', 'also: broken\n', '']) {
      await memory.edit('policies.yaml', text);
      await memory.idle();
      memory.git('commit', '-q', '-am', 'Broken by hand');
      expect(await sees()).toEqual(PERSONAL_ONLY);
    }
  });

  it('and never was valid, denies everything but personal', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    const branch = memory.git('symbolic-ref', 'HEAD').trim();
    await memory.edit('policies.yaml', 'policies: [\n');
    // A history in which there is no valid version.
    await memory.idle();
    memory.git('add', '-A');
    memory.git(
      'update-ref',
      branch,
      memory.git('commit-tree', '-m', 'All anew', memory.git('write-tree').trim()).trim(),
    );
    await memory.edit('policies.yaml', 'policies: [ [\n');
    expect(await sees()).toEqual(PERSONAL_ONLY);
    expect(await memory.app.listPolicies()).toMatchObject({ closed: true });
    expect((await memory.app.explainPolicy('claude-code', 'globex')).rule).toBe(
      'policies.yaml cannot be read, so everything but personal is denied',
    );
    expect((await memory.app.status()).warnings.join(' ')).toContain('everything but personal is denied');
  });

  it('is not made anew by `stet deny`, which would drop every other rule', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    await memory.app.changePolicy('codex', 'acme', 'deny');
    for (const text of [null, '', 'policies: [\n']) {
      await memory.edit('policies.yaml', text);
      await expect(memory.app.changePolicy('cursor', 'acme', 'deny')).rejects.toThrow(/policies\.yaml/);
      expect(await sees()).toEqual(PERSONAL_ONLY);
    }
    await memory.edit('policies.yaml', memory.git('show', 'HEAD:policies.yaml'));
    await memory.app.changePolicy('cursor', 'acme', 'deny');
    expect((await memory.app.listPolicies()).rules).toHaveLength(2);
    expect(await sees()).toEqual(PERSONAL_ONLY);
  });

  it('never was there: everything is allowed', async () => {
    const { memory, sees } = await scene();
    await using _ = memory;
    await memory.idle();
    memory.git('rm', '-q', 'policies.yaml');
    memory.git('commit', '-q', '-m', 'No policies');
    await memory.edit('policies.yaml', null);
    expect(await sees()).toEqual(BOTH);
    expect(await memory.app.listPolicies()).toMatchObject({ rules: [], closed: false, warnings: [] });
  });
});
