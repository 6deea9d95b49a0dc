// Changes single values of a git configuration file, with everything else kept (git-config, "Syntax").
// Invariant: the new file is what git reads the value from, or nothing is written; only under git's own lock of the file.
import { dirname } from 'node:path';
import { StetError } from '../memory/failure.ts';
import { errnoOf, orMissing, type FileSystem } from './file-system.ts';
import { parseConfig } from './git-config.ts';

export interface ConfigValue {
  /** `core`, `remote`, …; letters, digits, `-` and `.`. */
  readonly section: string;
  /** The quoted part of the heading, if any: the name of a remote or branch. */
  readonly subsection: string | null;
  readonly key: string;
  readonly value: string;
}

/** The text with these values; of a key that stands there several times only the last counts, and is changed. */
export function setConfigValues(text: string, values: readonly ConfigValue[]): string {
  return values.reduce((now, value) => setOne(now, value), text);
}

/** Sets values in a file, and says whether that changed it. Throws `busy` while git holds its lock. */
export async function editConfigFile(fs: FileSystem, path: string, values: readonly ConfigValue[]): Promise<boolean> {
  const before = (await orMissing(fs.readFile(path)))?.toString('utf8') ?? '';
  const after = setConfigValues(before, values);
  if (after === before) return false;
  const lock = `${path}.lock`;
  try {
    await fs.createFile(lock, Buffer.from(after, 'utf8'), { mode: 0o644, sync: true });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    throw new StetError({ code: 'busy', holder: `git, by ${lock}`, waitedMs: 0 }, { cause: error });
  }
  await fs.rename(lock, path);
  await fs.syncFolder(dirname(path));
  return true;
}

function setOne(text: string, wanted: ConfigValue): string {
  const name = [wanted.section.toLowerCase(), wanted.subsection, wanted.key.toLowerCase()].filter(
    (part) => part !== null,
  );
  if (parseConfig(text).findLast(({ key }) => key === name.join('.'))?.value === wanted.value) return text;
  const line = `\t${wanted.key} = ${printValue(wanted.value)}`;
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const section = findSection(lines, wanted);
  if (section === null) lines.push(printHeading(wanted), line);
  else {
    const at = findKey(lines, section, wanted.key);
    if (at === null) lines.splice(section.end, 0, line);
    else lines[at] = line;
  }
  return `${lines.join('\n')}\n`;
}

/** The lines of the last section of this name: its heading, and where the next begins. */
function findSection(lines: readonly string[], wanted: ConfigValue): { start: number; end: number } | null {
  const headings = lines.flatMap((line, at) => {
    const heading = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (heading === null) return [];
    const subsection = heading[2]?.replaceAll(/\\(.)/g, '$1') ?? null;
    const isWanted = heading[1]?.toLowerCase() === wanted.section.toLowerCase() && subsection === wanted.subsection;
    return [{ at, isWanted }];
  });
  const place = headings.findLastIndex(({ isWanted }) => isWanted);
  const start = headings[place]?.at;
  return start === undefined ? null : { start, end: headings[place + 1]?.at ?? lines.length };
}

/** The last line of a section that sets the key alone, on one line. */
function findKey(lines: readonly string[], section: { start: number; end: number }, key: string): number | null {
  for (let at = section.end - 1; at > section.start; at--) {
    const name = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=|$)/.exec(lines[at] ?? '')?.[1];
    if (name?.toLowerCase() === key.toLowerCase() && !(lines[at] ?? '').endsWith('\\')) return at;
  }
  return null;
}

function printHeading({ section, subsection }: ConfigValue): string {
  return subsection === null ? `[${section}]` : `[${section} "${subsection.replaceAll(/["\\]/g, '\\$&')}"]`;
}

/** Quoted where blanks at the ends or a comment sign would be lost. */
function printValue(value: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return /^\s|\s$|[;#"\\]/.test(value) ? `"${escaped}"` : escaped;
}
