import { expect, it } from 'vitest';
import { findOwnedValue } from './owned-value.ts';

it.each([
  ['ACME-123 is in review.', 'ACME-123 is in review', 'the issue tracker'],
  ['The login ticket is still blocked by legal.', 'The login ticket is still blocked', 'the issue tracker'],
  ['Ana is on call.', 'is on call', 'the calendar or rota'],
  ['Production runs version 2.3.1.', 'Production runs version 2.3.1', 'the deployment or package registry'],
  ['Test coverage is at 84%.', 'coverage is at 84%', 'the monitoring or the build'],
  ['The hosting plan costs $20 a month.', 'costs $20', 'the billing or accounting system'],
  ['Acme has about 1,200 paying customers.', 'has about 1,200 paying customers', 'the system that counts them'],
])('finds the value in "%s"', (statement, phrase, owner) => {
  expect(findOwnedValue(statement)).toEqual({ phrase, owner });
});

it.each([
  ['Acme signs users in with Auth0.'],
  ['Standups are at nine.'],
  ['Migrations run on Postgres 16.'],
  ['Python 3.12 is required.'],
  ['Every invoice has a number.'],
  ['Retry 3 times before giving up.'],
  ['An issue is closed only after the reporter has confirmed it.'],
  ['The status page says "ACME-1 is open" when it is.'],
  ['Coverage must not fall below 80%.'],
  ['Tickets are assigned to whoever opens them.'],
])('finds none in "%s"', (statement) => {
  expect(findOwnedValue(statement)).toBeNull();
});
