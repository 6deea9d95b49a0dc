// `stet sync`: what is here goes to the remote, what is there comes here, merged.
//
//   commit what waits ──▶ fetch ──▶ merge ──▶ look for secrets ──▶ push ──▶ synced
//                           ▲                                       │
//                           └──────────── the remote moved ─────────┘
//
// Invariants: nothing is forced; the merge alone holds the write lock, and is made again if HEAD moved; a history that was
// rewritten on purpose is never merged back, and what is new in the other one is kept; whatever fails leaves both sides as
// they were.

import { setTimeout as wait } from 'node:timers/promises';
import { describeMergeEvent, type MergeEvent } from '../memory/merge/merge-events.ts';
import type { OnProgress } from '../memory/progress.ts';
import { withoutPassword } from '../memory/remote-url.ts';
import type { RemoteProblem } from '../repo/remote-problem.ts';
import type { MergeOutcome, MergeRequest } from '../repo/repository.ts';
import type { TransferOptions, UsableRemote } from '../repo/sync-port.ts';
import type { ConfiguredRemote } from '../repo/remote-config.ts';
import { findCommonCommit, noteCommonCommit } from './common-commit.ts';
import type { HandCommits } from './hand-commits.ts';
import type { Memory } from './memory.ts';
import { mergeSides, type Sides } from './merge-sides.ts';
import { describeOutcome, type SyncOutcome, type SyncReport } from './sync-report.ts';
import { findUnpushedSecrets } from './unpushed-secrets.ts';

export interface SyncRequest {
  /** Changes nothing here nor there, but for what is fetched. */
  readonly dryRun?: boolean;
  /** The remote was rewritten, and that is meant. */
  readonly follow?: boolean;
  /** The remote holds another memory, and both are to be one. */
  readonly join?: boolean;
  /** What looks like a secret in what would be sent is none. */
  readonly noSecrets?: boolean;
  /** Somebody waits for it: it waits for files to be quiet, and for the sync of another process. */
  readonly patient?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** The remote moves under the push, or HEAD under the merge: so often is it tried again before it waits. */
const TRIES = 10;
const LONGEST_PAUSE_MS = 2_000;
const PATIENCE_MS = 15_000;
/** Nobody reads more of them. */
const DECISIONS_KEPT = 100;
/** How often it looks whether files are quiet. */
const LOOK_MS = 250;

const MOVING: SyncOutcome = {
  status: 'waits',
  why: 'moving',
  reason: 'the remote or this memory moves faster than they can be merged',
};

export async function syncMemory(memory: Memory, hand: HandCommits, request: SyncRequest): Promise<SyncReport> {
  const { sync } = memory.repository;
  const remote = await sync.remote();
  if (remote === null) return reportOf(null, { status: 'stopped', why: 'no-remote' });
  if (!isUsable(remote)) {
    const { reason, hint } = remote.address.ok ? { reason: '', hint: '' } : remote.address;
    return reportOf(remote, { status: 'stopped', why: 'bad-address', reason, hint });
  }
  const waitMs = request.patient === true ? PATIENCE_MS : 0;
  const report = await sync.alone(() => new Sync(memory, hand, remote, request).run(), waitMs);
  return report ?? reportOf(remote, { status: 'waits', why: 'busy', reason: 'another process is syncing this memory' });
}

class Sync {
  readonly #memory: Memory;
  readonly #hand: HandCommits;
  readonly #remote: UsableRemote;
  readonly #request: SyncRequest;
  readonly #decisions: string[] = [];
  /** Those of the decisions that nothing but the report tells of. */
  readonly #unseen: string[] = [];
  /** The newest commit of the remote of which HEAD has everything, but for what was taken out on purpose. */
  #common: string | null = null;
  #received = 0;
  #sent = 0;

  constructor(memory: Memory, hand: HandCommits, remote: UsableRemote, request: SyncRequest) {
    this.#memory = memory;
    this.#hand = hand;
    this.#remote = remote;
    this.#request = request;
  }

  async run(): Promise<SyncReport> {
    if (this.#request.dryRun !== true) await this.#commitEdits();
    const outcome = await this.#exchange();
    if (this.#request.dryRun !== true) await this.#note(outcome);
    const left = (await this.#hand.explain()).map(({ path, why }) => ({ path, why }));
    return {
      ...reportOf(this.#remote, outcome),
      received: this.#received,
      sent: this.#sent,
      decisions: this.#decisions,
      left,
    };
  }

  async #commitEdits(): Promise<void> {
    this.#enter('committing what was edited');
    await this.#hand.look();
    if (this.#request.patient !== true || this.#memory.config.setting('commit.hand') !== 'on') return;
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline && (await this.#hand.explain()).some(({ isHeld }) => !isHeld)) {
      await wait(LOOK_MS, undefined, this.#waitOptions());
      await this.#hand.look();
    }
  }

  async #exchange(): Promise<SyncOutcome> {
    const { repository } = this.#memory;
    const { sync } = repository;
    let waits: SyncOutcome = MOVING;
    const find = this.#request.dryRun === true ? findCommonCommit : noteCommonCommit;
    this.#common = await find(repository, this.#remote);
    for (let tries = 0; tries < TRIES; tries++) {
      // Others are at it too: who comes second waits a little longer each time.
      if (tries > 0)
        await wait(Math.random() * Math.min(LONGEST_PAUSE_MS, 50 * 2 ** tries), undefined, this.#waitOptions());
      this.#enter(tries === 0 ? 'fetching' : 'fetching again: the remote or this memory moved');
      const fetched = await sync.fetch(this.#remote, this.#transferOptions());
      waits = fetched.ok ? MOVING : outcomeOf(fetched.problem);
      if (!fetched.ok) {
        if (fetched.problem.kind === 'busy') continue;
        return waits;
      }
      const done = await this.#integrate(fetched.value);
      if (done === 'again') continue;
      if (done !== 'ready') return done;
      const pushed = await this.#push(fetched.value);
      if (pushed === 'again') continue;
      if (pushed.status !== 'waits' || pushed.why !== 'busy') return pushed;
      waits = pushed;
    }
    return waits;
  }

  /** Brings what the remote has into HEAD, if that may be. */
  async #integrate(theirs: string | null): Promise<SyncOutcome | 'ready' | 'again'> {
    if (theirs === null) return 'ready';
    const { repository } = this.#memory;
    this.#enter('comparing the histories');
    const ours = await repository.head();
    const sides = await this.#relate(ours, theirs);
    if ('status' in sides) return sides;
    if (sides.behind === 0) return this.#stopAt(sides) ?? 'ready';
    if (this.#request.dryRun === true) return this.#plan(sides);
    this.#enter('merging');
    await this.#memory.refresh();
    const merged = await mergeSides(this.#memory, sides);
    if (merged.outcome === 'stopped') return { status: 'stopped', why: 'spaces', clashes: merged.clashes };
    const put = await this.#put(merged.request);
    switch (put.status) {
      case 'moved':
        return 'again';
      case 'waits':
        return { status: 'waits', why: 'busy', reason: put.reason };
      case 'blocked':
        return { status: 'waits', why: 'files', obstacles: put.obstacles };
      case 'merged': {
        await this.#memory.take(merged.request.files.keys());
        this.#received += sides.behind;
        this.#tell(merged.events, { ours: ours ?? theirs, theirs });
        return this.#stopAt(sides) ?? 'ready';
      }
    }
  }

  /** After a crash between a merge and its note nothing is left to put on top of ours, and no commit says so. */
  async #put(request: MergeRequest): Promise<MergeOutcome> {
    const { result, head, files } = request;
    const isAdded = 'parents' in result && result.parents.length === 1 && result.parents[0] === head;
    if (isAdded && files.size === 0) return { status: 'merged', commit: head };
    return this.#memory.repository.exclusive((transaction) => transaction.merge(request));
  }

  /** What is rewritten here replaces the remote's history, by the user's hand alone. */
  #stopAt({ history, theirs }: Sides): SyncOutcome | null {
    if (history !== 'replace') return null;
    this.#common = theirs;
    return this.#rewritten('here', theirs);
  }

  #rewritten(where: 'here' | 'there' | 'both', theirs: string): SyncOutcome {
    const { name, branch } = this.#remote;
    return { status: 'stopped', why: `rewritten-${where}`, remote: name, branch, theirs };
  }

  async #plan(sides: Sides & { readonly behind: number }): Promise<SyncOutcome | 'ready'> {
    const merged = await mergeSides(this.#memory, sides);
    if (merged.outcome === 'stopped') return { status: 'stopped', why: 'spaces', clashes: merged.clashes };
    this.#received = sides.behind;
    this.#tell(merged.events, { ours: sides.ours ?? sides.theirs, theirs: sides.theirs });
    return this.#stopAt(sides) ?? 'ready';
  }

  #tell(events: readonly MergeEvent[], tips: { readonly ours: string; readonly theirs: string }): void {
    for (const event of events) {
      const words = describeMergeEvent(event, tips);
      this.#decisions.push(words);
      if (!showsInItems(event)) this.#unseen.push(words);
    }
  }

  /** How the two histories stand to each other, or why they must not be merged. */
  async #relate(ours: string | null, theirs: string): Promise<SyncOutcome | (Sides & { readonly behind: number })> {
    const { sync } = this.#memory.repository;
    if (ours === null) return { ours, theirs, bases: [], history: 'join', behind: 1 };
    const { bases, behind } = await sync.relate(ours, theirs);
    const common = this.#common;
    const rewritten = await this.#findRewrite(common, ours, theirs, bases);
    if (rewritten === 'there' && this.#request.follow === true && common !== null) {
      return { ours, theirs, bases: [common], history: 'leave', behind: Math.max(behind, 1) };
    }
    // What others have sent since the rewriting is taken over first: the remote's history is about to be replaced.
    if (rewritten === 'here' && common !== null) {
      const since = await sync.relate(common, theirs);
      return { ours, theirs, bases: [common], history: 'replace', behind: since.behind };
    }
    if (rewritten !== null) return this.#rewritten(rewritten, theirs);
    if (bases.length === 0 && this.#request.join !== true) return { status: 'stopped', why: 'unrelated' };
    return { ours, theirs, bases, history: 'join', behind };
  }

  /**
   * Which side no longer has what both had. `common` is the newest commit of the last sync. A side that only lags behind
   * (reset to an older commit of the other's) has rewritten nothing that would come back.
   */
  async #findRewrite(
    common: string | null,
    ours: string,
    theirs: string,
    bases: readonly string[],
  ): Promise<'here' | 'there' | 'both' | null> {
    const { sync } = this.#memory.repository;
    if (common === null) return null;
    const [isHere, isThere] = await Promise.all([sync.includes(ours, common), sync.includes(theirs, common)]);
    if (isHere && isThere) return null;
    if (isHere) return 'there';
    // Replaced here and there alike, or this clone was set back: one follows on the other.
    if (bases.includes(ours) || bases.includes(theirs)) return null;
    return isThere ? 'here' : 'both';
  }

  async #push(theirs: string | null): Promise<SyncOutcome | 'again'> {
    const { repository } = this.#memory;
    const { sync } = repository;
    const head = await repository.head();
    if (head === null || head === theirs) return this.#done();
    const ahead = theirs === null ? await this.#countAll(head) : (await sync.relate(head, theirs)).ahead;
    if (ahead === 0) return this.#done();
    const secrets = await findUnpushedSecrets(this.#memory, head, theirs, {
      onProgress: (done, total) => this.#enter('looking for secrets', done, total),
      signal: this.#request.signal,
    });
    // As a push that is stopped: nothing was sent, and what was merged is told.
    if (secrets === null) return { status: 'waits', why: 'offline', reason: 'it was stopped' };
    if (secrets.length > 0) {
      if (this.#request.noSecrets !== true) return { status: 'stopped', why: 'secrets', secrets };
      await sync.state.confirm(new Set(secrets.map(({ fingerprint }) => fingerprint)));
    }
    this.#sent = ahead;
    if (this.#request.dryRun === true) return this.#done();
    this.#enter('sending');
    const pushed = await sync.push(this.#remote, head, this.#transferOptions());
    if (!pushed.ok) return outcomeOf(pushed.problem);
    return pushed.value === 'moved' ? 'again' : this.#done();
  }

  async #countAll(head: string): Promise<number> {
    return (await this.#memory.repository.sync.commitsBetween(head, null)).length;
  }

  #done(): SyncOutcome {
    return this.#request.dryRun === true ? { status: 'planned' } : { status: 'synced' };
  }

  async #note(outcome: SyncOutcome): Promise<void> {
    const { sync } = this.#memory.repository;
    const before = await sync.state.read();
    const triedAt = this.#memory.now().toISOString();
    const decisions = [...before.decisions, ...this.#unseen].slice(-DECISIONS_KEPT);
    if (outcome.status === 'synced') {
      const common = (await sync.lastFetched(this.#remote)) ?? before.common;
      await sync.state.write({ common, syncedAt: triedAt, triedAt, problem: null, isStopped: false, decisions });
      return;
    }
    const isStopped = outcome.status === 'stopped';
    const common = this.#common ?? before.common;
    await sync.state.write({ ...before, common, triedAt, problem: describeOutcome(outcome), isStopped, decisions });
  }

  #enter(stage: string, done = 0, total = 0): void {
    this.#request.onProgress?.(done, total, stage);
  }

  #transferOptions(): TransferOptions {
    const { signal, onProgress } = this.#request;
    return { signal, onProgress };
  }

  #waitOptions(): { readonly signal?: AbortSignal } {
    const { signal } = this.#request;
    return signal === undefined ? {} : { signal };
  }
}

/** What stays in `stet review` by itself until it is settled. */
function showsInItems({ kind }: MergeEvent): boolean {
  return kind === 'kept-both' || kind === 'two-spaces';
}

function outcomeOf(problem: RemoteProblem): SyncOutcome {
  const { kind, reason } = problem;
  if (kind === 'offline' || kind === 'busy') return { status: 'waits', why: kind, reason };
  return { status: 'stopped', why: 'remote', problem };
}

function reportOf(remote: ConfiguredRemote | null, outcome: SyncOutcome): SyncReport {
  const shown = remote === null ? null : withoutPassword(remote.url);
  return { outcome, remote: shown, received: 0, sent: 0, decisions: [], left: [] };
}

function isUsable(remote: ConfiguredRemote): remote is UsableRemote {
  return remote.address.ok;
}
