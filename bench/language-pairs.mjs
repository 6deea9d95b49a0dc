// Statements and questions in twelve languages for bench/languages.mjs, and the items that lie around them.

/**
 * By language code: statements with a question each, questions about what no item says, and sentences that are filled in to make
 * the other items.
 */
export const LANGUAGES = {
  de: {
    pairs: [
      ['Die Steuerberaterin für die GmbH ist Frau Dr. Özdemir in Köln.', 'Wer macht unsere Steuern?'],
      ['Die Zahlungsbedingungen für Globex sind 30 Tage netto.', 'Welche Zahlungsbedingung gilt bei Globex?'],
      ['Das Team liefert Datenbankmigrationen nur montags aus.', 'Wann werden Migrationen der Datenbank ausgeliefert?'],
      ['Der Kunde Müller möchte Rechnungen per E-Mail als PDF.', 'Wie bekommt Müller seine Rechnung?'],
    ],
    none: ['Welche Farbe hat das Logo?', 'Wie heißt der Hausmeister?'],
    fill: [
      '{a} nutzt {b} für die Buchhaltung.',
      'Die Sitzung mit {a} findet im Raum {b} statt.',
      'Der Vertrag mit {a} wird von {b} geprüft.',
      'Bei {a} ist {b} für den Einkauf zuständig.',
      'Für {a} werden die Berichte mit {b} erstellt.',
      'Die Server von {a} stehen bei {b}.',
    ],
  },
  es: {
    pairs: [
      ['La gestora de la empresa es Lucía Fernández, en Sevilla.', '¿Quién es nuestra gestora?'],
      ['El cliente Acme paga las facturas a sesenta días.', '¿A cuántos días paga Acme?'],
      ['Los despliegues se hacen los martes por la mañana.', '¿Cuándo se despliega?'],
      ['Para las copias de seguridad usamos Restic con Backblaze.', '¿Qué usamos para la copia de seguridad?'],
    ],
    none: ['¿De qué color es el logotipo?', '¿Dónde aparca el director?'],
    fill: [
      '{a} usa {b} para la contabilidad.',
      'La reunión con {a} es en la sala {b}.',
      'El contrato de {a} lo revisa {b}.',
      'En {a} la persona de compras es {b}.',
      'Los informes de {a} se preparan con {b}.',
      'Los servidores de {a} están en {b}.',
    ],
  },
  fr: {
    pairs: [
      ["L'authentification des utilisateurs passe par Keycloak.", "Comment marche l'authentification ?"],
      ["Le comptable d'Orange Bleue s'appelle Hervé Lemoine.", "Qui est le comptable d'Orange Bleue ?"],
      ['Les factures sont envoyées à la fin du mois.', 'Quand envoie-t-on les factures ?'],
      [
        "L'équipe n'utilise que PostgreSQL en production.",
        "Quelle base de données l'équipe utilise-t-elle en production ?",
      ],
    ],
    none: ['Quelle est la couleur du logo ?', 'Où se gare le directeur ?'],
    fill: [
      '{a} utilise {b} pour la comptabilité.',
      'La réunion avec {a} a lieu dans la salle {b}.',
      'Le contrat de {a} est relu par {b}.',
      "Chez {a}, {b} s'occupe des achats.",
      'Les rapports de {a} sont faits avec {b}.',
      'Les serveurs de {a} sont chez {b}.',
    ],
  },
  pt: {
    pairs: [
      ['A contadora da empresa é a Joana Teixeira, do Porto.', 'Quem é a nossa contadora?'],
      ['As implantações acontecem às quintas-feiras depois das 14h.', 'Quando fazemos a implantação?'],
      ['O cliente Vale Verde prefere receber os relatórios em Excel.', 'Em que formato o Vale Verde quer o relatório?'],
    ],
    none: ['Qual é a cor do logótipo?', 'Onde fica a piscina?'],
    fill: [
      '{a} usa {b} para a contabilidade.',
      'A reunião com {a} é na sala {b}.',
      'O contrato da {a} é revisto por {b}.',
      'Na {a} quem trata das compras é {b}.',
      'Os relatórios da {a} são feitos com {b}.',
      'Os servidores da {a} estão na {b}.',
    ],
  },
  it: {
    pairs: [
      ["L'avvocato dello studio è Marco Bianchi di Torino.", 'Chi è il nostro avvocato?'],
      ['I rilasci si fanno il mercoledì, mai di venerdì.', 'Quando si fa il rilascio?'],
      ["Le fatture dell'azienda Verdi vanno inviate tramite PEC.", "Come si inviano le fatture all'azienda Verdi?"],
    ],
    none: ['Di che colore è il logo?', 'Dove si trova la palestra?'],
    fill: [
      '{a} usa {b} per la contabilità.',
      'La riunione con {a} è nella sala {b}.',
      'Il contratto di {a} viene rivisto da {b}.',
      'Da {a} gli acquisti li segue {b}.',
      'I report di {a} si fanno con {b}.',
      'I server di {a} sono presso {b}.',
    ],
  },
  nl: {
    pairs: [
      ['De boekhouder van de zaak is Sanne de Vries uit Utrecht.', 'Wie is onze boekhouder?'],
      ['Nieuwe versies worden op dinsdagochtend uitgerold.', 'Wanneer wordt een nieuwe versie uitgerold?'],
      ['Klantgegevens worden in een databank in Frankfurt bewaard.', 'Waar worden de gegevens van klanten bewaard?'],
    ],
    none: ['Welke kleur heeft het logo?', 'Waar staat de koffieautomaat?'],
    fill: [
      '{a} gebruikt {b} voor de administratie.',
      'Het overleg met {a} is in zaal {b}.',
      'Het contract van {a} wordt nagekeken door {b}.',
      'Bij {a} gaat {b} over de inkoop.',
      'De rapporten van {a} worden gemaakt met {b}.',
      'De servers van {a} staan bij {b}.',
    ],
  },
  pl: {
    pairs: [
      ['Księgową firmy jest Anna Kowalska z Gdańska.', 'Kto jest naszą księgową?'],
      ['Faktury wysyłamy ostatniego dnia miesiąca.', 'Kiedy wysyłana jest faktura?'],
      ['Kopie zapasowe bazy danych leżą na serwerze w Krakowie.', 'Gdzie są kopie zapasowe baz danych?'],
      ['Wdrożenia odbywają się we wtorki rano.', 'Kiedy odbywa się wdrożenie?'],
    ],
    none: ['Jakiego koloru jest logo?', 'Gdzie jest parking dla gości?'],
    fill: [
      '{a} używa {b} do księgowości.',
      'Spotkanie z {a} odbędzie się w sali {b}.',
      'Umowę z {a} sprawdza {b}.',
      'W {a} za zakupy odpowiada {b}.',
      'Raporty dla {a} robimy w {b}.',
      'Serwery {a} stoją w {b}.',
    ],
  },
  ru: {
    pairs: [
      ['Бухгалтер фирмы — Ольга Смирнова из Казани.', 'Кто наш бухгалтер?'],
      ['Счета отправляются в последний рабочий день месяца.', 'Когда мы отправляем счета?'],
      ['Резервные копии базы данных хранятся в Хельсинки.', 'Где её резервная копия, базы данных?'],
      ['Клиент Ромашка просит отчёты в формате Excel.', 'В каком формате Ромашке нужен отчет?'],
    ],
    none: ['Какого цвета логотип?', 'Где стоит кофемашина?'],
    fill: [
      '{a} использует {b} для бухгалтерии.',
      'Встреча с {a} проходит в комнате {b}.',
      'Договор с {a} проверяет {b}.',
      'В {a} за закупки отвечает {b}.',
      'Отчёты для {a} делаются в {b}.',
      'Серверы {a} стоят у {b}.',
    ],
  },
  zh: {
    pairs: [
      ['公司的会计是王丽，在上海办公。', '我们的会计是谁？'],
      ['每周二上午发布新版本。', '什么时候发布新版本？'],
      ['数据库备份保存在法兰克福的服务器上。', '数据库的备份放在哪里？'],
      ['客户宏达要求每月底提交报表。', '宏达什么时候要报表？'],
    ],
    none: ['公司标志是什么颜色？', '停车场在哪里？'],
    fill: [
      '{a}用{b}做账。',
      '与{a}的会议在{b}房间举行。',
      '{a}的合同由{b}审核。',
      '{a}的采购由{b}负责。',
      '{a}的报告用{b}制作。',
      '{a}的服务器放在{b}。',
    ],
  },
  ja: {
    pairs: [
      ['会社の経理担当は田中さんです。', '経理担当は誰ですか？'],
      ['ﾃﾞｰﾀﾍﾞｰｽのバックアップは大阪のサーバーに保存する。', 'データベースのバックアップはどこに保存しますか？'],
      ['リリースは毎週火曜日の午前に行う。', 'リリースはいつ行いますか？'],
    ],
    none: ['ロゴは何色ですか？', '駐車場はどこですか？'],
    fill: [
      '{a}は会計に{b}を使う。',
      '{a}との会議は{b}室で行う。',
      '{a}の契約は{b}が確認する。',
      '{a}の購買は{b}が担当する。',
      '{a}の報告書は{b}で作る。',
      '{a}のサーバーは{b}にある。',
    ],
  },
  ko: {
    pairs: [
      ['회사의 회계 담당자는 김민수입니다.', '회계 담당자는 누구입니까?'],
      ['새 버전은 매주 화요일 오전에 배포한다.', '새 버전은 언제 배포하나요?'],
      ['데이터베이스 백업은 서울 서버에 보관한다.', '데이터베이스 백업은 어디에 보관하나요?'],
    ],
    none: ['로고는 무슨 색입니까?', '주차장은 어디에 있나요?'],
    fill: [
      '{a}는 회계에 {b}를 사용한다.',
      '{a}와의 회의는 {b} 회의실에서 한다.',
      '{a} 계약은 {b}가 검토한다.',
      '{a}의 구매는 {b}가 맡는다.',
      '{a}의 보고서는 {b}로 만든다.',
      '{a}의 서버는 {b}에 있다.',
    ],
  },
  tr: {
    pairs: [
      ["Şirketin muhasebecisi İzmir'den Ayşe Yılmaz.", 'Muhasebecimiz kim?'],
      ['Yeni sürümler salı sabahı yayınlanır.', 'Yeni sürüm ne zaman yayınlanıyor?'],
      ['Veritabanı yedekleri İSTANBUL sunucusunda tutulur.', 'İstanbul sunucusunda ne tutuluyor?'],
    ],
    none: ['Logo ne renk?', 'Otopark nerede?'],
    fill: [
      '{a} muhasebe için {b} kullanıyor.',
      '{a} ile toplantı {b} odasında yapılır.',
      '{a} sözleşmesini {b} inceler.',
      '{a} şirketinde satın almadan {b} sorumlu.',
      '{a} raporları {b} ile hazırlanır.',
      '{a} sunucuları {b} firmasında duruyor.',
    ],
  },
};

/** Written after the code that they try, and never used to change it. */
export const LATER_PAIRS = {
  de: [
    ['Rechnungen an Behörden gehen als XRechnung raus.', 'Wie stellen wir einer Behörde eine Rechnung?'],
    ['Der Nutzer bevorzugt kurze Antworten ohne Einleitung.', 'Welche Antworten bevorzuge ich?'],
    ['Vor jedem Release wird das Changelog gepflegt.', 'Was passiert vor dem Release?'],
  ],
  es: [
    ['El usuario prefiere respuestas cortas.', '¿Qué respuestas prefiero?'],
    ['La contraseña del wifi está guardada en Bitwarden.', '¿Dónde se guarda la contraseña del wifi?'],
    ['No se despliega nunca en viernes.', '¿Se puede desplegar un viernes?'],
  ],
  fr: [
    ["L'hébergement est chez OVH à Gravelines.", "Où est l'hébergeur ?"],
    ["Aujourd'hui Zabbix surveille les serveurs d'Alpha.", "Qu'est-ce qui surveille les serveurs d'Alpha ?"],
    ["Le client préfère qu'on l'appelle le matin.", 'Quand faut-il appeler le client ?'],
  ],
  pt: [
    ['O usuário prefere mensagens de commit em inglês.', 'Em que língua são as mensagens de commit?'],
    ['As férias da equipe são aprovadas pela Marta.', 'Quem aprova as férias?'],
  ],
  it: [
    ["L'utente preferisce i messaggi di commit in inglese.", 'In che lingua sono i messaggi di commit?'],
    ["I backup dell'archivio sono cifrati con age.", "Come è cifrato il backup dell'archivio?"],
  ],
  nl: [
    ['De gebruiker wil commitberichten in het Engels.', 'In welke taal zijn commitberichten?'],
    ['Vakantiedagen worden door Marieke goedgekeurd.', 'Wie keurt vakantie goed?'],
  ],
  pl: [
    ['Użytkownik woli krótkie odpowiedzi.', 'Jakie odpowiedzi woli użytkownik?'],
    ['Urlopy zatwierdza Marta.', 'Kto zatwierdza urlop?'],
    ['Hasło do wifi jest w Bitwarden.', 'Gdzie jest hasło do wifi?'],
  ],
  ru: [
    ['Пользователь предпочитает короткие ответы.', 'Какие ответы предпочитает пользователь?'],
    ['Отпуска утверждает Марта.', 'Кто утверждает отпуск?'],
    ['Пароль от вайфая лежит в Bitwarden.', 'Где лежит пароль от вайфая?'],
  ],
  zh: [
    ['用户喜欢简短的回答。', '用户喜欢什么样的回答？'],
    ['休假由张敏批准。', '谁批准休假？'],
    ['Wi-Fi密码存在Bitwarden里。', 'Wi-Fi的密码在哪？'],
  ],
  ja: [
    ['ユーザーは短い回答を好む。', 'ユーザーはどんな回答が好きですか？'],
    ['休暇は佐藤さんが承認する。', '休暇は誰が承認しますか？'],
    ['コミットメッセージは英語で書く。', 'コミットメッセージは何語で書きますか？'],
  ],
  ko: [
    ['사용자는 짧은 답변을 선호한다.', '사용자는 어떤 답변을 선호하나요?'],
    ['휴가는 박지영이 승인한다.', '휴가는 누가 승인하나요?'],
    ['커밋 메시지는 영어로 쓴다.', '커밋 메시지는 어떤 언어로 쓰나요?'],
  ],
  tr: [
    ['Kullanıcı kısa cevapları tercih eder.', 'Kullanıcı hangi cevapları tercih ediyor?'],
    ['İzinleri Zeynep onaylar.', 'İzni kim onaylıyor?'],
    ['Commit mesajları İngilizce yazılır.', 'Commit mesajı hangi dilde yazılıyor?'],
  ],
};

export const LATER_NONE = {
  de: ['Wann hat der Chef Geburtstag?', 'Was kostet die Lizenz?'],
  es: ['¿Cuánto cuesta la licencia?', '¿Cuándo es el cumpleaños del jefe?'],
  fr: ['Combien coûte la licence ?', "Quand est l'anniversaire du chef ?"],
  pt: ['Quanto custa a licença?'],
  it: ['Quanto costa la licenza?', 'Quando è il compleanno del capo?'],
  nl: ['Wat kost de licentie?'],
  pl: ['Ile kosztuje licencja?', 'Kiedy szef ma urodziny?'],
  ru: ['Сколько стоит лицензия?', 'Когда у шефа день рождения?'],
  zh: ['许可证多少钱？', '老板的生日是哪天？'],
  ja: ['ライセンスはいくらですか？', '社長の誕生日はいつですか？'],
  ko: ['라이선스는 얼마인가요?', '사장님 생일은 언제인가요?'],
  tr: ['Lisans ne kadar?', 'Patronun doğum günü ne zaman?'],
};

const LATIN = [
  'Nordwind',
  'Almira',
  'Tecnova',
  'Bellatrix',
  'Kestrel',
  'Marovia',
  'Lumero',
  'Pontus',
  'Sirocco',
  'Tavolo',
];
const FIRMS = {
  ru: ['Нордвинд', 'Альмира', 'Технова', 'Беллатрикс', 'Кестрел', 'Маровия', 'Лумеро', 'Понтус', 'Сирокко', 'Таволо'],
  zh: ['北风', '阿尔米', '科诺', '贝拉', '科思', '马罗', '卢美', '庞图', '西罗', '塔沃'],
  ja: ['ノルド', 'アルミラ', 'テクノバ', 'ベラ', 'ケストレル', 'マロビア', 'ルメロ', 'ポントス', 'シロッコ', 'タボロ'],
  ko: ['노르드', '알미라', '테크노바', '벨라', '케스트렐', '마로비아', '루메로', '폰투스', '시로코', '타볼로'],
  en: ['Acme', 'Initech', 'Umbrella', 'Hooli', 'Stark', 'Wayne', 'Cyberdyne', 'Tyrell', 'Soylent', 'Vandelay'],
};
const TOOLS = ['Datev', 'Grafana', 'Odoo', 'Kappa', 'Helios', 'Vega', 'Orion', 'Zenit', 'Metabase', 'Hetzner'];
const ENGLISH = [
  '{a} uses {b} for its internal dashboards.',
  'The contract with {a} is reviewed by the {b} team.',
  'Deploys of the {a} shop go out from the {b} branch.',
  'The {a} project keeps its runbook in {b}.',
  'Support for {a} is handled in the {b} channel.',
  'Invoices of {a} are archived in {b}.',
  'The {a} database is backed up to {b} every night.',
  'Design files of {a} are in {b}.',
  'At {a}, reports are due on the day that {b} closes the books.',
  'The user prefers {b} over spreadsheets for {a}.',
];

/** Sixty items of a language, the statements of these pairs first. */
export function itemsIn(code, pairs) {
  const { fill } = LANGUAGES[code];
  const others = Array.from({ length: 60 - pairs.length }, (_, n) =>
    filled(fill[n % fill.length], (FIRMS[code] ?? LATIN)[n % 10], (n * 3 + Math.floor(n / 10)) % 10),
  );
  return [...pairs.map(([statement]) => statement), ...others];
}

/** A hundred items in English. */
export function itemsInEnglish() {
  return Array.from({ length: 100 }, (_, n) =>
    filled(ENGLISH[n % 10], FIRMS.en[Math.floor(n / 10)], (n * 7 + Math.floor(n / 10)) % 10),
  );
}

function filled(sentence, firm, tool) {
  return sentence.replace('{a}', firm).replace('{b}', TOOLS[tool]);
}
