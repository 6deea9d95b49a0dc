// Where a command writes: results to stdout, everything else to stderr. `--json` prints exactly one JSON value. Invariant: there
// is no colour, and no escape sequence reaches a terminal, whatever the environment says and whatever is stored or named so.

import type { App, AppOptions } from '../app.ts';
import { showHidden } from '../memory/untrusted-text.ts';
import { jsonText } from './json-text.ts';

export interface Io {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Absolute path of the memory that this call works on. */
  readonly memory: string;
  /** Columns of the terminal that stdout is; null where it is none, and lines are never cut. */
  readonly width: number | null;
  /** A line for people on stdout; silent with `--json`. */
  print(line?: string): void;
  /** The one JSON value of a `--json` call; silent without. */
  printJson(value: unknown): void;
  /** A remark on stderr; silent with `--quiet`. */
  note(line: string): void;
  /** Why a call that did something ends with exit code 1: on stderr, also with `--quiet`. */
  complain(line: string): void;
  /** Opens the memory, runs the work, and closes it whatever happens. */
  withApp<T>(work: (app: App) => Promise<T>, options?: Partial<AppOptions>): Promise<T>;
}

export function createIo(options: { json: boolean; quiet: boolean; memory: string }): Io {
  const { json, quiet, memory } = options;
  return {
    json,
    quiet,
    memory,
    width: process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : null,
    print: (line = '') => {
      if (!json) process.stdout.write(`${showHidden(line)}\n`);
    },
    printJson: (value) => {
      if (json) process.stdout.write(`${jsonText(value, 2)}\n`);
    },
    note: (line) => {
      if (!quiet) process.stderr.write(`${showHidden(line)}\n`);
    },
    complain: (line) => {
      process.stderr.write(`${showHidden(line)}\n`);
    },
    withApp: async (work, appOptions) => {
      const { openApp } = await import('../app.ts');
      const app = await openApp({ memory, ...appOptions });
      try {
        return await work(app);
      } finally {
        await app.close();
      }
    },
  };
}
