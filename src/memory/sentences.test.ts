import { describe, expect, test } from 'vitest';
import { countSentences } from './sentences.ts';

describe('one sentence', () => {
  test.each([
    'Acme signs users in with Auth0.',
    'Acme signs users in with Auth0',
    'Use Node 20.20.2 and TypeScript 6.0.3 everywhere.',
    'The site runs on Next.js and Node.js.',
    'Prefer small tools, e.g. Vite, to big ones.',
    'Dr. Smith and Mr. Jones lead the project at Acme Inc. in Berlin.',
    'The lead is J. P. Morgan.',
    'Acme Corp. Germany is a client.',
    'See https://acme.example/docs/v1.2/intro.html?x=1.2. for details',
    'Mail ops@acme.example or call.',
    'Run `npm test. Then build.` before a release.',
    'The bot says "Done. Next?" and stops.',
    'Standup is at 9 a.m. on Mondays.',
    'Der Start ist am 3. Oktober.',
    'Wir nutzen z. B. Vite bzw. Rollup.',
    'Usa herramientas pequeñas, p. ej. Vite.',
    'Wait ... then retry.',
    'Costs rose by 3.5 % to 1.200,50 €.',
    '我们用Auth0登录。',
    'Acme signs users\nin with Auth0.',
    'Yahoo!-like portals are out.',
    '1. Use pnpm',
  ])('%s', (statement) => {
    expect(countSentences(statement)).toBe(1);
  });
});

describe('several sentences', () => {
  test.each([
    [2, 'Acme signs users in with Auth0. Globex uses Clerk.'],
    [2, 'Use pnpm! Never use npm.'],
    [2, 'Which database? Postgres.'],
    [3, 'Use pnpm. Node is 20. Tests run on CI.'],
    [2, 'See https://acme.example/docs. Then deploy.'],
    [2, 'Mail ops@acme.example. They answer fast.'],
    [2, 'Run `npm test`. Then build.'],
    [2, '我们用Auth0登录。客户用Clerk。'],
    [2, '毎朝9時に会議。金曜は休み。'],
    [2, 'हम Auth0 का उपयोग करते हैं। ग्राहक Clerk का।'],
    [2, 'Wir nutzen Vite. Das reicht.'],
    [2, 'One paragraph\n\nanother paragraph'],
    [3, '- use pnpm\n- use Node 20\n- use vitest'],
    [0, ''],
    [0, '...'],
  ])('%i: %s', (count, statement) => {
    expect(countSentences(statement)).toBe(count);
  });
});
