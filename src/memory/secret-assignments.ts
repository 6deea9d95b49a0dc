// Secrets that are known by what stands before them: `password: …`, `Bearer …`, `user:…@host`, `?token=…`.
// Invariant: only a value that can be nothing else is one. A word, a path, a version, a reference to where the secret
// is kept, or a placeholder is not.

export interface NamedSecret {
  readonly rule: string;
  /** UTF-16 offsets of the value alone. */
  readonly start: number;
  readonly end: number;
}

const PASSWORD_NAMES =
  'pass(?:word|wd|phrase|code|wort)|kennwort|pwd|pw|(?<=[_.-])pass|pgpassword|contraseña|mot de passe|senha|wachtwoord|пароль|密码|密碼|パスワード';
const SECRET_NAMES = '(?:client|app|shared|signing|webhook|jwt|session|cookie|oauth)?[ _-]?secret(?:[ _-]?key)?';
const KEY_NAMES =
  'api[ _-]?(?:key|token|secret)|(?:secret[ _-]?)?access[ _-]?key|account[ _-]?key|private[ _-]?key|encryption[ _-]?key|' +
  'auth(?:entication|orization)?[ _-]?(?:key|token)|(?:access|refresh|bearer|bot|deploy|personal|service|session|id)[ _-]?token';
const VERBS = 'is|ist|lautet|lauten|est|es|é|è|это';
const POLISH_NAMES = 'hasł(?:o|a|em)';
const POLISH_VERBS = 'to|jest|brzmi';
const VALUE = '([^\\s"\'`,;<>|，。、；]{6,300})';
// What the secret is for may stand, on its line, between its name and its value: "the password of the admin account is …".
const PURPOSE =
  '(?:[ \\t\\u00a0]{1,3}(?:for|of|to|at|on|in|für|der|des|von|vom|zum|zur|de|del|della|di|da|do|du|dla|od|voor|van|для|от|к)(?:[ \\t\\u00a0]{1,3}[^\\s,.;:=[\\]]{1,40}){1,5}?)?';

function separator(verbs: string): string {
  const word = `(?<![\\p{L}\\p{N}])(?:${verbs})(?![\\p{L}\\p{N}])`;
  return `["'\`*\\])]{0,3}\\s{0,3}(?:=>|:=|->|==?|:|：|＝|[是为為は]|${word})\\s{0,3}["'\`*「『]{0,3}`;
}

function assignment(names: string, verbs = VERBS): RegExp {
  // A name starts a word; in scripts without blanks there is no telling: "数据库的密码".
  return new RegExp(
    `(?<!(?![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}])[\\p{L}\\p{N}])(?:[A-Za-z0-9]+[_.-]){0,6}(?:${names})${PURPOSE}${separator(verbs)}${VALUE}`,
    'giu',
  );
}

// camelCase names (`dbPassword`) have no boundary that the patterns above could see.
const CAMEL_CASE = new RegExp(
  `[a-z0-9](?:Password|Passphrase|Secret|ApiKey|AccessKey|AccessToken|AuthToken)${separator(VERBS)}${VALUE}`,
  'gu',
);

// "pass" alone is a verb, a ticket and a program: it is a password's name beside what one logs in to.
const LOGIN_PASS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:db|database|root|admin|user|login|account|ftp|sftp|smtp|imap|e?mail|wi-?fi|wlan|vpn|ssh|sudo|mysql|postgres|redis|mongo|router|server)[ \\t\\u00a0]pass${separator(VERBS)}${VALUE}`,
  'giu',
);

// "user admin, pw hunter2": nothing but a blank stands before the value, so whose it is must be said just before, and nothing
// but where it is good for after it.
const BESIDE_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:user(?:name)?|login|account|benutzer(?:name)?|konto|usuario|utilisateur|utente|usuário|gebruiker|użytkownik)(?:[ \\t]?[:=])?[ \\t]{1,3}["'\`]?[^\\s,;/"'\`]{1,60}["'\`]?(?:[ \\t]?[,;/+]|[ \\t](?:and|with|und|mit|y|con|et|avec|e|com|en|met|i|z))[ \\t]?(?:pass(?:word|wort)?|pwd?|kennwort|contraseña|mot de passe|senha|wachtwoord|hasło)[ \\t]["'\`]?${VALUE}(?=["'\`,;<>|]|[ \\t]*$|[ \\t]+(?:on|at|for|to|auf|für|bei|en|para|sur|pour)[ \\t])`,
  'gimu',
);

// Only a number that is said to be the PIN: not the pin of a chip, how many digits one has, a time, a version, the postal
// PIN code of India (six digits), nor the one that a device is sold with.
const PIN_VERB = '\\s{1,3}(?:is|ist|lautet|est|es|é|è)\\s{1,3}';
const PIN_END =
  '(?![\\p{L}\\p{N}]|[.,:/-][\\p{L}\\p{N}]|[ \\t]{1,3}(?:digits?|characters?|numbers?|times|Stellen|Ziffern|Zeichen))';
const PIN = new RegExp(
  `(?<![\\p{L}\\p{N}_.-]|(?:default|factory|GPIO)[ \\t])(?:` +
    `(?:PIN${PURPOSE}${separator(VERBS)}|[Pp]in${PURPOSE}${PIN_VERB})["'\`*]{0,3}([0-9]{4,8})|` +
    `(?:PIN|[Pp]in)[ -]?[Cc]ode${PURPOSE}${separator(VERBS)}([0-9]{4}))${PIN_END}`,
  'gu',
);

const RULES: ReadonlyArray<{ rule: string; pattern: RegExp; isSecret: (value: string) => boolean }> = [
  { rule: 'password', pattern: assignment(PASSWORD_NAMES), isSecret: isPassword },
  { rule: 'password', pattern: assignment(POLISH_NAMES, POLISH_VERBS), isSecret: isPassword },
  { rule: 'password', pattern: LOGIN_PASS, isSecret: isPassword },
  { rule: 'password', pattern: BESIDE_NAME, isSecret: isPassword },
  { rule: 'PIN', pattern: PIN, isSecret: () => true },
  { rule: 'secret', pattern: assignment(SECRET_NAMES), isSecret: (value) => value.length >= 8 && isPassword(value) },
  { rule: 'key or token', pattern: assignment(KEY_NAMES), isSecret: isKey },
  { rule: 'token', pattern: assignment('token'), isSecret: (value) => isKey(value) && !isHash(value) },
  {
    rule: 'password or key',
    pattern: CAMEL_CASE,
    isSecret: (value) => isKey(value) || (value.length >= 8 && isPassword(value)),
  },
  { rule: 'bearer token', pattern: /\bbearer\s{1,3}["'`]?([A-Za-z0-9._~+/=-]{16,})/giu, isSecret: isKey },
  {
    rule: 'basic authorisation',
    pattern: /\bbasic\s{1,3}([A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9+/=])/giu,
    isSecret: isBasicCredential,
  },
  {
    rule: 'password in an address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@?#"'`<>]{0,100}:([^\s/@"'`<>]{1,200})@(?=[^\s@])/giu,
    isSecret: (value) => value.length >= 3 && !isPlaceholder(value) && !isReference(value),
  },
  {
    rule: 'token in an address',
    pattern:
      /[?&](?:access_?token|api_?key|auth|key|token|sig|signature|secret|password|X-Amz-(?:Signature|Security-Token))=([^&\s"'<>#]{16,})/giu,
    isSecret: isKey,
  },
  {
    rule: 'password of a command',
    pattern: /\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]["']?[\w.@-]{1,100}:([^\s"']{4,})/giu,
    isSecret: (value) => !isPlaceholder(value) && !isReference(value),
  },
  {
    rule: 'password of a command',
    pattern:
      /\bsshpass\s{1,3}-p\s{0,3}["']?([^\s"']{4,})|\b(?:mysql|mysqldump|mariadb)\b[^\n]{0,300}?\s-p([^\s"']{4,})/giu,
    isSecret: isPassword,
  },
  {
    rule: 'password of a connection',
    pattern:
      /\b(?:server|host|data source|dsn|user id|uid|user|username)=[^\n]{0,300}?;\s?(?:password|pwd)=([^;\s"']{3,})/giu,
    isSecret: (value) => !isPlaceholder(value) && !isReference(value),
  },
];

/** Every value that its surroundings mark as a secret and that clearly is one. */
export function findNamedSecrets(text: string): NamedSecret[] {
  return RULES.flatMap(({ rule, pattern, isSecret }) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      const given = match[1] ?? match[2] ?? '';
      // Where words have no blanks between them, the sentence goes on: "密码是12位以上的数字", "パスワードは…です".
      const written = given.split(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}「」『』]/u, 1)[0] ?? '';
      const value = written.replace(/[.)\]}?:]+$/u, '');
      const start = match.index + match[0].lastIndexOf(given);
      return value !== '' && isSecret(value) ? [{ rule, start, end: start + written.length }] : [];
    }),
  );
}

/** Words and forms that people write where a secret would stand: `<token>`, `sk-...`, `${API_KEY}`, `xxxxxx`. */
export function isPlaceholder(value: string): boolean {
  return (
    /[<>{}…]|\$[A-Za-z(]|%[A-Za-z_]+%|%[sd]|\.{3}|\*{3}|•{3}|(?:x{5,}|X{5,}|0{8,}|#{3,})|\[[a-z]/u.test(value) ||
    /your|placeholder|change[-_]?me|redacted|replace|dummy|insert[-_]|todo|hidden|masked/iu.test(value) ||
    /^(?:pass(?:word|wd|phrase)?|pw|pwd|secret|token|api[-_]?key|key|user(?:name)?|none|null|undefined|true|false|empty|example|string|test|foo|bar|baz)\d?$/iu.test(
      value,
    )
  );
}

/** Code, paths, addresses and names that say where a secret is, not what it is. */
function isReference(value: string): boolean {
  return (
    /^[$%@~]|^\.{0,2}\/|^[a-z]:\\|^\w+:\/\/|\(|^(?:process|os|env|secrets?|vars?|config|settings|import\.meta)[.[]|^(?:vault|ssm|kv|op|arn|sops|keychain|file|env|ref):/iu.test(
      value,
    ) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/u.test(value) ||
    /^[^@\s]+@[\w-]+(?:\.[\w-]+)+$/u.test(value)
  );
}

const ALGORITHM =
  /^(?:sha-?\d|md5|argon2|bcrypt|scrypt|pbkdf2|aes|rsa|ed25519|x25519|secp\d|[hrep]s\d{3}|oauth|oidc|base\d\d|utf-?\d|x\.?509|k8s|ipv\d|1password|http\/?\d|tls)/iu;
const MEASURE =
  /^\d+[-_+]?(?:s|ms|m|mins?|h|hrs?|d|days?|hours?|minutes?|seconds?|weeks?|months?|years?|chars?|characters?|digits?|letters?|bits?|bytes?|[kmg]b|x|th|st|nd|rd)(?![a-z0-9])/iu;

function isPassword(value: string): boolean {
  const mixed = /\p{L}/u.test(value) && (/\p{N}/u.test(value) || /[!@#$%^&*+=?~]/u.test(value));
  return mixed && value.length >= 6 && !isOrdinary(value);
}

function isKey(value: string): boolean {
  return value.length >= 16 && /[A-Za-z]/u.test(value) && /\d/u.test(value) && !isOrdinary(value);
}

function isOrdinary(value: string): boolean {
  return (
    isPlaceholder(value) ||
    isReference(value) ||
    ALGORITHM.test(value) ||
    MEASURE.test(value) ||
    isIdentifier(value) ||
    /^v?\d+(?:\.\d+)+/iu.test(value)
  );
}

/** Words, numbers and versions joined by hyphens, dots or slashes: `app-tls-2024`, `kv/prod/stripe-v2`. */
function isIdentifier(value: string): boolean {
  const parts = value.split(/[-_./:\\]+/u).filter((part) => part !== '');
  return (
    parts.length > 1 && parts.every((part) => /^(?:\p{L}+\d{0,3}|\d{1,8}|v\d+\p{L}?|\d{1,3}\p{L}{1,3})$/u.test(part))
  );
}

/** Bare hexadecimal digits and UUIDs: hashes, git ids, item ids. */
function isHash(value: string): boolean {
  return /^[0-9a-f-]+$/iu.test(value);
}

function isBasicCredential(value: string): boolean {
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]{1,100}:[\x20-\x7e]{1,100}$/u.test(decoded);
}
