// Leaks to be planted, one at a time, to see that the property finds them. Each is what a plausible mistake would do:
// somewhere, something looks at more than the session sees.

import { vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { Partition } from '../../src/index/partition.ts';
import { Postings } from '../../src/index/postings.ts';
import { ItemTable } from '../../src/memory/item-table.ts';
import type { Item } from '../../src/memory/item.ts';

/** Planted into one world; taken out by `remove`. */
export interface PlantedLeak {
  readonly name: string;
  readonly plant: () => { readonly wrap: (app: App) => App; readonly remove: () => void };
}

function wrapping(name: string, wrap: (app: App) => Partial<App>): PlantedLeak {
  return { name, plant: () => ({ wrap: (app) => ({ ...app, ...wrap(app) }), remove: () => undefined }) };
}

async function everyItem(app: App): Promise<readonly Item[]> {
  return (await app.list({ outdated: true })).map(({ item }) => item);
}

export const PLANTED_LEAKS: readonly PlantedLeak[] = [
  {
    name: 'the rarity of words is counted over all partitions',
    plant: () => {
      const partitions = new Set<Postings>();
      const add = Postings.prototype.add;
      const count = Postings.prototype.documentFrequency;
      const puts = vi.spyOn(Postings.prototype, 'add').mockImplementation(function (this: Postings, slot, terms) {
        partitions.add(this);
        add.call(this, slot, terms);
      });
      const counts = vi.spyOn(Postings.prototype, 'documentFrequency').mockImplementation((term) => {
        let sum = 0;
        for (const partition of partitions) sum += count.call(partition, term);
        return sum;
      });
      return {
        wrap: (app) => app,
        remove: () => {
          puts.mockRestore();
          counts.mockRestore();
        },
      };
    },
  },
  {
    name: 'vocabulary of other spaces explains a question',
    plant: () => {
      const partitions = new Set<Partition>();
      const open = Partition.prototype.open;
      const definitions = Partition.prototype.definitions;
      const opens = vi.spyOn(Partition.prototype, 'open').mockImplementation(function (this: Partition, ...given) {
        partitions.add(this);
        open.apply(this, given);
      });
      const all = vi.spyOn(Partition.prototype, 'definitions').mockImplementation(function* () {
        for (const partition of partitions) yield* definitions.call(partition, () => true);
      });
      return {
        wrap: (app) => app,
        remove: () => {
          opens.mockRestore();
          all.mockRestore();
        },
      };
    },
  },
  {
    name: 'links of other spaces supersede',
    plant: () => {
      const links = ItemTable.prototype.links;
      const everywhere = { has: () => true } as unknown as ReadonlySet<string>;
      const spy = vi.spyOn(ItemTable.prototype, 'links').mockImplementation(function (this: ItemTable) {
        return links.call(this, everywhere);
      });
      return { wrap: (app) => app, remove: () => spy.mockRestore() };
    },
  },
  {
    name: 'a new id that was taken is remarked on',
    plant: () => {
      let taken = 0;
      const isTaken = ItemTable.prototype.isTaken;
      const spy = vi.spyOn(ItemTable.prototype, 'isTaken').mockImplementation(function (this: ItemTable, id) {
        const answer = isTaken.call(this, id);
        if (answer) taken += 1;
        return answer;
      });
      const wrap = (app: App): App => ({
        ...app,
        remember: async (session, request) => {
          const before = taken;
          const result = await app.remember(session, request);
          return result.status !== 'stored' || taken === before ? result : { ...result, warnings: ['another id.'] };
        },
      });
      return { wrap, remove: () => spy.mockRestore() };
    },
  },
  wrapping('an error knows an id of another space from one that nobody has', (app) => ({
    read: async (session, id) => {
      const result = await app.read(session, id);
      if (result.status !== 'refused' || (await app.locate(id)) === null) return result;
      return { status: 'refused', refusal: { code: 'no-writable-space' } };
    },
  })),
  wrapping('an error knows a forgotten id of another space', (app) => ({
    forget: async (session, id) => {
      const result = await app.forget(session, id);
      const forgotten = await app.listForgotten();
      if (result.status !== 'refused' || !forgotten.some((tombstone) => tombstone.id === id)) return result;
      return { status: 'refused', refusal: { code: 'waiting-target', id } };
    },
  })),
  wrapping('the number of all items is told', (app) => ({
    recallTraced: async (session, request) => {
      const result = await app.recallTraced(session, request);
      const notes = [`${(await everyItem(app)).length} items.`];
      return { ...result, answer: { ...result.answer, notes } };
    },
  })),
  wrapping('quarantined files of all spaces are counted', (app) => ({
    recallTraced: async (session, request) => {
      const result = await app.recallTraced(session, request);
      const { quarantined } = await app.status();
      return { ...result, answer: { ...result.answer, notes: [`${quarantined.length} files cannot be used.`] } };
    },
  })),
  wrapping('the same statement in another space counts as known', (app) => ({
    remember: async (session, request) => {
      const known = (await everyItem(app)).find((item) => item.text === request.text);
      return known
        ? { status: 'identical', item: known, differs: [], stillCurrent: [] }
        : app.remember(session, request);
    },
  })),
  wrapping('`_meta` has an id that the text has not', (app) => ({
    recallTraced: async (session, request) => {
      const result = await app.recallTraced(session, request);
      const [item] = await everyItem(app);
      return item === undefined
        ? result
        : { ...result, facts: [...result.facts, { item, score: 1, cosine: null, words: 1 }] };
    },
  })),
  wrapping('a denial is not looked at', (app) => ({
    session: async (request) => ({ ...(await app.session(request)), spaceAllowed: true }),
  })),
  wrapping('the warning of an empty answer depends on what others know', (app) => ({
    recallTraced: async (session, request) => {
      const result = await app.recallTraced(session, request);
      if (result.facts.length > 0) return result;
      const elsewhere = (await everyItem(app)).some((item) => item.text.includes(request.question.slice(0, 8)));
      return elsewhere ? { ...result, answer: { ...result.answer, notes: ['Ask the user.'] } } : result;
    },
  })),
];
