import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeEmbedder } from '../../test/fake-embedder.ts';
import type { IndexDocument, MemoryIndex, SearchRequest, SearchResult } from './memory-index.ts';
import { openMemoryIndex } from './open-index.ts';
import { splitPassages } from './passages.ts';

let folder = '';
const opened: MemoryIndex[] = [];
const index = (embedder: 'none' | FakeEmbedder = 'none', where = folder): MemoryIndex => {
  const made = openMemoryIndex({ folder: where, embedder });
  opened.push(made);
  return made;
};
const item = (id: string, text: string, more: Partial<IndexDocument> = {}): IndexDocument => ({
  id,
  text,
  statement: text.split(/\n\s*\n/)[0] ?? '',
  kind: 'fact',
  tags: [],
  target: null,
  created: '2026-01-01T00:00:00Z',
  ...more,
});
const ask = (index: MemoryIndex, question: string, more: Partial<SearchRequest> = {}): Promise<SearchResult> =>
  index.search({ partitions: ['personal'], question, limit: 8, missedLimit: 100, accept: () => true, ...more });
const ids = (result: SearchResult): string[] => result.hits.map(({ id }) => id);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stet-index-'));
});
afterEach(async () => {
  for (const made of opened.splice(0)) await made.close();
  rmSync(folder, { recursive: true, force: true });
});

const DEPLOY = item('a1', 'Acme deploys with Kubernetes on Fridays.');
const SIGN_IN = item('b2', 'Acme signs users in with Auth0.');
const TICKET = item('c3', 'The refund bug is tracked as PAY-1041.');

describe('search', () => {
  it('finds by stem, by identifier and by the part of one, best first', async () => {
    const memory = index();
    await memory.open('personal', [DEPLOY, SIGN_IN, TICKET]);
    expect(ids(await ask(memory, 'How is Acme deployed?'))[0]).toBe('a1');
    expect(ids(await ask(memory, 'what about PAY-1041 now'))).toEqual(['c3']);
    expect(ids(await ask(memory, 'pay refunds'))).toEqual(['c3']);
    // A compound that the memory does not know as one counts by its parts alone.
    const score = async (question: string) => (await ask(memory, question)).hits[0]?.score;
    expect(await score('refund-bug')).toBe(await score('refund bug'));
  });

  it('returns nothing for an empty question, a question of stop words, or one that nothing answers', async () => {
    const memory = index(new FakeEmbedder());
    await memory.open('personal', [DEPLOY, SIGN_IN, TICKET]);
    await memory.settled();
    for (const question of ['', ' \n', 'Zebras graze peacefully?'])
      expect(ids(await ask(memory, question))).toEqual([]);
    const words = index();
    await words.open('personal', [DEPLOY]);
    expect(ids(await ask(words, 'what is it and how?'))).toEqual([]);
  });

  it('says of what it leaves out why, and counts the rest', async () => {
    const memory = index();
    const documents = Array.from({ length: 12 }, (_, i) => item(`k${10 + i}`, 'Kubernetes cluster'));
    await memory.open('personal', [
      ...documents,
      item('z9', 'Kubernetes is one word among many others in here, far away.'),
    ]);
    const { hits, missed, rest, bar } = await ask(memory, 'kubernetes cluster', { limit: 8, missedLimit: 2 });
    expect(hits.map(({ id }) => id)).toEqual(['k10', 'k11', 'k12', 'k13', 'k14', 'k15', 'k16', 'k17']);
    expect(missed.map(({ id, reason }) => [id, reason])).toEqual([
      ['k18', 'over-the-limit'],
      ['k19', 'over-the-limit'],
    ]);
    expect(rest).toBe(3);
    const all = await ask(memory, 'kubernetes cluster', { limit: 20, missedLimit: 20 });
    expect(all.missed.map(({ id, reason }) => [id, reason])).toEqual([['z9', 'below-the-bar']]);
    expect(all.missed[0]?.score).toBeLessThan(bar);
  });

  it('never scores what is not accepted', async () => {
    const memory = index(new FakeEmbedder());
    await memory.open('personal', [DEPLOY, SIGN_IN]);
    await memory.settled();
    const result = await ask(memory, 'Acme deploys', { accept: (id) => id !== 'a1' });
    expect(JSON.stringify(result)).not.toContain('a1');
  });

  it('asks once whether to accept a document, until its partition changes or another function is given', async () => {
    const memory = index();
    await memory.open('personal', [DEPLOY, SIGN_IN]);
    const asked: string[] = [];
    const accept = (id: string): boolean => {
      asked.push(id);
      return id !== 'a1';
    };
    expect(ids(await ask(memory, 'deploys', { accept }))).toEqual([]);
    expect(ids(await ask(memory, 'deploys', { accept }))).toEqual([]);
    expect(asked.toSorted()).toEqual(['a1', 'b2']);
    expect(ids(await ask(memory, 'deploys'))).toEqual(['a1']);
    memory.apply([{ partition: 'personal', put: [item('b1', 'Acme deploys by hand.')], remove: [] }]);
    expect(ids(await ask(memory, 'deploys', { accept }))).toEqual(['b1']);
    memory.apply([{ partition: 'personal', put: [], remove: ['b1'] }]);
    expect(ids(await ask(memory, 'deploys', { accept }))).toEqual([]);
  });

  it('shows the passage of a long text that answers, verbatim, and none where the statement does', async () => {
    const filler = Array.from(
      { length: 12 },
      (_, i) => `Paragraph ${i} tells of weather and wind, at some length, so that it fills.`,
    );
    const answer = 'The staging database password rotates each Monday.';
    const long = item('l1', ['Notes of the operations team.', ...filler, answer, ...filler].join('\n\n'));
    for (const embedder of ['none', new FakeEmbedder()] as const) {
      const memory = index(embedder);
      await memory.open('personal', [long, DEPLOY]);
      await memory.settled();
      const { hits, missed } = await ask(memory, 'when does the staging database password rotate');
      const passage = [...hits, ...missed].find(({ id }) => id === 'l1')?.passage ?? '';
      expect(passage).toContain(answer);
      expect(splitPassages(long.text)).toContain(passage);
    }
    const memory = index();
    await memory.open('personal', [item('s1', 'Acme deploys with Kubernetes.\n\nWritten on a Monday.')]);
    expect((await ask(memory, 'Acme Kubernetes deploys')).hits[0]?.passage).toBeNull();
    expect((await ask(memory, 'Acme deploys Kubernetes Monday')).hits[0]?.passage).toBe('Written on a Monday.');
  });

  it('stops when it is aborted', async () => {
    const memory = index(new FakeEmbedder());
    await memory.open('personal', [DEPLOY]);
    await expect(ask(memory, 'deploys', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });
});

describe('partitions', () => {
  it('that are not named leave no trace in an answer, whatever they hold', async () => {
    const text = fc.array(fc.constantFrom('acme', 'deploys', 'kubernetes', 'friday', 'auth0', 'rare'), {
      minLength: 1,
      maxLength: 6,
    });
    const texts = fc.array(
      text.map((words) => words.join(' ')),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(texts, texts, text, async (own, others, question) => {
        const request = { missedLimit: 50, partitions: ['personal', 'space:own'] };
        const alone = index(new FakeEmbedder(), join(folder, 'alone'));
        const beside = index(new FakeEmbedder(), join(folder, 'beside'));
        for (const memory of [alone, beside]) {
          await memory.open('personal', [DEPLOY]);
          await memory.open(
            'space:own',
            own.map((text, i) => item(`o${i}`, text)),
          );
        }
        await beside.open('space:other', [
          ...others.map((text, i) => item(`x${i}`, text)),
          ...question.map((word, i) => item(`v${i}`, `'${word}' means kubernetes`, { kind: 'vocabulary' })),
        ]);
        await Promise.all([alone.settled(), beside.settled()]);
        expect(await ask(beside, question.join(' '), request)).toEqual(await ask(alone, question.join(' '), request));
      }),
      { numRuns: 40 },
    );
  });

  it('that are not open ignore changes and answer nothing', async () => {
    const memory = index();
    memory.apply([{ partition: 'space:acme', put: [DEPLOY], remove: [] }]);
    expect(ids(await ask(memory, 'Acme deploys', { partitions: ['space:acme', 'space:none'] }))).toEqual([]);
    expect(memory.health().documents).toBe(0);
  });
});

describe('changes', () => {
  const text = fc
    .array(fc.constantFrom('acme', 'deploys', 'friday', 'PAY-1041', 'one '.repeat(160), 'two '.repeat(160)), {
      minLength: 1,
      maxLength: 4,
    })
    .map((words) => words.join('\n'));
  const id = fc.nat(4).map((n) => `i${n}`);
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), id, text }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), id }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('save' as const, 'settle' as const, 'restart' as const) }),
    },
  );

  it.each(['none', 'fake'] as const)(
    'in any order answer as a fresh index of the same documents does, bit for bit (model: %s)',
    async (embedder) => {
      const model = () => (embedder === 'none' ? 'none' : new FakeEmbedder());
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), text, async (steps, question) => {
          const place = mkdtempSync(join(folder, 'x'));
          let changed = index(model(), place);
          await changed.open('personal', []);
          const live = new Map<string, IndexDocument>();
          for (const step of steps) {
            if (step.do === 'put') {
              live.set(step.id, item(step.id, step.text));
              changed.apply([{ partition: 'personal', put: [item(step.id, step.text)], remove: [] }]);
            } else if (step.do === 'remove') {
              live.delete(step.id);
              changed.apply([{ partition: 'personal', put: [], remove: [step.id] }]);
            } else if (step.do === 'save') {
              await changed.save();
            } else if (step.do === 'settle') {
              await changed.settled();
            } else {
              // What was saved last may be older than what is there now.
              changed = index(model(), place);
              await changed.open('personal', live.values());
            }
          }
          const fresh = index(model(), join(place, 'fresh'));
          await fresh.open('personal', [...live.values()].reverse());
          await Promise.all([changed.settled(), fresh.settled()]);
          expect(changed.health()).toEqual(fresh.health());
          expect(await ask(changed, question)).toEqual(await ask(fresh, question));
          const request = { partitions: ['personal'], text: question, limit: 3, accept: () => true };
          expect(await changed.similar(request)).toEqual(await fresh.similar(request));
        }),
        { numRuns: 200 },
      );
    },
  );

  it('are searchable by words at once, while vectors wait', async () => {
    const embedder = new FakeEmbedder();
    embedder.gate = new Promise(() => undefined);
    const memory = index(embedder);
    await memory.open('personal', [DEPLOY]);
    memory.apply([{ partition: 'personal', put: [TICKET], remove: ['a1'] }]);
    const result = await ask(memory, 'refund bug tracked');
    expect(ids(result)).toEqual(['c3']);
    expect(result.hits[0]?.cosine).toBeNull();
    expect(result.vectors.used).toBe(true);
    expect(memory.health()).toMatchObject({ documents: 1, vectors: 0 });
  });
});

describe('what is kept', () => {
  it('saves the next start from embedding and from counting words again', async () => {
    const first = index(new FakeEmbedder());
    await first.open('personal', [DEPLOY, SIGN_IN]);
    await first.settled();
    await first.save();
    const before = await ask(first, 'acme deploys');

    const embedder = new FakeEmbedder();
    const second = index(embedder);
    await second.open('personal', [SIGN_IN, DEPLOY]);
    expect(second.health()).toMatchObject({ vectors: 2, waiting: 0 });
    expect(await ask(second, 'acme deploys')).toEqual(before);
    expect(embedder.embedded.filter(({ role }) => role === 'document')).toEqual([]);
  });

  it('embeds a text once, however many items have it and however often it comes back', async () => {
    const embedder = new FakeEmbedder();
    const memory = index(embedder);
    await memory.open('personal', [DEPLOY, item('a2', DEPLOY.text)]);
    await memory.open('space:acme', [item('a3', DEPLOY.text)]);
    await memory.settled();
    await memory.similar({ partitions: ['personal'], text: SIGN_IN.text, limit: 1, accept: () => true });
    memory.apply([{ partition: 'personal', put: [SIGN_IN], remove: ['a1'] }]);
    memory.apply([{ partition: 'personal', put: [DEPLOY], remove: [] }]);
    await memory.settled();
    expect(embedder.embedded.map(({ text }) => text)).toEqual([DEPLOY.text, SIGN_IN.text]);
    expect(memory.health().vectors).toBe(4);
  });

  it('asks the model once for what is expected and then asked, also at the same time', async () => {
    const embedder = new FakeEmbedder();
    const memory = index(embedder);
    memory.expect('Acme deploys');
    memory.expect('Acme deploys');
    await memory.open('personal', [DEPLOY]);
    const asked = ask(memory, 'Acme deploys');
    memory.expect('');
    expect(await asked).toEqual(await ask(memory, 'Acme deploys'));
    expect(embedder.embedded.filter(({ role }) => role === 'question')).toHaveLength(1);
    expect(embedder.held).toBe(false);
  });

  it('is shared by the processes of a memory: one embeds, the others read', async () => {
    const [one, two] = [new FakeEmbedder(), new FakeEmbedder()];
    let open: () => void = () => undefined;
    one.gate = new Promise((resolve) => (open = resolve));
    const [first, second] = [index(one), index(two)];
    await first.open('personal', [DEPLOY, SIGN_IN]);
    const running = first.settled();
    // The first is at its first text before the second begins.
    await expect.poll(() => one.asked).toBe(1);
    await second.open('personal', [DEPLOY, SIGN_IN]);
    await second.open('space:acme', [TICKET]);
    open();
    await Promise.all([running, second.settled()]);
    expect(one.embedded).toHaveLength(2);
    expect(two.embedded.map(({ text }) => text)).toEqual([TICKET.text]);
    expect(second.health()).toMatchObject({ vectors: 3, waiting: 0 });
  });

  it('may be torn, foreign or unwritable: answers stay the same', async () => {
    const first = index(new FakeEmbedder());
    await first.open('personal', [DEPLOY, SIGN_IN]);
    await first.settled();
    await first.save();
    const before = await ask(first, 'acme deploys');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'not ours');
    const second = index(new FakeEmbedder());
    await second.open('personal', [DEPLOY, SIGN_IN]);
    await second.settled();
    expect(await ask(second, 'acme deploys')).toEqual(before);

    writeFileSync(join(folder, 'file'), '');
    const nowhere = index(new FakeEmbedder(), join(folder, 'file'));
    await nowhere.open('personal', [DEPLOY, SIGN_IN]);
    await nowhere.settled();
    await nowhere.save();
    expect(await ask(nowhere, 'acme deploys')).toEqual(before);
    expect(nowhere.health().problem).toContain('cannot write');
  });

  it('is not written again while nothing changed', async () => {
    const memory = index();
    await memory.open('personal', [DEPLOY]);
    await memory.save();
    const names = readdirSync(folder);
    await memory.save();
    expect(readdirSync(folder)).toEqual(names);
    memory.apply([{ partition: 'personal', put: [SIGN_IN], remove: [] }]);
    await memory.save();
    expect(readdirSync(folder)).not.toEqual(names);
  });
});

describe('vectors', () => {
  it('are made for the newest document first', async () => {
    const embedder = new FakeEmbedder();
    const memory = index(embedder);
    const dated = ['2026-03-01', '2026-09-01', '2026-06-01'].map((created, i) =>
      item(`d${i}`, `Text ${i}.`, { created }),
    );
    await memory.open('personal', dated);
    await memory.settled();
    expect(embedder.embedded.map(({ text }) => text)).toEqual(['Text 1.', 'Text 2.', 'Text 0.']);
  });

  it('that fail to load leave words alone, and say why', async () => {
    const embedder = new FakeEmbedder();
    embedder.broken = 'no such model';
    const memory = index(embedder);
    await memory.open('personal', [DEPLOY]);
    await memory.settled();
    const result = await ask(memory, 'Acme deploys Kubernetes');
    expect(ids(result)).toEqual(['a1']);
    expect(result.vectors).toEqual({ used: false, reason: 'no such model' });
    expect(memory.health()).toMatchObject({ vectors: 0, waiting: 0, problem: 'no such model' });
  });

  it('are asked for by nothing before the first document or question, and hold the process only while asked', async () => {
    const embedder = new FakeEmbedder();
    const memory = index(embedder);
    await memory.open('personal', []);
    expect(embedder.embedded).toEqual([]);
    const asking = ask(memory, 'Acme');
    expect(embedder.held).toBe(true);
    await asking;
    expect(embedder.held).toBe(false);
  });

  it('of questions and of stored texts are kept apart where the model tells them apart', async () => {
    const model = (): FakeEmbedder => Object.assign(new FakeEmbedder(), { isSymmetric: false });
    const alone = index(model(), join(folder, 'alone'));
    await alone.open('personal', [SIGN_IN]);
    await alone.settled();
    const expected = await ask(alone, DEPLOY.text);

    // Another space holds just what is asked, and it was asked before it was stored.
    const beside = index(model(), join(folder, 'beside'));
    await beside.open('personal', [SIGN_IN]);
    await ask(beside, DEPLOY.text);
    await beside.open('space:acme', [DEPLOY]);
    await beside.settled();
    expect(await ask(beside, DEPLOY.text)).toEqual(expected);
    const fresh = index(model(), join(folder, 'beside'));
    await fresh.open('personal', [SIGN_IN]);
    await fresh.open('space:acme', [DEPLOY]);
    expect(await ask(fresh, DEPLOY.text)).toEqual(expected);
    const own = (memory: MemoryIndex) => ask(memory, 'Acme', { partitions: ['space:acme'] });
    const stored = index(model(), join(folder, 'stored'));
    await stored.open('space:acme', [DEPLOY]);
    await stored.settled();
    expect(await own(fresh)).toEqual(await own(stored));
  });

  it('of one model never answer for another', async () => {
    const first = index(new FakeEmbedder('one'));
    await first.open('personal', [DEPLOY]);
    await first.settled();
    await first.save();
    const embedder = new FakeEmbedder('two');
    const second = index(embedder);
    await second.open('personal', [DEPLOY]);
    expect(second.health().vectors).toBe(0);
    await second.settled();
    expect(embedder.embedded.map(({ text }) => text)).toEqual([DEPLOY.text]);
  });

  it('are not made of texts and questions in a language that the model does not read', async () => {
    const embedder = new FakeEmbedder();
    embedder.languages = ['en'];
    const memory = index(embedder);
    const german = item('g1', 'Die Rechnung wird am Ende des Monats mit der Post verschickt.');
    await memory.open('personal', [german, DEPLOY]);
    await memory.settled();
    expect(embedder.embedded.map(({ text }) => text)).toEqual([DEPLOY.text]);
    const result = await ask(memory, 'Wann wird die Rechnung verschickt und wie ist das mit der Post?');
    expect(ids(result)).toEqual(['g1']);
    expect(result.vectors.used).toBe(false);
    expect(result.vectors.reason).toContain('does not read the language');
    expect((await ask(memory, 'Acme deploys Kubernetes')).hits[0]?.cosine).toBeGreaterThan(0.5);
  });
});

describe('vocabulary', () => {
  const FINANCE = item('f1', 'Finance keeps its numbers in the Lisbon workbook.');
  const MEANS = item('v1', "'The quarterly doc' means the finance numbers.", { kind: 'vocabulary' });
  const OTHERS = [DEPLOY, SIGN_IN, TICKET, item('o1', 'Caroline paints landscapes on Sundays.')];
  const QUESTION = 'where is the quarterly doc?';

  it.each(['none', 'fake'] as const)(
    'finds what a phrase means, and nothing besides, with the score of the meaning itself (model: %s)',
    async (embedder) => {
      const memory = index(embedder === 'none' ? 'none' : new FakeEmbedder());
      await memory.open('personal', [FINANCE, ...OTHERS]);
      await memory.settled();
      expect(ids(await ask(memory, QUESTION))).toEqual([]);
      memory.apply([{ partition: 'personal', put: [MEANS], remove: [] }]);
      await memory.settled();
      const result = await ask(memory, QUESTION);
      const meaning = await ask(memory, 'where is the finance numbers?');
      expect(ids(result)).toEqual(expect.arrayContaining(['f1', 'v1']));
      expect(ids(meaning)).toEqual(expect.arrayContaining(ids(result)));
      expect(ids(result)).not.toContain('o1');
      expect(result.rewordedBy).toEqual(['v1']);
      expect(result.rest + result.hits.length + result.missed.length).toBeLessThanOrEqual(6);
      const [reworded, meant] = [result, meaning].map(({ hits }) => hits.find(({ id }) => id === 'f1'));
      expect(reworded?.score).toBeCloseTo(0.95 * (meant?.score ?? 0), 10);
      expect(reworded?.cosine).toBe(meant?.cosine);
      memory.apply([{ partition: 'personal', put: [], remove: ['v1'] }]);
      expect(ids(await ask(memory, QUESTION))).toEqual([]);
    },
  );

  it('explains nothing that it may not, nor as another kind of item', async () => {
    const memory = index();
    await memory.open('personal', [FINANCE, MEANS, ...OTHERS]);
    const without = await ask(memory, QUESTION, { accept: (id) => id !== 'v1' });
    expect(ids(without)).toEqual([]);
    expect(without.rewordedBy).toEqual([]);
    expect((await ask(memory, QUESTION, { defines: () => false })).rewordedBy).toEqual([]);
    expect(ids(await ask(memory, QUESTION, { accept: (id) => id === 'f1', defines: () => true }))).toEqual(['f1']);
    memory.apply([{ partition: 'personal', put: [{ ...MEANS, kind: 'fact' }], remove: [] }]);
    expect((await ask(memory, QUESTION)).rewordedBy).toEqual([]);
  });

  it('works from one opened partition to the other, both ways between names, and from a snapshot', async () => {
    const first = index();
    const short = item('v2', 'k8s = Kubernetes', { kind: 'vocabulary' });
    const old = item('d1', 'The k8s upgrade waits for the audit.');
    await first.open('personal', [short, ...OTHERS]);
    await first.save();
    const memory = index();
    await memory.open('personal', [short, ...OTHERS]);
    await memory.open('space:acme', [old, FINANCE]);
    const partitions = ['personal', 'space:acme'];
    expect(ids(await ask(memory, 'kubernetes upgrade', { partitions }))).toContain('d1');
    expect(ids(await ask(memory, 'who deploys with k8s', { partitions }))).toContain('a1');
    expect(ids(await ask(memory, 'kubernetes upgrade audit', { partitions: ['space:acme'] }))).not.toContain('v2');
  });
});

describe('relevance', () => {
  it('lifts an item by a whole tag, without making it longer', async () => {
    const memory = index();
    const tagged = item('t1', 'Explicit results are returned.', { tags: ['error handling'] });
    const plain = item('t2', 'Explicit results are returned. error handling');
    await memory.open('personal', [tagged, plain, DEPLOY]);
    const { hits } = await ask(memory, 'how do we do error handling?');
    expect(hits.map(({ id }) => id)).toEqual(['t1', 't2']);
    expect(hits[0]?.words).toBe(hits[1]?.words);
  });

  it('prefers an item that has the name asked for, but not because it repeats the name of its own space', async () => {
    const memory = index();
    const undated = { created: '' };
    const named = item('n1', 'Melanie paints landscapes.', undated);
    const unnamed = item('n2', 'Caroline paints landscapes.', undated);
    await memory.open('space:melanie', [named, unnamed]);
    await memory.open('space:other', [named, unnamed]);
    const scores = async (partition: string) => {
      const { hits, missed } = await ask(memory, 'Which landscapes has Melanie painted?', { partitions: [partition] });
      return Object.fromEntries([...hits, ...missed].map(({ id, score }) => [id, score]));
    };
    const [own, other] = [await scores('space:melanie'), await scores('space:other')];
    expect((own['n2'] ?? 0) - (other['n2'] ?? 0)).toBeCloseTo(0.3, 10);
    expect(own['n1'] ?? 0).toBeLessThan(other['n1'] ?? 0);
  });

  it('takes the direction of a name off the question, so that what is asked of it decides', async () => {
    const memory = index(new FakeEmbedder());
    await memory.open('personal', [item('m1', 'Melanie Melanie Melanie'), item('m2', 'landscapes by hand, Melanie')]);
    await memory.settled();
    const [upper, lower] = [
      await ask(memory, 'does Melanie do landscapes'),
      await ask(memory, 'does melanie do landscapes'),
    ];
    const lead = ({ hits, missed }: SearchResult): number => {
      const score = (id: string): number => [...hits, ...missed].find((hit) => hit.id === id)?.score ?? 0;
      return score('m2') - score('m1');
    };
    expect(lead(upper)).toBeGreaterThan(lead(lower));
  });

  it('gives nothing when what is asked is known of somebody else', async () => {
    const memory = index();
    await memory.open('personal', [
      item('p1', 'Melanie painted a sunrise over the lake last summer.', { created: '2026-01-01' }),
      item('p2', 'Caroline joined a choir in town.', { created: '2026-02-01' }),
      item('p3', 'Caroline adopted a puppy from the shelter.', { created: '2026-03-01' }),
      item('p4', 'Caroline moved to a new flat near the river.', { created: '2026-04-01' }),
      item('p5', 'Melanie started a pottery class with her kids.', { created: '2026-05-01' }),
    ]);
    const question = 'What did Caroline paint over the lake last summer?';
    const asked = await ask(memory, question);
    expect(ids(asked)).toEqual([]);
    expect(asked.bar).toBeGreaterThan(0.6);
    expect(ids(await ask(memory, question.replace('Caroline', 'Melanie')))).toContain('p1');
    // What is not accepted says nothing either: without Melanie's, there is no doubt whose it is.
    const alone = await ask(memory, question, { accept: (id) => id !== 'p1' && id !== 'p5' });
    expect(alone.bar).toBeLessThan(0.6);
  });

  it('lifts what was stored in the same sitting as a good answer', async () => {
    const memory = index();
    const at = (created: string) => ({ created });
    await memory.open('personal', [
      item('s1', 'The cluster runs Kubernetes on EKS.', at('2026-03-01T10:00:00Z')),
      item('s2', 'Helm charts of the cluster.', at('2026-03-01T10:20:00Z')),
      item('s3', 'Helm charts of the cluster.', at('2026-05-01T10:20:00Z')),
    ]);
    const { hits, missed } = await ask(memory, 'kubernetes cluster on eks');
    const all = [...hits, ...missed];
    const score = (id: string): number => all.find((hit) => hit.id === id)?.score ?? 0;
    expect(score('s2') - score('s3')).toBeCloseTo(0.2 * score('s1'), 1);
  });
});
