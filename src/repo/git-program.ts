// The one place that runs the git program. Invariants: it never asks anything, runs no hook, pager or alias of the user's,
// takes no optional lock, and works on the memory alone, whatever the environment says.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { StetError } from '../memory/failure.ts';

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Variables that would point git at another repository (`git rev-parse --local-env-vars`) or make it talk. */
const FOREIGN_VARIABLES =
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|OBJECT_DIRECTORY|DIR|WORK_TREE|IMPLICIT_WORK_TREE|GRAFT_FILE|INDEX_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|SHALLOW_FILE|COMMON_DIR|NAMESPACE|CEILING_DIRECTORIES|TRACE.*|PAGER|EXTERNAL_DIFF|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS)$/;

export function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const own = Object.entries(env).filter(([name]) => !FOREIGN_VARIABLES.test(name));
  return { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}

/** Arguments before the command. A path is a path, whatever characters it has. */
export function gitArguments(root: string): string[] {
  return [
    '-C',
    root,
    '--no-pager',
    '--literal-pathspecs',
    '-c',
    `core.hooksPath=${os.devNull}`,
    '-c',
    'core.fsmonitor=false',
  ];
}

/** Runs `git <args>` in the memory to its end, with `input` on stdin; null when no git is installed. */
export function runGit(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  input: string | Buffer | null = null,
): Promise<GitResult | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...gitArguments(root), ...args], {
      env: gitEnvironment(env),
      stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    // Without a child there is nobody to read: the error event tells.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    child.on('close', (exitCode) =>
      resolve({
        exitCode: exitCode ?? -1,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8').trim(),
      }),
    );
  });
}

/** Starts `git <args>` and leaves it alone: it may outlive this process, and no one learns how it ends. */
export function startGit(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): void {
  const child = spawn('git', [...gitArguments(root), ...args], {
    env: gitEnvironment(env),
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  });
  // No git, no maintenance; the repository works without.
  child.on('error', () => undefined);
  child.unref();
}

export function gitFailed(command: string, result: GitResult): StetError {
  const reason = result.stderr === '' ? `it ended with ${result.exitCode}` : result.stderr;
  return new StetError({ code: 'git-failed', command, reason });
}
