// Lines of a text: where they end, which number they have, which of them are blank.

/**
 * The text with every lone CR, which ends a line in YAML and in Markdown alike, turned into LF. Same length: offsets
 * hold for both.
 */
export function withoutLoneCr(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/** The number, from 1, of the line that holds `offset`. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** `text` without leading and trailing blank lines; indentation of the first line and blanks after the last stay. */
export function trimBlankLines(text: string): string {
  let start = 0;
  let end = text.length;
  for (let i = 0; i < end && isBlank(text.charCodeAt(i)); i++) if (text.charCodeAt(i) === LF) start = i + 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  if (end <= start) return '';
  const lineEnd = text.indexOf('\n', end);
  return text.slice(start, lineEnd === -1 ? text.length : lineEnd);
}

const LF = 0x0a;

/** Blank, tab, line feed: the only characters that make no text of a line in CommonMark. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === LF;
}
