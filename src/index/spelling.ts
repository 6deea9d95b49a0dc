// What a misspelled word of a question may mean. Invariant: only for words that no document has, and only when the
// beginning fits, so that "mango" is never taken for "mongo" nor "k9s" for "k8s".

/** What a question needs to know of a partition's words. */
export interface Vocabulary {
  readonly documents: number;
  /** In how many documents a term occurs. */
  documentFrequency(term: string): number;
  /** The terms that some document has and that begin with these {@link BEGINNING} code units, in no particular order. */
  termsFrom(beginning: string): Iterable<string>;
}

/** So much of a misspelled word must be right. */
export const BEGINNING = 2;

/** From so many letters on a word is looked up; shorter ones have too many neighbours. */
const SHORTEST = 4;
/** From so many on, two edits are forgiven instead of one. */
const LONG = 8;

/**
 * The term with the fewest edits (insert, delete, replace, swap two neighbours), of equal ones the most frequent, then the
 * first by code units; null when none is near enough.
 */
export function nearestTerm(word: string, vocabulary: Vocabulary): string | null {
  if (word.length < SHORTEST || !/^\p{L}+$/u.test(word)) return null;
  const allowed = word.length >= LONG ? 2 : 1;
  let best: string | null = null;
  let bestEdits = allowed + 1;
  for (const term of vocabulary.termsFrom(word.slice(0, BEGINNING))) {
    if (Math.abs(term.length - word.length) > allowed) continue;
    if (hasOtherEnd(word, term)) continue;
    const edits = editsBetween(word, term, allowed);
    if (edits > allowed || edits > bestEdits) continue;
    if (edits < bestEdits || best === null || isBetter(term, best, vocabulary)) {
      best = term;
      bestEdits = edits;
    }
  }
  return best;
}

/** Stems of two words of the language often differ in nothing but the last letter, as those of "component" and "compose" do. */
function hasOtherEnd(word: string, term: string): boolean {
  return word.length === term.length && word.slice(0, -1) === term.slice(0, -1);
}

function isBetter(term: string, than: string, vocabulary: Vocabulary): boolean {
  const [a, b] = [vocabulary.documentFrequency(term), vocabulary.documentFrequency(than)];
  return a > b || (a === b && term < than);
}

/** Edits between two words, or `most + 1` when there are more ("optimal string alignment" distance). */
function editsBetween(a: string, b: string, most: number): number {
  let twoBack: number[] = [];
  let back = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replace = (back[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      let edits = Math.min(replace, (back[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) edits = Math.min(edits, (twoBack[j - 2] ?? 0) + 1);
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    twoBack = back;
    back = row;
  }
  return back[b.length] ?? most + 1;
}
