// The words of stet's commits: what `git log` tells as the audit trail.

import { USER } from '../memory/remember.ts';
import type { Session } from '../memory/session.ts';
import type { CommitMessage } from '../repo/repository.ts';

export type Verb =
  | 'remember'
  | 'add'
  | 'supersede'
  | 'forget'
  | 'edit'
  | 'move'
  | 'import'
  | 'space'
  | 'policy'
  | 'config'
  | 'restore'
  | 'undo'
  | 'review'
  | 'init';

/** Git's own advice for a subject is 50 characters; a statement needs a few more to be recognised. */
const SUBJECT_CHARACTERS = 72;

/** `verb: what`, on one line. */
export function subjectLine(verb: Verb, what: string): string {
  const line = `${verb}: ${what}`.replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= SUBJECT_CHARACTERS ? line : `${characters.slice(0, SUBJECT_CHARACTERS - 1).join('')}…`;
}

/** The agent as author; null for the user, whose own name git knows. The address is one that can never receive. */
export function authorOf(session: Session): CommitMessage['author'] {
  return session.agent === USER ? null : { name: session.agent, email: `${session.agent}@agent.invalid` };
}
