// Runs a command line in this process, on a memory that a test has open: the real grammar and the real command, with what
// it prints kept.

import type { Io } from '../src/cli/io.ts';
import { createProgram } from '../src/cli/program.ts';
import type { InProcessMemory } from './in-process-memory.ts';

export interface Ran {
  readonly code: number;
  /** What stdout would show without `--json`, or the value with it; undefined where it printed none. */
  readonly lines: readonly string[];
  readonly json: unknown;
  readonly notes: readonly string[];
}

/** `width`: columns of the terminal that stdout is taken for; null for a pipe. */
export async function runCommand(
  memory: InProcessMemory,
  argv: readonly string[],
  width: number | null = null,
): Promise<Ran> {
  const [lines, notes]: [string[], string[]] = [[], []];
  let json: unknown;
  let code = 0;
  const program = createProgram({
    version: '0.0.0',
    act: async (spec, call) => {
      const isJson = call.options['json'] === true;
      const io: Io = {
        json: isJson,
        quiet: true,
        memory: memory.root,
        width,
        print: (line = '') => void (isJson || lines.push(line)),
        printJson: (value) => void (json = isJson ? value : undefined),
        note: (line) => void notes.push(line),
        complain: (line) => void notes.push(line),
        withApp: (work) => work(memory.app),
      };
      code = (await (await spec.load()).run({ ...call, io })) ?? 0;
    },
  });
  await program.parseAsync([...argv], { from: 'user' });
  return { code, lines, json, notes };
}
