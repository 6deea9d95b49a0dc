import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkScript, Leak } from './check.ts';
import { PLANTED_LEAKS } from './planted-leaks.ts';
import { script } from './script.ts';
import { prepareMemory } from './world.ts';

/** Scripts of these lengths; a leak that takes more is found too late to count as found. */
const SCRIPTS = 60;

describe('the number that must be zero is not zero where', () => {
  it.each(PLANTED_LEAKS)('$name', async (leak) => {
    await using prepared = await prepareMemory();
    let found: unknown = null;
    await fc.check(
      fc.asyncProperty(script(150), async (operations) => {
        try {
          await checkScript(operations, { apps: 1, embedder: null, leak }, prepared);
        } catch (error) {
          found = error;
          throw error;
        }
      }),
      { seed: 1, numRuns: SCRIPTS, endOnFailure: true },
    );
    expect(found).toBeInstanceOf(Leak);
  });
});
