import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareStatements, SIMILAR_COSINE } from './near-duplicate.ts';

const NEAR_IDENTICAL: ReadonlyArray<readonly [string, string]> = [
  ['Acme signs users in with Auth0.', 'Acme signs in users with Auth0.'],
  ['Acme signs users in with Auth0.', 'Acme logs users in with Auth0'],
  ['Acme signs users in with Auth0.', 'Acme signs its users in with Auth0.'],
  ['Acme signs users in with Auth0.', 'acme signs users in with auth0.'],
  ['Users sign in with Auth0.', 'Users sign-in with Auth0.'],
  ['The user prefers dark mode.', 'User prefers dark mode'],
  ['The user prefers dark mode.', 'Prefers dark mode.'],
  ['The user prefers dark mode.', 'I prefer dark mode.'],
  ['The user’s editor is Helix.', "The user's editor is Helix."],
  ['My editor is Helix.', "The user's editor is Helix."],
  ['Use pnpm.', 'use pnpm!'],
  ['Use pnpm.', 'Please use pnpm.'],
  ['Use pnpm for Acme.', 'For Acme, use pnpm.'],
  ['Remember that Acme uses Postgres.', 'Acme uses Postgres.'],
  ['Acme uses Postgres.', 'Acme is using Postgres.'],
  ['Acme uses Postgres.', 'Acme utilizes Postgres'],
  ['Acme uses Postgres.', '“Acme uses Postgres.”'],
  ['Acme uses Postgres as its database.', 'Acme uses Postgres as its DB.'],
  ['Acme’s repository is on GitHub.', "Acme's repo is on GitHub."],
  ['The docs are in Notion.', 'The documentation is in Notion.'],
  ['The app is deployed by Ana.', 'Ana deploys the app.'],
  ['The report is written by Ana on Fridays.', 'Ana writes the report on Fridays.'],
  ['The report was reviewed by Ana.', 'Ana reviewed the report.'],
  ["Don't deploy on Fridays.", 'Do not deploy on Fridays.'],
  ["The API doesn't support webhooks.", 'The API does not support webhooks.'],
  ["The API can't be called from a browser.", 'The API cannot be called from a browser.'],
  ['Sessions expire after two weeks.', 'Sessions expire after 2 weeks.'],
  ['Requests time out after 30 seconds.', 'Requests time out after 30s.'],
  ['Requests time out after 30 seconds.', 'Requests time out after 30 sec'],
  ['The limit is 1,000 requests.', 'The limit is 1000 requests.'],
  ['The user is very tall.', 'The user is tall.'],
  ['The user lives in Lisbon.', 'The user resides in Lisbon.'],
  ['The favourite colour is grey.', 'The favorite color is gray.'],
  ['Ensure that tests pass.', 'Ensure tests pass.'],
  ['There is a staging server at stage.acme.example.', 'A staging server is at stage.acme.example.'],
  ['The test needs a GPU.', 'The test requires a GPU.'],
  ['Choose Vite for new apps.', 'Pick Vite for new applications.'],
  ['Ana is the boss.', 'Ana is the manager.'],
  ['Delete old branches.', 'Remove old branches.'],
  ['Shows the e-mail address.', 'Displays the email address.'],
  ['NEVER DEPLOY ON FRIDAY', 'Never deploy on Friday'],
  ['Acme verwendet Postgres.', 'Acme verwendet Postgres!'],
  ['Acme usa Postgres, siempre.', 'Acme usa Postgres siempre'],
  ['Acme使用Postgres', 'Acme 使用 Postgres！'],
  ['Run `npm test` before a release.', 'Run `npm test` before the release.'],
];

/** One thing is changed, so the second is an update of the first, or another fact. */
const SIMILAR: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  'a number': [
    ['Sessions expire after 2 weeks.', 'Sessions expire after 3 weeks.'],
    ['Sessions expire after two weeks.', 'Sessions expire after three weeks.'],
    ['The port is 8080.', 'The port is 8081.'],
    ['The limit is 1,000 requests.', 'The limit is 10,000 requests.'],
    ['The budget is $5,000.', 'The budget is $50,000.'],
    ['Retry three times.', 'Retry 5 times.'],
    ['Coverage must be 80%.', 'Coverage must be 90%.'],
    ['One reviewer approves.', 'Two reviewers approve.'],
    ['The timeout is 1.5 s.', 'The timeout is 15 s.'],
    ['The temperature is -5 degrees.', 'The temperature is 5 degrees.'],
  ],
  'a date or a time': [
    ['The contract ends on 2026-09-30.', 'The contract ends on 2026-10-30.'],
    ['The release is on Friday.', 'The release is on Thursday.'],
    ['The release is in March.', 'The release is in May.'],
    ['Standup is at 9:30.', 'Standup is at 10:30.'],
    ['Standup is at 9 am.', 'Standup is at 9 pm.'],
    ['Backups run in the morning.', 'Backups run in the evening.'],
    ['The office opened in 2024.', 'The office opened in 2025.'],
    ['Reports are sent weekly.', 'Reports are sent monthly.'],
    ['Deploy on Friday.', 'Deploy on Fridays.'],
    ['Deploy on Friday.', 'Deploy on fridays.'],
  ],
  'a name': [
    ['Acme signs users in with Auth0.', 'Acme signs users in with Clerk.'],
    ['Acme signs users in with Auth0.', 'Globex signs users in with Auth0.'],
    ['The lead is Ana.', 'The lead is Anna.'],
    ['The lead is Ana Silva.', 'The lead is Ana Souza.'],
    ['The client is Globex.', 'The client is Initech.'],
    ['The user lives in Lisbon.', 'The user lives in Porto.'],
    ['Acme uses postgres.', 'Acme uses mysql.'],
    ['The editor is vim.', 'The editor is emacs.'],
    ['Use npm for Acme.', 'Use pnpm for Acme.'],
    ['The API returns JSON.', 'The API returns XML.'],
    ['The function is readFile.', 'The function is readFileSync.'],
    ['The variable is userId.', 'The variable is userid.'],
    ['The config is in src/config.ts.', 'The config is in src/config.js.'],
    ['The docs are at https://docs.acme.example/v1.', 'The docs are at https://docs.acme.example/v2.'],
    ['Run `npm test` before a release.', 'Run `npm run test` before a release.'],
    ['The branch is main.', 'The branch is master.'],
    ['Write C# at Acme.', 'Write C++ at Acme.'],
  ],
  'a version': [
    ['Use Node 20.', 'Use Node 22.'],
    ['Use Node 20.19.', 'Use Node 20.20.'],
    ['The API is v1.', 'The API is v2.'],
    ['The model is GPT-4.', 'The model is GPT-5.'],
    ['Use TypeScript 6.0.3.', 'Use TypeScript 6.0.4.'],
  ],
  'a unit': [
    ['The timeout is 30 seconds.', 'The timeout is 30 minutes.'],
    ['The timeout is 30 s.', 'The timeout is 30 ms.'],
    ['The disk is 500 GB.', 'The disk is 500 MB.'],
    ['The price is €20.', 'The price is $20.'],
    ['The distance is 5 km.', 'The distance is 5 miles.'],
    ['Sessions expire after 2 weeks.', 'Sessions expire after 2 days.'],
  ],
  'a negation': [
    ['Deploy on Fridays.', 'Do not deploy on Fridays.'],
    ['Deploy on Fridays.', "Don't deploy on Fridays."],
    ['Deploy on Fridays.', 'Never deploy on Fridays.'],
    ['The API supports webhooks.', "The API doesn't support webhooks."],
    ['The API supports webhooks.', 'The API no longer supports webhooks.'],
    ['Acme has a budget for tests.', 'Acme has no budget for tests.'],
    ['Ana is available.', 'Ana is unavailable.'],
    ['Admins see the report.', 'Non-admins see the report.'],
    ['Use pnpm with workspaces.', 'Use pnpm without workspaces.'],
    ['The API can be called from a browser.', "The API can't be called from a browser."],
    ['Someone reviews the report.', 'Nobody reviews the report.'],
    ['There is a staging server.', 'There is no staging server.'],
  ],
  'an opposite': [
    ['The user prefers tabs.', 'The user prefers spaces.'],
    ['The user prefers dark mode.', 'The user prefers light mode.'],
    ['The user likes meetings.', 'The user hates meetings.'],
    ['Enable telemetry.', 'Disable telemetry.'],
    ['The build is fast.', 'The build is slow.'],
    ['Deploy before lunch.', 'Deploy after lunch.'],
    ['The minimum is 10.', 'The maximum is 10.'],
    ['Reads go to the primary.', 'Reads go to the replica.'],
    ['The feature is on.', 'The feature is off.'],
    ['Turn the feature on.', 'Turn the feature off.'],
    ['Scale up at night.', 'Scale down at night.'],
    ['Errors increase at night.', 'Errors decrease at night.'],
    ['The repository is public.', 'The repository is private.'],
    ['Send invoices to clients.', 'Send invoices from clients.'],
    ['The door opens at 8.', 'The door closes at 8.'],
    ['Allow force pushes.', 'Forbid force pushes.'],
  ],
  'a quantity': [
    ['All tests run in CI.', 'Some tests run in CI.'],
    ['All tests run in CI.', 'Most tests run in CI.'],
    ['All tests run in CI.', 'Tests run in CI.'],
    ['Every pull request needs a review.', 'Each second pull request needs a review.'],
    ['Only admins see the report.', 'Admins see the report.'],
    ['Always squash commits.', 'Often squash commits.'],
    ['Usually squash commits.', 'Sometimes squash commits.'],
    ['At least two reviewers approve.', 'At most two reviewers approve.'],
    ['Both services use Redis.', 'Neither service uses Redis.'],
    ['The user drinks a lot of coffee.', 'The user drinks little coffee.'],
  ],
  'a modal verb or a tense': [
    ['Tests must pass.', 'Tests should pass.'],
    ['Tests must pass.', 'Tests may pass.'],
    ['Acme uses Postgres.', 'Acme used Postgres.'],
    ['Acme uses Postgres.', 'Acme will use Postgres.'],
    ['Acme uses Postgres.', 'Acme might use Postgres.'],
    ['Acme uses Postgres.', 'Acme has used Postgres.'],
    ['The office is in Lisbon.', 'The office was in Lisbon.'],
    ['Ana can deploy.', 'Ana could deploy.'],
    ['Ana wants to deploy.', 'Ana wanted to deploy.'],
  ],
  'who does it to whom': [
    ['Ana reports to Bob.', 'Bob reports to Ana.'],
    ['Clerk replaced Auth0.', 'Auth0 replaced Clerk.'],
    ['Clerk replaces Auth0.', 'Clerk is replaced by Auth0.'],
    ['Auth0 is replaced by Clerk.', 'Clerk is replaced by Auth0.'],
    ['Prefer Vite to Webpack.', 'Prefer Webpack to Vite.'],
    ['The web calls the API.', 'The API calls the web.'],
    ['Migrate from MySQL to Postgres.', 'Migrate from Postgres to MySQL.'],
    ['Acme pays its clients.', 'Acme pays their clients.'],
    ['His laptop is a ThinkPad.', 'Her laptop is a ThinkPad.'],
    ['My laptop is a ThinkPad.', 'Their laptop is a ThinkPad.'],
    ['Users sign in with Auth0.', 'Sign in with Auth0.'],
    ['My laptop is a ThinkPad.', 'Your laptop is a ThinkPad.'],
    ['Billing depends on search.', 'Search depends on billing.'],
  ],
  'a condition or an addition': [
    ['Use pnpm.', 'Use pnpm in CI.'],
    ['Deploy from main.', 'Deploy from main unless frozen.'],
    ['Acme signs users in with Auth0.', 'Acme signs users in with Auth0 on staging.'],
    ['Acme signs users in with Auth0.', 'Acme plans to sign users in with Auth0.'],
    ['Does Acme use Postgres?', 'Acme uses Postgres.'],
    ['The user likes black coffee and tea.', 'The user likes black tea and coffee.'],
    ['Backups run daily.', 'Encrypted backups run daily.'],
  ],
};

const DIFFERENT: ReadonlyArray<readonly [string, string]> = [
  ['Acme signs users in with Auth0.', 'The user prefers dark mode.'],
  ['Use pnpm.', 'Standup is at 9:30.'],
  ['The port is 8080.', 'Ana lives in Lisbon.'],
  ['Sessions expire after two weeks.', 'The office has two floors.'],
  ['Acme使用Postgres。', '用户喜欢深色模式。'],
  ['Never deploy on Fridays.', 'The logo is blue.'],
  ['It was in this city.', 'It was in this list.'],
  ['It is in the repository.', 'We have it on the server.'],
  ['...', '???'],
];

const CASES = Object.entries(SIMILAR).flatMap(([what, pairs]) => pairs.map(([a, b]) => [what, a, b] as const));

describe('near-identical statements', () => {
  test.each(NEAR_IDENTICAL)('%s — %s', (a, b) => {
    expect(compareStatements(a, b, null)).toBe('near-identical');
    expect(compareStatements(b, a, null)).toBe('near-identical');
  });
});

describe('a statement with something changed is similar, whatever the vectors say', () => {
  test.each(CASES)('%s: %s — %s', (_, a, b) => {
    expect(compareStatements(a, b, 0.999)).toBe('similar');
    expect(compareStatements(b, a, 0.999)).toBe('similar');
  });

  test.each(CASES)('and does not need vectors to be: %s: %s — %s', (_, a, b) => {
    expect(compareStatements(a, b, null)).toBe('similar');
  });
});

describe('different statements', () => {
  test.each(DIFFERENT)('%s — %s', (a, b) => {
    expect(compareStatements(a, b, null)).toBe('different');
    expect(compareStatements(a, b, SIMILAR_COSINE - 0.01)).toBe('different');
  });

  test('are similar when their vectors are near', () => {
    expect(compareStatements('The office is in Lisbon.', 'Acme works from Portugal.', null)).toBe('different');
    expect(compareStatements('The office is in Lisbon.', 'Acme works from Portugal.', SIMILAR_COSINE)).toBe('similar');
  });
});

test('at least 120 pairs are judged', () => {
  expect(NEAR_IDENTICAL.length + CASES.length + DIFFERENT.length).toBeGreaterThanOrEqual(120);
});

describe('the comparison', () => {
  const all = [...NEAR_IDENTICAL.flat(), ...CASES.flatMap(([, a, b]) => [a, b]), ...DIFFERENT.flat()];

  test('calls identical what differs by white space and a final full stop alone', () => {
    expect(compareStatements('Use pnpm.', ' Use\tpnpm', null)).toBe('identical');
    expect(compareStatements('Cafe\u0301 opens', 'Caf\u00e9 opens.', null)).toBe('identical');
  });

  test('is symmetric, and a statement is identical to itself', () => {
    const statement = fc.oneof(fc.constantFrom(...all), fc.string({ unit: 'grapheme' }));
    const cosine = fc.option(fc.double({ min: -1, max: 1, noNaN: true }));
    fc.assert(
      fc.property(statement, statement, cosine, (a, b, similarity) => {
        expect(compareStatements(a, b, similarity)).toBe(compareStatements(b, a, similarity));
        expect(compareStatements(a, a, similarity)).toBe('identical');
      }),
      { numRuns: 500 },
    );
  });

  test('never takes a statement and its negation for the same', () => {
    const negated = fc.constantFrom('not', 'never', "don't");
    fc.assert(
      fc.property(fc.constantFrom(...all), negated, fc.nat(), (statement, negation, at) => {
        const words = statement.split(' ');
        words.splice(1 + (at % words.length), 0, negation);
        expect(['similar', 'different']).toContain(compareStatements(statement, words.join(' '), 1));
      }),
    );
  });
});
