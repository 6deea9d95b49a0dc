// Finds dates in a statement that only the day of its writing can tell (`tomorrow`, `3 days ago`), because they become
// wrong when they are read later. Invariant: in doubt there is none; to store a wrong date is bad, to refuse a right
// statement is worse. Loads chrono-node's English, some 45 ms, so import this when it is first needed.
import { resolveMeaning } from './deictic-meaning.ts';
import { type DeicticPhrase, findDeicticPhrases } from './deictic-phrases.ts';
import { maskLiterals } from './literal-text.ts';

export interface DeicticDate {
  /** As it stands in the statement. */
  readonly phrase: string;
  /**
   * What it means today, in the zone of this machine: `2026-09-16`; `2026-09-14 to 2026-09-20` for a week, month,
   * quarter or year; `2026-09-18 or 2026-09-25` where people mean either (`next Friday`).
   */
  readonly absolute: string;
  /** UTF-16 offset into the statement in NFC. */
  readonly index: number;
}

/** The first deictic date of a statement; null if it has none. `now` is when the statement is written. */
export function findDeicticDate(statement: string, now: Date): DeicticDate | null {
  const text = statement.normalize('NFC');
  const readable = maskLiterals(text).replaceAll('’', "'");
  const found = findDeicticPhrases(foldCase(readable)).find((phrase) => isMeant(phrase, readable));
  if (!found) return null;
  const phrase = text.slice(found.index, found.index + found.length);
  return { phrase, absolute: resolveMeaning(found.meaning, now), index: found.index };
}

/** Lower case and blanks for all white space, at the same length, which `İ` in lower case would change. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  const folded = lower.length === text.length ? lower : text.replace(/\p{Lu}/gu, lowerCaseOfLength);
  return folded.replace(/\s/gu, ' ');
}

function lowerCaseOfLength(capital: string): string {
  const lower = capital.toLowerCase();
  return lower.length === capital.length ? lower : capital;
}

/** Whether the words say when something is, rather than name, quote or repeat. */
function isMeant(phrase: DeicticPhrase, text: string): boolean {
  const before = text.slice(0, phrase.index);
  const after = text.slice(phrase.index + phrase.length);
  const sentence = /[^.!?。！？\n]*$/u.exec(before)?.[0] ?? '';
  const rest = /^[^.!?。！？\n]*/u.exec(after)?.[0] ?? '';
  return (
    !isName(phrase, before, text) &&
    !NAMED_THING.test(after) &&
    !(after.startsWith("'s") && !EVENT.test(rest.toLowerCase())) &&
    !MENTION.test(sentence.toLowerCase()) &&
    !HABIT.test(`${sentence} ${rest}`.toLowerCase())
  );
}

// "Today view", "Tomorrow Night theme", "Tomorrow Corp"
const NAMED_THING =
  /^ (?:theme|show|view|tab|page|screen|widget|button|badge|panel|column|filter|field|label|toggle|keyword|option|parameter|variable|flag|endpoint|Night|Corp|Corporation|Inc|Ltd|LLC|GmbH|AG|Labs?|Group|Bank|Capital|Ventures|Studios?|Media|Magazine|Foundation|Project|in Review|I [Ll]earned)(?!\p{L})/u;
// "yesterday's meeting" was one day's, "yesterday's orders" are any day's
const EVENT =
  /^'s (?:\p{L}+ )?(?:meeting|call|stand-?up|sync|retro(?:spective)?|demo|review|deploy(?:ment)?|release|launch|outage|incident|decision|session|workshop|interview|conversation|discussion|talk|announcement|vote|hotfix|rollback|migration)(?!\p{L})/u;
const MENTION =
  /\b(?:words?|terms?|phrases?|strings?|labels?|keywords?|wordings?|expressions?|called|named|titled|labell?ed|means?|meaning|such as|e\.g\.|accepts|parses|understands)[:,]? $|\b(?:words|terms|phrases|expressions|wordings|keywords)(?!\p{L})|\b(?:dates?|strings?|inputs?|values?) (?:like|such as|e\.g\.|including) |(?:wort|wörtern?|begriffe?|ausdr[uü]ck\p{L}*|palabras?|mots?|parol[ae]|palavras?|słow[oa]) (?:wie |como |comme |come |jak )?$/u;
// What happens every time, or by default, is true on any day: "every morning the bot posts what happened yesterday"
const HABIT =
  /(?<!\p{L})(?:(?:every|each) (?:single )?(?:day|night|morning|evening|afternoon|week|weekday|month|quarter|year|hour|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|daily|nightly|hourly|weekly|whenever|always|default|standardmäßig|por defecto|par défaut|täglich|nächtlich|wöchentlich|immer|jede[nrs]? (?:tag|nacht|morgen|abend|woche|monat|jahr|mal)|diariamente|siempre|cada (?:día|noche|mañana|semana|mes|año|vez)|todos los días|todas las (?:noches|mañanas)|chaque (?:jour|nuit|matin|soir|semaine|mois|fois)|tous les (?:jours|matins|soirs|mois)|toujours|ogni (?:giorno|notte|mattina|settimana|mese|volta)|sempre|todos os dias|todas as noites|cada (?:dia|noite|mês)|elke (?:dag|nacht|ochtend|week|maand|keer)|altijd|каждый (?:день|раз|месяц)|каждую (?:ночь|неделю)|всегда|щодня|завжди|varje (?:dag|natt|vecka)|alltid|joka (?:päivä|yö|viikko)|aina|codziennie|conocnie|co (?:dzień|noc|rano|tydzień|miesiąc|kwartał)|każdego (?:dnia|ranka|wieczoru|tygodnia|miesiąca)|każdej nocy|każdy (?:dzień|poniedziałek|piątek)|zawsze|domyślnie)(?!\p{L})|毎[日朝晩週月年回]|いつも|每[天日晚周月年次]|总是|總是/u;

/** A capital where a word of the sentence would have none: "USA Today", "This Week in Rust", "Tomorrowland". */
function isName(phrase: DeicticPhrase, before: string, text: string): boolean {
  const words = text.slice(phrase.index, phrase.index + phrase.length);
  if (isShouted(text)) return false;
  if (/^\p{Lu}{2}/u.test(words)) return true;
  const starts = /(?:^|[.!?:;。！？\n—–(•*>-]|^\d+[.)])[\s*_]*$/u.test(before);
  if (/^\p{Lu}/u.test(words) && !starts && !phrase.startsWithWeekday) return true;
  const later = words.split(/\s+/u).slice(1);
  const hasWeekday = phrase.meaning.kind === 'weekday' || phrase.meaning.kind === 'weekday-of-week';
  return phrase.language !== 'de' && !hasWeekday && later.some((word) => /^\p{Lu}/u.test(word));
}

function isShouted(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Lu}/u.test(letter)).length > letters.length * 0.7 && letters.length > 12;
}
