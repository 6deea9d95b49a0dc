// Takes files out of every commit for real, by the git program: a backup bundle first, then export, edit, import, and a
// prune of what nothing refers to any more. Runs under the repository's write lock.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import type { OnProgress } from '../memory/progress.ts';
import { editStream, type StreamEdit } from './fast-export.ts';
import { isObjectId } from './git-object.ts';
import { gitFailed, runGit, type GitListener } from './git-program.ts';
import { tellProgress } from './git-progress.ts';
import { scanFiles } from './working-tree.ts';

/** One version of a file in any commit of any ref. */
export interface HistoricFile {
  readonly path: string;
  readonly blob: string;
  readonly bytes: Buffer;
}

/**
 * Every version of every wanted file that any ref reaches. Throws `git-failed`, and what `onProgress` throws; needs the git
 * program.
 */
export async function listHistoricFiles(
  root: string,
  wants: (path: string) => boolean,
  onProgress: OnProgress,
): Promise<readonly HistoricFile[]> {
  onProgress(0, 0, 'listing every version');
  const listed = await git(root, ['rev-list', '--objects', '--all', '--reflog', '--no-object-names']);
  const named = await git(root, [
    '-c',
    'core.quotePath=false',
    'log',
    '--all',
    '--reflog',
    '-m',
    '--raw',
    '-z',
    '--no-abbrev',
    '--no-renames',
    '--root',
    '--format=',
  ]);
  const known = new Set(listed.toString('latin1').split('\n'));
  const versions = new Map<string, { path: string; blob: string }>();
  const fields = named.toString('utf8').split('\0');
  for (let at = 0; at + 1 < fields.length; at++) {
    const raw = /:\d+ (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(fields[at] ?? '');
    if (!raw) continue;
    const path = fields[(at += 1)] ?? '';
    for (const blob of [raw[2] ?? '', raw[3] ?? '']) {
      if (!/^0+$/.test(blob) && known.has(blob) && wants(path)) versions.set(`${blob} ${path}`, { path, blob });
    }
  }
  const wanted = [...new Set([...versions.values()].map(({ blob }) => blob))];
  const blobs = new Map<string, Buffer>();
  for await (const [id, bytes] of readAll(root, wanted, (done, total) => onProgress(done, total, 'reading versions'))) {
    blobs.set(id, bytes);
  }
  return [...versions.values()].flatMap(({ path, blob }) => {
    const bytes = blobs.get(blob);
    return bytes === undefined ? [] : [{ path, blob, bytes }];
  });
}

/** How many commits an edit would change; nothing is written. */
export async function previewRewrite(root: string, edit: StreamEdit): Promise<number> {
  return editStream(await exportAll(root), edit).changedCommits;
}

/** How many entries `git stash list` has; {@link rewriteHistory} would lose them. */
export async function countStashes(root: string): Promise<number> {
  const listed = await git(root, ['stash', 'list', '--format=%H']);
  return listed.toString('latin1').split('\n').filter(isObjectId).length;
}

/**
 * Rewrites every ref, then removes what is left over: reflogs, unreachable objects, stet's journal (it holds paths).
 * `bundle`: absolute path of the backup, outside the memory. Returns how many commits changed.
 */
export async function rewriteHistory(
  root: string,
  edit: StreamEdit,
  bundle: string,
  onProgress: OnProgress,
): Promise<number> {
  onProgress(0, 0, 'writing the backup');
  await git(root, ['bundle', 'create', '--progress', bundle, '--all'], null, {
    stderr: tellProgress((done, total, stage) => onProgress(done, total, `writing the backup, ${stage ?? ''}`)),
  });
  onProgress(0, 0, 'reading commits');
  const { output, changedCommits, commits } = editStream(await exportAll(root), edit);
  onProgress(0, commits, 'rewriting commits');
  await git(root, ['fast-import', '--force', '--quiet', '--date-format=raw-permissive'], output, {
    stdout: (chunk) => {
      for (const [, done] of chunk.matchAll(/^progress (\d+)$/gm))
        onProgress(Number(done), commits, 'rewriting commits');
    },
  });
  onProgress(0, 0, 'removing what nothing refers to');
  await git(root, ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
  for (const name of ['ORIG_HEAD', 'FETCH_HEAD', 'COMMIT_EDITMSG', 'MERGE_MSG', 'SQUASH_MSG', 'stet/journal']) {
    await rm(join(root, '.git', name), { force: true });
  }
  await git(root, ['-c', 'gc.cruftPacks=false', 'gc', '--prune=now', '--quiet']);
  return changedCommits;
}

/** Ids of the objects that hold any of these texts, in any part of the object store. */
export async function findInObjects(
  root: string,
  texts: readonly string[],
  onProgress: OnProgress,
): Promise<readonly string[]> {
  const all = await git(root, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
  const ids = all.toString('latin1').trim().split('\n');
  const holding: string[] = [];
  const tell: OnProgress = (done, total) => onProgress(done, total, 'searching objects for what is left');
  for await (const [id, bytes] of readAll(root, ids, tell)) {
    if (texts.some((text) => bytes.includes(text))) holding.push(id);
  }
  return holding;
}

/** Paths of the files below a folder of the memory that hold any of these texts, whether git knows them or not. */
export async function findInFolder(root: string, folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const holding: string[] = [];
  for (const path of scanFiles(root, [folder], [], () => true).files.keys()) {
    const bytes = await readFile(join(root, path));
    if (texts.some((text) => bytes.includes(text))) holding.push(path);
  }
  return holding.sort();
}

function exportAll(root: string): Promise<Buffer> {
  const args = ['--all', '--no-data', '--signed-tags=strip', '--tag-of-filtered-object=rewrite', '--reencode=no'];
  return git(root, ['fast-export', ...args]);
}

/** So many objects are read, and held, at a time. */
const READ_AT_ONCE = 1_000;

async function* readAll(
  root: string,
  ids: readonly string[],
  onProgress: OnProgress,
): AsyncGenerator<readonly [id: string, bytes: Buffer]> {
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    onProgress(from, ids.length);
    const some = ids.slice(from, from + READ_AT_ONCE);
    const output = await git(root, ['cat-file', '--batch'], Buffer.from(`${some.join('\n')}\n`));
    for (let at = 0; at < output.length;) {
      const end = output.indexOf(0x0a, at);
      if (end < 0) break;
      const [id = '', , size] = output.toString('latin1', at, end).split(' ');
      at = end + 1;
      if (size === undefined) continue;
      yield [id, output.subarray(at, at + Number(size))];
      at += Number(size) + 1;
    }
  }
}

async function git(
  root: string,
  args: readonly string[],
  input: Buffer | null = null,
  listener: GitListener = {},
): Promise<Buffer> {
  const result = await runGit(root, args, process.env, input, 'to-the-end', listener);
  if (result === null) {
    throw new StetError({
      code: 'git-failed',
      command: 'git',
      reason: 'no git is installed, and only git can rewrite history. Install git and try again',
    });
  }
  if (result.exitCode !== 0) throw gitFailed(`git ${args[0] ?? ''}`, result);
  return result.stdout;
}
