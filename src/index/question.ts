// A question as terms, for one partition. Invariant: only that partition's words decide what a term of it is worth.
import { detectLanguage, type LanguageCode } from './language.ts';
import { compoundsOf, namesOf, type QuestionName } from './names.ts';
import type { QuestionTerm } from './postings.ts';
import { nearestTerm, type Vocabulary } from './spelling.ts';
import { stemWord, tagTerm, type Word, wordsOf } from './tokenize.ts';

// A compound and its parts together weigh about as much as one word: "ecommerce-api" in a question would otherwise
// outweigh all that is asked of it.
const KNOWN_COMPOUND = 0.6;
const PART_OF_KNOWN = 0.3;
/** A word that is spelled otherwise than in any document. */
const MISSPELLED = 0.9;

/** What more than this share of the documents has says little about which of them is meant. */
const COMMON = 0.05;

/** Longer tags than so many words are no names of things. */
const LONGEST_TAG = 4;

/** The distinct terms of a question, in order. */
export function questionTerms(
  question: string,
  vocabulary: Vocabulary,
  names: readonly QuestionName[],
): QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  const isName = new Set(names.map(({ term }) => term));
  const put = (term: string, weight: number): void => {
    if ((terms.get(term)?.weight ?? 0) < weight)
      terms.set(term, { term, weight, kind: isName.has(term) ? 'name' : 'word' });
  };
  const spelled: Word[] = [];
  const language = detectLanguage(question);
  for (const word of wordsOf(question, language)) {
    const { parts } = word;
    const term = inKnownLanguage(word, language, vocabulary);
    const known = vocabulary.documentFrequency(term) > 0;
    if (parts.length > 0) {
      // A compound that the partition does not know as one counts by its parts alone.
      if (known) put(term, KNOWN_COMPOUND);
      for (const part of parts) put(part, known ? PART_OF_KNOWN : 1);
      spelled.push({ ...word, term });
      continue;
    }
    const meant = known ? null : nearestTerm(term, vocabulary);
    put(meant ?? term, meant === null ? 1 : MISSPELLED);
    spelled.push({ ...word, term: meant ?? term });
  }
  return [...terms.values(), ...tagsIn(spelled, vocabulary)];
}

/** A question in one language may ask for an item in English: a word that the partition does not know is stemmed as English. */
function inKnownLanguage({ term, lower, parts }: Word, language: LanguageCode, vocabulary: Vocabulary): string {
  if (language === 'en' || parts.length > 0 || vocabulary.documentFrequency(term) > 0) return term;
  return stemWord(lower, 'en') ?? term;
}

/** The tags that the question has whole, word for word. */
function tagsIn(words: readonly Word[], vocabulary: Vocabulary): QuestionTerm[] {
  const tags = new Set<string>();
  for (let start = 0; start < words.length; start++) {
    for (let end = start + 1; end <= Math.min(words.length, start + LONGEST_TAG); end++) {
      const tag = tagTerm(words.slice(start, end));
      if (vocabulary.documentFrequency(tag) > 0) tags.add(tag);
    }
  }
  return [...tags].map((term) => ({ term, weight: 1, kind: 'tag' }));
}

/**
 * The names of a question that some document has: a name that nobody knows cannot tell documents apart. Nor can the name of
 * the space itself, which its items need not repeat (`own`: names of the partitions asked).
 */
export function knownNames(
  question: string,
  vocabularies: readonly Vocabulary[],
  own: readonly string[],
): QuestionName[] {
  const ownTerms = new Set(own.flatMap((name) => wordsOf(name).flatMap(({ term, parts }) => [term, ...parts])));
  return namesOf(question).filter(
    ({ term }) => !ownTerms.has(term) && vocabularies.some((known) => known.documentFrequency(term) > 0),
  );
}

/**
 * The compounds of a question that many documents have, but for those that are `names` anyway: the project that half of the memory
 * is about. To the model they are most of the question; words find them all the same.
 */
export function commonCompounds(
  question: string,
  vocabularies: readonly Vocabulary[],
  names: readonly QuestionName[],
): QuestionName[] {
  const sum = (count: (vocabulary: Vocabulary) => number): number =>
    vocabularies.reduce((total, vocabulary) => total + count(vocabulary), 0);
  const many = Math.max(1, COMMON * sum(({ documents }) => documents));
  return compoundsOf(question).filter(
    ({ term }) => names.every((name) => name.term !== term) && sum((known) => known.documentFrequency(term)) > many,
  );
}
