#!/usr/bin/env node
// The command line. Parses, runs one command, and is the one place of the CLI where errors are caught to be shown.
// Exit codes: 0 done, 1 expected failure, 2 usage, 70 a bug of stet, 130 stopped by Ctrl-C.

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { reliableHome } from '../memory/home-folder.ts';
import { version } from './version.ts';

const EXIT = { done: 0, failure: 1, usage: 2, bug: 70 } as const;

await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version()}\n`);
    return;
  }
  if (argv[0] === 'complete' && argv[1] === '--') {
    const { complete } = await import('./complete.ts');
    complete(argv.slice(2), memoryFolder(undefined));
    return;
  }
  // A closed pipe (`stet list | head`) is the reader's choice, not an error. A server ends by itself, when it has finished
  // what is in flight.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && argv[0] !== 'mcp') process.exit(EXIT.done);
  });
  process.exitCode = await run(argv);
}

async function run(argv: readonly string[]): Promise<number> {
  const { CommanderError } = await import('commander');
  const { createProgram } = await import('./program.ts');
  const { createIo } = await import('./io.ts');
  const { INTERRUPTED } = await import('./interruption.ts');
  const { StetError, systemFailure } = await import('../memory/failure.ts');
  const { showHidden } = await import('../memory/untrusted-text.ts');
  let exitCode: number = EXIT.done;

  const program = createProgram({
    version: version(),
    act: async (spec, call) => {
      const { options } = call;
      const io = createIo({
        json: options['json'] === true,
        quiet: options['quiet'] === true,
        memory: memoryFolder(options['memory']),
      });
      const { run: runCommand } = await spec.load();
      exitCode = (await runCommand({ ...call, io })) ?? EXIT.done;
    },
  });

  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (caught) {
    const error = systemFailure(caught) ?? caught;
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof StetError) {
      process.stderr.write(`stet: ${showHidden(error.message)}\n`);
      if (error.failure.code === 'interrupted') return INTERRUPTED;
      return error.failure.code === 'bad-argument' ? EXIT.usage : EXIT.failure;
    }
    process.stderr.write(`stet: this is a bug of stet; nothing was half-written. Please report it with these lines.\n`);
    process.stderr.write(`${showHidden(String(error instanceof Error ? error.stack : error))}\n`);
    return EXIT.bug;
  }
}

function memoryFolder(option: unknown): string {
  if (typeof option === 'string') return resolve(option);
  const fromEnvironment = process.env['STET_HOME'];
  if (fromEnvironment !== undefined && fromEnvironment !== '') return resolve(fromEnvironment);
  return join(reliableHome(homedir()), 'stet');
}
