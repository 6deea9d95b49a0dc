// A document whose console blocks are run: each `$ stet …` line by the built command line, one after the other, on a
// machine of its own, and what it prints compared with the lines below it. Ids, dates, commits and scores of the
// document stand for whatever there is. A block headed `text file=~/x` is a file that the commands after it find there.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ENTRY, run, type Outcome, type RunOptions } from './temporary-memory.ts';

interface Command {
  readonly line: string;
  readonly output: string;
}

/** A console block, or a file's name and text. */
const BLOCK = /```console\n(.*?)```|```\w+ file=~\/(\S+)\n(.*?)```/gs;
/** The ids that a document shows, for those of the items in the order in which they were stored. */
const DOCUMENT_IDS = ['k3v9q2m7', 'h7wq2c9d', 'b2n8r4ts', 'x5m1c0wv', 'd9e6j7kp', 'm4p7s1rk', 't3h8y5fz', 'w6a2c9gn'];
/** Where the entries of clients lead on the machine of the document. */
const SHOWN_PATHS = new Map([
  [process.execPath, '/usr/bin/node'],
  [ENTRY, '/path/to/stet-memory/dist/cli/main.js'],
]);

/**
 * Runs the document and gives it back as it is with the output of now; where the two mean the same, as it is. `fresh` takes
 * the output of now everywhere.
 */
export async function runDocument(
  file: string,
  fresh: boolean,
): Promise<{ readonly text: string; readonly now: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stet-document-')));
  const ids = new Map<string, string>();
  const text = readFileSync(file, 'utf8');
  try {
    let now = '';
    let at = 0;
    for (const block of text.matchAll(BLOCK)) {
      now += text.slice(at, block.index);
      at = block.index + block[0].length;
      const [whole, commands, name, content] = block;
      if (name !== undefined) {
        writeFile(join(folder, name), content ?? '');
        now += whole;
        continue;
      }
      let shown = '';
      for (const command of commandsOf(commands ?? '')) {
        const said = await runLine(command.line, folder, ids);
        learnIds(said, folder, ids);
        const output = normalise(said, folder, ids);
        const keeps = !fresh && isSame(output, command.output);
        shown += `$ ${command.line}\n${keeps ? command.output : output}`;
      }
      now += `\`\`\`console\n${shown}\`\`\``;
    }
    return { text, now: now + text.slice(at) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Puts the output of now into the document. */
export function writeDocument(file: string, now: string): void {
  writeFileSync(file, now);
}

function commandsOf(block: string): readonly Command[] {
  return block
    .split(/^\$ /m)
    .filter((part) => part !== '')
    .map((part) => {
      const [line = ''] = part.split('\n', 1);
      return { line, output: part.slice(line.length + 1) };
    });
}

async function runLine(line: string, folder: string, ids: ReadonlyMap<string, string>): Promise<string> {
  const [typed = '', target] = line.split(' > ');
  const words = wordsOf(typed).map((word) => actual(inFolder(word, folder), ids));
  const [program = '', ...args] = words;
  if (program === 'mkdir') {
    for (const each of args.slice(1)) mkdirSync(each, { recursive: true });
    return '';
  }
  const options = {
    cwd: folder,
    env: {
      HOME: folder,
      USERPROFILE: folder,
      XDG_CONFIG_HOME: '',
      STET_HOME: join(folder, 'stet'),
      STET_SPACE: '',
      GIT_CONFIG_GLOBAL: join(folder, '.gitconfig'),
      NO_COLOR: '1',
    },
  };
  const { stdout, stderr } = await runProgram(program, args, options);
  if (target === undefined) return stdout + stderr;
  writeFile(inFolder(target, folder), stdout);
  return stderr;
}

function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  if (program === 'stet') return run(process.execPath, [ENTRY, ...args], options);
  if (program === 'git') return run('git', args, options);
  throw new Error(`a document runs stet, git and mkdir, not ${program}`);
}

function inFolder(word: string, folder: string): string {
  return word.replace(/^~(?=\/|$)/, folder);
}

function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Words as a shell splits them; double quotes hold together. */
function wordsOf(line: string): readonly string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
}

function actual(word: string, ids: ReadonlyMap<string, string>): string {
  for (const [real, shown] of ids) if (word === shown) return real;
  return word;
}

function normalise(output: string, folder: string, ids: ReadonlyMap<string, string>): string {
  let text = output.replaceAll('\r\n', '\n').replaceAll(folder, '~');
  for (const [real, shown] of SHOWN_PATHS) text = text.replaceAll(real, shown);
  return (
    text
      .replace(/^=== [0-9a-f]{8} /gm, '=== 5f0c1d2e ')
      // A short commit may look like an id.
      .replace(/(?<=\bas of )[0-9a-f]{8}/g, '4d1c90fe')
      .replace(/\b[0-9a-z]{8}\b/g, (word) => ids.get(word) ?? word)
  );
}

/** Ids of items that are new since the last command, from the list that it printed and the names of their files. */
function learnIds(said: string, folder: string, ids: Map<string, string>): void {
  const memory = join(folder, 'stet');
  const paths = existsSync(memory) ? readdirSync(memory, { recursive: true, encoding: 'utf8' }) : [];
  const listed = Array.from(said.matchAll(/^([a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{7}) {2}/gm), ([, id]) => id);
  for (const id of [...listed, ...paths.map((path) => /\.([0-9a-z]{8})\.md$/.exec(path)?.[1])]) {
    if (id !== undefined && !ids.has(id)) ids.set(id, DOCUMENT_IDS[ids.size] ?? id);
  }
}

/** The same but for what differs from run to run. */
function isSame(a: string, b: string): boolean {
  const fixed = (text: string) =>
    text
      // Two backups of one second are numbered.
      .replaceAll(/\b\d{8}T\d{6}(?:-\d+)?\b/g, 'STAMP')
      .replaceAll(/\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+Z?)?)?/g, 'DATE')
      .replaceAll(/\b\d\.\d\d\b/g, 'SCORE')
      .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT');
  return fixed(a) === fixed(b);
}
