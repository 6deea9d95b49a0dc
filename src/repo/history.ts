// The history of one file. The git program tells it fast and follows renames; without git the commits are walked here.
import { parseCommit, type ParsedCommit } from './commit-object.ts';
import { gitFailed, runGit } from './git-program.ts';
import type { ObjectId } from './git-object.ts';
import type { ObjectStore } from './object-store.ts';
import type { HistoryEntry } from './repository.ts';
import { findInTree } from './tree-store.ts';

const FORMAT = ['%H', '%an', '%ae', '%ct', '%s', '%(trailers:only,unfold,separator=%x1e)'].join('%x1f');

/** Commits that changed the file, newest first, across renames; null when no git is installed. */
export async function readHistoryByGit(
  root: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HistoryEntry[] | null> {
  const args = [
    'log',
    '--follow',
    '--name-status',
    '-z',
    '--no-show-signature',
    '--no-notes',
    `--format=%x1d${FORMAT}%x1d`,
  ];
  const result = await runGit(root, [...args, '--end-of-options', 'HEAD', '--', path], env);
  if (result === null) return null;
  if (result.exitCode !== 0) throw gitFailed('git log', result);
  return parseHistory(result.stdout.toString('utf8'));
}

/** The output of {@link readHistoryByGit}'s command: `\x1d fields \x1d \0 status \0 path(s) \0` for each commit. */
export function parseHistory(text: string): HistoryEntry[] {
  const pieces = text.split('\u001d').slice(1);
  const entries: HistoryEntry[] = [];
  for (let at = 0; at + 1 < pieces.length; at += 2) {
    const [commit = '', name = '', email = '', seconds = '', subject = '', trailers = ''] = (pieces[at] ?? '').split(
      '\u001f',
    );
    const [status = '', ...paths] = (pieces[at + 1] ?? '')
      .split('\0')
      .map((part) => part.trim())
      .filter(Boolean);
    entries.push({
      commit,
      author: { name, email },
      at: new Date(Number(seconds) * 1000),
      subject,
      trailers: trailers.split('\u001e').flatMap(parseTrailer),
      path: status === 'D' ? null : (paths.at(-1) ?? null),
    });
  }
  return entries;
}

function parseTrailer(line: string): Array<readonly [string, string]> {
  const match = /^([A-Za-z0-9-]+): ?(.*)$/.exec(line.trim());
  return match === null ? [] : [[match[1] ?? '', match[2] ?? '']];
}

/** The same without git: by date, following the parent that has the same file (git-log, "History Simplification"). */
export async function walkHistory(store: ObjectStore, head: ObjectId | null, path: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  const waiting = new Map<ObjectId, ParsedCommit>();
  const seen = new Set<ObjectId>();
  const enqueue = async (id: ObjectId): Promise<void> => {
    const object = seen.has(id) ? null : await store.find(id);
    seen.add(id);
    // A shallow clone ends somewhere.
    if (object?.type === 'commit') waiting.set(id, parseCommit(object.bytes));
  };
  if (head !== null) await enqueue(head);
  while (waiting.size > 0) {
    const [id, commit] = newest(waiting);
    waiting.delete(id);
    const here = (await findInTree(store, commit.tree, path))?.id ?? null;
    const parents = await Promise.all(
      commit.parents.map(async (parent) => [parent, await blobAt(store, parent, path)] as const),
    );
    const same = parents.find(([, blob]) => blob === here);
    if (same !== undefined) {
      await enqueue(same[0]);
      continue;
    }
    if (parents.length > 0 || here !== null) entries.push(describeCommit(id, commit, here === null ? null : path));
    for (const [parent] of parents) await enqueue(parent);
  }
  return entries;
}

async function blobAt(store: ObjectStore, commit: ObjectId, path: string): Promise<ObjectId | null> {
  const object = await store.find(commit);
  if (object?.type !== 'commit') return null;
  return (await findInTree(store, parseCommit(object.bytes).tree, path))?.id ?? null;
}

function newest(waiting: ReadonlyMap<ObjectId, ParsedCommit>): [ObjectId, ParsedCommit] {
  const [first, ...others] = waiting;
  if (first === undefined) throw new RangeError('nothing is waiting');
  return others.reduce((best, next) => (next[1].committedAt > best[1].committedAt ? next : best), first);
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
