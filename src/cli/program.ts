// The grammar of the command line as commander has it, made from the declarations. It parses, and hands the call on.

import { Command } from 'commander';
import type { Call, CommandSpec } from './command.ts';
import { COMMANDS, GLOBAL_OPTIONS, GROUP_SUMMARIES, TASKS } from './commands.ts';
import { JSON_SHAPES } from './json-shapes.ts';

export interface ProgramOptions {
  readonly version: string;
  /** Does what was asked for. */
  readonly act: (spec: CommandSpec, call: Omit<Call, 'io'>) => Promise<void>;
}

/** A program that throws commander's errors instead of ending the process. */
export function createProgram({ version, act }: ProgramOptions): Command {
  const program = new Command('stet')
    .description('Memory for AI agents that a person can read, edit and audit.')
    .version(version, '-V, --version')
    .showHelpAfterError('Run with --help to see what is possible. A text that begins with a dash goes after `--`.')
    .showSuggestionAfterError()
    .exitOverride();
  const groups = new Map<string, Command>();
  // Commander lists groups in the order in which their first command came.
  const order = Object.values(TASKS).flat();
  const rank = ({ name }: CommandSpec): number => order.indexOf(name.split(' ', 1).join()) + 1 || order.length + 1;
  for (const spec of COMMANDS.toSorted((a, b) => rank(a) - rank(b))) {
    const [first = '', second] = spec.name.split(' ');
    let parent = program;
    if (second !== undefined) {
      parent = groups.get(first) ?? program.command(first).description(GROUP_SUMMARIES[first] ?? first);
      groups.set(first, parent);
    }
    const command = parent.command(second ?? first, { hidden: spec.isHidden === true }).description(spec.summary);
    for (const argument of spec.arguments) command.argument(argument.name, argument.summary);
    for (const option of [...spec.options, ...GLOBAL_OPTIONS]) command.option(option.flags, option.summary);
    if (spec.dashedArguments) command.allowUnknownOption();
    const shape = JSON_SHAPES[spec.name];
    command.addHelpText('after', `\nExample:\n  $ ${spec.example}`);
    if (shape !== undefined) command.addHelpText('after', `\nJSON:\n  ${shape}`);
    command.action((...received: unknown[]) => {
      const given = received
        .slice(0, spec.arguments.length)
        .flat()
        .filter((each) => typeof each === 'string');
      return act(spec, { arguments: given, options: command.opts() });
    });
  }
  for (const [task, names] of Object.entries(TASKS)) {
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(task);
  }
  return program;
}
