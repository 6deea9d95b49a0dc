// What the tests of exports with history share: lines, and what somebody does beside stet.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InProcessMemory } from './in-process-memory.ts';

export type Line = Record<string, unknown> & { type: string; path: string | null; content?: string | null };

export async function linesOf(memory: InProcessMemory, history = true): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of memory.app.exportLines(history)) lines.push({ ...line });
  return lines;
}

export async function writeLines(memory: InProcessMemory, lines: readonly unknown[]): Promise<string> {
  const file = join(memory.folder, 'memory.jsonl');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

/** What somebody commits beside stet, as themselves, at a time and in a zone of their own. */
export function commitByHand(memory: InProcessMemory, at: number, message: string): void {
  const when = `${1_790_000_000 + at * 3_600} ${['+0100', '-0530', '+0000'][at % 3] ?? ''}`;
  const env = { ...process.env, GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: `${1_790_000_100 + at * 3_600} +0200` };
  const who = [
    '-c',
    'user.name=Ann Ødegård',
    '-c',
    'user.email=ann@example.invalid',
    '-c',
    'gc.auto=0',
    '-c',
    'core.safecrlf=false',
  ];
  execFileSync('git', [...who, '-C', memory.root, 'add', '-A'], { env });
  execFileSync('git', [...who, '-C', memory.root, 'commit', '-q', '--allow-empty', '-m', message], { env });
}

export function writeBytes(memory: InProcessMemory, path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(memory.path(path)), { recursive: true });
  writeFileSync(memory.path(path), bytes);
}
