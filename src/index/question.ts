// A question as terms, for one partition. Invariant: only that partition's words decide what a term of it is worth.
import { namesOf, type QuestionName } from './names.ts';
import type { QuestionTerm } from './postings.ts';
import { nearestTerm, type Vocabulary } from './spelling.ts';
import { wordsOf } from './tokenize.ts';

// A compound and its parts together weigh about as much as one word: "ecommerce-api" in a question would otherwise
// outweigh all that is asked of it.
const KNOWN_COMPOUND = 0.6;
const PART_OF_KNOWN = 0.3;
/** A word that is spelled otherwise than in any document. */
const MISSPELLED = 0.7;

/** The distinct terms of a question, in order. */
export function questionTerms(
  question: string,
  vocabulary: Vocabulary,
  names: readonly QuestionName[],
): QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  const isName = new Set(names.map(({ term }) => term));
  const put = (term: string, weight: number): void => {
    if ((terms.get(term)?.weight ?? 0) < weight) terms.set(term, { term, weight, name: isName.has(term) });
  };
  for (const { term, parts } of wordsOf(question)) {
    const known = vocabulary.documentFrequency(term) > 0;
    if (parts.length > 0) {
      // A compound that the partition does not know as one counts by its parts alone.
      if (known) put(term, KNOWN_COMPOUND);
      for (const part of parts) put(part, known ? PART_OF_KNOWN : 1);
      continue;
    }
    const meant = known ? null : nearestTerm(term, vocabulary);
    put(meant ?? term, meant === null ? 1 : MISSPELLED);
  }
  return [...terms.values()];
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
