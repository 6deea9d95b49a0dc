// A session: one client's connection, the one space (or none) it works in, and what policy lets it see there.
// Invariant: every answer over MCP is made of items in `visibleSpaces`; nothing else is ever looked at.

import type { Space } from './item.ts';
import { PERSONAL_KEY, spaceKeyOf } from './space-key.ts';

export interface Session {
  /** Normalised agent name, for rules. */
  readonly agent: string;
  /** The client's own name, for `source`. */
  readonly source: string;
  /** The space the session works in; `null` when none was matched. */
  readonly space: Space;
  /** By which rule the space was chosen, in words. */
  readonly rule: string;
  /** Whether policy lets the agent into `space`; where that is null, false while nobody knows whether the folder has one. */
  readonly spaceAllowed: boolean;
  /** Whether policy lets the agent see personal items. */
  readonly personalAllowed: boolean;
  /** What the user should know about how the space was chosen. */
  readonly warnings: readonly string[];
}

/** The keys of the spaces whose items this session may see, personal first. */
export function visibleSpaces(session: Session): readonly string[] {
  const keys: string[] = [];
  if (session.personalAllowed) keys.push(PERSONAL_KEY);
  if (session.space !== null && session.spaceAllowed) keys.push(spaceKeyOf(session.space));
  return keys;
}

/** The space that the session can use, which is the one that its answers name: a denied one is as none. */
export function usableSpace(session: Session): Space {
  return session.spaceAllowed ? session.space : null;
}

/** A session whose own space is denied to its agent, or unknown, reads personal items and writes nothing. */
export function mayWrite(session: Session): boolean {
  return session.spaceAllowed && (session.space !== null || session.personalAllowed);
}
