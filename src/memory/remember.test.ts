import { describe, expect, it } from 'vitest';
import { makeChange, makeItem } from '../../test/make-item.ts';
import type { Item } from './item.ts';
import { ItemTable } from './item-table.ts';
import { candidateScope, decideRemember, USER, type RememberContext, type RememberRequest } from './remember.ts';
import type { Session } from './session.ts';
import { visibleSpaces } from './session.ts';
import { View } from './view.ts';

// Days are those of this machine's zone, wherever it is.
const NOW = new Date(2026, 8, 15, 10);

interface Given extends Partial<Session> {
  readonly items?: readonly Item[];
  /** Ids that are gone, with what they had replaced. */
  readonly forgotten?: ReadonlyArray<{ readonly id: string; readonly supersedes: readonly string[] }>;
  readonly secrets?: readonly string[];
  readonly cosines?: Readonly<Record<string, number>>;
  readonly review?: { readonly instructions?: boolean; readonly personal?: boolean };
  readonly spaceNames?: readonly string[];
}

/** The context of an agent in acme, with every item as a candidate. */
function contextOf(given: Given = {}): RememberContext & { sameTextOf(text: string): readonly string[] } {
  const { items = [], forgotten = [], secrets = [], cosines = {}, review = {}, spaceNames, ...more } = given;
  const session: Session = {
    agent: 'claude-code',
    source: 'Claude Code',
    space: 'acme',
    rule: 'it is said.',
    spaceAllowed: true,
    personalAllowed: true,
    warnings: [],
    ...more,
  };
  const table = new ItemTable();
  table.apply(items.map((item) => makeChange(item)));
  table.apply(
    forgotten.map(({ id, supersedes }) => ({
      kind: 'tombstone',
      path: `forgotten/${id}.yaml`,
      tombstone: { id, space: 'acme', supersedes, forgotten: '2026-09-14T10:00:00Z', by: 'hand' },
    })),
  );
  return {
    session,
    view: new View(table, visibleSpaces(session), '2026-09-15'),
    personalView: new View(table, ['personal'], '2026-09-15'),
    now: NOW,
    spaceNames: spaceNames ?? (session.space === null ? [] : [session.space]),
    secrets,
    candidates: items.map(({ id }) => ({ id, cosine: cosines[id] ?? null })),
    sameText: [],
    review: { instructions: false, personal: false, ...review },
    sameTextOf: (text) => table.withText(text),
  };
}

function decide(request: RememberRequest, given: Given = {}): ReturnType<typeof decideRemember> {
  const context = contextOf(given);
  return decideRemember(request, { ...context, sameText: context.sameTextOf(request.text.trim()) });
}

/** Whether it is stored, and where; or why not. */
function outcome(request: RememberRequest, given: Given = {}): string {
  const decision = decide(request, given);
  switch (decision.verdict) {
    case 'store':
      return `stored in ${decision.draft.space ?? 'personal'}`;
    case 'refused':
      return decision.refusal.code;
    default:
      return `${decision.verdict} ${decision.item.id}`;
  }
}

const inAcme = (id: string, text: string, more: Partial<Item> = {}): Item =>
  makeItem({ id, text, space: 'acme', ...more });
const personal = (id: string, text: string, more: Partial<Item> = {}): Item => makeItem({ id, text, ...more });

const OKTA = inAcme('aaaaaaaa', 'Acme signs users in with Okta.', { kind: 'decision' });
const AUTH0 = inAcme('bbbbbbbb', 'Acme signs users in with Auth0.', { kind: 'decision', supersedes: ['aaaaaaaa'] });
const TABS = personal('pppppppp', 'The user indents with tabs.', { kind: 'preference' });
const BAMBOO = inAcme('bbbbbbbb', 'The release tool of Acme is Bamboo.');
const CLERK = makeItem({ id: 'gggggggg', text: 'Globex signs users in with Clerk.', space: 'globex' });

describe('rule 1: who and where', () => {
  it.each([
    { what: 'the session’s space when nothing is said', request: {}, is: 'stored in acme' },
    { what: 'the same for a blank argument', request: { space: ' ' }, is: 'stored in acme' },
    { what: 'personal when the argument says so', request: { space: 'personal' }, is: 'stored in personal' },
    { what: 'personal in any case of the word', request: { space: ' Personal ' }, is: 'stored in personal' },
    { what: 'the session’s own space by its name', request: { space: 'ACME' }, is: 'stored in acme' },
    { what: 'no other space, be it there', request: { space: 'globex' }, is: 'unknown-space' },
    { what: 'no space that is not there', request: { space: 'nowhere' }, is: 'unknown-space' },
    { what: 'not `*`', request: { space: '*' }, is: 'unknown-space' },
    { what: 'the superseded item’s place', request: { supersedes: ['pppppppp'] }, is: 'stored in personal' },
    { what: 'the first visible target’s', request: { supersedes: ['gggggggg', 'aaaaaaaa'] }, is: 'unknown-id' },
  ])('a statement goes to $what', ({ request, is }) => {
    expect(outcome({ text: 'Builds are cached.', ...request }, { items: [OKTA, TABS, CLERK] })).toBe(is);
  });

  it('a session without a space writes what is personal', () => {
    expect(outcome({ text: 'Builds are cached.' }, { space: null })).toBe('stored in personal');
    expect(outcome({ text: 'Builds are cached.', space: 'acme' }, { space: null })).toBe('unknown-space');
  });

  it.each([{}, { space: 'personal' }, { space: 'acme' }, { text: '' }, { supersedes: ['pppppppp'] }])(
    'a session whose own space is denied writes nothing, not even as personal (%j)',
    (request) => {
      expect(outcome({ text: 'Builds are cached.', ...request }, { spaceAllowed: false, items: [TABS] })).toBe(
        'no-writable-space',
      );
    },
  );

  it('an agent that is denied personal writes its space, and personal is no place for it', () => {
    const denied = { personalAllowed: false, items: [TABS] };
    expect(outcome({ text: 'Builds are cached.' }, denied)).toBe('stored in acme');
    expect(outcome({ text: 'Builds are cached.', space: 'personal' }, denied)).toBe('unknown-space');
    expect(outcome({ text: 'Builds are cached.', supersedes: ['pppppppp'] }, denied)).toBe('unknown-id');
    expect(outcome({ text: 'Builds are cached.' }, { ...denied, space: null })).toBe('no-writable-space');
  });

  it('the place is judged before the text, so an unfit text tells nothing of a space', () => {
    expect(outcome({ text: '', space: 'globex' })).toBe('unknown-space');
  });

  describe('a personal statement from inside a space', () => {
    const names = ['acme', 'acme-corp', 'acme/shop', '日本支社'];

    it.each([
      { text: 'Acme prefers short commit messages.', is: 'personal-names-space' },
      { text: 'Short messages, as ACME-Corp has them.', is: 'personal-names-space' },
      { text: 'Clone acme/shop first.', is: 'personal-names-space' },
      { text: 'Ａｃｍｅ wants tabs.', is: 'personal-names-space' },
      { text: '今は日本支社の規則に従う。', is: 'personal-names-space' },
      { text: 'The user likes acmeism.', is: 'stored in personal' },
      { text: 'The user indents with spaces.', is: 'stored in personal' },
    ])('is refused when it names that space as a word: $text', ({ text, is }) => {
      expect(outcome({ text, space: 'personal' }, { spaceNames: names })).toBe(is);
    });

    it('may name it when it is not personal, or not from there', () => {
      expect(outcome({ text: 'Acme prefers tabs.' }, { spaceNames: names })).toBe('stored in acme');
      expect(outcome({ text: 'Acme prefers tabs.' }, { space: null, spaceNames: [] })).toBe('stored in personal');
    });

    it('is marked until the user has seen it, and waits where `personal.review` is on', () => {
      const request = { text: 'The user indents with spaces.', space: 'personal' };
      expect(decide(request)).toMatchObject({ draft: { review: 'unseen' } });
      expect(decide(request, { review: { personal: true } })).toMatchObject({ draft: { review: 'waiting' } });
      for (const given of [{ agent: USER }, { space: null }]) {
        expect(decide(request, { ...given, review: { personal: true } })).not.toHaveProperty('draft.review');
      }
    });
  });
});

describe('rule 2: fit to keep', () => {
  it.each([
    { what: 'empty', request: { text: ' \n' }, refusal: { code: 'empty' } },
    { what: 'too long', request: { text: 'x'.repeat(2_001) }, refusal: { code: 'too-long', characters: 2_001 } },
    {
      what: 'dated by today',
      request: { text: 'Acme deploys tomorrow.' },
      refusal: { code: 'deictic-date', phrase: 'tomorrow', absolute: '2026-09-16' },
    },
    {
      what: 'until no day',
      request: { text: 'A plan.', until: '2026-02-30' },
      refusal: { code: 'bad-date', argument: 'until', value: '2026-02-30' },
    },
    {
      what: 'as of no day',
      request: { text: 'A plan.', asOf: 'soon' },
      refusal: { code: 'bad-date', argument: 'as_of', value: 'soon' },
    },
    { what: 'of an unknown kind', request: { text: 'A thing.', kind: 'rumour' }, refusal: { code: 'unknown-kind' } },
  ])('a statement is refused that is $what', ({ request, refusal }) => {
    expect(decide(request)).toMatchObject({ verdict: 'refused', refusal });
  });

  it('a statement is refused that holds a secret, by the rule that found it', () => {
    expect(decide({ text: 'The token is …' }, { secrets: ['github'] })).toEqual({
      verdict: 'refused',
      refusal: { code: 'secret', rule: 'github' },
    });
  });

  it('2,000 characters are stored, whatever blanks are around them', () => {
    expect(outcome({ text: ` ${'x'.repeat(2_000)}\n` })).toBe('stored in acme');
  });

  it.each([
    {
      what: 'counts from today',
      text: 'Acme moves to Kubernetes in two weeks.',
      warning: /"in two weeks" is relative/,
    },
    { what: 'says "currently"', text: 'Acme currently uses Okta.', warning: /"currently" will go stale/ },
    { what: 'ends in the past', text: 'Acme uses Okta.', until: '2026-09-14', warning: /^until 2026-09-14 is past/ },
    { what: 'has several sentences', text: 'Acme uses Okta. It costs 5 €.', warning: /^2 sentences/ },
  ])('a statement is stored with a warning that $what', ({ warning, ...request }) => {
    expect(decide(request)).toMatchObject({ verdict: 'store', warnings: [expect.stringMatching(warning)] });
  });

  it('today is not past', () => {
    expect(decide({ text: 'Acme uses Okta.', until: '2026-09-15' })).toMatchObject({ warnings: [] });
  });

  it('a dated "currently" needs no warning', () => {
    expect(decide({ text: 'Acme currently uses Okta.', asOf: '2026-09-15' })).toMatchObject({ warnings: [] });
  });
});

describe('rule 3: identical', () => {
  const items = [OKTA, TABS, CLERK];

  it.each(['Acme signs users in with Okta.', 'Acme signs users in with Okta', '  Acme  signs users\nin with Okta. '])(
    '%j is known, and nothing is stored',
    (text) => {
      expect(outcome({ text }, { items })).toBe('identical aaaaaaaa');
      expect(outcome({ text, keepBoth: true }, { items })).toBe('identical aaaaaaaa');
    },
  );

  it('decomposed letters are the same letters', () => {
    const cafe = inAcme('cccccccc', 'The café is closed.');
    expect(outcome({ text: 'The cafe\u0301 is closed.' }, { items: [cafe] })).toBe('identical cccccccc');
  });

  it('what is personal is known in a space too, and not the other way round', () => {
    expect(outcome({ text: TABS.text }, { items })).toBe('identical pppppppp');
    expect(outcome({ text: OKTA.text, space: 'personal' }, { items, spaceNames: [] })).toBe('stored in personal');
  });

  it('what another space has is not known', () => {
    expect(outcome({ text: CLERK.text }, { items })).toBe('stored in acme');
  });

  it('an instruction is compared with instructions, a fact with facts', () => {
    expect(outcome({ text: TABS.text, kind: 'instruction' }, { items })).toBe('stored in acme');
    const rule = personal('rrrrrrrr', TABS.text, { kind: 'instruction' });
    expect(outcome({ text: TABS.text }, { items: [rule] })).toBe('stored in acme');
    expect(outcome({ text: TABS.text, kind: 'instruction' }, { items: [rule] })).toBe('identical rrrrrrrr');
  });

  it.each([
    { what: 'superseded', items: [OKTA, AUTH0], text: OKTA.text, near: 'stored in acme' },
    { what: 'past its day', items: [{ ...OKTA, until: '2026-09-14' }], text: OKTA.text, near: 'stored in acme' },
    { what: 'waiting', items: [{ ...OKTA, review: 'waiting' as const }], text: OKTA.text, near: 'stored in acme' },
  ])('the text of an item that is $what is new: a decision can be reverted', ({ items: known, text, near }) => {
    expect(outcome({ text }, { items: known })).toBe(near);
  });

  it('the text of its own target is new only if something else of it is', () => {
    const request = { text: OKTA.text, supersedes: ['aaaaaaaa'] };
    expect(outcome(request, { items })).toBe('identical aaaaaaaa');
    for (const change of [
      { kind: 'fact' },
      { until: '2026-12-31' },
      { asOf: '2026-09-01' },
      { tags: ['x'] },
      { target: 'u' },
    ]) {
      expect(outcome({ ...request, ...change }, { items }), JSON.stringify(change)).toBe('stored in acme');
    }
  });
});

describe('rule 3: identical, with more to do', () => {
  const items = [OKTA, TABS, BAMBOO];

  it.each([
    { named: { until: '2026-12-31' }, differs: ['until'] },
    { named: { asOf: '2026-09-01', target: 'https://wiki.test' }, differs: ['as_of', 'target'] },
    { named: { kind: 'fact', tags: ['login'] }, differs: ['kind', 'tags'] },
    { named: { kind: OKTA.kind, until: undefined, target: ' ', tags: [] }, differs: [] },
  ])('the answer knows that $differs would have changed', ({ named: { until, ...named }, differs }) => {
    const request = { text: OKTA.text, ...named, ...(until === undefined ? {} : { until }) };
    expect(decide(request, { items })).toEqual({ verdict: 'identical', item: OKTA, differs, stillCurrent: [] });
  });

  it('a statement that is made again to replace something does so, and takes the place of the first', () => {
    const known = { ...OKTA, tags: ['login'], asOf: '2026-09-01' };
    const decision = decide({ text: OKTA.text, supersedes: ['bbbbbbbb'] }, { items: [known, BAMBOO] });
    expect(decision).toMatchObject({
      verdict: 'store',
      draft: { kind: OKTA.kind, supersedes: ['bbbbbbbb', 'aaaaaaaa'], tags: ['login'], asOf: '2026-09-01' },
      superseded: [BAMBOO, known],
      similar: [],
    });
  });

  it('what the second call names counts', () => {
    const known = { ...OKTA, asOf: '2026-09-01' };
    const request = { text: OKTA.text, kind: 'outcome', asOf: '2026-09-15', supersedes: ['bbbbbbbb'] };
    expect(decide(request, { items: [known, BAMBOO] })).toMatchObject({
      draft: { kind: 'outcome', asOf: '2026-09-15' },
    });
  });

  it('its own target gives way too when the call replaces another', () => {
    const request = { text: OKTA.text, supersedes: ['aaaaaaaa', 'bbbbbbbb'] };
    expect(decide(request, { items })).toMatchObject({ verdict: 'store', superseded: [OKTA, BAMBOO] });
  });

  it('a second call that finds its work done is no news', () => {
    const done = { ...OKTA, supersedes: ['bbbbbbbb'] };
    const request = { text: OKTA.text, supersedes: ['bbbbbbbb'] };
    expect(decide(request, { items: [done, BAMBOO] })).toMatchObject({ verdict: 'identical', stillCurrent: [] });
  });

  it('a personal item is not shadowed unasked: the target stays, and is told', () => {
    const request = { text: TABS.text, supersedes: ['bbbbbbbb'] };
    expect(decide(request, { items })).toMatchObject({
      verdict: 'identical',
      item: TABS,
      stillCurrent: ['bbbbbbbb'],
    });
  });

  it('a target that is not there is refused all the same', () => {
    const request = { text: OKTA.text, supersedes: ['bbbbbbbb', 'zzzzzzzz'] };
    expect(decide(request, { items })).toMatchObject({ verdict: 'refused', refusal: { code: 'unknown-id' } });
  });
});

describe('rule 4: near-identical', () => {
  const near = 'Acme signs its users in with Okta.';

  it('gives back the targets, which a second call has to name again', () => {
    const request = { text: near, supersedes: ['bbbbbbbb', 'zzzzzzzz'] };
    expect(decide(request, { items: [OKTA, BAMBOO] })).toMatchObject({
      verdict: 'near-identical',
      replaces: ['bbbbbbbb'],
    });
  });

  it('is not stored, and the item that it is like is given', () => {
    expect(decide({ text: near }, { items: [OKTA] })).toEqual({
      verdict: 'near-identical',
      item: OKTA,
      replaces: [],
    });
  });

  it('is stored with `keep_both`, and the other is listed as similar', () => {
    expect(decide({ text: near, keepBoth: true }, { items: [OKTA] })).toMatchObject({
      verdict: 'store',
      similar: [OKTA],
    });
  });

  it('is no reason against replacing it', () => {
    expect(decide({ text: near, supersedes: ['aaaaaaaa'] }, { items: [OKTA] })).toMatchObject({
      verdict: 'store',
      superseded: [OKTA],
      similar: [],
    });
  });

  it.each([
    'Acme signs users in with Auth0.',
    'Acme never signs users in with Okta.',
    'Initech signs users in with Okta.',
  ])('is not what has another name or a negation: %s', (text) => {
    expect(decide({ text }, { items: [OKTA] })).toMatchObject({ verdict: 'store', similar: [OKTA] });
  });

  it('is looked for where the statement goes: what is personal or in its space', () => {
    expect(outcome({ text: 'The user indents with tabs!' }, { items: [TABS] })).toBe('near-identical pppppppp');
    const there = { ...CLERK, text: 'Builds are cached.' };
    expect(outcome({ text: 'The builds are cached.' }, { items: [there] })).toBe('stored in acme');
  });
});

describe('rule 5: supersedes', () => {
  it('replaces several at once', () => {
    const other = inAcme('cccccccc', 'Acme pays Okta yearly.');
    expect(
      decide({ text: 'Acme uses Auth0.', supersedes: ['aaaaaaaa', 'cccccccc'] }, { items: [OKTA, other] }),
    ).toMatchObject({
      verdict: 'store',
      superseded: [OKTA, other],
      draft: { supersedes: ['aaaaaaaa', 'cccccccc'] },
    });
  });

  it('counts an id once, and blank ones not at all', () => {
    const request = { text: 'Acme uses Auth0.', supersedes: [' aaaaaaaa', 'aaaaaaaa ', ' '] };
    expect(decide(request, { items: [OKTA] })).toMatchObject({
      superseded: [OKTA],
      draft: { supersedes: ['aaaaaaaa'] },
    });
  });

  it.each([
    { what: 'unknown', id: 'zzzzzzzz' },
    { what: 'in another space', id: 'gggggggg' },
    { what: 'forgotten', id: 'ffffffff' },
  ])('refuses a target that is $what, in the same words', ({ id }) => {
    const given = { items: [OKTA, CLERK], forgotten: [{ id: 'ffffffff', supersedes: [] }] };
    expect(decide({ text: 'Acme uses Auth0.', supersedes: ['aaaaaaaa', id] }, given)).toEqual({
      verdict: 'refused',
      refusal: { code: 'unknown-id', id },
    });
  });

  it('refuses one that is superseded already, with the newest of its chain', () => {
    const newest = inAcme('cccccccc', 'Acme signs users in with Clerk.', { supersedes: ['bbbbbbbb'] });
    expect(decide({ text: 'Acme uses passkeys.', supersedes: ['aaaaaaaa'] }, { items: [OKTA, AUTH0, newest] })).toEqual(
      {
        verdict: 'refused',
        refusal: { code: 'already-superseded', id: 'aaaaaaaa', heads: [newest] },
      },
    );
  });

  it('shows no head that was forgotten', () => {
    const given = { items: [OKTA], forgotten: [{ id: 'bbbbbbbb', supersedes: ['aaaaaaaa'] }] };
    expect(decide({ text: 'Acme uses passkeys.', supersedes: ['aaaaaaaa'] }, given)).toMatchObject({
      refusal: { code: 'already-superseded', heads: [] },
    });
  });

  it('refuses one whose day is past, or that waits for the user', () => {
    const text = 'Acme uses passkeys.';
    expect(decide({ text, supersedes: ['aaaaaaaa'] }, { items: [{ ...OKTA, until: '2026-09-14' }] })).toMatchObject({
      refusal: { code: 'expired-target', until: '2026-09-14' },
    });
    expect(decide({ text, supersedes: ['aaaaaaaa'] }, { items: [{ ...OKTA, review: 'waiting' }] })).toMatchObject({
      refusal: { code: 'waiting-target' },
    });
  });

  it('takes a last day as inclusive', () => {
    const items = [{ ...OKTA, until: '2026-09-15' }];
    expect(outcome({ text: 'Acme uses passkeys.', supersedes: ['aaaaaaaa'] }, { items })).toBe('stored in acme');
  });

  it('inherits the kind that is not given', () => {
    expect(decide({ text: 'Acme uses Auth0.', supersedes: ['aaaaaaaa'] }, { items: [OKTA] })).toMatchObject({
      draft: { kind: 'decision' },
    });
    expect(
      decide({ text: 'Acme uses Auth0.', supersedes: ['aaaaaaaa'], kind: 'fact' }, { items: [OKTA] }),
    ).toMatchObject({
      draft: { kind: 'fact' },
    });
  });

  it('shadows a personal item in a space that is named, and moves none between spaces', () => {
    const request = { text: 'Indent with spaces here.', supersedes: ['pppppppp'] };
    expect(outcome({ ...request, space: 'acme' }, { items: [TABS] })).toBe('stored in acme');
    expect(outcome(request, { items: [TABS] })).toBe('stored in personal');
    const both = { text: 'Indent with spaces here.', supersedes: ['aaaaaaaa', 'pppppppp'] };
    expect(decide(both, { items: [OKTA, TABS] })).toMatchObject({
      refusal: { code: 'other-scope', id: 'pppppppp', targetSpace: 'personal', space: 'acme' },
    });
    expect(decide({ text: 'Use Okta.', supersedes: ['aaaaaaaa'], space: 'personal' }, { items: [OKTA] })).toMatchObject(
      {
        refusal: { code: 'other-scope', targetSpace: 'acme', space: 'personal' },
      },
    );
  });
});

describe('rule 6: similar', () => {
  it('lists the closest three that are current, in the order that the index gives', () => {
    const items = ['a', 'b', 'c', 'd', 'e'].map((letter, place) =>
      inAcme(letter.repeat(8), `Acme signs users in with Okta ${place + 2}.`),
    );
    const outdated = inAcme('hhhhhhhh', 'Acme rests.', { supersedes: ['bbbbbbbb'] });
    expect(decide({ text: 'Acme signs users in with Okta 9.' }, { items: [...items, outdated] })).toMatchObject({
      similar: [{ id: 'aaaaaaaa' }, { id: 'cccccccc' }, { id: 'dddddddd' }],
    });
  });

  it('takes close vectors for similar, and distant ones for nothing', () => {
    const request = { text: 'Customers authenticate through a hosted service.' };
    expect(decide(request, { items: [OKTA], cosines: { aaaaaaaa: 0.7 } })).toMatchObject({ similar: [OKTA] });
    expect(decide(request, { items: [OKTA], cosines: { aaaaaaaa: 0.5 } })).toMatchObject({ similar: [] });
  });
});

describe('rule 7: an instruction', () => {
  const rule = personal('rrrrrrrr', 'Always write tests.', { kind: 'instruction' });
  const on = { review: { instructions: true }, items: [rule], space: null };

  it('waits for the user where `instructions.review` is on: a new one, and what replaces one', () => {
    expect(decide({ text: 'Never push on Friday.', kind: 'instruction' }, on)).toMatchObject({
      draft: { review: 'waiting' },
    });
    for (const kind of ['instruction', 'fact']) {
      expect(decide({ text: 'Write tests first.', kind, supersedes: ['rrrrrrrr'] }, on)).toMatchObject({
        draft: { review: 'waiting' },
      });
    }
  });

  it('is in force at once where it is off, and when the user says it', () => {
    const request = { text: 'Never push on Friday.', kind: 'instruction' };
    expect(decide(request, { ...on, review: {} })).not.toHaveProperty('draft.review');
    expect(decide(request, { ...on, agent: USER })).not.toHaveProperty('draft.review');
    expect(decide({ text: 'Pushes are reviewed.' }, on)).not.toHaveProperty('draft.review');
  });
});

describe('what a space has replaced for itself', () => {
  const shadow = inAcme('ssssssss', 'Indent with two spaces.', { supersedes: ['pppppppp'] });
  const items = [TABS, shadow];

  it('is as it was for a personal statement: known there, and to be replaced there', () => {
    expect(outcome({ text: TABS.text, space: 'personal' }, { items })).toBe('identical pppppppp');
    expect(outcome({ text: TABS.text, space: 'personal' }, { items, space: null })).toBe('identical pppppppp');
    const request = { text: 'The user indents with nothing.', supersedes: ['pppppppp'], space: 'personal' };
    expect(outcome(request, { items })).toBe('stored in personal');
  });

  it('is outdated for a statement of that space', () => {
    expect(outcome({ text: TABS.text }, { items })).toBe('stored in acme');
    expect(outcome({ text: 'Indent so.', supersedes: ['pppppppp'], space: 'acme' }, { items })).toBe(
      'already-superseded',
    );
  });
});

describe('the candidates that the index is asked for', () => {
  const items = [OKTA, TABS, CLERK, inAcme('iiiiiiii', 'Always test.', { kind: 'instruction' })];
  const scopeOf = (request: Partial<RememberRequest>, given: Given = {}) => {
    const { partitions, accepts } = candidateScope({ text: 'x', ...request }, contextOf({ items, ...given }));
    return { partitions, ids: items.map(({ id }) => id).filter((id) => accepts(id)) };
  };

  it('are of the place where the statement goes, and of its class, so that nothing else crowds them out', () => {
    expect(scopeOf({})).toEqual({ partitions: ['personal', 'space:acme'], ids: ['aaaaaaaa', 'pppppppp'] });
    expect(scopeOf({ kind: 'instruction' }).ids).toEqual(['iiiiiiii']);
    expect(scopeOf({ space: 'personal' })).toEqual({ partitions: ['personal'], ids: ['pppppppp'] });
    expect(scopeOf({}, { personalAllowed: false })).toEqual({ partitions: ['space:acme'], ids: ['aaaaaaaa'] });
  });

  it('are none where nothing may be stored', () => {
    expect(scopeOf({ space: 'globex' })).toEqual({ partitions: [], ids: [] });
    expect(scopeOf({}, { spaceAllowed: false })).toEqual({ partitions: [], ids: [] });
  });
});
