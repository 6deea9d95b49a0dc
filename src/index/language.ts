// Which language a text is in, as far as search needs to know: whose stems and stop words it gets, and whether a model
// reads it. Invariant: without evidence a text in Latin letters is English, so that code and names are never guessed at.
// oxlint-disable-next-line typescript/triple-slash-reference -- an ambient declaration cannot be imported
/// <reference path="./stopword.d.ts" />
import * as stopWords from 'stopword';

/** ISO 639-1 code of a language whose words are stemmed; `other` for everything else. */
export type LanguageCode = keyof typeof LANGUAGES | 'other';

interface Language {
  /** Its name for Snowball; null for Polish, which it lacks. */
  readonly stemmer: string | null;
  readonly stopWords: readonly string[];
  /** What a question asks with, and forms of "to be", as far as the list lacks them: no item has them for what they mean. */
  readonly moreStopWords?: string;
  /** Letters that its neighbours do not have: each word with one counts as a frequent word does. */
  readonly ownLetters?: RegExp;
  /** Punctuation that it alone has: counts as one more. */
  readonly ownMarks?: RegExp;
  /** Very frequent words: what tells it from its neighbours. */
  readonly frequent: string;
}

/** What is stemmed, with its most frequent words (Wikipedia and subtitle frequency lists agree on these). */
export const LANGUAGES = {
  en: {
    stemmer: 'english',
    stopWords: stopWords.eng,
    frequent:
      'the of and to in is that it for was on with as are be this by from have what how does do which when who where why an at or if not no all can you your we i he she they his her has had been some into more about will would there their them but may use met so',
  },
  es: {
    stemmer: 'spanish',
    stopWords: stopWords.spa,
    moreStopWords:
      'quién quiénes cuándo dónde cómo cuál cuáles cuánto cuánta cuántos cuántas es son fue está están nuestro nuestra nuestros nuestras ser hay',
    ownMarks: /[¿¡]/u,
    frequent:
      'de la que el en y los se del las por un para con una su al lo como más pero cuál cuáles qué cuándo quién dónde cuánto cuántos cuántas fue son está',
  },
  fr: {
    stemmer: 'french',
    stopWords: stopWords.fra,
    moreStopWords: 'quand comment combien quoi pourquoi',
    frequent:
      'de la le et les des en un du une que est pour qui dans par sur pas au plus ce il sont avec quel quelle quels où comment quand été',
  },
  pt: {
    stemmer: 'portuguese',
    stopWords: stopWords.por,
    moreStopWords: 'onde quanto quanta quantos quantas é são foi está',
    frequent:
      'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao das qual quais quando quem onde são',
  },
  it: {
    stemmer: 'italian',
    stopWords: stopWords.ita,
    moreStopWords: 'quando quali cosa',
    frequent:
      'di e il la che in a è per un del non una con le si da i sono della al dei nel più quale quali quando chi dove cosa gli',
  },
  de: {
    stemmer: 'german',
    stopWords: stopWords.deu,
    moreStopWords: 'heißt',
    frequent:
      'der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie wie was wann wer wo welche welcher wird',
  },
  nl: {
    stemmer: 'dutch',
    stopWords: stopWords.nld,
    moreStopWords: 'waar wanneer welke welk hoeveel wordt onze',
    frequent:
      'de en van het een is dat op te zijn met voor niet aan er om ook als dan maar bij nog wat wie waar wanneer welke hoe wordt',
  },
  sv: {
    stemmer: 'swedish',
    stopWords: stopWords.swe,
    frequent:
      'och i att det som en på är av för med till den har de inte om ett han men var vad hur när vem vilka vilken',
  },
  da: {
    stemmer: 'danish',
    stopWords: stopWords.dan,
    moreStopWords: 'hvilke hvilket',
    frequent:
      'og i at det som en på er af for med til den har de ikke om et han men var hvad hvordan hvornår hvem hvilken blev',
  },
  nb: {
    stemmer: 'norwegian',
    stopWords: stopWords.nob,
    moreStopWords: 'hvilket vårt våre',
    frequent:
      'og i at det som en på er av for med til den har de ikke om et han men var hva hvordan når hvem hvilken ble',
  },
  fi: {
    stemmer: 'finnish',
    stopWords: stopWords.fin,
    moreStopWords: 'kuka mikä missä milloin miten',
    frequent:
      'ja on ei se että oli hän mutta ovat kun niin tämä myös joka mitä missä milloin kuka miten ovat olla kuin',
  },
  hu: {
    stemmer: 'hungarian',
    stopWords: stopWords.hun,
    frequent: 'a az és hogy nem is egy ez van de volt csak meg már mint mit mi hol mikor ki milyen',
  },
  ro: {
    stemmer: 'romanian',
    stopWords: stopWords.ron,
    frequent: 'de și în a la cu este pe nu un o să care din mai sunt pentru că ce când cine unde cum',
  },
  tr: {
    stemmer: 'turkish',
    stopWords: stopWords.tur,
    moreStopWords: 'kaç mi zaman',
    ownLetters: /[ğış]/u,
    frequent: 've bir bu için ile da de ne olan çok daha gibi olarak kadar ama mi nasıl nerede kim hangi değil var',
  },
  pl: {
    stemmer: null,
    stopWords: stopWords.pol,
    moreStopWords: 'jaka jakiego jakiej jakich jakim naszą naszej naszym naszymi naszemu ile czyj',
    ownLetters: /[ąęłśźż]/u,
    frequent:
      'i w nie na się z do to jest że o jak po co ale za od czy są dla przez kto gdzie kiedy jaki jaka jakie który która które oraz tylko',
  },
  ru: {
    stemmer: 'russian',
    stopWords: stopWords.rus,
    moreStopWords: 'какое какие каком какая чей наш наша наше наши нам сколько зачем почему',
    frequent: 'и в не на что с по как это к из у за от для о а но он она они мы я его так же когда кто где какой какие',
  },
} as const satisfies Record<string, Language>;

/** All words of a language that say nothing of what a text is about. */
export function stopWordsOf(code: keyof typeof LANGUAGES): readonly string[] {
  const { stopWords: listed, moreStopWords = '' }: Language = LANGUAGES[code];
  return moreStopWords === '' ? listed : [...listed, ...moreStopWords.split(' ')];
}

const CODES = Object.keys(LANGUAGES) as Array<keyof typeof LANGUAGES>;

/** What each frequent word proves: languages that share it share its point. */
const EVIDENCE = ((): ReadonlyMap<string, ReadonlyArray<keyof typeof LANGUAGES>> => {
  const evidence = new Map<string, Array<keyof typeof LANGUAGES>>();
  for (const code of CODES) {
    for (const word of LANGUAGES[code].frequent.split(' ')) evidence.set(word, [...(evidence.get(word) ?? []), code]);
  }
  return evidence;
})();

const LANGUAGE_LIST: ReadonlyArray<readonly [keyof typeof LANGUAGES, Language]> = CODES.map((code) => [
  code,
  LANGUAGES[code],
]);

const LETTERS = /\p{L}/gu;
const LATIN_LETTERS = /\p{Script=Latin}/gu;
const CYRILLIC_LETTERS = /\p{Script=Cyrillic}/gu;
const WORD = /[\p{L}\p{M}]+/gu;
/** A text's beginning tells its language; the rest would tell the same. */
const ENOUGH = 600;
/** Points over English that a text needs to be taken for another language: two words of its own, or several shared. */
const MARGIN = 1;

export function detectLanguage(text: string): LanguageCode {
  const beginning = text.slice(0, ENOUGH);
  const letters = count(beginning, LETTERS);
  const cyrillic = count(beginning, CYRILLIC_LETTERS);
  const isLatin = count(beginning, LATIN_LETTERS) * 2 >= letters;
  if (!isLatin && cyrillic * 2 < letters) return 'other';

  const points = new Map<keyof typeof LANGUAGES, number>();
  const found = new Map<keyof typeof LANGUAGES, Set<string>>();
  const prove = (codes: ReadonlyArray<keyof typeof LANGUAGES>, by: string): void => {
    for (const code of codes) {
      points.set(code, (points.get(code) ?? 0) + 1 / codes.length);
      found.set(code, (found.get(code) ?? new Set()).add(by));
    }
  };
  for (const [written] of beginning.matchAll(WORD)) {
    const word = written.toLowerCase();
    const codes = EVIDENCE.get(word);
    if (codes !== undefined) prove(codes, word);
    // A name keeps its letters in any language.
    else if (written.charAt(0) === word.charAt(0))
      prove(
        whose(({ ownLetters }) => ownLetters?.test(word)),
        word,
      );
  }
  prove(
    whose(({ ownMarks }) => ownMarks?.test(beginning)),
    'marks',
  );
  const fallback = isLatin ? 'en' : 'other';
  const english = points.get('en') ?? 0;
  let best: LanguageCode = fallback;
  let most = english + MARGIN;
  for (const code of CODES) {
    const proved = points.get(code) ?? 0;
    // One word proves nothing: each of these is a name or an abbreviation somewhere.
    if (code === 'en' || proved < most || (found.get(code)?.size ?? 0) < 2) continue;
    if (proved === most && best !== fallback) continue;
    best = code;
    most = proved;
  }
  return best;
}

/** The languages of which this holds. */
function whose(holds: (language: Language) => boolean | undefined): ReadonlyArray<keyof typeof LANGUAGES> {
  return LANGUAGE_LIST.filter(([, language]) => holds(language) === true).map(([code]) => code);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
