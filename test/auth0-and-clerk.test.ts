// The plain case: Acme signs in with Auth0, Globex with Clerk. The built server over stdio, the packaged model, and
// everything that an agent in Acme's folder can ask.

import { describe, expect, it } from 'vitest';
import { TemporaryMemory, type Agent } from './temporary-memory.ts';

const SUBJECTS = ['users', 'the users', 'customers', 'people', 'we', 'employees', 'admins', 'Acme', 'Globex', 'they'];
const WORDINGS: ReadonlyArray<(subject: string) => string> = [
  (subject) => `How do ${subject} sign in?`,
  (subject) => `With which service are ${subject} signed in?`,
  (subject) => `What do ${subject} sign in with, Auth0 or Clerk?`,
  (subject) => `sign in ${subject} auth0`,
  (subject) => `Is it Clerk that ${subject} sign in with?`,
  (subject) => `Does Acme sign ${subject} in with Auth0?`,
  (subject) => `Do ${subject} log in as at Globex, with Clerk?`,
  (subject) => `Who decided how ${subject} are authenticated, and when?`,
  (subject) => `¿Con qué inician sesión ${subject}?`,
  (subject) => `Womit melden sich ${subject} an?`,
];
const QUESTIONS = WORDINGS.flatMap((wording) => SUBJECTS.map(wording));

interface Scene extends AsyncDisposable {
  readonly inAcme: Agent;
  readonly inGlobex: Agent;
  readonly clerk: string;
  items(): Promise<readonly string[]>;
}

async function open(): Promise<Scene> {
  const memory = await TemporaryMemory.make();
  const agents: Agent[] = [];
  for (const space of ['acme', 'globex']) {
    const cwd = await memory.project(space);
    await memory.stet('space', 'add', space, '--folder', cwd);
    agents.push(await memory.connect({ cwd }));
  }
  const [inAcme, inGlobex] = agents;
  if (!inAcme || !inGlobex) throw new Error('two agents were connected');
  await inAcme.remember('Acme signs users in with Auth0.', { kind: 'decision' });
  const clerk = await inGlobex.remember('Globex signs users in with Clerk.', { kind: 'decision' });
  await inGlobex.remember('Never mention Clerk to customers.', { kind: 'instruction' });
  return {
    inAcme,
    inGlobex,
    clerk: clerk.id,
    items: () => memory.items(),
    [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
  };
}

describe('Acme signs in with Auth0, Globex with Clerk', () => {
  it('asked from Acme in a hundred wordings, Clerk never comes', async () => {
    await using scene = await open();
    expect(new Set(QUESTIONS).size).toBe(100);
    let [answered, withVectors] = [0, 0];
    for (const question of QUESTIONS) {
      const answer = JSON.stringify(await scene.inAcme.client.callTool({ name: 'recall', arguments: { question } }));
      expect(answer, question).not.toMatch(new RegExp(`clerk|globex|${scene.clerk}`, 'i'));
      if (answer.includes('Auth0')) answered += 1;
      if (!answer.includes('words only')) withVectors += 1;
    }
    // That nothing comes at all would be no proof.
    expect(answered).toBeGreaterThan(40);
    // The model reads English alone, and says so of the others.
    expect(withVectors).toBeGreaterThanOrEqual(80);
    expect(await scene.inGlobex.recall('How do users sign in?')).toContain('Clerk');
    const { resources } = await scene.inAcme.client.listResources();
    expect(JSON.stringify(resources)).not.toMatch(/clerk|globex/i);
  });

  it('writing to Globex from Acme is answered as writing to a space that does not exist', async () => {
    await using scene = await open();
    const before = await scene.items();
    const said = async (space: string) => {
      const answers = [];
      for (const given of [
        { text: 'Globex signs users in with Clerk.', space },
        { text: 'Globex signs its users in with Clerk!', space, keep_both: true },
        { text: 'Globex signs users in with Okta.', space, supersedes: [scene.clerk] },
        { text: '', space },
      ]) {
        const answer = await scene.inAcme.client.callTool({ name: 'remember', arguments: given });
        answers.push(JSON.stringify(answer).replaceAll(space, 'SPACE'));
      }
      return answers;
    };
    const there = await said('globex');
    expect(there).toEqual(await said('nowhere'));
    expect(there[0]).toContain(String.raw`there is no space \"SPACE\" here`);
    expect(await scene.items()).toEqual(before);
  });

  it('saying in Acme what is known in Globex meets no duplicate, and no id of Globex does anything', async () => {
    await using scene = await open();
    const { inAcme, clerk } = scene;
    const nobody = 'zzzzzzzz';
    for (const tool of ['read', 'forget']) {
      const [theirs, none] = [await inAcme.call(tool, { id: clerk }), await inAcme.call(tool, { id: nobody })];
      expect(theirs.text.replaceAll(clerk, nobody), tool).toBe(none.text);
      expect(theirs.isError).toBe(true);
    }
    const stored = await inAcme.remember('Globex signs users in with Clerk.');
    expect(stored.isError).toBe(false);
    expect(stored.text).not.toContain(clerk);
    expect(stored.id).not.toBe(clerk);
    expect(await scene.inGlobex.recall('How do users sign in?')).toContain(clerk);
  });
});
