// Turns the words of deictic-languages.ts into one matcher for each language, which gives every phrase its meaning.
// Invariant: one regular expression for each language runs over a text; the rest only where that one matched.
import { DAYS, type DeicticLanguage, DEICTIC_LANGUAGES, SPANS, UNITS, WEEKDAYS } from './deictic-languages.ts';
import type { Meaning, Which } from './deictic-meaning.ts';

export interface DeicticPhrase {
  readonly index: number;
  readonly length: number;
  readonly meaning: Meaning;
  readonly language: string;
  /** Whether it starts with the name of a weekday, which several languages write with a capital. */
  readonly startsWithWeekday: boolean;
}

type Groups = Record<string, string | undefined>;

interface Alternative {
  readonly pattern: RegExp;
  readonly meaning: (groups: Groups) => Meaning;
  readonly startsWithWeekday: boolean;
}

interface Matcher {
  readonly source: DeicticLanguage;
  /** Where a phrase may start. It knows nothing of word boundaries, which makes it quick to compile. */
  readonly start: RegExp;
  /** Made on the first call: most texts need those of no language. */
  readonly alternatives: () => readonly Alternative[];
  readonly notAfter: RegExp | null;
  readonly notBefore: RegExp | null;
}

// The languages that a text without their letters cannot be in; the rest write Latin.
const [CYRILLIC, ARABIC, HAN_OR_KANA] = [/[\u0400-\u04ff]/u, /[\u0600-\u06ff]/u, /[\u3040-\u30ff\u3400-\u9fff]/u];
const SCRIPTS: ReadonlyMap<string, RegExp> = new Map([
  ['ru', CYRILLIC],
  ['uk', CYRILLIC],
  ['ar', ARABIC],
  ['ja', HAN_OR_KANA],
  ['zh', HAN_OR_KANA],
]);

/**
 * Every phrase in a text of one language or several, by where it starts, the longest first. The text is in lower case
 * with no white space but blanks.
 */
export function findDeicticPhrases(text: string): DeicticPhrase[] {
  const written = DEICTIC_LANGUAGES.filter(({ code }) => SCRIPTS.get(code)?.test(text) ?? true);
  return written
    .flatMap((source) => phrasesOf(matcherOf(source), text))
    .sort((a, b) => a.index - b.index || b.length - a.length);
}

function phrasesOf(matcher: Matcher, text: string): DeicticPhrase[] {
  const phrases: DeicticPhrase[] = [];
  matcher.start.lastIndex = 0;
  for (let match = matcher.start.exec(text); match !== null; match = matcher.start.exec(text)) {
    const phrase = readPhrase(matcher, text, match.index);
    if (phrase !== null) phrases.push(phrase);
    matcher.start.lastIndex = match.index + 1;
  }
  return phrases;
}

// Not within a word, a number, a path, an option, a compound or a call: `tomorrow_at`, `22,000 years ago`, `/today`,
// `same-day`, `today()`, `isBefore(today)`; nor what code assigns: `const today = …`.
const WITHIN_BEFORE = /(?:[\p{L}\p{N}\p{M}_./\\@#$=:&~+-]|\p{N},|\p{L}\(|(?:const|let|var) )$/u;
const WITHIN_AFTER = /^(?:[(=\\@/]|[-‐.:][\p{L}\p{N}]| {0,3}=[^=])/u;
// How much of the text around a phrase is looked at.
const REACH = 60;

/** The longest phrase of a language at an offset, if it has one there. */
function readPhrase(matcher: Matcher, text: string, index: number): DeicticPhrase | null {
  const { source } = matcher;
  const before = text.slice(Math.max(0, index - REACH), index);
  if (source.spaced ? WITHIN_BEFORE.test(before) : !startsWord(text, index, source.code)) return null;
  if (matcher.notAfter?.test(before)) return null;
  let best: DeicticPhrase | null = null;
  for (const { pattern, meaning, startsWithWeekday } of matcher.alternatives()) {
    pattern.lastIndex = index;
    const match = pattern.exec(text);
    if (match === null || match[0].length <= (best?.length ?? 0)) continue;
    best = {
      index,
      length: match[0].length,
      meaning: meaning(match.groups ?? {}),
      language: source.code,
      startsWithWeekday,
    };
  }
  if (best === null) return null;
  const after = text.slice(index + best.length, index + best.length + REACH);
  if ((source.spaced && WITHIN_AFTER.test(after)) || matcher.notBefore?.test(after)) return null;
  const [word] = text.slice(index, index + best.length).split(' ');
  return source.only && word === source.only.word && !isOf(text, source.only) ? null : best;
}

/** Whether a word starts there, in a language that writes none apart: `上年` does not in `史上年龄`. */
function startsWord(text: string, index: number, code: string): boolean {
  return new Intl.Segmenter(code, { granularity: 'word' }).segment(text).containing(index)?.index === index;
}

function isOf(text: string, { where, unless }: { where: string; unless: string }): boolean {
  const has = (words: string): boolean => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'u').test(text);
  return has(where) && !has(unless);
}

const MATCHERS = new Map<DeicticLanguage, Matcher>();

/** Made when a text is first searched: compiling sixteen languages takes longer than searching with them. */
function matcherOf(source: DeicticLanguage): Matcher {
  const known = MATCHERS.get(source);
  if (known) return known;
  const parts = partsOf(source);
  let alternatives: readonly Alternative[] | null = null;
  const end = source.spaced ? '(?![\\p{L}\\p{N}\\p{M}_])' : '';
  const matcher: Matcher = {
    source,
    start: new RegExp(parts.map(({ body }) => body.replace(/\(\?<[nxu]>/gu, '(?:')).join('|'), 'gu'),
    alternatives: () =>
      (alternatives ??= parts.map(({ body, ...part }) => ({
        ...part,
        pattern: new RegExp(`(?:${body})${end}`, 'uy'),
      }))),
    notAfter: source.notAfter === undefined ? null : new RegExp(`(?<!\\p{L})(?:${source.notAfter})$`, 'u'),
    notBefore: source.notBefore === undefined ? null : new RegExp(`^(?:${source.notBefore})`, 'u'),
  };
  MATCHERS.set(source, matcher);
  return matcher;
}

const OPTIONAL_NUMBER = '(?:{n} )?';

interface Part extends Omit<Alternative, 'pattern'> {
  readonly body: string;
}

function partsOf(source: DeicticLanguage): Part[] {
  const weekdays = source.weekdays.split(', ');
  const units = source.units.split(', ');
  const numbers = source.numbers.split(', ');
  // Weekdays go first: in Chinese they start with the word for week.
  const spans = source.spans.split(', ');
  const named = [...weekdays, ...spans];
  // The longer of two words goes first: `mười một` is not `mười`.
  const counts = ['[0-9０-９]{1,3}', source.few, ...numbers.toReversed()].join('|');
  const fill = (template: string): string =>
    template
      .replace(/ (\?)?/gu, (_, optional?: string) => (optional === undefined ? ' {1,2}' : ' {0,2}'))
      .replace('{x}', `(?<x>${named.join('|')})`)
      .replace('{n}', `(?<n>${counts})`)
      .replace('{u}', `(?<u>${units.join('|')})`);
  const relative = (which: Which): Part[] =>
    source[which].map((template) => ({
      body: fill(template),
      meaning: ({ x = '' }) => {
        const weekday = nameOf(x, weekdays, WEEKDAYS);
        if (weekday === undefined) return { kind: 'span', which, span: nameOf(x, spans, SPANS) ?? 'week' };
        return { kind: source.weekdaysByWeek && which !== 'coming' ? 'weekday-of-week' : 'weekday', which, weekday };
      },
      startsWithWeekday: template.startsWith('{x}'),
    }));
  return [
    ...DAYS.map((day): Part => ({
      body: fill(source.days[day]),
      meaning: () => ({ kind: 'day', day }),
      startsWithWeekday: false,
    })),
    ...(['next', 'coming', 'last', 'this'] as const).flatMap(relative),
    ...source.ago.map((template): Part => ({
      // Where the number may be left out, what follows one is no phrase of its own: "older than | three days ago".
      body: template.startsWith(OPTIONAL_NUMBER) ? `(?<!(?:${counts}) )${fill(template)}` : fill(template),
      meaning: ({ n, u = '' }) => ({
        kind: 'ago',
        count: countOf(n, numbers, source.few),
        unit: nameOf(u, units, UNITS) ?? 'day',
      }),
      startsWithWeekday: false,
    })),
  ];
}

/** The English name of a word, given the patterns of all words in the order of the names. */
function nameOf<Name>(word: string, patterns: readonly string[], names: readonly Name[]): Name | undefined {
  return names[patterns.findIndex((pattern) => matchesWhole(pattern, word))];
}

/** A language may leave the number out where it is one. */
function countOf(written: string | undefined, numbers: readonly string[], few: string): number | 'few' {
  if (written === undefined) return 1;
  if (/^[0-9０-９]+$/u.test(written)) return Number(written.normalize('NFKC'));
  return matchesWhole(few, written) ? 'few' : numbers.findIndex((number) => matchesWhole(number, written)) + 1;
}

function matchesWhole(pattern: string, word: string): boolean {
  return new RegExp(`^(?:${pattern})$`, 'u').test(word);
}
