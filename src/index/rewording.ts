// A question in the words of the vocabulary items: "where is the quarterly doc" is also asked as "where is the finance
// one". An item counts by the better of the two, so that the bar means the same for both. Invariant: definitions that are
// not given, and phrases that do not stand in the question word by word, change nothing.
import type { Definition } from '../memory/definition.ts';
import { detectLanguage, type LanguageCode } from './language.ts';
import { tagTerm, wordsOf } from './tokenize.ts';

/** A definition with the document that has it. */
export interface Defined extends Definition {
  readonly id: string;
  readonly created: string;
}

export interface Rewording {
  readonly text: string;
  /** Ids of the documents whose definitions were used, in the order of the question. */
  readonly by: readonly string[];
}

/** What a score by a rewording is worth beside one by the question's own words. */
export const REWORDED = 0.95;

/** So many rewordings of one question are asked: each is a pass of the model. */
const MOST_REWORDINGS = 3;
/** Phrases of so many words and fewer are looked for. */
const LONGEST_PHRASE = 6;

const TOKEN = /[\p{L}\p{M}\p{N}](?:\S*[\p{L}\p{M}\p{N}+#])?/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

interface Place {
  readonly start: number;
  readonly end: number;
  readonly meanings: readonly Meaning[];
}

interface Meaning {
  readonly id: string;
  readonly text: string;
}

/**
 * The question with every defined phrase replaced by its meaning. Where a phrase has several, each is tried, the newest
 * first; none when the question has no defined phrase.
 */
export function reword(question: string, defined: readonly Defined[]): Rewording[] {
  if (defined.length === 0) return [];
  const places = placesIn(question, defined);
  const count = Math.min(MOST_REWORDINGS, Math.max(0, ...places.map(({ meanings }) => meanings.length)));
  return Array.from({ length: count }, (_, turn) => {
    let text = '';
    let end = 0;
    const by = new Set<string>();
    for (const place of places) {
      const meaning = place.meanings[Math.min(turn, place.meanings.length - 1)];
      if (meaning === undefined) continue;
      text += question.slice(end, place.start) + meaning.text;
      end = place.end;
      by.add(meaning.id);
    }
    return { text: text + question.slice(end), by: [...by] };
  });
}

/** Phrases of the question that do not overlap: the first, and of those that begin together the longest. */
function placesIn(question: string, defined: readonly Defined[]): Place[] {
  const language = detectLanguage(question);
  const byPhrase = new Map<string, Meaning[]>();
  const literal = new Map<string, Meaning[]>();
  const define = (id: string, phrase: string, meaning: string): void => {
    const isUnspaced = UNSPACED.test(phrase);
    const key = isUnspaced ? phrase.toLowerCase() : keyOf(phrase, language);
    if (key === null) return;
    const index = isUnspaced ? literal : byPhrase;
    const known = index.get(key);
    if (known === undefined) index.set(key, [{ id, text: meaning }]);
    else if (!known.some(({ text }) => text === meaning)) known.push({ id, text: meaning });
  };
  for (const { id, phrase, meaning, bothWays } of defined.toSorted(newestFirst)) {
    define(id, phrase, meaning);
    if (bothWays) define(id, meaning, phrase);
  }
  const found = [...spacedPlaces(question, language, byPhrase), ...literalPlaces(question, literal)];
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((place) => {
    const isFree = place.start >= end;
    if (isFree) end = place.end;
    return isFree;
  });
}

function spacedPlaces(question: string, language: LanguageCode, phrases: ReadonlyMap<string, Meaning[]>): Place[] {
  const tokens = [...question.matchAll(TOKEN)].flatMap((match) => {
    const words = wordsOf(match[0], language);
    return words.length === 0 ? [] : [{ start: match.index, end: match.index + match[0].length, words }];
  });
  const places: Place[] = [];
  for (const [from, { start }] of tokens.entries()) {
    for (const [last, { end }] of tokens.slice(from, from + LONGEST_PHRASE).entries()) {
      const words = tokens.slice(from, from + last + 1).flatMap((token) => token.words);
      const meanings = phrases.get(tagTerm(words));
      if (meanings !== undefined) places.push({ start, end, meanings });
    }
  }
  return places;
}

function literalPlaces(question: string, phrases: ReadonlyMap<string, Meaning[]>): Place[] {
  const places: Place[] = [];
  const lower = question.toLowerCase();
  // A letter whose lower case is longer moves all places behind it.
  if (lower.length !== question.length) return places;
  for (const [phrase, meanings] of phrases) {
    for (let start = lower.indexOf(phrase); start >= 0; start = lower.indexOf(phrase, start + phrase.length)) {
      places.push({ start, end: start + phrase.length, meanings });
    }
  }
  return places;
}

/** Null for a phrase of stop words alone, which would stand everywhere. */
function keyOf(phrase: string, language: LanguageCode): string | null {
  const words = wordsOf(phrase, language);
  return words.length === 0 ? null : tagTerm(words);
}

function newestFirst(a: Defined, b: Defined): number {
  if (a.created !== b.created) return a.created < b.created ? 1 : -1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
