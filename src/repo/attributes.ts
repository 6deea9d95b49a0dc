// What .gitattributes say about a path (gitattributes). Invariant: later lines win over earlier ones, nearer files over
// farther ones, `.git/info/attributes` over all.
import { join } from 'node:path';
import { compilePattern, type GitPattern } from './git-pattern.ts';
import { foldersAbove, RuleFiles } from './rule-files.ts';

/** Set, unset or a value; an attribute that is not in the map is unspecified. */
export type AttributeValue = true | false | string;

export interface AttributesOptions {
  readonly root: string;
  readonly gitFolder: string;
  /** `core.attributesFile`, or its default. */
  readonly userFile: string;
  readonly ignoreCase: boolean;
}

type Assignment = readonly [name: string, value: AttributeValue | null];

interface AttributeRule {
  /** A macro's name, or the paths that are meant. */
  readonly target: { macro: string } | GitPattern;
  readonly assignments: readonly Assignment[];
}

export class Attributes {
  readonly #options: AttributesOptions;
  readonly #files: RuleFiles<AttributeRule>;

  constructor(options: AttributesOptions) {
    this.#options = options;
    this.#files = new RuleFiles((text) => parseAttributesFile(text, options));
  }

  of(path: string): ReadonlyMap<string, AttributeValue> {
    const sources = this.#sourcesFor(path);
    const macros = new Map<string, readonly Assignment[]>([['binary', BINARY]]);
    for (const { rules, mayDefineMacros } of sources) {
      for (const { target, assignments } of rules) {
        if (mayDefineMacros && 'macro' in target) macros.set(target.macro, assignments);
      }
    }
    // From the strongest voice to the weakest, as a macro that is overruled sets nothing.
    const decided = new Map<string, AttributeValue | null>();
    for (const { rules, relative } of sources.toReversed()) {
      for (const { target, assignments } of rules.toReversed()) {
        if ('macro' in target || target.isFolderOnly || !target.matches(relative)) continue;
        decide(decided, assignments, macros);
      }
    }
    return new Map([...decided].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
  }

  /** From the weakest voice to the strongest. */
  #sourcesFor(path: string): Source[] {
    const { root, gitFolder, userFile } = this.#options;
    const outside = (file: string): Source => ({
      rules: this.#files.read(file, { followsLinks: true }),
      relative: path,
      mayDefineMacros: true,
    });
    const inside = (folder: string): Source => ({
      rules: this.#files.read(join(root, folder, '.gitattributes'), { followsLinks: false }),
      relative: folder === '' ? path : path.slice(folder.length + 1),
      mayDefineMacros: folder === '',
    });
    return [outside(userFile), ...foldersAbove(path).map(inside), outside(join(gitFolder, 'info', 'attributes'))];
  }
}

interface Source {
  readonly rules: readonly AttributeRule[];
  /** The path as seen from the folder of the file. */
  readonly relative: string;
  readonly mayDefineMacros: boolean;
}

const BINARY: readonly Assignment[] = [
  ['diff', false],
  ['merge', false],
  ['text', false],
];

function decide(
  decided: Map<string, AttributeValue | null>,
  assignments: readonly Assignment[],
  macros: ReadonlyMap<string, readonly Assignment[]>,
): void {
  for (const [name, value] of assignments.toReversed()) {
    if (decided.has(name)) continue;
    decided.set(name, value);
    const macro = value === true ? macros.get(name) : undefined;
    if (macro !== undefined) decide(decided, macro, macros);
  }
}

function parseAttributesFile(text: string, options: { ignoreCase: boolean }): AttributeRule[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line) => parseLine(line.trim(), options) ?? []);
}

function parseLine(line: string, options: { ignoreCase: boolean }): AttributeRule | null {
  if (line === '' || line.startsWith('#')) return null;
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*(.*)$/s.exec(line);
  const plain = /^(\S+)\s*(.*)$/s.exec(line);
  const subject = quoted === null ? (plain?.[1] ?? '') : unquote(quoted[1] ?? '');
  const assignments = ((quoted ?? plain)?.[2] ?? '').split(/\s+/).filter(Boolean).map(parseAssignment);
  const macro = quoted === null ? /^\[attr\](.+)$/.exec(subject)?.[1] : undefined;
  if (macro !== undefined) return { target: { macro }, assignments };
  // git forbids them here.
  if (subject.startsWith('!')) return null;
  const pattern = compilePattern(subject, options);
  return pattern === null ? null : { target: pattern, assignments };
}

function parseAssignment(text: string): Assignment {
  if (text.startsWith('-')) return [text.slice(1), false];
  if (text.startsWith('!')) return [text.slice(1), null];
  const equals = text.indexOf('=');
  return equals < 0 ? [text, true] : [text.slice(0, equals), text.slice(equals + 1)];
}

/** C-style quotes, as git prints unusual paths. */
function unquote(text: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' };
  const bytes = text.replaceAll(
    /\\([0-7]{3}|.)|([^\\]+)/gs,
    (_, escaped: string | undefined, rest: string | undefined) => {
      if (escaped === undefined) return Buffer.from(rest ?? '', 'utf8').toString('latin1');
      if (/^[0-7]{3}$/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
      return named[escaped] ?? Buffer.from(escaped, 'utf8').toString('latin1');
    },
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
