// Commits what was changed by hand, by itself, once it is quiet. Any number of processes may try: what there is to do is
// found again under the write lock, so it is done once. Invariants: nothing is committed but the bytes that were judged;
// a file that an editor goes on saving is left alone; failures never reach who asked for something else.
//
//   idle ──noticed──▶ waiting ──time──▶ looking ──nothing left──▶ idle
//                        ▲                 └──not quiet yet, git is busy, or it failed──┘
//
// close() leads from each to closed, after what runs.

import { describeHold, itemsOf, planHandCommits, subjectOf, type PlannedCommit } from '../memory/hand-changes.ts';
import { adoptItemFile, parseItemFile } from '../memory/item-file.ts';
import { placeOf } from '../memory/item-path.ts';
import { USER } from '../memory/remember.ts';
import { PERSONAL_KEY } from '../memory/space-key.ts';
import { printTombstone, tombstonePath } from '../memory/tombstone.ts';
import { nodeFileSystem } from '../repo/file-system.ts';
import { FileReplacer, type LateWrite } from '../repo/replace-unchanged.ts';
import type { CommitMessage, Transaction } from '../repo/repository.ts';
import type { WorkingTreeScan } from '../repo/working-tree.ts';
import { subjectLine } from './commit-message.ts';
import { HandFinder, type Found, type FoundChange } from './hand-finder.ts';
import type { Memory } from './memory.ts';

/** A change that is not committed, and why, for the user. */
export interface UncommittedChange {
  readonly path: string;
  readonly state: 'added' | 'modified' | 'deleted' | 'unadopted';
  readonly why: string;
  /** Something speaks against committing it; otherwise it is only a matter of time. */
  readonly isHeld: boolean;
}

/** Some more than the quiet time, so that of many processes most find it done. */
const STAGGER_MS = 400;
const SHORTEST_MS = 50;
/** A timer counts no further than 2³¹ ms. */
const LONGEST_MS = 86_400_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/** So many paths are committed before other writers get a turn. */
const PATHS_A_TURN = 200;

/** So many are judged to explain them; of more nobody reads the list. */
const EXPLAINED = 500;

/** With more items than this a commit does not list them. */
const ITEMS_LISTED = 20;

export class HandCommits {
  readonly #memory: Memory;
  readonly #finder: HandFinder;
  readonly #replacer: FileReplacer;
  #timer: NodeJS.Timeout | null = null;
  #dueAt = Number.POSITIVE_INFINITY;
  #retryMs = FIRST_RETRY_MS;
  #running: Promise<void> = Promise.resolve();
  #isFollowing = false;
  #isClosed = false;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#finder = new HandFinder(memory);
    this.#replacer = new FileReplacer(nodeFileSystem, memory.repository.root);
  }

  /** From now on, what waits is looked at again and again. Clears up after processes that died. */
  follow(): void {
    this.#isFollowing = true;
    this.#enqueue(async () => {
      await this.#memory.repository.commitPending();
      await this.#look();
    });
  }

  /** Something changed. */
  noticed(): void {
    this.#retryMs = FIRST_RETRY_MS;
    this.#schedule(this.#quietMs() + Math.random() * STAGGER_MS);
  }

  /** Commits what is quiet now. A failure is told in `stet status`. `items`: what a scan of the item folders found a moment ago. */
  async look(items?: WorkingTreeScan): Promise<void> {
    this.#enqueue(() => this.#look(items));
    await this.#running;
  }

  /** What is not committed, and why. */
  async explain(): Promise<readonly UncommittedChange[]> {
    const found = await this.#finder.find(EXPLAINED);
    const states = new Map([...found.changes, ...found.rest].map(({ path, state }) => [path, state]));
    const plan = planHandCommits(found.changes, found.context, PATHS_A_TURN);
    const why = this.#isOn() ? 'it is committed once it is quiet' : '`commit.hand` is off, so the commit is yours';
    const ready = plan.commits.flatMap(({ changes }) => changes.map(({ path }) => path));
    const rest = found.rest.map(({ path }) => path);
    return [
      ...[...ready, ...plan.waiting, ...rest].map((path) => ({ path, why, isHeld: false })),
      ...plan.held.map(({ path, hold }) => ({ path, why: describeHold(hold), isHeld: true })),
    ]
      .map((change) => ({ ...change, state: states.get(change.path) ?? 'modified' }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
    await this.#takeLateWrites(0).catch((error: unknown) => this.#tell(error));
    await this.#replacer.close();
  }

  #enqueue(work: () => Promise<void>): void {
    this.#running = this.#running.then(() => this.#run(work));
  }

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    try {
      await work();
      this.#memory.handProblem = null;
    } catch (error) {
      this.#tell(error);
      this.#retry();
    }
  }

  #tell(error: unknown): void {
    this.#memory.handProblem = error instanceof Error ? error.message : String(error);
  }

  #schedule(inMs: number): void {
    const at = performance.now() + Math.min(Math.max(inMs, SHORTEST_MS), LONGEST_MS);
    if (!this.#isFollowing || this.#isClosed || at >= this.#dueAt) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#dueAt = at;
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#enqueue(() => this.#look());
    }, at - performance.now());
    this.#timer.unref();
  }

  #retry(): void {
    this.#schedule(this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }

  #isOn(): boolean {
    return this.#memory.config.setting('commit.hand') === 'on';
  }

  #quietMs(): number {
    return this.#finder.quietMs();
  }

  async #look(items?: WorkingTreeScan): Promise<void> {
    const { repository } = this.#memory;
    await this.#takeLateWrites(this.#quietMs());
    if ((await repository.pending()).length > 0) {
      const { stillPending } = await repository.commitPending();
      if (stillPending.length > 0) this.#retry();
    }
    if (this.#replacer.isWatching) this.#schedule(this.#quietMs());
    if (!this.#isOn()) return;
    await this.#memory.refresh();
    const found = await this.#find(items);
    const plan = planHandCommits(found.changes, found.context, PATHS_A_TURN);
    this.#scheduleQuiet(found, plan.waiting);
    if (plan.commits.length === 0) return;
    if ((await repository.obstacle()) !== null) {
      this.#retry();
      return;
    }
    while (await repository.exclusive((transaction) => this.#commitSome(transaction)));
  }

  /**
   * What is missing must be known to the table, which decides whether it is believed; and what is new as well, or a file that
   * only moved looks lost where nobody watches the folders, or the watcher is behind.
   */
  async #find(items?: WorkingTreeScan): Promise<Found> {
    const { table, doubt, unreadable } = this.#memory;
    const found = await this.#finder.find(PATHS_A_TURN, items);
    const missing = new Set([...Array.from(table.missing(), ({ path }) => path), ...(doubt?.missing ?? [])]);
    const isKnown = ({ path, state }: (typeof found.rest)[number]): boolean => {
      if (state === 'deleted') return missing.has(path);
      return state !== 'added' || placeOf(path) === null || table.at(path) !== undefined || unreadable.has(path);
    };
    const news = [...found.changes, ...found.rest].filter((change) => !isKnown(change));
    if (news.length === 0) return found;
    await this.#memory.noticed({ paths: new Set(news.map(({ path }) => path)) });
    return this.#finder.find(PATHS_A_TURN);
  }

  #scheduleQuiet(found: Found, waiting: readonly string[]): void {
    const loud = new Set(waiting);
    const now = found.context.now.getTime();
    for (const { path, isQuiet, changedAtMs } of found.changes) {
      if (loud.has(path) && !isQuiet) {
        this.#schedule(changedAtMs + this.#quietMs() - now + Math.random() * STAGGER_MS);
      }
    }
  }

  /** One turn's worth of commits, under the lock. Says whether there may be more. */
  async #commitSome(transaction: Transaction): Promise<boolean> {
    await this.#memory.refresh();
    const found = await this.#find();
    if ((await this.#memory.repository.obstacle()) !== null) {
      this.#retry();
      return false;
    }
    const { commits, waiting } = planHandCommits(found.changes, found.context, PATHS_A_TURN);
    this.#scheduleQuiet(found, waiting);
    const byPath = new Map(found.changes.map((change) => [change.path, change]));
    for (const commit of commits) {
      if (await this.#commit(transaction, commit, byPath)) continue;
      this.#retry();
      return false;
    }
    return commits.length > 0 && found.rest.length > 0;
  }

  /** Says whether git took it. */
  async #commit(
    transaction: Transaction,
    commit: PlannedCommit,
    found: ReadonlyMap<string, FoundChange>,
  ): Promise<boolean> {
    const files = new Map<string, Uint8Array | null>();
    for (const { path, state } of commit.changes) {
      const change = found.get(path);
      if (state === 'deleted' || !change?.content) {
        // Back again: the next look tells what became of it.
        if (this.#memory.tree.read(path).status !== 'gone') return false;
        files.set(path, null);
        continue;
      }
      const { bytes, stamp, wanted } = change.content;
      if (wanted !== bytes) {
        // An editor has saved it meanwhile.
        if (!(await this.#replacer.replace(path, wanted, stamp))) continue;
        transaction.noteChanged([path]);
      }
      files.set(path, wanted);
    }
    await this.#replacer.sync();
    for (const tombstone of commit.tombstones) {
      const path = tombstonePath(tombstone.id);
      const bytes = new TextEncoder().encode(printTombstone(tombstone));
      await transaction.writeFile(path, bytes);
      files.set(path, bytes);
    }
    const outcome = await transaction.commitExactly(files, messageOf(commit));
    await this.#memory.take(files.keys());
    if (outcome.status === 'committed') await this.#noteCommit(outcome.commit, files.keys());
    return outcome.status !== 'pending';
  }

  async #noteCommit(made: string, paths: Iterable<string>): Promise<void> {
    for await (const { commit, parent } of this.#memory.repository.commits()) {
      if (commit === made) this.#finder.headMoved(commit, parent, paths);
      return;
    }
  }

  /** What a program wrote into a file that it had open when the file was adopted goes where it was meant to go. */
  async #takeLateWrites(quietMs: number): Promise<void> {
    const now = this.#memory.now().getTime();
    // What comes from the future is quiet too, or a clock that was set back would have it dropped in the end.
    const late = await this.#replacer.lateWrites((modifiedMs) => Math.abs(now - modifiedMs) >= quietMs);
    if (late.length === 0) return;
    await this.#memory.repository.exclusive(async (transaction) => {
      for (const write of late) {
        if (await this.#mergeLate(write)) transaction.noteChanged([write.path]);
        else await transaction.writeFile(besidePath(write.path), write.bytes);
      }
      await this.#replacer.sync();
    });
    await this.#memory.noticed({ paths: new Set(late.flatMap(({ path }) => [path, besidePath(path)])) });
    this.noticed();
  }

  /** False where the file has been changed by somebody else as well. */
  async #mergeLate({ path, bytes, replacedBy }: LateWrite): Promise<boolean> {
    const now = this.#memory.tree.read(path);
    if (now.status !== 'read' || !now.bytes.equals(replacedBy)) return false;
    const modified = this.#memory.now();
    const adopted = parseItemFile({ path, bytes: replacedBy, modified });
    const headItem = adopted.ok ? adopted.value.item : undefined;
    const merged = adoptItemFile({ path, bytes, now: modified, headItem });
    return merged.ok && (await this.#replacer.replace(path, merged.value, now.stamp));
  }
}

/** Where a late write goes that cannot be merged: an item of its own, next to the one that it was meant for. */
function besidePath(path: string): string {
  return path.replace(/\.md$/i, '.late.md');
}

function messageOf(commit: PlannedCommit): CommitMessage {
  const items = itemsOf(commit);
  const listed = items.length > ITEMS_LISTED ? [] : items;
  return {
    subject: subjectLine(commit.verb, subjectOf(commit)),
    trailers: [
      ['Stet-Agent', USER],
      ...listed.flatMap(({ id, space }) => [
        ['Stet-Space', space ?? PERSONAL_KEY] as const,
        ['Stet-Item', id] as const,
      ]),
    ],
    author: null,
  };
}
