// The patterns of .gitignore and .gitattributes (gitignore, "PATTERN FORMAT"; git's wildmatch.c).
// Invariant: a pattern that git would not understand matches nothing here.
import { toByteString } from './tree.ts';

export interface GitPattern {
  /** A leading `!`: what matches is taken back. */
  readonly isNegated: boolean;
  /** A trailing `/`: only folders match. */
  readonly isFolderOnly: boolean;
  /** Whether a path matches, relative to the folder of the pattern's file. */
  readonly matches: (path: string) => boolean;
}

/** A pattern without its escapes for blanks and comments undone is given as it stands on its line. */
export function compilePattern(text: string, options: { ignoreCase: boolean }): GitPattern | null {
  const isNegated = text.startsWith('!');
  let glob = isNegated ? text.slice(1) : text;
  const isFolderOnly = glob.endsWith('/');
  if (isFolderOnly) glob = glob.slice(0, -1);
  if (glob === '') return null;
  const isAnchored = glob.includes('/');
  if (glob.startsWith('/')) glob = glob.slice(1);
  const source = translate(fold(glob, options.ignoreCase), isAnchored);
  if (source === null) return null;
  const expression = new RegExp(`^${source}$`, 's');
  const matches = (path: string): boolean => {
    const subject = fold(isAnchored ? path : path.slice(path.lastIndexOf('/') + 1), options.ignoreCase);
    return expression.test(subject);
  };
  return { isNegated, isFolderOnly, matches };
}

/** The bytes, one a character, for git compares bytes: a `?` is one of the two of an `é`. Only ASCII has cases. */
function fold(text: string, ignoreCase: boolean): string {
  const bytes = toByteString(text);
  if (!ignoreCase) return bytes;
  return bytes.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()).replaceAll('[:upper:]', '[:alpha:]');
}

/** A regular expression's source for a glob; null when it ends within a class or an escape. */
function translate(glob: string, isAnchored: boolean): string | null {
  let source = '';
  // git compares what stands before the first special character by itself, so that `a**/b` means `a` and then `**/b`.
  const plain = glob.search(/[*?[\\]/);
  for (let at = 0; at < glob.length;) {
    const char = glob[at] ?? '';
    if (char === '*') {
      const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 1;
      const before = at === 0 || at === plain || glob[at - 1] === '/';
      const after = glob[at + stars];
      at += stars;
      if (!isAnchored || stars < 2 || !before || (after !== undefined && after !== '/')) source += '[^/]*';
      else if (after === undefined) source += '.*';
      else {
        source += '(?:.*/)?';
        at++;
      }
    } else if (char === '?') {
      source += '[^/]';
      at++;
    } else if (char === '[') {
      const end = endOfClass(glob, at);
      const inner = end === null ? null : translateClass(glob.slice(at + 1, end));
      if (end === null || inner === null) return null;
      source += inner;
      at = end + 1;
    } else {
      const literal = char === '\\' ? glob[at + 1] : char;
      if (literal === undefined) return null;
      source += escape(literal);
      at += char === '\\' ? 2 : 1;
    }
  }
  return source;
}

/** The `]` that closes the class opened at `start`; a first `]` stands for itself. */
function endOfClass(glob: string, start: number): number | null {
  let at = start + 1;
  if (glob[at] === '!' || glob[at] === '^') at++;
  if (glob[at] === ']') at++;
  for (; at < glob.length; at++) {
    if (glob[at] === '\\') at++;
    else if (glob.startsWith('[:', at)) {
      const close = glob.indexOf(':]', at + 2);
      if (close > 0) at = close + 1;
    } else if (glob[at] === ']') return at;
  }
  return null;
}

function translateClass(text: string): string | null {
  const isNegated = text.startsWith('!') || text.startsWith('^');
  const members = isNegated ? text.slice(1) : text;
  let source = '';
  for (let at = 0; at < members.length;) {
    const named = /^\[:(\w+):\]/.exec(members.slice(at));
    if (named !== null) {
      const known = NAMED_CLASSES[named[1] ?? ''];
      if (known === undefined) return null;
      source += known;
      at += named[0].length;
    } else if (members[at] === '\\' && at + 1 < members.length) {
      source += escapeInClass(members[at + 1] ?? '');
      at += 2;
    } else if (members[at] === '-' && at > 0 && at + 1 < members.length) {
      source += '-';
      at++;
    } else {
      source += escapeInClass(members[at] ?? '');
      at++;
    }
  }
  const whole = `(?!/)[${isNegated ? '^' : ''}${source}]`;
  return isExpression(whole) ? whole : null;
}

/** A range whose ends are the wrong way round is an error in a regular expression, and nothing in a glob. */
function isExpression(source: string): boolean {
  try {
    return new RegExp(source).source !== '';
  } catch {
    return false;
  }
}

const NAMED_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

function escape(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function escapeInClass(char: string): string {
  return /[\\^\-[\]/]/.test(char) ? `\\${char}` : char;
}
