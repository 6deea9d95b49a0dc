// Text to index terms: lower case, Snowball stems, no stop words; identifiers whole and split (`PAY-1041`, `getUserById`);
// scripts without spaces as bigrams. Documents and questions go through the same function, so that they meet.
// Invariant: the same text always gives the same terms; a change of that raises TOKENIZER_VERSION.
// oxlint-disable-next-line typescript/triple-slash-reference -- an ambient declaration cannot be imported
/// <reference path="./stopword.d.ts" />
import stemmers from 'snowball-stemmers';
import { eng } from 'stopword';

/** Stored in snapshots: terms of another version are never searched. */
export const TOKENIZER_VERSION = 2;

/** One word of a text. */
export interface Word {
  /** The term of the word as a whole: stemmed unless it is an identifier. */
  readonly term: string;
  /** The terms of its parts, for an identifier or compound; empty otherwise. */
  readonly parts: readonly string[];
}

// Letters and digits joined by single connectors: `react.js`, `PAY-1041`, `src/app.ts`, `a@b.org`; then `C++`, `C#`.
const WORD =
  /[\p{L}\p{M}\p{N}]+(?:[._\-/:@'’&,][\p{L}\p{M}\p{N}]+|_+(?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}]+)*(?:[+#]{1,2}(?![\p{L}\p{N}]))?/gu;
// Scripts that put no spaces between words; a run of them is cut into bigrams.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const HAS_UNSPACED = new RegExp(UNSPACED.source, 'u');
const LATIN = /\p{Script=Latin}/u;
const CLITIC = /['’](?:s|re|ve|ll|d|m|t)$/u;
const CONNECTOR = /[._\-/:@'’&,]+/u;
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

// What is left of "don't", "isn't" and their like once the clitic is off, and what only chat has.
const CLIPPED = [
  'don',
  'doesn',
  'didn',
  'isn',
  'aren',
  'wasn',
  'weren',
  'won',
  'wouldn',
  'couldn',
  'shouldn',
  'hasn',
  'haven',
  'hadn',
  'ain',
];
const STOP_WORDS: ReadonlySet<string> = new Set([...eng, ...CLIPPED]);

const english = stemmers.newStemmer('english');
const stemOf = new Map<string, string>();

/** The words of a text in order; stop words are left out. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const [raw] of text.normalize('NFKC').matchAll(WORD)) {
    if (HAS_UNSPACED.test(raw)) addUnspaced(raw, words);
    else addWord(raw, words);
  }
  return words;
}

/** The terms of a text with the number of times that each occurs, wholes and parts alike. */
export function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { term, parts } of wordsOf(text)) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return counts;
}

function addWord(raw: string, words: Word[]): void {
  const bare = raw.replace(CLITIC, '');
  const pieces = bare
    .split(CONNECTOR)
    .flatMap((piece) => piece.split(CAMEL))
    .filter((piece) => piece !== '');
  if (pieces.length === 1) {
    const term = simpleTerm(bare.toLowerCase());
    if (term !== null) words.push({ term, parts: [] });
    return;
  }
  const parts = pieces
    .map((piece) => (piece.length < 2 ? null : simpleTerm(piece.toLowerCase())))
    .filter((term) => term !== null);
  const lower = bare.toLowerCase().replaceAll('’', "'");
  // "ReactJS" and "REACTJS" are one word: only what is joined by connectors is kept as it is written.
  words.push({ term: CONNECTOR.test(lower) ? lower : (simpleTerm(lower) ?? lower), parts });
}

function addUnspaced(raw: string, words: Word[]): void {
  let end = 0;
  for (const match of raw.matchAll(UNSPACED)) {
    if (match.index > end) addWord(raw.slice(end, match.index), words);
    end = match.index + match[0].length;
    const characters = Array.from(match[0]);
    if (characters.length === 1) words.push({ term: match[0], parts: [] });
    for (let i = 0; i + 1 < characters.length; i++) {
      words.push({ term: `${characters[i]}${characters[i + 1]}`, parts: [] });
    }
  }
  if (end < raw.length) addWord(raw.slice(end), words);
}

function simpleTerm(lower: string): string | null {
  if (STOP_WORDS.has(lower)) return null;
  let stem = stemOf.get(lower);
  if (stem === undefined) {
    stem = english.stem(lower);
    // Marks go after stemming, which knows them: "Zürich" and "Zurich" then meet. In other scripts they are letters.
    if (LATIN.test(stem)) stem = stem.normalize('NFD').replaceAll(/\p{M}/gu, '');
    if (stemOf.size > 200_000) stemOf.clear();
    stemOf.set(lower, stem);
  }
  return stem;
}
