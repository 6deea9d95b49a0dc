// Which passage of a long text answers a question. Invariant: the passage is verbatim, and null where the statement says
// it already.
import type { IndexDocument } from './memory-index.ts';
import { splitPassages } from './passages.ts';
import type { QuestionTerm } from './postings.ts';
import { countTerms } from './tokenize.ts';

const PARAGRAPH_END = /\n[ \t]*\n/;

/** `favourite`: the number of the passage whose vector is nearest, or null without vectors. */
export function bestPassage(
  { text, statement }: IndexDocument,
  terms: readonly QuestionTerm[],
  favourite: number | null,
): string | null {
  const passages = splitPassages(text);
  // Most items are one paragraph, which is the statement.
  if (passages.length === 1 && !PARAGRAPH_END.test(passages[0] ?? '')) return null;
  const found = passages.map((passage) => {
    const has = countTerms(passage);
    return terms.filter(({ term }) => has.has(term)).length;
  });
  const most = Math.max(...found, 0);
  // Vectors choose among the passages that have nearly all the words that any has.
  const choice = favourite !== null && (found[favourite] ?? 0) >= most / 2 ? favourite : found.indexOf(most);
  const passage = passages[Math.max(choice, 0)] ?? '';
  if (choice > 0) return passage;

  // The first passage opens with the statement, which is shown anyway.
  const end = passage.search(PARAGRAPH_END);
  const rest = end === -1 ? '' : passage.slice(end).trim();
  const stated = countTerms(statement);
  const has = countTerms(rest);
  return terms.some(({ term }) => has.has(term) && !stated.has(term)) ? rest : null;
}
