import { describe, expect, it } from 'vitest';
import { momentOf } from './imported-statement.ts';

describe('a moment', () => {
  it.each([
    ['2026-03-02', '2026-03-02T00:00:00Z'],
    ['2026-03-02 10:30', '2026-03-02T10:30:00Z'],
    ['2026-03-02T10:30:00+02:00', '2026-03-02T08:30:00Z'],
    ['2026-03-02T10:30:00.123Z', '2026-03-02T10:30:00Z'],
    ['2026-02-31', null],
    ['last week', null],
    ['', null],
  ])('%j is %j', (written, moment) => {
    expect(momentOf(written)).toBe(moment);
  });
});
