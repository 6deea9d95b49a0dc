// The history of an export, taken into a memory that has nothing yet: its commits are written anew, and HEAD moves to the
// last one, in one step. Invariant: before that step the memory is as empty as it was; after a crash the same import ends it.

import { isDeepStrictEqual } from 'node:util';
import { StetError } from '../memory/failure.ts';
import type { FileVersion } from '../memory/merge/memory-versions.ts';
import { isMemoryFile } from '../repo/memory-files.ts';
import type { MergeOutcome, Transaction } from '../repo/repository.ts';
import { Turns } from '../repo/turns.ts';
import { readItemFile } from '../repo/working-tree.ts';
import type { ExportedCommit, ExportedFile, ParsedExport } from './export-line.ts';
import { findFileSecrets } from './file-secrets.ts';
import type { ImportedFiles, ImportedLines, ImportLinesRequest } from './import-lines.ts';
import type { Memory } from './memory.ts';

export type ImportedHistory =
  /** `hasSameIds`: every commit has the id that it had where it was exported. */
  | { status: 'taken'; commits: number; merges: number; hasSameIds: boolean }
  /** This memory's history is the one of the export. */
  | { status: 'same'; commits: number }
  /** `why`, in words. */
  | { status: 'left'; commits: number; why: string };

/** What can be done with a history here; `left`: why it cannot be taken, in words. */
export type HistoryVerdict = 'none' | 'new' | 'same' | { readonly left: string };

/** Only in a turn, with the memory refreshed. */
export async function judgeHistory(memory: Memory, commits: readonly ExportedCommit[]): Promise<HistoryVerdict> {
  const { repository, table } = memory;
  if (commits.length === 0) return 'none';
  const entries = [];
  for await (const entry of repository.commits()) {
    entries.push(entry);
    if (entries.length > commits.length) break;
  }
  if (entries.length === commits.length) {
    const own = await Promise.all(entries.toReversed().map(({ commit }) => repository.readCommit(commit)));
    if (own.every((record, at) => isDeepStrictEqual(record, commits[at]?.record))) return 'same';
  }
  const [some] = table.entries();
  if (some !== undefined || table.size > 0) return { left: `this memory holds ${some?.path ?? 'items'} already` };
  if (entries.length > 1) return { left: 'this memory has a history of its own already' };
  if ((await repository.sync.state.read()).common !== null) return { left: 'this memory has been synced already' };
  const head = await repository.head();
  const foreign = head === null ? undefined : (await repository.listAt(head)).find((path) => !isMemoryFile(path));
  return foreign === undefined ? 'new' : { left: `this memory's history holds ${foreign} already` };
}

/** Throws `bad-file` for a secret, and `not-possible` where files or git are in the way; nothing was imported then. */
export async function takeHistory(
  memory: Memory,
  transaction: Transaction,
  { commits, files }: ParsedExport,
  verdict: 'new' | 'same',
  request: ImportLinesRequest,
): Promise<ImportedLines> {
  if (verdict === 'same') {
    const placed = await placeFiles(memory, transaction, files);
    return { ...placed, commit: null, history: { status: 'same', commits: commits.length } };
  }
  const { file, onProgress = () => undefined, signal = null } = request;
  refuseUnlessMemory(file, commits);
  const confirmed = await findSecrets(memory, { commits, files }, request);
  const ids = await transaction.replay(
    commits,
    (done) => onProgress(commits.length + done, 2 * commits.length),
    signal,
  );
  await memory.repository.sync.state.confirm(confirmed);
  const commit = await moveTo(memory, transaction, ids.at(-1) ?? '', findRewritten(commits, files));
  const placed = await placeFiles(memory, transaction, files);
  return {
    ...placed,
    imported: placed.imported + placed.unchanged,
    unchanged: 0,
    commit: { status: 'committed', commit },
    history: {
      status: 'taken',
      commits: commits.length,
      merges: commits.filter(({ isMerge }) => isMerge).length,
      hasSameIds: ids.every((id, at) => id === commits[at]?.commit),
    },
  };
}

/** Without its settings at the end, what comes would be a git repository, and no memory. */
function refuseUnlessMemory(file: string, commits: readonly ExportedCommit[]): void {
  const last = commits.findLast(({ files }) => files.has('stet.yaml'));
  if (last?.files.get('stet.yaml')) return;
  throw new StetError({
    code: 'bad-file',
    path: file,
    line: last?.lines.get('stet.yaml') ?? 1,
    reason: 'this is no whole history of a memory: it ends without a stet.yaml',
    hint: 'Nothing was imported. Export again with `stet export --history`.',
  });
}

/** Returns what the user confirms to be none. */
async function findSecrets(
  { repository }: Memory,
  { commits, files }: ParsedExport,
  { file, noSecrets = false, onProgress = () => undefined, signal }: ImportLinesRequest,
): Promise<ReadonlySet<string>> {
  const known = await repository.sync.state.confirmed();
  const confirmed = new Set<string>();
  const turns = new Turns();
  const check = async (bytes: Uint8Array, line: number, what: string): Promise<void> => {
    if (turns.isOver) {
      await turns.pass();
      signal?.throwIfAborted();
    }
    const found = await findFileSecrets(bytes, known);
    const [first] = found;
    if (first === undefined) return;
    if (!noSecrets) {
      throw new StetError({
        code: 'bad-file',
        path: file,
        line,
        reason: `line ${first.line} of ${what} looks like a secret (${first.rule})`,
        hint: 'Nothing was imported. `stet purge ID` where it was exported takes it out of the history, for another export; if it is none, add --confirm-no-secrets.',
      });
    }
    for (const { fingerprint } of found) confirmed.add(fingerprint);
  };
  for (const [at, commit] of commits.entries()) {
    for (const [path, version] of commit.files) {
      if (version === null) continue;
      await check(version.bytes, commit.lines.get(path) ?? 1, `${path} in the commit ${commit.commit.slice(0, 8)}`);
    }
    signal?.throwIfAborted();
    onProgress(at + 1, 2 * commits.length);
  }
  for (const { path, bytes, line } of files) if (bytes !== null) await check(bytes, line, path);
  return confirmed;
}

/** HEAD, index and files, or none of them. */
async function moveTo(
  memory: Memory,
  transaction: Transaction,
  tip: string,
  unstamped: ReadonlySet<string>,
): Promise<string> {
  const { repository } = memory;
  const head = await repository.head();
  const { theirs } = await repository.sync.versions({ commit: null, changed: new Map() }, null, tip);
  const files = new Map<string, FileVersion | null>(theirs);
  for (const path of head === null ? [] : await repository.listAt(head)) if (!files.has(path)) files.set(path, null);
  const outcome = await transaction.merge({
    head,
    files,
    historyOnly: new Set(),
    // A file with CRLF is a change to git if its size is not the one in the index.
    unstamped,
    result: { commit: tip },
    message: { subject: 'import: the history of an export', trailers: [], author: null },
  });
  if (outcome.status !== 'merged') throw inTheWay(memory, outcome);
  await memory.take(files.keys());
  return outcome.commit;
}

/** Paths of which the present file is not what the last commit has: it has other line ends, or was not committed. */
function findRewritten(commits: readonly ExportedCommit[], present: readonly ExportedFile[]): ReadonlySet<string> {
  const last = new Map<string, Uint8Array | undefined>();
  for (const { files } of commits) for (const [path, version] of files) last.set(path, version?.bytes);
  return new Set(
    present.flatMap(({ path, bytes }) => (bytes === null || bytes.equals(last.get(path) ?? bytes) ? [] : [path])),
  );
}

function inTheWay({ repository }: Memory, outcome: Exclude<MergeOutcome, { status: 'merged' }>): StetError {
  const [obstacle] = outcome.status === 'blocked' ? outcome.obstacles : [];
  return new StetError({
    code: 'not-possible',
    subject: obstacle === undefined ? repository.root : `${repository.root}: ${obstacle.path}`,
    reason:
      obstacle === undefined
        ? `the history cannot be put in place now (${outcome.status === 'waits' ? outcome.reason : 'git moved HEAD'})`
        : `this file is in the way (${obstacle.why}), and nothing is written over it`,
    hint: `Nothing was imported. ${obstacle === undefined ? 'Try again' : 'Import into a new memory'}.`,
  });
}

/**
 * What was not committed where it was exported is not committed here, deletions too: they are in no count. What somebody
 * changed here since stays.
 */
async function placeFiles(
  memory: Memory,
  transaction: Transaction,
  files: readonly ExportedFile[],
): Promise<ImportedFiles> {
  const { repository } = memory;
  const changed = new Set((await repository.status()).map(({ path }) => path));
  const skipped: Array<{ path: string; reason: string }> = [];
  const written: string[] = [];
  const removed: string[] = [];
  let unchanged = 0;
  for (const { path, bytes } of files) {
    const here = readItemFile(repository.root, path);
    if (bytes === null && here.status === 'gone') continue;
    if (bytes !== null && here.status === 'read' && here.bytes.equals(bytes)) unchanged += 1;
    else if (changed.has(path)) skipped.push({ path, reason: 'the file here was changed since' });
    else if (bytes === null) {
      await transaction.removeFile(path);
      removed.push(path);
    } else {
      await transaction.writeFile(path, bytes);
      written.push(path);
    }
  }
  await memory.take([...written, ...removed]);
  return { imported: written.length, unchanged, skipped };
}
