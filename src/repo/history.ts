// The history of one file, also under the names of folders that it was moved from. The git program tells it fast; without
// git the commits are walked (history-walk.ts). Invariant: another file is never taken for an earlier version, however
// alike the two are (as `git log --follow` does): a file keeps its name when it moves, for the name carries the item's id.
import { parseCommit, type ParsedCommit } from './commit-object.ts';
import { gitFailed, runGit } from './git-program.ts';
import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { HistoryEntry } from './repository.ts';
import { diffTrees } from './tree-diff.ts';

const FORMAT = ['%H', '%an', '%ae', '%ct', '%s', '%(trailers:only,unfold,separator=%x1e)'].join('%x1f');

export interface HistorySource {
  readonly root: string;
  readonly store: ObjectStore;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Commits up to `start` that changed the file, newest first; null when no git is installed. */
export async function readHistoryByGit(
  source: HistorySource,
  path: string,
  start: ObjectId,
): Promise<HistoryEntry[] | null> {
  const entries: HistoryEntry[] = [];
  for (let part = { from: start, path }; ;) {
    const logged = await readLog(source, part.from, part.path);
    if (logged === null) return null;
    let before: { from: string; path: string } | null = null;
    for (const { entry, change } of logged) {
      entries.push({ ...entry, path: isAll(change, 'D') ? null : part.path });
      const moved = isAll(change, 'A') ? await findMovedFrom(source.store, entry.commit, part.path) : null;
      if (moved === null) continue;
      before = { from: `${entry.commit}^@`, path: moved };
      break;
    }
    if (before === null) return entries;
    part = before;
  }
}

interface LoggedCommit {
  readonly entry: Omit<HistoryEntry, 'path'>;
  /** `A`, `M`, `D` or `T`; one letter for each parent of a merge. */
  readonly change: string;
}

async function readLog({ root, env }: HistorySource, from: string, path: string): Promise<LoggedCommit[] | null> {
  const args = ['log', '--name-status', '-z', '--no-renames', '-c', '--no-show-signature', '--no-notes'];
  const result = await runGit(root, [...args, `--format=%x1d${FORMAT}%x1d`, from, '--', path], env);
  if (result === null) return null;
  if (result.exitCode !== 0) throw gitFailed('git log', result);
  return parseLog(result.stdout.toString('utf8'));
}

/** The output of {@link readLog}'s command: for each commit `\x1d fields \x1d`, then `status \0 path \0`. */
function parseLog(text: string): LoggedCommit[] {
  const pieces = text.split('\u001d').slice(1);
  const commits: LoggedCommit[] = [];
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const fields = (pieces[at] ?? '').split('\u001f');
    const [commit = '', name = '', email = '', seconds = '', subject = '', trailers = ''] = fields;
    const [change = ''] = (pieces[at + 1] ?? '').replace(/^[\0\n]+/, '').split('\0');
    commits.push({
      entry: {
        commit,
        author: { name, email },
        at: new Date(Number(seconds) * 1000),
        subject,
        trailers: trailers.split('\u001e').flatMap(parseTrailer),
      },
      change,
    });
  }
  return commits;
}

function isAll(change: string, letter: string): boolean {
  return change !== '' && change.replaceAll(letter, '') === '';
}

/** Where a file was before the commit that added it: the path of one of its name that the same commit took away. */
export async function findMovedFrom(store: ObjectStore, commit: ObjectId, path: string): Promise<string | null> {
  const { tree, parents } = parseCommit(await store.read(commit, 'commit'));
  const parent = parents[0] === undefined ? null : await store.find(parents[0]);
  if (parent?.type !== 'commit') return null;
  const differences = await diffTrees(store, parseCommit(parent.bytes).tree, tree);
  const taken = differences.find((other) => other.after === null && nameOf(other.path) === nameOf(path));
  return taken?.path ?? null;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function parseTrailer(line: string): Array<readonly [string, string]> {
  const match = /^([A-Za-z0-9-]+): ?(.*)$/.exec(line.trim());
  return match === null ? [] : [[match[1] ?? '', match[2] ?? '']];
}

/** What a commit tells of itself. */
export function describeCommit(commit: ObjectId, parsed: ParsedCommit, path: string | null): HistoryEntry {
  const { subject, trailers } = splitMessage(parsed.message);
  return { commit, author: parsed.author, at: new Date(parsed.committedAt * 1000), subject, trailers, path };
}

/** Subject, and the trailers of the last paragraph if that is made of nothing else. */
export function splitMessage(message: string): Pick<HistoryEntry, 'subject' | 'trailers'> {
  const paragraphs = message.trim().split(/\n{2,}/);
  const subject = (paragraphs[0] ?? '').replaceAll('\n', ' ');
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '').split('\n') : [];
  const trailers = last.flatMap(parseTrailer);
  return { subject, trailers: trailers.length === last.length ? trailers : [] };
}
