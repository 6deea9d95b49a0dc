// What a command is: its grammar as data, declared once in commands.ts, and a module that is loaded when it is called.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StetError } from '../memory/failure.ts';
import type { Io } from './io.ts';

export interface CommandOption {
  /** In commander's notation: `--kind <kind>`, `--tag <tag...>`, `--keep-both`. */
  readonly flags: string;
  readonly summary: string;
}

export interface CommandArgument {
  /** In commander's notation: `<id>`, `[folder]`, `<text...>`. */
  readonly name: string;
  readonly summary: string;
  /** What the completion offers where the name itself does not say: `space`, `setting`, … */
  readonly offers?: string;
}

/** Arguments and options of one call, by commander's camel-case names. */
export interface Call {
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
  readonly io: Io;
}

/** Does the work; what it returns is the exit code, 0 when nothing is returned. */
export type Run = (call: Call) => Promise<number | void>;

export interface CommandSpec {
  /** One word, or two for a command of a group: `space add`. */
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly CommandArgument[];
  readonly options: readonly CommandOption[];
  /** Its arguments may begin with a dash (`stet tag ID -draft`); the command itself refuses what it does not know. */
  readonly dashedArguments?: true;
  /** Called by programs, not by people: left out of the help, the completion and docs/cli.md. */
  readonly isHidden?: true;
  /** A whole command line that works. */
  readonly example: string;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** A string option, or undefined. */
export function text(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** A repeatable option; empty when it was not given. Values may also be separated by commas. */
export function list(call: Call, name: string): readonly string[] {
  const value = call.options[name];
  const values = Array.isArray(value) ? (value as readonly string[]) : typeof value === 'string' ? [value] : [];
  return values.flatMap((each) => each.split(',')).flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

/** A count, or the one given here; throws `bad-argument` for what is no number from 1 on. */
export function count(call: Call, name: string, fallback: number): number {
  const value = text(call, name);
  if (value === undefined) return fallback;
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw badOption(`--${name}`, `"${value}" is no count`, 'Give a whole number from 1 on.');
}

/** A folder as an absolute path, from the working directory; throws `bad-argument` where there is none. */
export function existingFolder(argument: string, given: string): string {
  const folder = resolve(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw badOption(argument, `there is no folder ${folder}`, 'Name a folder that exists.');
}

/** `--policies`: whose policies count with `--at`; throws `bad-argument` for any other word. */
export function policiesOf(call: Call): 'then' | 'now' {
  const value = text(call, 'policies') ?? 'then';
  if (value === 'then' || value === 'now') return value;
  throw badOption('--policies', `"${value}" is neither "then" nor "now"`, 'Use one of the two.');
}

function badOption(argument: string, reason: string, hint: string): StetError {
  return new StetError({ code: 'bad-argument', argument, reason, hint });
}

export function flag(call: Call, name: string): boolean {
  return call.options[name] === true;
}
