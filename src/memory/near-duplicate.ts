// Whether two statements say the same, nearly the same, or something about the same thing. Invariant: near-identical
// are only statements whose claims have the same words in the same order, forms and synonyms aside. A changed number,
// name, unit, negation, quantity, tense or order makes them similar, however close their vectors are.
import { normaliseStatement } from './statement.ts';
import { isSameWord, type Word, wordsOf } from './statement-words.ts';

export type Likeness = 'identical' | 'near-identical' | 'similar' | 'different';

/** From this cosine on, two statements are about the same thing (all-MiniLM-L6-v2; tuned on STS-B and SICK). */
export const SIMILAR_COSINE = 0.62;

/** From this share of common words on (Dice's coefficient of the words with a meaning of their own), they are too. */
const SIMILAR_SHARE = 0.5;

/**
 * How alike two statements are; symmetric. `cosine` is that of their vectors, null where there are none: it can make
 * different statements similar, and nothing more.
 */
export function compareStatements(a: string, b: string, cosine: number | null): Likeness {
  if (normaliseStatement(a) === normaliseStatement(b)) return 'identical';
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const sameForm = isQuestion(a) === isQuestion(b);
  if (sameForm && left.some((x) => right.some((y) => saysTheSame(x, y)))) return 'near-identical';
  const share = commonShare(left[0] ?? [], right[0] ?? []);
  return share >= SIMILAR_SHARE || (cosine ?? 0) >= SIMILAR_COSINE ? 'similar' : 'different';
}

function isQuestion(statement: string): boolean {
  return /[?？؟]["'”’)\s]*$/u.test(statement);
}

function saysTheSame(a: readonly Word[], b: readonly Word[]): boolean {
  if (a.length === 0 || b.length === 0) return false;
  return (
    isSameSequence(a, b) ||
    isSameSequence(unowned(a), b) ||
    isSameSequence(a, unowned(b)) ||
    isFronted(a, b) ||
    isFronted(b, a)
  );
}

function isSameSequence(a: readonly Word[], b: readonly Word[]): boolean {
  return a.length === b.length && a.every((word, place) => isSameAt(word, b[place]));
}

function isSameAt(word: Word, other: Word | undefined): boolean {
  return other !== undefined && isSameWord(word, other);
}

/**
 * Without the words that a statement may leave out, but not change: "signs (its) users in", "ensure (that) tests run".
 * Only one of two statements is ever read so: `its` and `their` stay different.
 */
function unowned(words: readonly Word[]): Word[] {
  return words.filter((word) => !isPlain(word, OMITTED));
}

/** Whether `a` is `b` with its last phrase put first: "For Acme use pnpm", "Use pnpm for Acme". */
function isFronted(a: readonly Word[], b: readonly Word[]): boolean {
  if (a.length !== b.length || !isPlain(a[0], PREPOSITIONS)) return false;
  return [2, 3, 4].some(
    (length) => length < a.length && isSameSequence([...a.slice(length), ...a.slice(0, length)], b),
  );
}

function isPlain(word: Word | undefined, texts: ReadonlySet<string>): boolean {
  return word !== undefined && !word.exact && texts.has(word.forms[0] ?? '');
}

const OMITTED = new Set('its their that'.split(' '));
const PREPOSITIONS = new Set('in on at for with during since until before after under via from to'.split(' '));

// Words that every statement has; they make no two of them alike.
const COMMON = new Set(
  'in on at to of for with by from and or as into that this it its has have was were will can not no he she they we you user 的 了 是 を に は が の'.split(
    ' ',
  ),
);

/** Twice the number of common words over the number of all: 0 to 1. */
function commonShare(a: readonly Word[], b: readonly Word[]): number {
  const [left, right] = [a, b].map((words) => words.filter((word) => !COMMON.has(word.forms[0] ?? ''))) as [
    Word[],
    Word[],
  ];
  const unused = [...right];
  const common = left.filter((word) => {
    const place = unused.findIndex((other) => isSameWord(word, other));
    if (place >= 0) unused.splice(place, 1);
    return place >= 0;
  });
  return left.length + right.length === 0 ? 0 : (2 * common.length) / (left.length + right.length);
}
