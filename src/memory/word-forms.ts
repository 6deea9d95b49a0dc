// Which English words say the same: forms of one word, short forms, and synonyms that hold in any sentence about work,
// tools and habits. Invariant: only what never changes a claim. Opposites, degrees, quantities, tenses and modal verbs
// are never equal, and no word is equal to the name of a thing.

// Each line is one meaning. A word stands in one line only.
const SYNONYMS = `
use utilise utilize employ
sign_in log_in login signin logon
sign_out log_out logout signout
sign_up register signup
set_up setup
delete remove erase
begin start commence
finish complete
buy purchase
choose select pick
need require
display show
fix repair
help assist
try attempt
want wish
speak talk
live reside
allow permit
forbid prohibit disallow ban
keep retain
send transmit
receive obtain
provide supply
happen occur
speed_up accelerate
repository repo
database db
documentation docs
application app
configuration config
directory folder
production prod
development dev
environment env
administrator admin
authentication authn
authorisation authorization authz
specification spec
infrastructure infra
information info
kubernetes k8s
postgres postgresql
javascript js
typescript ts
python py
mongo mongodb
favourite favorite
colour color
centre center
organisation organization org
organise organize
behaviour behavior
licence license
grey gray
email mail
timezone tz
teammate colleague coworker
firm company
boss manager
holiday vacation
second sec s
minute min
day d
hour hr h
millisecond ms
kilobyte kb
megabyte mb
gigabyte gb
terabyte tb
percent %
approximately about roughly around approx
maximum max
big large
small little
quick fast rapid
slow sluggish
wrong incorrect
simple easy
hard difficult
often frequently
usually normally
rarely seldom
automatically auto
immediately instantly
maybe perhaps
woman lady
man guy
kid child
person someone somebody
film movie
picture photo image
car automobile
bike bicycle
couch sofa
road street
hit strike
jump leap
fight battle
on onto upon
`;

const GROUP_OF = new Map(
  SYNONYMS.trim()
    .split('\n')
    .flatMap((line, group) => line.split(' ').map((word): [string, number] => [word, group])),
);

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['men', 'man'],
  ['women', 'woman'],
  ['ladies', 'lady'],
  ['children', 'child'],
  ['people', 'person'],
  ['indices', 'index'],
  ['has', 'have'],
  ['does', 'do'],
  ['goes', 'go'],
]);
// Words that end like a form of another and are none.
const WHOLE = new Set(
  'us is his this its was always does has less plus versus bus status news series lens https ios aws sass css dns tls ics sms gps thing king ring string spring bring sing during morning evening ceiling nothing something anything everything'.split(
    ' ',
  ),
);

/** What a word may be the present tense, the participle or the plural of; itself included. Lower case. */
export function baseForms(word: string): readonly string[] {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return [word, irregular];
  if (WHOLE.has(word) || !/^[a-z]+$/u.test(word) || /(?:ss|us|is)$/u.test(word)) return [word];
  if (word.length > 4 && word.endsWith('ies')) return [word, `${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (word.length > 4 && /(?:s|x|z|ch|sh|o)es$/u.test(word)) return [word, word.slice(0, -2), word.slice(0, -1)];
  if (word.length > 3 && word.endsWith('s')) return [word, word.slice(0, -1)];
  if (word.length > 4 && word.endsWith('ing')) return [word, ...stems(word.slice(0, -3))];
  return [word];
}

/** What a past participle may be one of: `chopped` → chop, `used` → use. Empty for other words. */
export function participleOf(word: string): readonly string[] {
  const irregular = PARTICIPLES.get(word);
  if (irregular !== undefined) return [irregular];
  if (word.length > 4 && word.endsWith('ied')) return [`${word.slice(0, -3)}y`];
  return word.length > 3 && word.endsWith('ed') ? stems(word.slice(0, -2)) : [];
}

function stems(stem: string): string[] {
  const undoubled = /([bdgklmnprtv])\1$/u.test(stem) ? [stem.slice(0, -1)] : [];
  return [stem, `${stem}e`, ...undoubled];
}

const PARTICIPLES: ReadonlyMap<string, string> = new Map(
  'beaten beat,begun begin,bitten bite,broken break,built build,bought buy,chosen choose,cut cut,done do,drawn draw,driven drive,eaten eat,fed feed,given give,held hold,hidden hide,hit hit,kept keep,known know,led lead,made make,paid pay,put put,read read,ridden ride,run run,seen see,sent send,set set,shown show,sold sell,spoken speak,taken take,taught teach,told tell,thrown throw,understood understand,worn wear,won win,written write'
    .split(',')
    .map((pair): [string, string] => {
      const [participle = '', base = ''] = pair.split(' ');
      return [participle, base];
    }),
);

/** Whether two words of lower case mean the same by the table of synonyms. */
export function areSynonyms(a: string, b: string): boolean {
  const group = GROUP_OF.get(a);
  return group !== undefined && group === GROUP_OF.get(b);
}
