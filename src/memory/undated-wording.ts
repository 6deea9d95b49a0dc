// Wordings that age without naming a day: `currently`, `recently`, `in two weeks`, `by Friday`. They are stored, with
// a warning. Invariant: nothing here refuses, so a wording that is sometimes timeless may be listed.
import { maskLiterals } from './literal-text.ts';

export interface Wording {
  /** As it stands in the statement. */
  readonly phrase: string;
  /** UTF-16 offset into the statement in NFC. */
  readonly index: number;
}

/** The first word that says "as things stand" (`currently`, `derzeit`, `目前`); it is worth an `as_of`. */
export function findUndatedCurrency(statement: string): Wording | null {
  return findWording(statement, CURRENCY);
}

/** The first wording that counts from the day of writing, but is no deictic date: `soon`, `in two weeks`, `by Friday`. */
export function findRelativeWording(statement: string): Wording | null {
  return findWording(statement, RELATIVE);
}

function findWording(statement: string, wordings: readonly RegExp[]): Wording | null {
  const text = statement.normalize('NFC');
  const readable = maskLiterals(text).replaceAll('’', "'");
  const matches = wordings.map((wording) => wording.exec(readable)).filter((match) => match !== null);
  const first = matches.sort((a, b) => a.index - b.index || b[0].length - a[0].length)[0];
  return first ? { phrase: text.slice(first.index, first.index + first[0].length), index: first.index } : null;
}

function spaced(...words: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_./-])(?:${words.join('|')})(?![\\p{L}\\p{N}\\p{M}_(]|-\\p{L})`, 'iu');
}

const CURRENCY: readonly RegExp[] = [
  spaced(
    'currently|at (?:the moment|present|this (?:time|point))|presently|(?:right|for|as of|until|up to) now|nowadays|these days|for the time being|so far|to date|until further notice',
    'derzeit|zurzeit|zur zeit|momentan|im (?:moment|augenblick)|aktuell|gegenwärtig|vorerst|bis auf weiteres|heutzutage|bis heute|noch heute|bislang|bisher',
    'actualmente|en (?:este momento|la actualidad)|(?:de|por el) momento|por ahora|ahora mismo|hoy (?:en )?día|a día de hoy|hasta ahora',
    "actuellement|en ce moment|pour (?:le moment|l'instant)|à l'heure actuelle|présentement|de nos jours|à ce jour|jusqu'à présent",
    "attualmente|(?:al|in questo|per il) momento|per (?:ora|adesso)|oggigiorno|al giorno d'oggi|finora",
    'atualmente|(?:no|neste) momento|por (?:enquanto|agora)|hoje em dia|até agora',
    'momenteel|op (?:dit|het) moment|voorlopig|tegenwoordig|tot nu toe|thans',
    'för (?:närvarande|tillfället)|just nu|tills vidare|numera|hittills',
    'tällä hetkellä|nykyään|nykyisin|toistaiseksi',
    'obecnie|aktualnie|w (?:tej chwili|tym momencie)|na razie|do tej pory|jak dotąd|do dziś|do dzisiaj',
    'сейчас|в настоящее время|(?:на|в) (?:данный|текущий) момент|пока что|до сих пор|ныне',
    'зараз|наразі|на (?:даний|цей) момент|поки що|досі|нині',
    'hiện (?:tại|nay|giờ)|bây giờ|tạm thời|lúc này',
    'saat ini|sekarang|(?:untuk )?sementara(?: ini)?|kini',
    'حالي[اًا]{1,2}|في الوقت (?:الحالي|الراهن)|الآن|مؤقت[اًا]{1,2}',
  ),
  /現在(?![地])|現時点|今のところ|当面|目下|今は|目前|[当當]前(?![目用页頁])|现在|[暂暫]时|暫時|眼下|[至迄]今/u,
];

const NUMBER = '(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|a couple of|several)';
const UNIT = '(?:hours?|days?|weeks?|months?|quarters?|years?|sprints?)';
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const PERIOD =
  '(?:spring|summer|autumn|fall|winter|sprint|iteration|semester|fiscal year|january|february|march|april|may|june|july|august|september|october|november|december)';

const RELATIVE: readonly RegExp[] = [
  spaced(
    `in ${NUMBER} ${UNIT}|${NUMBER} ${UNIT} from now|(?:in|over|for) the (?:last|past|next|coming) (?:${NUMBER} )?${UNIT}|the ${UNIT} (?:after next|before last)`,
    `(?:next|last|this|this coming) ${PERIOD}|(?:by|until|before|due|due on|this past) ${WEEKDAY}|(?:by )?(?:the )?end of (?:the )?(?:day|week|month|quarter|year)|EOD|EOW`,
    'soon|recently|lately|shortly|just now|the other day|(?:a|some|a long) (?:while|time) ago|long ago|in the (?:near|foreseeable) future|upcoming',
    'in (?:\\d{1,3}|einem|einer|zwei|drei|vier|fünf|sechs|acht|zehn|einigen|wenigen) (?:stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)|bald|demnächst|neulich|kürzlich|in letzter zeit|vor kurzem|in kürze|(?:bis|vor) (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)',
    '(?:en|dentro de) (?:\\d{1,3}|un[oa]?|dos|tres|cuatro|cinco|seis|un[oa]s) (?:horas?|días?|semanas?|mes(?:es)?|años?)|pronto|recientemente|últimamente|hace poco|próximamente|(?:antes del|para el|hasta el) (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)',
    "dans (?:\\d{1,3}|une?|deux|trois|quatre|cinq|six|quelques) (?:heures?|jours?|semaines?|mois|ans?|années?)|bientôt|récemment|dernièrement|prochainement|sous peu|d'ici (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)",
    '(?:tra|fra) (?:\\d{1,3}|un[oa]?|due|tre|quattro|cinque|sei) (?:or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi])|presto|recentemente|di recente|a breve',
    'em (?:\\d{1,3}|uma?|dois|duas|três|quatro|cinco|seis) (?:horas?|dias?|semanas?|m(?:ês|eses)|anos?)|em breve|recentemente|ultimamente|há pouco',
    'over (?:\\d{1,3}|een|twee|drie|vier|vijf|zes) (?:uur|dagen?|we(?:ek|ken)|maand(?:en)?|jaar)|binnenkort|onlangs|recent',
    'za (?:\\d{1,3} |dw(?:a|ie) |trzy |cztery |pięć |kilka |parę )?(?:godzin[ęy]?|dzień|dni|tydzień|tygodnie|tygodni|miesiąc|miesiące|miesięcy|rok|lata|lat)|wkrótce|niebawem|niedługo|niedawno|ostatnio',
    'через (?:\\d{1,3} |пару |несколько )?(?:час(?:а|ов)?|д(?:ень|ня|ней)|недел[юьи]|месяц(?:а|ев)?|год(?:а)?|лет)|скоро|недавно|незабаром|нещодавно',
  ),
  /まもなく|もうすぐ|最近|近々|近日|先日|[0-9０-９一二三四五六七八九十]+(?:日|週間|[かヶ]月|年)後|不久|最近|近期|[0-9一二两三四五六七八九十]+(?:天|周|个月|年)[后後]/u,
];
