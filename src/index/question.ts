// A question as terms, for one partition. Invariant: only that partition's words decide what a term of it is worth.
import type { QuestionTerm } from './postings.ts';
import { wordsOf } from './tokenize.ts';

/**
 * The distinct terms of a question, in order. A compound counts as a whole only where the partition knows it as a whole:
 * otherwise "self-host" would lower the score of every document that says "self host".
 */
export function questionTerms(question: string, documentFrequency: (term: string) => number): QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  for (const { term, parts, identifier } of wordsOf(question)) {
    const known = documentFrequency(term) > 0;
    if (known || parts.length === 0) keep(terms, { term, exact: identifier });
    for (const part of parts) keep(terms, { term: part, exact: false });
  }
  return [...terms.values()];
}

function keep(terms: Map<string, QuestionTerm>, term: QuestionTerm): void {
  if (terms.get(term.term)?.exact !== true) terms.set(term.term, term);
}
