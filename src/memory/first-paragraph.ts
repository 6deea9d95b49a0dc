// The statement of an item: what a list shows of its body. Invariant: one line, never empty unless the body is blank.

/**
 * The first paragraph on one line, without the marks of headings, lists, tasks and quotes. Where the first text is a
 * list, its first entry with the heading above it in front; where there is no text but headings, code, tables or
 * images, the first heading, else the first line that says anything. Inline Markdown stays as it is.
 *
 * `body` has `\n` line ends. Blocks are told apart as CommonMark does, without nesting.
 */
export function statementOf(body: string): string {
  return paragraphOf(body) ?? headingOf(body) ?? firstLineOf(body);
}

/** The first heading before any text, or null: what a note without a title key calls itself. */
export function headingOf(body: string): string | null {
  for (const block of blocksOf(body)) {
    if (block.type === 'heading') return block.text;
    if (block.type === 'paragraph' || block.type === 'entry') return null;
  }
  return null;
}

function paragraphOf(body: string): string | null {
  let heading: string | null = null;
  for (const { type, text } of blocksOf(body)) {
    if (type === 'heading') heading = text;
    else if (type === 'paragraph') return text;
    else if (type === 'entry') return heading === null ? text : `${heading.replace(/[:：]$/, '')}: ${text}`;
  }
  return null;
}

interface Block {
  readonly type: 'heading' | 'paragraph' | 'entry' | 'other';
  readonly text: string;
}

const BLANK = /^\s*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}(?=[ \t]|$)/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const QUOTE = /^ {0,3}(?:>[ \t]?)+/;
const CALLOUT = /^\[![\w-]+\][+-]?[ \t]*/;
const ENTRY = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const TABLE = /^\s*\|/;
const COMMENT = /^ {0,3}(?:<!--|%%)/;
const IMAGES = /^\s*(?:!\[\[[^\]]*\]\]|!\[[^\]]*\]\([^)]*\)|\s)+$/;

/** The blocks of a body, as far as they are asked for: long notes are not read to their end. */
function* blocksOf(body: string): Generator<Block> {
  const lines = linesOf(body);
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (BLANK.test(line) || RULE.test(line)) continue;
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      lines.skipPast((candidate) => new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`).test(candidate));
      continue;
    }
    if (COMMENT.test(line)) {
      const [start, end] = line.trimStart().startsWith('%%') ? ['%%', '%%'] : ['<!--', '-->'];
      if (!line.slice(line.indexOf(start) + start.length).includes(end)) lines.skipPast((other) => other.includes(end));
      continue;
    }
    if (ATX.test(line)) {
      const text = withoutClosingHashes(oneLine(line.replace(ATX, '')));
      if (text !== '') yield { type: 'heading', text };
      continue;
    }
    if (TABLE.test(line) || IMAGES.test(line)) continue;
    yield textBlock(line, lines);
  }
}

/** A paragraph, quote, list entry or setext heading that begins with `line`; takes its further lines. */
function textBlock(line: string, lines: Lines): Block {
  const quoted = QUOTE.test(line);
  const bare = (text: string) => (quoted ? text.replace(QUOTE, '') : text);
  const first = bare(line).replace(CALLOUT, '');
  const entry = ENTRY.test(first);
  const parts = [first.replace(ENTRY, '')];
  for (let next = lines.peek(); next !== null; next = lines.peek()) {
    const text = bare(next);
    if (!quoted && !entry && SETEXT.test(text)) {
      lines.next();
      const text = oneLine(parts.join('\n'));
      return { type: text === '' ? 'other' : 'heading', text };
    }
    if (BLANK.test(text) || ATX.test(text) || FENCE.test(text) || RULE.test(text) || ENTRY.test(text)) break;
    if (!quoted && QUOTE.test(text)) break;
    parts.push(text);
    lines.next();
  }
  const text = oneLine(parts.join('\n'));
  return { type: text === '' ? 'other' : entry ? 'entry' : 'paragraph', text };
}

/** `Title ##` is `Title`, `C#` is `C#`. Not by a pattern: on a long run of blanks those take quadratic time. */
function withoutClosingHashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text;
}

/** Lines folded to one: hard breaks (`\` or blanks at a line's end) and runs of white space become one blank. */
function oneLine(text: string): string {
  return text.replace(/\\?\n/g, ' ').replace(/\s+/g, ' ').trim();
}

function firstLineOf(body: string): string {
  for (const line of body.split('\n')) {
    const text = oneLine(line);
    if (text !== '' && !FENCE.test(line) && !RULE.test(line)) return text;
  }
  return oneLine(body);
}

interface Lines {
  next(): string | null;
  peek(): string | null;
  /** Takes lines up to and with the first that `isLast` accepts. */
  skipPast(isLast: (line: string) => boolean): void;
}

function linesOf(text: string): Lines {
  let at = 0;
  const end = () => {
    const lineEnd = text.indexOf('\n', at);
    return lineEnd === -1 ? text.length : lineEnd;
  };
  const peek = () => (at > text.length ? null : text.slice(at, end()));
  const next = () => {
    const line = peek();
    at = end() + 1;
    return line;
  };
  return {
    next,
    peek,
    skipPast(isLast) {
      for (let line = next(); line !== null && !isLast(line); line = next());
    },
  };
}
