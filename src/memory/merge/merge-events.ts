// What a merge decided that somebody may want to know or settle, as data. The words are made here, in one place.
import type { StricterPolicy } from './merge-policies-files.ts';
import type { Side } from './memory-versions.ts';

export type MergeEvent =
  /** Two versions of an item that could not be put together; both are kept. */
  | { kind: 'kept-both'; id: string; path: string; otherId: string; otherPath: string; reasons: readonly string[] }
  /** A version that is no item, or no text, beside the one that is used. */
  | { kind: 'kept-copy'; path: string; copy: string; reasons: readonly string[] }
  /** An item that one side forgot and the other edited; `edited` is the side whose edit is in the history only. */
  | { kind: 'forgotten'; id: string; path: string; edited: Side }
  /** An item whose file somebody deleted without a word to stet; `kept` is the side that still had it. */
  | { kind: 'deleted'; id: string; path: string; kept: Side | null }
  /** A file that one side removed and the other changed: it stays. */
  | { kind: 'stays'; path: string; changed: Side }
  /** An item that went to two spaces: it is delivered in neither. */
  | { kind: 'two-spaces'; id: string; paths: readonly string[] }
  /** A file that had to take another name, because two sides used one. */
  | { kind: 'renamed'; path: string; to: string }
  /** Sides that disagree about a policy. */
  | { kind: 'policy'; agent: string; space: string }
  /** Sides that disagree about a setting. */
  | { kind: 'setting'; name: string; kept: string; dropped: string }
  /** A file of the memory's own that one side broke. */
  | { kind: 'broken'; path: string; denies: boolean }
  /** A file that belongs to one machine and was committed. */
  | { kind: 'local-file'; path: string };

/**
 * What happened, to which file, and what to do if it is not right. One sentence or two, on one line. `tips`: the newest
 * commits of the two sides, in which what was not taken can be found.
 */
export function describeMergeEvent(event: MergeEvent, tips: Readonly<Record<Side, string>>): string {
  switch (event.kind) {
    case 'kept-both':
      return `${event.id} has two versions, because ${event.reasons.join(', and ')}: ${event.path} and ${event.otherPath} (${event.otherId}). Run \`stet forget\` on one of them, or \`stet remember\` what holds with \`--supersedes ${event.id} ${event.otherId}\`.`;
    case 'kept-copy':
      return `${event.path} has two versions, because ${event.reasons.join(', and ')}. The other one is in ${event.copy}; take over what you need, and delete it.`;
    case 'forgotten':
      return `${event.id} was forgotten ${otherPlace(event.edited)} and edited ${place(event.edited)}: it stays forgotten. \`stet restore ${event.id} --at ${tips[event.edited].slice(0, 12)}\` brings the edited version back.`;
    case 'deleted':
      return `${event.path} was deleted, so ${event.id} is forgotten. \`stet restore ${event.id}${event.kept === null ? '' : ` --at ${tips[event.kept].slice(0, 12)}`}\` brings it back.`;
    case 'stays':
      return `${event.path} was removed ${otherPlace(event.changed)} and changed ${place(event.changed)}: it stays.`;
    case 'two-spaces':
      return `${event.id} was moved to two places: ${event.paths.join(' and ')}. It is used in neither until you delete one of the files.`;
    case 'renamed':
      return `${event.path} is taken by another file, so this one is now ${event.to}.`;
    case 'policy':
      return `Two machines disagree about ${describePair(event)}: denied, until you run \`stet allow\` or \`stet deny\` for it.`;
    case 'setting':
      return `Two machines disagree about the setting ${event.name}: it is now ${show(event.kept)}, and was ${show(event.dropped)} on one of them.`;
    case 'broken':
      return event.denies
        ? `${event.path} is broken on one machine, so everything but personal is denied until you repair it. The rules of the other machine are in the history.`
        : `${event.path} is broken on one machine; the other's version is used. The broken one is in the history.`;
    case 'local-file':
      return `${event.path} belongs to one machine, and was committed by mistake: it is not taken over.`;
  }
}

function place(side: Side): string {
  return side === 'ours' ? 'here' : 'elsewhere';
}

function otherPlace(side: Side): string {
  return side === 'ours' ? 'elsewhere' : 'here';
}

function describePair({ agent, space }: StricterPolicy): string {
  const who = agent === '*' ? 'all other agents' : agent;
  return `${who} in ${space === '*' ? 'all other spaces' : space}`;
}

function show(value: string): string {
  return value === '' ? 'not set' : value;
}
