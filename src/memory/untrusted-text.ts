// Makes text that others wrote safe to stand between the fences of an answer: what hides, reorders or imitates the
// frame is shown instead of done. Invariant: the result holds no invisible character, and neutralising it again
// changes nothing.

/** `one-line`: line ends become ` ⏎ `; `many-lines`: they become `\n`, and tabs stay. */
export type Lines = 'one-line' | 'many-lines';

// Zero-width characters that writing needs: joiners between letters of joining scripts and inside emoji, one variation
// selector after an emoji or a Han character. Anywhere else they carry what the reader does not see.
const JOINING =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Khmer}\\p{Script=Mongolian}]';
const NEEDED = [
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
  '(?<=\\p{Emoji}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
].join('|');
// Cc, Cf and their like, but for the Arabic and Syriac number signs, which are Cf and can be seen, and for the emoji of
// later Unicode versions, which are Cn here.
const HIDDEN =
  '(?:(?![\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\n\\t]|\\p{Extended_Pictographic})' +
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}])';
const HIDDEN_RUN = new RegExp(`(${NEEDED})|((?:(?!${NEEDED})${HIDDEN})+)`, 'gu');

// Tags that a host or stet itself might frame messages with, by the words in their names: `</stored-facts>`,
// `<system-reminder>`. Ordinary markup (`<div>`, `<MemoryRouter>`) is left alone, for it is quoted in memories.
const FRAME_WORDS =
  'stet|stored|facts?|instructions?|memory|memories|system|assistant|human|tools?|functions?|results?|reminder|nonce';
const FRAME_TAG = new RegExp(
  `[<＜﹤]((?:\\s*/\\s*)?(?:[a-z0-9.]+[-_:])*(?:${FRAME_WORDS})(?:[-_:][a-z0-9.]+)*(?=[\\s>＞﹥/]|$)[^<>＜＞﹤﹥\\n]*)([>＞﹥]?)`,
  'giu',
);
const CHAT_TOKEN = /[<＜﹤]\|([^|<>\n]{0,60})\|[>＞﹥]|\[(\/?(?:INST|SYS))\]|<<(\/?SYS)>>/giu;
const RULED_LINE = /^[ \t]*[-=*#_~<>«»‹›]{3}.*$/gmu;
const RULER = /[-=*#_~<>«»‹›]{3,}/gu;
const FRAME_END = new RegExp(`\\b(?:begin|start|end|stop|${FRAME_WORDS})\\b`, 'iu');

/**
 * Text with nothing hidden in it: controls, bidi marks, zero-width, tag and unassigned characters are written out as
 * `[U+202E]` (a run of more than three as `[U+E0041 and 36 more hidden characters]`), and what looks like a fence or a
 * chat template's token loses its brackets (`‹/stored-facts›`) or its ruler (`··· end of facts ···`).
 */
export function neutralise(text: string, lines: Lines = 'one-line'): string {
  const broken = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n');
  return writeOut(lines === 'one-line' ? broken.replaceAll('\t', ' ').replaceAll('\n', ' ⏎ ') : broken)
    .replace(CHAT_TOKEN, (_, token?: string, inst?: string, sys?: string) => `‹${token ?? inst ?? sys ?? ''}›`)
    .replace(FRAME_TAG, (_, tag: string, close: string) => `‹${tag}${close === '' ? '' : '›'}`)
    .replace(RULED_LINE, (line) =>
      FRAME_END.test(line) ? line.replace(RULER, (ruler) => '·'.repeat(ruler.length)) : line,
    );
}

/**
 * Any text that goes to a terminal, with the same written out, and nothing else changed but `\r\n`: no name of a file and no
 * message of another program moves the cursor, colours or hides anything.
 */
export function showHidden(text: string): string {
  return writeOut(text.replace(/\r+(?=\n|$)/g, ''));
}

function writeOut(text: string): string {
  return text.replace(
    HIDDEN_RUN,
    (_, needed: string | undefined, run: string | undefined) => needed ?? describeHidden(run ?? ''),
  );
}

function describeHidden(run: string): string {
  const numbers = Array.from(
    run,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const [first = '', ...more] = numbers;
  if (more.length < 3) return numbers.map((number) => `[${number}]`).join('');
  return `[${first} and ${more.length} more hidden characters]`;
}
