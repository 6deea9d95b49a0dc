import { describe, expect, it } from 'vitest';
import { makeChange, makeItem } from '../../test/make-item.ts';
import type { Item } from './item.ts';
import { ItemTable } from './item-table.ts';
import { PERSONAL_KEY, spaceKeyOf } from './space-key.ts';
import { View } from './view.ts';

const PERSONAL = [PERSONAL_KEY];
const ACME = [PERSONAL_KEY, spaceKeyOf('acme')];

function viewOf(items: readonly Item[], spaces: readonly string[] = ACME, today = '2026-10-01'): View {
  const table = new ItemTable();
  table.apply(items.map((item) => makeChange(item)));
  return new View(table, spaces, today);
}

describe('a view', () => {
  it('holds personal items and those of its own space, and no others', () => {
    const items = [
      makeItem({ id: 'pppppppp' }),
      makeItem({ id: 'aaaaaaaa', space: 'acme' }),
      makeItem({ id: 'gggggggg', space: 'globex' }),
      makeItem({ id: 'nnnnnnnn', space: 'acme-internal' }),
    ];
    expect([...viewOf(items).items()].map((item) => item.id).sort()).toEqual(['aaaaaaaa', 'pppppppp']);
    expect(viewOf(items).item('gggggggg')).toBeUndefined();
    expect(viewOf(items).item('nnnnnnnn')).toBeUndefined();
    expect([...viewOf(items, PERSONAL).items()].map((item) => item.id)).toEqual(['pppppppp']);
  });

  it('takes a superseded item out, and says by what', () => {
    const view = viewOf([makeItem({ id: 'aaaaaaaa' }), makeItem({ id: 'bbbbbbbb', supersedes: ['aaaaaaaa'] })]);
    expect(view.current('aaaaaaaa')).toBeUndefined();
    const old = view.item('aaaaaaaa');
    expect(old && view.outdated(old)).toEqual({ reason: 'superseded', by: ['bbbbbbbb'] });
    expect(view.current('bbbbbbbb')).toBeDefined();
  });

  it('shadows a personal item inside a space, and leaves it current elsewhere', () => {
    const items = [makeItem({ id: 'pppppppp' }), makeItem({ id: 'aaaaaaaa', space: 'acme', supersedes: ['pppppppp'] })];
    expect(viewOf(items, ACME).current('pppppppp')).toBeUndefined();
    expect(viewOf(items, PERSONAL).current('pppppppp')).toBeDefined();
    expect(viewOf(items, [PERSONAL_KEY, spaceKeyOf('globex')]).current('pppppppp')).toBeDefined();
  });

  it('keeps the last day of a plan and drops it the day after', () => {
    const plan = makeItem({ id: 'aaaaaaaa', kind: 'plan', until: '2026-09-30' });
    expect(viewOf([plan], ACME, '2026-09-30').current('aaaaaaaa')).toBeDefined();
    expect(viewOf([plan], ACME, '2026-10-01').current('aaaaaaaa')).toBeUndefined();
  });

  it('does not bring back what an expired item superseded', () => {
    const items = [
      makeItem({ id: 'aaaaaaaa' }),
      makeItem({ id: 'bbbbbbbb', supersedes: ['aaaaaaaa'], until: '2026-09-01' }),
    ];
    expect(viewOf(items).current('aaaaaaaa')).toBeUndefined();
    expect(viewOf(items).current('bbbbbbbb')).toBeUndefined();
  });

  it('gives no force to an item that waits for review', () => {
    const items = [
      makeItem({ id: 'aaaaaaaa', kind: 'instruction' }),
      makeItem({ id: 'bbbbbbbb', kind: 'instruction', supersedes: ['aaaaaaaa'], review: 'waiting' }),
    ];
    expect(
      viewOf(items)
        .instructions()
        .map((item) => item.id),
    ).toEqual(['aaaaaaaa']);
  });

  it('lists the instructions in force, oldest first', () => {
    const items = [
      makeItem({ id: 'bbbbbbbb', kind: 'instruction', created: '2026-02-01T00:00:00Z' }),
      makeItem({ id: 'aaaaaaaa', kind: 'instruction', created: '2026-03-01T00:00:00Z' }),
      makeItem({ id: 'cccccccc', kind: 'preference' }),
    ];
    expect(
      viewOf(items)
        .instructions()
        .map((item) => item.id),
    ).toEqual(['bbbbbbbb', 'aaaaaaaa']);
  });

  it('marks the items that a merge left contradicting each other', () => {
    const [a, b, c] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'] as const;
    const first = makeItem({ id: b, supersedes: [a] });
    const view = viewOf([makeItem({ id: a }), first, makeItem({ id: c, supersedes: [a] })]);
    expect(view.contradicting(first).map((item) => item.id)).toEqual([c]);
    expect(view.heads(a).map((item) => item.id)).toEqual([b, c]);
  });

  it('marks the two versions of an item that a merge kept, until one is replaced or goes', () => {
    const [a, b, c] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'] as const;
    const [item, other] = [makeItem({ id: a }), makeItem({ id: b, conflictsWith: [a] })];
    const rivals = (items: readonly Item[], of: Item) =>
      viewOf(items)
        .contradicting(of)
        .map(({ id }) => id);
    expect([rivals([item, other], item), rivals([item, other], other)]).toEqual([[b], [a]]);
    const newer = makeItem({ id: c, supersedes: [a] });
    expect([rivals([item, other, newer], newer), rivals([item, other, newer], other)]).toEqual([[b], [c]]);
    const both = makeItem({ id: c, supersedes: [a, b] });
    expect(rivals([item, other, both], both)).toEqual([]);
    expect(rivals([other], other)).toEqual([]);
    const elsewhere = makeItem({ id: a, space: 'globex' });
    expect(rivals([elsewhere, other], other)).toEqual([]);
  });

  it('shows the visible chain of an item, oldest first', () => {
    const middle = makeItem({ id: 'bbbbbbbb', supersedes: ['aaaaaaaa'] });
    const items = [
      makeItem({ id: 'aaaaaaaa' }),
      middle,
      makeItem({ id: 'cccccccc', space: 'acme', supersedes: ['bbbbbbbb'] }),
      makeItem({ id: 'gggggggg', space: 'globex', supersedes: ['bbbbbbbb'] }),
    ];
    expect(
      viewOf(items)
        .chain(middle)
        .map(({ item, relation }) => `${relation} ${item.id}`),
    ).toEqual(['supersedes aaaaaaaa', 'superseded-by cccccccc']);
  });
});
