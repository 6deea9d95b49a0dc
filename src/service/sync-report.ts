// What a sync came to, as data, and in words. Invariant: whatever stops a sync says what to do next; being offline is no error.

import type { SpaceClash } from '../memory/merge/merge-spaces-files.ts';
import type { RemoteProblem } from '../repo/remote-problem.ts';
import type { MergeObstacle } from '../repo/repository.ts';
import type { UnpushedSecret } from './unpushed-secrets.ts';

export type SyncOutcome =
  /** Here and there is the same now. */
  | { status: 'synced' }
  /** A dry run: nothing was changed. */
  | { status: 'planned' }
  /** It goes on by itself later: try again. */
  | { status: 'waits'; why: 'offline' | 'busy' | 'moving'; reason: string }
  | { status: 'waits'; why: 'files'; obstacles: readonly MergeObstacle[] }
  /** It takes a person. */
  | { status: 'stopped'; why: 'no-remote' }
  | { status: 'stopped'; why: 'bad-address'; reason: string; hint: string }
  | { status: 'stopped'; why: 'remote'; problem: RemoteProblem }
  | { status: 'stopped'; why: 'unrelated' }
  | {
      status: 'stopped';
      why: 'rewritten-there' | 'rewritten-here' | 'rewritten-both';
      remote: string;
      branch: string;
      /** The commit that the remote has. */
      theirs: string;
    }
  | { status: 'stopped'; why: 'spaces'; clashes: readonly SpaceClash[] }
  | { status: 'stopped'; why: 'secrets'; secrets: readonly UnpushedSecret[] };

export interface SyncReport {
  readonly outcome: SyncOutcome;
  /** The address, as a person may see it; null when there is none. */
  readonly remote: string | null;
  /** Commits that came, and that went (or would, on a dry run). */
  readonly received: number;
  readonly sent: number;
  /** What was decided on the way that somebody may want to settle, in words. */
  readonly decisions: readonly string[];
  /** Changes that no commit has, and why; they are not synced. */
  readonly left: ReadonlyArray<{ readonly path: string; readonly why: string }>;
}

/** One or two sentences. */
export function describeOutcome(outcome: SyncOutcome): string {
  switch (outcome.status) {
    case 'synced':
      return 'This memory and its remote are the same.';
    case 'planned':
      return 'Nothing was changed: this was a dry run.';
    case 'waits':
      return outcome.why === 'files'
        ? `Not synced yet: ${outcome.obstacles.map(describeObstacle).join('; ')}. Commit or undo that; then sync again.`
        : `Not synced yet: ${outcome.reason}. Everything is stored here, and goes out with the next sync.`;
    case 'stopped':
      return describeStop(outcome);
  }
}

function describeStop(outcome: Extract<SyncOutcome, { status: 'stopped' }>): string {
  switch (outcome.why) {
    case 'no-remote':
      return 'This memory has no remote. Set one with `stet remote set URL`.';
    case 'bad-address':
      return `The address of the remote cannot be used: ${outcome.reason}. ${outcome.hint}`;
    case 'remote':
      return `Not synced: ${outcome.problem.reason}.`;
    case 'unrelated':
      return 'The remote holds another memory, which has nothing in common with this one. To use that one: `stet clone URL FOLDER`. To put both together for good: `stet sync --join`.';
    case 'rewritten-there':
      return `The history of the remote was rewritten (\`stet purge\` on another machine, or a forced push), so this clone must not be merged into it: what was removed would come back. \`stet sync --follow\` takes the remote's history over, and puts what is new here on top of it.`;
    case 'rewritten-here':
      return `The history here was rewritten (\`stet purge\`, an amended commit, a reset), and the remote still has the old one. What others have sent is taken over here. If that was meant, replace the remote's with \`${replacingPush(outcome)}\` in the memory's folder; then run \`stet sync\` again, and \`stet sync --follow\` on the other machines. If not, \`git merge ${outcome.remote}/${outcome.branch}\` there puts both together.`;
    case 'rewritten-both':
      return 'The histories here and of the remote were both rewritten since the last sync, so they must not be merged: what was removed would come back. Clone the remote anew (`stet clone`), and take over what is new here by `stet export` and `stet import`.';
    case 'spaces':
      return outcome.clashes.map(describeClash).join(' ');
    case 'secrets':
      return `Nothing was sent: ${outcome.secrets.map(describeSecret).join('; ')}. Remove it from the history with \`stet purge ID\`; or, if it is no secret, run \`stet sync --confirm-no-secrets\`: you are not asked again.`;
  }
}

/** Replaces nothing but what was there when it was looked at last: what others have sent since is not lost. */
export function replacingPush({ remote, branch, theirs }: Record<'remote' | 'branch' | 'theirs', string>): string {
  return `git push --force-with-lease=${branch}:${theirs} ${remote} HEAD:${branch}`;
}

function describeObstacle({ path, why }: MergeObstacle): string {
  switch (why) {
    case 'edited':
      return `${path} was edited here, and no commit has that yet`;
    case 'staged':
      return `${path} is staged (\`git add\`), and the commit is yours to make`;
    case 'deleted':
      return `${path} was deleted here, and no commit has that yet`;
    case 'in the way':
      return `${path} is in the way of a file from the remote`;
  }
}

function describeClash({ name, were: [ours, theirs] }: SpaceClash): string {
  const who = (was: string | null) => (was === null ? 'a new space' : `the space that was ${was}`);
  return `Two machines gave the name ${name} to different spaces: here ${who(ours)}, there ${who(theirs)}. Rename the one here (\`stet space rename ${name} NEW\`), and sync again; merged, their items would mix.`;
}

function describeSecret({ path, line, rule, commit }: UnpushedSecret): string {
  return `${path}:${line} in commit ${commit.slice(0, 12)} holds what looks like a secret (${rule})`;
}
