import { de, en, es, fr, it, ja, nl, pt, ru, uk, zh } from 'chrono-node';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDeicticDate } from './deictic-dates.ts';

/** A Tuesday. */
const NOW = new Date(2026, 8, 15, 10, 31);
const [YESTERDAY, TODAY, TOMORROW] = ['2026-09-14', '2026-09-15', '2026-09-16'];
const [BEFORE, AFTER] = ['2026-09-13', '2026-09-17'];
const NEXT_FRIDAY = '2026-09-18 or 2026-09-25';
const [LAST_FRIDAY, FRIDAY] = ['2026-09-11', '2026-09-18'];
const [LAST_WEEK, THIS_WEEK, NEXT_WEEK] = [
  '2026-09-07 to 2026-09-13',
  '2026-09-14 to 2026-09-20',
  '2026-09-21 to 2026-09-27',
];
const [LAST_MONTH, THIS_MONTH, NEXT_MONTH] = [
  '2026-08-01 to 2026-08-31',
  '2026-09-01 to 2026-09-30',
  '2026-10-01 to 2026-10-31',
];
const [LAST_YEAR, THIS_YEAR] = ['2025-01-01 to 2025-12-31', '2026-01-01 to 2026-12-31'];

type Refused = readonly [statement: string, phrase: string, absolute: string];

const REFUSED: Readonly<Record<string, readonly Refused[]>> = {
  English: [
    ['We deploy tomorrow.', 'tomorrow', TOMORROW],
    ['Tomorrow is a bank holiday at Acme.', 'Tomorrow', TOMORROW],
    ['The demo (tomorrow) moves to room 4.', 'tomorrow', TOMORROW],
    ['The demo is tomorrow morning at 9.', 'tomorrow morning', TOMORROW],
    ['Acme switched to Clerk yesterday.', 'yesterday', YESTERDAY],
    ['Yesterday Acme signed the contract.', 'Yesterday', YESTERDAY],
    ['Decided today: Postgres instead of MySQL.', 'today', TODAY],
    ['The release goes out later today', 'later today', TODAY],
    ['Backups run tonight for the last time on the old server.', 'tonight', TODAY],
    ['The incident started this morning.', 'this morning', TODAY],
    ['The job failed last night.', 'last night', YESTERDAY],
    ['The audit is the day after tomorrow.', 'the day after tomorrow', AFTER],
    ['The outage was the day before yesterday.', 'the day before yesterday', BEFORE],
    ['The freeze ends next Friday.', 'next Friday', NEXT_FRIDAY],
    ['The freeze starts next monday', 'next monday', '2026-09-21'],
    ['Globex went live last Friday.', 'last Friday', LAST_FRIDAY],
    ['The review is this Friday.', 'this Friday', FRIDAY],
    ['The review is this coming Friday.', 'this coming Friday', FRIDAY],
    ['The migration finished 3 days ago.', '3 days ago', '2026-09-12'],
    ['The migration finished three days ago.', 'three days ago', '2026-09-12'],
    ['The key was rotated a week ago.', 'a week ago', '2026-09-08'],
    ['The key was rotated two weeks ago.', 'two weeks ago', '2026-09-01'],
    ['The key was rotated a couple of weeks ago.', 'a couple of weeks ago', '2026-09-01'],
    ['The key was rotated a few days ago.', 'a few days ago', '2026-09-10 to 2026-09-13'],
    ['Acme was founded 6 months ago.', '6 months ago', '2026-03-01 to 2026-03-31'],
    ['Acme was founded ten years ago.', 'ten years ago', '2016-01-01 to 2016-12-31'],
    ['The server was restarted 2 hours ago.', '2 hours ago', TODAY],
    ['We moved to Fly.io last week.', 'last week', LAST_WEEK],
    ['Ana is on leave this week.', 'this week', THIS_WEEK],
    ['Ana is on leave for the rest of this week.', 'this week', THIS_WEEK],
    ['Ana is back next week.', 'next week', NEXT_WEEK],
    ['The office moves this weekend.', 'this weekend', '2026-09-19 to 2026-09-20'],
    ['Prices went up last month.', 'last month', LAST_MONTH],
    ['The budget is frozen this month', 'this month', THIS_MONTH],
    ['The contract ends next month.', 'next month', NEXT_MONTH],
    ['Hiring starts next quarter.', 'next quarter', '2026-10-01 to 2026-12-31'],
    ['Revenue doubled last year.', 'last year', LAST_YEAR],
    ['The goal for this year is SOC 2.', 'this year', THIS_YEAR],
    ['As of today the API is frozen.', 'today', TODAY],
    ["In yesterday's meeting we chose Postgres.", 'yesterday', YESTERDAY],
    ['Last week’s planning meeting chose Postgres.', 'Last week', LAST_WEEK],
    ['- Tomorrow: rotate the keys', 'Tomorrow', TOMORROW],
    ['TODO: Next week switch the DNS', 'Next week', NEXT_WEEK],
    ['The İstanbul office moves tomorrow.', 'tomorrow', TOMORROW],
    ['WE DEPLOY TOMORROW AT NOON, TELL ACME', 'TOMORROW', TOMORROW],
    ['The end of `v1` is next month.', 'next month', NEXT_MONTH],
    ['Anna said last week that the API is stable.', 'last week', LAST_WEEK],
  ],
  German: [
    ['Wir deployen morgen.', 'morgen', TOMORROW],
    ['Morgen ist bei Acme frei.', 'Morgen', TOMORROW],
    ['Der Umzug beginnt morgen früh.', 'morgen früh', TOMORROW],
    ['Acme ist gestern zu Clerk gewechselt.', 'gestern', YESTERDAY],
    ['Heute haben wir uns für Postgres entschieden.', 'Heute', TODAY],
    ['Der Server fiel gestern Abend aus.', 'gestern Abend', YESTERDAY],
    ['Die Prüfung ist übermorgen.', 'übermorgen', AFTER],
    ['Vorgestern war der Server aus.', 'Vorgestern', BEFORE],
    ['Der Freeze endet nächsten Freitag.', 'nächsten Freitag', NEXT_FRIDAY],
    ['Der Freeze endet kommenden Freitag.', 'kommenden Freitag', FRIDAY],
    ['Globex ging letzten Freitag live.', 'letzten Freitag', LAST_FRIDAY],
    ['Die Abnahme ist diesen Freitag.', 'diesen Freitag', FRIDAY],
    ['Der Schlüssel wurde vor 3 Tagen getauscht.', 'vor 3 Tagen', '2026-09-12'],
    ['Der Schlüssel wurde vor zwei Wochen getauscht.', 'vor zwei Wochen', '2026-09-01'],
    ['Der Schlüssel wurde vor einigen Tagen getauscht.', 'vor einigen Tagen', '2026-09-10 to 2026-09-13'],
    ['Letzte Woche sind wir zu Fly.io umgezogen.', 'Letzte Woche', LAST_WEEK],
    ['Ana ist diese Woche im Urlaub.', 'diese Woche', THIS_WEEK],
    ['Ana ist ab nächster Woche zurück.', 'nächster Woche', NEXT_WEEK],
    ['Die Preise stiegen im letzten Monat.', 'letzten Monat', LAST_MONTH],
    ['Der Vertrag endet nächsten Monat.', 'nächsten Monat', NEXT_MONTH],
    ['Letztes Jahr hat sich der Umsatz verdoppelt.', 'Letztes Jahr', LAST_YEAR],
    ['Das Ziel für dieses Jahr ist SOC 2.', 'dieses Jahr', THIS_YEAR],
  ],
  Spanish: [
    ['Desplegamos mañana.', 'mañana', TOMORROW],
    ['Mañana es festivo en Acme.', 'Mañana', TOMORROW],
    ['La reunión de mañana es en la sala 4.', 'de mañana', TOMORROW],
    ['La auditoría es pasado mañana.', 'pasado mañana', AFTER],
    ['Acme cambió a Clerk ayer.', 'ayer', YESTERDAY],
    ['Hoy decidimos usar Postgres.', 'Hoy', TODAY],
    ['El fallo fue anteayer.', 'anteayer', BEFORE],
    ['El servidor cayó anoche.', 'anoche', YESTERDAY],
    ['El servidor cayó ayer por la mañana.', 'ayer por la mañana', YESTERDAY],
    ['El congelamiento termina el próximo viernes.', 'próximo viernes', NEXT_FRIDAY],
    ['La entrega es el viernes que viene.', 'viernes que viene', FRIDAY],
    ['Globex salió el viernes pasado.', 'viernes pasado', LAST_FRIDAY],
    ['La revisión es este viernes.', 'este viernes', FRIDAY],
    ['La clave se cambió hace 3 días.', 'hace 3 días', '2026-09-12'],
    ['La clave se cambió hace dos semanas.', 'hace dos semanas', '2026-09-01'],
    ['La semana pasada migramos a Fly.io.', 'semana pasada', LAST_WEEK],
    ['Ana está de vacaciones esta semana.', 'esta semana', THIS_WEEK],
    ['Ana vuelve la próxima semana.', 'próxima semana', NEXT_WEEK],
    ['El contrato acaba el mes que viene.', 'mes que viene', NEXT_MONTH],
    ['Los ingresos se duplicaron el año pasado.', 'año pasado', LAST_YEAR],
    ['Desplegamos man\u0303ana.', 'mañana', TOMORROW],
  ],
  French: [
    ['Nous déployons demain.', 'demain', TOMORROW],
    ['Demain est férié chez Acme.', 'Demain', TOMORROW],
    ['Acme est passé à Clerk hier.', 'hier', YESTERDAY],
    ['Le serveur est tombé hier soir.', 'hier soir', YESTERDAY],
    ["La réunion d'hier a choisi Postgres.", 'hier', YESTERDAY],
    ["Aujourd'hui nous avons choisi Postgres.", "Aujourd'hui", TODAY],
    ['Décidé aujourd’hui : Postgres.', 'aujourd’hui', TODAY],
    ['L’audit est après-demain.', 'après-demain', AFTER],
    ['La panne était avant-hier.', 'avant-hier', BEFORE],
    ['Le gel se termine vendredi prochain.', 'vendredi prochain', NEXT_FRIDAY],
    ['Globex est en ligne depuis vendredi dernier.', 'vendredi dernier', LAST_FRIDAY],
    ['La revue est ce vendredi.', 'ce vendredi', FRIDAY],
    ['La clé a été changée il y a 3 jours.', 'il y a 3 jours', '2026-09-12'],
    ['La clé a été changée il y a deux semaines.', 'il y a deux semaines', '2026-09-01'],
    ['Nous avons migré la semaine dernière.', 'semaine dernière', LAST_WEEK],
    ['Ana est en congé cette semaine.', 'cette semaine', THIS_WEEK],
    ['Ana revient la semaine prochaine.', 'semaine prochaine', NEXT_WEEK],
    ['Le contrat se termine le mois prochain.', 'mois prochain', NEXT_MONTH],
    ['Le chiffre a doublé l’an dernier.', 'an dernier', LAST_YEAR],
  ],
  Italian: [
    ['Rilasciamo domani.', 'domani', TOMORROW],
    ['Acme è passata a Clerk ieri.', 'ieri', YESTERDAY],
    ['Oggi abbiamo scelto Postgres.', 'Oggi', TODAY],
    ["Il guasto è stato l'altro ieri.", "l'altro ieri", BEFORE],
    ['La verifica è dopodomani.', 'dopodomani', AFTER],
    ['Il blocco finisce venerdì prossimo.', 'venerdì prossimo', NEXT_FRIDAY],
    ['Globex è online da venerdì scorso.', 'venerdì scorso', LAST_FRIDAY],
    ['La chiave è cambiata 3 giorni fa.', '3 giorni fa', '2026-09-12'],
    ['La settimana scorsa siamo migrati.', 'settimana scorsa', LAST_WEEK],
    ['Ana torna la prossima settimana.', 'prossima settimana', NEXT_WEEK],
    ["Quest'anno puntiamo a SOC 2.", "Quest'anno", THIS_YEAR],
  ],
  Polish: [
    ['Wydanie jest jutro.', 'jutro', TOMORROW],
    ['Oferta jest ważna do jutra.', 'jutra', TOMORROW],
    ['Jutro rano zmieniamy serwer.', 'Jutro rano', TOMORROW],
    ['Spotkanie było wczoraj.', 'wczoraj', YESTERDAY],
    ['Dziś wybrano Auth0.', 'Dziś', TODAY],
    ['Dzisiaj wieczorem wdrażamy.', 'Dzisiaj wieczorem', TODAY],
    ['Pojutrze zmieniamy serwer.', 'Pojutrze', AFTER],
    ['Awaria była przedwczoraj.', 'przedwczoraj', BEFORE],
    ['Demo jest w przyszłym tygodniu.', 'przyszłym tygodniu', NEXT_WEEK],
    ['Umowa kończy się w przyszłym miesiącu.', 'przyszłym miesiącu', NEXT_MONTH],
    ['Ana jest na urlopie w tym tygodniu.', 'tym tygodniu', THIS_WEEK],
    ['W zeszłym miesiącu zmieniono serwer.', 'zeszłym miesiącu', LAST_MONTH],
    ['Budżet ustalono w zeszłym roku.', 'zeszłym roku', LAST_YEAR],
    ['Ana zaczyna w przyszły piątek.', 'przyszły piątek', NEXT_FRIDAY],
    ['Wdrożono w zeszły piątek.', 'zeszły piątek', LAST_FRIDAY],
    ['Przegląd jest w ten piątek.', 'w ten piątek', FRIDAY],
    ['Trzy dni temu zmieniono serwer.', 'Trzy dni temu', '2026-09-12'],
    ['Dwa tygodnie temu zmieniono API.', 'Dwa tygodnie temu', '2026-09-01'],
    ['Tydzień temu zmieniono API.', 'Tydzień temu', '2026-09-08'],
    ['Kilka dni temu zmieniono API.', 'Kilka dni temu', '2026-09-10 to 2026-09-13'],
  ],
  Portuguese: [
    ['Vamos publicar amanhã.', 'amanhã', TOMORROW],
    ['A Acme mudou para o Clerk ontem.', 'ontem', YESTERDAY],
    ['Hoje decidimos usar Postgres.', 'Hoje', TODAY],
    ['A auditoria é depois de amanhã.', 'depois de amanhã', AFTER],
    ['A falha foi anteontem.', 'anteontem', BEFORE],
    ['O prazo é na próxima sexta-feira.', 'próxima sexta-feira', NEXT_FRIDAY],
    ['A Globex entrou no ar na sexta-feira passada.', 'sexta-feira passada', LAST_FRIDAY],
    ['A chave foi trocada há 3 dias.', 'há 3 dias', '2026-09-12'],
    ['A chave foi trocada duas semanas atrás.', 'duas semanas atrás', '2026-09-01'],
    ['Migramos na semana passada.', 'semana passada', LAST_WEEK],
    ['A Ana volta na semana que vem.', 'semana que vem', NEXT_WEEK],
    ['O contrato acaba no próximo mês.', 'próximo mês', NEXT_MONTH],
  ],
  Dutch: [
    ['We deployen morgen.', 'morgen', TOMORROW],
    ['Acme is gisteren overgestapt op Clerk.', 'gisteren', YESTERDAY],
    ['Vandaag kozen we Postgres.', 'Vandaag', TODAY],
    ['De audit is overmorgen.', 'overmorgen', AFTER],
    ['De storing was eergisteren.', 'eergisteren', BEFORE],
    ['De freeze eindigt volgende vrijdag.', 'volgende vrijdag', NEXT_FRIDAY],
    ['De sleutel is 3 dagen geleden vervangen.', '3 dagen geleden', '2026-09-12'],
    ['Vorige week zijn we verhuisd.', 'Vorige week', LAST_WEEK],
    ['Ana is volgende week terug.', 'volgende week', NEXT_WEEK],
  ],
  Russian: [
    ['Выкатываем завтра.', 'завтра', TOMORROW],
    ['Acme вчера перешла на Clerk.', 'вчера', YESTERDAY],
    ['Сегодня выбрали Postgres.', 'Сегодня', TODAY],
    ['Аудит послезавтра.', 'послезавтра', AFTER],
    ['Заморозка кончается в следующую пятницу.', 'следующую пятницу', NEXT_FRIDAY],
    ['Ключ сменили 3 дня назад.', '3 дня назад', '2026-09-12'],
    ['Ключ сменили две недели назад.', 'две недели назад', '2026-09-01'],
    ['Ключ сменили неделю назад.', 'неделю назад', '2026-09-08'],
    ['На прошлой неделе мы переехали.', 'прошлой неделе', LAST_WEEK],
    ['Ана вернётся на следующей неделе.', 'следующей неделе', NEXT_WEEK],
  ],
  Ukrainian: [
    ['Викочуємо завтра.', 'завтра', TOMORROW],
    ['Acme вчора перейшла на Clerk.', 'вчора', YESTERDAY],
    ['Сьогодні обрали Postgres.', 'Сьогодні', TODAY],
    ['Заморозка закінчується наступної п’ятниці.', 'наступної п’ятниці', NEXT_FRIDAY],
    ['Ключ змінили 3 дні тому.', '3 дні тому', '2026-09-12'],
    ['Минулого тижня ми переїхали.', 'Минулого тижня', LAST_WEEK],
  ],
  Japanese: [
    ['明日デプロイします。', '明日', TOMORROW],
    ['Acmeは昨日Clerkに移行した。', '昨日', YESTERDAY],
    ['今日Postgresに決めた。', '今日', TODAY],
    ['監査は明後日です。', '明後日', AFTER],
    ['障害は一昨日でした。', '一昨日', BEFORE],
    ['次の金曜日に締め切る。', '次の金曜日', FRIDAY],
    ['凍結は来週の金曜日に終わる。', '来週の金曜日', '2026-09-25'],
    ['鍵は3日前に交換した。', '3日前', '2026-09-12'],
    ['先週Fly.ioに移った。', '先週', LAST_WEEK],
    ['アナは来週戻る。', '来週', NEXT_WEEK],
    ['契約は来月終わる。', '来月', NEXT_MONTH],
    ['売上は去年倍になった。', '去年', LAST_YEAR],
  ],
  Chinese: [
    ['我们明天部署。', '明天', TOMORROW],
    ['Acme昨天换成了Clerk。', '昨天', YESTERDAY],
    ['今天决定用Postgres。', '今天', TODAY],
    ['审计在后天。', '后天', AFTER],
    ['故障是前天。', '前天', BEFORE],
    ['冻结到下周五结束。', '下周五', '2026-09-25'],
    ['Globex上周五上线。', '上周五', '2026-09-11'],
    ['密钥是三天前换的。', '三天前', '2026-09-12'],
    ['上周我们迁移到了Fly.io。', '上周', LAST_WEEK],
    ['安娜下个星期回来。', '下个星期', NEXT_WEEK],
    ['合同下个月到期。', '下个月', NEXT_MONTH],
    ['收入去年翻了一番。', '去年', LAST_YEAR],
    ['價格上個月漲了。', '上個月', LAST_MONTH],
  ],
  'Swedish, Finnish, Vietnamese, Indonesian and Arabic': [
    ['Vi släpper i morgon.', 'i morgon', TOMORROW],
    ['Acme bytte igår.', 'igår', YESTERDAY],
    ['Nyckeln byttes för 3 dagar sedan.', 'för 3 dagar sedan', '2026-09-12'],
    ['Förra veckan flyttade vi.', 'Förra veckan', LAST_WEEK],
    ['Julkaisemme huomenna.', 'huomenna', TOMORROW],
    ['Palvelin kaatui eilen ja palasi.', 'eilen', YESTERDAY],
    ['Avain vaihdettiin kolme päivää sitten.', 'kolme päivää sitten', '2026-09-12'],
    ['Ana palaa ensi viikolla.', 'ensi viikolla', NEXT_WEEK],
    ['Chúng tôi triển khai ngày mai.', 'ngày mai', TOMORROW],
    ['Tuần trước chúng tôi đã chuyển.', 'Tuần trước', LAST_WEEK],
    ['Khóa được đổi 3 ngày trước.', '3 ngày trước', '2026-09-12'],
    ['Kami rilis besok.', 'besok', TOMORROW],
    ['Kami rilis besok lusa.', 'besok lusa', AFTER],
    ['Minggu lalu kami pindah.', 'Minggu lalu', LAST_WEEK],
    ['Rilis Jumat lalu berhasil.', 'Jumat lalu', LAST_FRIDAY],
    ['سننشر غدًا.', 'غدًا', TOMORROW],
    ['انتقلت الشركة أمس.', 'أمس', YESTERDAY],
    ['تم تغيير المفتاح قبل 3 أيام.', 'قبل 3 أيام', '2026-09-12'],
    ['انتقلنا الأسبوع الماضي.', 'الأسبوع الماضي', LAST_WEEK],
  ],
};

const STORED: Readonly<Record<string, readonly string[]>> = {
  English: [
    'Friday deploys are forbidden.',
    'No deploys on Friday.',
    'Sessions expire in two weeks.',
    'Sessions expire within 5 minutes.',
    'Access tokens live for 15 minutes, refresh tokens for 30 days.',
    'Prefers Sun over Oracle.',
    'The user went to Tomorrowland in 2024.',
    'Sprint planning is in Week 3.',
    'The home screen shows Now Playing.',
    'The editor theme is Tomorrow Night.',
    'Tomorrow Night is the editor theme.',
    'Acme reads USA Today.',
    'The user likes the film Next Friday.',
    'The newsletter is This Week in Rust.',
    'The talk show is Last Week Tonight.',
    'The today view lists open tasks.',
    'Today tab: open tasks only.',
    'The button label is "Due tomorrow".',
    'The button label is “Next week”.',
    'The badge says “due next week”.',
    "The filter is called 'last week'.",
    'Relative dates like tomorrow or next Friday are refused.',
    'The words yesterday and tomorrow are refused.',
    'Run `git log --since yesterday` before a release.',
    'Run git log --since yesterday before a release.',
    'Use date -d tomorrow in scripts.',
    'The column is due_tomorrow, the route /today, the file notes/today.md.',
    'Use isBefore(today) with const today = new Date().',
    'The ice melted 22,000 years ago.',
    'Call today() for the date and next-week for the class name.',
    'See https://acme.example/next week/tomorrow and #tomorrow.',
    'The constant TOMORROW is deprecated.',
    'TOMORROW is a constant of the calendar module.',
    "The report lists yesterday's orders.",
    "The dashboard shows this week's numbers.",
    'Every morning the bot posts what happened yesterday.',
    'The nightly job imports everything from yesterday.',
    'Invoices are due on the last Friday of the month.',
    'Invoices are sent in the last week of each quarter.',
    'Deploy freeze in the last week of a sprint.',
    'Reports cover the last 30 days.',
    'Delete logs older than 30 days.',
    'Archive chats untouched for more than 3 months.',
    'Delete branches merged more than 2 weeks ago.',
    'Retry on the next day, then once a week.',
    'The next release is 2.0.',
    'Releases happen next to Friday lunch.',
    'March is the busy month, May is quiet.',
    'The model is Claude 3.5 Sonnet.',
    'The release was on 2026-09-11 at 10:30.',
    'In March 2024 Acme moved to Postgres.',
    'Standup is at 9:30 on Mondays.',
    'Second normal form first, third later.',
    'When no date is given, the default is tomorrow at 9.',
    'Today I learned is the title of the blog.',
    'Young people are the leaders of tomorrow.',
    'Version 3 days of retention, 2 hours of delay.',
    'Backups are kept for a week, then a month, then a year.',
    'The last weekday deploy is Thursday.',
    'Sat solvers and Mon Cheri are unrelated.',
    '```\nremind me tomorrow\n```',
  ],
  German: [
    'Freitags wird nicht deployt.',
    'Sitzungen laufen in zwei Wochen ab.',
    'Guten Morgen ist die Begrüßung des Bots.',
    'Jeden Morgen läuft das Backup.',
    'Das Backup läuft am Morgen.',
    'Morgens um 9 ist Standup.',
    'Der letzte Freitag im Monat ist frei.',
    'Rechnungen gehen in der letzten Woche des Monats raus.',
    'Hier liegt die Doku: docs/.',
    'Die Frist ist drei Tage vor Ablauf.',
    'Das ändert sich nicht von heute auf morgen.',
    'Der Knopf heißt „Morgen erinnern“.',
    'Die Sendung heißt heute-journal.',
    'Täglich kommt ein Bericht über gestern.',
    'Früh am Freitag wird nicht deployt.',
    'Wir eilen nicht mit Releases.',
  ],
  Spanish: [
    'Las copias se hacen por la mañana.',
    'La reunión es a las 9 de la mañana.',
    'Cada mañana se hace una copia.',
    'El usuario trabaja por las mañanas.',
    'Hoy en día casi todos usan Git.',
    'La sesión caduca en dos semanas.',
    'Los viernes no se despliega.',
    'El último viernes del mes es libre.',
    'El botón dice «Mañana».',
    'El plan hace 3 días de prueba gratis.',
    'Prefiere café por la mañana y té por la tarde.',
  ],
  French: [
    'Pas de déploiement le vendredi.',
    'La session expire dans deux semaines.',
    'Il y a 3 jours de congé par mois.',
    'Le dernier vendredi du mois est libre.',
    'Le monde de demain est le slogan.',
    'Le bouton dit « Demain ».',
    'Chaque matin le robot publie ce qui est arrivé hier.',
  ],
  Italian: [
    'Al giorno d’oggi tutti usano Git.',
    'La sessione scade tra due settimane.',
    "L'ultimo venerdì del mese è libero.",
  ],
  Polish: [
    'Sesje wygasają po dwóch tygodniach.',
    'Sesje wygasają za dwa tygodnie.',
    'W piątki nie wdrażamy.',
    '5 stycznia 2026 odnawiamy umowę.',
    'Do dziś wszyscy używają Okty.',
    'Hasłem firmy jest lepsze jutro.',
    'Co noc bot wysyła to, co stało się wczoraj.',
    'Starsze niż trzy dni temu logi są usuwane.',
    'Klient pisze słowo jutro małą literą.',
    'Raport powstaje w każdy poniedziałek za zeszły tydzień.',
    'The team has ten weekend shifts.',
    'Dobro jutro je pozdrav.',
  ],
  Portuguese: [
    'Hoje em dia todos usam Git.',
    'Esta segunda versão usa Postgres.',
    'A sessão expira em duas semanas.',
    'Trabalha de manhã.',
  ],
  Dutch: [
    'Elke morgen draait de back-up.',
    'Goede morgen is de begroeting.',
    'Hier staat de documentatie voor het team.',
    "'s Morgens om 9 is standup.",
  ],
  Russian: [
    'Удаляются файлы старше чем три дня назад.',
    'По утрам делается копия.',
    'Сессия истекает через две недели.',
    'Каждый день бот пишет, что было вчера.',
  ],
  Japanese: [
    '期限の3日前に通知する。',
    '担当は明日香さん。',
    '毎朝、昨日の件数を投稿する。',
    'セッションは2週間で切れる。',
  ],
  Chinese: [
    '到期3天前提醒。',
    '删除30天前的日志。',
    '提前天数是3。',
    '本周期是两周。',
    '新闻来自今日头条。',
    '会话两周后过期。',
    '他是史上年龄最大的用户。',
    '以上月份的数据都在表里。',
    '后天性失明的用户要大字体。',
    '每天早上发布昨天的数据。',
  ],
  'other languages': [
    'Sistem berjalan setiap hari.',
    'Chạy 3 ngày một lần.',
    'Sessionen går ut om två veckor.',
    'في اليوم الواحد نسختان.',
  ],
};

const now = NOW;

describe('a date that only today can tell is refused, with the date', () => {
  for (const [language, cases] of Object.entries(REFUSED)) {
    test.each(cases)(`in ${language}: %s`, (statement, phrase, absolute) => {
      const found = findDeicticDate(statement, now);
      expect(found).toEqual({ phrase, absolute, index: statement.normalize('NFC').indexOf(phrase) });
    });
  }
});

describe('a statement that will be true on any day is stored', () => {
  for (const [language, cases] of Object.entries(STORED)) {
    test.each(cases)(`in ${language}: %s`, (statement) => {
      expect(findDeicticDate(statement, now)).toBeNull();
    });
  }
});

test('at least 150 phrases in 5 languages are refused, and 100 statements stored', () => {
  expect(Object.keys(REFUSED).length).toBeGreaterThanOrEqual(5);
  expect(Object.values(REFUSED).flat().length).toBeGreaterThanOrEqual(150);
  expect(Object.values(STORED).flat().length).toBeGreaterThanOrEqual(100);
});

describe('the date that is offered', () => {
  test.each([
    ['on a Friday, the coming one is a week ahead', 'We meet this coming Friday', 18, '2026-09-25'],
    ['on a Friday, so is the next', 'We meet next Friday', 18, '2026-09-25'],
    ['on a Sunday, the next Friday is that of the week which starts tomorrow', 'We meet next Friday', 20, '2026-09-25'],
    ['on a Sunday, last Friday is the day before yesterday', 'We met last Friday', 20, '2026-09-18'],
    ['on a Sunday, this week is the one that ends', 'We meet this week', 20, '2026-09-14 to 2026-09-20'],
    ['on a Sunday, Chinese 上周五 is that of the week before', '我们上周五见面。', 20, '2026-09-11'],
    ['on a Monday, this week starts', 'We meet this week', 14, '2026-09-14 to 2026-09-20'],
  ])('%s', (_, statement, day, absolute) => {
    expect(findDeicticDate(statement, new Date(2026, 8, day, 10))?.absolute).toBe(absolute);
  });

  test('crosses months and years', () => {
    expect(findDeicticDate('We ship tomorrow', new Date(2026, 11, 31, 23))?.absolute).toBe('2027-01-01');
    expect(findDeicticDate('It broke last quarter', new Date(2026, 0, 5))?.absolute).toBe('2025-10-01 to 2025-12-31');
    expect(findDeicticDate('It broke last month', new Date(2026, 2, 31))?.absolute).toBe('2026-02-01 to 2026-02-28');
  });

  // Where chrono has a parser of the language that reads the whole phrase as a day, it is the oracle.
  const parsers = {
    English: en,
    German: de,
    Spanish: es,
    French: fr,
    Italian: it,
    Portuguese: pt,
    Dutch: nl,
    Russian: ru,
    Ukrainian: uk,
    Japanese: ja,
    Chinese: zh,
  };
  const readByChrono = Object.entries(parsers).flatMap(([language, parser]) =>
    (REFUSED[language] ?? []).flatMap(([, phrase, absolute]) => {
      const [read] = parser.parse(phrase.toLowerCase().replaceAll('’', "'"), now);
      const whole = absolute.length === 10 && read?.text.length === phrase.length && read.start.isCertain('day');
      return whole ? [{ language, phrase, absolute, read: read.start.date() }] : [];
    }),
  );

  test.each(readByChrono)('is chrono’s own in $language: $phrase', ({ absolute, read }) => {
    expect(read.toDateString()).toBe(new Date(`${absolute}T12:00`).toDateString());
  });

  test('was compared with chrono’s own in enough cases to mean something', () => {
    expect(readByChrono.length).toBeGreaterThanOrEqual(50);
  });

  test('is a date or a pair of dates on any day', () => {
    const statement = fc.constantFrom(
      ...Object.values(REFUSED)
        .flat()
        .map(([text]) => text),
    );
    fc.assert(
      fc.property(
        statement,
        fc.date({ min: new Date(2000, 0, 1), max: new Date(2090, 0, 1), noInvalidDate: true }),
        (text, day) => {
          expect(findDeicticDate(text, day)?.absolute).toMatch(/^\d{4}-\d\d-\d\d(?: (?:to|or) \d{4}-\d\d-\d\d)?$/u);
        },
      ),
    );
  });
});

test('a long text is searched to its end', () => {
  const filler = 'Acme signs users in with Auth0. '.repeat(60);
  expect(findDeicticDate(`${filler}We deploy tomorrow.`, now)?.index).toBe(filler.length + 10);
});
