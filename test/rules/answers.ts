// The answers that docs/rules.md shows, as the real server gives them: one scene each, with fixed ids, clock and nonce.

import type { ForgetResult, RememberResult } from '../../src/app.ts';
import type { Refusal } from '../../src/memory/refusal.ts';
import { InProcessMemory, type Answer, type InProcessAgent } from '../in-process-memory.ts';

/** The ids that items get in a scene, one after the other. */
const IDS = ['k3v9q2m7', 'h7wq2c9d', 'b2n8r4ts', 'x5m1c0wv', 'd9e6j7kp'];

interface Scene {
  readonly memory: InProcessMemory;
  /** Claude Code in Acme's folder. */
  readonly agent: InProcessAgent;
}

type Play = (scene: Scene) => Promise<Answer | string>;

const OKTA = 'Acme signs users in with Okta.';
const AUTH0 = 'Acme signs users in with Auth0.';

async function keepOkta({ agent }: Scene): Promise<string> {
  return agent.keep(OKTA, { kind: 'decision' });
}

/** One for every way to be refused: a new one makes this file fail to compile. */
const REFUSED: Readonly<Record<Refusal['code'], Play>> = {
  empty: ({ agent }) => agent.remember(' '),
  'too-long': ({ agent }) => agent.remember('word '.repeat(500)),
  'too-much': ({ agent }) => agent.remember('The runbook is in the wiki.', { tags: ['word '.repeat(30)] }),
  secret: ({ agent }) =>
    agent.remember(`The deploy token is ${['ghp', 'x9Kq2mV7tR4wZ8nB3cF6hJ1lP5sD0aGyEuTi'].join('_')}.`),
  'deictic-date': ({ agent }) => agent.remember('The release checklist is due tomorrow.'),
  unreadable: ({ agent }) => agent.remember('Keep this:\n\n<<<<<<< HEAD\nAuth0\n=======\nOkta\n>>>>>>> main'),
  'unknown-kind': async ({ memory }) => {
    const { describeRefusal } = await import('../../src/memory/refusal.ts');
    const session = await memory.session('acme');
    const result = await memory.app.remember(session, { text: AUTH0, kind: 'rumour' });
    return result.status === 'refused' ? `${describeRefusal(result.refusal)}\nSpace: acme` : '';
  },
  'bad-date': ({ agent }) => agent.remember('Acme freezes the code.', { until: '2026-02-30' }),
  'unknown-space': ({ agent }) => agent.remember('Builds are cached.', { space: 'globex' }),
  'no-writable-space': async ({ memory, agent }) => {
    await memory.app.changePolicy('claude-code', 'acme', 'deny');
    return agent.remember('Builds are cached.');
  },
  'personal-names-space': ({ agent }) => agent.remember('Acme wants short commit messages.', { space: 'personal' }),
  'unknown-id': ({ agent }) => agent.remember(AUTH0, { supersedes: ['zzzzzzzz'] }),
  'already-superseded': async (scene) => {
    const okta = await keepOkta(scene);
    await scene.agent.keep(AUTH0, { supersedes: [okta] });
    return scene.agent.remember('Acme signs users in with Clerk.', { supersedes: [okta] });
  },
  'expired-target': async ({ agent }) => {
    const id = await agent.keep('Acme freezes the code.', { kind: 'plan', until: '2026-09-14' });
    return agent.remember('Acme thaws the code.', { supersedes: [id] });
  },
  'waiting-target': async ({ memory, agent }) => {
    await memory.app.changeSetting('instructions.review', 'on');
    const id = await agent.keep('Never push on Friday.', { kind: 'instruction' });
    return agent.remember('Push on Friday before noon.', { supersedes: [id] });
  },
  'other-scope': async (scene) => {
    const okta = await keepOkta(scene);
    return scene.agent.remember('Logins go through Auth0.', { supersedes: [okta], space: 'personal' });
  },
};

const REMEMBERED: Readonly<Record<Exclude<RememberResult['status'], 'refused'>, Play>> = {
  stored: ({ agent }) => agent.remember(AUTH0, { kind: 'decision' }),
  identical: async (scene) => {
    await keepOkta(scene);
    return scene.agent.remember('Acme  signs users in with Okta');
  },
  'near-identical': async (scene) => {
    await keepOkta(scene);
    return scene.agent.remember('Acme signs its users in with Okta!');
  },
};

const FORGOTTEN: Readonly<Record<ForgetResult['status'], Play>> = {
  forgotten: async (scene) => scene.agent.call('forget', { id: await keepOkta(scene) }),
  waiting: async ({ memory, agent }) => {
    const id = await agent.keep('Never push on Friday.', { kind: 'instruction' });
    await memory.app.changeSetting('instructions.review', 'on');
    return agent.call('forget', { id });
  },
  refused: ({ agent }) => agent.call('forget', { id: 'zzzzzzzz' }),
};

const OTHERS = {
  'remember: a warning': ({ agent }) => agent.remember('Acme currently signs users in with Okta.'),
  'remember: relative wording': ({ agent }) => agent.remember('Acme moves to Auth0 in two weeks.'),
  'remember: several sentences': ({ agent }) => agent.remember('Acme uses Okta. Okta costs 5 € a user.'),
  'remember: personal': ({ agent }) =>
    agent.remember('The user writes commit messages in English.', { kind: 'preference', space: 'personal' }),
  'remember: a day that is past': ({ agent }) =>
    agent.remember('Acme freezes the code.', { kind: 'plan', until: '2026-09-14' }),
  'remember: identical, with another day': async ({ agent }) => {
    await agent.keep('Acme freezes the code.', { kind: 'plan', until: '2026-09-20' });
    return agent.remember('Acme freezes the code.', { kind: 'plan', until: '2026-09-27' });
  },
  'remember: identical, where a target stays': async ({ agent }) => {
    await agent.keep('The user indents with tabs.', { kind: 'preference', space: 'personal' });
    const blanks = await agent.keep('Code is indented with two blanks.');
    return agent.remember('The user indents with tabs.', { supersedes: [blanks] });
  },
  'remember: again, to replace what is similar': async (scene) => {
    const okta = await keepOkta(scene);
    await scene.agent.keep(AUTH0);
    return scene.agent.remember(AUTH0, { supersedes: [okta] });
  },
  'remember: superseding': async (scene) => {
    const okta = await keepOkta(scene);
    return scene.agent.remember(AUTH0, { supersedes: [okta] });
  },
  'remember: similar': async (scene) => {
    await keepOkta(scene);
    return scene.agent.remember(AUTH0);
  },
  'remember: an instruction': async ({ agent }) => {
    await agent.keep('Answer in English.', { kind: 'instruction', space: 'personal' });
    return agent.remember('Never push on Friday.', { kind: 'instruction' });
  },
  'remember: an instruction that waits': async ({ memory, agent }) => {
    await memory.app.changeSetting('instructions.review', 'on');
    return agent.remember('Never push on Friday.', { kind: 'instruction' });
  },
  'remember: git is busy': async ({ memory, agent }) => {
    await memory.edit('.git/MERGE_HEAD', memory.git('rev-parse', 'HEAD'));
    return agent.remember(AUTH0);
  },
  'remember: no personal': async ({ memory, agent }) => {
    await memory.app.changePolicy('claude-code', 'personal', 'deny');
    return agent.remember('The user writes commit messages in English.', { space: 'personal' });
  },
  'recall: facts and instructions': async ({ agent }) => {
    await agent.keep('Answer in English.', { kind: 'instruction', space: 'personal' });
    await agent.keep(AUTH0, { kind: 'decision' });
    await agent.keep('Acme has 40 users who sign in daily.', { as_of: '2026-09-01' });
    await agent.keep('How users sign in is drawn in the architecture page.', {
      kind: 'pointer',
      target: 'https://wiki.example.test/login',
    });
    return agent.recall('How do users sign in?');
  },
  'recall: nothing': ({ agent }) => agent.recall('What is the capital of France?'),
  'recall: an empty question': ({ agent }) => agent.recall(' '),
  'recall: no space': async ({ memory }) => (await memory.connect()).recall('What is the capital of France?'),
  'recall: a contradiction': async (scene) => {
    const { memory, agent } = scene;
    const okta = await keepOkta(scene);
    for (const [id, name] of [
      ['h7wq2c9d', 'Auth0'],
      ['b2n8r4ts', 'Clerk'],
    ]) {
      const keys = `id: "${id}"\nsource: Claude Code\ncreated: "2026-09-15T11:00:00Z"\nsupersedes: "${okta}"`;
      await memory.edit(`spaces/acme/${name}.md`, `---\n${keys}\n---\nAcme signs users in with ${name}.\n`);
    }
    return agent.recall('How do users sign in?');
  },
  'recall: a quarantined file': async ({ memory, agent }) => {
    await memory.edit('spaces/acme/broken.md', '---\nkind: rumour\n---\nA thing.\n');
    return agent.recall('Anything?');
  },
  'read: a chain': async (scene) => {
    const okta = await keepOkta(scene);
    const auth0 = await scene.agent.keep(AUTH0, { supersedes: [okta] });
    return scene.agent.call('read', { id: auth0 });
  },
  'read: expired': async ({ agent }) => {
    const id = await agent.keep('Acme freezes the code.', { kind: 'plan', until: '2026-09-14' });
    return agent.call('read', { id });
  },
  'read: refused': ({ agent }) => agent.call('read', { id: 'zzzzzzzz' }),
} satisfies Readonly<Record<string, Play>>;

function named(prefix: string, plays: Readonly<Record<string, Play>>): ReadonlyArray<readonly [string, Play]> {
  return Object.entries(plays).map(([name, play]) => [`${prefix}${name}`, play] as const);
}

/** Every answer by its name in the document. */
export const ANSWERS: ReadonlyMap<string, Play> = new Map([
  ...named('remember: ', REMEMBERED),
  ...named('remember: refused: ', REFUSED),
  ...named('forget: ', FORGOTTEN),
  ...named('', OTHERS),
]);

/** What the agent reads. */
export async function playAnswer(play: Play): Promise<string> {
  const ids = [...IDS];
  const newId = () => ids.shift() ?? 'z0000000';
  await using memory = await InProcessMemory.make({ newId });
  const agent = await memory.connect({ project: await memory.space('acme') });
  await memory.space('globex');
  const answer = await play({ memory, agent });
  const text = typeof answer === 'string' ? answer : answer.text;
  return text
    .replaceAll(/^=== [0-9a-f]{8} /gm, '=== 5f0c1d2e ')
    .replaceAll('Note: words only: no embedder is set\n', '');
}
