// The names in a question: people, products, places. Words find them exactly, and a model mostly smells them: to it, every
// statement about Melanie is near every question about Melanie. So they are weighed apart. Invariant: only a capital that
// means something counts, so a question in lower case, in capitals or in Title Case has no names.
import { wordsOf } from './tokenize.ts';

export interface QuestionName {
  /** As the question writes it, without `'s`. */
  readonly text: string;
  readonly term: string;
}

const TOKEN = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}_-]*/gu;
const CAPITALISED = /^\p{Lu}/u;

/** Each name once, in order. The first word of a sentence is none: it is capitalised anyway. */
export function namesOf(question: string): QuestionName[] {
  const names = new Map<string, QuestionName>();
  let words = 0;
  let capitalised = 0;
  for (const sentence of question.split(/(?<=[.!?:])\s+/u)) {
    const [, ...rest] = sentence.match(TOKEN) ?? [];
    words += rest.length;
    for (const text of rest) {
      if (!CAPITALISED.test(text)) continue;
      capitalised += 1;
      const term = wordsOf(text)[0]?.term;
      if (term !== undefined && text.length > 1) names.set(term, { text, term });
    }
  }
  const isTitle = capitalised > 2 && capitalised > words / 2;
  return isTitle ? [] : [...names.values()];
}
