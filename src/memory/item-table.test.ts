import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeChange, makeItem } from '../../test/make-item.ts';
import { ItemTable, lastGoodOf, type SpaceDelta, type TableChange } from './item-table.ts';
import { PERSONAL_KEY, spaceKeyOf } from './space-key.ts';
import { resolveSupersession } from './supersession.ts';

const tombstone = (id: string, given: { space?: string; supersedes?: string[] } = {}): TableChange => ({
  kind: 'tombstone',
  path: `forgotten/${id}.yaml`,
  tombstone: {
    id,
    space: given.space ?? null,
    supersedes: given.supersedes ?? [],
    forgotten: '2026-10-01T00:00:00Z',
    by: 'Claude Code',
  },
});

const links = (table: ItemTable, ...spaces: string[]) => [...table.links(new Set(spaces))];

describe('the item table', () => {
  it('delivers an item from its file, and takes it out when the file is gone', () => {
    const table = new ItemTable();
    const item = makeItem({ id: 'aaaaaaaa', space: 'acme' });
    expect(table.apply([makeChange(item)])).toEqual([{ space: 'acme', put: [item], remove: [] }]);
    expect(table.get('aaaaaaaa')?.file.item).toEqual(item);
    expect(table.apply([{ kind: 'gone', path: 'spaces/acme/aaaaaaaa.md' }])).toEqual([
      { space: 'acme', put: [], remove: ['aaaaaaaa'] },
    ]);
    expect(table.get('aaaaaaaa')).toBeUndefined();
  });

  it('tells both spaces when an item moves from one to the other', () => {
    const table = new ItemTable();
    table.apply([makeChange(makeItem({ id: 'aaaaaaaa', space: 'acme' }))]);
    const moved = makeItem({ id: 'aaaaaaaa', space: 'globex' });
    const deltas = table.apply([{ kind: 'gone', path: 'spaces/acme/aaaaaaaa.md' }, makeChange(moved)]);
    expect(deltas).toContainEqual({ space: 'acme', put: [], remove: ['aaaaaaaa'] });
    expect(deltas).toContainEqual({ space: 'globex', put: [moved], remove: [] });
  });

  it('delivers an item that was moved to two spaces in neither, until one of the files goes', () => {
    const table = new ItemTable();
    const [acme, globex] = ['acme', 'globex'].map((space) => makeItem({ id: 'aaaaaaaa', space }));
    if (!acme || !globex) throw new Error('two items');
    table.apply([makeChange(acme), makeChange(globex)]);
    expect(table.get('aaaaaaaa')).toBeUndefined();
    expect(table.quarantined().map(({ path, problems }) => [path, problems[0]?.message])).toEqual([
      ['spaces/acme/aaaaaaaa.md', expect.stringContaining('is in two spaces, here and in spaces/globex/aaaaaaaa.md')],
      ['spaces/globex/aaaaaaaa.md', expect.stringContaining('is in two spaces, here and in spaces/acme/aaaaaaaa.md')],
    ]);
    table.apply([{ kind: 'gone', path: 'spaces/globex/aaaaaaaa.md' }]);
    expect(table.get('aaaaaaaa')?.path).toBe('spaces/acme/aaaaaaaa.md');
  });

  it('delivers nothing of a forgotten id, whatever file carries it', () => {
    const table = new ItemTable();
    table.apply([makeChange(makeItem({ id: 'aaaaaaaa' }))]);
    table.apply([tombstone('aaaaaaaa')]);
    expect(table.get('aaaaaaaa')).toBeUndefined();
    table.apply([makeChange(makeItem({ id: 'aaaaaaaa' }), { path: 'personal/from-a-backup.md' })]);
    expect(table.get('aaaaaaaa')).toBeUndefined();
    expect(table.quarantined().map((file) => file.path)).toEqual(['personal/aaaaaaaa.md', 'personal/from-a-backup.md']);
  });

  it('takes no link from what waits for the user, whatever becomes of its file', () => {
    const table = new ItemTable();
    const waiting = makeItem({ id: 'aaaaaaaa', supersedes: ['bbbbbbbb'], review: 'waiting' });
    const [change] = [makeChange(waiting)];
    const [path, lastGood] = [change.path, lastGoodOf(waiting)];
    for (const fate of [
      change,
      { kind: 'bad', path, space: null, problems: [], lastGood },
      { kind: 'missing', path, lastGood },
    ] satisfies TableChange[]) {
      table.apply([fate]);
      expect(links(table, PERSONAL_KEY), fate.kind).toEqual([]);
    }
    const accepted = makeItem({ id: 'aaaaaaaa', supersedes: ['bbbbbbbb'] });
    table.apply([{ kind: 'missing', path, lastGood: lastGoodOf(accepted) }]);
    expect(links(table, PERSONAL_KEY)).toMatchObject([{ from: 'aaaaaaaa', to: ['bbbbbbbb'] }]);
  });

  it('keeps the links of what is missing until its own space has it elsewhere, whatever other spaces have', () => {
    const table = new ItemTable();
    const item = makeItem({ id: 'aaaaaaaa', supersedes: ['bbbbbbbb'] });
    table.apply([{ kind: 'missing', path: makeChange(item).path, lastGood: lastGoodOf(item) }]);
    table.apply([makeChange(makeItem({ ...item, space: 'globex', supersedes: [] }))]);
    expect(links(table, PERSONAL_KEY)).toMatchObject([{ from: 'aaaaaaaa', to: ['bbbbbbbb'] }]);
    table.apply([makeChange({ ...item, supersedes: [] }, { path: 'personal/moved.md' })]);
    expect(links(table, PERSONAL_KEY)).toEqual([]);
  });

  it('delivers nothing of an id whose tombstone cannot be read', () => {
    const table = new ItemTable();
    table.apply([makeChange(makeItem({ id: 'aaaaaaaa' }))]);
    table.apply([
      {
        kind: 'bad-tombstone',
        path: 'forgotten/aaaaaaaa.yaml',
        id: 'aaaaaaaa',
        problems: [{ line: 1, message: 'broken' }],
        lastGood: { id: 'aaaaaaaa', space: 'acme', supersedes: ['bbbbbbbb'] },
      },
    ]);
    expect(table.get('aaaaaaaa')).toBeUndefined();
    expect(links(table, spaceKeyOf('acme'))).toMatchObject([{ from: 'aaaaaaaa', to: ['bbbbbbbb'] }]);
  });

  it('keeps the links of a forgotten item in force', () => {
    const table = new ItemTable();
    table.apply([tombstone('bbbbbbbb', { space: 'acme', supersedes: ['aaaaaaaa'] })]);
    expect(links(table, spaceKeyOf('acme'))).toMatchObject([{ from: 'bbbbbbbb', to: ['aaaaaaaa'] }]);
    expect(links(table, PERSONAL_KEY)).toEqual([]);
  });

  it('keeps the links of the last good version of a file that turned bad', () => {
    const table = new ItemTable();
    const path = 'personal/bbbbbbbb.md';
    table.apply([makeChange(makeItem({ id: 'bbbbbbbb', supersedes: ['aaaaaaaa'] }))]);
    table.apply([
      {
        kind: 'bad',
        path,
        space: null,
        problems: [{ line: 2, message: 'broken' }],
        lastGood: { id: 'bbbbbbbb', space: null, supersedes: ['aaaaaaaa'] },
      },
    ]);
    expect(table.get('bbbbbbbb')).toBeUndefined();
    expect(resolveSupersession(table.links(new Set([PERSONAL_KEY]))).by('aaaaaaaa')).toEqual(['bbbbbbbb']);
  });

  it('gives no force to the links of an item that waits for review', () => {
    const table = new ItemTable();
    table.apply([makeChange(makeItem({ id: 'bbbbbbbb', supersedes: ['aaaaaaaa'], review: 'waiting' }))]);
    expect(links(table, PERSONAL_KEY)).toEqual([]);
  });

  it('delivers one of several files with one id: the committed before the uncommitted, then the older', () => {
    const table = new ItemTable();
    const copy = makeItem({ id: 'aaaaaaaa', text: 'A copy.' });
    table.apply([makeChange(copy, { path: 'personal/a-copy.md', committed: false })]);
    table.apply([makeChange(makeItem({ id: 'aaaaaaaa' }), { path: 'personal/z.md' })]);
    expect(table.get('aaaaaaaa')?.path).toBe('personal/z.md');
    expect(table.quarantined().map((file) => file.path)).toEqual(['personal/a-copy.md']);
    expect([...table.contested()]).toEqual([{ id: 'aaaaaaaa', paths: ['personal/a-copy.md', 'personal/z.md'] }]);
    table.apply([{ kind: 'gone', path: 'personal/z.md' }]);
    expect(table.get('aaaaaaaa')?.path).toBe('personal/a-copy.md');
  });

  it('finds items by their text, white space and final full stop aside', () => {
    const table = new ItemTable();
    table.apply([makeChange(makeItem({ id: 'aaaaaaaa', text: 'One  statement.' }))]);
    expect(table.withText('One statement')).toEqual(['aaaaaaaa']);
    table.apply([makeChange(makeItem({ id: 'aaaaaaaa', text: 'Another.' }))]);
    expect(table.withText('One statement')).toEqual([]);
  });

  it('comes to the same by changes in steps as from the files that are left', () => {
    const ids = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'];
    const paths = ['personal/1.md', 'personal/2.md', 'spaces/acme/3.md', 'spaces/acme/4.md'];
    const spaceOf = (path: string) => (path.startsWith('spaces/') ? 'acme' : null);
    const change: fc.Arbitrary<TableChange> = fc.oneof(
      fc
        .record({
          path: fc.constantFrom(...paths),
          id: fc.constantFrom(...ids),
          supersedes: fc.subarray(ids),
          text: fc.constantFrom('One.', 'Two.'),
          committed: fc.boolean(),
        })
        .map(({ path, committed, ...item }) =>
          makeChange(makeItem({ ...item, space: spaceOf(path) }), { path, committed }),
        ),
      fc.constantFrom(...paths).map((path): TableChange => ({ kind: 'gone', path })),
      fc.constantFrom(...paths).map((path): TableChange => ({
        kind: 'bad',
        path,
        space: spaceOf(path),
        problems: [{ line: 1, message: 'broken' }],
        lastGood: null,
      })),
      fc.constantFrom(...ids).map((id) => tombstone(id, { supersedes: [ids[0] ?? ''] })),
      fc.constantFrom(...ids).map((id): TableChange => ({ kind: 'gone', path: `forgotten/${id}.yaml` })),
    );
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 12 }), (steps) => {
        const stepped = new ItemTable();
        const followed = new Map<string, string>();
        for (const step of steps) follow(followed, stepped.apply(step));
        const last = new Map(steps.flat().map((each) => [each.path, each]));
        const fresh = new ItemTable();
        fresh.apply([...last.values()]);

        const delivered = (table: ItemTable) =>
          new Map([...table.all()].map(({ file }) => [file.item.id, `${file.item.space} ${file.item.text}`]));
        expect(delivered(stepped)).toEqual(delivered(fresh));
        expect(followed).toEqual(delivered(fresh));
        expect(stepped.quarantined()).toEqual(fresh.quarantined());
        const all = new Set([PERSONAL_KEY, spaceKeyOf('acme')]);
        const sorted = (table: ItemTable) => [...table.links(all)].map((each) => JSON.stringify(each)).sort();
        expect(sorted(stepped)).toEqual(sorted(fresh));
        for (const text of ['One.', 'Two.']) expect(stepped.withText(text)).toEqual(fresh.withText(text));

        const again = new ItemTable();
        again.apply([...stepped.entries()]);
        expect(delivered(again)).toEqual(delivered(stepped));
      }),
    );
  });
});

function follow(seen: Map<string, string>, deltas: readonly SpaceDelta[]): void {
  for (const delta of deltas) for (const id of delta.remove) seen.delete(id);
  for (const delta of deltas) for (const item of delta.put) seen.set(item.id, `${item.space} ${item.text}`);
}
