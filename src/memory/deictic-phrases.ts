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
  readonly any: RegExp;
  readonly alternatives: readonly Alternative[];
}

/** Every phrase in a text of one language or several, by where it starts, the longest first. */
export function findDeicticPhrases(text: string): DeicticPhrase[] {
  return MATCHERS.flatMap((matcher) =>
    Array.from(text.matchAll(matcher.any), (match) => readPhrase(matcher, text, match.index)),
  )
    .filter((phrase) => phrase !== null)
    .sort((a, b) => a.index - b.index || b.length - a.length);
}

/** The longest phrase of a language at an offset where it has one. */
function readPhrase({ source, alternatives }: Matcher, text: string, index: number): DeicticPhrase | null {
  let best: DeicticPhrase | null = null;
  for (const { pattern, meaning, startsWithWeekday } of alternatives) {
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
  if (best !== null && !source.spaced && !startsWord(text, index, source.code)) return null;
  const word = best && text.slice(index, index + best.length).toLowerCase();
  return source.only && word?.split(' ')[0] === source.only.word && !isOf(text, source.only) ? null : best;
}

/** Whether a word starts there, in a language that writes none apart: `上年` does not in `史上年龄`. */
function startsWord(text: string, index: number, code: string): boolean {
  return new Intl.Segmenter(code, { granularity: 'word' }).segment(text).containing(index)?.index === index;
}

function isOf(text: string, { where, unless }: { where: string; unless: string }): boolean {
  const has = (words: string): boolean => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu').test(text);
  return has(where) && !has(unless);
}

const MATCHERS: readonly Matcher[] = DEICTIC_LANGUAGES.map((source) => {
  // Not within a word, a number, a path, an option, a compound or a call: `tomorrow_at`, `22,000 years ago`, `/today`,
  // `same-day`, `today()`, `isBefore(today)`; nor what code assigns: `const today = …`.
  const before = source.spaced ? '(?<![\\p{L}\\p{N}\\p{M}_./\\\\@#$=:&~+-]|\\p{N},|\\p{L}\\(|(?:const|let|var) )' : '';
  const after = source.spaced
    ? '(?![\\p{L}\\p{N}\\p{M}_(=\\\\@/]|[-‐][\\p{L}\\p{N}]|[.:][\\p{L}\\p{N}]|\\s*=[^=])'
    : '';
  const notAfter = source.notAfter === undefined ? '' : `(?<!(?<!\\p{L})(?:${source.notAfter}))`;
  const notBefore = source.notBefore === undefined ? '' : `(?!${source.notBefore})`;
  const parts = partsOf(source);
  const frame = (body: string): string => `${before}${notAfter}(?:${body})${after}${notBefore}`;
  const unnamed = parts.map(({ body }) => body.replace(/\(\?<[nxu]>/gu, '(?:'));
  return {
    source,
    any: new RegExp(frame(unnamed.join('|')), 'giu'),
    alternatives: parts.map(({ body, ...part }) => ({ ...part, pattern: new RegExp(frame(body), 'iuy') })),
  };
});

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
      .replace(/ (\?)?/gu, (_, optional?: string) => (optional === undefined ? '\\s+' : '\\s*'))
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
      body: fill(template),
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
  return new RegExp(`^(?:${pattern})$`, 'iu').test(word);
}
