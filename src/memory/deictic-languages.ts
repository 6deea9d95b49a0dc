// How the languages that chrono-node knows, and Polish, say dates that only today can tell: the words alone, as data. Each phrase is
// put into English (`next friday`, `3 days ago`), which chrono then resolves. The words are kept here because chrono's
// own parsers differ widely by language (no weeks in Spanish, Portuguese, Japanese and Chinese; `fr` in `früh` is read
// as Friday) and find dates in phrases that have none (`por la mañana`).
//
// Invariant: sources of regular expressions without capturing groups, in lower case and NFC. In templates `{x}` stands
// for a unit or a weekday, `{n}` for a number, `{u}` for a unit of time.

export const DAYS = ['the day before yesterday', 'yesterday', 'today', 'tomorrow', 'the day after tomorrow'] as const;
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** What can be `next`, `last` and `this`. */
export const SPANS = ['weekend', 'week', 'month', 'quarter', 'year'] as const;
/** What can be `ago`. */
export const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

export type Day = (typeof DAYS)[number];
export type Weekday = (typeof WEEKDAYS)[number];
export type Span = (typeof SPANS)[number];
export type Unit = (typeof UNITS)[number];

export interface DeicticLanguage {
  /** BCP 47. */
  readonly code: string;
  /** False where words are written without blanks between them. */
  readonly spaced: boolean;
  readonly days: Readonly<Record<Day, string>>;
  /** As {@link WEEKDAYS}, {@link SPANS} and {@link UNITS}, with commas between. */
  readonly weekdays: string;
  readonly spans: string;
  readonly units: string;
  readonly next: readonly string[];
  /** Like `next`, for the languages that have words for the nearest one ahead. */
  readonly coming: readonly string[];
  readonly last: readonly string[];
  readonly this: readonly string[];
  readonly ago: readonly string[];
  /** Whether a weekday that is next or last is that of next or last week, and never the nearest one. */
  readonly weekdaysByWeek?: true;
  /** The words of the numbers from 1, with commas between, and of an unsaid few. */
  readonly numbers: string;
  readonly few: string;
  /** What makes any phrase mean something else when it stands directly before it (with its blank), or behind it. */
  readonly notAfter?: string;
  readonly notBefore?: string;
  /** A word that is another one in another language: it counts only in a text that has `where`, and not `unless`. */
  readonly only?: { readonly word: string; readonly where: string; readonly unless: string };
}

const ENGLISH: DeicticLanguage = {
  code: 'en',
  spaced: true,
  days: {
    'the day before yesterday': '(?:the )?day before yesterday',
    yesterday: 'yesterday(?: (?:morning|afternoon|evening|night))?|last night',
    today: '(?:(?:earlier|later) )?today|tonight|(?:(?:earlier|later) )?this (?:morning|afternoon|evening)',
    tomorrow: 'tomorrow(?: (?:morning|afternoon|evening|night))?',
    'the day after tomorrow': '(?:the )?day after tomorrow',
  },
  weekdays: 'sunday, monday, tuesday, wednesday, thursday, friday, saturday',
  spans: 'weekend, week, month, quarter, year',
  units: 'min(?:ute)?s?, hours?, days?, weeks?, months?, years?',
  next: ['next {x}'],
  coming: ['(?:this )?coming {x}'],
  last: ['last {x}', 'this past {x}'],
  this: ['(?:(?:earlier|later) )?this {x}'],
  ago: ['{n} {u} ago'],
  numbers: 'an?|one, two|a couple(?: of)?, three, four, five, six, seven, eight, nine, ten, eleven, twelve',
  few: 'a few|several|some',
  // "the last week of a sprint", "older than 3 days ago", "the leaders of tomorrow" (but "the end of this week")
  notAfter:
    'the (?:very )?|every |each |any |no |an? |better |(?:more|less|longer|older|newer|earlier|later|further) than |before |at least |over |' +
    '(?<!(?<!\\p{L})(?:end|start|rest|beginning|middle|half|morning|afternoon|evening|part|remainder|most|all|as|because|out) )of ',
  notBefore:
    ' (?:of|in|before|after) (?:the|each|every|an?|any|q[1-4]|month|january|february|march|april|may|june|july|august|september|october|november|december)(?!\\p{L})',
};

// German, Dutch and Danish share it, and in all three it is the morning, too: "jeden Morgen", "elke morgen", "god morgen".
const MORGEN =
  '(?<!(?<!\\p{L})(?:jede[mnrs]?|gute[nr]|eine[mnrs]?|am|auf|elke|iedere|goede|de|een|hver|god|om) )morgen';

const GERMAN: DeicticLanguage = {
  code: 'de',
  spaced: true,
  days: {
    'the day before yesterday': 'vorgestern(?: abend)?',
    yesterday: 'gestern(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?|letzte nacht',
    today: 'heute(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?',
    tomorrow: `${MORGEN}(?: (?:früh|vormittag|mittag|nachmittag|abend|nacht))?`,
    'the day after tomorrow': 'übermorgen',
  },
  weekdays: 'sonntag, montag, dienstag, mittwoch, donnerstag, freitag, (?:samstag|sonnabend)',
  spans: 'wochenende, woche, monats?, quartals?, jahr(?:es)?',
  units: 'minuten?, stunden?, tag(?:en)?, wochen?, monat(?:en)?, jahr(?:en)?',
  next: ['nächste[mnrs]? {x}'],
  coming: ['kommende[mnrs]? {x}'],
  last: ['(?:letzte|vorige|vergangene)[mnrs]? {x}'],
  this: ['diese[mnrs]? {x}'],
  ago: ['vor {n} {u}'],
  numbers: 'ein(?:e[mnrs]?)?, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf',
  few: 'einigen|ein paar|mehreren|wenigen',
  // "jeden Morgen", "guten Morgen", "von heute auf morgen", "bis heute": still so
  notAfter: 'jede[mnrs]? |gute[nr] |am |eine[mnrs]? |von |bis |noch |heute auf |nicht |als |spätestens |mindestens ',
  notBefore:
    ' (?:im (?:monat|quartal|jahr|sprint|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|des|eines|einer|jedes|jeder|vor|nach|auf morgen|noch)(?!\\p{L})| (?:frist|kündigungsfrist|vorlauf)',
};

const SPANISH: DeicticLanguage = {
  code: 'es',
  spaced: true,
  days: {
    'the day before yesterday': 'anteayer|antes de ayer|antier',
    yesterday: 'ayer(?: por la (?:mañana|tarde|noche))?|anoche',
    today: 'hoy(?: por la (?:mañana|tarde|noche))?|esta (?:mañana|tarde|noche)',
    tomorrow:
      '(?<!(?<!\\p{L})(?:las?|el|una?|cada|toda|media|buena|aquella|otra|de|ayer) )mañana(?: por la (?:mañana|tarde|noche))?|' +
      '(?:(?<=(?:reunión|lunes|día|partir|antes|después) )de )mañana',
    'the day after tomorrow': 'pasado mañana',
  },
  weekdays: 'domingo, lunes, martes, miércoles, jueves, viernes, sábado',
  spans: 'fin de semana, semana, mes, trimestre, año',
  units: 'minutos?, horas?, días?, semanas?, mes(?:es)?, años?',
  next: ['próxim[oa] {x}', '{x} próxim[oa]'],
  coming: ['{x} que viene', '{x} entrante'],
  last: ['{x} pasad[oa]'],
  this: ['est[ea] {x}'],
  ago: ['hace {n} {u}', '{n} {u} atrás'],
  numbers: 'un[oa]?, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce',
  few: 'un[oa]s|algun[oa]s|vari[oa]s|poc[oa]s|un par de',
  notAfter: 'cada |todos los |todas las |más de |menos de |hasta |día de ',
  // "hoy en día": nowadays; "hace tres días de prueba": it grants three days
  notBefore:
    ' (?:en día|día|por hoy)(?!\\p{L})| (?:de|del) (?:cada|mes|prueba|retención|vacaciones|plazo|gracia)(?!\\p{L})',
};

const FRENCH: DeicticLanguage = {
  code: 'fr',
  spaced: true,
  days: {
    'the day before yesterday': 'avant-hier',
    yesterday: 'hier(?: (?:matin|midi|après-midi|soir))?',
    today: "aujourd'hui|ce (?:matin|midi|soir)|cet après-midi|cette nuit",
    tomorrow:
      '(?<!(?<!\\p{L})(?:monde|ville|société|entreprise|génération|leaders?) de )demain(?: (?:matin|midi|après-midi|soir))?',
    'the day after tomorrow': 'après-demain',
  },
  weekdays: 'dimanche, lundi, mardi, mercredi, jeudi, vendredi, samedi',
  spans: 'week-?end, semaine, mois, trimestre, (?:année|an)',
  units: 'minutes?, heures?, jours?, semaines?, mois, (?:ans?|années?)',
  next: ['{x} prochaine?', 'prochaine? {x}'],
  coming: ['{x} qui vient'],
  last: ['{x} derni(?:er|ère)', '{x} passée?'],
  this: ['ce(?:t|tte)? {x}(?:-ci)?'],
  ago: ['il y a {n} {u}'],
  numbers: 'une?, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze',
  few: 'quelques|plusieurs',
  notAfter: 'chaque |tous les |toutes les |plus de |moins de ',
  // "il y a 3 jours de congé": there are three
  notBefore: " (?:de|d'|du|des|par|entre|ouvrés?|ouvrables?|avant|après|pour)(?!\\p{L})",
  // `hier` is "here" in German and Dutch
  only: {
    word: 'hier',
    where:
      "(?:le|la|les|des|du|un|une|est|sont|était|ont|avons|nous|vous|il|elle|on|je|avec|pour|dans|sur|que|qui|à|et|au)|[cdjlmnst]'\\p{L}+|soir|matin",
    unless: '(?:der|die|das|und|ist|sind|wird|werden|nicht|wir|mit|den|dem|für|het|een|zijn|wordt|niet|wij|voor|ook)',
  },
};

const ITALIAN: DeicticLanguage = {
  code: 'it',
  spaced: true,
  days: {
    'the day before yesterday': "l'altro ieri|l'altroieri|avantieri",
    yesterday: 'ieri(?: (?:mattina|pomeriggio|sera|notte))?',
    today: "(?<!giorno d')oggi(?: pomeriggio)?|stasera|stamattina|stamani|stanotte",
    tomorrow: 'domani(?: (?:mattina|pomeriggio|sera))?',
    'the day after tomorrow': 'dopodomani',
  },
  weekdays: 'domenica, lunedì, martedì, mercoledì, giovedì, venerdì, sabato',
  spans: '(?:fine settimana|weekend), settimana, mese, trimestre, anno',
  units: 'minut[oi], or[ae], giorn[oi], settiman[ae], mes[ei], ann[oi]',
  next: ['prossim[oa] {x}', '{x} prossim[oa]'],
  coming: ['{x} entrante'],
  last: ['scors[oa] {x}', '{x} (?:scors|passat)[oa]'],
  this: ["(?:quest[oa] |quest'){x}"],
  ago: ['{n} {u} fa'],
  numbers: "un[oa']?, due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici",
  few: 'alcun[ie]|qualche|poch[ie]|un paio di',
  notAfter: 'ogni |più di |meno di |tutti i |tutte le ',
  notBefore: " (?:del|della|dell'|di ogni|giorno)(?!\\p{L})",
};

// Without `-feira` they are ordinals, too: "esta segunda versão".
const FEIRA = '(?:-feira|(?= passada| que vem|[.,;:!?]|$))';

const PORTUGUESE: DeicticLanguage = {
  code: 'pt',
  spaced: true,
  days: {
    'the day before yesterday': 'anteontem',
    yesterday: 'ontem(?: (?:de manhã|à tarde|à noite))?',
    today: 'hoje(?: (?:de manhã|à tarde|à noite))?|(?:n?esta) (?:manhã|tarde|noite)',
    tomorrow: 'amanhã(?: (?:de manhã|à tarde|à noite))?',
    'the day after tomorrow': 'depois de amanhã',
  },
  weekdays: 'domingo, segunda{feira}, terça{feira}, quarta{feira}, quinta{feira}, sexta{feira}, sábado'.replaceAll(
    '{feira}',
    FEIRA,
  ),
  spans: 'fi(?:m|nal) de semana, semana, mês, trimestre, ano',
  units: 'minutos?, horas?, dias?, semanas?, m(?:ês|eses), anos?',
  next: ['próxim[oa] {x}', '{x} próxim[oa]'],
  coming: ['{x} que vem'],
  last: ['{x} passad[oa]'],
  this: ['n?est[ea] {x}'],
  ago: ['há {n} {u}', '{n} {u} atrás'],
  numbers: 'uma?, dois|duas, três, quatro, cinco, seis, sete, oito, nove, dez, onze, doze',
  few: 'algun?s|algumas|pouc[oa]s|vári[oa]s|um par de',
  notAfter: 'cada |todos os |todas as |mais de |menos de |até ',
  notBefore: ' (?:em dia)(?!\\p{L})| (?:de|do|da) (?:cada|mês|teste|retenção|férias|prazo|carência)(?!\\p{L})',
};

const DUTCH: DeicticLanguage = {
  code: 'nl',
  spaced: true,
  days: {
    'the day before yesterday': 'eergisteren',
    yesterday: 'gister(?:en|ochtend|middag|avond|nacht)',
    today: 'vandaag|van(?:ochtend|morgen|middag|avond|nacht)',
    tomorrow: `${MORGEN}(?:ochtend|middag|avond| vroeg)?`,
    'the day after tomorrow': 'overmorgen',
  },
  weekdays: 'zondag, maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag',
  spans: 'weekend, week, maand, kwartaal, jaar',
  units: 'min(?:uut|uten), u(?:ur|ren), dag(?:en)?, we(?:ek|ken), maand(?:en)?, ja(?:ar|ren)',
  next: ['volgende? {x}'],
  coming: ['(?:komende?|aanstaande) {x}'],
  last: ['(?:vorige?|afgelopen) {x}'],
  this: ['(?:deze|dit) {x}'],
  ago: ['{n} {u} geleden'],
  numbers: 'een|één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf',
  few: 'een paar|enkele|een aantal',
  notAfter: 'elke |iedere |ieder |meer dan |minder dan |tot ',
  notBefore: ' (?:van de|van het|van elke|van elk|in elke)(?!\\p{L})',
};

const SWEDISH: DeicticLanguage = {
  code: 'sv',
  spaced: true,
  days: {
    'the day before yesterday': 'i förrgår',
    yesterday: 'i ?går(?:kväll)?',
    today: 'i ?dag|i ?kväll|i morse|i ?natt',
    tomorrow: 'i ?morgon(?: (?:bitti|förmiddag|eftermiddag|kväll))?',
    'the day after tomorrow': 'i ?övermorgon',
  },
  weekdays: 'söndag(?:en)?, måndag(?:en)?, tisdag(?:en)?, onsdag(?:en)?, torsdag(?:en)?, fredag(?:en)?, lördag(?:en)?',
  spans: 'helg(?:en)?, veck(?:a|an), månad(?:en)?, kvartal(?:et)?, år(?:et)?',
  units: 'minut(?:er)?, timm(?:e|ar), dag(?:ar)?, veck(?:a|or), månad(?:er)?, år',
  next: ['nästa {x}'],
  coming: ['kommande {x}'],
  last: ['förra {x}'],
  this: ['(?:denna|detta|den här|det här) {x}'],
  ago: ['(?:för )?{n} {u} sedan'],
  numbers: 'en|ett, två, tre, fyra, fem, sex, sju, åtta, nio, tio, elva, tolv',
  few: 'några(?: få)?|ett par',
  notAfter: 'varje |mer än |mindre än ',
};

const FINNISH: DeicticLanguage = {
  code: 'fi',
  spaced: true,
  days: {
    'the day before yesterday': 'toissapäivänä',
    yesterday: 'eilen(?: illalla)?',
    today: 'tänään|tänä (?:aamuna|iltana)',
    tomorrow: 'huomenna',
    'the day after tomorrow': 'ylihuomenna',
  },
  weekdays: 'sunnuntaina, maanantaina, tiistaina, keskiviikkona, torstaina, perjantaina, lauantaina',
  spans: 'viikonloppuna, viikolla, kuussa, kvartaalilla, vuonna',
  units: 'minuutti?a?, tunti?a?, päivää?, viikkoa?, kuukau(?:si|tta), vuo(?:si|tta)',
  next: ['ensi {x}'],
  coming: ['tulevana {x}'],
  last: ['viime {x}'],
  this: ['(?:tällä|tässä|tänä) {x}'],
  ago: ['(?:{n} )?{u} sitten'],
  numbers: 'yksi, kaksi, kolme, neljä, viisi, kuusi, seitsemän, kahdeksan, yhdeksän, kymmenen, yksitoista, kaksitoista',
  few: 'muutama|pari',
  // `eilen` is "to hurry" in German
  only: {
    word: 'eilen',
    where: '\\p{L}*(?:ää|yy|öö|uu|ii|ttiin|imme|tiin)\\p{L}*|ja|on|oli|ei|että',
    unless: '(?:der|die|das|und|wir|zu|den|sie)',
  },
};

const POLISH: DeicticLanguage = {
  code: 'pl',
  spaced: true,
  days: {
    'the day before yesterday': 'przedwczoraj',
    yesterday: 'wczoraj(?: (?:rano|wieczorem|w nocy|po południu))?|(?:zeszłej|ubiegłej|minionej) nocy',
    // "do dziś": still so
    today: '(?<!(?<!\\p{L})do )dzi(?:ś|siaj)(?: (?:rano|wieczorem|w nocy|po południu))?',
    // "lepsze jutro": a better tomorrow; "dobro jutro" is good morning in Croatian
    tomorrow: '(?<!(?<!\\p{L})(?:lepsze|dobro) )jutr[oa](?: (?:rano|wieczorem|w nocy|po południu))?',
    'the day after tomorrow': 'pojutrz[ea]',
  },
  weekdays: 'niedziel[aęi], poniedział(?:ek|ku), wtor(?:ek|ku), środ[aęy], czwart(?:ek|ku), piąt(?:ek|ku), sobot[aęy]',
  spans: 'weekend(?:zie|u)?, ty(?:dzień|godni[ua]), miesiąc[ua]?, kwarta(?:le|łu|ł), roku?',
  units: 'minut[ęy]?, godzin[ęy]?, (?:dzień|dni), ty(?:dzień|godnie|godni), miesi(?:ąc|ące|ęcy), (?:rok|lata|lat)',
  next: ['(?:przyszł|następn)(?:ym|ego|ej|y|ą|a) {x}'],
  coming: ['(?:nadchodząc|najbliższ)(?:ym|ego|ej|y|ą|a) {x}'],
  last: ['(?:zeszł|ubiegł|minion)(?:ym|ego|ej|y|ą|a) {x}'],
  // "ten weekend" alone is English, too
  this: ['(?:w ten|t(?:ym|ego|ej|ę|ą)|bieżąc(?:ym|ego|ej|y|ą)) {x}'],
  ago: ['(?:{n} )?{u} temu'],
  numbers:
    'jed(?:en|ną|na), dw(?:a|ie), trzy, cztery, pięć, sześć, siedem, osiem, dziewięć, dziesięć, jedenaście, dwanaście',
  few: 'kilka|parę',
  notAfter: 'każd(?:ego|ym|ej|y|ą) |niż |ponad |co najmniej ',
  notBefore: ' (?:każdego|każdej)(?!\\p{L})',
};

const RUSSIAN: DeicticLanguage = {
  code: 'ru',
  spaced: true,
  days: {
    'the day before yesterday': 'позавчера',
    yesterday: 'вчера(?: (?:утром|дн[её]м|вечером))?',
    today: 'сегодня(?: (?:утром|дн[её]м|вечером))?',
    tomorrow: 'завтра(?: (?:утром|дн[её]м|вечером))?',
    'the day after tomorrow': 'послезавтра',
  },
  weekdays: 'воскресень[ею], понедельник, вторник, сред[уы], четверг, пятниц[уы], суббот[уы]',
  spans: 'выходн(?:ые|ых), недел[еюяи], месяц[ае]?, квартал[ае]?, год[ау]?',
  units: 'минут[уы]?, час(?:а|ов)?, (?:день|дня|дней), недел[юьи], месяц(?:а|ев)?, (?:год(?:а)?|лет)',
  next: ['(?:следующ|будущ)(?:ий|ую|ая|ее|ей|ем|его|ие|их) {x}'],
  coming: ['ближайш(?:ий|ую|ая|ее|ей|ем|ие|их) {x}'],
  last: ['прошл(?:ый|ую|ая|ое|ой|ом|ого|ые|ых) {x}'],
  this: ['эт(?:от|у|а|о|ой|ом|ого|и|их) {x}'],
  ago: ['(?:{n} )?{u} назад'],
  numbers: 'од(?:ин|ну|на), дв[ае], три, четыре, пять, шесть, семь, восемь, девять, десять, одиннадцать, двенадцать',
  few: 'несколько|пару',
  notAfter: 'кажд(?:ый|ую|ое|ые) |более |больше |чем |до ',
  notBefore: ' (?:после|до) ',
};

const UKRAINIAN: DeicticLanguage = {
  code: 'uk',
  spaced: true,
  days: {
    'the day before yesterday': 'позавчора',
    yesterday: 'вчора(?: (?:вранці|вдень|ввечері|увечері))?|учора',
    today: 'сьогодні(?: (?:вранці|вдень|ввечері|увечері))?',
    tomorrow: 'завтра(?: (?:вранці|вдень|ввечері|увечері))?',
    'the day after tomorrow': 'післязавтра',
  },
  weekdays: "неділ[іюя], понеділ(?:ок|ка), вівтор(?:ок|ка), серед[иу], четверга?, п'ятниц[іюя], субот[иу]",
  spans: 'вихідн(?:і|их), ти(?:ждень|жня|жні), місяц[яі]?, квартал[уі]?, (?:рік|року|році)',
  units: 'хвилин[иу]?, годин[иу]?, (?:день|дні|днів), (?:тиждень|тижні|тижнів), місяц(?:ь|і|ів), (?:рік|роки|років)',
  next: ['наступн(?:ий|а|у|ої|ого|ому|і|их) {x}'],
  coming: ['найближч(?:ий|а|у|ої|ого|ому|і|их) {x}'],
  last: ['минул(?:ий|а|у|ої|ого|ому|і|их) {x}'],
  this: ['ц(?:ей|я|ю|ього|ієї|ьому|і|их) {x}'],
  ago: ['(?:{n} )?{u} тому'],
  numbers: "од(?:ин|ну|на), дв[аі], три, чотири, п'ять, шість, сім, вісім, дев'ять, десять, одинадцять, дванадцять",
  few: 'кілька|декілька|пару',
  notAfter: 'кож(?:ен|ну|ного|ної) |більше |ніж |до ',
  notBefore: ' (?:після|до) ',
};

const JAPANESE: DeicticLanguage = {
  code: 'ja',
  weekdaysByWeek: true,
  spaced: false,
  days: {
    'the day before yesterday': '一昨日|おととい',
    yesterday: '(?<!一)昨日|きのう|昨[夜晩]',
    today: '今日(?![はわ][。！!、]|头|頭)|きょう(?=[はのに、])|本日|今[朝晩夜]|今夕',
    tomorrow: '明日(?![香葉菜])|あした',
    'the day after tomorrow': '明後日|あさって',
  },
  weekdays: 'の?日曜日?, の?月曜日?, の?火曜日?, の?水曜日?, の?木曜日?, の?金曜日?, の?土曜日?',
  spans: '週末, 週, 月, 四半期, 年',
  units: '分, 時間, 日, 週間, [かヶカケ個]月, 年',
  next: ['来週{x}', '来{x}(?![間度])', '明(?=年){x}'],
  coming: ['次の{x}'],
  last: ['先週{x}', '先{x}(?![間度])', '去(?=年){x}', '昨(?=年){x}(?!度)'],
  this: ['今週{x}', '今{x}(?![間度])'],
  // "期限の3日前に": three days before something
  ago: ['(?<!の){n}{u}前(?=[に、から。]|$)'],
  numbers: '一, 二, 三, 四, 五, 六, 七, 八, 九, 十, 十一, 十二',
  few: '数',
};

const ZH_WEEK = '(?:周|週|[个個]?(?:星期|礼拜|禮拜))';

const CHINESE: DeicticLanguage = {
  code: 'zh',
  weekdaysByWeek: true,
  spaced: false,
  days: {
    'the day before yesterday': '(?<!提)前天(?![数數])',
    yesterday: '昨[天日晚夜]',
    today: '今天|今日(?!头条|頭條)|今[早晚]',
    tomorrow: '明[天早晚]|明日(?![香葉菜])',
    'the day after tomorrow': '(?:后天|後天)(?![性习習获獲养養形因疾免])',
  },
  weekdays: '{w}[日天], {w}一, {w}二, {w}三, {w}四, {w}五, {w}六'.replaceAll('{w}', ZH_WEEK),
  spans: `[个個]?[周週]末, ${ZH_WEEK}, [个個]?月, [个個]?季度, 年`,
  units: `分[钟鐘], [个個]?小[时時], 天, ${ZH_WEEK}, [个個]月, 年`,
  next: ['下{x}(?<!年)(?![期间間])', '明(?=年){x}'],
  coming: [],
  last: ['上{x}(?<!年)(?![期间間])', '去(?=年){x}'],
  this: ['[这這本]{x}(?![期间間轮輪])', '今(?=年){x}'],
  // "到期3天前提醒": three days before it is due
  ago: ['(?<=^|[，。；：、,.;:\\s在于於从從自是我们們]){n}{u}前(?!的)'],
  numbers: '一, [二两兩], 三, 四, 五, 六, 七, 八, 九, 十, 十一, 十二',
  few: '几|幾|数|數',
};

const VIETNAMESE: DeicticLanguage = {
  code: 'vi',
  spaced: true,
  days: {
    'the day before yesterday': 'hôm kia',
    yesterday: '(?:sáng |chiều |tối )?hôm qua|đêm qua|tối qua',
    today: '(?:sáng |chiều |tối )?hôm nay|(?:sáng|chiều|tối) nay',
    tomorrow: '(?:sáng |chiều |tối )?ngày mai',
    'the day after tomorrow': 'ngày kia',
  },
  weekdays: 'chủ nhật, thứ (?:hai|2), thứ (?:ba|3), thứ (?:tư|4), thứ (?:năm|5), thứ (?:sáu|6), thứ (?:bảy|7)',
  spans: 'cuối tuần, tuần, tháng, quý, năm',
  units: 'phút, (?:giờ|tiếng), ngày, tuần, tháng, năm',
  next: ['{x} (?:sau|tới)', '{x} tuần (?:sau|tới)'],
  coming: [],
  last: ['{x} (?:trước|qua|ngoái)', '{x} tuần trước'],
  this: ['{x} này', '{x} nay'],
  ago: ['{n} {u} trước'],
  numbers: 'một, hai, ba, bốn, năm, sáu, bảy, tám, chín, mười, mười một, mười hai',
  few: 'vài|mấy',
  notAfter: 'mỗi |mọi |hàng |hơn |trong |đầu |một |các |những |\\d ',
  notBefore: ' (?:khi|đó|của|ngày hết hạn)',
};

const INDONESIAN: DeicticLanguage = {
  code: 'id',
  spaced: true,
  days: {
    'the day before yesterday': 'kemarin lusa',
    yesterday: 'kemarin(?: (?:pagi|siang|sore|malam))?|tadi malam|semalam',
    today: 'hari ini|(?:pagi|siang|sore|malam) ini',
    tomorrow: 'besok(?: (?:pagi|siang|sore|malam))?',
    'the day after tomorrow': 'besok lusa',
  },
  weekdays:
    "hari minggu, (?:hari )?senin, (?:hari )?selasa, (?:hari )?rabu, (?:hari )?kamis, (?:hari )?jum'?at, (?:hari )?sabtu",
  spans: 'akhir pekan, (?:minggu|pekan), bulan, kuartal, tahun',
  units: 'menit, jam, hari, (?:minggu|pekan), bulan, tahun',
  next: ['{x} depan'],
  coming: ['{x} mendatang'],
  last: ['{x} (?:yang )?lalu'],
  this: ['{x} ini'],
  ago: ['{n} {u} (?:yang )?lalu'],
  numbers: 'satu, dua, tiga, empat, lima, enam, tujuh, delapan, sembilan, sepuluh, sebelas, dua belas',
  few: 'beberapa',
  notAfter: 'setiap |tiap |lebih dari |\\d ',
};

const ARABIC: DeicticLanguage = {
  code: 'ar',
  spaced: true,
  days: {
    'the day before yesterday': 'أول (?:من )?أمس',
    yesterday: '(?:مساء |صباح |ليلة )?أمس',
    // `اليوم` alone is "the day", too
    today: 'هذا (?:اليوم|الصباح|المساء)|هذه الليلة',
    // without its ending, `غدا` is "became"
    tomorrow: '(?:يوم )?غد[\\u0627\\u064b]{2}|يوم غد',
    'the day after tomorrow': 'بعد غد',
  },
  weekdays:
    '(?:يوم )?الأحد, (?:يوم )?[اإ]لاثنين, (?:يوم )?الثلاثاء, (?:يوم )?الأربعاء, (?:يوم )?الخميس, (?:يوم )?الجمعة, (?:يوم )?السبت',
  spans: 'عطلة نهاية الأسبوع, الأسبوع, الشهر, الربع, (?:العام|السنة)',
  units:
    '(?:دقيقة|دقائق), (?:ساعة|ساعات), (?:يوم|أيام|يوما|يومًا), (?:أسبوع|أسابيع), (?:شهر|أشهر|شهور), (?:سنة|سنوات|عام|أعوام)',
  next: ['{x} (?:القادمة?|المقبلة?)'],
  coming: [],
  last: ['{x} (?:الماضية?|الفائتة?)'],
  this: ['هذ[اه]ه? {x}'],
  ago: ['(?:قبل|منذ) (?:{n} )?{u}'],
  numbers: 'واحد, اثنين, ثلاثة?, أربعة?, خمسة?, ستة?, سبعة?, ثمانية?, تسعة?, عشرة?, أحد عشر, اثني عشر',
  few: 'بضعة|عدة',
  notAfter: 'كل |أكثر من |أقل من ',
  notBefore: ' (?:من|على|قبل|بعد)(?!\\p{L})',
};

/** Every language that chrono-node has, and Polish; English first: where two share a word, the earlier one's meaning is told. */
export const DEICTIC_LANGUAGES: readonly DeicticLanguage[] = [
  ENGLISH,
  GERMAN,
  SPANISH,
  FRENCH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  SWEDISH,
  FINNISH,
  POLISH,
  RUSSIAN,
  UKRAINIAN,
  JAPANESE,
  CHINESE,
  VIETNAMESE,
  INDONESIAN,
  ARABIC,
];
