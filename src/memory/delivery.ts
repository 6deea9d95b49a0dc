// The trace of one recall: who asked what from where, what went in, what stayed out and why. Ids and reasons, never the
// text of an item.

import type { Space } from './item.ts';

/** Why an item that could have answered did not go in. */
export type LeftOut =
  | { readonly id: string; readonly reason: 'superseded'; readonly by: readonly string[]; readonly score: number }
  | { readonly id: string; readonly reason: 'expired'; readonly until: string; readonly score: number }
  | { readonly id: string; readonly reason: 'waiting'; readonly score: number }
  | { readonly id: string; readonly reason: 'below-the-bar'; readonly score: number }
  | { readonly id: string; readonly reason: 'over-the-limit'; readonly score: number };

export interface Delivery {
  /** ISO 8601. */
  readonly time: string;
  readonly agent: string;
  /** The client's own name. */
  readonly source: string;
  readonly space: Space;
  /** By which rule the session was in that space, and whether its agent was let in. */
  readonly rule: string;
  readonly spaceAllowed: boolean;
  readonly personalAllowed: boolean;
  /** Secrets are replaced. */
  readonly question: string;
  /** HEAD when it was answered; null before the first commit. */
  readonly commit: string | null;
  readonly instructions: readonly string[];
  readonly facts: ReadonlyArray<{ readonly id: string; readonly score: number }>;
  /** Those of both whose text of then is not `commit`'s: edited by hand and not committed yet. */
  readonly uncommitted?: readonly string[];
  /** The best that stayed out, best first. */
  readonly leftOut: readonly LeftOut[];
  /** How many more visible items had any score. */
  readonly more: number;
  readonly bar: number;
  /** The vocabulary items that put the question in other words also; absent when none did. */
  readonly rewordedBy?: readonly string[];
  /** Why vectors took no part; null when they did. */
  readonly wordsOnly: string | null;
}

/** How many items that stayed out a delivery names. */
export const LEFT_OUT_LIMIT = 20;

/** One line of a delivery log. */
export function printDelivery(delivery: Delivery): string {
  return `${JSON.stringify(delivery)}\n`;
}

/** Null for a line that is none: torn by a crash, or written by something else. */
export function parseDelivery(line: string): Delivery | null {
  try {
    const value: unknown = JSON.parse(line);
    return isDelivery(value) ? value : null;
  } catch {
    return null;
  }
}

function isDelivery(value: unknown): value is Delivery {
  if (typeof value !== 'object' || value === null) return false;
  const { time, agent, question, instructions, facts, leftOut } = value as Partial<Delivery>;
  return (
    typeof time === 'string' &&
    typeof agent === 'string' &&
    typeof question === 'string' &&
    Array.isArray(instructions) &&
    Array.isArray(facts) &&
    Array.isArray(leftOut)
  );
}
