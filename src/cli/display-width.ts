// How many columns of a terminal a text takes, and where it may be cut and broken. Invariant: what a reader sees as one
// character is never torn apart.

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** East Asian wide and full-width characters and emoji take two columns (Unicode TR11, the ranges that occur in text). */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])|\ufe0f/u;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += widthOf(segment);
  return width;
}

function widthOf(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The text, or as much of it as fits with an `…` behind it. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export interface WrapOptions {
  /** Columns of a line. */
  readonly width: number;
  /** By how much the lines after the first are shorter. */
  readonly hang?: number;
  /**
   * A word that is too long for a line: `break` breaks it anywhere, `keep` only where its language has no blanks between words
   * (Chinese, Japanese), so that a path or an address can be copied.
   */
  readonly longWords: 'break' | 'keep';
}

/** The text in lines, broken at blanks; what stands in backquotes stays together where a line can hold it. */
export function wrap(text: string, { width, hang = 0, longWords }: WrapOptions): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const room = (): number => (lines.length === 0 ? width : width - hang);
  const add = (blanks: string, word: string): void => {
    if (line !== '' && displayWidth(line + blanks + word) <= room()) {
      line += blanks + word;
      return;
    }
    if (line !== '') lines.push(line);
    line = word;
    if (longWords === 'keep' && !hasWide(word)) return;
    while (displayWidth(line) > room()) {
      const piece = beginning(line, room());
      lines.push(piece);
      line = line.slice(piece.length);
    }
  };
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)(`[^`]*`[^ ]*|[^ ]+)/g)) {
    if (displayWidth(word) <= width - hang) add(blanks, word);
    else for (const [at, part] of word.split(' ').entries()) add(at === 0 ? blanks : ' ', part);
  }
  return [...lines, line];
}

function hasWide(text: string): boolean {
  return Array.from(GRAPHEMES.segment(text)).some(({ segment }) => WIDE.test(segment));
}

/** As many characters as fit, one at least. */
function beginning(text: string, width: number): string {
  let [kept, used] = ['', 0];
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += widthOf(segment);
    if (kept !== '' && used > width) break;
    kept += segment;
  }
  return kept;
}
