import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemAt, mergeTrees, type Tree } from '../../../test/merge-trees.ts';
import { deriveId } from '../id.ts';
import { printItemFile } from '../item-file.ts';
import type { Item, Space } from '../item.ts';
import { placeOf } from '../item-path.ts';
import { printTombstone, tombstonePath } from '../tombstone.ts';

const SPACES: readonly Space[] = [null, 'acme', 'globex'];

/** One thing that a person or an agent does; numbers choose what it is done to. */
interface Act {
  readonly what:
    | 'remember'
    | 'supersede'
    | 'edit'
    | 'append'
    | 'tag'
    | 'move'
    | 'rename'
    | 'forget'
    | 'delete'
    | 'by hand'
    | 'drop keys';
  readonly which: number;
  readonly where: number;
}

const acts = fc.array(
  fc.record<Act>({
    what: fc.constantFrom<Act['what']>(
      'remember',
      'supersede',
      'edit',
      'append',
      'tag',
      'move',
      'rename',
      'forget',
      'delete',
      'by hand',
      'drop keys',
    ),
    which: fc.nat(20),
    where: fc.nat(2),
  }),
  { maxLength: 8 },
);

/** What every word that somebody wrote may be seen in: where it was written, and where it was moved on purpose. */
type Seen = Map<string, Set<Space>>;

class Side {
  readonly files: Map<string, string>;
  readonly #start: Tree;
  readonly #name: string;
  readonly #seen: Seen;
  #count = 0;

  constructor(tree: Tree, name: string, seen: Seen) {
    this.files = new Map(Object.entries(tree));
    this.#start = tree;
    this.#name = name;
    this.#seen = seen;
  }

  get tree(): Tree {
    return Object.fromEntries(this.files);
  }

  do({ what, which, where }: Act): void {
    const paths = [...this.files.keys()].filter((path) => itemAt(this.tree, path) !== null).sort();
    const path = paths[which % (paths.length || 1)];
    const item = path === undefined ? null : itemAt(this.tree, path);
    const space = SPACES[where] ?? null;
    if (what === 'remember') return this.#put(this.#make(space, []));
    if (what === 'by hand') return this.#write(`${folderOf(space)}/note-${where}.md`, `${this.#word(space)}\n`);
    if (path === undefined || item === null) return undefined;
    const here = placeOf(path)?.space ?? null;
    switch (what) {
      case 'supersede':
        return this.#put(this.#make(here, [item.id]));
      case 'edit':
        return this.#write(path, printItemFile({ ...item, text: this.#word(here) }));
      case 'append':
        return this.#write(path, printItemFile({ ...item, text: `${item.text}\n\nBetween.\n\n${this.#word(here)}` }));
      case 'tag':
        return this.#write(path, printItemFile({ ...item, tags: [...item.tags, `t${where}`] }));
      case 'drop keys':
        // An editor with an old buffer saves over a file that git knows.
        return itemAt(this.#start, path)?.id === item.id ? this.#write(path, `${item.text}\n`) : undefined;
      case 'move':
        for (const word of wordsOf(item.text)) this.#seen.get(word)?.add(space);
        this.files.delete(path);
        return this.#write(
          `${folderOf(space)}/${path.slice(path.lastIndexOf('/') + 1)}`,
          printItemFile({ ...item, space }),
        );
      case 'rename':
        this.files.delete(path);
        return this.#write(`${folderOf(here)}/${this.#name}-${this.#count++}.md`, printItemFile(item));
      case 'forget':
        this.files.delete(path);
        return this.#write(
          tombstonePath(item.id),
          printTombstone({ ...item, forgotten: '2026-09-02T00:00:00Z', by: this.#name }),
        );
      case 'delete':
        this.files.delete(path);
        return undefined;
    }
  }

  #make(space: Space, supersedes: readonly string[]): Item {
    const text = this.#word(space);
    return {
      id: deriveId(this.#name, text),
      kind: 'fact',
      space,
      source: this.#name,
      created: '2026-09-01T00:00:00Z',
      supersedes,
      tags: [],
      text,
      statement: text,
    };
  }

  #put(item: Item): void {
    this.#write(`${folderOf(item.space)}/${item.id}.md`, printItemFile(item));
  }

  /** A word that nobody else writes. */
  #word(space: Space): string {
    const word = `W${this.#name}${this.#seen.size}W`;
    this.#seen.set(word, new Set([space]));
    return word;
  }

  #write(path: string, text: string): void {
    this.files.set(path, text);
  }
}

function folderOf(space: Space): string {
  return space === null ? 'personal' : `spaces/${space}`;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/W[a-z]+\d+W/g) ?? [];
}

function idsOf(tree: Tree): ReadonlySet<string> {
  return new Set(Object.keys(tree).flatMap((path) => itemAt(tree, path)?.id ?? []));
}

/** A base and two sides that went on from it. */
function play(before: readonly Act[], here: readonly Act[], there: readonly Act[]) {
  const seen: Seen = new Map();
  const start = new Side({}, 'base', seen);
  for (const act of before) start.do(act);
  const [ours, theirs] = [new Side(start.tree, 'ours', seen), new Side(start.tree, 'theirs', seen)];
  for (const act of here) ours.do(act);
  for (const act of there) theirs.do(act);
  return { base: start.tree, ours: ours.tree, theirs: theirs.tree, seen };
}

describe('merging memories, whatever was done to them', () => {
  it('loses no item: it is there, or it has a tombstone', () => {
    fc.assert(
      fc.property(acts, acts, acts, (before, here, there) => {
        const { base, ours, theirs } = play(before, here, there);
        const { tree } = mergeTrees(base, ours, theirs);
        const left = idsOf(tree);
        for (const side of [ours, theirs]) {
          for (const id of idsOf(side)) {
            // A file without an id has another one after an edit.
            const saysId = Object.values(side).some((text) => text.includes(`id: "${id}"`));
            const isGone = !left.has(id) && tree[tombstonePath(id)] === undefined;
            expect(isGone && saysId, `${id} is gone`).toBe(false);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('loses no word that one side wrote, unless its item was forgotten', () => {
    fc.assert(
      fc.property(acts, acts, acts, (before, here, there) => {
        const { base, ours, theirs } = play(before, here, there);
        const { tree, events } = mergeTrees(base, ours, theirs);
        const old = new Set(Object.values(base).flatMap(wordsOf));
        const kept = new Set(Object.values(tree).flatMap(wordsOf));
        const forgotten = new Set(events.flatMap((event) => (event.kind === 'forgotten' ? [event.path] : [])));
        for (const side of [ours, theirs]) {
          for (const path of Object.keys(side)) {
            const item = itemAt(side, path);
            if (item === null || forgotten.has(path)) continue;
            for (const word of wordsOf(item.text))
              expect(old.has(word) || kept.has(word), `${word} of ${path}`).toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('shows no word outside of its space, unless that very word was moved there', () => {
    fc.assert(
      fc.property(acts, acts, acts, (before, here, there) => {
        const { base, ours, theirs, seen } = play(before, here, there);
        const { tree } = mergeTrees(base, ours, theirs);
        for (const [path, text] of Object.entries(tree)) {
          const space = placeOf(path)?.space ?? null;
          for (const word of wordsOf(text)) {
            const places = seen.get(word);
            expect(places?.has(space) || places?.has(null), `${word} in ${path}`).toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('comes to items with ids of their own, and leaves no marker', () => {
    fc.assert(
      fc.property(acts, acts, acts, (before, here, there) => {
        const { base, ours, theirs } = play(before, here, there);
        const { tree, events } = mergeTrees(base, ours, theirs);
        const inTwoSpaces = new Set(events.flatMap((event) => (event.kind === 'two-spaces' ? [event.id] : [])));
        const ids = Object.keys(tree)
          .flatMap((path) => itemAt(tree, path)?.id ?? [])
          .filter((id) => !inTwoSpaces.has(id));
        expect(ids.toSorted()).toEqual([...new Set(ids)].sort());
        for (const text of Object.values(tree)) expect(text).not.toMatch(/^(<{7}|={7}|>{7})/m);
      }),
      { numRuns: 150 },
    );
  });

  it('keeps no file of an item that one side forgot', () => {
    fc.assert(
      fc.property(acts, acts, acts, (before, here, there) => {
        const { base, ours, theirs } = play(before, here, there);
        const { tree } = mergeTrees(base, ours, theirs);
        const kept = [...idsOf(tree)].filter((id) => tree[tombstonePath(id)] !== undefined);
        // What was made by hand anew, with the text and path of a forgotten one, has its id until it is adopted.
        const saysId = (id: string) =>
          Object.values(tree).some((text) => text.includes(`\nid: "${id}"`) && text.startsWith('---'));
        expect(kept.filter(saysId)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('is done once: a side merged in again changes nothing', () => {
    fc.assert(
      fc.property(acts, acts, acts, (before, here, there) => {
        const { base, ours, theirs } = play(before, here, there);
        const { tree } = mergeTrees(base, ours, theirs);
        expect(mergeTrees(base, tree, theirs).tree).toEqual(tree);
        expect(mergeTrees(theirs, tree, theirs).tree).toEqual(tree);
        expect(mergeTrees(ours, ours, tree).tree).toEqual(tree);
      }),
      { numRuns: 150 },
    );
  });
});
