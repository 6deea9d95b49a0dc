// What the person sees of the whole memory: `stet lint`, `stet stats`, `stet digest`.
import { describe, expect, it } from 'vitest';
import { InProcessMemory } from './in-process-memory.ts';
import { TemporaryMemory } from './temporary-memory.ts';

const DAY_MS = 86_400_000;

async function remember(memory: InProcessMemory, text: string, more: Record<string, string> = {}): Promise<string> {
  const { space = 'personal', ...request } = more;
  const stored = await memory.app.remember(await memory.app.userSession({ space }), {
    text,
    keepBoth: true,
    ...request,
  });
  if (stored.status !== 'stored') throw new Error(`not stored: ${stored.status}`);
  return stored.item.id;
}

async function deliver(memory: InProcessMemory, question: string): Promise<void> {
  const before = memory.app.listDeliveries().length;
  await memory.app.recallTraced(await memory.session(null), { question });
  await expect.poll(() => memory.app.listDeliveries().length).toBe(before + 1);
}

describe('stet lint', () => {
  it('judges what is current and plans that are over, oldest first, and one space where asked', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    const plan = await remember(memory, 'The team moves to Linear.', { kind: 'plan', until: '2026-09-16' });
    memory.now = new Date('2026-09-20T10:00:00Z');
    const several = await remember(memory, 'Acme uses Okta. Globex uses Clerk.', { space: 'acme' });
    await remember(memory, 'Standups are at nine.');
    const report = await memory.app.lint({});
    expect(report.items).toBe(3);
    expect(report.findings.map(({ item, rule }) => [item.id, rule])).toEqual([
      [plan, 'stale-plan'],
      [several, 'several-statements'],
    ]);
    expect((await memory.app.lint({ space: 'acme' })).findings.map(({ item }) => item.id)).toEqual([several]);
  });

  it('names what nobody was given, once deliveries reach back far enough', async () => {
    await using memory = await InProcessMemory.make();
    const asked = await remember(memory, 'Standups are at nine in Berlin.');
    const unasked = await remember(memory, 'The printer takes A4 paper.');
    await deliver(memory, 'When are standups in Berlin?');
    memory.now = new Date(memory.now.getTime() + 60 * DAY_MS);
    await deliver(memory, 'When are standups in Berlin?');
    expect((await memory.app.lint({})).notJudged).toMatch(
      /takes 90 days of deliveries, and the first is of 2026-09-15/,
    );
    memory.now = new Date(memory.now.getTime() + 60 * DAY_MS);
    const report = await memory.app.lint({});
    expect(report.notJudged).toBeNull();
    expect(report.findings.map(({ item, rule }) => [item.id, rule])).toEqual([[unasked, 'never-delivered']]);
    expect(asked).not.toBe(unasked);
  });

  it('says on the command line what to do, with exit code 1 while something is to be done', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('machine.yaml', 'embedder: none\n');
    expect(await memory.stet('lint')).toMatchObject({ code: 0, stdout: 'Nothing to say about 0 items.\n' });
    const noon = new Date(2026, 8, 1, 12).toISOString();
    await memory.write('personal/a.md', `---\ncreated: "${noon}"\n---\nThe audit is due tomorrow.\n`);
    const outcome = await memory.stet('lint');
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/^ {2}deictic-date: "tomorrow" meant 2026-09-02 .*`stet edit \w{8}`\.$/m);
  });
});

describe('stet stats', () => {
  it('counts items by space, kind, source and month, and recalls by agent', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    const old = await remember(memory, 'Acme uses Okta.', { kind: 'decision', space: 'acme' });
    memory.now = new Date('2026-10-15T10:00:00Z');
    const session = await memory.app.userSession({ space: 'acme' });
    await memory.app.remember(session, { text: 'Acme uses Auth0.', supersedes: [old] });
    await remember(memory, 'Standups are at nine.', { kind: 'preference' });
    await deliver(memory, 'Nothing that is known here, surely?');
    expect(await memory.app.stats()).toEqual({
      total: { current: 2, outdated: 1 },
      forgotten: 0,
      quarantined: 0,
      words: 7,
      spaces: [
        { space: 'acme', current: 1, outdated: 1 },
        { space: null, current: 1, outdated: 0 },
      ],
      kinds: [
        { kind: 'decision', current: 1, outdated: 1 },
        { kind: 'preference', current: 1, outdated: 0 },
      ],
      sources: [{ source: 'user', current: 2, outdated: 1 }],
      months: [
        { month: '2026-10', current: 2, outdated: 0 },
        { month: '2026-09', current: 0, outdated: 1 },
      ],
      deliveries: { total: 1, last30Days: 1, agents: [{ agent: 'claude-code', recalls: 1 }], empty: 1 },
    });
  });
});

describe('stet digest', () => {
  it('has every current item once, instructions first, and says where a text goes on', async () => {
    await using memory = await InProcessMemory.make();
    await memory.space('acme');
    await remember(memory, 'Standups are at nine.');
    await remember(memory, 'Write in British English.', { kind: 'instruction' });
    const old = await remember(memory, 'Acme uses Okta.', { space: 'acme' });
    await memory.app.remember(await memory.app.userSession({ space: 'acme' }), {
      text: 'Acme uses Auth0.\n\nThe tenant is acme-eu.',
      supersedes: [old],
    });
    const { items, spaces } = await memory.app.digest({});
    expect(items).toBe(3);
    expect(
      spaces.map(({ space, kinds }) => [
        space,
        kinds.map((each) => [each.kind, each.items.map((item) => item.statement)]),
      ]),
    ).toEqual([
      [
        null,
        [
          ['instruction', ['Write in British English.']],
          ['fact', ['Standups are at nine.']],
        ],
      ],
      ['acme', [['fact', ['Acme uses Auth0.']]]],
    ]);
    expect((await memory.app.digest({ space: 'acme' })).items).toBe(1);
  });

  it('is a Markdown page on the command line', async () => {
    await using memory = await TemporaryMemory.make();
    await memory.write('machine.yaml', 'embedder: none\n');
    const head = '---\nid: "k3v9q2m7"\ncreated: "2026-09-01T12:00:00Z"\nsource: user\n---\n';
    await memory.write('personal/a.md', `${head}Standups are at nine.\n\nIn Berlin.\n`);
    const { stdout } = await memory.stet('digest');
    expect(stdout).toMatch(/^# What is remembered on \d{4}-\d\d-\d\d\n\n## Personal\n\n### Facts\n\n- /);
    expect(stdout).toContain('- Standups are at nine. […] (2026-09-01, k3v9q2m7)\n');
  });
});
