// What the operations of a memory give back, for the command line and MCP alike. Values only.

import type { RecallAnswer } from '../memory/answer.ts';
import type { Item, Problem, Space } from '../memory/item.ts';
import type { Refusal } from '../memory/refusal.ts';
import type { SearchResult } from '../index/memory-index.ts';
import type { Session } from '../memory/session.ts';
import type { ChainStep, View } from '../memory/view.ts';
import type { CommitOutcome } from '../repo/repository.ts';
import type { ServerNote } from '../repo/server-notes.ts';
import type { UncommittedChange } from './hand-commits.ts';
import type { SyncStatus } from './sync-status.ts';

export type RememberResult =
  | {
      status: 'stored';
      item: Item;
      path: string;
      commit: CommitOutcome;
      superseded: readonly Item[];
      similar: readonly Item[];
      warnings: readonly string[];
      /** For an instruction: all that are now in force for the session; else empty. */
      instructions: readonly Item[];
    }
  /** As in `RememberDecision`: what of the call was not done. */
  | { status: 'identical'; item: Item; differs: readonly string[]; stillCurrent: readonly string[] }
  | { status: 'near-identical'; item: Item; replaces: readonly string[] }
  | { status: 'refused'; refusal: Refusal };

export interface RecallRequest {
  readonly question: string;
  readonly signal?: AbortSignal;
}

/** A fact of a recall with its score, and the parts of it. */
export interface ScoredFact {
  readonly item: Item;
  readonly score: number;
  readonly cosine: number | null;
  readonly words: number;
}

export interface RecallResult {
  /** What the agent reads; `printRecall` turns it into text. */
  readonly answer: RecallAnswer;
  readonly agent: string;
  readonly space: Space;
  readonly instructions: readonly Item[];
  readonly facts: readonly ScoredFact[];
}

/** A recall with what explains it. */
export interface TracedRecall {
  readonly session: Session;
  readonly question: string;
  readonly result: RecallResult;
  /** What the search that answered found. */
  readonly found: SearchResult;
  /** The view that the answer was made from. */
  readonly view: View;
}

export type ForgetResult =
  /** `isKept`: the history has its text. */
  | { status: 'forgotten'; id: string; commit: CommitOutcome; isKept: boolean }
  /** The forgetting of an instruction waits for the user (`instructions.review`). */
  | { status: 'waiting'; id: string; commit: CommitOutcome }
  | { status: 'refused'; refusal: Refusal };

export type ReadResult =
  | {
      status: 'found';
      item: Item;
      /** In words, why it is not current; null when it is. */
      outdated: string | null;
      chain: readonly ChainStep[];
    }
  | { status: 'refused'; refusal: Refusal };

export interface ListedItem {
  readonly item: Item;
  readonly path: string;
  /** In words, why it is not current; null when it is. */
  readonly outdated: string | null;
  /** Whether the working tree holds a change of it that no commit has. */
  readonly uncommitted: boolean;
}

/** What an import would store, before it does. */
export interface ImportPlan {
  /** `from` is where it stood, with a line for what is less than a file. */
  readonly items: ReadonlyArray<{ readonly item: Item; readonly from: string }>;
  /** What is in the memory already. */
  readonly unchanged: number;
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

export interface ImportSummary extends ImportPlan {
  /** 0 when the plan was not confirmed. */
  readonly imported: number;
  /** Commit of the import; null when there was nothing to import, or it was not confirmed. */
  readonly commit: CommitOutcome | null;
}

export interface StatusReport {
  readonly root: string;
  readonly head: string | null;
  readonly items: number;
  readonly spaces: ReadonlyArray<{ readonly space: Space; readonly items: number }>;
  readonly forgotten: number;
  readonly quarantined: ReadonlyArray<{ readonly path: string; readonly problems: readonly Problem[] }>;
  /** Changes that no commit has, and why; recallable all the same. */
  readonly uncommitted: readonly UncommittedChange[];
  /** Commits that wait for git. */
  readonly waiting: ReadonlyArray<{ readonly subject: string; readonly since: string; readonly reason: string }>;
  /** Paths that could not be read just now; what they held before stays in force. */
  readonly unreadable: ReadonlyArray<{ readonly path: string; readonly errno: string }>;
  /** The servers that follow the files just now, and until when each has. This report itself has looked at everything. */
  readonly servers: readonly ServerNote[];
  readonly vectors: {
    readonly model: string | null;
    readonly ready: number;
    readonly waiting: number;
    /** The former model that answers meanwhile; null when none has to. */
    readonly answering: string | null;
    readonly problem: string | null;
  };
  /** Null when there is no remote. */
  readonly sync: SyncStatus | null;
  readonly warnings: readonly string[];
}

export type InitResult =
  | { status: 'created'; root: string; commit: string | null }
  /** It was a memory already; `completed` lists what was missing on this machine. */
  | { status: 'completed'; root: string; completed: readonly string[] };
