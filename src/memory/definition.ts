// What a vocabulary item defines: a phrase and what it means, read from the wordings that people use for that in English,
// German, Spanish and French. Invariant: what is not clearly a definition is none; the item is found by its words anyway.

export interface Definition {
  /** Without quotation marks and article. */
  readonly phrase: string;
  /** Without article, in at most {@link LONGEST_MEANING} words. */
  readonly meaning: string;
  /** Whether the meaning is as good a name as the phrase (`k8s` and Kubernetes), and not a description of it. */
  readonly bothWays: boolean;
}

/** In words. A longer phrase is a sentence, not a name. */
const LONGEST_PHRASE = 6;
const LONGEST_MEANING = 12;
/** In words: a longer meaning describes. */
const LONGEST_NAME = 4;
/** So many definitions one item may hold, so many characters one may take, and so many of the text are looked at. */
const MOST_DEFINITIONS = 50;
const LONGEST_DEFINITION = 300;
const LONGEST_TEXT = 10_000;

// A quoted phrase stands between these from the start; no text has them.
const OPEN = '\uE000';
const CLOSE = '\uE001';
const QUOTATIONS = [
  /`{1,2}([^`\n]{1,80})`{1,2}/gu,
  /\*\*([^*\n]{1,80})\*\*/gu,
  /“([^“”\n]{1,80})”/gu,
  /„([^“”„\n]{1,80})[“”]/gu,
  /«[\s\u00A0]?([^«»\n]{1,80}?)[\s\u00A0]?»/gu,
  /[「『]([^「」『』\n]{1,80})[」』]/gu,
  /"([^"\n]{1,80})"/gu,
  /(?<![\p{L}\p{N}])‘([^‘’\n]{1,80})’(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])‚([^‘’‚\n]{1,80})[‘’](?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])'([^'\n]{1,80})'(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}*])\*([^*\s][^*\n]{0,80})\*(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])_([^_\s][^_\n]{0,80})_(?![\p{L}\p{N}_])/gu,
];

const QUOTED = `${OPEN}[^${OPEN}${CLOSE}]+${CLOSE}`;
const OR = '(?:\\s*(?:,|/|\\bor\\b|\\band\\b|\\boder\\b|\\bund\\b|\\bo\\b|\\by\\b|\\bou\\b|\\bet\\b))+\\s*';
/** One quoted phrase, or several that mean the same. */
const PHRASES = `(?<phrase>${QUOTED}(?:${OR}${QUOTED})*)`;
const ARTICLE =
  "(?:the|an?|this|that|these|those|our|their|his|her|its|my|your|der|die|das|den|dem|des|eine?[nrms]?|unsere?[nrms]?|el|la|los|las|una?|nuestr[oa]s?|le|les|une|des|notre|nos)\\s+|l['’]";
/** A phrase without quotation marks: a few words at the beginning. */
const BARE = `^(?:${ARTICLE})?(?<phrase>[\\p{L}\\p{N}][^\\s,;:=${OPEN}${CLOSE}]*(?: [^\\s,;:=${OPEN}${CLOSE}]+){0,3}?)`;
const MEANING = '(?<meaning>.+)$';
/** What may stand between a quoted phrase and the verb: "in mails always". */
const BETWEEN = `[^${OPEN}${CLOSE}.!?:;=]{0,40}?`;

/** The phrase is another name for the meaning. */
const IS_NAME = [
  'stands for|is (?:short|shorthand) for|abbreviates|is (?:an?|the|our|their|another) (?:abbreviation|acronym|nickname|alias|synonym|code ?name|other name|name|word) (?:of|for)|a\\.?k\\.?a\\.?',
  'steht (?:hier )?für|ist (?:kurz|die Abkürzung|eine Abkürzung|die Kurzform|ein Kürzel|das Kürzel) (?:für|von)',
  'es (?:la |una )?(?:abreviatura|abreviación|sigla|siglas) (?:de|para)|equivale a',
  "est (?:l['’]abréviation|une abréviation|le sigle|l['’]acronyme) (?:de|pour)|équivaut à",
].join('|');
const IS_MEANT = [
  'means|refers to|denotes|is what (?:we|they|I|the user) calls?',
  'bedeutet|heißt|heisst|meint|bezeichnet',
  'significa|quiere decir|se refiere a|designa',
  'signifie|veut dire|désigne|fait référence à|se réfère à|correspond à',
].join('|');
const IS = 'is|are|ist|sind|es|son|est|sont';
const SIGN = '={1,3}|:=|→|⇒|->|=>|↔|<->|<=>|≙|≈';

interface Wording {
  readonly pattern: RegExp;
  readonly isName?: true;
}

// A pronoun, "the user", a person's name.
const who = "(?:the )?[\\p{L}'’]+";
const says = '(?:says?|said|writes?|types?|mentions?|asks? for|talks? about|speaks? of)';
/** After {@link says}: quoted, or up to the comma or the next subject. */
const said = `(?:${PHRASES}|(?<bare>[^,${OPEN}${CLOSE}]{1,60}?))`;

/** In order: the first that fits counts. */
const WORDINGS: readonly Wording[] = [
  { pattern: wording(`\\bwhen(?:ever)? ${who} ${says} ${said},? (?:then )?(?:${who}|it|that|this) means? ${MEANING}`) },
  { pattern: wording(`\\bby ${said},? ${who} means? ${MEANING}`) },
  {
    pattern: wording(
      `\\bwenn .{1,30}? ${PHRASES} (?:sag|schreib|erwähn)\\p{L}*,? (?:dann )?(?:mein\\p{L}*|ist|sind) (?:(?:ich|er|sie|wir|man|damit|immer) )*(?<meaning>.+?)(?: gemeint)?[.]?$`,
    ),
  },
  {
    pattern: wording(
      `\\bmit ${PHRASES} (?:mein\\p{L}*|ist|sind) (?:(?:ich|er|wir|man|hier|immer|der \\p{L}+) )*(?<meaning>.+?)(?: gemeint)?[.]?$`,
    ),
  },
  {
    pattern: wording(
      `\\b(?:cuando .{1,30}?|si .{1,30}?|con|por) ?${PHRASES},? (?:\\p{L}+ ){0,3}?(?:(?:me|se|nos) (?:refier\\p{L}+|referimos) a|quier\\p{L}+ decir|queremos decir|entiend\\p{L}+|entendemos|significa) ${MEANING}`,
    ),
  },
  {
    pattern: wording(
      `\\b(?:quand .{1,30}?|lorsqu.{1,30}?|si .{1,30}?|par|avec) ?${PHRASES},? (?:\\p{L}+['’ ]){0,3}?(?:veu[xt] dire|voulons dire|veulent dire|parle de|parlons de|pense à|entend\\p{L}*|désigne|signifie) ${MEANING}`,
    ),
  },
  { pattern: wording(`${PHRASES}\\s*(?:${SIGN}|:\\s|[–—]\\s|-\\s)\\s*${MEANING}`), isName: true },
  { pattern: wording(`${PHRASES},? ${BETWEEN}\\b(?:${IS_NAME}) ${MEANING}`), isName: true },
  { pattern: wording(`${PHRASES},? ${BETWEEN}(?<![\\p{L}])(?:${IS_MEANT}) ${MEANING}`) },
  {
    pattern: wording(
      `^(?<meaning>.{2,80}?) (?:is|are) (?:\\p{L}+ )?(?:called|known as|referred to as|nicknamed|abbreviated(?: to| as)?|dubbed) ${PHRASES}`,
    ),
  },
  { pattern: wording(`\\b(?:calls?|nicknamed?|abbreviates?) (?<meaning>.{2,80}?) (?:as )?${PHRASES}`) },
  { pattern: wording(`${PHRASES},? (?:${IS}) ${MEANING}`) },
  { pattern: wording(`${BARE}\\s*(?:${SIGN})\\s*${MEANING}`), isName: true },
  { pattern: wording(`${BARE}:\\s+${MEANING}`), isName: true },
  {
    pattern: wording(`${BARE},? (?:also |always |usually |here |hier |immer )?(?:${IS_NAME}) ${MEANING}`),
    isName: true,
  },
  { pattern: wording(`${BARE},? (?:always |usually |here |hier |immer )?(?:${IS_MEANT}) ${MEANING}`) },
];

/** What labels a definition instead of being defined: "Vocabulary: k8s = Kubernetes". */
const LABEL =
  /^(?:vocabulary|glossary|terms?|definitions?|abbreviations?|note|hint|example|e\.g\.|glossar|vocabulario|glossaire)\s*:\s+/iu;
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u;
const SENTENCE_END = new RegExp(`(?<=[.!?。！？][${CLOSE})]?)\\s+(?=[\\p{Lu}\\p{N}${OPEN}])`, 'u');
/** Where a meaning ends and talk about it begins. */
const AFTERTHOUGHT =
  /\s*[;(–—]|,\s|\s(?:-|not|but|because|which|who|whereas|unlike|rather than|nicht|sondern|aber|weil|pero|porque|mais|parce)\s/u;
const LEADING_ARTICLE = new RegExp(`^(?:${ARTICLE})`, 'iu');
const EDGES = new RegExp(`^[\\s"'“”‘’*_\`${OPEN}${CLOSE}]+|[\\s"'“”‘’*_\`.,:;!?。${OPEN}${CLOSE}]+$`, 'gu');

/** Every definition of a text, in order; several lines or sentences may each hold one. */
export function definitionsIn(text: string): Definition[] {
  const definitions: Definition[] = [];
  for (const line of markQuotations(text.slice(0, LONGEST_TEXT)).split('\n')) {
    for (const sentence of line.replace(LIST_MARK, '').split(SENTENCE_END)) {
      if (sentence.length > LONGEST_DEFINITION) continue;
      definitions.push(...definitionsOf(sentence.trim().replace(LABEL, '')));
      if (definitions.length >= MOST_DEFINITIONS) return definitions.slice(0, MOST_DEFINITIONS);
    }
  }
  return definitions;
}

function definitionsOf(sentence: string): Definition[] {
  for (const { pattern, isName = false } of WORDINGS) {
    const found = pattern.exec(sentence)?.groups;
    if (found === undefined) continue;
    const meant = tidyMeaning(found['meaning'] ?? '');
    if (meant === null) continue;
    return phrasesOf(found['phrase'] ?? found['bare'] ?? '').flatMap((phrase) => {
      if (phrase.toLowerCase() === meant.text.toLowerCase()) return [];
      const bothWays = !meant.describes && (isName || countWords(meant.text) === 1);
      return [{ phrase, meaning: meant.text, bothWays }];
    });
  }
  return [];
}

function phrasesOf(text: string): string[] {
  const quoted = [...text.matchAll(new RegExp(QUOTED, 'gu'))].map(([phrase]) => phrase);
  return (quoted.length > 0 ? quoted : [text])
    .map((phrase) => tidy(phrase))
    .filter((phrase) => /[\p{L}\p{N}]/u.test(phrase) && countWords(phrase) <= LONGEST_PHRASE);
}

/** `describes`: it is no name by itself. Null when nothing is left. */
function tidyMeaning(text: string): { text: string; describes: boolean } | null {
  const quoted = new RegExp(`^${QUOTED}`, 'u').exec(text.trim())?.[0];
  const end = quoted === undefined ? text.search(AFTERTHOUGHT) : -1;
  const whole = (quoted ?? (end > 0 ? text.slice(0, end) : text)).replaceAll(EDGES, '');
  const meaning = tidy(whole).split(/\s+/u).slice(0, LONGEST_MEANING).join(' ');
  if (!/[\p{L}\p{N}]/u.test(meaning)) return null;
  return { text: meaning, describes: LEADING_ARTICLE.test(whole) || countWords(meaning) > LONGEST_NAME };
}

function tidy(text: string): string {
  const bare = text.replaceAll(new RegExp(`[${OPEN}${CLOSE}]`, 'gu'), '').replaceAll(EDGES, '');
  return bare.replace(LEADING_ARTICLE, '').replaceAll(/\s+/gu, ' ').trim();
}

function markQuotations(text: string): string {
  let marked = text.replaceAll(new RegExp(`[${OPEN}${CLOSE}]`, 'gu'), ' ');
  for (const quotation of QUOTATIONS) marked = marked.replaceAll(quotation, `${OPEN}$1${CLOSE}`);
  // Code in bold, or a quotation of code, is marked once.
  return marked
    .replaceAll(new RegExp(`${OPEN}[*_"'\`]*${OPEN}`, 'gu'), OPEN)
    .replaceAll(new RegExp(`${CLOSE}[*_"'\`]*${CLOSE}`, 'gu'), CLOSE);
}

function countWords(text: string): number {
  return text.split(/\s+/u).length;
}

function wording(source: string): RegExp {
  return new RegExp(source, 'iu');
}
