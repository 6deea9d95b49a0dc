import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeItem } from '../../test/make-item.ts';
import {
  describeHold,
  isTooMuchMissing,
  itemsOf,
  planHandCommits,
  subjectOf,
  type HandChange,
  type HandContext,
} from './hand-changes.ts';
import type { ItemFile } from './item-file.ts';
import type { LastGood } from './item-table.ts';

function fileOf(id: string): ItemFile {
  return { item: makeItem({ id }), missing: [], narrows: false, hasFrontmatter: true, title: null };
}

function linksOf(id: string, supersedes: readonly string[] = []): LastGood {
  return { id, space: null, supersedes };
}

function change(given: Partial<HandChange> & Pick<HandChange, 'path' | 'state'>): HandChange {
  return { hold: null, isQuiet: true, head: null, now: null, isCopy: false, ...given };
}

const ADDED = change({ path: 'personal/a.md', state: 'added', now: fileOf('aaaaaaaa') });
const EDITED = change({
  path: 'personal/b.md',
  state: 'modified',
  head: linksOf('bbbbbbbb'),
  now: fileOf('bbbbbbbb'),
});
const DELETED = change({ path: 'personal/c.md', state: 'deleted', head: linksOf('cccccccc', ['dddddddd']) });

/** A working tree that holds what the changes say, and these files besides. */
function contextOf(changes: readonly HandChange[], others: Readonly<Record<string, string>> = {}): HandContext {
  return {
    pathsOf: (id) => [
      ...changes.flatMap(({ path, now }) => (now?.item.id === id ? [path] : [])),
      ...Object.keys(others).filter((path) => others[path] === id),
    ],
    isForgotten: () => false,
    mentionedIn: () => null,
    now: new Date('2026-11-30T08:00:00.123Z'),
  };
}

function plan(changes: readonly HandChange[], others: Readonly<Record<string, string>> = {}, size = 200) {
  return planHandCommits(changes, contextOf(changes, others), size);
}

describe('planning the commits of changes by hand', () => {
  it('makes one of each kind, what is forgotten first', () => {
    const { commits } = plan([ADDED, EDITED, DELETED]);
    expect(commits.map((commit) => [commit.verb, subjectOf(commit)])).toEqual([
      ['forget', 'cccccccc'],
      ['edit', 'Statement of bbbbbbbb.'],
      ['add', 'Statement of aaaaaaaa.'],
    ]);
  });

  it('buries a lost id with its links', () => {
    expect(plan([DELETED]).commits[0]?.tombstones).toEqual([
      { id: 'cccccccc', space: null, supersedes: ['dddddddd'], forgotten: '2026-11-30T08:00:00Z', by: 'hand' },
    ]);
  });

  it('buries no id that another file has, or that is buried already', () => {
    expect(plan([DELETED], { 'spaces/acme/c.md': 'cccccccc' }).commits[0]).toMatchObject({
      verb: 'edit',
      tombstones: [],
    });
    const context = { ...contextOf([DELETED]), isForgotten: () => true };
    const tombstone = change({ path: 'forgotten/cccccccc.yaml', state: 'added' });
    expect(planHandCommits([DELETED, tombstone], context, 200).commits).toMatchObject([
      { verb: 'forget', tombstones: [] },
    ]);
  });

  it('buries no id that a changed file has, though nobody else knows of it yet', () => {
    const moved = change({ path: 'personal/d.md', state: 'added', now: fileOf('cccccccc') });
    const context = { ...contextOf([DELETED, moved]), pathsOf: () => [] };
    expect(planHandCommits([DELETED, moved], context, 200).commits).toMatchObject([{ verb: 'edit', tombstones: [] }]);
  });

  it('gives changes that share an id one fate, over any number of steps', () => {
    const held = change({ path: 'personal/z.md', state: 'added', now: fileOf('cccccccc'), hold: { code: 'staged' } });
    const over = { ...EDITED, now: fileOf('cccccccc') };
    const { commits, held: left } = plan([ADDED, over, DELETED, held]);
    expect(commits.map(({ changes }) => changes.map(({ path }) => path))).toEqual([['personal/a.md']]);
    expect(left.map(({ path, hold }) => `${path}: ${describeHold(hold)}`)).toEqual([
      'personal/b.md: it belongs to personal/z.md, which is not committed',
      'personal/c.md: it belongs to personal/z.md, which is not committed',
      'personal/z.md: you staged it, so the commit is yours',
    ]);
  });

  it('holds a deletion while a broken file seems to carry the id', () => {
    const context = { ...contextOf([DELETED]), mentionedIn: () => 'spaces/globex/c.md' };
    expect(planHandCommits([DELETED], context, 200)).toMatchObject({
      commits: [],
      held: [{ path: 'personal/c.md', hold: { code: 'goes-with', path: 'spaces/globex/c.md' } }],
    });
  });

  it('waits for the loudest of them', () => {
    const moved = change({ path: 'personal/d.md', state: 'added', now: fileOf('cccccccc'), isQuiet: false });
    expect(plan([DELETED, moved])).toMatchObject({ commits: [], waiting: ['personal/c.md', 'personal/d.md'] });
  });

  it('does not count a copy as a file of the id that it has', () => {
    const copy = change({ path: 'personal/d.md', state: 'added', now: fileOf('cccccccc'), isCopy: true });
    const { commits } = plan([DELETED, copy]);
    expect(commits.map(({ verb }) => verb)).toEqual(['forget', 'add']);
    expect(commits[0]?.tombstones).toHaveLength(1);
  });

  it('begins another commit when one is full, and never parts what shares an id', () => {
    const notes = Array.from({ length: 5 }, (_, n) => ({
      ...ADDED,
      path: `personal/${n}.md`,
      now: fileOf(`a000000${n}`),
    }));
    const { commits } = plan(notes, {}, 2);
    expect(commits.map(({ changes }) => changes.length)).toEqual([2, 2, 1]);
    expect(commits.map((commit) => subjectOf(commit))[0]).toBe('2 files, Statement of a0000000.');
    expect(itemsOf(commits[2] ?? { verb: 'add', changes: [], tombstones: [] })).toEqual([
      { id: 'a0000004', space: null },
    ]);
  });

  it('puts every change in exactly one place, and all that share an id in the same', () => {
    const ids = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'];
    const maybeId = fc.option(fc.constantFrom(...ids), { nil: null });
    const changes = fc.array(fc.record({ head: maybeId, now: maybeId, isQuiet: fc.boolean(), isHeld: fc.boolean() }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(changes, (given) => {
        const all = given.map(({ head, now, isQuiet, isHeld }, n) =>
          change({
            path: `personal/${n}.md`,
            state: now === null ? 'deleted' : head === null ? 'added' : 'modified',
            head: head === null ? null : linksOf(head),
            now: now === null ? null : fileOf(now),
            isQuiet,
            hold: isHeld ? { code: 'staged' } : null,
          }),
        );
        const { commits, held, waiting } = plan(all);
        const places = new Map<string, string>();
        const put = (path: string, place: string) => {
          expect(places.has(path)).toBe(false);
          places.set(path, place);
        };
        for (const { verb, changes } of commits) for (const { path } of changes) put(path, verb);
        for (const { path } of held) put(path, 'held');
        for (const path of waiting) put(path, 'waiting');
        expect(places.size).toBe(all.length);
        const idsOf = ({ head, now }: HandChange) => [head?.id, now?.item.id].filter((id) => id !== undefined);
        const parted = all.flatMap((a) =>
          all.filter((b) => idsOf(a).some((id) => idsOf(b).includes(id)) && places.get(a.path) !== places.get(b.path)),
        );
        expect(parted).toEqual([]);
      }),
    );
  });
});

describe('what is too much to vanish at once', () => {
  it.each([
    [3, 3, false],
    [4, 4, true],
    [5, 10, false],
    [6, 10, true],
    [0, 0, false],
  ])('%i of %i: %s', (missing, total, isTooMuch) => {
    expect(isTooMuchMissing(missing, total)).toBe(isTooMuch);
  });
});
