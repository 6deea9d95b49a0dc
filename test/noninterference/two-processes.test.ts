import { it } from 'vitest';
import { expectNothingTold } from './expect-nothing-told.ts';
import { TIMEOUT_MS } from './settings.ts';

it(
  'nothing that a session receives depends on what it does not see, with two processes on one memory',
  () => expectNothingTold({ apps: 2, apart: 0 }),
  TIMEOUT_MS,
);
