#!/usr/bin/env node
// The command line. Parses, runs one command, and is the one place of the CLI where errors are caught to be shown.
// Exit codes: 0 done, 1 expected failure, 2 usage, 70 a bug of stet.

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { version } from './version.ts';

const EXIT = { done: 0, failure: 1, usage: 2, bug: 70 } as const;

await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version()}\n`);
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
  const { Command, CommanderError } = await import('commander');
  const { COMMANDS, GLOBAL_OPTIONS } = await import('./commands.ts');
  const { createIo } = await import('./io.ts');
  const { StetError } = await import('../memory/failure.ts');
  let exitCode: number = EXIT.done;

  const program = new Command('stet')
    .description('Memory for AI agents that a person can read, edit and audit.')
    .version(version(), '-V, --version')
    .showHelpAfterError('Run with --help to see what is possible.')
    .showSuggestionAfterError()
    .exitOverride();
  const groups = new Map<string, InstanceType<typeof Command>>();
  for (const spec of COMMANDS) {
    const [first = '', second] = spec.name.split(' ');
    let parent = program;
    if (second !== undefined) {
      parent = groups.get(first) ?? program.command(first).description(groupSummary(first)).exitOverride();
      groups.set(first, parent);
    }
    const command = parent
      .command(second ?? first)
      .description(spec.summary)
      .exitOverride();
    for (const argument of spec.arguments) command.argument(argument.name, argument.summary);
    for (const option of [...spec.options, ...GLOBAL_OPTIONS]) command.option(option.flags, option.summary);
    if (spec.dashedArguments) command.allowUnknownOption();
    command.addHelpText('after', `\nExample:\n  $ ${spec.example}`);
    command.action(async (...received: unknown[]) => {
      const options = command.opts<Record<string, string | string[] | boolean | undefined>>();
      const io = createIo({
        json: options['json'] === true,
        quiet: options['quiet'] === true,
        memory: memoryFolder(options['memory']),
      });
      const given = received
        .slice(0, spec.arguments.length)
        .flat()
        .filter((each) => typeof each === 'string');
      const { run: runCommand } = await spec.load();
      exitCode = (await runCommand({ arguments: given, options, io })) ?? EXIT.done;
    });
  }

  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof StetError) {
      process.stderr.write(`stet: ${error.message}\n`);
      return error.failure.code === 'bad-argument' ? EXIT.usage : EXIT.failure;
    }
    process.stderr.write(`stet: this is a bug of stet; nothing was half-written. Please report it with these lines.\n`);
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.bug;
  }
}

function groupSummary(group: string): string {
  const summaries: Record<string, string> = {
    import: 'bring other memories along',
    space: 'name the scopes that must not mix',
    policy: 'who may see what',
    index: 'the derived index',
  };
  return summaries[group] ?? group;
}

function memoryFolder(option: unknown): string {
  if (typeof option === 'string') return resolve(option);
  const fromEnvironment = process.env['STET_HOME'];
  return fromEnvironment !== undefined && fromEnvironment !== '' ? resolve(fromEnvironment) : join(homedir(), 'stet');
}
