// Takes files out of every commit for real, by the git program: a backup bundle first, then export, edit, import, and a
// prune of what nothing refers to any more. Runs under the repository's write lock.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { editStream, type StreamEdit } from './fast-export.ts';
import { gitFailed, runGit } from './git-program.ts';
import { scanFiles } from './working-tree.ts';

/** One version of a file in any commit of any ref. */
export interface HistoricFile {
  readonly path: string;
  readonly blob: string;
  readonly bytes: Buffer;
}

/** Every version of every wanted file that any ref reaches. Throws `git-failed`; needs the git program. */
export async function listHistoricFiles(
  root: string,
  wants: (path: string) => boolean,
): Promise<readonly HistoricFile[]> {
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
  const blobs = await readAll(root, [...new Set([...versions.values()].map(({ blob }) => blob))]);
  return [...versions.values()].flatMap(({ path, blob }) => {
    const bytes = blobs.get(blob);
    return bytes === undefined ? [] : [{ path, blob, bytes }];
  });
}

/** How many commits an edit would change; nothing is written. */
export async function previewRewrite(root: string, edit: StreamEdit): Promise<number> {
  return editStream(await exportAll(root), edit).changedCommits;
}

/**
 * Rewrites every ref, then removes what is left over: reflogs, unreachable objects, stet's journal (it holds paths).
 * `bundle`: absolute path of the backup, outside the memory. Returns how many commits changed.
 */
export async function rewriteHistory(root: string, edit: StreamEdit, bundle: string): Promise<number> {
  await git(root, ['bundle', 'create', bundle, '--all']);
  const { output, changedCommits } = editStream(await exportAll(root), edit);
  await git(root, ['fast-import', '--force', '--quiet', '--date-format=raw-permissive'], output);
  await git(root, ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all']);
  for (const name of ['ORIG_HEAD', 'FETCH_HEAD', 'COMMIT_EDITMSG', 'MERGE_MSG', 'SQUASH_MSG', 'stet/journal']) {
    await rm(join(root, '.git', name), { force: true });
  }
  await git(root, ['-c', 'gc.cruftPacks=false', 'gc', '--prune=now', '--quiet']);
  return changedCommits;
}

/** Ids of the objects that hold any of these texts, in any part of the object store. */
export async function findInObjects(root: string, texts: readonly string[]): Promise<readonly string[]> {
  const all = await git(root, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
  const ids = all.toString('latin1').trim().split('\n');
  const holding: string[] = [];
  for (const [id, bytes] of await readAll(root, ids)) {
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

async function readAll(root: string, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const objects = new Map<string, Buffer>();
  if (ids.length === 0) return objects;
  const output = await git(root, ['cat-file', '--batch'], Buffer.from(`${ids.join('\n')}\n`));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = '', , size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    objects.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return objects;
}

async function git(root: string, args: readonly string[], input: Buffer | null = null): Promise<Buffer> {
  const result = await runGit(root, args, process.env, input, 'to-the-end');
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
