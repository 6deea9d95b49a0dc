import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseZonedTime, printZonedTime } from './zoned-time.ts';

const zones = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 14 }), fc.constantFrom('00', '30', '45'))
  .map(([sign, hours, minutes]) => `${sign}${String(hours).padStart(2, '0')}${minutes}`);

describe('a zoned time', () => {
  it('is printed with its own zone', () => {
    expect(printZonedTime({ seconds: 1_796_031_064, zone: '+0100' })).toBe('2026-11-30T10:31:04+01:00');
    expect(printZonedTime({ seconds: 1_796_031_064, zone: '+0000' })).toBe('2026-11-30T09:31:04Z');
  });

  it('is read back as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: 4_000_000_000 }), zones, (seconds, zone) => {
        expect(parseZonedTime(printZonedTime({ seconds, zone }))).toEqual({ seconds, zone });
      }),
    );
  });

  it('is read with fractions, which are dropped', () => {
    expect(parseZonedTime('2026-11-30T09:31:04.999Z')).toEqual({ seconds: 1_796_031_064, zone: '+0000' });
  });

  it.each([
    'yesterday',
    '2026-11-30',
    '2026-11-30T09:31:04',
    '2026-02-30T09:31:04Z',
    '2026-13-01T09:31:04Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:30:00+01:00',
    '',
  ])('is not %o', (text) => {
    expect(parseZonedTime(text)).toBeNull();
  });
});
