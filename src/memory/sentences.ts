// Counts the sentences of a statement, for the advice to keep one fact an item. Invariant: a dot that ends no sentence
// (versions, abbreviations, addresses, code, ordinals) never makes two of one.
import { maskLiterals } from './literal-text.ts';

// Abbreviations that stand before a capital, with their dots; the last dot of a sentence is left out on purpose.
const ABBREVIATIONS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'e\\.g|i\\.e|etc|vs|cf|approx|incl|excl|resp|mr|mrs|ms|dr|prof|sr|jr|st|no|nr|fig|sec|ch|vol|inc|ltd|co|corp|dept|est|max|min',
    'a\\.m|p\\.m|u\\.s|u\\.k|e\\.u|ph\\.d|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec',
    'z\\. ?b|d\\. ?h|u\\. ?a|bzw|ca|abs|evtl|ggf|inkl|exkl|usw|vgl|str|tel|mio|mrd',
    'p\\. ?ej|ee\\. ?uu|sra|srta|dra|ud|uds|núm|pág|p\\. ?ex|mme|mlle|av|env|sig|dott|ecc|es|bijv|dhr|mevr|т\\. ?е|т\\. ?д|т\\. ?п|г|ул|руб',
  ].join('|')})\\.(?=\\s+\\S)`,
  'giu',
);
const INITIAL = /(?<![\p{L}\p{N}])(\p{Lu})\.(?=\s?\p{Lu})/gu;
const MONTHS =
  'januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|quartal|stock|etage|januari|februari|mars|juni|juli|augusti|oktober|tammikuuta|helmikuuta';
const ORDINAL = new RegExp(`(\\d{1,4})\\.(?=\\s(?:${MONTHS})(?!\\p{L}))`, 'giu');
const LIST_NUMBER = /^(\s*\d{1,3})\.(?=\s)/gmu;

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** How many sentences a text has, in any language that ends them with `.`, `!`, `?` or their like; 0 without letters. */
export function countSentences(statement: string): number {
  const readable = maskLiterals(statement.normalize('NFC'))
    .replace(ABBREVIATIONS, (abbreviation) => abbreviation.replaceAll('.', ''))
    .replace(INITIAL, '$1')
    .replace(ORDINAL, '$1')
    .replace(LIST_NUMBER, '$1')
    .replace(/[!?](?=[-\p{L}\p{N}])/gu, '')
    // A line that is merely wrapped ends no sentence; a blank line and a list's next item do.
    .replace(/(?<!\n)\n(?!\n|\s*(?:[-*+•]|\d{1,3}[.)]?)\s)/gu, ' ');
  const sentences = Array.from(SEGMENTER.segment(readable), (segment) => segment.segment);
  return sentences.filter((sentence) => /[\p{L}\p{N}\ufffc]/u.test(sentence)).length;
}
