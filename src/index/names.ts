// The names in a question: people, products, places, identifiers. Words find them exactly, and a model mostly smells them:
// to it, every statement about Melanie is near every question about Melanie. So they are weighed apart. Invariant: only a
// capital that means something counts: a question in lower case, in capitals or in Title Case names nothing but identifiers.
import { wordsOf } from './tokenize.ts';

export interface QuestionName {
  /** As the question writes it, without `'s`. */
  readonly text: string;
  readonly term: string;
}

const TOKEN = /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_-]|[./@:](?=[\p{L}\p{N}]))*/gu;
const CAPITALISED = /^\p{Lu}/u;
/** Letters with digits, a capital within, or a connector that plain words do not have. */
const IDENTIFIER = /\p{L}.*\p{N}|\p{N}.*\p{L}|\p{Ll}\p{Lu}|[./@:_]/u;

const COMPOUND = /\p{L}[\p{L}\p{M}\p{N}]*(?:-[\p{L}\p{M}\p{N}]+)+/gu;

/** Hyphenated words, each once: projects and services are called so ("ecommerce-api"), and plain words are written so. */
export function compoundsOf(question: string): QuestionName[] {
  const compounds = new Map<string, QuestionName>();
  for (const [text] of question.matchAll(COMPOUND)) {
    const term = wordsOf(text)[0]?.term;
    if (term !== undefined && !compounds.has(term)) compounds.set(term, { text, term });
  }
  return [...compounds.values()];
}

/** Each name once, in order. The first word of a sentence is one only if it is an identifier: it is capitalised anyway. */
export function namesOf(question: string): QuestionName[] {
  const tokens = question
    .split(/(?<=[.!?:])\s+/u)
    .flatMap((sentence) => (sentence.match(TOKEN) ?? []).map((text, index) => ({ text, isFirst: index === 0 })));
  const inner = tokens.filter(({ isFirst }) => !isFirst);
  const capitalised = inner.filter(({ text }) => CAPITALISED.test(text)).length;
  const isTitle = capitalised > 2 && capitalised > inner.length / 2;
  const names = new Map<string, QuestionName>();
  for (const { text, isFirst } of tokens) {
    const isName = text.length > 1 && CAPITALISED.test(text) && !isFirst && !isTitle;
    const term = wordsOf(text)[0]?.term;
    if (term !== undefined && (isName || IDENTIFIER.test(text))) names.set(term, { text, term });
  }
  return [...names.values()];
}
