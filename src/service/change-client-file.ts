// Changes one file of a client by a plan: through the client's own command where it has one, else by editing.
// Invariant: a plan that cannot be made changes nothing; whatever was done, the file's state afterwards decides what is
// reported, not what a command says of itself.

import { createTwoFilesPatch } from 'diff';
import {
  backUpFile,
  readConfigFile,
  removeConfigFile,
  writeConfigFile,
  type ConfigWrite,
} from '../clients/config-file.ts';
import type { Machine } from '../clients/locations.ts';
import { runProgram } from '../clients/own-program.ts';
import type { ChangeStatus, PlannedChange } from '../clients/plan-change.ts';
import type { Parsed } from '../memory/item.ts';

export type FileChange =
  | {
      readonly status: ChangeStatus;
      readonly file: string;
      /** Command lines of the client that do it, or did it; empty where the file is edited. */
      readonly commands: ReadonlyArray<readonly string[]>;
      /** The copy of the file as it was; null where nothing was there, or nothing done. */
      readonly backup: string | null;
      /** For a dry run: what an edit changes. */
      readonly diff: readonly string[];
      /** Why the file was edited although the client has a command for it. */
      readonly remark: string | null;
    }
  | { readonly status: 'failed'; readonly file: string; readonly reason: string }
  | { readonly status: 'unsupported'; readonly file: null; readonly reason: string };

/** A client's own program, and the command lines of it that carry a plan out; none where it cannot. */
export interface OwnCommandLines {
  /** Absolute path. */
  readonly program: string;
  /** As the user would type it. */
  readonly name: string;
  readonly cwd: string;
  readonly lines: (planned: PlannedChange) => ReadonlyArray<readonly string[]>;
}

export interface FileChangeRequest {
  readonly plan: (text: string) => Parsed<PlannedChange>;
  readonly own: OwnCommandLines | null;
  readonly dryRun: boolean;
  readonly machine: Machine;
  readonly now: () => Date;
}

export async function changeFile(file: string, request: FileChangeRequest): Promise<FileChange> {
  const planned = planFor(file, request);
  if (!planned.ok) return { status: 'failed', file, reason: planned.reason };
  const { status } = planned.change;
  const commands = (request.own?.lines(planned.change) ?? []).map((args) => [request.own?.name ?? '', ...args]);
  const outcome = { status, file, commands, backup: null, diff: [], remark: null };
  if (isDone(planned.change)) return { ...outcome, commands: [] };
  if (request.dryRun) return { ...outcome, diff: linesOfDiff(file, planned.before ?? '', planned.change.text) };
  if (request.own === null || commands.length === 0) return edit(file, planned, null, request);
  return runOwn(file, planned, request.own, request);
}

/** What a file says, and what it is to say. */
interface Planned {
  readonly target: string;
  readonly before: string | null;
  readonly change: PlannedChange;
}

function planFor(file: string, { plan }: FileChangeRequest): ({ ok: true } & Planned) | { ok: false; reason: string } {
  const read = readConfigFile(file);
  if (read.status === 'unreadable') return { ok: false, reason: `${file} cannot be used: ${read.reason}.` };
  const before = read.status === 'read' ? read.text : null;
  const planned = plan(before ?? '');
  if (planned.ok) return { ok: true, target: read.target, before, change: planned.value };
  const [problem] = planned.problems;
  return { ok: false, reason: `${file}:${problem?.line ?? 1}: ${problem?.message ?? ''} Nothing was changed.` };
}

/** Unified, without the title and the rule that the library puts on top. */
function linesOfDiff(file: string, before: string, after: string): readonly string[] {
  const patch = createTwoFilesPatch(file, file, before, after, undefined, undefined, { context: 2 });
  const lines = patch.trimEnd().split('\n');
  return lines.slice(lines.findIndex((line) => line.startsWith('--- ')));
}

function isDone({ status }: PlannedChange): boolean {
  return status === 'unchanged' || status === 'absent';
}

async function runOwn(
  file: string,
  planned: Planned,
  own: OwnCommandLines,
  request: FileChangeRequest,
): Promise<FileChange> {
  const { target, before, change } = planned;
  const copy = before === null ? null : backUpFile(target, before, request.now());
  if (copy !== null && copy.status !== 'written') return { status: 'failed', file, reason: explain(file, copy) };
  const lines = own.lines(change);
  let said = '';
  for (const args of lines) {
    const outcome = await runProgram(own.program, args, { cwd: own.cwd, env: request.machine.env });
    if (!outcome.ok) said = outcome.said;
  }
  const after = planFor(file, request);
  if (!after.ok) return { status: 'failed', file, reason: after.reason };
  const commands = lines.map((args) => [own.name, ...args]);
  if (isDone(after.change)) {
    return { status: change.status, file, commands, backup: copy?.backup ?? null, diff: [], remark: null };
  }
  const remark = `\`${[own.name, ...(lines[0] ?? []).slice(0, 2)].join(' ')}\` did not do it${said === '' ? '' : ` (${said})`}; the file was edited instead.`;
  return edit(file, after, remark, request);
}

function edit(file: string, planned: Planned, remark: string | null, { now }: FileChangeRequest): FileChange {
  const { target, before, change } = planned;
  const isLeftBlank = change.status === 'removed' && change.text.trim() === '' && before !== null;
  const write = isLeftBlank ? removeConfigFile(target, before) : writeConfigFile(target, before, change.text, now());
  if (write.status !== 'written') return { status: 'failed', file, reason: explain(file, write) };
  return { status: change.status, file, commands: [], backup: write.backup, diff: [], remark };
}

function explain(file: string, write: Exclude<ConfigWrite, { status: 'written' }>): string {
  switch (write.status) {
    case 'changed':
      return `${file} was changed by something else meanwhile, and was left as that wrote it: run the command again.`;
    case 'refused':
      return `${file} cannot be written: ${write.reason}. It is as it was.`;
  }
}
