// What stands in a statement as itself and says nothing: code, quotations, addresses, command-line flags.
// Invariant: masking keeps the length, so that an offset into the masked text is one into the text.

const LITERALS = [
  /```[\s\S]*?(?:```|$)/gu,
  /`[^`\n]*`/gu,
  /"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|‹[^›\n]*›|「[^」\n]*」|『[^』\n]*』|《[^》\n]*》/gu,
  /(?<![\p{L}\p{N}])['‘][^'’\n]{1,200}['’](?![\p{L}\p{N}])/gu,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>]*[^\s<>.,;:!?)\]}'"]/giu,
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]*[\p{L}\p{N}]/gu,
  // A flag with its value (`--since yesterday`, `-d tomorrow`): not a dash between words.
  /(?<=^|[\s(])--?[A-Za-z][\w-]*(?:[= ][^\s,;]*[^\s,;.!?])?/gu,
];

/** What literals become: not a letter, not white space. */
const MASK = '\ufffc';

/** The text with every character of a literal replaced by U+FFFC. */
export function maskLiterals(text: string): string {
  return LITERALS.reduce((masked, literal) => masked.replace(literal, (match) => MASK.repeat(match.length)), text);
}
