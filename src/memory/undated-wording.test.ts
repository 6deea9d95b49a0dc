import { describe, expect, test } from 'vitest';
import { findRelativeWording, findUndatedCurrency } from './undated-wording.ts';

describe('a statement about how things stand', () => {
  test.each([
    ['Acme currently uses Auth0.', 'currently'],
    ['Currently Acme uses Auth0.', 'Currently'],
    ['At the moment Acme uses Auth0.', 'At the moment'],
    ['Acme uses Auth0 for now.', 'for now'],
    ['Deploys are frozen until further notice.', 'until further notice'],
    ['These days Acme uses Auth0.', 'These days'],
    ['Acme nutzt derzeit Auth0.', 'derzeit'],
    ['Aktuell nutzt Acme Auth0.', 'Aktuell'],
    ['Bis heute gibt es keine Tests.', 'Bis heute'],
    ['Acme usa actualmente Auth0.', 'actualmente'],
    ['Hoy en día Acme usa Auth0.', 'Hoy en día'],
    ['Acme utilise actuellement Auth0.', 'actuellement'],
    ['Pour l’instant Acme utilise Auth0.', 'Pour l’instant'],
    ['Acme usa attualmente Auth0.', 'attualmente'],
    ['A Acme usa atualmente o Auth0.', 'atualmente'],
    ['Acme gebruikt momenteel Auth0.', 'momenteel'],
    ['Acme använder just nu Auth0.', 'just nu'],
    ['Acme käyttää tällä hetkellä Auth0:aa.', 'tällä hetkellä'],
    ['Acme сейчас использует Auth0.', 'сейчас'],
    ['Acme наразі використовує Auth0.', 'наразі'],
    ['Acmeは現在Auth0を使っている。', '現在'],
    ['Acme目前使用Auth0。', '目前'],
    ['Hiện tại Acme dùng Auth0.', 'Hiện tại'],
    ['Acme saat ini memakai Auth0.', 'saat ini'],
    ['تستخدم أكمي Auth0 حاليًا.', 'حاليًا'],
  ])('%s', (statement, phrase) => {
    expect(findUndatedCurrency(statement)).toEqual({ phrase, index: statement.indexOf(phrase) });
  });

  test.each([
    'Acme signs users in with Auth0.',
    'The screen shows Now Playing.',
    'The current directory is the project.',
    'The variable is `currently` and the flag --for now.',
    'The label is "Currently unavailable".',
    'currently-unused is an ESLint rule.',
    'The module concurrently runs both.',
    '当前目录是项目。',
  ])('unlike: %s', (statement) => {
    expect(findUndatedCurrency(statement)).toBeNull();
  });
});

describe('a statement that counts from the day of writing', () => {
  test.each([
    ['Sessions expire in two weeks.', 'in two weeks'],
    ['The trial ends 30 days from now.', '30 days from now'],
    ['Acme moves to Clerk soon.', 'soon'],
    ['Acme recently moved to Clerk.', 'recently'],
    ['The report is due Friday.', 'due Friday'],
    ['The report must be done by Friday.', 'by Friday'],
    ['The user graduated last May.', 'last May'],
    ['The user travels next summer.', 'next summer'],
    ['It happened the other day.', 'the other day'],
    ['Over the past two years the team doubled.', 'Over the past two years'],
    ['Done by the end of the week.', 'by the end of the week'],
    ['Der Umzug ist in zwei Wochen.', 'in zwei Wochen'],
    ['Acme zieht bald um.', 'bald'],
    ['La mudanza es dentro de 3 días.', 'dentro de 3 días'],
    ['Le déménagement est dans deux semaines.', 'dans deux semaines'],
    ['Acme est récemment passé à Clerk.', 'récemment'],
    ['La sessione scade tra due settimane.', 'tra due settimane'],
    ['A sessão expira em duas semanas.', 'em duas semanas'],
    ['De sessie verloopt over twee weken.', 'over twee weken'],
    ['Сессия истекает через 3 дня.', 'через 3 дня'],
    ['最近Clerkに移った。', '最近'],
    ['会话两周后过期。', '两周后'],
  ])('%s', (statement, phrase) => {
    expect(findRelativeWording(statement)).toEqual({ phrase, index: statement.indexOf(phrase) });
  });

  test.each([
    'Sessions expire within 5 minutes.',
    'Friday deploys are forbidden.',
    'Standup is on Mondays.',
    'Access tokens live for 15 minutes.',
    'The label is "Coming soon".',
    'As soon-ish as the lint rule says.',
    'In 2024 Acme moved to Clerk.',
  ])('unlike: %s', (statement) => {
    expect(findRelativeWording(statement)).toBeNull();
  });
});
