import { describe, expect, it } from 'vitest';
import { Sittings } from './sittings.ts';

const NONE = Number.NEGATIVE_INFINITY;

function sittings(...created: string[]): Sittings {
  const made = new Sittings();
  for (const [slot, when] of created.entries()) made.join(slot, when);
  made.reset();
  return made;
}

describe('sittings', () => {
  it('give a member the best value of another of the same hour', () => {
    const made = sittings('2026-09-01T10:02:11Z', '2026-09-01T10:59:00Z', '2026-09-01T11:00:00Z');
    for (const [slot, value] of [0.3, 0.7, 0.9].entries()) made.note(slot, value);
    expect([made.bestOther(0, 0.3), made.bestOther(1, 0.7), made.bestOther(2, 0.9)]).toEqual([0.7, 0.3, NONE]);
  });

  it('take days where there is no time, and nothing where there is no date', () => {
    const made = sittings('2026-09-01', '2026-09-01', 'yesterday', 'yesterday');
    for (const slot of [0, 1, 2, 3]) made.note(slot, 0.5);
    expect([made.bestOther(0, 0.5), made.bestOther(2, 0.5)]).toEqual([0.5, NONE]);
  });

  it('forget who left, and what an earlier round noted', () => {
    const made = sittings('2026-09-01', '2026-09-01');
    made.note(1, 0.9);
    made.leave(1);
    made.reset();
    made.note(0, 0.4);
    made.note(1, 0.9);
    expect(made.bestOther(0, 0.4)).toBe(NONE);
  });

  it('are none when so many were stored at once that it was an import', () => {
    const made = sittings(...Array.from({ length: 51 }, () => '2026-09-01T10:00:00Z'));
    for (let slot = 0; slot < 51; slot++) made.note(slot, 0.5);
    expect(made.bestOther(0, 0.5)).toBe(NONE);
  });
});
