// Markdown as the blocks that can stand as statements: paragraphs and list entries, each with what it needs to be
// understood alone. Invariant: every line that says something is in exactly one block, but headings and lead-ins, which
// are in front of each block that they speak of.

export interface MarkdownBlock {
  /** With its heading or lead-in in front (`Style: use two blanks`), and the code and sub-entries that belong to it. */
  readonly text: string;
  /** The line that it begins on, from 1. */
  readonly line: number;
}

const BLANK = /^\s*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
/** A quote, and the kind of callout that it may begin with. */
const QUOTE = /^(?:\s*>)+[ \t]?(?:\[![\w-]+\][+-]?[ \t]*)?/;
const ENTRY = /^(\s*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/;

interface OpenBlock {
  readonly line: number;
  readonly type: 'paragraph' | 'entry' | 'code';
  readonly lines: string[];
  /** Columns before an entry's mark. */
  readonly indent: number;
  readonly context: string | null;
}

/** The blocks of a text with `\n` line ends. Comments of HTML are nobody's statement. */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const reader = new BlockReader();
  const lines = text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, '')).split('\n');
  for (const [place, line] of lines.entries()) reader.take(line, place + 1);
  return reader.finish();
}

class BlockReader {
  readonly #blocks: MarkdownBlock[] = [];
  #open: OpenBlock | null = null;
  /** The paragraph that ends with a colon and speaks of the list or code below it. */
  #leadIn: OpenBlock | null = null;
  #heading: string | null = null;
  /** The mark that closes the code in which the reader is. */
  #fence: RegExp | null = null;
  #wasBlank = false;

  take(given: string, number: number): void {
    if (this.#fence) {
      this.#open?.lines.push(given);
      if (this.#fence.test(given)) this.#fence = null;
      return;
    }
    const line = given.replace(QUOTE, '');
    const wasBlank = this.#wasBlank;
    this.#wasBlank = BLANK.test(line);
    const heading = HEADING.exec(line);
    const fence = FENCE.exec(line)?.[1];
    const entry = ENTRY.exec(line);
    if (this.#wasBlank) return;
    if (heading) this.#takeHeading(heading[1] ?? '', heading[2] ?? '');
    else if (RULE.test(line)) this.#close();
    else if (fence !== undefined) this.#takeFence(line, number, fence);
    else if (entry) this.#takeEntry(line, number, entry);
    else this.#takeText(line, number, wasBlank);
  }

  finish(): readonly MarkdownBlock[] {
    this.#close();
    return this.#blocks;
  }

  /** The title of a file says what all of it is about, and so nothing of one statement. */
  #takeHeading(marks: string, text: string): void {
    this.#close();
    this.#heading = marks.length === 1 ? null : text.trim();
  }

  #takeFence(line: string, number: number, fence: string): void {
    this.#fence = new RegExp(`^\\s*${fence[0]}{${fence.length},}[ \\t]*$`);
    const above = this.#open;
    this.#open = above ?? this.#begin('code', number, 0);
    if (above !== null && above.type !== 'entry') this.#open.lines.push('');
    this.#open.lines.push(line);
  }

  #takeEntry(line: string, number: number, match: RegExpExecArray): void {
    const indent = columns(match[1] ?? '');
    if (this.#open?.type === 'entry' && indent > this.#open.indent) {
      this.#open.lines.push(line);
      return;
    }
    if (this.#open?.type === 'paragraph' && /[:：]\s*$/.test(this.#open.lines.at(-1) ?? '')) {
      this.#leadIn = this.#open;
      this.#open = null;
    }
    const leadIn = this.#leadIn;
    this.#emitOpen();
    this.#leadIn = leadIn;
    this.#open = this.#begin('entry', number, indent);
    this.#open.lines.push(line.slice(match[0].length));
  }

  #takeText(line: string, number: number, wasBlank: boolean): void {
    const open = this.#open;
    const indent = columns(/^\s*/.exec(line)?.[0] ?? '');
    const continues = open?.type === 'entry' ? !wasBlank || indent > open.indent : open !== null && !wasBlank;
    if (open !== null && continues) {
      open.lines.push(line);
      return;
    }
    this.#close();
    this.#open = this.#begin('paragraph', number, 0);
    this.#open.lines.push(line);
  }

  #begin(type: OpenBlock['type'], line: number, indent: number): OpenBlock {
    const leadIn = this.#leadIn === null ? null : textOf(this.#leadIn);
    const heading = this.#heading;
    const parts = type === 'entry' && leadIn !== null ? [heading, leadIn] : [heading];
    const context = parts.filter((part) => part !== null && part !== '').map((part) => part?.replace(/[\s:：]+$/, ''));
    return { line, type, lines: [], indent, context: context.length === 0 ? null : context.join(': ') };
  }

  #close(): void {
    this.#emitOpen();
    this.#leadIn = null;
  }

  #emitOpen(): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    const text = textOf(open);
    if (text === '') return;
    const between = open.type === 'code' ? ':\n\n' : ': ';
    this.#blocks.push({ text: open.context === null ? text : `${open.context}${between}${text}`, line: open.line });
  }
}

/** A paragraph on one line; what has a shape of its own (sub-entries, tables, code) keeps its lines. */
function textOf({ lines }: OpenBlock): string {
  const shaped = lines.findIndex((line) => FENCE.test(line) || ENTRY.test(line) || /^\s*\|/.test(line));
  const flowing = (shaped === -1 ? lines : lines.slice(0, shaped)).join('\n');
  const first = flowing
    .replace(/\\?\n\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (shaped === -1) return first;
  const rest = lines.slice(shaped);
  const margin = Math.min(
    ...rest.filter((line) => !BLANK.test(line)).map((line) => /^\s*/.exec(line)?.[0].length ?? 0),
  );
  const kept = rest.map((line) => line.slice(margin).trimEnd()).join('\n');
  const gap = /^\s*\|/.test(rest[0] ?? '') || FENCE.test(rest[0] ?? '') ? '\n\n' : '\n';
  return first === '' ? kept : `${first}${gap}${kept}`;
}

function columns(blanks: string): number {
  return blanks.replaceAll('\t', '    ').length;
}
