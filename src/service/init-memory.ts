// `stet init`: makes a memory from the template as a git repository with a first commit, or completes one on this
// machine. Never writes into a folder that holds anything else, or that lies inside another repository; what it makes is
// closed to other users.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { createRepository } from '../repo/create-repository.ts';
import { configureMergeDriver, type OwnCommand } from '../repo/merge-driver-config.ts';
import { openRepository } from '../repo/open-repository.ts';
import { closeToOthers } from './openness.ts';
import type { InitResult } from './results.ts';

const TEMPLATE = new URL('../../memory-template/', import.meta.url);

/** npm leaves files of these names out of a package, so the template carries them without the dot. */
const DOTTED: ReadonlySet<string> = new Set(['gitignore', 'gitattributes']);

const FOLDERS = ['personal', 'spaces', 'forgotten', 'deliveries'] as const;

/** This machine's settings, which no commit holds. */
const MACHINE_FILE = `# This machine's own settings; git ignores this file. \`stet space add NAME --folder F\` writes here.
folders: {}
`;

/** `ownCommand`: how git starts this stet, to merge as stet does; without it git's configuration is left alone. */
export async function initMemory(folder: string, ownCommand: OwnCommand | null = null): Promise<InitResult> {
  const root = resolve(folder);
  if (isMemory(root)) {
    return { status: 'completed', root, completed: await completeMemory(await realpath(root), ownCommand) };
  }
  refuseUnlessFree(root, 'init');
  await mkdir(root, { recursive: true });
  const real = await realpath(root);
  // Before anything is in it.
  closeToOthers(real);
  await createRepository(real);
  const repository = await openRepository(real);
  const paths: string[] = [];
  const commit = await repository.exclusive(async (transaction) => {
    for (const name of await readdir(TEMPLATE)) {
      const path = DOTTED.has(name) ? `.${name}` : name;
      await transaction.writeFile(path, await readFile(new URL(name, TEMPLATE)));
      paths.push(path);
    }
    // Two memories that one person makes within a second would have one first commit, and pass for clones of each other.
    const trailers = [['Stet-Memory', randomUUID()] as const];
    return transaction.commit(paths, { subject: 'init: a new memory', trailers, author: null });
  });
  await completeMemory(real, ownCommand);
  if (commit.status === 'pending') {
    throw new StetError({ code: 'damaged-repository', what: commit.reason, remedy: 'Run `stet init` again.' });
  }
  await repository.close();
  return { status: 'created', root: real, commit: commit.commit };
}

/** A memory is a git repository with a stet.yaml. */
export function isMemory(root: string): boolean {
  return existsSync(join(root, '.git')) && existsSync(join(root, 'stet.yaml'));
}

/** Makes what this machine lacks, and says what that was. */
export async function completeMemory(root: string, ownCommand: OwnCommand | null): Promise<readonly string[]> {
  const completed: string[] = [];
  for (const name of FOLDERS) {
    if (existsSync(join(root, name))) continue;
    await mkdir(join(root, name));
    completed.push(`${name}/`);
  }
  if (!existsSync(join(root, 'machine.yaml'))) {
    await writeFile(join(root, 'machine.yaml'), MACHINE_FILE, { flag: 'wx' });
    completed.push('machine.yaml');
  }
  if (ownCommand !== null && (await configureMergeDriver(root, ownCommand))) completed.push('the merge driver of git');
  return completed;
}

/** Throws `bad-argument` unless a memory can be made there. `command`: for whom. */
export function refuseUnlessFree(root: string, command: 'init' | 'clone'): void {
  const refusal = (reason: string, hint: string): StetError =>
    new StetError({ code: 'bad-argument', argument: `${command} ${root}`, reason, hint });
  if (existsSync(root)) {
    if (!statSync(root).isDirectory()) {
      throw refusal('it is a file', 'Name a folder.');
    }
    const [first] = readdirSync(root);
    if (first !== undefined) {
      throw refusal(`it holds other things (${first}, …)`, 'Name a new or an empty folder.');
    }
  }
  for (let parent = dirname(root); ; parent = dirname(parent)) {
    if (existsSync(join(parent, '.git'))) {
      throw refusal(`it lies inside the git repository ${parent}`, 'Name a folder outside of it.');
    }
    if (parent === dirname(parent)) return;
  }
}
