// Ctrl-C at a real terminal, with a bar drawn: the key is pressed, and the terminal itself makes the signal of it. The terminal
// is one of python3's `pty`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ENTRY, TemporaryMemory } from './temporary-memory.ts';

const CTRL_C = '\u0003';
/** Runs a command in a terminal, with its own stdin as the keyboard; ends as the command does. */
const IN_TERMINAL = [
  'import os, pty, sys',
  'status = pty.spawn(sys.argv[1:])',
  'sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 99)',
].join('\n');

const hasTerminal = process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0;
const why = hasTerminal ? '' : ' (left out: there is no python3 with pty)';

/** An export with so many commits that nobody waits for its end. */
function longExport(): string {
  const commit = { type: 'version', time: '2026-09-15T10:31:04Z', author: 'Ann' };
  const first = { ...commit, commit: 'c0ffee', subject: 'init: x', path: 'stet.yaml', content: 'version: 1\n' };
  const others = Array.from({ length: 20_000 }, (_, at) => ({
    ...commit,
    commit: `beef${at}`,
    subject: `remember: shelf ${at}`,
    path: `personal/shelf-${at}.md`,
    content: `Shelf ${at} holds ${at * 7} jars.\n`,
  }));
  return [first, ...others].map((line) => `${JSON.stringify(line)}\n`).join('');
}

describe.skipIf(!hasTerminal)(`Ctrl-C at a terminal${why}`, () => {
  it('stops an import while its bar is drawn, and leaves memory and terminal as they were', async () => {
    await using memory = await TemporaryMemory.make();
    const head = await memory.git('rev-parse', 'HEAD');
    const file = join(memory.folder, 'memory.jsonl');
    await writeFile(file, longExport());
    const env = { ...process.env, STET_HOME: memory.root, TERM: 'xterm' };
    const command = [process.execPath, ENTRY, 'import', 'jsonl', file];
    const child = spawn('python3', ['-c', IN_TERMINAL, ...command], { env, stdio: 'pipe' });
    const ended = once(child, 'exit');
    const problems = readAll(child.stderr);
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const isDrawn = /Importing .*\d+\/40002/;
      const wasDrawn = isDrawn.test(screen);
      screen += chunk;
      if (!wasDrawn && isDrawn.test(screen)) child.stdin.write(CTRL_C);
    });
    expect([await ended, await problems]).toEqual([[130, null], '']);
    expect(screen).toMatch(/stet: Stopped\. Nothing was imported\.\r?\n$/);
    // It was stopped in the search for secrets, the first half of the steps.
    const drawn = Array.from(screen.matchAll(/(\d+)\/40002/g), ([, done]) => Number(done));
    expect(Math.max(...drawn)).toBeLessThan(20_001);
    // The bar is gone from its line, and no cursor was hidden.
    const [, after = ''] = /.*\d+\/40002([^]*)$/.exec(screen) ?? [];
    expect(after).toContain('\u001b[');
    expect(screen).not.toContain('\u001b[?25l');
    expect(await memory.git('rev-parse', 'HEAD')).toBe(head);
    expect(await memory.items()).toEqual([]);
    expect((await memory.stet('remember', 'Tea is at four.')).code).toBe(0);
  });
});
