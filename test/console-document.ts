// A document whose console blocks are run: each `$ stet …` line by the built command line, one after the other, on a
// machine of its own, and what it prints compared with the lines below it. Ids, dates, commits and scores of the
// document stand for whatever there is.

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
import { join } from 'node:path';
import { ENTRY, run } from './temporary-memory.ts';

interface Command {
  readonly line: string;
  readonly output: string;
}

const BLOCK = /```console\n(.*?)```/gs;
/** The ids that a document shows, for those of the items in the order in which they were stored. */
const DOCUMENT_IDS = ['k3v9q2m7', 'h7wq2c9d', 'b2n8r4ts', 'x5m1c0wv', 'd9e6j7kp'];

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
      let shown = '';
      for (const command of commandsOf(block[1] ?? '')) {
        const said = await runLine(command.line, folder, ids);
        learnIds(folder, ids);
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
  const words = wordsOf(line).map((word) => actual(word.replace(/^~(?=\/|$)/, folder), ids));
  const [program, ...args] = words;
  if (program === 'mkdir') {
    for (const each of args.slice(1)) mkdirSync(each, { recursive: true });
    return '';
  }
  if (program !== 'stet') throw new Error(`a document runs stet and mkdir, not ${program ?? ''}`);
  const { stdout, stderr } = await run(process.execPath, [ENTRY, ...args], {
    cwd: folder,
    env: { HOME: folder, USERPROFILE: folder, STET_HOME: join(folder, 'stet'), STET_SPACE: '', NO_COLOR: '1' },
  });
  return stdout + stderr;
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
  return (
    output
      .replaceAll('\r\n', '\n')
      .replaceAll(folder, '~')
      .replace(/^=== [0-9a-f]{8} /gm, '=== 5f0c1d2e ')
      // A short commit may look like an id.
      .replace(/(?<=\bas of )[0-9a-f]{8}/g, '4d1c90fe')
      .replace(/\b[0-9a-z]{8}\b/g, (word) => ids.get(word) ?? word)
  );
}

/** Ids of items that are new since the last command, from the names of their files. */
function learnIds(folder: string, ids: Map<string, string>): void {
  const memory = join(folder, 'stet');
  if (!existsSync(memory)) return;
  for (const path of readdirSync(memory, { recursive: true, encoding: 'utf8' })) {
    const id = /\.([0-9a-z]{8})\.md$/.exec(path)?.[1];
    if (id !== undefined && !ids.has(id)) ids.set(id, DOCUMENT_IDS[ids.size] ?? id);
  }
}

/** The same but for what differs from run to run. */
function isSame(a: string, b: string): boolean {
  const fixed = (text: string) =>
    text
      .replaceAll(/\d{4}-\d{2}(?:-\d{2}(?:T[\d:.]+Z?)?)?/g, 'DATE')
      .replaceAll(/\b\d\.\d\d\b/g, 'SCORE')
      .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT');
  return fixed(a) === fixed(b);
}
