import { it } from 'vitest';
import { expectNothingTold } from './expect-nothing-told.ts';
import { TIMEOUT_MS } from './settings.ts';

it(
  'nothing that a session receives depends on what it does not see',
  () => expectNothingTold({ apps: 1, apart: 1_000_000 }),
  TIMEOUT_MS,
);
