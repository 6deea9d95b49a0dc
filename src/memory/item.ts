// What an item is. Values only: files are read by item-file.ts, rules live beside.

/** All kinds an item can have. All but `instruction` are facts to `recall`. */
export const KINDS = [
  'fact',
  'preference',
  'vocabulary',
  'pointer',
  'outcome',
  'decision',
  'plan',
  'instruction',
] as const;

export type Kind = (typeof KINDS)[number];

export function isKind(value: string): value is Kind {
  return (KINDS as readonly string[]).includes(value);
}

/** A space's name, NFC; `null` stands for personal. */
export type Space = string | null;

/** One statement, as its file tells it. */
export interface Item {
  /** 8 characters of lower-case Crockford base32 that start with a letter. */
  readonly id: string;
  readonly kind: Kind;
  readonly space: Space;
  /** Who stored it, in the client's own words: `Claude Code`, `hand`, … */
  readonly source: string;
  /** When it was stored, as written in the file (ISO 8601 where stet wrote it). */
  readonly created: string;
  /** Ids of the items that this one replaces. */
  readonly supersedes: readonly string[];
  /** Ids of the items that say otherwise since a merge kept both; stays until somebody settles it. */
  readonly conflictsWith?: readonly string[];
  /** A plan's last day, inclusive: `YYYY-MM-DD`. */
  readonly until?: string;
  /** The day of a dated claim about something that changes: `YYYY-MM-DD`. */
  readonly asOf?: string;
  /** A pointer's address. */
  readonly target?: string;
  readonly tags: readonly string[];
  /** The transcript turn it came from. */
  readonly origin?: string;
  /** `waiting`: changes nothing until the user settles it; `unseen`: in force, listed until the user has seen it. */
  readonly review?: 'waiting' | 'unseen';
  /** Who asked to forget this item, while the user has not settled that. */
  readonly forgetRequestedBy?: string;
  /** The whole body, without leading and trailing blank lines, line ends as `\n`. */
  readonly text: string;
  /** The first paragraph of the body, on one line. */
  readonly statement: string;
}

/** What is wrong with a file, and where. `line` counts from 1. */
export interface Problem {
  readonly line: number;
  /** What is wrong and what to do, in one sentence, without the path. */
  readonly message: string;
}

/** What parsers of user text return. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: readonly Problem[] };
