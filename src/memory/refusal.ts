// Every way in which the rules refuse a write, as data, and the words that an agent reads. The words never depend on
// anything that the session cannot see: unknown, invisible and forgotten ids are one variant.

import type { Item } from './item.ts';
import { PERSONAL_KEY } from './space-key.ts';
import { sameSpaceName } from './space-name.ts';
import { MAX_STATEMENT_CODE_POINTS } from './statement.ts';
import { neutralise } from './untrusted-text.ts';

export type Refusal =
  /** The text is empty or blank. */
  | { code: 'empty' }
  /** The text is longer than a statement may be; counted in code points. */
  | { code: 'too-long'; characters: number }
  /** The target, a tag or the number of tags is over its limit; in words, the hint with its full stop. */
  | { code: 'too-much'; reason: string; hint: string }
  /** The text holds what the detector takes for a secret. */
  | { code: 'secret'; rule: string }
  /** The text names a day by its distance from today. */
  | { code: 'deictic-date'; phrase: string; absolute: string }
  /** The text would make a file that stet could not use: a conflict marker, no letter at all. */
  | { code: 'unreadable'; problem: string }
  /** `kind` is none of the kinds. */
  | { code: 'unknown-kind'; kind: string; kinds: readonly string[] }
  /** A date argument is not a calendar day. */
  | { code: 'bad-date'; argument: string; value: string }
  /** The space argument is neither `personal` nor the session's space. */
  | { code: 'unknown-space'; space: string }
  /** The session's own space is denied to its agent (or personal is, with no space). */
  | { code: 'no-writable-space' }
  /** A personal statement that names the space it is written from. */
  | { code: 'personal-names-space'; name: string; space: string }
  /** A `supersedes` or `forget` target that this session cannot see, whatever the reason. */
  | { code: 'unknown-id'; id: string }
  /** A `supersedes` target that is outdated already; `heads` are the visible newest items of its chain. */
  | { code: 'already-superseded'; id: string; heads: readonly Item[] }
  /** A `supersedes` target whose last day has passed. */
  | { code: 'expired-target'; id: string; until: string }
  /** A `supersedes` target that waits for the user's review. */
  | { code: 'waiting-target'; id: string }
  /** A `supersedes` target in another scope than the new item. */
  | { code: 'other-scope'; id: string; targetSpace: string; space: string };

/** How much of an argument a refusal repeats, in characters: what was meant is clear from less. */
const ECHO_CHARACTERS = 80;

/** An argument as it can stand in a sentence: on one line, and short whatever was passed. */
function echo(argument: string): string {
  const characters = Array.from(neutralise(argument.slice(0, 8 * ECHO_CHARACTERS), 'one-line'));
  if (characters.length === 0) return '""';
  return characters.length <= ECHO_CHARACTERS
    ? characters.join('')
    : `${characters.slice(0, ECHO_CHARACTERS - 1).join('')}…`;
}

/** What was refused and what to do instead. Ends with a full stop; says that nothing was saved. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal.code) {
    case 'empty':
      return 'Nothing was saved: the text is empty. Say in one sentence what will still matter in a week.';
    case 'too-long':
      return `Nothing was saved: the text has ${refusal.characters} characters, and an item has ${MAX_STATEMENT_CODE_POINTS} at most. Store one statement, and point to the rest with kind "pointer" and a target.`;
    case 'too-much':
      return `Nothing was saved: ${refusal.reason}. ${refusal.hint}`;
    case 'secret':
      return `Nothing was saved: the text contains what looks like a secret (${refusal.rule}). Store where the secret is kept, never the secret.`;
    case 'deictic-date':
      return `Nothing was saved: "${refusal.phrase}" means another day tomorrow. Say ${refusal.absolute} instead.`;
    case 'unreadable':
      return `Nothing was saved: ${refusal.problem.replace(/\.$/, '')}. Say it in plain words.`;
    case 'unknown-kind':
      return `Nothing was saved: there is no kind "${echo(refusal.kind)}". Use one of ${refusal.kinds.join(', ')}.`;
    case 'bad-date':
      return `Nothing was saved: ${refusal.argument} is "${echo(refusal.value)}", which is not a day. Write it as YYYY-MM-DD.`;
    case 'unknown-space':
      // Where personal itself is not to be had, it must not be advised.
      if (sameSpaceName(refusal.space, PERSONAL_KEY))
        return 'Nothing was saved: there is no personal space here. Leave `space` out.';
      return `Nothing was saved: there is no space "${echo(refusal.space)}" here. Leave \`space\` out, or pass "personal" for what holds everywhere.`;
    case 'no-writable-space':
      return 'Nothing was changed: this folder has no space you can write to. Tell the user; do not store it elsewhere.';
    case 'personal-names-space':
      return `Nothing was saved: the statement names "${refusal.name}", so it belongs to the space ${refusal.space}, not to personal. Leave \`space\` out.`;
    case 'unknown-id':
      return `Nothing was changed: there is no item ${echo(refusal.id)} here. Use \`recall\` to find the right id.`;
    case 'already-superseded':
      return refusal.heads.length === 0
        ? `Nothing was saved: ${refusal.id} is already superseded. Store the statement without \`supersedes\`.`
        : `Nothing was saved: ${refusal.id} is already superseded. Supersede the newest of its chain instead, if this replaces it: ${refusal.heads.map((head) => head.id).join(', ')}.`;
    case 'expired-target':
      return `Nothing was saved: ${refusal.id} ended on ${refusal.until} and needs no successor. Store the statement without \`supersedes\`.`;
    case 'waiting-target':
      return `Nothing was saved: ${refusal.id} waits for the user's review and is not in force. Store the statement without \`supersedes\`, or ask the user to settle it with \`stet review\`.`;
    case 'other-scope':
      return `Nothing was saved: ${refusal.id} is in ${refusal.targetSpace}, and the statement would go to ${refusal.space}. Items are not moved between spaces by agents; leave \`supersedes\` or \`space\` out.`;
  }
}
