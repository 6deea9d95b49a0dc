import { describe, expect, it } from 'vitest';
import { itemAt, MADE_AT, mergeTrees, versionsOf, type Tree } from '../../../test/merge-trees.ts';
import { describeMergeEvent } from './merge-events.ts';
import { mergeMemory } from './merge-memory.ts';

const X = 'xxxxxxxx';
const Y = 'yyyyyyyy';
const item = (id: string, body: string, keys = '') =>
  `---\nid: "${id}"\n${keys}created: "2026-09-01T00:00:00Z"\nsource: hand\n---\n${body}\n`;
const grave = (id: string, { space = '', links = '', at = '2026-09-20T00:00:00Z', by = 'Codex' } = {}) =>
  `id: "${id}"\n${space === '' ? '' : `space: ${space}\n`}${links === '' ? '' : `supersedes: "${links}"\n`}forgotten: "${at}"\nby: ${by}\n`;
const at = `personal/tea.${X}.md`;
const tomb = `forgotten/${X}.yaml`;
const TIPS = { ours: 'a'.repeat(40), theirs: 'b'.repeat(40) };
const BASE: Tree = { [at]: item(X, 'Tea is at four.') };

/** The texts or ids of all items, sorted. */
const itemsIn = (tree: Tree, what: 'text' | 'id'): string[] =>
  Object.keys(tree)
    .flatMap((path) => itemAt(tree, path)?.[what] ?? [])
    .sort();

describe('an item that one side moved', () => {
  it('gets the edit of the other where it went', () => {
    const moved = 'personal/drinks/tea.md';
    const { tree, events } = mergeTrees(
      BASE,
      { [moved]: item(X, 'Tea is at four.') },
      { [at]: item(X, 'Tea is at five.') },
    );
    expect(tree).toEqual({ [moved]: item(X, 'Tea is at five.') });
    expect(events).toEqual([]);
  });

  it('has one of two names that the sides gave it', () => {
    const { tree } = mergeTrees(
      BASE,
      { 'personal/b.md': item(X, 'Tea is at four.') },
      { 'personal/a.md': item(X, 'Tea is at five.') },
    );
    expect(tree).toEqual({ 'personal/a.md': item(X, 'Tea is at five.') });
  });

  it('into a space gets the edit of the other there, where fewer see it', () => {
    const moved = `spaces/acme/tea.${X}.md`;
    const { tree } = mergeTrees(
      BASE,
      { [moved]: item(X, 'Tea is at four.', 'space: acme\n') },
      { 'personal/new-name.md': item(X, 'Tea is at five.') },
    );
    expect(tree).toEqual({ [moved]: item(X, 'Tea is at five.', 'space: acme\n') });
  });

  it('into a space, and edited by both at the same line, is there in both versions', () => {
    const moved = `spaces/acme/tea.${X}.md`;
    const { tree, events } = mergeTrees(
      BASE,
      { [moved]: item(X, 'Tea is at six.', 'space: acme\n') },
      { [at]: item(X, 'Tea is at five.') },
    );
    expect(Object.keys(tree)).toHaveLength(2);
    for (const path of Object.keys(tree)) expect(itemAt(tree, path)?.space).toBe('acme');
    expect(events).toMatchObject([{ kind: 'kept-both', id: X, reasons: ['both sides changed the same lines'] }]);
  });

  it('out of a space never takes along what the other wrote there', () => {
    const inside = `spaces/acme/tea.${X}.md`;
    const base = { [inside]: item(X, 'Tea is at four.', 'space: acme\n') };
    const ours = { [at]: item(X, 'Tea is at four.') };
    const { tree, events } = mergeTrees(base, ours, {
      [inside]: item(X, 'Tea is at four.\n\nAcme pays.', 'space: acme\n'),
    });
    expect(tree[at]).toBe(ours[at]);
    const [other = ''] = Object.keys(tree).filter((path) => path !== at);
    expect(itemAt(tree, other)).toMatchObject({
      space: 'acme',
      conflictsWith: [X],
      text: 'Tea is at four.\n\nAcme pays.',
    });
    expect(events).toMatchObject([{ kind: 'kept-both', id: X, otherPath: other }]);
  });

  it('out of a space, where the other left it alone, is where it went', () => {
    const inside = `spaces/acme/tea.${X}.md`;
    const base = { [inside]: item(X, 'Tea is at four.', 'space: acme\n'), 'todo.txt': 'a\n' };
    const { tree } = mergeTrees(
      base,
      { [at]: item(X, 'Tea is at four.'), 'todo.txt': 'a\n' },
      { ...base, 'todo.txt': 'b\n' },
    );
    expect(tree).toEqual({ [at]: item(X, 'Tea is at four.'), 'todo.txt': 'b\n' });
  });

  it('to two spaces is in both files as each side left it, and in an event', () => {
    const [acme, globex] = [`spaces/acme/${X}.md`, `spaces/globex/${X}.md`];
    const ours = { [acme]: item(X, 'Tea is at four.', 'space: acme\n') };
    const theirs = { [globex]: item(X, 'Tea is at five.', 'space: globex\n') };
    const { tree, events } = mergeTrees(BASE, ours, theirs);
    expect(tree).toEqual({ ...ours, ...theirs });
    expect(events).toEqual([{ kind: 'two-spaces', id: X, paths: [acme, globex] }]);
  });
});

describe('an item that both sides edited at the same line', () => {
  it('is there twice, one version naming the other, and an event says so', () => {
    const [ours, theirs] = [{ [at]: item(X, 'Tea is at five.') }, { [at]: item(X, 'Tea is at six.') }];
    const { tree, events } = mergeTrees(BASE, ours, theirs);
    const paths = Object.keys(tree);
    expect(paths).toHaveLength(2);
    expect(itemsIn(tree, 'text')).toEqual(['Tea is at five.', 'Tea is at six.']);
    const [event] = events;
    expect(event).toMatchObject({ kind: 'kept-both', id: X, path: at });
    const other = paths.find((path) => path !== at) ?? '';
    expect(itemAt(tree, other)?.conflictsWith).toEqual([X]);
    expect(event && describeMergeEvent(event, TIPS)).toContain('`stet forget`');
  });

  it('comes to the same files when a side is merged in again', () => {
    const [ours, theirs] = [{ [at]: item(X, 'Tea is at five.') }, { [at]: item(X, 'Tea is at six.') }];
    const { tree } = mergeTrees(BASE, ours, theirs);
    expect(mergeTrees(BASE, tree, theirs).tree).toEqual(tree);
    expect(mergeTrees(BASE, tree, ours).tree).toEqual(tree);
    expect(mergeTrees(BASE, tree, tree).tree).toEqual(tree);
  });

  it('has a broken version beside it as a copy that is no item', () => {
    const broken = `---\nid: "${X}"\nkind: [\n---\nTea is at six.\n`;
    const { tree, events } = mergeTrees(BASE, { [at]: item(X, 'Tea is at five.') }, { [at]: broken });
    const copy = Object.keys(tree).find((path) => path !== at) ?? '';
    expect(tree).toEqual({ [at]: item(X, 'Tea is at five.'), [copy]: broken });
    expect(copy).toMatch(/^personal\/tea\.xxxxxxxx\.md\.conflict-[0-9a-f]{8}$/);
    expect(events).toMatchObject([{ kind: 'kept-copy', path: at, copy }]);
  });
});

describe('a forgotten item', () => {
  it('stays forgotten although the other side edited it, and an event says how to have it back', () => {
    const { tree, events } = mergeTrees(BASE, { [tomb]: grave(X) }, { [at]: item(X, 'Tea is at five.') });
    expect(tree).toEqual({ [tomb]: grave(X) });
    expect(events).toEqual([{ kind: 'forgotten', id: X, path: at, edited: 'theirs' }]);
    expect(events.map((event) => describeMergeEvent(event, TIPS))).toEqual([
      expect.stringContaining(`stet restore ${X} --at bbbbbbbbbbbb`),
    ]);
  });

  it('stays forgotten although the other side moved it', () => {
    const { tree } = mergeTrees(BASE, { [tomb]: grave(X) }, { 'personal/elsewhere.md': item(X, 'Tea is at four.') });
    expect(tree).toEqual({ [tomb]: grave(X) });
  });

  it('stays forgotten although the other side renamed it and moved it to a space', () => {
    const moved = { 'spaces/acme/elsewhere.md': item(X, 'Tea is at four.', 'space: acme\n') };
    const { tree, events } = mergeTrees(BASE, { [tomb]: grave(X) }, moved);
    expect(tree).toEqual({ [tomb]: grave(X) });
    expect(events).toMatchObject([{ kind: 'forgotten', id: X, path: 'spaces/acme/elsewhere.md' }]);
  });

  it.each([
    { what: 'moved it', theirs: { 'personal/elsewhere.md': item(X, 'Tea is at four.') } },
    { what: 'edited it', theirs: { [at]: item(X, 'Tea is at five.') } },
    { what: 'broke it', theirs: { [at]: `---\nid: "${X}"\nkind: [\n---\nTea.\n` } },
    { what: 'moved it to a space', theirs: { [`spaces/acme/${X}.md`]: item(X, 'Tea is at four.', 'space: acme\n') } },
  ])('stays forgotten by a side that still has its old file, although the other $what', ({ theirs }) => {
    expect(mergeTrees(BASE, { ...BASE, [tomb]: grave(X) }, theirs).tree).toEqual({ [tomb]: grave(X) });
  });

  it('stays forgotten by the side that moved it first and has both files, although the other renamed it', () => {
    const ours = { ...BASE, 'personal/moved.md': item(X, 'Tea is at four.'), [tomb]: grave(X) };
    const { tree } = mergeTrees(BASE, ours, { 'personal/renamed.md': item(X, 'Tea is at four.') });
    expect(Object.keys(tree)).not.toContain('personal/renamed.md');
    expect(tree[tomb]).toBe(grave(X));
  });

  it('is forgotten in the file that the other side edited, although a copy of it is left', () => {
    const base = { ...BASE, 'personal/copy.md': item(X, 'Tea is at four.') };
    const ours = { 'personal/copy.md': item(X, 'Tea is at four.'), [tomb]: grave(X) };
    const { tree } = mergeTrees(base, ours, { ...base, [at]: item(X, 'Tea is at five.') });
    expect(tree).toEqual(ours);
  });

  it('stays forgotten by the id that a file made by hand was to get, although the other side adopted and renamed it', () => {
    const base = { 'personal/tea.md': 'Tea is at four.\n' };
    const id = itemAt(base, 'personal/tea.md')?.id ?? '';
    const theirs = { 'personal/elsewhere.md': item(id, 'Tea is at four.') };
    const forgotten = { [`forgotten/${id}.yaml`]: grave(id) };
    expect(mergeTrees(base, forgotten, theirs).tree).toEqual(forgotten);
    expect(mergeTrees(base, theirs, forgotten).tree).toEqual(forgotten);
  });

  it('keeps the links that the edit gave it', () => {
    const { tree } = mergeTrees(
      BASE,
      { [tomb]: grave(X) },
      { [at]: item(X, 'Tea is at five.', `supersedes: "${Y}"\n`) },
    );
    expect(tree).toEqual({ [tomb]: grave(X, { links: Y }) });
  });

  it('keeps its links although the other side broke its file', () => {
    const base = { [at]: item(X, 'Tea is at four.', `supersedes: "${Y}"\n`) };
    const { tree } = mergeTrees(base, {}, { [at]: `---\nid: "${X}"\nkind: [\n---\nTea.\n` });
    expect(tree).toEqual({ [tomb]: grave(X, { links: Y, at: MADE_AT.ours, by: 'hand' }) });
  });

  it('has one tombstone, the earlier one with all links, when both sides forgot it', () => {
    const ours = { [tomb]: grave(X, { links: Y, at: '2026-09-21T00:00:00Z' }) };
    const theirs = { [tomb]: grave(X, { at: '2026-09-20T00:00:00Z', by: 'hand' }) };
    expect(mergeTrees(BASE, ours, theirs).tree).toEqual({
      [tomb]: grave(X, { links: Y, at: '2026-09-20T00:00:00Z', by: 'hand' }),
    });
  });

  it('has a personal tombstone when the sides forgot it in different spaces, so that nothing comes back in either', () => {
    const ours = { [tomb]: grave(X, { space: 'acme', links: Y }) };
    const { tree } = mergeTrees(BASE, ours, { [tomb]: grave(X, { links: Y, at: '2026-09-22T00:00:00Z' }) });
    expect(tree).toEqual({ [tomb]: grave(X, { links: Y }) });
  });

  it('comes back when one side restored it and the other knows nothing new', () => {
    const { tree } = mergeTrees(
      { [tomb]: grave(X), 'a.txt': '1' },
      { [at]: item(X, 'Tea.'), 'a.txt': '1' },
      { [tomb]: grave(X), 'a.txt': '2' },
    );
    expect(tree).toEqual({ [at]: item(X, 'Tea.'), 'a.txt': '2' });
  });

  it('gets a tombstone with its links when its file was deleted without one', () => {
    const base = { [at]: item(X, 'Tea is at four.', `supersedes: "${Y}"\n`), 'a.txt': '1' };
    const { tree, events } = mergeTrees(base, { ...base, 'a.txt': '2' }, { 'a.txt': '1' });
    expect(tree).toEqual({ [tomb]: grave(X, { links: Y, at: MADE_AT.theirs, by: 'hand' }), 'a.txt': '2' });
    expect(events).toEqual([{ kind: 'deleted', id: X, path: at, kept: 'ours' }]);
  });

  it('is forgotten too when its file was deleted without a tombstone and edited by the other', () => {
    const { tree } = mergeTrees(BASE, {}, { [at]: item(X, 'Tea is at five.') });
    expect(tree).toEqual({ [tomb]: grave(X, { at: MADE_AT.ours, by: 'hand' }) });
  });

  it('is not what a second file with its id is, when that is deleted as stet advises', () => {
    const base = { [at]: item(X, 'Tea.'), 'personal/copy.md': item(X, 'Tea.') };
    expect(mergeTrees(base, base, { [at]: item(X, 'Tea.') }).tree).toEqual({ [at]: item(X, 'Tea.') });
  });

  it('has its tombstone alone when a quarantined file of it is deleted', () => {
    const base = { [at]: item(X, 'Tea.'), [tomb]: grave(X) };
    expect(mergeTrees(base, base, { [tomb]: grave(X) })).toEqual({ tree: { [tomb]: grave(X) }, events: [] });
  });

  it('is never a file that stet has not adopted: such a file stays if the other side changed it', () => {
    const { tree, events } = mergeTrees({ 'personal/n.md': 'Tea.\n' }, {}, { 'personal/n.md': 'Tea at five.\n' });
    expect(tree).toEqual({ 'personal/n.md': 'Tea at five.\n' });
    expect(events).toEqual([{ kind: 'stays', path: 'personal/n.md', changed: 'theirs' }]);
  });
});

describe('files that both sides made', () => {
  it('are one item when both adopted the same file', () => {
    const adopted = (created: string) => `---\nid: "${X}"\nsource: hand\ncreated: "${created}"\n---\nTea.\n`;
    const { tree } = mergeTrees(
      {},
      { 'personal/n.md': adopted('2026-09-02T00:00:00Z') },
      { 'personal/n.md': adopted('2026-09-01T00:00:00Z') },
    );
    expect(tree).toEqual({ 'personal/n.md': adopted('2026-09-01T00:00:00Z') });
  });

  it('are one item when one side adopted it and the other edited it without frontmatter', () => {
    const id = itemAt({ 'personal/n.md': 'Tea.\n' }, 'personal/n.md')?.id;
    const adopted = `---\nid: "${id}"\nsource: hand\n---\nTea.\n`;
    const { tree } = mergeTrees(
      { 'personal/n.md': 'Tea.\n' },
      { 'personal/n.md': adopted },
      { 'personal/n.md': 'Tea at five.\n' },
    );
    expect(tree).toEqual({ 'personal/n.md': `---\nid: "${id}"\nsource: hand\n---\nTea at five.\n` });
  });

  it('are two items when they have one path and say different things', () => {
    const { tree, events } = mergeTrees(
      {},
      { 'personal/todo.md': 'Buy tea.\n' },
      { 'personal/todo.md': 'Buy milk.\n' },
    );
    expect(itemsIn(tree, 'text')).toEqual(['Buy milk.', 'Buy tea.']);
    expect(events).toMatchObject([{ kind: 'renamed', path: 'personal/todo.md' }]);
    const derived = ['Buy tea.\n', 'Buy milk.\n'].flatMap((text) => itemsIn({ 'personal/todo.md': text }, 'id'));
    expect(itemsIn(tree, 'id')).toEqual(derived.sort());
  });

  it('are two items when an id came up twice', () => {
    const { tree } = mergeTrees({}, { 'personal/a.md': item(X, 'Tea.') }, { 'personal/b.md': item(X, 'Milk.') });
    expect(itemsIn(tree, 'text')).toEqual(['Milk.', 'Tea.']);
    expect(new Set(itemsIn(tree, 'id')).size).toBe(2);
  });

  it.each([
    { why: 'case', other: 'personal/TEA.md' },
    { why: 'Unicode form', other: 'personal/te\u0301a.md', first: 'personal/t\u00e9a.md' },
  ])('get names that no system takes for one: $why', ({ other, first = 'personal/tea.md' }) => {
    const { tree } = mergeTrees({}, { [first]: item(X, 'Tea.') }, { [other]: item(Y, 'Milk.') });
    expect(Object.keys(tree)).toHaveLength(2);
    expect(new Set(Object.keys(tree).map((path) => path.normalize('NFC').toLowerCase())).size).toBe(2);
  });

  it('get places beside each other when one is named as the folder of the other', () => {
    const { tree } = mergeTrees(
      {},
      { 'personal/tea.md/a.md': item(X, 'Tea.') },
      { 'personal/tea.md': item(Y, 'Milk.') },
    );
    expect(itemsIn(tree, 'text')).toEqual(['Milk.', 'Tea.']);
  });
});

describe('two sides that supersede one item', () => {
  it('have both heads', () => {
    const [a, b] = [item(Y, 'At five.', `supersedes: "${X}"\n`), item('zzzzzzzz', 'At six.', `supersedes: "${X}"\n`)];
    const { tree, events } = mergeTrees(BASE, { ...BASE, 'personal/y.md': a }, { ...BASE, 'personal/z.md': b });
    expect(tree).toEqual({ ...BASE, 'personal/y.md': a, 'personal/z.md': b });
    expect(events).toEqual([]);
  });
});

describe('a space that one side removed while it was empty', () => {
  const spaces = (...names: string[]) => `spaces:\n${names.map((name) => `  ${name}: {}\n`).join('')}`;
  const base = { 'spaces.yaml': spaces('acme', 'beta') };

  it.each([base['spaces.yaml'], spaces('acme', 'beta', 'zeta')])(
    'stays where the other side put something into it, so that sessions find it',
    (kept) => {
      const file = { [`spaces/beta/${X}.md`]: item(X, 'Tea.', 'space: beta\n') };
      const ours = { 'spaces.yaml': spaces('acme') };
      expect(mergeTrees(base, ours, { 'spaces.yaml': kept, ...file }).tree).toEqual({ 'spaces.yaml': kept, ...file });
    },
  );

  it('goes where the other side only has what was forgotten', () => {
    const full = { ...base, [`spaces/beta/${X}.md`]: item(X, 'Tea.', 'space: beta\n') };
    const ours = { 'spaces.yaml': spaces('acme'), [tomb]: grave(X, { space: 'beta' }) };
    const { tree } = mergeTrees(full, ours, { ...full, 'personal/a.md': 'By hand.\n' });
    expect(tree['spaces.yaml']).toBe(spaces('acme'));
  });
});

describe('a space that one side renamed', () => {
  const spaces = (name: string, ...aliases: string[]) => `spaces:\n  ${name}:\n    aliases: [${aliases.join(', ')}]\n`;

  it('takes along what the other side put into it', () => {
    const base = { 'spaces.yaml': spaces('acme'), [`spaces/acme/${X}.md`]: item(X, 'Tea.', 'space: acme\n') };
    const ours = { 'spaces.yaml': spaces('apex', 'acme'), [`spaces/apex/${X}.md`]: item(X, 'Tea.', 'space: apex\n') };
    const theirs = {
      ...base,
      [`spaces/acme/${X}.md`]: item(X, 'Tea at five.', 'space: acme\n'),
      [`spaces/acme/new/${Y}.md`]: item(Y, 'Milk.', 'space: acme\n'),
      'spaces/acme/hand.md': 'By hand.\n',
    };
    expect(mergeTrees(base, ours, theirs).tree).toEqual({
      'spaces.yaml': spaces('apex', 'acme'),
      [`spaces/apex/${X}.md`]: item(X, 'Tea at five.', 'space: apex\n'),
      [`spaces/apex/new/${Y}.md`]: item(Y, 'Milk.', 'space: apex\n'),
      'spaces/apex/hand.md': 'By hand.\n',
    });
  });

  it('is one space when both renamed it', () => {
    const base = { 'spaces.yaml': spaces('acme'), [`spaces/acme/${X}.md`]: item(X, 'Tea.', 'space: acme\n') };
    const side = (name: string) => ({
      'spaces.yaml': spaces(name, 'acme'),
      [`spaces/${name}/${X}.md`]: item(X, 'Tea.', `space: ${name}\n`),
    });
    const { tree, events } = mergeTrees(base, side('apex'), side('zenith'));
    expect(Object.keys(tree).sort()).toEqual(['spaces.yaml', `spaces/apex/${X}.md`].sort());
    expect(itemAt(tree, `spaces/apex/${X}.md`)?.space).toBe('apex');
    expect(events).toEqual([]);
  });

  it('is never mixed with another that the other side gave its name: the merge stops', () => {
    const two = (a: string, b: string) => `spaces:\n  ${a}\n  ${b}\n`;
    const base = { 'spaces.yaml': two('acme: {}', 'globex: {}') };
    const ours = { 'spaces.yaml': two('shared: { aliases: [acme] }', 'globex: {}') };
    const theirs = { 'spaces.yaml': two('acme: {}', 'shared: { aliases: [globex] }') };
    expect(mergeMemory(versionsOf(base, ours, theirs), null)).toEqual({
      outcome: 'stopped',
      clashes: [{ name: 'shared', were: ['acme', 'globex'] }],
    });
  });
});

describe('other files', () => {
  it('merge by line, and stay in two versions where they cannot', () => {
    const base = { 'notes/a.txt': '1\n2\n3\n', 'README.md': 'x\n' };
    const { tree, events } = mergeTrees(
      base,
      { 'notes/a.txt': 'one\n2\n3\n', 'README.md': 'ours\n' },
      { 'notes/a.txt': '1\n2\nthree\n', 'README.md': 'theirs\n' },
    );
    expect(tree['notes/a.txt']).toBe('one\n2\nthree\n');
    const copy = Object.keys(tree).find((path) => path.startsWith('README.md.conflict-')) ?? '';
    expect(new Set([tree['README.md'], tree[copy]])).toEqual(new Set(['ours\n', 'theirs\n']));
    expect(events).toMatchObject([{ kind: 'kept-copy', path: 'README.md', copy }]);
  });

  it('stay when one side removed what the other changed', () => {
    const { tree } = mergeTrees({ 'a.bin': '\0a' }, {}, { 'a.bin': '\0b' });
    expect(tree).toEqual({ 'a.bin': '\0b' });
  });

  it('hold the rules of both sides when they are rules for git', () => {
    const { tree } = mergeTrees({ '.gitignore': '/a\n' }, { '.gitignore': '/a\n/b\n' }, { '.gitignore': '/a\n/c\n' });
    expect(tree).toEqual({ '.gitignore': '/a\n/b\n/c\n' });
  });

  it('of one machine are not taken over from another', () => {
    const theirs = { 'machine.yaml': 'folders: { ~/work: acme }\n', 'deliveries/1.json': '{}', 'a.txt': '1' };
    const { tree, events } = mergeTrees({}, {}, theirs);
    expect(tree).toEqual({ 'a.txt': '1' });
    expect(events.map((event) => event.kind)).toEqual(['local-file', 'local-file']);
  });

  it('that are links are taken as they are, never looked into', () => {
    const link = { mode: '120000', blob: 'ff', bytes: new TextEncoder().encode('/etc/passwd') };
    const versions = versionsOf(BASE, BASE, { [at]: 'x' });
    const merged = mergeMemory({ ...versions, theirs: new Map([[at, link]]) }, null);
    expect(merged).toEqual({ outcome: 'merged', files: new Map([[at, link]]), events: [] });
  });
});

describe('policies, spaces and settings', () => {
  it('merge by what they mean, and tell what is disputed', () => {
    const rule = (effect: string) => `policies:\n  - agent: codex\n    space: acme\n    effect: ${effect}\n`;
    const { tree, events } = mergeTrees(
      { 'policies.yaml': 'policies: []\n', 'stet.yaml': 'commit: { quiet: 5s }\n' },
      { 'policies.yaml': rule('allow'), 'stet.yaml': 'commit: { quiet: 6s }\n' },
      { 'policies.yaml': rule('deny'), 'stet.yaml': 'commit: { quiet: 7s }\n' },
    );
    expect(tree).toEqual({ 'policies.yaml': rule('deny'), 'stet.yaml': 'commit: { quiet: 6s }\n' });
    expect(events).toEqual([
      { kind: 'policy', agent: 'codex', space: 'acme' },
      { kind: 'setting', name: 'commit.quiet', kept: '6s', dropped: '7s' },
    ]);
  });
});
