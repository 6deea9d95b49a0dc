// The history of one file, also under the names of folders that it was moved from. The git program tells it fast; without
// git the commits are walked here. Invariant: another file is never taken for an earlier version, however alike the two
// are (as `git log --follow` does): a file keeps its name when it moves, for the name carries the item's id.
import { parseCommit, type ParsedCommit } from './commit-object.ts';
import { gitFailed, runGit } from './git-program.ts';
import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { HistoryEntry } from './repository.ts';
import { findInTree, listTree } from './tree-store.ts';

const FORMAT = ['%H', '%an', '%ae', '%ct', '%s', '%(trailers:only,unfold,separator=%x1e)'].join('%x1f');

/** Commits that changed the file, newest first; null when no git is installed. */
export async function readHistoryByGit(
  root: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HistoryEntry[] | null> {
  const args = ['log', '--name-status', '-z', '--no-renames', '-c', '--no-show-signature'];
  const anywhere = `**/${nameOf(path).replaceAll(/[*?[\]\\]/g, '\\$&')}`;
  const result = await runGit(root, [...args, '--no-notes', `--format=%x1d${FORMAT}%x1d`, 'HEAD', '--', anywhere], env);
  if (result === null) return null;
  if (result.exitCode !== 0) throw gitFailed('git log', result);
  return followMoves(parseLog(result.stdout.toString('utf8')), path);
}

interface LoggedCommit {
  readonly entry: Omit<HistoryEntry, 'path'>;
  /** Path to `A`, `M`, `D` or `T`; one letter for each parent of a merge. */
  readonly changes: ReadonlyMap<string, string>;
}

/** The output of {@link readHistoryByGit}'s command: for each commit `\x1d fields \x1d`, then `status \0 path \0` each. */
function parseLog(text: string): LoggedCommit[] {
  const pieces = text.split('\u001d').slice(1);
  const commits: LoggedCommit[] = [];
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const fields = (pieces[at] ?? '').split('\u001f');
    const [commit = '', name = '', email = '', seconds = '', subject = '', trailers = ''] = fields;
    const changes = new Map<string, string>();
    const words = (pieces[at + 1] ?? '').replace(/^[\0\n]+/, '').split('\0');
    for (let word = 0; word + 1 < words.length; word += 2) changes.set(words[word + 1] ?? '', words[word] ?? '');
    commits.push({
      entry: {
        commit,
        author: { name, email },
        at: new Date(Number(seconds) * 1000),
        subject,
        trailers: trailers.split('\u001e').flatMap(parseTrailer),
      },
      changes,
    });
  }
  return commits;
}

/** Newest first. Where the file was added while one of its name went elsewhere, the story goes on with that one. */
function followMoves(commits: readonly LoggedCommit[], path: string): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let current = path;
  for (const { entry, changes } of commits) {
    const change = changes.get(current);
    if (change === undefined) continue;
    entries.push({ ...entry, path: isAll(change, 'D') ? null : current });
    const from = isAll(change, 'A') ? [...changes].find(([, other]) => isAll(other, 'D'))?.[0] : undefined;
    if (from !== undefined) current = from;
  }
  return entries;
}

function isAll(change: string, letter: string): boolean {
  return change.replaceAll(letter, '') === '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function parseTrailer(line: string): Array<readonly [string, string]> {
  const match = /^([A-Za-z0-9-]+): ?(.*)$/.exec(line.trim());
  return match === null ? [] : [[match[1] ?? '', match[2] ?? '']];
}

/** The same without git: by date, following the parent that has the same file (git-log, "History Simplification"). */
export async function walkHistory(store: ObjectStore, head: ObjectId | null, path: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  const waiting = new Map<ObjectId, { commit: ParsedCommit; path: string }>();
  const seen = new Set<ObjectId>();
  const enqueue = async (id: ObjectId, path: string): Promise<void> => {
    const object = seen.has(id) ? null : await store.find(id);
    seen.add(id);
    // A shallow clone ends somewhere.
    if (object?.type === 'commit') waiting.set(id, { commit: parseCommit(object.bytes), path });
  };
  if (head !== null) await enqueue(head, path);
  while (waiting.size > 0) {
    const [id, { commit, path }] = newest(waiting);
    waiting.delete(id);
    const here = (await findInTree(store, commit.tree, path))?.id ?? null;
    const parents = await Promise.all(
      commit.parents.map(async (parent) => ({ parent, blob: await blobAt(store, parent, path) })),
    );
    const same = parents.find(({ blob }) => blob === here);
    if (same !== undefined) {
      await enqueue(same.parent, path);
      continue;
    }
    if (parents.length > 0 || here !== null) entries.push(describeCommit(id, commit, here === null ? null : path));
    for (const { parent, blob } of parents) {
      const isAdded = here !== null && blob === null;
      await enqueue(parent, isAdded ? ((await findMovedFrom(store, parent, commit.tree, path)) ?? path) : path);
    }
  }
  return entries;
}

/** The path of a file of this name that the parent has and the tree has not. */
async function findMovedFrom(
  store: ObjectStore,
  parent: ObjectId,
  tree: ObjectId,
  path: string,
): Promise<string | null> {
  const object = await store.find(parent);
  if (object?.type !== 'commit') return null;
  const now = await listTree(store, tree);
  for (const candidate of (await listTree(store, parseCommit(object.bytes).tree)).keys()) {
    if (nameOf(candidate) === nameOf(path) && !now.has(candidate)) return candidate;
  }
  return null;
}

async function blobAt(store: ObjectStore, commit: ObjectId, path: string): Promise<ObjectId | null> {
  const object = await store.find(commit);
  if (object?.type !== 'commit') return null;
  return (await findInTree(store, parseCommit(object.bytes).tree, path))?.id ?? null;
}

function newest<T extends { commit: ParsedCommit }>(waiting: ReadonlyMap<ObjectId, T>): [ObjectId, T] {
  const [first, ...others] = waiting;
  if (first === undefined) throw new RangeError('nothing is waiting');
  return others.reduce((best, next) => (next[1].commit.committedAt > best[1].commit.committedAt ? next : best), first);
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
