// Chaos: some clones of one memory, random work on each, offline periods, kills in mid-sync. In the end all have the same files
// and give the same answers, nothing acknowledged is lost, nothing was seen outside of its space, and git finds them sound.
// STET_CHAOS_ROUNDS and STET_CHAOS_SEED make it longer and repeat it.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cloneMemory, initMemory, openApp, type App, type SyncReport } from '../src/app.ts';
import { StetError } from '../src/memory/failure.ts';
import type { Space } from '../src/memory/item.ts';
import { gitIn, TEST_ENV } from './repo/temporary-repository.ts';
import { ENTRY } from './temporary-memory.ts';

const ROUNDS = Number(process.env['STET_CHAOS_ROUNDS'] ?? 100);
const SEED = Number(process.env['STET_CHAOS_SEED'] ?? Date.now() % 1_000_000);
const SPACES: readonly Space[] = [null, 'acme', 'globex'];
const AGENTS = ['codex', 'cursor'];

/** A small generator (mulberry32), so that a seed repeats a run as far as the clock lets it. */
class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }
}

/** What the run must be able to answer for in the end. */
class Ledger {
  /** Every word that was stored, by where it was stored or moved to on purpose. */
  readonly places = new Map<string, Set<Space>>();
  /** Ids that were acknowledged as stored. */
  readonly stored = new Set<string>();
  #count = 0;

  word(space: Space): string {
    const word = `token${this.#count++}x`;
    this.places.set(word, new Set([space]));
    return word;
  }
}

class Clone {
  readonly root: string;
  readonly name: string;
  readonly git: (...args: string[]) => string;
  /** Ids of items that somebody meant to be gone. */
  readonly removed = new Set<string>();
  app: App;

  private constructor(name: string, root: string, app: App) {
    this.name = name;
    this.root = root;
    this.git = gitIn(root);
    this.app = app;
  }

  static async open(name: string, root: string): Promise<Clone> {
    return new Clone(name, root, await openApp({ memory: root, embedder: 'none' }));
  }

  async reopen(): Promise<void> {
    await this.app.close();
    this.app = await openApp({ memory: this.root, embedder: 'none' });
  }

  /** Items as files, of which the acts choose. */
  async items() {
    return this.app.list({ outdated: true });
  }
}

type Act = (clone: Clone, chance: Chance, ledger: Ledger) => Promise<void>;

const remember: Act = async ({ app }, chance, ledger) => {
  const space = chance.of(SPACES) ?? null;
  const session = await app.userSession(space === null ? { space: 'personal' } : { space });
  const text = `Fact ${ledger.word(space)} was stored by an agent.`;
  const result = await app.remember(session, { text, ...(space === null && { space: 'personal' }) });
  if (result.status === 'stored') ledger.stored.add(result.item.id);
};

const supersede: Act = async ({ app }, chance, ledger) => {
  const listed = chance.of(await app.list({ outdated: false }));
  if (listed === undefined) return;
  const session = await app.userSession({ item: listed.item.id });
  const text = `Decision ${ledger.word(listed.item.space)} replaces another.`;
  const result = await app.remember(session, { text, supersedes: [listed.item.id] });
  if (result.status === 'stored') ledger.stored.add(result.item.id);
};

const forget: Act = async (clone, chance) => {
  const listed = chance.of(await clone.items());
  if (listed === undefined) return;
  const { id } = listed.item;
  clone.removed.add(id);
  await clone.app.forget(await clone.app.userSession({ item: id }), id);
};

const editByHand: Act = async (clone, chance, ledger) => {
  const listed = chance.of(await clone.items());
  if (listed === undefined) return;
  const file = join(clone.root, listed.path);
  const text = readFileSync(file, 'utf8');
  const word = ledger.word(listed.item.space);
  const edited = chance.next() < 0.5 ? text.replace(/token\d+x/, word) : `${text}\nAlso ${word}.\n`;
  writeFileSync(file, edited);
};

const tagByHand: Act = async (clone, chance) => {
  const listed = chance.of(await clone.items());
  if (listed === undefined) return;
  const file = join(clone.root, listed.path);
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace(/^---\n/, `---\n# note ${chance.below(9)}\ntopic${chance.below(3)}: ${chance.below(9)}\n`)
      .replace(/^(topic\d): .*\n((?:.*\n)*?)\1: .*\n/m, '$1: 1\n$2'),
  );
};

const noteByHand: Act = async (clone, chance, ledger) => {
  const space = chance.of(SPACES) ?? null;
  const path = `${space === null ? 'personal' : `spaces/${space}`}/note-${chance.below(6)}.md`;
  if (existsSync(join(clone.root, path))) return;
  await mkdir(dirname(join(clone.root, path)), { recursive: true });
  writeFileSync(join(clone.root, path), `Note ${ledger.word(space)} was written by hand.\n`);
};

/** To another folder of the same space, or to another space with the key, as `stet mv` does. */
const moveByHand: Act = async (clone, chance, ledger) => {
  const listed = chance.of(await clone.items());
  if (listed === undefined) return;
  const { item, path } = listed;
  const space = chance.next() < 0.5 ? item.space : (chance.of(SPACES) ?? null);
  const folder = `${space === null ? 'personal' : `spaces/${space}`}/moved-${chance.below(3)}`;
  const target = join(clone.root, folder, path.slice(path.lastIndexOf('/') + 1));
  if (existsSync(target)) return;
  const text = readFileSync(join(clone.root, path), 'utf8');
  await mkdir(dirname(target), { recursive: true });
  if (space !== item.space) {
    for (const word of text.match(/token\d+x/g) ?? []) ledger.places.get(word)?.add(space);
    const key = `space: ${space ?? 'personal'}\n`;
    writeFileSync(
      join(clone.root, path),
      /^space: .*\n/m.test(text) ? text.replace(/^space: .*\n/m, key) : text.replace(/^---\n/, `---\n${key}`),
    );
  }
  renameSync(join(clone.root, path), target);
};

const deleteByHand: Act = async (clone, chance) => {
  const listed = chance.of(await clone.items());
  if (listed === undefined) return;
  clone.removed.add(listed.item.id);
  rmSync(join(clone.root, listed.path));
};

const changePolicy: Act = async ({ app }, chance) => {
  await app.changePolicy(
    chance.of(AGENTS) ?? 'codex',
    chance.of(['acme', 'globex', '*']) ?? '*',
    chance.next() < 0.5 ? 'deny' : 'allow',
  );
};

const breakByHand: Act = async (clone, chance) => {
  const listed = chance.of(await clone.items());
  if (listed === undefined || chance.next() < 0.5) return;
  const file = join(clone.root, listed.path);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/\n---\n/, '\nkind: [\n---\n'));
  // Most people notice.
  if (chance.next() < 0.8) writeFileSync(file, text);
};

const ACTS: ReadonlyArray<readonly [weight: number, act: Act]> = [
  [6, remember],
  [3, supersede],
  [2, forget],
  [4, editByHand],
  [2, tagByHand],
  [2, noteByHand],
  [3, moveByHand],
  [1, deleteByHand],
  [1, changePolicy],
  [1, breakByHand],
];

function chooseAct(chance: Chance): Act {
  let place = chance.below(ACTS.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, act] of ACTS) {
    place -= weight;
    if (place < 0) return act;
  }
  return remember;
}

/** Files that change under an act, and refusals of the rules, are part of the game. */
async function perform(act: Act, clone: Clone, chance: Chance, ledger: Ledger): Promise<void> {
  try {
    await act(clone, chance, ledger);
  } catch (error) {
    const isExpected = error instanceof StetError || (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isExpected) throw error;
  }
}

/** Whoever is told that a file is in the way does what the message says. */
async function sync(clone: Clone): Promise<SyncReport> {
  const report = await clone.app.sync({});
  const { outcome } = report;
  if (outcome.status !== 'waits' || outcome.why !== 'files') return report;
  for (const { path } of outcome.obstacles) undo(clone, path);
  return clone.app.sync({});
}

function undo({ root, git, removed }: Clone, path: string): void {
  const file = join(root, path);
  const held = git('ls-tree', '--name-only', '-z', 'HEAD', path);
  if (held === '') {
    const id = idIn(file);
    if (id !== null) removed.add(id);
    rmSync(file, { recursive: true });
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, git('cat-file', 'blob', `HEAD:${path}`) + '\n');
  }
}

function idIn(file: string): string | null {
  return /^id: "?(\w{8})"?$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? null;
}

/** `stet sync` in a process of its own, killed after a while. */
function syncKilled(clone: Clone, afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [ENTRY, 'sync'], { env: { ...TEST_ENV, STET_HOME: clone.root } }, () =>
      resolve(),
    );
    setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
}

describe(`chaos (STET_CHAOS_SEED=${SEED}, ${ROUNDS} rounds)`, () => {
  test.each([2, 3, 4])(
    'with %d clones, nothing is lost, leaks or stays apart',
    async (count) => {
      const chance = new Chance(SEED + count);
      const ledger = new Ledger();
      const folder = realpathSync(mkdtempSync(join(os.tmpdir(), 'stet-chaos-')));
      const remote = join(folder, 'remote.git');
      gitIn(folder)('init', '--quiet', '--bare', '--initial-branch=main', remote);
      const clones: Clone[] = [];
      try {
        await initMemory(join(folder, 'clone-0'));
        clones.push(await Clone.open('clone-0', join(folder, 'clone-0')));
        const [first] = clones;
        if (first === undefined) throw new Error('no clone');
        await first.app.changeSetting('commit.quiet', '0s');
        for (const space of ['acme', 'globex']) await first.app.addSpace({ name: space });
        await first.app.setRemote({ url: remote, folder, join: false });
        expect((await sync(first)).outcome).toEqual({ status: 'synced' });
        for (let n = 1; n < count; n++) {
          const root = join(folder, `clone-${n}`);
          await cloneMemory({ url: remote, from: folder, folder: root, ownCommand: null });
          clones.push(await Clone.open(`clone-${n}`, root));
        }

        for (let round = 0; round < ROUNDS; round++) {
          const clone = chance.of(clones) ?? first;
          await perform(chooseAct(chance), clone, chance, ledger);
          const what = chance.next();
          if (what < 0.25) await sync(clone);
          else if (what < 0.28) {
            await clone.app.close();
            await syncKilled(clone, 50 + chance.below(1_200));
            await clone.reopen();
          } else if (what < 0.31) {
            renameSync(remote, `${remote}.away`);
            await sync(clone);
            renameSync(`${remote}.away`, remote);
          } else if (what < 0.33) {
            // Two at once.
            await Promise.all(clones.slice(0, 2).map(sync));
          }
        }

        await settle(clones);
        for (const clone of clones) await tidyUp(clone);
        await settle(clones);
        await checkSame(clones);
        await checkNothingLost(clones, ledger);
        checkNothingLeaked(clones, ledger);
        await checkForgottenIsGone(clones);
      } finally {
        for (const clone of clones) await clone.app.close();
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    60_000 + ROUNDS * 6_000,
  );
});

/** Syncs in turn until a whole turn brings nothing new to anybody. */
async function settle(clones: readonly Clone[]): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    let news = 0;
    for (const clone of clones) {
      const report = await sync(clone);
      expect(report.outcome, `${clone.name} in turn ${turn}`).toEqual({ status: 'synced' });
      news += report.received + report.sent;
    }
    if (news === 0) return;
  }
  throw new Error('the clones do not come to rest');
}

/** What stet leaves uncommitted for a reason stays for its owner, who does as told. */
async function tidyUp(clone: Clone): Promise<void> {
  for (const { path, why, isHeld } of (await clone.app.status()).uncommitted) {
    const file = join(clone.root, path);
    if (!isHeld) continue;
    if (why.includes('was forgotten: delete the file')) rmSync(file);
    else if (why.includes('take the `id` line out')) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^id: .*\n/m, ''));
    } else undo(clone, path);
  }
}

async function checkSame(clones: readonly Clone[]): Promise<void> {
  const trees = clones.map((clone) => clone.git('rev-parse', 'HEAD^{tree}'));
  expect(new Set(trees).size).toBe(1);
  for (const clone of clones) {
    expect((await clone.app.status()).uncommitted, clone.name).toEqual([]);
    expect(clone.git('status', '--porcelain'), clone.name).toBe('');
    expect(clone.git('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
    expect(existsSync(join(clone.root, '.git/stet/merge.json'))).toBe(false);
  }
  // Nothing watches these folders: what a hand took away is seen by whoever opens the memory next.
  for (const clone of clones) await clone.reopen();
  const answers = await Promise.all(clones.map(answersOf));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
}

/** What every agent sees in every space, and what it is told when it asks. */
async function answersOf({ app }: Clone): Promise<unknown> {
  const answers: unknown[] = [];
  for (const client of AGENTS) {
    for (const space of SPACES) {
      const session = await app.session({
        client,
        named: space === null ? null : { by: '--space', space },
        folders: [],
      });
      const { facts, answer } = await app.recall(session, { question: 'Which facts, decisions and notes are there?' });
      const visible = await app.visibleItems(session);
      answers.push({
        client,
        space,
        facts: facts.map(({ item }) => item.id),
        contradicts: answer.facts.map((fact) => fact.contradicts),
        visible: visible.map(({ id }) => id).sort(),
      });
    }
  }
  // What merges decided is told where they were made, and nowhere else.
  const review = (await app.listReview()).filter(({ kind }) => kind !== 'sync-decided');
  return [...answers, review.map((each) => JSON.stringify(each)).sort()];
}

/** Every acknowledged item is there, superseded or not, forgotten on purpose with a tombstone, or listed with what is wrong. */
async function checkNothingLost(clones: readonly Clone[], ledger: Ledger): Promise<void> {
  const removed = new Set(clones.flatMap((clone) => [...clone.removed]));
  for (const { app, root } of clones) {
    const listed = new Set((await app.list({ outdated: true })).map(({ item }) => item.id));
    const forgotten = new Set((await app.listForgotten()).map(({ id }) => id));
    const { quarantined } = await app.status();
    const told = quarantined.map(({ path }) => readFileSync(join(root, path), 'utf8')).join('\n');
    const lost = [...ledger.stored].filter(
      (id) => !listed.has(id) && !forgotten.has(id) && !told.includes(`id: "${id}"`),
    );
    expect(lost).toEqual([]);
    expect([...ledger.stored].filter((id) => forgotten.has(id) && !removed.has(id))).toEqual([]);
  }
}

/** Forgotten wins: no file carries the id of a forgotten item. The files on disk are those of HEAD by now. */
async function checkForgottenIsGone(clones: readonly Clone[]): Promise<void> {
  for (const { app, root, name } of clones) {
    const forgotten = new Set((await app.listForgotten()).map(({ id }) => id));
    const kept = filesOf(root).filter((path) => {
      const id = idIn(join(root, path));
      return id !== null && forgotten.has(id);
    });
    expect(kept, name).toEqual([]);
  }
}

function checkNothingLeaked(clones: readonly Clone[], ledger: Ledger): void {
  const leaks: string[] = [];
  for (const { root } of clones) {
    for (const path of filesOf(root)) {
      const space = /^spaces\/([^/]+)\//.exec(path)?.[1] ?? null;
      for (const word of readFileSync(join(root, path), 'utf8').match(/token\d+x/g) ?? []) {
        const places = ledger.places.get(word);
        if (places?.has(space) !== true && places?.has(null) !== true) leaks.push(`${word} in ${path}`);
      }
    }
  }
  expect(leaks).toEqual([]);
}

function filesOf(root: string): readonly string[] {
  return ['personal', 'spaces'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile()
        ? [
            join(entry.parentPath, entry.name)
              .slice(root.length + 1)
              .replaceAll('\\', '/'),
          ]
        : [],
    ),
  );
}
