import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Problem } from '../memory/item.ts';
import { StetError } from '../memory/failure.ts';
import type { Call } from './command.ts';
import { editorFor } from './external-program.ts';
import { commitJson, noteCommit } from './print-commit.ts';

/**
 * `stet edit`: a copy goes to the editor, and takes the file's place when it is an item. One that is not is offered
 * again, or stays where it is and exit code 1 says where: what was typed is never thrown away.
 */
export async function run({ io, arguments: [given = ''] }: Call): Promise<number> {
  return io.withApp(async (app) => {
    const before = await app.editableFile(given);
    const folder = mkdtempSync(join(tmpdir(), 'stet-edit-'));
    const draft = join(folder, basename(before.path));
    writeFileSync(draft, before.bytes, { mode: 0o600 });
    for (const { line, message } of before.problems) io.note(`${before.path}:${line}: ${message}`);
    for (;;) {
      await runEditor(draft);
      const saved = await app.saveEdit(before, readFileSync(draft));
      const id = saved.status === 'saved' ? saved.id : before.id;
      switch (saved.status) {
        case 'saved':
        case 'unchanged': {
          rmSync(folder, { recursive: true, force: true });
          const commit = saved.status === 'saved' ? saved.commit : null;
          io.print(saved.status === 'saved' ? `Saved ${saved.path}` : 'Nothing was changed.');
          noteCommit(io, commit);
          io.printJson({ status: saved.status, id, path: saved.path, commit: commitJson(commit), draft: null });
          return 0;
        }
        case 'overtaken':
          io.complain(`stet: ${saved.path} was changed by somebody else meanwhile, so nothing was written.`);
          break;
        case 'invalid':
          for (const problem of saved.problems) io.note(describe(draft, problem));
          if (await wantsAgain(io.json)) continue;
      }
      io.complain(`stet: nothing was saved. Your text is in ${draft}`);
      io.printJson({ status: saved.status, id, path: saved.path, commit: null, draft });
      return 1;
    }
  });
}

function describe(draft: string, { line, message }: Problem): string {
  return `${draft}:${line}: ${message}`;
}

function runEditor(file: string): Promise<void> {
  const { command, args, shell } = editorFor(file, process.env, process.platform);
  return new Promise((resolve, reject) => {
    const failed = (reason: string) =>
      reject(
        new StetError({
          code: 'not-possible',
          subject: 'edit',
          reason: `the editor ${reason}, and nothing was saved`,
          hint: `Set VISUAL or EDITOR to one that waits until the file is closed. Your text is in ${file}`,
        }),
      );
    const editor = spawn(command, args, { stdio: 'inherit', shell });
    editor.on('error', (error) => failed(`could not be started (${error.message})`));
    editor.on('exit', (code) => (code === 0 ? resolve() : failed(`ended with ${code ?? 'a signal'}`)));
  });
}

async function wantsAgain(json: boolean): Promise<boolean> {
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return !/^n/i.test((await terminal.question('Edit it again? [Y/n] ')).trim());
  } finally {
    terminal.close();
  }
}
