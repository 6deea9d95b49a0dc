// A statement as the words that make its claim: without articles, politeness and punctuation, numbers as digits,
// contractions written out, particles at their verbs. Invariant: what can change a claim is still there, in its order.
import { areSynonyms, baseForms, participleOf } from './word-forms.ts';

export interface Word {
  /** Lower case, but for code. The first is the word as written, the rest what it may be a form of. */
  readonly forms: readonly string[];
  /** A name, a number, code, a path, a version: it has no other forms. */
  readonly exact: boolean;
}

// Words that come and go without changing what is claimed. Not here: negations, quantities, modal verbs, tenses,
// prepositions, `some`, `only`, `just`.
const SILENT = new Set(
  'a an the is are am be been being do does please kindly really very quite actually basically simply indeed'.split(
    ' ',
  ),
);
const NUMBERS: ReadonlyMap<string, string> = new Map(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, place): [string, string] => [word, String(place + 1)]),
);
/** To an agent, the person who speaks is the user. */
const SPEAKER: ReadonlyMap<string, string> = new Map([
  ['i', 'user'],
  ['my', "user's"],
]);
const PARTICLE_VERBS = new Set('sign log set shut roll turn switch speed back'.split(' '));
const PARTICLES = new Set('in out up down off on back'.split(' '));
// How far a particle may stand from its verb: "signs all users in".
const PARTICLE_REACH = 3;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_PIECE = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}._/-])+`, 'gu');

// Prepositions that end the doer of "is done by": "is kicked by a player on a field".
const PLACES = 'in on at into onto with from to near behind under over for through along during before after'.split(
  ' ',
);
// Openers that announce a claim and add nothing to it.
const OPENER =
  /^\s*(?:(?:please )?(?:note|remember)(?: that|:)|fyi[:,]?|for the record[:,]|as a reminder[:,]|of course,?|in fact,?)\s+/iu;

/**
 * The words of a statement, in order. Where it is in the passive voice ("is chopped by Ana in the kitchen"), a second
 * and a third reading have those of the active one.
 */
export function wordsOf(statement: string): ReadonlyArray<readonly Word[]> {
  const written = statement.normalize('NFC').replace(OPENER, '');
  const words = chunksOf(isShouted(written) ? written.toLowerCase() : written).flatMap(({ chunk, starts }) =>
    readChunk(chunk, starts),
  );
  return [words, ...toActive(words)].map(toClaim);
}

/** Whether two words are one, forms of one, or synonyms. */
export function isSameWord(a: Word, b: Word): boolean {
  const [left, right] = a.exact || b.exact ? [a.forms.slice(0, 1), b.forms.slice(0, 1)] : [a.forms, b.forms];
  return left.some((x) => right.some((y) => x === y || areSynonyms(x, y)));
}

function toClaim(words: readonly Word[]): Word[] {
  const spoken = words.filter((word, place) => !(isWord(word, 'there') && isWord(words[place + 1], 'is', 'are')));
  const joined = joinParticles(spoken).filter((word) => !isWord(word, ...SILENT));
  // "Prefers dark mode" is said of the user.
  return isWord(joined[0], 'user') ? joined.slice(1) : joined;
}

/** Capitals name nothing in a statement that is all capitals. */
function isShouted(statement: string): boolean {
  return /\p{Lu}{2}/u.test(statement) && !/\p{Ll}/u.test(statement);
}

function isWord(word: Word | undefined, ...texts: string[]): boolean {
  return word !== undefined && !word.exact && texts.includes(word.forms[0] ?? '');
}

/** `sign users in` → `sign_in users`, so that the place of the particle does not count. */
function joinParticles(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  const taken = new Set<number>();
  for (const [place, word] of words.entries()) {
    if (taken.has(place)) continue;
    const verb = word.exact ? undefined : word.forms.find((form) => PARTICLE_VERBS.has(form));
    const reach = words.slice(place + 1, place + 1 + PARTICLE_REACH);
    const offset = verb === undefined ? -1 : reach.findIndex((next) => isWord(next, ...PARTICLES));
    if (offset < 0) joined.push(word);
    else {
      taken.add(place + 1 + offset);
      joined.push({ forms: [`${verb ?? ''}_${reach[offset]?.forms[0] ?? ''}`], exact: false });
    }
  }
  return joined;
}

/** "X is done by Y" as "Y does X", with what follows Y in either place; none for what is not simply that. */
function toActive(words: readonly Word[]): Word[][] {
  const by = words.findIndex((word) => isWord(word, 'by'));
  const participle = words[by - 1];
  if (by < 2 || !participle || words.findLastIndex((word) => isWord(word, 'by')) !== by) return [];
  const be = isWord(words[by - 2], 'being') ? by - 3 : by - 2;
  const bases = participleOf(participle.forms[0] ?? '');
  if (be < 1 || participle.exact || bases.length === 0 || !isWord(words[be], 'is', 'are', 'was', 'were')) return [];
  const forms = isWord(words[be], 'was', 'were') ? participle.forms.slice(0, 1) : bases;
  const verb = { ...participle, forms };
  const [done, doer] = [words.slice(0, be), words.slice(by + 1)];
  const end = doer.findIndex((word, place) => place > 0 && isWord(word, ...PLACES));
  const whole = [...doer, verb, ...done];
  return end < 0 ? [whole] : [whole, [...doer.slice(0, end), verb, ...done, ...doer.slice(end)]];
}

/** Code spans, and what stands between blanks without the punctuation around it. */
function chunksOf(statement: string): Array<{ chunk: string; starts: boolean }> {
  const text = statement
    .normalize('NFC')
    .replace(/[’ʼ]/gu, "'")
    .replace(/\be-mail/giu, 'email');
  const raw = (text.match(/`[^`]*`|[^\s`]+/gu) ?? []).flatMap((chunk) =>
    chunk.startsWith('`') ? [chunk] : chunk.split(/[—–…]|(?<=\p{L})-(?=\p{L})|,(?=\p{L})/u),
  );
  let starts = true;
  return raw.flatMap((written) => {
    const chunk = written.startsWith('`') ? written : trimPunctuation(written);
    const read = chunk === '' ? [] : [{ chunk, starts }];
    starts = chunk === '' ? starts : /[.!?:]["')\]]*$/u.test(written);
    return read;
  });
}

function trimPunctuation(chunk: string): string {
  return chunk.replace(/^[("'“”„«»‹›[{*_,;:!?¿¡]+/u, '').replace(/[)"'“”„«»‹›\]}*_,.;:!?。、，！？；：]+$/u, '');
}

function readChunk(chunk: string, starts: boolean): Word[] {
  if (chunk.startsWith('`')) return [exact(chunk.slice(1, -1))];
  const lower = chunk.toLowerCase();
  if (UNSPACED.test(chunk)) return Array.from(lower.matchAll(UNSPACED_PIECE), ([piece]) => exact(piece));
  const measure = /^([$€£#+-]?\d[\d.,]*)(%|\p{L}{1,3})?$/u.exec(lower);
  if (measure?.[1] !== undefined) {
    const number = exact(measure[1].replaceAll(',', ''));
    return measure[2] === undefined ? [number] : [number, plain(measure[2])];
  }
  if (/[\p{N}_/\\@#+=.:&|<>$~^]|\p{Ll}\p{Lu}/u.test(chunk)) return [exact(isCased(chunk) ? chunk : lower)];
  const written = expand(lower).map((word) => SPEAKER.get(word) ?? word);
  // A capital within a sentence is a name's, but for "I".
  const isName = !starts && /^\p{Lu}/u.test(chunk) && !/^I(?:'|$)/u.test(chunk);
  return written.map((word, place) => (isName && place === 0 ? exact(word) : plain(word)));
}

/** camelCase, snake_case and paths are told apart by case; `GPT-4` and `gpt-4` are not. */
function isCased(chunk: string): boolean {
  return /\p{Ll}\p{Lu}|[/\\_]/u.test(chunk);
}

/** `doesn't` → does not, `Acme's` → acme. */
function expand(word: string): string[] {
  const [, stem, ending] = /^(.+?)(n't|'re|'ve|'ll|'d|'m|'s|s')$/u.exec(word) ?? [];
  if (word === 'cannot' || word === "can't") return ['can', 'not'];
  if (word === "won't") return ['will', 'not'];
  switch (ending) {
    case "n't":
      return [stem ?? '', 'not'];
    case "'re":
      return [stem ?? '', 'are'];
    case "'ve":
      return [stem ?? '', 'have'];
    case "'ll":
      return [stem ?? '', 'will'];
    case "'m":
      return [stem ?? ''];
    case "'s":
      // What is the user's is not what the user does, where the user may be left out.
      return [stem === 'user' ? word : (stem ?? '')];
    case "s'":
      return [`${stem ?? ''}s`];
    default:
      return [word];
  }
}

function plain(word: string): Word {
  const digits = NUMBERS.get(word);
  return digits === undefined ? { forms: baseForms(word), exact: false } : exact(digits);
}

function exact(text: string): Word {
  return { forms: [text], exact: true };
}
