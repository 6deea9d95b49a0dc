// Finding and running the clients' own programs. Invariant: arguments go to the program as they are, never through a
// shell, and a program that hangs is ended.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { joinPath, type Machine } from './locations.ts';

/** Where a program is on PATH; null when it is on none. `isFile` says whether there is a file at a path. */
export function findProgram(name: string, machine: Machine, isFile = isExecutable): string | null {
  const windows = machine.platform === 'win32';
  // The names of variables have no case on Windows, and node keeps the case that the system has.
  const variable = (wanted: string) =>
    Object.entries(machine.env).find(([key]) => (windows ? key.toUpperCase() : key) === wanted)?.[1] ?? '';
  const extensions = windows ? (variable('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  for (const folder of variable('PATH').split(windows ? ';' : ':')) {
    const bare = folder.replace(/^"(.*)"$/, '$1');
    if (bare === '') continue;
    for (const extension of extensions) {
      const path = joinPath(machine, bare, `${name}${extension.toLowerCase()}`);
      if (isFile(path)) return path;
    }
  }
  return null;
}

/** Whether a program can be run without a shell: npm's `.cmd` files on Windows cannot, and cmd.exe quotes unsafely. */
export function runsWithoutShell(program: string, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' || /\.(?:exe|com)$/i.test(program);
}

export interface ProgramOutcome {
  readonly ok: boolean;
  /** Its first words on failure, on one line; empty when it said nothing. */
  readonly said: string;
}

const TIMEOUT_MS = 60_000;
const MAX_SAID = 200;

/** Runs a program to its end, in a folder, with nothing on stdin. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Machine['env'] },
): Promise<ProgramOutcome> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      { cwd: options.cwd, env: options.env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', windowsHide: true },
      (error, stdout, stderr) => {
        const words = stderr.trim() || stdout.trim() || (error?.message ?? '');
        const said = words.replace(/\p{C}\[[\d;]*m|\s+/gu, ' ');
        resolve({ ok: error === null, said: error === null ? '' : Array.from(said).slice(0, MAX_SAID).join('') });
      },
    );
    child.stdin?.end();
  });
}

function isExecutable(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}
