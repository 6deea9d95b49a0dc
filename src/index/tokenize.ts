// Text to index terms: lower case, Snowball stems, no stop words; identifiers whole and split (`PAY-1041`, `getUserById`);
// scripts without spaces as bigrams. Documents and questions go through the same function, so that they meet.
// Invariant: the same text always gives the same terms; a change of that raises TOKENIZER_VERSION.
import stemmers from 'snowball-stemmers';
import { detectLanguage, LANGUAGES, stopWordsOf, type LanguageCode } from './language.ts';
import { stemPolish } from './polish-stem.ts';

/** Stored in snapshots: terms of another version are never searched. */
export const TOKENIZER_VERSION = 6;

/** One word of a text. */
export interface Word {
  /** The term of the word as a whole: stemmed unless it is an identifier. */
  readonly term: string;
  /** The terms of its parts, for an identifier or compound; empty otherwise. */
  readonly parts: readonly string[];
  /** As it stands in the text, in lower case. */
  readonly lower: string;
}

// Letters and digits joined by single connectors: `react.js`, `PAY-1041`, `src/app.ts`, `a@b.org`; then `C++`, `C#`.
const WORD =
  /[\p{L}\p{M}\p{N}]+(?:[._\-/:@'’&,][\p{L}\p{M}\p{N}]+|_+(?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}]+)*(?:[+#]{1,2}(?![\p{L}\p{N}]))?/gu;
// Scripts that put no spaces between words; a run of them is cut into bigrams.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
// Korean endings that only say that a sentence ends, or asks, politely: as bigrams they would be common to all of them.
const POLITE_ENDING = /(?<=\p{Script=Hangul}{2})(?:입니다|입니까|습니다|습니까|합니다|합니까|하나요|인가요|나요)$/u;
const HAS_UNSPACED = new RegExp(UNSPACED.source, 'u');
const LATIN = /\p{Script=Latin}/u;
// Letters that are no mark on another one, and are written without by whoever lacks the key.
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' };
const NOT_PLAIN = /[łøđıæœ]/gu;
const CLITIC = /['’](?:s|re|ve|ll|d|m|t)$/u;
// Articles, pronouns and prepositions that lose their vowel, and stand in one with the next word.
const ELISIONS: Partial<Record<LanguageCode, RegExp>> = {
  fr: /^(?:[cdjlmnst]|(?:lors|puis|jus|quel|quoi)?qu)['’](?=\p{L})/iu,
  it: /^(?:[cdlmstv]|un|all|dall|dell|nell|sull|quest|quell|dov|com)['’](?=\p{L})/iu,
};
const CONNECTOR = /[._\-/:@'’&,]+/u;
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

// What is left of "don't", "isn't" and their like once the clitic is off.
const CLIPPED = 'don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain'.split(' ');

interface Stems {
  readonly stopWords: ReadonlySet<string>;
  readonly stemmer: { stem(word: string): string };
  readonly known: Map<string, string>;
}

const stemsOf = new Map<LanguageCode, Stems>();
/** Stems that are remembered a language; then it begins again. */
const STEMS_KEPT = 200_000;

/** The words of a text in order; stop words of its language are left out. */
export function wordsOf(text: string, language: LanguageCode = detectLanguage(text)): Word[] {
  const words: Word[] = [];
  for (const [raw] of oneSpelling(text).matchAll(WORD)) {
    if (HAS_UNSPACED.test(raw)) addUnspaced(raw, language, words);
    else addWord(raw, language, words);
  }
  return words;
}

/** Widths, ligatures and composed letters in one way; and Russian is written with ё or, mostly, without. */
function oneSpelling(text: string): string {
  return text.normalize('NFKC').replaceAll('ё', 'е').replaceAll('Ё', 'Е');
}

/** The terms of a text with the number of times that each occurs, wholes and parts alike. */
export function countTerms(text: string, language: LanguageCode = detectLanguage(text)): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { term, parts } of wordsOf(text, language)) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return counts;
}

/** The term that stands for a tag as a whole; no word of a text gives it. */
export function tagTerm(words: readonly Word[]): string {
  return `#${words.flatMap(({ term, parts }) => (CONNECTOR.test(term) ? parts : [term])).join(' ')}`;
}

function addWord(raw: string, language: LanguageCode, words: Word[]): void {
  const elision = ELISIONS[language];
  const whole = elision === undefined ? raw : raw.replace(elision, '');
  const bare = whole.replace(CLITIC, '');
  const pieces = bare
    .split(CONNECTOR)
    .flatMap((piece) => piece.split(CAMEL))
    .filter((piece) => piece !== '');
  if (pieces.length === 1) {
    const lower = lowerCase(bare, language);
    const term = stemWord(lower, language);
    if (term !== null) words.push({ term, parts: [], lower });
    return;
  }
  const parts = pieces
    .map((piece) => (piece.length < 2 ? null : stemWord(lowerCase(piece, language), language)))
    .filter((term) => term !== null);
  const lower = lowerCase(bare, language).replaceAll('’', "'");
  // "ReactJS" and "REACTJS" are one word: only what is joined by connectors is kept as it is written.
  words.push({ term: CONNECTOR.test(lower) ? lower : (stemWord(lower, language) ?? lower), parts, lower });
}

/** Turkish has an I without a dot, and an İ with one, and so two in lower case. */
function lowerCase(text: string, language: LanguageCode): string {
  return language === 'tr' ? text.toLocaleLowerCase('tr') : text.toLowerCase();
}

function addUnspaced(raw: string, language: LanguageCode, words: Word[]): void {
  let end = 0;
  for (const match of raw.matchAll(UNSPACED)) {
    if (match.index > end) addWord(raw.slice(end, match.index), language, words);
    end = match.index + match[0].length;
    const characters = Array.from(match[0].replace(POLITE_ENDING, ''));
    if (characters.length === 1) words.push({ term: match[0], parts: [], lower: match[0] });
    for (let i = 0; i + 1 < characters.length; i++) {
      const bigram = `${characters[i]}${characters[i + 1]}`;
      words.push({ term: bigram, parts: [], lower: bigram });
    }
  }
  if (end < raw.length) addWord(raw.slice(end), language, words);
}

/** The term of a plain word in lower case; null for a stop word. */
export function stemWord(lower: string, language: LanguageCode): string | null {
  if (language === 'other') return lower;
  const { stopWords, stemmer, known } = stemsFor(language);
  if (stopWords.has(lower)) return null;
  let stem = known.get(lower);
  if (stem === undefined) {
    stem = stemmer.stem(lower);
    // Marks go after stemming, which knows them: "Zürich" and "Zurich" then meet. In other scripts they are letters.
    if (LATIN.test(stem)) {
      const plain = stem.normalize('NFD').replaceAll(/\p{M}/gu, '');
      stem = plain.replaceAll(NOT_PLAIN, (letter) => PLAIN_LETTERS[letter] ?? letter);
    }
    if (known.size > STEMS_KEPT) known.clear();
    known.set(lower, stem);
  }
  return stem;
}

function stemsFor(language: keyof typeof LANGUAGES): Stems {
  let stems = stemsOf.get(language);
  if (stems === undefined) {
    const { stemmer } = LANGUAGES[language];
    const stopWords = stopWordsOf(language);
    const all = language === 'en' ? [...stopWords, ...CLIPPED] : stopWords;
    stems = {
      stopWords: new Set(all.map(oneSpelling)),
      stemmer: stemmer === null ? { stem: stemPolish } : stemmers.newStemmer(stemmer),
      known: new Map(),
    };
    stemsOf.set(language, stems);
  }
  return stems;
}
