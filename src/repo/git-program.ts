// The one place that runs the git program. Invariants: it never asks anything, runs no hook, pager or alias of the user's,
// takes no optional lock, and works on the memory alone, whatever the environment says.
import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import { StetError } from '../memory/failure.ts';
import { withoutProgress } from './git-progress.ts';

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Why it was ended before its own end; `killed`: by somebody else (the user, the system short of memory). */
  readonly ended?: 'silent' | 'too-long' | 'aborted' | 'killed';
}

/** When a command that talks to another machine is ended, with everything that it started. */
export interface GitLimits {
  /** Without a word on stdout or stderr for so long (ms); progress counts. */
  readonly silenceMs: number;
  readonly totalMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Told what a command prints, as it comes. */
export interface GitListener {
  readonly stdout?: (chunk: string) => void;
  readonly stderr?: (chunk: string) => void;
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

/**
 * Runs `git <args>` in the memory to its end, with `input` on stdin; null when no git is installed. `to-the-end`: Ctrl-C in
 * the terminal does not reach it (on Windows it does).
 */
export function runGit(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  input: string | Buffer | null = null,
  limits: GitLimits | 'to-the-end' | null = null,
  listener: GitListener = {},
): Promise<GitResult | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...gitArguments(root), ...args], {
      env: gitEnvironment(env),
      stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own, so that the helpers of git (ssh, git-remote-https) end with it.
      detached: limits !== null && !WINDOWS,
    });
    const guard = limits === null || limits === 'to-the-end' ? null : guardChild(child, limits);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    // Without a child there is nobody to read: the error event tells.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout.push(chunk);
      listener.stdout?.(chunk.toString('latin1'));
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr.push(chunk);
      listener.stderr?.(chunk.toString('latin1'));
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      guard?.release();
      if (error.code === 'ENOENT') resolve(null);
      else reject(error);
    });
    child.on('close', (exitCode, signal) => {
      const ended = guard?.release() ?? (signal === null ? undefined : 'killed');
      resolve({
        exitCode: exitCode ?? -1,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8').trim(),
        ...(ended !== undefined && { ended }),
      });
    });
  });
}

const WINDOWS = process.platform === 'win32';

/** Ends the child at its limits. `release` stops watching, and says why it was ended, if it was. */
function guardChild(child: ChildProcess, limits: GitLimits): { release(): GitResult['ended'] } {
  let ended: GitResult['ended'];
  const end = (why: NonNullable<GitResult['ended']>) => () => {
    ended ??= why;
    killWithChildren(child);
  };
  const total = setTimeout(end('too-long'), limits.totalMs);
  const silence = setTimeout(end('silent'), limits.silenceMs);
  const heard = () => void silence.refresh();
  child.stdout?.on('data', heard);
  child.stderr?.on('data', heard);
  const abort = end('aborted');
  limits.signal?.addEventListener('abort', abort);
  if (limits.signal?.aborted === true) abort();
  return {
    release: () => {
      clearTimeout(total);
      clearTimeout(silence);
      limits.signal?.removeEventListener('abort', abort);
      return ended;
    },
  };
}

function killWithChildren(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (WINDOWS) {
    spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  const group = -child.pid;
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(group, signal);
    } catch {
      // It ended by itself meanwhile.
    }
  };
  // Asked first: git then takes its lock files along.
  kill('SIGTERM');
  setTimeout(() => kill('SIGKILL'), 2_000).unref();
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
  const said = withoutProgress(result.stderr);
  return new StetError({
    code: 'git-failed',
    command,
    reason: said === '' ? describeEnd(result) : said,
  });
}

function describeEnd({ ended, exitCode }: GitResult): string {
  return ended === 'killed' ? 'it was killed before it was done; try again' : `it ended with ${exitCode}`;
}
