import * as fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findSecrets, redactSecrets } from './secrets.ts';

// Nothing here is a key: the text of every fake one is made when the tests run.
const BASE62 = 'Q7wZk2RtY9mXc4VbN8pLs3JhG6fDa1KjH5gFeUiOqWnEvBxTzCyMrPlIoSdA0u';
const HEX = '7c3a9e5f1b8d2046';

function run(length: number, alphabet = BASE62): string {
  return Array.from(
    { length },
    (_, place) => alphabet[(place * 7 + Math.floor(place / alphabet.length)) % alphabet.length],
  ).join('');
}

const BODY = Array.from({ length: 8 }, (_, line) => run(64, BASE62.slice(line) + BASE62.slice(0, line))).join('\n');
function pem(kind: string): string {
  return [`-----BEGIN ${kind}PRIVATE`, ` KEY-----\n${BODY}\n-----END ${kind}PRIVATE KEY-----`].join('');
}
const JWT = ['eyJ' + run(33), 'eyJ' + run(60), run(43)].join('.');

const SECRETS: ReadonlyArray<readonly [string, string]> = [
  ['an OpenAI key', `sk-${run(48)}`],
  ['an OpenAI project key', `sk-proj-${run(120)}`],
  ['an Anthropic key', `sk-ant-api03-${run(93)}AA`],
  ['a GitHub token', `ghp_${run(36)}`],
  ['a fine-grained GitHub token', `github_pat_${run(22)}_${run(59)}`],
  ['a GitLab token', `glpat-${run(20)}`],
  ['an npm token', `npm_${run(36)}`],
  ['an AWS access key', `AKIA${run(60).toUpperCase().slice(0, 16)}`],
  ['an AWS secret key', `aws_secret_access_key = "${run(40)}"`],
  ['a Slack token', `xoxb-1234567890-${run(24)}`],
  ['a Slack webhook', `https://hooks.slack.com/services/T${run(8)}/B${run(8)}/${run(24)}`],
  ['a Stripe key', `sk_live_${run(24)}`],
  ['a Stripe test key', `sk_test_${run(24)}`],
  ['a Google API key', `AIza${run(35)}`],
  ['a SendGrid key', `SG.${run(22)}.${run(43)}`],
  ['a Hugging Face token', `hf_${run(34)}`],
  ['a PyPI token', `pypi-AgE${run(60)}`],
  ['a Docker Hub token', `dckr_pat_${run(27)}`],
  ['a Discord token', `M${run(24)}.${run(6)}.${run(30)}`],
  ['a Telegram bot token', `123456789:AA${run(33)}`],
  ['a DigitalOcean token', `dop_v1_${run(64, HEX)}`],
  ['a Linear key', `lin_api_${run(40)}`],
  ['a Shopify token', `shpat_${run(32, HEX)}`],
  ['an age key', `AGE-SECRET-KEY-1${run(58).toUpperCase()}`],
  ['a JSON Web Token', JWT],
  ['a bearer header', `Authorization: Bearer ${run(40)}`],
  ['a bearer header in quotes', `curl -H "Authorization: Bearer ${run(32)}" https://api.acme.example`],
  ['a basic header', `Authorization: Basic ${Buffer.from(`deploy:${run(12)}`).toString('base64')}`],
  ['an RSA key', pem('RSA ')],
  ['an OpenSSH key', pem('OPENSSH ')],
  ['a PKCS#8 key', pem('')],
  ['an encrypted key', pem('ENCRYPTED ')],
  ['an EC key with its line ends written out', pem('EC ').replaceAll('\n', '\\n')],
  ['a Postgres address', `postgres://app:${run(12)}@db.acme.example:5432/prod`],
  ['a Postgres address with a plain word', ['postgres://app', 'hunter2@db/prod'].join(':')],
  ['a MongoDB address', `mongodb+srv://app:${run(12)}@cluster0.acme.example/app`],
  ['a MySQL address', `mysql://app:${run(12)}@10.0.0.5/app`],
  ['a Redis address without a user', `redis://:${run(16)}@cache:6379/0`],
  ['an AMQP address', `amqps://app:${run(12)}@mq.acme.example`],
  ['an HTTPS address', `https://deploy:${run(12)}@git.acme.example/app.git`],
  ['an ADO connection', `Server=db;Database=app;User Id=app;Password=${run(12)};`],
  ['an Azure storage connection', `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${run(86)}==`],
  ['an address with a token', `https://acme.example/feed?access_token=${run(32)}`],
  ['a signed address', `https://acme.s3.amazonaws.com/a?X-Amz-Signature=${run(64, HEX)}`],
  ['a password', ['password', 'hunter2'].join(': ')],
  ['a password in a sentence', ['The admin password is', 'Tr0ub4dor&3.'].join(' ')],
  ['a password in YAML', ['  db_password', '"s3cr3tPa55"'].join(': ')],
  ['a password in JSON', ['{"password"', '"Winter2024!"}'].join(': ')],
  ['a password in the environment', ['PGPASSWORD', 'xK9mQ2vL'].join('=')],
  ['a password in code', ['const dbPassword', '"xK9mQ2vLtR4w"'].join(' = ')],
  ['a password in German', ['Das Passwort lautet', 'Geheim123!'].join(' ')],
  ['a password in Spanish', ['contraseña', 'Verano2024!'].join(': ')],
  ['a password in French', ['mot de passe', 'Soleil#42'].join(' : ')],
  ['a password of something', ['The password for the database is', 'Tr0ub4dor&3x.'].join(' ')],
  ['a password of something, long said', ['The password of the admin account is', 'hunter2'].join(' ')],
  ['a password of something, with a colon', ['Password for staging', 'Tr0ub4dor&3x'].join(': ')],
  ['a password of something in German', ['Das Passwort für die Datenbank lautet', 'Geheim123!'].join(' ')],
  ['a password of something in Spanish', ['La contraseña de la base de datos es', 'Verano2024!'].join(' ')],
  ['a password of something in French', ['Le mot de passe de la base est', 'Soleil#42'].join(' ')],
  ['a password in Portuguese', ['A senha é', 'Verao2024!'].join(' ')],
  ['a password of something in Portuguese', ['A senha do banco é', 'Verao2024!'].join(' ')],
  ['a password in Polish', ['Hasło to', 'Tajne123!'].join(' ')],
  ['a password of something in Polish', ['Hasło do bazy to', 'Tajne123!'].join(' ')],
  ['a password of something in Russian', ['Пароль от базы', 'Sekret123!'].join(': ')],
  ['a password in a Chinese sentence', ['数据库的密码是', 'abc12345', '。'].join('')],
  ['a password in a Japanese sentence', ['パスワードは', 'abc12345', 'です'].join('')],
  ['a key of something', ['The API key for the mail service is', run(32)].join(' ')],
  ['a short name for a password', ['pw', 'Tr0ub4dor&3x'].join(': ')],
  ['a short name in the environment', ['DB_PASS', 'Tr0ub4dor&3x'].join('=')],
  ['a login that is said without marks', ['user admin, pw', 'Tr0ub4dor&3x'].join(' ')],
  ['a login that is said in a sentence', ['Log in as user "deploy" with password', 'hunter2'].join(' ')],
  ['a login that is said in German', ['Benutzer admin, Passwort', 'Geheim123!'].join(' ')],
  ['a database pass', ['db pass', 'Tr0ub4dor3x'].join(': ')],
  ['an admin pass in a sentence', ['The admin pass is', 'hunter2'].join(' ')],
  ['a PIN', ['The PIN is', '4711'].join(' ')],
  ['a PIN with a colon', ['PIN', '471123'].join(': ')],
  ['a PIN of something', ['The PIN of the company card is', '4711'].join(' ')],
  ['a pin in lower case', ['the alarm pin is', '4711.'].join(' ')],
  ['a PIN in German', ['Die PIN für die Tür lautet', '4711'].join(' ')],
  ['a PIN code', ['The door PIN code is', '4711'].join(' ')],
  ['a password of sshpass', ['sshpass -p', 'Tr0ub4dor&3x ssh deploy@acme.example'].join(' ')],
  ['a password of mysql', ['mysql -u root -p', 'Tr0ub4dor3x app'].join('')],
  ['a Discord webhook', `https://discord.com/api/webhooks/123456789012345678/${run(60)}${run(8)}`],
  [
    'a Teams webhook',
    `https://acme.webhook.office.com/webhookb2/${run(36, HEX)}@${run(36, HEX)}/IncomingWebhook/${run(32, HEX)}/${run(36, HEX)}`,
  ],
  ['a password in Chinese', ['密码', 'abc12345'].join('：')],
  ['an API key by name', `ACME_API_KEY=${run(32)}`],
  ['an API key of hexadecimal digits', `api key: ${run(32, HEX)}`],
  ['an API key in a sentence', `The Acme API key is ${run(32)}.`],
  ['a client secret', `client_secret: ${run(32)}`],
  ['an access token', `access token = ${run(40)}`],
  ['a JWT secret', `JWT_SECRET=${run(24)}`],
  ['a curl login', `curl -u admin:${run(10)} https://acme.example`],
  ['a service account', JSON.stringify({ type: 'service_account', private_key: pem('') })],
];

const ORDINARY: readonly string[] = [
  'Acme signs users in with Auth0.',
  'The fix is in commit 9fceb02d0ae598e95dc970b74767f19372d61af8.',
  'The short hash is 9fceb02.',
  'The image is sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.',
  'MD5 of the release: d41d8cd98f00b204e9800998ecf8427e',
  'The tenant is 3f2504e0-4f89-11d3-9a0c-0305e82c3301.',
  'request token: 3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  'The item k3v9q2m7 supersedes h7wq2c9d.',
  'See https://github.com/acme/app/blob/9fceb02d0ae598e95dc970b74767f19372d61af8/src/a.ts#L10',
  'The docs are at https://docs.acme.example/guide?version=2024-05-01&tab=api',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'ssh://git@github.com/acme/app.git and git@github.com:acme/app.git',
  'https://user@git.acme.example/app.git',
  'npm: "integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  'golang.org/x/text v0.3.0 h1:g61tztE5qeGQ89tm6NTjjM9VPIm088od1l6aSorWRWg=',
  'The logo is data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'OpenAI keys start with sk- and Stripe keys with sk_live_.',
  'Set OPENAI_API_KEY=sk-... before you start.',
  'Set OPENAI_API_KEY=<token> before you start.',
  'api_key: ${API_KEY}',
  'password: {{ vault_db_password }}',
  'password: $DB_PASSWORD',
  'password: <your password>',
  'password: ********',
  'password: changeme123',
  'token: xxxxxxxxxxxxxxxxxxxx',
  'GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'SLACK_BOT_TOKEN=xoxb-your-bot-token-here',
  'postgres://user:password@localhost:5432/app',
  'postgres://$USER:$PASSWORD@db/app',
  'postgres://app:<password>@db/app',
  'https://api.acme.example:8443/v1 and http://localhost:3000/@scope/name',
  'The password is stored in 1Password, vault Engineering.',
  'Password: 1Password vault Engineering',
  'The password manager is 1Password.',
  'password: process.env.DB_PASSWORD',
  'password: os.environ["DB_PASSWORD"]',
  'password: getPassword()',
  'password: string',
  'The password is hashed with argon2id.',
  'password hashing: argon2id',
  'password: sha256-hashed',
  'The password must have at least 12 characters.',
  'password: 12characters or more',
  'Passwords expire after 90 days.',
  'The API key is in STRIPE_SECRET_KEY.',
  'api key: STRIPE_SECRET_KEY_2',
  'The API key lives in AWS Secrets Manager under prod/stripe/key-2.',
  'secret: kv/prod/stripe-v2',
  'secret: app-tls-2024',
  'client_secret: projects/123/secrets/app/versions/4',
  'The secret ingredient is cinnamon2go',
  'The access token is valid for 15 minutes.',
  'access token: 15 minutes, refresh token: 30 days',
  'max_tokens: 4096',
  'The token type is Bearer.',
  'We use bearer authentication for the API.',
  'Bearer tokens are sent as Authorization: Bearer <token>',
  'Basic authentication is off.',
  'The model token limit is gpt-4o-mini-2024-07-18',
  'AWS account ID: 123456789012',
  'aws_account_id = "1234-5678-9012"',
  'A PEM file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.',
  'The public key is ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl joe@acme',
  'See SG.Utilities.Parsing and com.acme.SG.Model.User',
  'The build is 2026.09.15-rc.1+build.4567',
  'docker run -u 1000:1000 acme/app',
  'Tailwind class: sk-circle-fade-dot; task-1234567890-abcdefghij-klmnopqrst',
  'ISBN 978-3-16-148410-0, IBAN DE89 3704 0044 0532 0130 00',
  'passwort: siehe Bitwarden',
  'The password reset link is https://acme.example/reset2024',
  'pwd: /home/me2/work',
  'Ask admin for the password: ops2@acme.example',
  'The password for the database is kept in 1Password.',
  'The password for db01 is rotated every 90days.',
  'The password of user42 is stored in vault-2.',
  'The password to db01prod is in the vault.',
  'The password for new users is generated by passlib2.',
  'Password for staging: see 1Password item acme-db2',
  'Das Passwort für die Datenbank ist in 1Password.',
  'Hasło do bazy jest w 1Password.',
  'Hasło to minimum 12 znaków.',
  'Пароль от базы хранится в 1Password.',
  'The token for CI is named ci-deploy-2026.',
  'The API key for the mail service is MAIL_SERVICE_API_KEY.',
  'The status LED is on pin 13, and the GPIO pin is 2040.',
  'The pin is 13, the PIN: 12.',
  'The PIN is 4 digits long.',
  'The PIN is 4-digit, and the maximum is 10000000 digits.',
  'PIN: 1000 digits of entropy are not needed.',
  'The default PIN is 0000.',
  'The PIN code of Bengaluru is 560001.',
  'Pin code: 560001',
  'Pin: 1024',
  'The pinned version is 2024, and spin is 4711.',
  'The PIN is 2024.1.3, at 1200:30.',
  'The PIN is asked for after 300 seconds.',
  'We pin node to 2024.',
  'user admin, password reset is 2-step',
  'Log in as user deploy with password login1 of 1Password',
  'user admin, password 12characters or more',
  'The first db pass: rewrites 20 files',
  'Each admin pass is valid for 90days.',
  'The user pass is checked twice.',
  '密码：8位以上数字和字母',
  '密码是12位以上的数字组合',
  'パスワードは12文字以上の英数字です',
  'パスワード：8文字以上の英数字',
  'Use pass: it stores gpg2 files.',
  'The first pass: rewrite2 then check3',
  'The webhook is at https://discord.com/api/webhooks/<id>/<token>.',
  'https://discord.com/developers/docs/resources/webhook',
  'mysql -u root -p acme',
];

describe('a secret is found', () => {
  test.each(SECRETS)('%s', async (_, secret) => {
    const text = `First line.\nNote: ${secret}\nLast line.`;
    const found = await findSecrets(text);
    expect(found).toHaveLength(1);
    expect(found[0]?.line).toBe(2);
    expect(found[0]?.start).toBeGreaterThanOrEqual(text.indexOf(secret));
    expect(found[0]?.end).toBeLessThanOrEqual(text.indexOf(secret) + secret.length);
  });

  test('with where it stands, and what it looks like', async () => {
    const text = `😀 use ghp_${run(36)}, not the old one`;
    expect(await findSecrets(text)).toEqual([{ rule: 'GitHub token', start: 7, end: 47, line: 1 }]);
    expect(await findSecrets(['password', 'hunter2'].join(': '))).toEqual([
      { rule: 'password', start: 10, end: 17, line: 1 },
    ]);
  });

  test('a private key even when it is cut off', async () => {
    const text = `Note: ${pem('RSA ').slice(0, 300)}`;
    expect(await findSecrets(text)).toEqual([{ rule: 'private key', start: 6, end: text.length, line: 1 }]);
  });

  test('each of several', async () => {
    const found = await findSecrets(`ghp_${run(36)}\nand npm_${run(36)}\nand ${JWT}`);
    expect(found.map((secret) => [secret.rule, secret.line])).toEqual([
      ['GitHub token', 1],
      ['npm token', 2],
      ['JSON Web Token', 3],
    ]);
  });

  test('whatever a comment in the text says', async () => {
    expect(await findSecrets(`<!-- secretlint-disable -->\naws_secret_access_key = ${run(40)}`)).toHaveLength(1);
    expect(await findSecrets(`shpat_${run(32, HEX)} // secretlint-disable-line`)).toHaveLength(1);
  });
});

describe('not a secret', () => {
  test('what looks like a key within an embedded image or an integrity hash', async () => {
    const accident = `${run(30)}/AKIA${run(60).toUpperCase().slice(0, 16)}/${run(30)}`;
    expect(await findSecrets(accident)).toHaveLength(1);
    expect(await findSecrets(`![logo](data:image/png;base64,${accident})`)).toEqual([]);
    expect(await findSecrets(`"integrity": "sha512-${accident}=="`)).toEqual([]);
  });

  test.each(ORDINARY)('%s', async (text) => {
    expect(await findSecrets(text)).toEqual([]);
  });
});

describe('redaction', () => {
  test('puts what it was in its place', async () => {
    expect(await redactSecrets(`a ghp_${run(36)} b ${['password', 'hunter2'].join('=')} c`)).toBe(
      'a [removed: GitHub token] b password=[removed: password] c',
    );
  });

  test.each(SECRETS.filter(([, secret]) => secret.includes(run(6))))('leaves nothing of %s', async (_, secret) => {
    const redacted = await redactSecrets(`Note: ${secret}`);
    expect(redacted).not.toContain(run(6));
    expect(redacted).toContain('[removed: ');
  });

  test('takes the whole of a key whose length the preset counts from its name', async () => {
    const key = run(120).replace(/\d/gu, '').slice(0, 40);
    expect(await redactSecrets(`aws_secret_access_key = "${key}"`)).toBe('[removed: AWS key]"');
  });

  test('leaves other text alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ORDINARY), fc.constantFrom(...ORDINARY), async (a, b) => {
        expect(await redactSecrets(`${a}\n${b}`)).toBe(`${a}\n${b}`);
      }),
    );
  });

  test('takes the value whole, and nothing beside it', async () => {
    const address = ['postgres://app', 'hunter2@db/prod'].join(':');
    expect(await redactSecrets(address)).toBe('postgres://app:[removed: password in an address]@db/prod');
    expect(await redactSecrets(['密码是', 'abc12345', '。'].join(''))).toBe('密码是[removed: password]。');
  });

  test('of text with secrets leaves text without', async () => {
    const part = fc.oneof(fc.constantFrom(...SECRETS.map(([, secret]) => secret)), fc.constantFrom(...ORDINARY));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        expect(await findSecrets(await redactSecrets(parts.join('\n')))).toEqual([]);
      }),
    );
  });
});

describe('detection reads nothing but the text', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('no configuration file in the working directory, and no file of that name', async () => {
    const text = `service-account.p12 .npmrc ghp_${run(36)}`;
    await findSecrets(text);
    const folder = mkdtempSync(join(tmpdir(), 'stet-secrets-'));
    writeFileSync(join(folder, '.secretlintrc.json'), '{"rules": []}');
    writeFileSync(join(folder, '.secretlintignore'), '*');
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const reads = (
      ['readFileSync', 'readFile', 'openSync', 'open', 'statSync', 'existsSync', 'readdirSync'] as const
    ).map((name) => vi.spyOn(fs, name));
    const found = await findSecrets(text);
    expect(reads.flatMap((spy) => spy.mock.calls)).toEqual([]);
    rmSync(folder, { recursive: true });
    expect(found).toHaveLength(1);
  });

  test('and leaves nothing behind in the performance timeline', async () => {
    const before = performance.getEntries().length;
    await findSecrets('Acme signs users in with Auth0.');
    expect(performance.getEntries()).toHaveLength(before);
  });
});
