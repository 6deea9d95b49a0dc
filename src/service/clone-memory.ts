// `stet clone`: a memory of another machine, on this one. Made as `init` makes one, filled by the first merge, so that one way
// leads into a memory. Invariant: where it fails, nothing of it is left.

import { existsSync } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { isLocalFile, type FileVersion } from '../memory/merge/memory-versions.ts';
import { createRepository } from '../repo/create-repository.ts';
import type { OwnCommand } from '../repo/merge-driver-config.ts';
import { openRepository } from '../repo/open-repository.ts';
import type { GitRepository, MergeOutcome } from '../repo/repository.ts';
import { completeMemory, refuseUnlessFree } from './init-memory.ts';
import { closeToOthers } from './openness.ts';
import { chooseBranch, listBranches, readAddress } from './set-remote.ts';

export interface CloneRequest {
  readonly url: string;
  /** Where relative paths start. */
  readonly from: string;
  /** The new memory. */
  readonly folder: string;
  /** How git starts this stet, to merge as stet does; null leaves git's configuration alone. */
  readonly ownCommand: OwnCommand | null;
}

export interface ClonedMemory {
  readonly root: string;
  readonly url: string;
  readonly commit: string;
}

export async function cloneMemory(request: CloneRequest): Promise<ClonedMemory> {
  const address = readAddress(request.url, request.from);
  const url = address.kind === 'path' ? address.path : address.url;
  const root = resolve(request.from, request.folder);
  refuseUnlessFree(root, 'clone');
  const isNew = !existsSync(root);
  await mkdir(root, { recursive: true });
  const real = await realpath(root);
  // Before anything is in it.
  closeToOthers(real);
  try {
    await createRepository(real);
    const repository = await openRepository(real);
    try {
      const branches = await listBranches(repository.sync, address, url);
      const branch = chooseBranch(branches, 'main');
      if (branch === null) throw nothingThere(url, [...branches.branches.keys()]);
      await repository.sync.configure(url, branch);
      const commit = await fill(repository, url);
      await completeMemory(real, request.ownCommand);
      return { root: real, url, commit };
    } finally {
      await repository.close();
    }
  } catch (error) {
    await rm(isNew ? real : join(real, '.git'), { recursive: true, force: true });
    throw error;
  }
}

async function fill(repository: GitRepository, url: string): Promise<string> {
  const { sync } = repository;
  const remote = await sync.remote();
  if (remote === null || !remote.address.ok) throw new Error(`${url} is configured, and not found`);
  const fetched = await sync.fetch({ ...remote, address: remote.address });
  if (!fetched.ok) throw new StetError({ code: 'remote', address: url, reason: fetched.problem.reason });
  const tip = fetched.value;
  if (tip === null) throw nothingThere(url, []);
  if ((await repository.readAt(tip, 'stet.yaml')) === null) {
    throw new StetError({
      code: 'bad-argument',
      argument: url,
      reason: 'it is a git repository, and no memory: it has no stet.yaml',
      hint: 'Make a memory with `stet init`, and sync it with an empty repository.',
    });
  }
  const outcome = await checkOut(repository, tip);
  if (outcome.status === 'merged') {
    await sync.state.write({ ...(await sync.state.read()), common: tip, syncedAt: new Date().toISOString() });
    return outcome.commit;
  }
  const reason = outcome.status === 'waits' ? outcome.reason : `its files cannot be put into ${repository.root}`;
  throw new StetError({ code: 'bad-argument', argument: 'clone', reason, hint: 'Nothing was left behind; try again.' });
}

/** The files of the commit; those that belong to another machine go out of the history. */
async function checkOut(repository: GitRepository, tip: string): Promise<MergeOutcome> {
  const nothing = { commit: null, changed: new Map<string, FileVersion | null>() };
  const { theirs } = await repository.sync.versions(nothing, null, tip);
  const files = new Map([...theirs].filter(([path]) => !isLocalFile(path)));
  const result = files.size === theirs.size ? { commit: tip } : { parents: [tip] };
  return repository.exclusive((transaction) =>
    transaction.merge({
      head: null,
      files,
      historyOnly: new Set(),
      result,
      message: { subject: 'sync: clone', trailers: [['Stet-Sync', 'clone']], author: null },
    }),
  );
}

function nothingThere(url: string, branches: readonly string[]): StetError {
  const reason =
    branches.length === 0
      ? 'it is empty: there is no memory to clone'
      : `it has several branches (${branches.slice(0, 5).join(', ')}), and does not say which is the memory`;
  const hint =
    branches.length === 0
      ? `Make one with \`stet init\`, and send it there with \`stet remote set ${url}\` and \`stet sync\`.`
      : 'Make HEAD of that repository point to the right one (`git symbolic-ref HEAD refs/heads/NAME`).';
  return new StetError({ code: 'bad-argument', argument: url, reason, hint });
}
